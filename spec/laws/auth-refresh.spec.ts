import fc from 'fast-check';
import { Observable, Subject } from 'rxjs';
import { describe } from 'vitest';

import type { Exchange, RequestContext, WireRequest } from 'rivulet';
import { authRefresh } from 'rivulet/resilience';

import { law } from './law';
import { same } from './same';

/**
 * The events: a request begins; the server answers one, by its token; the token expires; the refresh ends; a caller
 * unsubscribes.
 */
type Step =
  | { readonly begin: true }
  | { readonly answer: number }
  | { readonly expire: true }
  | { readonly refresh: 'complete' | 'error' }
  | { readonly leave: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ begin: true as const }) },
  { weight: 4, arbitrary: fc.record({ answer: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.constant({ expire: true as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      refresh: fc.constantFrom('complete' as const, 'complete' as const, 'error' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(9) }) },
);

interface Sent {
  readonly by: number;
  readonly token: number;
  readonly answer$: Subject<Exchange>;
  isOpen: boolean;
}

interface Caller {
  readonly statuses: number[];
  /** How many refreshes have failed, and tokens have expired, since it began. */
  failures: number;
  expiries: number;
  isOver: boolean;
  leave: () => void;
}

describe('authRefresh', () => {
  law(
    'runs one refresh at a time, only if needed, sends nothing during it or twice with one token, and answers all',
    [fc.array(step, { maxLength: 40, size: 'max' })],
    (steps) => {
      let [valid, token] = [1, 0];
      const refreshes: { readonly end$: Subject<never>; isOpen: boolean }[] = [];
      const sent: Sent[] = [];
      const callers: Caller[] = [];
      /** The request being answered. */
      let answered: Sent | undefined;
      let sentDuringRefresh = 0;
      let needless = 0;
      const running = () => refreshes.filter(({ isOpen }) => isOpen);
      const open = () => sent.filter(({ isOpen }) => isOpen);
      const interceptor = authRefresh({
        origins: ['http://api.test'],
        authorize: (headers) => {
          headers.set('authorization', String(token));
        },
        refresh: () =>
          new Observable((subscriber) => {
            // Only a refusal of the current token leads to a refresh, and none does after one has failed.
            const isNeeded = answered?.token === token && callers[answered.by]?.failures === 0;
            needless += isNeeded ? 0 : 1;
            const refresh = { end$: new Subject<never>(), isOpen: true };
            refreshes.push(refresh);
            subscriber.add(() => {
              refresh.isOpen = false;
            });
            refresh.end$.subscribe(subscriber);
          }),
      });
      const begin = () => {
        const by = callers.length;
        const next = ({ headers }: WireRequest) =>
          new Observable<Exchange>((subscriber) => {
            sentDuringRefresh += running().length;
            const each = {
              by,
              token: Number(headers.get('authorization')),
              answer$: new Subject<Exchange>(),
              isOpen: true,
            };
            sent.push(each);
            subscriber.add(() => {
              each.isOpen = false;
            });
            each.answer$.subscribe(subscriber);
          });
        const caller: Caller = {
          statuses: [],
          failures: 0,
          expiries: 0,
          isOver: false,
          leave: () => undefined,
        };
        callers.push(caller);
        const request = { url: 'http://api.test/', headers: new Headers() } as WireRequest;
        const subscription = interceptor(request, next, {} as RequestContext).subscribe(({ response }) => {
          caller.statuses.push(response.status);
          caller.isOver = true;
        });
        caller.leave = () => {
          caller.isOver = true;
          subscription.unsubscribe();
        };
      };
      const answer = (each: Sent | undefined) => {
        if (!each) return;
        each.isOpen = false;
        answered = each;
        const response = new Response(null, { status: each.token === valid ? 200 : 401 });
        each.answer$.next({ response } as Exchange);
        each.answer$.complete();
        answered = undefined;
      };
      const endRefresh = (how: 'complete' | 'error') => {
        const [refresh] = running();
        if (!refresh) return;
        refresh.isOpen = false;
        if (how === 'complete') token = valid;
        else for (const caller of callers) caller.failures += 1;
        refresh.end$[how](new Error('refresh'));
      };
      const look = () => {
        const present = callers.filter(({ isOver }) => !isOver);
        same({ sentDuringRefresh, needless }, { sentDuringRefresh: 0, needless: 0 });
        same(running().length <= 1, true, 'two refreshes at a time');
        // A caller without an answer is on the wire or waits for a refresh, and no refresh runs without callers.
        same(running().length, present.length > open().length ? 1 : 0);
      };

      for (const each of steps) {
        if ('begin' in each) begin();
        else if ('answer' in each) answer(open()[each.answer % open().length]);
        else if ('refresh' in each) endRefresh(each.refresh);
        else if ('leave' in each) callers[each.leave % callers.length]?.leave();
        else {
          valid += 1;
          for (const caller of callers) caller.expiries += 1;
        }
        look();
      }
      for (let rest = 2 * callers.length; rest > 0; rest -= 1) {
        for (const each of open()) answer(each);
        endRefresh('complete');
      }

      for (const [by, { statuses, failures, expiries, isOver }] of callers.entries()) {
        const shown = sent.filter((each) => each.by === by).map((each) => each.token);
        same(shown.length <= 2 && new Set(shown).size === shown.length, true, 'sent in vain');
        same(isOver && statuses.length <= 1, true, 'answered once');
        // Refused only if a refresh failed, or if the token expired again before the request arrived.
        if (statuses.includes(401)) same(failures + expiries > 0, true, 'refused for nothing');
      }
    },
  );
});
