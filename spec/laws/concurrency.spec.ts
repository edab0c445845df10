import fc from 'fast-check';
import { Observable, Subject, Subscription } from 'rxjs';
import { describe } from 'vitest';

import type { Exchange, RequestContext, WireRequest } from 'rivulet';
import { concurrency } from 'rivulet/resilience';

import { law } from './law';
import { same } from './same';

/** The events at an interceptor: a request arrives, one under way ends, any one is unsubscribed. */
type Step =
  | { readonly arrive: number; readonly whenSent: 'nothing' | 'end' | 'leave' }
  | { readonly end: number; readonly how: 'complete' | 'error' }
  | { readonly leave: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      arrive: fc.nat(1),
      whenSent: fc.constantFrom('nothing' as const, 'nothing' as const, 'end' as const, 'leave' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ end: fc.nat(9), how: fc.constantFrom('complete' as const, 'error' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(9) }) },
);

interface Passage {
  readonly origin: number;
  state: 'waits' | 'is under way' | 'is over';
  readonly end$: Subject<Exchange>;
  readonly subscription: Subscription;
}

describe('a limit', () => {
  law(
    'is never exceeded, never left unused while a request waits, and admits requests in order of arrival',
    [fc.integer({ min: 1, max: 3 }), fc.array(step)],
    (limit, steps) => {
      const interceptor = concurrency(limit);
      const passages: Passage[] = [];
      const sent: number[] = [];
      const at = (origin: number, ...states: Passage['state'][]) =>
        passages.filter((passage) => passage.origin === origin && states.includes(passage.state));
      const leave = (passage: Passage | undefined) => {
        if (!passage) return;
        passage.state = 'is over';
        passage.subscription.unsubscribe();
      };
      const arrive = (origin: number, whenSent: 'nothing' | 'end' | 'leave') => {
        const passage: Passage = {
          origin,
          state: 'waits',
          end$: new Subject(),
          subscription: new Subscription(),
        };
        const place = passages.push(passage) - 1;
        const over = () => {
          passage.state = 'is over';
        };
        const work$ = new Observable<Exchange>((subscriber) => {
          passage.state = 'is under way';
          sent.push(place);
          passage.end$.subscribe(subscriber);
          if (whenSent === 'end') passage.end$.complete();
          if (whenSent === 'leave') leave(passage);
        });
        const request = { url: `http://${String(origin)}.test/` } as WireRequest;
        const passing$ = interceptor(request, () => work$, {} as RequestContext);
        passage.subscription.add(passing$.subscribe({ complete: over, error: over }));
      };
      const look = () => {
        for (const origin of [0, 1]) {
          const present = at(origin, 'waits', 'is under way').length;
          same(at(origin, 'is under way').length, Math.min(limit, present));
        }
      };

      for (const each of steps) {
        if ('arrive' in each) arrive(each.arrive, each.whenSent);
        else if ('leave' in each) leave(passages[each.leave % passages.length]);
        else {
          const underWay = passages.filter(({ state }) => state === 'is under way');
          underWay[each.end % underWay.length]?.end$[each.how](new Error('work'));
        }
        look();
      }
      for (const passage of passages) {
        if (passage.state === 'is under way') passage.end$.complete();
        look();
      }

      same(passages.filter(({ state }) => state !== 'is over').length, 0);
      for (const origin of [0, 1]) {
        const places = sent.filter((place) => passages[place]?.origin === origin);
        same(
          places,
          [...places].sort((a, b) => a - b),
        );
      }
    },
  );
});
