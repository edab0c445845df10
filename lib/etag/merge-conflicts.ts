import type { DataModel, RequestError } from '../index';

import { concatMap, defer, equal, identity, matcher } from './peers';
import type { MonoTypeOperatorFunction } from './peers';
import { idOf, isDirty } from './version';

/** Options of `mergeConflicts`. */
export interface MergeConflictsOptions {
  /**
   * The statuses by which the server reports another version. Default 409, 412 and 428 (RFC 6585); leave out 409 if it means
   * something else, such as a name that is taken.
   */
  readonly statuses?: readonly number[] | undefined;
  /** How often a save is sent again at most. Default 3. */
  readonly count?: number | undefined;
}

/**
 * Continues a save after a version conflict: `person.save$({ patch: true }).pipe(mergeConflicts(person))`.
 *
 * If the server refuses because it holds another version, that version is read with `keepEdits` (and `cache: 'no-cache'`):
 * fields without an edit take the server's value, edits stay. If nobody else has changed a field that holds an edit, or
 * `keepMine()` or `takeTheirs()` decides each such field as `conflicts$` emits it, the save is sent again (with `patch` it
 * carries the edits only); if no edit is left, nothing is sent, and this emits the answer to the read.
 * Otherwise this emits the refused answer (that of a create at once); `error$` is then that of the read. Until all are
 * decided, a server that honors `If-Match` refuses each save; then the next one goes through. A server that compares a
 * version in the data accepts it: there, save only while `openConflicts$` is empty.
 *
 * Without any edit, as for given `attrs`, a save is sent again only if the read has changed nothing, which it would overwrite
 * unseen. With edits beside `attrs` that is not noticed: write what is to be saved into the fields instead.
 *
 * With `rollback`, a refusal reverts what was sent: whatever else is edited, the version is read, so that the next save goes
 * through, and this emits the refused answer.
 *
 * For saves only: the refusal of a delete is emitted at once, since another would delete what nobody has looked at.
 *
 * @returns An operator that emits the last answer, and fails as the save or the read does.
 */
export function mergeConflicts(
  record: DataModel,
  { statuses = [409, 412, 428], count = 3 }: MergeConflictsOptions = {},
): MonoTypeOperatorFunction<Response> {
  return (save$) =>
    defer(() => {
      const asked = idOf(record);
      const wasDirty = isDirty(record);
      const edits = record.dirtyMap();
      const start = record.get();
      return save$.pipe(
        concatMap((refused) => {
          const id = idOf(record);
          const before = record.get();
          // A create has no version. Behind another write, only now is it known whether this was one.
          const isKnown = id && (asked || id) === id;
          // What is no edit any more was confirmed if it still shows the same, as by a save that was sent before. Otherwise a
          // rollback has taken it back: even if there are other edits, they are not what was to be saved.
          const isKept = matcher(
            record.get(Object.keys(edits).filter((path) => edits[path] && !record.dirtyMap()[path]) as never),
          )(start);

          if (!(
            isKnown &&
            count > 0 &&
            statuses.includes(refused.status) &&
            (record.error$.value as RequestError | null)?.action !== 'delete'
          ))
            return [refused];
          return record.fetch$({ cache: 'no-cache', keepEdits: true }).pipe(
            concatMap((read) => {
              const isSame = read.ok && idOf(record) === id && !record.openConflicts$.value.length;
              // Without edits, given data (`attrs`) would overwrite what the read has brought, and no conflict would say so.
              if (!(isSame && (wasDirty ? isKept : equal(record.get(), before)))) return [refused];
              // Nobody will read it: its connection can be reused.
              (refused.body as Partial<ReadableStream> | null)?.cancel?.().catch(identity);
              // Edits that a choice has given up are not there to be sent again.
              return wasDirty && !isDirty(record)
                ? [read]
                : save$.pipe(mergeConflicts(record, { statuses, count: count - 1 }));
            }),
          );
        }),
      );
    });
}
