import { of } from 'rxjs';
import type { Observable, Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, DataModel, Interceptor } from 'rivulet';

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

/** Waits for everything that needs no timer. */
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('polling', () => {
  it('continues after a failure, keeps equal items, and pauses while the page is hidden', async () => {
    vi.useFakeTimers();
    const page = { hidden: false };
    vi.stubGlobal('document', page);
    const asked = serve(() => (asked.length === 2 ? lost() : Response.json([{ id: 1, state: 'open' }])));
    const { jobs, polling } = (await run('polling', ['jobs', 'polling'])) as {
      jobs: Collection<unknown>;
      polling: { unsubscribe(): void };
    };

    await settled();
    const [first] = jobs.value;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(3);
    expect(jobs.value[0]).toBe(first);
    page.hidden = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(3);

    page.hidden = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toHaveLength(4);
    polling.unsubscribe();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(4);
  });
});

describe('a feed into a list', () => {
  interface Row extends Person {
    readonly version: number;
  }
  interface Source {
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    close: () => void;
  }

  /** The recipe with an event source that the spec controls. */
  async function feeding(...rows: Row[]) {
    const sources: Source[] = [];
    vi.stubGlobal(
      'EventSource',
      class {
        close = vi.fn();
        constructor() {
          sources.push(this);
        }
      },
    );
    const { people, feed } = (await run('messages$', ['people', 'feed'])) as {
      people: Collection<Row>;
      feed: { unsubscribe(): void };
    };
    people.push(...rows);
    const send = (kind: string, row: object) => {
      sources[0]?.onmessage?.({ data: JSON.stringify({ kind, row }) });
    };
    return { people, feed, send, sources };
  }
  const row = (person: Person, version: number): Row => ({ ...person, version });

  it('adds, changes and removes rows, and passes them to live records', async () => {
    const { people, send } = await feeding();
    send('put', { ...row(ann, 1), city: 'Ulm' });
    send('put', row(bo, 1));
    const record = people.record(1);

    send('put', { id: 1, name: 'Anne', version: 2 });
    send('delete', { id: 2, version: 2 });
    send('delete', { id: 9, version: 2 });

    expect(people.value).toStrictEqual([{ id: 1, name: 'Anne', city: 'Ulm', version: 2 }]);
    expect(record.name.value).toBe('Anne');
  });

  it('emits no change for a row that is already there', async () => {
    const { people, send } = await feeding(row(ann, 1));
    const deltas = valuesOf(people.delta$);

    send('put', row(ann, 1));

    expect(deltas).toStrictEqual([]);
  });

  it('ignores the echo of a save that another one has followed', async () => {
    const { people, send } = await feeding(row(ann, 1));
    const record = people.record(1);
    for (const [name, version] of [
      ['Anna', 2],
      ['Annabel', 3],
    ] as const) {
      serve(() => Response.json(row({ id: 1, name }, version)));
      record.name.next(name);
      await record.save();
    }

    send('put', row({ id: 1, name: 'Anna' }, 2));
    send('delete', { id: 1, version: 2 });

    expect([people.value, record.name.value]).toStrictEqual([
      [row({ id: 1, name: 'Annabel' }, 3)],
      'Annabel',
    ]);
  });

  it('keeps a change that comes before the answer to an older save', async () => {
    const { people, send } = await feeding(row(ann, 1));
    const answered = gate();
    serve(async () => {
      await answered.promise;
      return Response.json(row({ id: 1, name: 'Anna' }, 2));
    });
    const record = people.record(1);
    record.name.next('Anna');
    const saved = record.save();

    send('put', row({ id: 1, name: 'Theirs' }, 3));
    answered.resolve();
    await saved;

    expect([people.value, record.name.value, record.isDirty$.value]).toStrictEqual([
      [row({ id: 1, name: 'Theirs' }, 3)],
      'Theirs',
      false,
    ]);
  });

  it('applies what comes while the list is read after that', async () => {
    const { people, send } = await feeding(row(ann, 1), row(bo, 1));
    const answered = gate();
    serve(async () => {
      await answered.promise;
      return Response.json([row(ann, 1), row(bo, 1)]);
    });
    const read = people.fetch();

    send('put', row({ id: 1, name: 'Anna' }, 2));
    send('delete', { id: 2, version: 1 });
    send('put', row(eve, 1));
    answered.resolve();
    await read;

    expect(people.value).toStrictEqual([row({ id: 1, name: 'Anna' }, 2), row(eve, 1)]);
  });

  it('reads the list whenever it connects', async () => {
    const asked = serve(() => Response.json([row(ann, 1)]));
    const { people, sources } = await feeding();

    for (let connections = 0; connections < 2; connections += 1) {
      sources[0]?.onopen?.();
      await vi.waitFor(() => {
        expect(people.isReading$.value).toBe(false);
      });
    }

    expect(asked).toStrictEqual(['GET /api/people', 'GET /api/people']);
    expect(people.value).toStrictEqual([row(ann, 1)]);
  });

  it('closes the source with its subscription', async () => {
    const { feed, sources } = await feeding();
    feed.unsubscribe();
    expect(sources[0]?.close).toHaveBeenCalledOnce();
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
