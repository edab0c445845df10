import { lastValueFrom, tap } from 'rxjs';
import type { Observable } from 'rxjs';
import { beforeEach, describe, expect, it } from 'vitest';

import { DataModel, createLib, lib } from 'rivulet';
import type { CollectionConfig, Lib, Parse, RequestOptions } from 'rivulet';
import { etags, mergeConflicts } from 'rivulet/etag';

import { valuesOf } from '../watch';

import { startCouchDb } from './couchdb';

// The conventions of CouchDB, https://docs.couchdb.org; to be copied.

interface Person {
  readonly _id?: string;
  readonly _rev?: string; // the revision; each write must name the one it replaces
  readonly name: string;
  readonly city: string;
}

/** The answer of `_all_docs`. */
interface AllDocs {
  readonly rows: readonly { readonly doc: Person }[];
}

/** The answer to a write: no document, only its id and new revision. */
interface Written {
  readonly id: string;
  readonly rev: string;
}

const parse: Parse = (answer, action) => {
  if (action === 'read') return answer;
  const { id, rev } = answer as Written;
  return { _id: id, _rev: rev };
};

/** The class of the people in a database. */
const personIn = (database: string) =>
  class PersonRecord extends DataModel {
    readonly id = lib.observable<string | undefined>(undefined).map('_id', this);
    // An ordinary field: each PUT sends it, and the answer brings the next one.
    readonly rev = lib.observable<string | undefined>(undefined).map('_rev', this);
    readonly name = lib.observable('').map('name', this);
    readonly city = lib.observable('').map('city', this);

    constructor(root: Lib) {
      const document = `${database}/:_id`;
      const url = { create: database, read: document, update: document, delete: `${document}?rev=:_rev` };
      super({ url, idAttribute: '_id', parse }, root);
    }

    /** A document that is created again must not name the revision of the deleted one. */
    override destroy$(options?: RequestOptions): Observable<Response> {
      const forget = ({ ok }: Response) => {
        if (ok) this.rev.next(undefined);
      };
      return super.destroy$(options).pipe(tap(forget));
    }
  };

type PersonRecord = InstanceType<ReturnType<typeof personIn>>;

/** The people of a database. To create one, save a live record: the answer to `create` lacks the fields sent. */
const peopleIn = (database: string): CollectionConfig<Person, PersonRecord> => ({
  url: { read: `${database}/_all_docs?include_docs=true` },
  idAttribute: '_id',
  parse: (answer) => (answer as AllDocs).rows.map(({ doc }) => doc),
  model: personIn(database),
});

/** A root that makes conditional requests. */
const conditional = () => createLib(etags());

let database: string;

beforeEach(async () => {
  database = await startCouchDb();
});

const newPerson = (root = createLib()): PersonRecord => new (personIn(database))(root);

/** Creates Ann in the database. */
async function ann(root?: Lib): Promise<PersonRecord> {
  const person = newPerson(root);
  person.set({ name: 'Ann', city: 'Bonn' });
  await person.save();
  return person;
}

/** Another client's record of the same document. */
async function other({ id }: PersonRecord): Promise<PersonRecord> {
  const person = newPerson();
  person.set({ _id: id.value });
  await person.fetch();
  return person;
}

describe('a record in CouchDB', () => {
  it('is created by POST, and takes its id and revision from the receipt', async () => {
    const person = await ann();

    expect(person.id.value).toMatch(/^[\da-f-]{32,}$/);
    expect(person.rev.value).toMatch(/^1-/);
    expect([person.isNew$.value, person.isDirty$.value]).toStrictEqual([false, false]);
    expect((await other(person)).get()).toStrictEqual(person.get());
  });

  it('sends its revision with each update, and adopts the next one', async () => {
    const person = await ann();
    for (const name of ['Anna', 'Anne']) {
      person.name.next(name);
      expect((await person.save()).status).toBe(201);
    }

    expect(person.rev.value).toMatch(/^3-/);
    expect(person.isDirty$.value).toBe(false);
    expect((await other(person)).get()).toStrictEqual(person.get());
  });

  it('is replaced as a whole by an update, unmapped properties included', async () => {
    const person = await ann();
    const document = `${database}/${String(person.id.value)}`;
    const notes = JSON.stringify({ ...person.get(), notes: 'met in York' });
    await fetch(document, { method: 'PUT', body: notes, headers: { 'content-type': 'application/json' } });
    await person.fetch();

    await person.save();

    expect(await (await fetch(document)).json()).toStrictEqual(person.get());
  });

  it('is deleted with its revision in the url, and may be created again', async () => {
    const person = await ann();
    const before = await other(person);

    expect((await person.destroy()).status).toBe(200);

    expect([person.isNew$.value, person.rev.value]).toStrictEqual([true, undefined]);
    expect((await before.fetch()).status).toBe(404);
    expect((await person.save()).status).toBe(201);
    expect(person.rev.value).toMatch(/^1-/);
  });

  it('is not deleted with an outdated revision', async () => {
    const person = await ann();
    const late = await other(person);
    person.name.next('Anna');
    await person.save();

    expect((await late.destroy()).status).toBe(409);

    expect(late.error$.value).toMatchObject({ code: 'HTTP', action: 'delete' });
    expect([late.isNew$.value, (await late.fetch()).status]).toStrictEqual([false, 200]);
  });

  it('is not transferred again while its revision is current', async () => {
    const person = await ann(conditional());
    await person.fetch();

    const again = await person.fetch();

    expect([again.status, again.ok, person.name.value]).toStrictEqual([304, true, 'Ann']);
  });
});

describe('a conflict in CouchDB', () => {
  const save = (person: PersonRecord) => lastValueFrom(person.save$().pipe(mergeConflicts(person)));

  it('makes the server refuse the later save, whose edits are kept', async () => {
    const first = await ann();
    const second = await other(first);
    first.name.next('Anna');
    second.city.next('Berlin');
    await first.save();

    const answer = await second.save();

    expect([answer.status, await answer.json()]).toMatchObject([409, { error: 'conflict' }]);
    expect([second.city.value, second.isDirty$.value]).toStrictEqual(['Berlin', true]);
    expect(second.rev.value).toMatch(/^1-/);
  });

  it('is merged when the edits are of different fields', async () => {
    const first = await ann();
    const second = await other(first);
    first.name.next('Anna');
    second.city.next('Berlin');
    await first.save();
    const conflicts = valuesOf(second.conflicts$);

    expect((await save(second)).status).toBe(201);

    expect((await other(first)).get()).toMatchObject({ name: 'Anna', city: 'Berlin' });
    expect(second.rev.value).toMatch(/^3-/);
    expect(conflicts).toStrictEqual([]);
  });

  it('over one field is left to the user, and the next save continues from the choice', async () => {
    const first = await ann();
    const second = await other(first);
    first.name.next('Anna');
    second.name.next('Anne');
    await first.save();
    const conflicts = valuesOf(second.conflicts$);

    expect((await save(second)).status).toBe(409);
    expect(conflicts).toMatchObject([{ path: 'name', mine: 'Anne', theirs: 'Anna' }]);

    conflicts[0]?.keepMine();
    expect((await save(second)).status).toBe(201);
    expect((await other(first)).name.value).toBe('Anne');
  });
});

describe('the documents of a CouchDB database', () => {
  it('are extracted from the rows of _all_docs', async () => {
    const person = await ann();
    const people = createLib().collection(peopleIn(database));

    await people.fetch();

    expect(people.value).toStrictEqual([person.get()]);
  });

  it('are created, updated and deleted by live records, and the list follows', async () => {
    const people = createLib().collection(peopleIn(database));
    const person = people.record({ name: 'Ann', city: 'Bonn' });

    await person.save();
    expect(people.value).toStrictEqual([person.get()]);
    expect(people.record(person.id.value ?? '')).toBe(person);

    person.name.next('Anna');
    await person.save();
    expect(people.value).toMatchObject([{ _rev: expect.stringMatching(/^2-/) as string, name: 'Anna' }]);

    await person.destroy();
    expect(people.value).toStrictEqual([]);
    await people.fetch();
    expect(people.value).toStrictEqual([]);
  });
});
