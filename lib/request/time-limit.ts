import { badOption } from '../errors';
import type { Resource } from '../resource';
import { map, timer } from '../rx';
import type { Observable } from '../rx';
import type { Action, RequestOptions } from '../types';

/** A stream that emits the reason to fail when the time is up; none without a limit. */
export function timeLimits(
  { config, options: global, clock }: Resource,
  action: Action,
  options: RequestOptions,
): Observable<DOMException>[] {
  const limit = [options, config, global].find(({ timeout }) => timeout !== undefined)?.timeout;
  if (limit === undefined) return [];
  if (!(Number.isInteger(limit) && limit > 0 && limit < 2 ** 31)) {
    const problem = `"timeout" must be a whole number of ms, 1 to 2147483647, not ${String(limit)}`;
    throw badOption(action, problem);
  }
  const time$ = timer(limit, clock);
  return [time$.pipe(map(() => new DOMException(`${action} took longer than ${limit} ms`, 'TimeoutError')))];
}
