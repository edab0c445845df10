import type { DataModel } from '../index';

import { concatMap, defer, map, of } from './peers';
import type { MonoTypeOperatorFunction, Observable } from './peers';
import { idOf, isContested } from './version';

/** Options of `mergeConflicts`. */
export interface MergeConflictsOptions {
  /**
   * The statuses by which the server says that the version is another. Default 409, 412 and 428 (RFC 6585); leave 409 out
   * where it stands for anything else, such as a name that is taken.
   */
  readonly statuses?: readonly number[] | undefined;
  /** How often a save goes on by itself, at most. Default 3. */
  readonly count?: number | undefined;
}

/**
 * Has a save go on from a conflict: `person.save$({ patch: true }).pipe(mergeConflicts(person))`.
 *
 * When the server refuses since it holds another version, that is read with `keepEdits`: fields without an edit take the
 * server's value, edits stay. If nobody else has changed a field that holds an edit, the save is sent again (with `patch` it
 * carries the edits only), or if `keepMine()` or `takeTheirs()` decides each such field as `conflicts$` tells of it. Else it
 * emits the refused answer (that of a create at once); `error$` is that of the read by then. Until all are decided, each
 * save is refused by a server that heeds `If-Match`; then the next one goes. One that compares a version in the data takes
 * it: there save only when `conflicts$` has none that is open.
 *
 * With `rollback` the refusal takes the edits back: then nothing is left to go on with, and it emits the refused answer.
 * For saves: a delete that is sent again would delete what nobody has looked at.
 *
 * @returns An operator; emits the last answer, fails as the save or the read does.
 */
export function mergeConflicts(
  record: DataModel,
  { statuses = [409, 412, 428], count = 3 }: MergeConflictsOptions = {},
): MonoTypeOperatorFunction<Response> {
  /** Reads what the server holds; emits whether it is good to send again: not for another record. */
  const merged$ = defer(() => {
    const id = idOf(record);
    return record
      .fetch$({ keepEdits: true })
      .pipe(map(({ ok }) => ok && !isContested(record) && idOf(record) === id));
  });
  return (save$) => {
    const attempt = (left: number): Observable<Response> =>
      defer(() => {
        const [wasNew, wasDirty, asked] = [record.isNew$.value, record.isDirty$.value, idOf(record)];
        // A create has no version. Behind another it is known only now whether this is one.
        const isKnown = () => !record.isNew$.value && (wasNew || idOf(record) === asked);
        // What a rollback has given back is not there to be sent again.
        const isThere = () => record.isDirty$.value || !wasDirty;
        return save$.pipe(
          concatMap((response) =>
            left > 0 && isKnown() && isThere() && statuses.includes(response.status)
              ? merged$.pipe(concatMap((isClear) => (isClear ? attempt(left - 1) : of(response))))
              : of(response),
          ),
        );
      });
    return attempt(count);
  };
}
