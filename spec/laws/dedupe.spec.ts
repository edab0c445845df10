import fc from 'fast-check';
import { Observable, Subject } from 'rxjs';
import { describe } from 'vitest';

import type { Exchange, RequestContext, WireRequest } from 'rivulet';
import { dedupe } from 'rivulet/resilience';

import { law } from './law';
import { same } from './same';

/** A request that was sent. */
interface Wire {
  readonly kind: number;
  readonly end$: Subject<Exchange>;
  readonly signal: AbortSignal;
  isOpen: boolean;
}

/** The events at an interceptor: a read of one of two kinds arrives, any reader unsubscribes, an open request ends. */
type Step =
  | { readonly arrive: number; readonly againWhenOver: boolean }
  | { readonly leave: number }
  | { readonly end: number; readonly how: 'answer' | 'error' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ arrive: fc.nat(1), againWhenOver: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ end: fc.nat(9), how: fc.constantFrom('answer' as const, 'error' as const) }),
  },
);

describe('dedupe', () => {
  law(
    'answers each reader from the request open on its arrival, and keeps none open without readers',
    [fc.array(step)],
    (steps) => {
      const interceptor = dedupe();
      const sent: Wire[] = [];
      const readers: { kind: number; due: number; got: unknown[]; isOver: boolean; leave: () => void }[] = [];
      const openOf = (kind: number) => sent.filter((each) => each.kind === kind && each.isOpen);
      const next = (request: WireRequest) =>
        new Observable<Exchange>((subscriber) => {
          const wire = {
            kind: Number(request.url),
            end$: new Subject<Exchange>(),
            signal: request.signal,
            isOpen: true,
          };
          sent.push(wire);
          subscriber.add(() => {
            wire.isOpen = false;
          });
          wire.end$.subscribe(subscriber);
        });
      const arrive = (kind: number, againWhenOver: boolean) => {
        const [open] = openOf(kind);
        const reader = {
          kind,
          due: open ? sent.indexOf(open) : sent.length,
          got: [] as unknown[],
          isOver: false,
          leave: (): void => undefined,
        };
        readers.push(reader);
        const request = { url: String(kind), method: 'GET', headers: new Headers() } as WireRequest;
        const again = () => {
          reader.isOver = true;
          if (againWhenOver) arrive(kind, false);
        };
        const subscription = interceptor(request, next, { action: 'read' } as RequestContext).subscribe({
          next: ({ body }) => {
            reader.got.push(body);
            again();
          },
          error: (error: unknown) => {
            reader.got.push((error as Error).message);
            again();
          },
        });
        reader.leave = () => {
          reader.isOver = true;
          subscription.unsubscribe();
        };
      };
      const end = (wire: Wire | undefined, how: 'answer' | 'error') => {
        if (!wire) return;
        const place = String(sent.indexOf(wire));
        // A reader that arrives while the request is ending must not share it.
        wire.isOpen = false;
        if (how === 'error') wire.end$.error(new Error(place));
        else {
          wire.end$.next({ response: new Response(), body: place } as Exchange);
          wire.end$.complete();
        }
      };
      const look = () => {
        for (const kind of [0, 1]) {
          const isWanted = readers.some((reader) => reader.kind === kind && !reader.isOver);
          same(openOf(kind).length, isWanted ? 1 : 0);
        }
      };

      for (const each of steps) {
        if ('arrive' in each) arrive(each.arrive, each.againWhenOver);
        else if ('leave' in each) readers[each.leave % readers.length]?.leave();
        else {
          const open = sent.filter(({ isOpen }) => isOpen);
          end(open[each.end % open.length], each.how);
        }
        look();
      }

      for (const { got, due, isOver } of readers) {
        same(got.length <= 1, true);
        if (got.length) same(got, [String(due)]);
        else if (!isOver) same(sent[due]?.isOpen, true);
      }
      for (const { signal, isOpen } of sent) if (isOpen) same(signal.aborted, false);
    },
  );
});
