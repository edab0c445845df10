import { BehaviorSubject, EMPTY, NEVER, Subject, config, finalize, of, throwError } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Action, DataModelConfig, Lib } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import type { AutosaveOptions, AutosaveState } from 'rivulet/autosave';
import { etags, mergeConflicts } from 'rivulet/etag';
import { SchemaError } from 'rivulet/schema';
import { TestClock, TestServer } from 'rivulet/testing';

class Note extends DataModel {
  readonly id;
  readonly text;
  readonly tag;

  constructor(root: Lib, id: number | undefined, config: DataModelConfig = {}) {
    super({ url: '/notes', ...config }, root);
    this.id = root.observable(id).map('id', this);
    this.text = root.observable('A').map('text', this);
    this.tag = root.observable('x').map('tag', this);
  }
}

/** How the note of a test differs from the usual one, number 7. */
interface Setup extends Omit<AutosaveOptions, 'save'> {
  readonly id?: number | undefined;
  readonly config?: DataModelConfig;
  readonly save?: (note: Note) => ReturnType<NonNullable<AutosaveOptions['save']>>;
}

/** A note that is saved half a second after the last edit, by a clock that the spec moves. */
function noted({ config: noteConfig, save, ...options }: Setup = {}) {
  const clock = new TestClock();
  const server = new TestServer();
  const root = createLib({ transport: server.transport, scheduler: clock });
  const note = new Note(root, 'id' in options ? options.id : 7, noteConfig);
  const saving = autosave(note, {
    scheduler: clock,
    ...options,
    ...(save && { save: () => save(note) }),
  });
  const states: (AutosaveState | 'complete')[] = [];
  saving.state$.subscribe({ next: (state) => states.push(state), complete: () => states.push('complete') });
  /** What was sent, with its body. */
  const sent = () => server.requests.map((each) => `${String(each)} ${JSON.stringify(each.body)}`);
  return { clock, server, root, note, saving, states, sent };
}

/** What a promise has settled with, if it has. */
function settled<T>(promise: Promise<T>) {
  const seen: { value?: T } = {};
  void promise.then((value) => (seen.value = value));
  return async () => {
    await new Promise((done) => setImmediate(done));
    return seen.value;
  };
}

afterEach(() => {
  config.onUnhandledError = null;
});

describe('autosave', () => {
  it('saves what was edited once nothing more was for half a second', () => {
    const { clock, server, note, states, sent } = noted();
    note.text.next('B');
    clock.advance(499);
    note.text.next('C');
    clock.advance(499);
    expect(sent()).toStrictEqual([]);
    clock.advance(1);
    expect(sent()).toStrictEqual(['PATCH /notes/7 {"text":"C"}']);
    server.expectOne('/notes/7').answer({ id: 7, text: 'C' });
    clock.advance(5000);
    expect(sent()).toHaveLength(1);
    expect(states).toStrictEqual(['clean', 'dirty', 'saving', 'clean']);
  });

  it('has the clock of RxJS unless told otherwise', () => {
    vi.useFakeTimers();
    const { root, server } = noted();
    const note = new Note(root, 7);
    autosave(note);
    note.text.next('B');
    vi.advanceTimersByTime(499);
    expect(server.open).toStrictEqual([]);
    vi.advanceTimersByTime(1);
    server.expectOne('PATCH /notes/7');
  });

  it('sends nothing if whoever is told that it is about to takes everything back', () => {
    const { clock, note, saving, sent } = noted();
    saving.state$.subscribe((state) => {
      if (state === 'saving') note.reset();
    });
    note.text.next('B');
    clock.advance(500);
    expect([sent(), saving.state$.value]).toStrictEqual([[], 'clean']);
  });

  it('does not wait again for what is confirmed meanwhile', () => {
    const while$ = new BehaviorSubject(false);
    const { clock, note, sent } = noted({ while$ });
    note.text.next('B');
    note.tag.next('y');
    clock.advance(500);
    note.clean('tag');
    while$.next(true);
    expect(sent()).toStrictEqual(['PATCH /notes/7 {"text":"B"}']);
  });

  it.each([0, 60])('waits %i ms if told so', (after) => {
    const { clock, note, sent } = noted({ after });
    note.text.next('B');
    clock.advance(Math.max(after - 1, 0));
    expect(sent()).toHaveLength(after ? 0 : 1);
    clock.advance(1);
    expect(sent()).toHaveLength(1);
  });

  it.each([-1, NaN, Infinity, 2 ** 31, '500' as never])('throws a RangeError for %s', (after) => {
    expect(() => noted({ after })).toThrow(
      new RangeError(`autosave: "after" must be milliseconds, from 0 to 2147483647, not ${String(after)}`),
    );
  });

  it('saves what was edited before it began', () => {
    const { clock, root, server } = noted();
    const note = new Note(root, 8);
    note.text.next('B');
    const { state$ } = autosave(note, { scheduler: clock });
    expect(state$.value).toBe('dirty');
    clock.advance(500);
    server.expectOne('PATCH /notes/8');
  });

  it('creates a new record once, and then saves what was typed meanwhile', () => {
    const { clock, server, note, sent } = noted({ id: undefined });
    clock.advance(1000);
    note.text.next('B');
    clock.advance(500);
    note.text.next('C');
    clock.advance(5000);
    server.expectOne('POST /notes').answer({ id: 9 });
    expect(sent()).toStrictEqual(['POST /notes {"text":"B","tag":"x"}', 'PATCH /notes/9 {"text":"C"}']);
  });

  it('sends nothing for what was taken back, reset, confirmed or saved by somebody else', () => {
    const { clock, server, note, sent } = noted();
    note.text.next('B');
    note.text.next('A');
    clock.advance(1000);
    note.text.next('B');
    note.reset();
    clock.advance(1000);
    note.text.next('B');
    note.clean();
    clock.advance(1000);
    note.text.next('C');
    void note.save();
    server.expectOne('PUT /notes/7').answer();
    clock.advance(1000);
    expect(sent()).toHaveLength(1);
  });

  it('waits for a save of somebody else, and sends only what that leaves', () => {
    const { clock, server, note, states, sent } = noted();
    note.text.next('B');
    void note.save();
    clock.advance(1000);
    note.tag.next('y');
    clock.advance(1000);
    expect(sent()).toHaveLength(1);
    server.expectOne('PUT /notes/7').answer();
    expect(sent()[1]).toBe('PATCH /notes/7 {"tag":"y"}');
    expect(states).toStrictEqual(['clean', 'dirty', 'saving']);
  });

  it('saves nothing during a destroy; what was typed is saved if that is refused', () => {
    const [kept, gone] = [noted(), noted()];
    for (const { clock, note, sent } of [kept, gone]) {
      void note.destroy();
      note.text.next('B');
      clock.advance(1000);
      expect(sent()).toHaveLength(1);
    }
    kept.server.expectOne('DELETE /notes/7').answer(undefined, { status: 403 });
    gone.server.expectOne('DELETE /notes/7').answer();
    gone.clock.advance(1000);
    expect([kept.sent()[1], gone.sent().length]).toStrictEqual(['PATCH /notes/7 {"text":"B"}', 1]);
    expect([kept.states.at(-1), gone.states.at(-1)]).toStrictEqual(['saving', 'clean']);
  });

  it('is not said to save what waits for a destroy, however long', () => {
    const { clock, note, saving, states } = noted();
    void note.destroy();
    note.text.next('B');
    clock.advance(500);
    void saving.flush();
    expect([saving.state$.value, states]).toStrictEqual(['dirty', ['clean', 'dirty']]);
  });

  it.each([
    [
      'is refused',
      (server: TestServer) => {
        server.expectOne('/notes/7').answer({}, { status: 422 });
      },
    ],
    [
      'fails',
      (server: TestServer) => {
        server.expectOne('/notes/7').fail();
      },
    ],
  ])('keeps the edits of a save that %s, and tries again with the next edit', (_, end) => {
    const { clock, server, note, states, sent } = noted();
    note.text.next('B');
    clock.advance(500);
    end(server);
    clock.advance(5000);
    expect([sent().length, note.text.value, note.error$.value]).toStrictEqual([1, 'B', expect.any(Error)]);
    expect(states).toStrictEqual(['clean', 'dirty', 'saving', 'failed']);
    note.tag.next('y');
    clock.advance(500);
    server.expectOne('/notes/7').answer();
    expect(sent()[1]).toBe('PATCH /notes/7 {"text":"B","tag":"y"}');
    expect(states.slice(4)).toStrictEqual(['dirty', 'saving', 'clean']);
  });

  it('has failed for these edits only: not for the same value once it was saved, nor in another record', () => {
    const { clock, server, note, saving } = noted();
    const save = (end: (server: TestServer) => void) => {
      clock.advance(500);
      end(server);
    };
    note.text.next('B');
    save(() => {
      server.open[0]?.answer();
    });
    note.text.next('A');
    save(() => {
      server.open[0]?.answer();
    });
    note.text.next('B');
    expect(saving.state$.value).toBe('dirty');
    save(() => {
      server.open[0]?.fail();
    });
    expect(saving.state$.value).toBe('failed');
    note.set({ id: 8, text: 'Z' });
    note.text.next('B');
    expect(saving.state$.value).toBe('dirty');
  });

  it('saves by a function of the caller, which counts as failed while the edits are there', () => {
    const { clock, note, states } = noted({
      save: (each) => (each.tag.value === 'x' ? Promise.resolve() : of(each.clean())),
    });
    note.text.next('B');
    clock.advance(500);
    expect(states.at(-1)).toBe('saving');
    note.tag.next('y');
    return vi.waitFor(() => {
      clock.advance(500);
      expect(states).toStrictEqual(['clean', 'dirty', 'saving', 'clean']);
    });
  });

  it('goes on after a `save` that fails, and does not send it twice for the same edits', () => {
    let calls = 0;
    const { clock, note, states } = noted({
      save: () => {
        calls += 1;
        return throwError(() => new Error('no'));
      },
    });
    note.text.next('B');
    clock.advance(5000);
    expect([calls, states.at(-1)]).toStrictEqual([1, 'failed']);
    note.text.next('C');
    clock.advance(500);
    expect([calls, states.at(-1)]).toStrictEqual([2, 'failed']);
  });

  describe('of a `save` that throws', () => {
    it.each<[string, (server: TestServer) => void, boolean]>([
      [
        'succeeds',
        (server) => {
          server.open[0]?.answer();
        },
        true,
      ],
      [
        'fails',
        (server) => {
          server.open[0]?.fail();
        },
        false,
      ],
    ])('in its teardown reports that, and goes on, if it %s', async (_, end, isSaved) => {
      const unhandled: unknown[] = [];
      config.onUnhandledError = (error) => unhandled.push(error);
      const { server, note, saving } = noted({
        save: (each) =>
          each.save$({ patch: true }).pipe(
            finalize(() => {
              throw new Error('a mistake');
            }),
          ),
      });
      note.text.next('B');
      const first = saving.flush();
      end(server);
      expect([await first, saving.state$.value]).toStrictEqual([isSaved, isSaved ? 'clean' : 'failed']);
      await vi.waitFor(() => {
        expect(String(unhandled[0])).toContain('a mistake');
      });
      note.text.next('C');
      const second = saving.flush();
      server.expectOne('/notes/7').answer();
      expect(await second).toBe(true);
    });

    it('reports what was thrown, and goes on', async () => {
      const unhandled: unknown[] = [];
      config.onUnhandledError = (error) => unhandled.push(error);
      const mistake = new TypeError('a mistake');
      const { clock, note, states } = noted({
        save: () => {
          throw mistake;
        },
      });
      note.text.next('B');
      clock.advance(500);
      note.text.next('C');
      clock.advance(500);
      await vi.waitFor(() => {
        expect(unhandled.filter((error) => error === mistake)).toHaveLength(2);
      });
      expect(states.slice(1)).toStrictEqual(['dirty', 'saving', 'failed', 'dirty', 'saving', 'failed']);
    });
  });

  it('saves only on demand while `while$` is false, and at once what has waited when it is true again', async () => {
    const while$ = new BehaviorSubject(false);
    const { clock, server, note, saving, sent } = noted({ while$ });
    note.text.next('B');
    clock.advance(5000);
    expect([sent().length, saving.state$.value]).toStrictEqual([0, 'dirty']);
    while$.next(true);
    server.expectOne('PATCH /notes/7').answer();
    while$.next(false);
    note.text.next('C');
    clock.advance(5000);
    const isSaved = saving.flush();
    server.expectOne('PATCH /notes/7').answer();
    expect(await isSaved).toBe(true);
  });

  it.each([
    ['that says the same again', [true, true]],
    ['that was off and is on again', [false, true]],
  ])('is not hurried by a `while$` %s', (_, values) => {
    const while$ = new BehaviorSubject(true);
    const { clock, note, sent } = noted({ while$ });
    note.text.next('B');
    clock.advance(500);
    for (const text of ['C', 'D']) {
      note.text.next(text);
      for (const value of values) while$.next(value);
      clock.advance(499);
    }
    expect(sent()).toHaveLength(1);
  });

  it('waits, after a pause in which `while$` was false, for another once the edit is edited further', () => {
    const while$ = new BehaviorSubject(false);
    const { clock, note, sent } = noted({ while$ });
    note.text.next('');
    clock.advance(1000);
    note.text.next('B');
    while$.next(true);
    expect(sent()).toStrictEqual([]);
    clock.advance(500);
    expect(sent()).toStrictEqual(['PATCH /notes/7 {"text":"B"}']);
  });

  it('sends nothing that waited for a save while `while$` has become false', () => {
    const while$ = new BehaviorSubject(true);
    const { clock, server, note, sent } = noted({ while$ });
    note.text.next('B');
    clock.advance(500);
    note.text.next('C');
    clock.advance(500);
    note.text.next('');
    while$.next(false);
    server.open[0]?.answer();
    clock.advance(5000);
    expect(sent()).toHaveLength(1);
  });

  it.each<[string, (note: Note) => void]>([
    ['set', (note) => void note.set({ id: 9 })],
    ['followed', (note) => void note.follow(of({ id: 9 })).subscribe()],
  ])('saves what waited for an id once that is %s, and tells so', (_, bring) => {
    const { clock, server, note, saving, states } = noted({ id: undefined });
    note.text.next('B');
    clock.advance(500);
    server.expectOne('POST /notes').fail();
    note.text.next('C');
    clock.advance(500);
    expect(saving.state$.value).toBe('failed');
    bring(note);
    server.expectOne('PATCH /notes/9').answer();
    expect([states.at(-1), saving.state$.value]).toStrictEqual(['clean', 'clean']);
  });

  it('saves once switched on what was due when it was switched off, even if that was told to be saved', () => {
    const while$ = new BehaviorSubject(true);
    const { clock, note, saving, sent } = noted({ while$ });
    const switching = saving.state$.subscribe((state) => {
      if (state === 'saving') while$.next(false);
    });
    note.text.next('B');
    clock.advance(500);
    expect([sent(), saving.state$.value]).toStrictEqual([[], 'dirty']);
    switching.unsubscribe();
    while$.next(true);
    expect(sent()).toStrictEqual(['PATCH /notes/7 {"text":"B"}']);
  });

  it('saves nothing after a destroy, until the record has an id again', async () => {
    const { clock, server, note, saving, sent } = noted();
    void note.destroy();
    server.open[0]?.answer();
    note.text.next('B');
    clock.advance(5000);
    expect([sent().length, saving.state$.value, await saving.flush()]).toStrictEqual([1, 'failed', false]);
    void note.save();
    server.expectOne('POST /notes').answer({ id: 9 });
    note.text.next('C');
    clock.advance(500);
    server.expectOne('PATCH /notes/9').answer();
    note.id.next(undefined);
    clock.advance(500);
    server.expectOne('POST /notes');
  });

  it('saves a new record that is shown after another was destroyed, but not what that has left', () => {
    const { clock, server, note, saving } = noted();
    void note.destroy();
    server.open[0]?.answer();
    note.text.next('B');
    note.reset();
    note.text.next('C');
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
    note.set({ text: '' });
    expect(saving.state$.value).toBe('clean');
    note.text.next('D');
    clock.advance(500);
    server.expectOne('POST /notes');
  });

  it.each<[string, (server: TestServer) => void, boolean]>([
    [
      'was lost',
      (server) => {
        server.open[0]?.fail();
      },
      true,
    ],
    [
      'cannot be read',
      (server) => {
        server.open[0]?.answer(new Response('{', { headers: { 'content-type': 'application/json' } }));
      },
      true,
    ],
    [
      'was refused',
      (server) => {
        server.open[0]?.answer({}, { status: 422 });
      },
      false,
    ],
    ...[500, 503].map((status): [string, (server: TestServer) => void, boolean] => [
      `says that the server cannot (${status})`,
      (server) => {
        server.open[0]?.answer({}, { status });
      },
      false,
    ]),
    ...[502, 504, 524].map((status): [string, (server: TestServer) => void, boolean] => [
      `is that of a gateway that got none (${status})`,
      (server) => {
        server.open[0]?.answer({}, { status });
      },
      true,
    ]),
    [
      'is refused by a schema',
      (server) => {
        server.open[0]?.answer({ id: 7, text: 'wrong' }, { status: 201 });
      },
      true,
    ],
    [
      'brings no data to its parse',
      (server) => {
        server.open[0]?.answer({ id: 7, text: 'none' }, { status: 201 });
      },
      true,
    ],
  ])(
    'creates again only on demand after an answer that %s, if it may have created: never twice by itself',
    async (_, end, mayBeCreated) => {
      const parse = (data: unknown, action: Action) => {
        const { text } = Object(data) as { text?: unknown };
        if (text === 'wrong') throw new SchemaError(action, 'the answer', []);
        return text === 'none' ? EMPTY : data;
      };
      const { clock, server, note, saving } = noted({ id: undefined, config: { parse } });
      note.text.next('B');
      clock.advance(500);
      end(server);
      await vi.waitFor(() => {
        expect(saving.state$.value).toBe('failed');
      });
      note.text.next('C');
      expect(saving.state$.value).toBe(mayBeCreated ? 'failed' : 'dirty');
      clock.advance(5000);
      expect(server.open).toHaveLength(mayBeCreated ? 0 : 1);
      const isSaved = saving.flush();
      server.expectOne('POST /notes').answer({ id: 9 });
      expect(await isSaved).toBe(true);
      note.text.next('D');
      clock.advance(500);
      server.expectOne('PATCH /notes/9');
    },
  );

  it.each<[string, (setup: ReturnType<typeof noted>) => void]>([
    [
      'is refused',
      ({ saving, server }) => {
        void saving.flush();
        server.expectOne('POST /notes').answer({}, { status: 503 });
      },
    ],
    [
      'cannot be sent',
      ({ note, saving }) => {
        note.text.next(1n as never);
        void saving.flush();
      },
    ],
  ])('creates again only on demand after a create whose answer was lost, also once another %s', (_, end) => {
    const setup = noted({ id: undefined });
    const { clock, server, note, saving } = setup;
    note.text.next('B');
    clock.advance(500);
    server.expectOne('POST /notes').fail();
    end(setup);
    note.text.next('C');
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
  });

  it('creates again only on demand after a create that was given up, also once another is refused', () => {
    const { clock, server, note, saving } = noted({ id: undefined });
    note.text.next('B');
    note.save$().subscribe().unsubscribe();
    void saving.flush();
    server.expectOne('POST /notes').answer({}, { status: 503 });
    note.text.next('C');
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
  });

  it('creates again only on demand after a create that was given up, also once a read has failed', () => {
    const { clock, server, note, saving } = noted({ id: undefined });
    note.text.next('B');
    note.save$().subscribe().unsubscribe();
    note.fetch$().subscribe({ error: () => undefined });
    note.text.next('C');
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
  });

  it('creates another new record again after a refusal, whatever has become of the one before', () => {
    const { clock, server, note, saving } = noted({ id: undefined });
    note.text.next('B');
    clock.advance(500);
    server.expectOne('POST /notes').fail();
    note.set({ id: 9 });
    void saving.flush();
    server.expectOne('PATCH /notes/9').answer();
    note.id.next(undefined);
    note.text.next('C');
    clock.advance(500);
    server.expectOne('POST /notes').answer({}, { status: 422 });
    note.text.next('D');
    expect(saving.state$.value).toBe('dirty');
    clock.advance(500);
    server.expectOne('POST /notes');
  });

  it('tells that an id has come also while nothing is saved', () => {
    const while$ = new BehaviorSubject(true);
    const { clock, server, note, saving, states } = noted({ id: undefined, while$ });
    note.text.next('B');
    clock.advance(500);
    server.expectOne('POST /notes').fail();
    note.text.next('C');
    while$.next(false);
    expect(states.at(-1)).toBe('failed');
    note.set({ id: 9 });
    expect([states.at(-1), saving.state$.value]).toStrictEqual(['dirty', 'dirty']);
  });

  it.each([
    ['without a lull', {}],
    ['with a lull', { requestLull: 300 }],
  ])('creates again only on demand after a create that was accepted without an id, %s', async (_, config) => {
    const { clock, server, note, saving } = noted({ id: undefined, config });
    note.text.next('B');
    clock.advance(500);
    server.expectOne('POST /notes').answer(undefined, { status: 201, headers: { location: '/notes/9' } });
    await new Promise((done) => setImmediate(done));
    expect(note.isDirty$.value).toBe(false);
    note.text.next('C');
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
    const isSaved = saving.flush();
    server.expectOne('POST /notes').answer({ id: 9 });
    clock.advance(300);
    expect(await isSaved).toBe(true);
  });

  it('creates again only on demand after a create that somebody has given up', () => {
    const { clock, server, note, saving } = noted({ id: undefined });
    note.text.next('B');
    note.save$().subscribe().unsubscribe();
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
    void saving.flush();
    server.expectOne('POST /notes');
  });

  it.each<[string, (server: TestServer) => void]>([
    [
      'was accepted',
      (server) => {
        server.open[0]?.answer();
      },
    ],
    [
      'got no answer',
      (server) => {
        server.open[0]?.fail();
      },
    ],
  ])('goes on with a record that has no id at all, after a save that %s', (_, end) => {
    const clock = new TestClock();
    const server = new TestServer();
    const root = createLib({ transport: server.transport, scheduler: clock });
    const settings = root.dataModel.boot({ theme: root.observable('light') }, { url: 'PUT /settings' });
    settings.theme.map('theme', settings);
    autosave(settings, { scheduler: clock });
    for (const theme of ['dark', 'blue']) {
      settings.theme.next(theme);
      clock.advance(500);
      expect(server.open.map(String)).toStrictEqual(['PUT /settings']);
      end(server);
    }
  });

  it('may create what could not be sent', () => {
    const circle: Record<string, unknown> = {};
    circle.itself = circle;
    const { clock, server, note } = noted({ id: undefined });
    note.text.next(circle as never);
    clock.advance(500);
    expect(note.error$.value).toMatchObject({ code: 'SERIALIZE' });
    note.text.next('C');
    clock.advance(500);
    server.expectOne('POST /notes');
  });

  it('shows one save after another as one, and edits of a failed one as edits', () => {
    const { clock, server, note, states } = noted();
    note.text.next('B');
    clock.advance(500);
    note.text.next('C');
    clock.advance(500);
    server.open[0]?.answer();
    server.open[0]?.fail();
    expect(states).toStrictEqual(['clean', 'dirty', 'saving', 'failed']);
    note.reset();
    note.text.next('C');
    clock.advance(500);
    expect(states.slice(4)).toStrictEqual(['clean', 'dirty', 'saving']);
  });

  it('ends with the record, aborting the save under way', async () => {
    const { clock, server, note, saving, states, sent } = noted();
    note.text.next('B');
    clock.advance(500);
    const isSaved = saving.flush();
    note.dispose();
    clock.advance(5000);
    expect(server.requests[0]?.state).toBe('aborted');
    expect([sent().length, states.at(-1), await isSaved, await saving.flush()]).toStrictEqual([
      1,
      'complete',
      false,
      false,
    ]);
  });

  it('has methods that may be detached', async () => {
    const { saving, note, clock, sent } = noted();
    const { flush, close, unsubscribe } = saving;
    expect([await flush(), await close()]).toStrictEqual([true, true]);
    unsubscribe();
    note.text.next('B');
    clock.advance(5000);
    expect(sent()).toStrictEqual([]);
  });
});

describe('flush', () => {
  it('resolves to true at once if nothing is unsaved', async () => {
    const { saving, sent } = noted();
    expect([await saving.flush(), sent()]).toStrictEqual([true, []]);
  });

  it('with nothing to save does not ask for what is edited after it', async () => {
    const { clock, note, saving, states, sent } = noted({ while$: of(false) });
    await saving.flush();
    note.text.next('B');
    clock.advance(5000);
    expect([sent(), states]).toStrictEqual([[], ['clean', 'dirty']]);
  });

  it('saves what is unsaved without waiting, and what is typed meanwhile as well', async () => {
    const { clock, server, note, saving, sent } = noted();
    note.text.next('B');
    const isSaved = settled(saving.flush());
    note.text.next('C');
    server.expectOne('/notes/7').answer();
    expect(await isSaved()).toBeUndefined();
    server.expectOne('/notes/7').answer();
    expect(await isSaved()).toBe(true);
    clock.advance(5000);
    expect(sent()).toStrictEqual(['PATCH /notes/7 {"text":"B"}', 'PATCH /notes/7 {"text":"C"}']);
  });

  it('waits for the save under way, of this or of somebody else', async () => {
    const { clock, server, note, saving, sent } = noted();
    note.text.next('B');
    clock.advance(500);
    const ofThis = settled(saving.flush());
    server.expectOne('/notes/7').answer();
    expect(await ofThis()).toBe(true);
    note.text.next('C');
    void note.save();
    const ofOthers = settled(saving.flush());
    expect(await ofOthers()).toBeUndefined();
    server.expectOne('PUT /notes/7').answer();
    expect([await ofOthers(), sent().length]).toStrictEqual([true, 2]);
  });

  it('resolves to false if a save fails, and tries again when called again', async () => {
    const { server, note, saving } = noted();
    note.text.next('B');
    const first = saving.flush();
    server.expectOne('/notes/7').fail();
    expect([await first, saving.state$.value]).toStrictEqual([false, 'failed']);
    const second = saving.flush();
    server.expectOne('/notes/7').answer();
    expect(await second).toBe(true);
  });

  it('waits for a destroy: nothing is unsaved after it, or what was typed is saved then', async () => {
    const [kept, gone] = [noted(), noted()];
    for (const { note } of [kept, gone]) {
      void note.destroy();
      note.text.next('B');
    }
    const [whenKept, whenGone] = [kept.saving.flush(), settled(gone.saving.flush())];
    expect(await whenGone()).toBeUndefined();
    gone.server.expectOne('DELETE /notes/7').answer();
    kept.server.expectOne('DELETE /notes/7').answer(undefined, { status: 403 });
    kept.server.expectOne('PATCH /notes/7').answer();
    expect([await whenKept, await whenGone()]).toStrictEqual([true, true]);
  });

  it('resolves to false if the save under way fails, and sends nothing more by itself', async () => {
    const { clock, server, note, saving, sent } = noted();
    note.text.next('B');
    clock.advance(500);
    const both = Promise.all([saving.flush(), saving.flush()]);
    server.expectOne('/notes/7').fail();
    expect([await both, sent().length, saving.state$.value]).toStrictEqual([[false, false], 1, 'failed']);
  });

  it('does not send again what was refused meanwhile, though the pause after the last edit ends during the save', async () => {
    const { clock, server, note, saving, sent } = noted();
    note.text.next('B');
    const isSaved = saving.flush();
    clock.advance(500);
    server.expectOne('/notes/7').answer({}, { status: 422 });
    clock.advance(5000);
    expect([await isSaved, sent().length, saving.state$.value]).toStrictEqual([false, 1, 'failed']);
  });

  it('does not send it again either if another save was called as the pause before it ended', () => {
    const { clock, server, note, saving, sent } = noted();
    const first = saving.state$.subscribe((state) => {
      if (state === 'saving') void note.save({ attrs: { tag: 'x' }, patch: true });
    });
    note.text.next('B');
    clock.advance(500);
    first.unsubscribe();
    note.text.next('C');
    clock.advance(500);
    server.expectOne('PATCH /notes/7').answer({});
    server.expectOne('PATCH /notes/7').answer(undefined, { status: 422 });

    expect(sent()).toStrictEqual(['PATCH /notes/7 {"tag":"x"}', 'PATCH /notes/7 {"text":"C"}']);
    expect(saving.state$.value).toBe('failed');
  });

  it('goes on if whoever is told that all is saved edits again', async () => {
    const { server, note, saving } = noted();
    note.text.next('B');
    saving.state$.subscribe((state) => {
      if (state === 'clean' && note.tag.value === 'x') note.tag.next('y');
    });
    const isSaved = saving.flush();
    server.expectOne('/notes/7').answer();
    server.expectOne('/notes/7').answer();
    expect(await isSaved).toBe(true);
  });

  it('resolves even if `save` edits the record, which a failure would make it send again and again', async () => {
    let count = 0;
    const { server, note, saving, sent } = noted({
      save: (each) => {
        each.tag.next(String((count += 1)));
        return each.save$({ patch: true });
      },
    });
    note.text.next('B');
    const isSaved = saving.flush();
    server.expectOne('/notes/7').answer({}, { status: 422 });
    expect([await isSaved, sent()]).toStrictEqual([false, ['PATCH /notes/7 {"text":"B","tag":"1"}']]);
  });

  it('serves several callers by one save', async () => {
    const { server, note, saving, sent } = noted();
    note.text.next('B');
    const both = Promise.all([saving.flush(), saving.flush()]);
    server.expectOne('/notes/7').answer();
    expect([await both, sent().length]).toStrictEqual([[true, true], 1]);
  });

  it('waits as long as a lull shows the save', async () => {
    const { clock, server, note, saving } = noted({ config: { requestLull: 300 } });
    note.text.next('B');
    const isSaved = settled(saving.flush());
    server.expectOne('/notes/7').answer();
    expect(await isSaved()).toBeUndefined();
    clock.advance(300);
    expect(await isSaved()).toBe(true);
  });

  it('does not go on for ever with a save that saves something else', async () => {
    const { note, saving } = noted({ save: () => EMPTY });
    note.text.next('B');
    expect([await saving.flush(), saving.state$.value]).toStrictEqual([false, 'failed']);
  });
});

describe('close', () => {
  it('saves what is unsaved, and then nothing more', async () => {
    const { clock, server, note, saving, states, sent } = noted();
    note.text.next('B');
    const isSaved = saving.close();
    note.text.next('C');
    server.expectOne('/notes/7').answer();
    server.expectOne('/notes/7').answer();
    expect(await isSaved).toBe(true);
    note.text.next('D');
    clock.advance(5000);
    expect([sent().length, states.at(-1), await saving.flush()]).toStrictEqual([2, 'complete', false]);
  });

  it('ends also if the save fails', async () => {
    const { clock, server, note, saving, sent } = noted();
    note.text.next('B');
    const isSaved = saving.close();
    server.expectOne('/notes/7').fail();
    expect(await isSaved).toBe(false);
    note.text.next('C');
    clock.advance(5000);
    expect(sent()).toHaveLength(1);
  });
});

describe('close, while nothing is unsaved', () => {
  it('leaves nothing to save, also during a destroy that is refused', async () => {
    const { server, note, saving } = noted();
    void note.destroy();
    await saving.close();
    note.text.next('B');
    server.expectOne('DELETE /notes/7').answer({}, { status: 503 });
    expect([saving.state$.value, server.open]).toStrictEqual(['dirty', []]);
  });
});

describe('unsubscribe', () => {
  it('aborts a save under way, keeps the edits, and ends what waits', async () => {
    const { clock, server, note, saving, states } = noted();
    note.text.next('B');
    clock.advance(500);
    const isSaved = saving.flush();
    saving.unsubscribe();
    expect([await isSaved, server.requests[0]?.state]).toStrictEqual([false, 'aborted']);
    expect([note.isSaving$.value, note.isDirty$.value]).toStrictEqual([false, true]);
    expect(states.slice(-3)).toStrictEqual(['saving', 'failed', 'complete']);
  });

  it('is what a `while$` that fails amounts to, which is reported', async () => {
    const unhandled: unknown[] = [];
    config.onUnhandledError = (error) => unhandled.push(error);
    const while$ = new Subject<boolean>();
    const { clock, note, saving, states, sent } = noted({ while$ });
    note.text.next('B');
    while$.error(new Error('no'));
    clock.advance(1000);
    expect([sent(), states.at(-1), await saving.flush()]).toStrictEqual([[], 'complete', false]);
    await vi.waitFor(() => {
      expect(unhandled).toStrictEqual([new Error('no')]);
    });
  });

  it('leaves a flush to tell whether anything is unsaved', async () => {
    const { note, saving } = noted();
    saving.unsubscribe();
    const wasSaved = await saving.flush();
    note.text.next('B');
    expect([wasSaved, await saving.flush()]).toStrictEqual([true, false]);
  });

  it('ends a flush that waits for a destroy', async () => {
    const { note, saving } = noted();
    void note.destroy();
    note.text.next('B');
    const isSaved = saving.flush();
    saving.unsubscribe();
    expect(await isSaved).toBe(false);
  });

  it('is not said to save any more what waited for a destroy', () => {
    const { clock, server, note, saving } = noted();
    void note.destroy();
    note.text.next('B');
    clock.advance(500);
    saving.unsubscribe();
    server.expectOne('DELETE /notes/7').answer({}, { status: 503 });
    expect([saving.state$.value, server.open]).toStrictEqual(['dirty', []]);
  });

  it('leaves nothing that waits', () => {
    const { clock, note, saving } = noted({ while$: NEVER });
    note.text.next('B');
    saving.unsubscribe();
    expect(clock.actions).toStrictEqual([]);
  });
});

describe('a conflict', () => {
  /** A note with an edit that the server contradicts. */
  const contested = (options: Setup = {}) => {
    const setup = noted(options);
    setup.note.text.next('Mine');
    setup.note.follow(of({ id: 7, text: 'Theirs' })).subscribe();
    return setup;
  };

  it('is told as soon as it arises', () => {
    expect(contested().states).toStrictEqual(['clean', 'dirty', 'conflict']);
  });

  it('holds up all saves until it is decided, and then they go at once', async () => {
    const { clock, server, note, saving, states, sent } = contested();
    note.tag.next('y');
    clock.advance(5000);
    expect([sent(), await saving.flush(), states]).toStrictEqual([[], false, ['clean', 'dirty', 'conflict']]);
    note.openConflicts$.value[0]?.keepMine();
    server.expectOne('/notes/7').answer();
    expect(sent()).toStrictEqual(['PATCH /notes/7 {"text":"Mine","tag":"y"}']);
    expect(states.slice(3)).toStrictEqual(['saving', 'clean']);
  });

  it('of a record that shows another id by now is not decided', () => {
    const { clock, note, sent } = contested();
    note.set({ id: 8, tag: 'z' });
    clock.advance(499);
    expect(sent()).toStrictEqual([]);
  });

  it('that is decided is saved even while `while$` is false', () => {
    const { clock, server, note } = contested({ while$: of(false) });
    clock.advance(5000);
    note.openConflicts$.value[0]?.keepMine();
    server.expectOne('PATCH /notes/7');
  });

  it('leaves nothing to save if theirs is taken', () => {
    const { clock, note, saving, sent } = contested();
    note.openConflicts$.value[0]?.takeTheirs();
    clock.advance(5000);
    expect([sent(), saving.state$.value]).toStrictEqual([[], 'clean']);
  });

  it('found by versions holds up the next save, not others', () => {
    const clock = new TestClock();
    const server = new TestServer();
    const root = createLib(etags({ transport: server.transport, scheduler: clock }));
    const note = new Note(root, 7);
    const saving = autosave(note, {
      scheduler: clock,
      save: () => note.save$({ patch: true }).pipe(mergeConflicts(note)),
    });
    const version = (etag: string) => ({ headers: { etag } });
    void note.fetch();
    server.expectOne('GET /notes/7').answer({ id: 7, text: 'A', tag: 'x' }, version('"1"'));
    note.text.next('Mine');
    clock.advance(500);
    server.expectOne('PATCH /notes/7').answer(undefined, { status: 412 });
    server.expectOne('GET /notes/7').answer({ id: 7, text: 'Theirs', tag: 'x' }, version('"2"'));
    clock.advance(5000);
    expect([server.open, saving.state$.value]).toStrictEqual([[], 'conflict']);
    note.openConflicts$.value[0]?.keepMine();
    const save = server.expectOne('PATCH /notes/7');
    expect([save.headers.get('if-match'), save.body]).toStrictEqual(['"2"', { text: 'Mine' }]);
    save.answer({ id: 7, text: 'Mine', tag: 'x' }, version('"3"'));
    expect(saving.state$.value).toBe('clean');
  });
});
