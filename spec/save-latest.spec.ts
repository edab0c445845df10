import {
  EMPTY,
  NEVER,
  Subject,
  VirtualTimeScheduler,
  catchError,
  combineLatest,
  debounceTime,
  defer,
  finalize,
  map,
  of,
  takeUntil,
  throwError,
} from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { saveLatest } from 'rivulet';
import type { Exchange } from 'rivulet';

import { raise } from './hostile';
import { withPerson } from './person';
import { unhandledOf } from './unhandled';
import { advance, marbles } from './virtual-time';
import { valuesOf, watch } from './watch';

describe('saveLatest', () => {
  const answered = (name: string): Exchange => ({
    request: undefined as never,
    response: Response.json({ name }),
    body: { name },
  });

  it('saves one at a time, and the latest value that arrived in the meantime', () => {
    marbles(({ cold, hot, expectObservable }, scheduler) => {
      const { person } = withPerson({
        options: { scheduler, transport: () => cold('-----(a|)', { a: answered('saved') }) },
      });
      const edits$ = hot('-a-b-c-----|');
      const runs: string[] = [];
      const saved$ = edits$.pipe(
        saveLatest((edit: string) => {
          runs.push(`${String(scheduler.now())} ${edit}`);
          return person.save$();
        }),
      );

      expectObservable(saved$.pipe(map(() => runs.join()))).toBe('------a----(b|)', {
        a: '1 a',
        b: '1 a,6 c',
      });
    });
  });

  it('sends only once an edit that another save contained during its debounce, if isDirty$ is checked', () => {
    const scheduler = new VirtualTimeScheduler();
    const { person, server } = withPerson({ options: { scheduler } });
    person.changes$
      .pipe(
        debounceTime(500, scheduler),
        saveLatest(() => (person.isDirty$.value ? person.save$({ patch: true }) : EMPTY)),
      )
      .subscribe();
    person.name.next('one');
    advance(scheduler, 600);
    person.city.next('Rome');
    advance(scheduler, 1_200);
    // The unsaved patch is a different one from here on, and waits until its save is under way.
    server.at(0).ok();
    advance(scheduler, 1_800);
    server.at(1).ok();
    advance(scheduler, 3_000);

    expect([server.sent.map(({ body }) => body), person.isDirty$.value]).toStrictEqual([
      [{ name: 'one' }, { address: { city: 'Rome' } }],
      false,
    ]);
  });

  it('skips an empty patch', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const edits$ = hot('-a---b---|', { a: {}, b: { name: 'Bo' } });

      expectObservable(edits$.pipe(saveLatest((patch) => cold('--(p|)', { p: patch })))).toBe('-------p-|', {
        p: { name: 'Bo' },
      });
    });
  });

  it('passes on a failure', () => {
    const failure = new Error('save');
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-b').pipe(saveLatest(() => throwError(() => failure)))).toBe(
        '-#',
        undefined,
        failure,
      );
    });
  });

  it('emits all that a save emits', () => {
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot('-a-----|').pipe(saveLatest(() => cold('x-y|')))).toBe('-x-y---|');
    });
  });

  it('starts the next save in the frame in which the one before ends', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const save$ = cold('----s|');

      expectObservable(hot('-abc-------------|').pipe(saveLatest(() => save$))).toBe('-----s----s------|');
      expectSubscriptions(save$.subscriptions).toBe(['-^----!', '------^----!']);
    });
  });

  it('saves nothing for an empty patch that replaces a waiting one', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const edits$ = hot('-a-b-c-----|', { a: { name: 'Bo' }, b: { name: 'Eve' }, c: {} });

      expectObservable(edits$.pipe(saveLatest((patch) => cold('-----(p|)', { p: patch })))).toBe(
        '------p----|',
        { p: { name: 'Bo' } },
      );
    });
  });

  it.each([[''], [0], [false], [null], [undefined], [[]], [new Map()], [new Date(0)]])(
    'saves %o, which is not an empty patch',
    (value) => {
      const saved: unknown[] = [];
      of(value)
        .pipe(
          saveLatest((given) => {
            saved.push(given);
            return EMPTY;
          }),
        )
        .subscribe();

      expect(saved).toStrictEqual([value]);
    },
  );

  it('completes with its source only after the save under way and the waiting one', () => {
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot('-ab|').pipe(saveLatest((value) => cold('----(s|)', { s: value })))).toBe(
        '-----a---(b|)',
      );
    });
  });

  it('completes with its source when nothing is saved', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('---|').pipe(saveLatest(() => NEVER))).toBe('---|');
    });
  });

  it('passes on a failure of its source at once, and ends the save under way', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const save$ = cold('------s|');

      expectObservable(hot('-a-#').pipe(saveLatest(() => save$))).toBe('---#');
      expectSubscriptions(save$.subscriptions).toBe('-^-!');
    });
  });

  it('unsubscribed ends the save under way and never starts the waiting one', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const [edits$, save$] = [hot('-a-b------'), cold('----s|')];

      expectObservable(edits$.pipe(saveLatest(() => save$)), '^---!').toBe('-----');
      expectSubscriptions(save$.subscriptions).toBe('-^--!');
      expectSubscriptions(edits$.subscriptions).toBe('^---!');
    });
  });

  it('fails with what its callback throws', () => {
    const failure = new Error('callback');
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a').pipe(saveLatest(() => raise(failure)))).toBe('-#', undefined, failure);
    });
  });

  it('continues after a failure that is caught inside', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const saves: Observable<string>[] = [cold('--#'), cold('--(s|)')];
      const saved$ = hot('-ab----|').pipe(
        saveLatest(() => (saves.shift() ?? NEVER).pipe(catchError(() => EMPTY))),
      );

      expectObservable(saved$).toBe('-----s-|');
    });
  });

  it('saves every value at once if saves end synchronously', () => {
    expect(valuesOf(of(1, 2, 3).pipe(saveLatest((value) => of(`${value} saved`))))).toStrictEqual([
      '1 saved',
      '2 saved',
      '3 saved',
    ]);
  });

  it('saves a value emitted during a synchronous save after it', () => {
    const edits$ = new Subject<number>();
    const saved = valuesOf(
      edits$.pipe(
        saveLatest((value) =>
          defer(() => {
            if (value < 3) edits$.next(value + 1);
            return of(value);
          }),
        ),
      ),
    );

    edits$.next(1);

    expect(saved).toStrictEqual([1, 2, 3]);
  });

  it('accepts a promise', async () => {
    const saved: number[] = [];
    await of(1)
      .pipe(saveLatest((value) => Promise.resolve(value)))
      .forEach((value) => saved.push(value));

    expect(saved).toStrictEqual([1]);
  });

  it('keeps the subscriptions to one stream separate', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const saved$ = hot('-a-b------|').pipe(saveLatest((value) => cold('---(s|)', { s: value })));

      expectObservable(saved$).toBe('----a--b--|');
      expectObservable(saved$, '--^').toBe('------b---|');
    });
  });
});

describe('the changes of a record, saved while typing', () => {
  const typing = () => {
    const scheduler = new VirtualTimeScheduler();
    const all = withPerson({ options: { scheduler } });
    const { person } = all;
    const statuses = valuesOf(
      person.changes$.pipe(
        debounceTime(500, scheduler),
        saveLatest(() => person.save$({ patch: true })),
        map(({ status }) => status),
      ),
    );
    const type = (at: number, name: string) => {
      advance(scheduler, at);
      person.name.next(name);
    };
    return { ...all, scheduler, statuses, type };
  };

  it('are sent when typing pauses, as one patch', () => {
    const { server, scheduler, type } = typing();
    type(100, 'B');
    type(300, 'Bo');

    advance(scheduler, 799);
    const before = server.lines;
    advance(scheduler, 800);

    expect([before, server.sent]).toStrictEqual([
      [],
      [{ method: 'PATCH', url: '/person/7', body: { name: 'Bo' } }],
    ]);
  });

  it('are not sent for the patch of a clean record', () => {
    const { server, scheduler, type } = typing();
    type(100, 'Bo');
    type(200, 'Ann');

    advance(scheduler, 5000);

    expect(server.sent).toStrictEqual([]);
  });

  it('are sent without a pause, after the save under way, when their source ends', () => {
    const closed$ = new Subject<void>();
    const scheduler = new VirtualTimeScheduler();
    const { person, server } = withPerson({ options: { scheduler } });
    let isComplete = false;
    const edits$ = combineLatest([person.changes$, person.isDeleting$]).pipe(takeUntil(closed$));
    edits$
      .pipe(
        debounceTime(500, scheduler),
        saveLatest(() => (person.isDirty$.value ? person.save$({ patch: true }) : EMPTY)),
      )
      .subscribe({ complete: () => (isComplete = true) });
    person.name.next('Bo');
    advance(scheduler, 500);
    person.name.next('Bob');

    closed$.next();
    server.at(0).ok();
    const before = isComplete;
    server.at(1).ok();

    expect(server.sent.map(({ body }) => body)).toStrictEqual([{ name: 'Bo' }, { name: 'Bob' }]);
    expect([before, isComplete, person.isDirty$.value]).toStrictEqual([false, true, false]);
  });

  it('that are typed during a save are sent once after it', () => {
    const { person, server, scheduler, statuses, type } = typing();
    type(0, 'Bo');
    advance(scheduler, 500);
    type(600, 'Bob');
    advance(scheduler, 2000);
    const during = server.lines;

    server.at(0).ok();
    server.at(1).ok();
    advance(scheduler, 5000);

    expect({ during, bodies: server.sent.map(({ body }) => body), statuses }).toStrictEqual({
      during: ['PATCH /person/7'],
      bodies: [{ name: 'Bo' }, { name: 'Bob' }],
      statuses: [204, 204],
    });
    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Bob', false]);
  });

  it('that are refused stay dirty and are sent with the next', () => {
    const { person, server, scheduler, statuses, type } = typing();
    type(0, 'Bo');
    advance(scheduler, 500);
    server.at(0).refuse(503);
    person.city.next('Ulm');
    advance(scheduler, 1000);

    server.at(1).ok();

    expect({ body: server.sent[1]?.body, statuses, isDirty: person.isDirty$.value }).toStrictEqual({
      body: { name: 'Bo', address: { city: 'Ulm' } },
      statuses: [503, 204],
      isDirty: false,
    });
  });

  it('are not sent once the record is disposed of, and the stream ends', () => {
    const scheduler = new VirtualTimeScheduler();
    const { person, server } = withPerson({ options: { scheduler } });
    const saved = watch(
      person.changes$.pipe(
        debounceTime(500, scheduler),
        saveLatest(() => person.save$({ patch: true })),
      ),
    );
    person.name.next('Bo');

    person.dispose();
    advance(scheduler, 5000);

    expect([server.sent, saved.subscription.closed]).toStrictEqual([[], true]);
  });

  it('begin no save that was given up while it was made', () => {
    const edits$ = new Subject<string>();
    let begun = 0;
    const saving = watch(
      edits$.pipe(
        saveLatest(() => {
          saving.subscription.unsubscribe();
          return defer(() => {
            begun += 1;
            return NEVER;
          });
        }),
      ),
    );

    edits$.next('edit');

    expect(begun).toBe(0);
  });

  it('continue if a save throws during teardown, which is reported as an unhandled error', () => {
    const edits$ = new Subject<string>();
    const runs: Subject<Response>[] = [];
    const run = () => {
      const run$ = new Subject<Response>();
      runs.push(run$);
      return run$.pipe(finalize(() => raise(new Error('teardown'))));
    };

    const unhandled = unhandledOf(() => {
      watch(edits$.pipe(saveLatest(run)));
      for (const place of [0, 1, 2]) {
        edits$.next('edit');
        runs[place]?.complete();
      }
    });

    expect([runs.length, unhandled.length]).toStrictEqual([3, 3]);
  });
});
