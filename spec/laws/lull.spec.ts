import fc from 'fast-check';
import { VirtualTimeScheduler } from 'rxjs';
import type { Observable, SchedulerLike, Subscription } from 'rxjs';
import { describe } from 'vitest';

import { withPerson } from '../person';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';
import { Wire } from './wire';
import type { Sent } from './wire';

/** The ways a read can end. */
const ends = {
  ok: ({ sent }: Started) => sent?.respond('new', {}),
  refused: ({ sent }: Started) => sent?.respond('refused', {}),
  offline: ({ sent }: Started) => sent?.respond('offline', {}),
  left: ({ subscription }: Started) => {
    subscription.unsubscribe();
  },
  aborted: ({ abort }: Started) => {
    abort.abort();
  },
};

interface Started {
  readonly sent: Sent | undefined;
  readonly abort: AbortController;
  readonly subscription: Subscription;
}

/** A read: when it starts, how long it takes, how it ends, and its lull. */
interface Read {
  readonly start: number;
  readonly duration: number;
  readonly end: keyof typeof ends;
  readonly lull: number | undefined;
}

const read: fc.Arbitrary<Read> = fc.record({
  start: fc.nat(9),
  duration: fc.nat(6),
  end: fc.constantFrom(...(Object.keys(ends) as Read['end'][])),
  lull: fc.oneof(fc.nat(9), fc.constantFrom(-1, Number.NaN, undefined)),
});

/** A clock in virtual time that counts how many timers wait at once. */
class Clock extends VirtualTimeScheduler {
  mostWaiting = 0;
  #timers: Subscription[] = [];

  /** The same clock, counting the timers. */
  readonly watched: SchedulerLike = {
    now: () => this.now(),
    schedule: (...work: Parameters<SchedulerLike['schedule']>) => {
      const timer = this.schedule(...work);
      this.#timers = [...this.#timers.filter(({ closed }) => !closed), timer];
      this.mostWaiting = Math.max(this.mostWaiting, this.#timers.length);
      return timer;
    },
  };

  /** Records when a flag emits what. */
  log(flag$: Observable<boolean>): (time: number) => boolean | undefined {
    const told: (readonly [time: number, value: boolean])[] = [];
    flag$.subscribe((value) => told.push([this.now(), value]));
    return (time) => told.filter(([since]) => since <= time).at(-1)?.[1];
  }
}

/** Whether the flag must be up at a time. */
const isBusyAt =
  (time: number) =>
  ({ start, duration, lull = 0 }: Read): boolean =>
    start <= time && time < start + Math.max(duration, lull > 0 ? lull : 0);

/** Performs the reads. */
function perform(reads: readonly Read[], clock: Clock) {
  let lull: number | undefined;
  const wire = new Wire();
  const { person } = withPerson({
    options: { transport: wire.transport, scheduler: clock.watched },
    config: { requestLull: () => lull },
  });
  const start = ({ duration, end, ...read }: Read) => {
    const abort = new AbortController();
    ({ lull } = read);
    const { subscription } = watch(person.fetch$({ signal: abort.signal }));
    const sent = wire.sent.at(-1);
    clock.schedule(() => {
      ends[end]({ sent, abort, subscription });
    }, duration);
  };
  for (const each of reads) {
    clock.schedule(() => {
      start(each);
    }, each.start);
  }
  const flags = [clock.log(person.isReading$), clock.log(person.requestInProgress$)];
  clock.flush();
  return flags;
}

describe('requestLull', () => {
  law(
    'keeps the flag up as long as a read or its lull lasts, with one timer',
    [fc.array(read, { maxLength: 5 })],
    (reads) => {
      const clock = new Clock();

      const flags = perform(reads, clock);

      for (let time = 0.5; time < 20; time += 1) {
        const isBusy = reads.some(isBusyAt(time));
        same(
          flags.map((valueAt) => valueAt(time)),
          [isBusy, isBusy],
          `the flags at ${String(time)}`,
        );
      }
      same(clock.mostWaiting <= 1, true, 'timers that wait at once');
    },
  );
});
