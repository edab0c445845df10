import { setImmediate as turn } from 'node:timers/promises';

import { Subject, lastValueFrom, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, DataModel, Interceptor, Lib } from 'rivulet';
import { TestServer } from 'rivulet/testing';

import { run } from './markdown';
import { gate } from './server';
import { valuesOf } from './watch';

interface Person {
  readonly id: number;
  readonly name: string;
}
type Answer = (url: string, init: { readonly method: string }) => Response | Promise<Response>;

const ann = { id: 1, name: 'Ann' };
const bo = { id: 2, name: 'Bo' };
const eve = { id: 3, name: 'Eve' };

/** Answers requests in place of the platform's `fetch`, and lists them. */
function serve(answer: Answer): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: { readonly method: string }) => {
    await Promise.resolve();
    asked.push(`${init.method} ${url}`);
    return answer(url, init);
  });
  return asked;
}

/** What `fetch` does when the server cannot be reached. */
const lost = (): never => {
  throw new TypeError('fetch failed');
};

describe('a save of all rows', () => {
  it('resolves with those that were refused, or have failed, and keeps their edits', async () => {
    const answers: Record<string, () => Response> = {
      '/api/tasks/1': () => Response.json({ id: 1, title: 'x' }),
      '/api/tasks/2': () => new Response(null, { status: 409 }),
      '/api/tasks/3': lost,
    };
    const asked = serve((url) => answers[url]?.() ?? Response.error());
    const { tasks, saveAll } = (await run('four at a time', ['tasks', 'saveAll'])) as {
      tasks: Collection<{ readonly id: number; readonly title: string }>;
      saveAll: () => Promise<{ readonly task: DataModel; readonly error: Error }[]>;
    };
    tasks.replace([1, 2, 3].map((id) => ({ id, title: '' })));
    for (const { id } of tasks.value) tasks.record(id).title.next('x');

    const failed = await saveAll();

    expect(failed.map(({ error }) => error.message)).toStrictEqual([
      'update: the server answered 409 to PATCH /api/tasks/2',
      'fetch failed',
    ]);
    expect(tasks.edited$.value).toStrictEqual(failed.map(({ task }) => task));
    expect(asked.sort()).toStrictEqual([1, 2, 3].map((id) => `PATCH /api/tasks/${String(id)}`));
  });
});

describe('the text of a failure', () => {
  it.each<[string, Answer, string]>([
    [
      'the detail of a problem',
      () => Response.json({ title: 'No', detail: 'Too late' }, { status: 422 }),
      'Too late',
    ],
    ['its title without one', () => Response.json({ title: 'No' }, { status: 422 }), 'No'],
    [
      'the message where the answer says nothing',
      () => Response.json(null, { status: 500 }),
      'read: the server answered 500 to GET /api/orders',
    ],
    [
      'the message where it is not JSON',
      () => new Response('<p>', { status: 500 }),
      'read: the server answered 500 to GET /api/orders',
    ],
    ['the message without an answer', lost, 'fetch failed'],
  ])('is %s', async (_, answer, expected) => {
    serve(answer);
    vi.spyOn(console, 'log').mockReturnValue();
    const { orders, banner$ } = (await run('banner$', ['orders', 'banner$'])) as {
      orders: Collection<object>;
      banner$: Observable<string>;
    };
    const texts = valuesOf(banner$);
    await turn();

    await orders.fetch().catch(() => undefined);
    await turn();

    expect(texts).toStrictEqual(['', expected]);
  });
});

describe('an upload', () => {
  it('sends a form, and adds what is answered to the list', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', (url: string, { method, headers, body }: RequestInit) => {
      sent.push([method, url, new Headers(headers).get('content-type'), (body as FormData).get('file')]);
      return Promise.resolve(Response.json({ id: 1, name: 'a.txt' }, { status: 201 }));
    });
    const { attachments, upload } = (await run('new FormData()', ['attachments', 'upload'])) as {
      attachments: Collection<object>;
      upload: (file: File) => Observable<Response>;
    };
    const file = new File(['text'], 'a.txt');

    await lastValueFrom(upload(file));

    expect(sent).toStrictEqual([['POST', '/api/attachments', null, file]]);
    expect(attachments.value).toStrictEqual([{ id: 1, name: 'a.txt' }]);
  });
});

describe('the messages of a 422', () => {
  it('are those of the answer, by path, until a request succeeds', async () => {
    const errors = { 'address.city': ['is unknown'] };
    const answers = [
      () => Response.json({ errors }, { status: 422 }),
      () => new Response('<p>', { status: 422 }),
      () => Response.json(null, { status: 422 }),
      () => Response.json({ errors }, { status: 400 }),
      () => Response.json({ id: 7 }),
    ];
    serve(() => answers.shift()?.() ?? Response.error());
    const { person, messages$ } = (await run('messages$', ['person', 'messages$'])) as {
      person: DataModel;
      messages$: Observable<unknown>;
    };
    const seen = valuesOf(messages$);
    const bodies: unknown[] = [];
    for (let count = 5; count > 0; count -= 1) {
      const response = await person.save();
      bodies.push(await response.text());
      await turn();
    }

    expect(seen).toStrictEqual([{}, errors, {}, {}, {}, {}]);
    expect(bodies[0]).toBe(JSON.stringify({ errors }));
  });
});

describe('a board that shows edits', () => {
  it('moves a row at once, and back if that is refused, unless it was moved on', async () => {
    interface Task {
      readonly id: number;
      readonly place: number;
    }
    const gates = [gate(), gate()];
    const list = [7, 8].map((id, place) => ({ id, place }));
    // The recipe itself moves a row, too.
    const answers = [Promise.resolve(), ...gates.map(({ promise }) => promise)];
    serve(async (_url, { method }) => {
      if (method === 'GET') return Response.json(list);
      await answers.shift();
      return new Response(null, { status: 500 });
    });
    const { board$, move } = (await run('board$', ['board$', 'move'])) as {
      board$: Observable<Task[]>;
      move: (id: number, place: number) => Promise<Response>;
    };
    const rows = valuesOf(board$);
    const places = () => rows.at(-1)?.map(({ id, place: at }) => [id, at]);
    const [first, second] = [move(7, 2), move(7, 3)];
    expect(places()).toStrictEqual([
      [8, 1],
      [7, 3],
    ]);
    gates[0]?.resolve();
    await first;
    expect(places()).toStrictEqual([
      [8, 1],
      [7, 3],
    ]);
    gates[1]?.resolve();
    await second;

    expect(places()).toStrictEqual([
      [7, 0],
      [8, 1],
    ]);
  });
});

describe('a delete at once', () => {
  const deleting = async () => {
    const made = (await run('deleteAtOnce', ['people', 'deleteAtOnce'])) as {
      people: Collection<Person>;
      deleteAtOnce: (person: Person) => Observable<Response>;
    };
    made.people.replace([ann, bo, eve]);
    return made;
  };
  const ended = (request$: Observable<unknown>) =>
    new Promise<unknown>((resolve) => {
      request$.subscribe({
        error: resolve,
        complete: () => {
          resolve('complete');
        },
      });
    });

  it('shows before the server has answered', async () => {
    const asked = serve(() => new Response(null, { status: 204 }));
    const { people, deleteAtOnce } = await deleting();

    const end = ended(deleteAtOnce(bo));
    expect(people.value).toStrictEqual([ann, eve]);

    expect(await end).toBe('complete');
    expect(people.value).toStrictEqual([ann, eve]);
    expect(asked).toStrictEqual(['DELETE /api/people/2']);
  });

  it.each([
    ['refused', () => new Response(null, { status: 409 })],
    ['lost on the way', lost],
  ])('is restored in its place when %s', async (_, answer) => {
    serve(answer);
    const { people, deleteAtOnce } = await deleting();

    expect(await ended(deleteAtOnce(bo))).toBeInstanceOf(Error);

    expect(people.value).toStrictEqual([ann, bo, eve]);
  });

  it('is sent once, however often it is asked for', async () => {
    const asked = serve(() => new Response(null, { status: 204 }));
    const { people, deleteAtOnce } = await deleting();

    expect(await Promise.all([ended(deleteAtOnce(bo)), ended(deleteAtOnce(bo))])).toStrictEqual([
      'complete',
      'complete',
    ]);

    expect(people.value).toStrictEqual([ann, eve]);
    expect(asked).toStrictEqual(['DELETE /api/people/2']);
  });

  it('does not come back if it was asked for again, because a read has shown the row until then', async () => {
    const decided = gate();
    serve(async () => {
      await decided.promise;
      return new Response(null, { status: 204 });
    });
    const { people, deleteAtOnce } = await deleting();
    const first = ended(deleteAtOnce(bo));
    people.replace([ann, bo, eve]);
    const second = ended(deleteAtOnce(bo));
    decided.resolve();

    expect([await first, await second]).toMatchObject(['complete', { code: 'NO_ID' }]);
    expect(people.value).toStrictEqual([ann, eve]);
  });

  it('removes the item that has taken the place of the one given, and restores that', async () => {
    const refused = gate();
    serve(async () => {
      await refused.promise;
      return new Response(null, { status: 409 });
    });
    const { people, deleteAtOnce } = await deleting();
    const saved = { ...bo, name: 'Bob' };
    people.splice(1, 1, saved);

    const end = ended(deleteAtOnce(bo));
    expect(people.value).toStrictEqual([ann, eve]);
    refused.resolve();
    await end;

    expect(people.value).toStrictEqual([ann, saved, eve]);
  });

  it('is restored once, if a read has brought it back', async () => {
    const refused = gate();
    serve(async (_, { method }) => {
      if (method === 'GET') return Response.json([ann, bo, eve]);
      await refused.promise;
      return new Response(null, { status: 409 });
    });
    const { people, deleteAtOnce } = await deleting();

    const end = ended(deleteAtOnce(bo));
    await people.fetch();
    refused.resolve();
    await end;

    expect(people.value).toStrictEqual([ann, bo, eve]);
  });
});

describe('undo', () => {
  it('goes back step by step, as edits', async () => {
    vi.useFakeTimers();
    const { note, undo } = (await run('undo()', ['note', 'undo'])) as {
      note: DataModel & Record<'title' | 'text', Subject<string> & { value: string }>;
      undo: () => void;
    };
    const type = async (title: string) => {
      note.title.next(title);
      await vi.advanceTimersByTimeAsync(400);
    };
    await type('a');
    note.title.next('a b');
    await type('a b c');

    const shown = [];
    for (let steps = 0; steps < 3; steps += 1) {
      undo();
      await vi.advanceTimersByTimeAsync(400);
      shown.push([note.title.value, note.isDirty$.value]);
    }

    expect(shown).toStrictEqual([
      ['a', true],
      ['', false],
      ['', false],
    ]);
  });
});

describe('undo after a save', () => {
  it('goes back step by step, and leaves the id that the server has assigned', async () => {
    vi.useFakeTimers();
    serve(() => Response.json({ id: 4 }));
    const { note, undo } = (await run('undo()', ['note', 'undo'])) as {
      note: DataModel & Record<'id' | 'title', Subject<unknown> & { value: unknown }>;
      undo: () => void;
    };
    for (const title of ['a', 'ab']) {
      note.title.next(title);
      await vi.advanceTimersByTimeAsync(400);
    }
    await note.save();
    await vi.advanceTimersByTimeAsync(400);

    const titles = [];
    for (let steps = 0; steps < 3; steps += 1) {
      undo();
      titles.push(note.title.value);
    }

    expect([titles, note.id.value]).toStrictEqual([['a', '', ''], 4]);
  });
});

describe('undo of what others have changed', () => {
  it('writes only what was typed', async () => {
    vi.useFakeTimers();
    const { note, undo } = (await run('undo()', ['note', 'undo'])) as {
      note: DataModel & Record<'title' | 'text', Subject<string> & { value: string }>;
      undo: () => void;
    };
    const pause = () => vi.advanceTimersByTimeAsync(400);
    note.title.next('mine');
    await pause();
    valuesOf(note.follow(of({ text: 'theirs' })));
    await pause();
    note.title.next('mine too');
    await pause();

    const shown = [];
    for (let steps = 0; steps < 3; steps += 1) {
      undo();
      shown.push([note.title.value, note.text.value]);
    }

    expect(shown).toStrictEqual([
      ['mine', 'theirs'],
      ['', 'theirs'],
      ['', 'theirs'],
    ]);
  });
});

describe('undo before the pause', () => {
  it('discards what was just typed, and no more', async () => {
    vi.useFakeTimers();
    const { note, undo } = (await run('undo()', ['note', 'undo'])) as {
      note: DataModel & Record<'title', Subject<string> & { value: string }>;
      undo: () => void;
    };
    note.title.next('a');
    await vi.advanceTimersByTimeAsync(400);
    note.title.next('a b');

    undo();
    await vi.advanceTimersByTimeAsync(400);
    expect(note.title.value).toBe('a');
    undo();
    expect(note.title.value).toBe('');
  });
});

describe('a refusal that contains the current row', () => {
  it('keeps what was typed, shows the rest, and emits the conflict', async () => {
    serve(() => Response.json({ id: 1, name: 'Anne', city: 'Ulm' }, { status: 409 }));
    const { saveOrMerge } = (await run('saveOrMerge', ['saveOrMerge'])) as {
      saveOrMerge: (record: DataModel) => Observable<Response>;
    };
    const { people } = (await run('deleteAtOnce', ['people'])) as {
      people: Collection<Person & { city: string }>;
    };
    people.replace([{ id: 1, name: 'Ann', city: 'Bonn' }]);
    const record = people.record(1);
    const conflicts: string[] = [];
    record.conflicts$.subscribe(({ path, mine, theirs }) => {
      conflicts.push(`${path}: ${String(mine)}, ${String(theirs)}`);
    });
    record.name.next('Anna');

    const response = await new Promise<Response>((resolve) => {
      saveOrMerge(record).subscribe(resolve);
    });

    expect(response.status).toBe(409);
    expect(record.get()).toStrictEqual({ id: 1, name: 'Anna', city: 'Ulm' });
    expect(conflicts).toStrictEqual(['name: Anna, Anne']);
  });

  it('is emitted as it is if it has no row', async () => {
    serve(() => new Response('in use', { status: 409 }));
    const { saveOrMerge } = (await run('saveOrMerge', ['saveOrMerge'])) as {
      saveOrMerge: (record: DataModel) => Observable<Response>;
    };
    const { people } = (await run('deleteAtOnce', ['people'])) as { people: Collection<Person> };
    people.replace([{ id: 1, name: 'Ann' }]);
    const response = await lastValueFrom(saveOrMerge(people.record(1)));
    expect(await response.text()).toBe('in use');
  });

  it('passes on other answers unchanged', async () => {
    serve(() => Response.json({}, { status: 422 }));
    const { saveOrMerge } = (await run('saveOrMerge', ['saveOrMerge'])) as {
      saveOrMerge: (record: { save$: () => Observable<Response> }) => Observable<Response>;
    };
    const refused = new Response(null, { status: 422 });
    const given = await new Promise((resolve) => {
      saveOrMerge({ save$: () => of(refused) }).subscribe(resolve);
    });
    expect(given).toBe(refused);
  });
});

describe('an answer that is a page', () => {
  const page = () =>
    new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const saving = async () => {
    const { refusePages } = (await run('refusePages', ['refusePages'])) as { refusePages: Interceptor };
    const root = createLib({ interceptors: [refusePages] });
    const record = root.collection<Person>({ url: '/api/people', data: [ann] }).record(1);
    record.name.next('Anna');
    return record;
  };

  it('fails a save, whose edit stays', async () => {
    serve(page);
    const record = await saving();

    await expect(record.save()).rejects.toMatchObject({
      code: 'PARSE',
      message: 'update: answered with a page: sign in again',
    });
    expect([record.name.value, record.isDirty$.value, record.error$.value?.name]).toStrictEqual([
      'Anna',
      true,
      'RequestError',
    ]);
  });

  it('passes on any other answer, and a page that says why it refuses', async () => {
    serve(() => Response.json({ id: 1, name: 'Anna' }));
    const record = await saving();
    await record.save();
    expect(record.isDirty$.value).toBe(false);

    serve(() => new Response('<h1>Broken</h1>', { status: 500, headers: { 'content-type': 'text/html' } }));
    expect((await record.save()).status).toBe(500);
  });
});

describe('“saving…” for the whole application', () => {
  /** What is shown, two records, and what answers the oldest request. */
  const open = async () => {
    const { lib, isSavingShown$ } = (await run('isSavingShown$', ['lib'])) as {
      readonly lib: Lib;
      readonly isSavingShown$: Observable<boolean>;
    };
    vi.useFakeTimers();
    const asked: Subject<unknown>[] = [];
    lib.sync = () => {
      const answer$ = new Subject<unknown>();
      asked.push(answer$);
      return answer$;
    };
    const people = lib.collection<Person>({ url: '/api/people', data: [ann, bo] });
    const answer = () => {
      const answer$ = asked.shift();
      answer$?.next({});
      answer$?.complete();
    };
    return { shown: valuesOf(isSavingShown$), record: people.record(1), other: people.record(2), answer };
  };

  it('is shown once there have been writes for 300 ms, until all have ended', async () => {
    const { shown, record, other, answer } = await open();
    void record.save();
    vi.advanceTimersByTime(299);
    void other.save();
    expect(shown).toStrictEqual([false]);
    vi.advanceTimersByTime(1);
    answer();
    vi.advanceTimersByTime(1000);
    expect(shown).toStrictEqual([false, true]);
    answer();
    vi.advanceTimersByTime(0);
    expect(shown).toStrictEqual([false, true, false]);
  });

  it('is not shown for quick writes, nor for reads', async () => {
    const { shown, record, answer } = await open();
    void record.save();
    vi.advanceTimersByTime(299);
    answer();
    void record.fetch();
    vi.advanceTimersByTime(1000);
    expect(shown).toStrictEqual([false]);
  });

  it('is still shown when the next write follows at once', async () => {
    const { shown, record, answer } = await open();
    void record.save();
    void record.save();
    vi.advanceTimersByTime(300);
    answer();
    vi.advanceTimersByTime(1000);
    expect(shown).toStrictEqual([false, true]);
    answer();
    vi.advanceTimersByTime(0);
    expect(shown).toStrictEqual([false, true, false]);
  });
});

describe('failures that are told in one place', () => {
  it('are refusals and failures of any request, except what is shown elsewhere, aborted or disposed of', async () => {
    const told: string[] = [];
    vi.stubGlobal('document', { body: { append: (text: string) => told.push(text) } });
    const { lib } = (await run('const toast', ['lib'])) as { readonly lib: Lib };
    const server = new TestServer();
    lib.options.transport = server.transport;
    const people = lib.collection<Person>({ url: '/people' });
    const ended = new AbortController();
    const requests = [
      people.create(ann),
      people.create(bo),
      people.record(7).save(),
      people.fetch(),
      people.fetch({ signal: ended.signal }),
      people.fetch(),
      lib.collection().fetch(),
    ];
    for (const request of requests) request.catch(() => undefined);
    const [refused, invalid, accepted, lost] = server.open;
    refused?.answer(undefined, { status: 503 });
    invalid?.answer(undefined, { status: 422 });
    accepted?.answer({ id: 7 });
    lost?.fail(new TypeError('fetch failed'));
    ended.abort();
    people.dispose();

    expect(told).toStrictEqual([
      'read: no url: set "url", or return one for this action',
      'create: refused with 503',
      'fetch failed',
    ]);
  });
});

describe('settings without an id', () => {
  it('are read and saved at their url', async () => {
    const { settings } = (await run('/api/settings', [])) as {
      readonly settings: DataModel & Record<'theme', Subject<string>>;
    };
    const asked = serve((_, { method }) => Response.json(method === 'GET' ? { theme: 'dark' } : {}));
    await settings.fetch();
    expect(settings.get()).toStrictEqual({ id: 'mine', theme: 'dark' });
    settings.theme.next('light');
    await settings.save({ patch: true });
    await settings.save();
    expect(asked).toStrictEqual(['GET /api/settings', 'PATCH /api/settings', 'PUT /api/settings']);
    expect(settings.isDirty$.value).toBe(false);
  });
});

describe('an action of a record', () => {
  it('is sent without data to its own url, and its answer is written beside edits', async () => {
    const { issue } = (await run('/api/issues/:id/', [])) as {
      readonly issue: DataModel & Record<'title', Subject<string>> & { close(): Promise<Response> };
    };
    const bodies: unknown[] = [];
    const asked = serve((_, init) => {
      bodies.push((init as RequestInit).body);
      return Response.json({ id: 7, title: '', status: 'closed' });
    });
    issue.title.next('half ty');
    await issue.close();
    expect([asked, bodies]).toStrictEqual([['POST /api/issues/7/close'], ['{}']]);
    expect(issue.toJSON()).toStrictEqual({ id: 7, title: 'half ty', status: 'closed' });
    expect(issue.dirtyMap()).toStrictEqual({ id: false, title: true, status: false });
    await issue.save({ patch: true });
    expect([asked[1], bodies[1]]).toStrictEqual(['PATCH /api/issues/7', '{"title":"half ty"}']);
  });

  it('is refused for one that is new, or was deleted', async () => {
    const { issue } = (await run('/api/issues/:id/', [])) as {
      readonly issue: DataModel & { close(): Promise<Response> };
    };
    const asked = serve(() => new Response(null, { status: 204 }));
    await issue.destroy();
    await expect(issue.close()).rejects.toMatchObject({ code: 'NO_URL' });
    expect(asked).toStrictEqual(['DELETE /api/issues/7']);
  });
});

describe('fields that only the server sets', () => {
  it('are not sent, whatever else is', async () => {
    const { lib } = (await run('withoutReadOnly', ['lib'])) as { readonly lib: Lib };
    const bodies: unknown[] = [];
    serve((_, init) => {
      bodies.push((init as RequestInit).body);
      return Response.json({});
    });
    const rows = lib.collection<object>({ url: '/api/rows' });
    await rows.create({ name: 'Ann', version: 0, uses: { version: 1 } });
    await rows.create({}, { body: 'a,b', headers: { 'content-type': 'text/csv' }, attrs: {} });
    await rows.create({}, { body: new Blob(['as it is']), attrs: {} });
    expect(bodies).toStrictEqual(['{"name":"Ann","uses":{"version":1}}', 'a,b', new Blob(['as it is'])]);
  });
});

describe('a page that is left', () => {
  it('sends what is unsaved so that it outlives the page, and nothing if all is saved', async () => {
    const target = new EventTarget();
    vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
    const sent: RequestInit[] = [];
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      sent.push(init);
      return Promise.reject(new TypeError('fetch failed'));
    });
    const { note } = (await run('pagehide', ['note'])) as {
      note: DataModel & Record<'text', Subject<string>>;
    };

    target.dispatchEvent(new Event('pagehide'));
    expect(sent).toStrictEqual([]);
    note.text.next('unsaved');
    target.dispatchEvent(new Event('pagehide'));
    await new Promise(setImmediate);

    expect(sent).toMatchObject([{ method: 'PATCH', body: '{"text":"unsaved"}', keepalive: true }]);
  });
});

describe('edits that are kept over a reload', () => {
  type Note = DataModel & Record<'text', Subject<string> & { readonly value: string }>;

  /** The page with the note, which the server has as given; storage lasts from one page to the next. */
  async function opened(text: string) {
    serve(() => Response.json({ id: 1, text }));
    const { Note, open } = (await run('sessionStorage.setItem', ['Note'])) as {
      Note: new () => Note;
      open: (note: Note) => Promise<void>;
    };
    const note = new Note();
    await open(note);
    return note;
  }

  it('are edits again in the next page, unless the server has them by then', async () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
    const first = await opened('milk');
    expect([first.text.value, first.isDirty$.value]).toStrictEqual(['milk', false]);
    first.text.next('oats');

    const second = await opened('milk');
    expect([second.text.value, second.isDirty$.value]).toStrictEqual(['oats', true]);
    const third = await opened('oats');
    expect([third.text.value, third.isDirty$.value]).toStrictEqual(['oats', false]);
    const fourth = await opened('rice');
    expect([fourth.text.value, fourth.isDirty$.value, stored.size]).toStrictEqual(['rice', false, 0]);
  });
});
