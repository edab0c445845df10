import type { DataModel, StateStream } from '../index';

import { andThen } from './and-then';
import { isWithin } from './data';
import { concat, defer, distinctUntilChanged, endWith, equal, map, switchMap } from './peers';
import type { Observable, ObservableInput } from './peers';
import { dataWith } from './record';
import type { Check, Checked } from './standard';

/**
 * What is wrong with a record, by path, `''` for the record as a whole: `{ 'address.city': ['is unknown'] }`. Empty if
 * nothing is wrong.
 */
export type Errors = Readonly<Partial<Record<string, readonly string[]>>>;

/** What a check finds wrong with the values a record shows. Nothing is checked before it is read or subscribed to. */
export function errorsIn(record: DataModel, check: Check): StateStream<Errors> {
  let data: unknown;
  /** What was found last, possibly in data that has been edited since then. */
  let known = noErrors;
  /** Emits once `known` is what was found in `data`. */
  let found$: ObservableInput<unknown>;
  const read = (): Errors => {
    const now = record.data$.value;
    if (data !== now) {
      data = now;
      found$ = andThen(check(dataWith(record)), (outcome) => {
        if (data === now) known = grouped(outcome);
        return [known];
      });
    }
    return known;
  };
  // Most of the time, nobody watches the errors of a record: then it need not make its `data$`.
  const tick$ = defer(() =>
    record.data$.pipe(
      // A check under way must not outlive the record, whose `data$` completes when it is disposed of.
      endWith(undefined),
      switchMap((now) => (now ? concat([read()], found$) : [])),
    ),
  );
  return stateOf(tick$, read);
}

/**
 * What is wrong with one field: the messages at its path and below, as a state that is live like `errors$`.
 *
 * @param record Anything with the errors of its fields, like a record of `defineRecord`.
 * @param field A mapped field, or anything with the path of one.
 */
export function errorsOf(
  { errors$ }: { readonly errors$: StateStream<Errors> },
  { path }: { readonly path: string },
): StateStream<readonly string[]> {
  const read = (): readonly string[] =>
    Object.entries(errors$.value).flatMap(([at, messages = []]) => (isWithin(at, path) ? messages : []));
  return stateOf(errors$, read);
}

/** The messages of a check by path. A schema that fails has not accepted the data. */
function grouped({ issues = [], failed }: Checked): Errors {
  if (failed) {
    const reason = failed.with as Error | undefined;
    return { '': [`the schema failed: ${reason?.message ?? String(reason)}`] };
  }
  return Object.fromEntries(
    issues.map(({ path: at }) => [at, issues.flatMap(({ path, message }) => (path === at ? message : []))]),
  );
}

/** Shared by all records, so that errors cost nothing before they are read. */
const noErrors: Errors = {};

/** A state that is read anew whenever it is asked for, and emits if it has changed at a tick. */
function stateOf<T>(tick$: Observable<unknown>, read: () => T): StateStream<T> {
  let last: T | undefined;
  // An equal value stays the same object.
  const get = () => {
    const now = read();
    return equal(now, last) ? (last as T) : (last = now);
  };
  const value$ = tick$.pipe(map(get), distinctUntilChanged());
  return Object.defineProperty(value$, 'value', { get }) as StateStream<T>;
}
