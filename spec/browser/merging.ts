// The script of a page in which a person is edited while somebody else changes the same row.
import { lastValueFrom } from 'rxjs';

import { DataModel, createLib } from 'rivulet';
import { etags, mergeConflicts } from 'rivulet/etag';

const root = createLib(etags());

class Person extends DataModel {
  readonly id = root.observable(7).map('id', this);
  readonly name = root.observable('').map('name', this);
  readonly city = root.observable('').map('city', this);
}

/** What the page shows. */
export interface Shown {
  readonly status: number;
  readonly data: unknown;
  readonly isDirty: boolean;
}

/** Reads the person, edits the name after somebody else has saved, and saves. */
async function saveBehind(): Promise<Shown> {
  const person = new Person({ url: '/people' }, root);
  await person.fetch();
  await fetch('/somebody-else', { method: 'POST', body: '{"city":"Rome"}' });
  person.name.next('Mine');
  const { status } = await lastValueFrom(person.save$({ patch: true }).pipe(mergeConflicts(person)));
  return { status, data: person.get(), isDirty: person.isDirty$.value };
}

Object.assign(globalThis, { saveBehind });
