import { BehaviorSubject, NEVER, Subject, of } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { DataModel, createLib, lib } from 'rivulet';
import type { Lib } from 'rivulet';
import { poll } from 'rivulet/live';
import type { PollOptions } from 'rivulet/live';
import { TestClock, TestServer } from 'rivulet/testing';

import { ann, bo, listOf } from './people';

/** A list that is polled each 100 ms, by a clock that the spec moves. */
function polled(options: Partial<PollOptions> = {}) {
  const clock = new TestClock();
  const setup = listOf([]);
  const seen: unknown[] = [];
  const subscription = poll(setup.list, { every: 100, scheduler: clock, ...options }).subscribe({
    next: ({ status }) => seen.push(status),
    error: (error: unknown) => seen.push(error),
    complete: () => seen.push('complete'),
  });
  const sent = () => setup.server.requests.length;
  const answer = () => {
    setup.server.open[0]?.answer([ann]);
  };
  return { ...setup, clock, seen, subscription, sent, answer };
}

describe('poll', () => {
  it('reads at once, then at each interval', () => {
    const { list, clock, seen, sent, answer } = polled();
    expect([sent(), list.isReading$.value]).toStrictEqual([1, true]);
    answer();
    expect(list.value).toStrictEqual([ann]);
    clock.advance(99);
    expect(sent()).toBe(1);
    clock.advance(1);
    expect(sent()).toBe(2);
    answer();
    clock.advance(100);

    expect([sent(), seen]).toStrictEqual([3, [200, 200]]);
  });

  it('skips what is due while a read of its own is under way', () => {
    const { clock, sent, answer } = polled();
    clock.advance(250);
    expect(sent()).toBe(1);
    answer();
    clock.advance(49);
    expect(sent()).toBe(1);
    clock.advance(1);

    expect(sent()).toBe(2);
  });

  it('leaves a new record and its error alone until it has been created', () => {
    const server = new TestServer();
    const clock = new TestClock();
    class Note extends DataModel {
      readonly id = lib.observable<number | undefined>(undefined).map('id', this);

      constructor(root: Lib) {
        super({ url: '/notes' }, root);
      }
    }
    const note = new Note(createLib({ transport: server.transport }));
    poll(note, { every: 100, scheduler: clock }).subscribe();
    note.save$().subscribe();
    server.expectOne('POST /notes').answer({}, { status: 503 });
    const error = note.error$.value;
    clock.advance(100);
    expect([server.requests, note.error$.value]).toMatchObject([{ length: 1 }, { code: 'HTTP' }]);
    expect(note.error$.value).toBe(error);
    note.save$().subscribe();
    server.expectOne('POST /notes').answer({ id: 7 });
    clock.advance(100);

    server.expectOne('GET /notes/7');
  });

  it('goes on after a failure and a refusal, of which error$ has the reason', () => {
    const { server, list, clock, seen, answer } = polled();
    clock.advance(0);
    server.open[0]?.fail();
    expect(list.error$.value?.message).toBe('Failed to fetch');
    clock.advance(100);
    server.open[0]?.answer({}, { status: 503 });
    expect(list.error$.value).toMatchObject({ code: 'HTTP' });
    clock.advance(100);
    answer();

    expect([seen, list.error$.value]).toStrictEqual([[503, 200], null]);
  });

  it('goes on when a subclass throws', () => {
    const clock = new TestClock();
    let calls = 0;
    const target = {
      isReading$: listOf([]).list.isReading$,
      fetch$: () => {
        calls += 1;
        throw new Error('broken');
      },
    };
    const subscription = poll(target, { every: 100, scheduler: clock }).subscribe();
    clock.advance(200);

    expect([calls, subscription.closed]).toStrictEqual([3, false]);
    subscription.unsubscribe();
  });

  it('aborts the read under way when it is left, and reads no more', () => {
    const { server, clock, subscription, sent } = polled();
    clock.advance(0);
    subscription.unsubscribe();
    expect(server.requests[0]?.state).toBe('aborted');
    clock.advance(1000);

    expect(sent()).toBe(1);
  });

  it.each([0, 100])('completes when the target is disposed of, %i ms after the start', (time) => {
    const { list, clock, seen, sent } = polled();
    clock.advance(time);
    list.dispose();
    expect(seen).toStrictEqual(['complete']);
    clock.advance(1000);

    expect(sent()).toBe(1);
  });

  it('completes at once if the target was disposed of before', () => {
    const { list } = listOf([]);
    list.dispose();
    let isComplete = false;
    poll(list, { every: 100 }).subscribe({ complete: () => (isComplete = true) });

    expect(isComplete).toBe(true);
  });

  it('is cold: each subscription reads by itself', () => {
    const clock = new TestClock();
    const { server, list } = listOf([]);
    const polled$ = poll(list, { every: 100, scheduler: clock });
    clock.advance(500);
    expect(server.requests).toHaveLength(0);
    const [one, other] = [polled$.subscribe(), polled$.subscribe()];
    clock.advance(0);

    expect(server.requests).toHaveLength(2);
    one.unsubscribe();
    other.unsubscribe();
  });

  it('leaves the edits of a record, unless told otherwise', () => {
    class Note extends DataModel {
      readonly id = lib.observable(1).map('id', this);
      readonly text = lib.observable('').map('text', this);
      constructor(root: Lib) {
        super({ url: '/notes' }, root);
      }
    }
    const clock = new TestClock();
    const server = new TestServer();
    const note = new Note(createLib({ transport: server.transport }));
    note.text.next('typed');
    const careful = poll(note, { every: 100, scheduler: clock }).subscribe();
    clock.advance(0);
    server.open[0]?.answer({ id: 1, text: 'theirs' });
    expect([note.text.value, note.text.remote$.value]).toStrictEqual(['typed', 'theirs']);
    careful.unsubscribe();
    const undecided = { keepEdits: undefined };
    const asCareful = poll(note, { every: 100, scheduler: clock, options: undecided }).subscribe();
    server.open[0]?.answer({ id: 1, text: 'again' });
    expect([note.text.value, note.text.remote$.value]).toStrictEqual(['typed', 'again']);
    asCareful.unsubscribe();

    poll(note, {
      every: 100,
      scheduler: clock,
      options: { keepEdits: false, headers: { a: 'b' } },
    }).subscribe();
    clock.advance(0);
    expect(server.open[0]?.headers.get('a')).toBe('b');
    server.open[0]?.answer({ id: 1, text: 'theirs' });
    expect(note.text.value).toBe('theirs');
  });

  it.each([0, -1, NaN, Infinity, 2 ** 31, '5' as never, undefined as never])(
    'refuses to read every %o',
    (every) => {
      expect(() => poll(listOf([]).list, { every })).toThrow(
        new RangeError(
          `poll: "every" must be milliseconds, more than 0, at most 2147483647, not ${String(every)}`,
        ),
      );
    },
  );

  it('reads by real time unless told otherwise', async () => {
    vi.useFakeTimers();
    const { server, list } = listOf([]);
    const subscription = poll(list, { every: 100 }).subscribe();
    await vi.advanceTimersByTimeAsync(0);
    server.open[0]?.answer([bo]);
    await vi.advanceTimersByTimeAsync(100);

    expect(server.requests).toHaveLength(2);
    subscription.unsubscribe();
  });
});

describe('poll with pauses', () => {
  it('reads nothing during one, and after it at once if a read was due', () => {
    const isOn$ = new BehaviorSubject(true);
    const { clock, sent, answer } = polled({ while$: isOn$ });
    clock.advance(0);
    answer();
    clock.advance(50);
    isOn$.next(false);
    clock.advance(500);
    expect(sent()).toBe(1);
    isOn$.next(true);
    clock.advance(0);
    expect(sent()).toBe(2);
    answer();
    clock.advance(100);

    expect(sent()).toBe(3);
  });

  it('reads when it is due if that is after one', () => {
    const isOn$ = new BehaviorSubject(true);
    const { clock, sent, answer } = polled({ while$: isOn$ });
    clock.advance(0);
    answer();
    isOn$.next(false);
    clock.advance(30);
    isOn$.next(true);
    clock.advance(69);
    expect(sent()).toBe(1);
    clock.advance(1);

    expect(sent()).toBe(2);
  });

  it('does not begin anew when the same is said again', () => {
    const isOn$ = new BehaviorSubject(true);
    const { clock, sent, answer } = polled({ while$: isOn$ });
    clock.advance(0);
    answer();
    clock.advance(60);
    isOn$.next(true);
    clock.advance(40);

    expect(sent()).toBe(2);
  });

  it('lets a read under way go on', () => {
    const isOn$ = new BehaviorSubject(true);
    const { list, clock, answer } = polled({ while$: isOn$ });
    clock.advance(0);
    isOn$.next(false);
    answer();

    expect(list.value).toStrictEqual([ann]);
  });

  it.each([
    ['has said nothing yet', NEVER, 0],
    ['has said yes and nothing more', of(true), 3],
    ['has said no', of(false), 0],
  ])('reads as told by what %s', (_, while$, reads) => {
    const { server, clock, sent } = polled({ while$ });
    for (let time = 0; time < 3; time += 1) {
      clock.advance(time ? 100 : 0);
      server.open[0]?.answer([]);
    }

    expect(sent()).toBe(reads);
  });

  it('fails as what tells it does', () => {
    const isOn$ = new Subject<boolean>();
    const { seen } = polled({ while$: isOn$ });
    const problem = new Error('lost');
    isOn$.error(problem);

    expect(seen).toStrictEqual([problem]);
  });
});

describe('poll in a page', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('pauses while the page is hidden', () => {
    const document = Object.assign(new EventTarget(), { hidden: true });
    vi.stubGlobal('document', document);
    const { clock, sent, answer, subscription } = polled();
    clock.advance(500);
    expect(sent()).toBe(0);
    document.hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    clock.advance(0);
    expect(sent()).toBe(1);
    answer();
    document.hidden = true;
    document.dispatchEvent(new Event('visibilitychange'));
    clock.advance(500);

    expect(sent()).toBe(1);
    subscription.unsubscribe();
  });
});
