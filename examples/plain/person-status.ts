import { auditTime, combineLatest, distinctUntilChanged, map } from 'rxjs';
import type { Observable } from 'rxjs';

import type { Person } from './person.ts';

/** The state of a person, in words and for the style sheet. */
export interface Standing {
  readonly words: string;
  readonly kind: 'busy' | 'unsaved' | 'saved';
}

/** The state of a person, whenever it changes. */
export function standing$(person: Person): Observable<Standing> {
  const { isReading$, isSaving$, isDeleting$, changes$, isNew$, name } = person;
  return combineLatest([isReading$, isSaving$, isDeleting$, changes$, isNew$, name.remote$]).pipe(
    // One answer changes several of these; screen readers should announce only the outcome.
    auditTime(0),
    map(() => standingOf(person)),
    distinctUntilChanged((a, b) => a.words === b.words),
  );
}

/** The title of the form: the saved name, whatever is being typed. */
export function title$({ isNew$, id, name }: Person): Observable<string> {
  return combineLatest([isNew$, id, name.remote$]).pipe(
    map(([isNew, number, saved]) => saved || (isNew ? 'New person' : `Person ${String(number)}`)),
  );
}

function standingOf(person: Person): Standing {
  if (person.isDeleting$.value) return { kind: 'busy', words: 'Deleting…' };
  if (person.isSaving$.value) return { kind: 'busy', words: 'Saving…' };
  if (person.isReading$.value) return { kind: 'busy', words: 'Loading…' };

  const edits = Object.values(person.dirtyMap()).filter((isDirty) => isDirty).length;
  const fields = `${String(edits)} unsaved ${edits === 1 ? 'field' : 'fields'}`;
  // Everybody on the server has a name, so without one nothing of this person has been confirmed.
  const isKnown = person.name.remote$.value !== '';

  if (!person.isNew$.value) {
    if (edits > 0) return { kind: 'unsaved', words: fields };
    return isKnown ? { kind: 'saved', words: 'All saved' } : { kind: 'unsaved', words: 'Not loaded' };
  }
  if (edits > 0) return { kind: 'unsaved', words: `Not on the server yet, ${fields}` };
  return { kind: 'unsaved', words: isKnown ? 'Deleted; Save would bring it back' : 'Nothing entered yet' };
}
