import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Collection, DataModel, MappedField } from 'rivulet';

import { run } from '../markdown';

import { ann, bo } from './people';
import type { Person } from './people';

interface Source {
  readonly close: () => void;
  readonly send: (data: object) => void;
  readonly open: () => void;
  readonly refuse: () => void;
}

/** Answers requests in place of the platform's `fetch`, and lists them. */
function serve(answer: () => unknown): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: { readonly method: string }) => {
    await Promise.resolve();
    asked.push(`${init.method} ${url}`);
    return Response.json(answer());
  });
  return asked;
}

/** Event sources that the spec controls, in place of the platform's. */
function withSources(): readonly Source[] {
  const sources: Source[] = [];
  class Stub extends EventTarget {
    readonly CLOSED = 2;
    readyState = 1;
    readonly close = vi.fn();
    constructor() {
      super();
      sources.push(this);
    }
    send(data: object): void {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(data) }));
    }
    open(): void {
      this.dispatchEvent(new Event('open'));
    }
    refuse(): void {
      this.readyState = 2;
      this.dispatchEvent(new Event('error'));
    }
  }
  vi.stubGlobal('EventSource', Stub);
  return sources;
}

/** The list of the guide. */
async function following() {
  const sources = withSources();
  const { people, following } = (await run('followChanges(people', ['people', 'following'])) as {
    readonly people: Collection<Person>;
    readonly following: { unsubscribe(): void };
  };
  return { people, following, sources };
}

const isIdle = (list: Collection<Person>) =>
  vi.waitFor(() => {
    expect(list.isReading$.value).toBe(false);
  });

describe('docs/LIVE.md', () => {
  it('reads the list whenever it connects, and follows the messages', async () => {
    let rows = [ann];
    const asked = serve(() => rows);
    const { people, sources } = await following();
    sources[0]?.open();
    sources[0]?.send({ person: bo });
    await isIdle(people);
    expect(people.value).toStrictEqual([ann, bo]);
    sources[0]?.send({ deleted: true, person: { ...ann, version: 2 } });
    sources[0]?.send({ person: { ...bo, name: 'old', version: 0 } });
    expect(people.value).toStrictEqual([bo]);

    rows = [{ ...ann, version: 3 }];
    sources[0]?.open();
    await isIdle(people);
    expect([asked, people.value]).toStrictEqual([Array(2).fill('GET /api/people'), rows]);
  });

  it('connects again when the server has refused', async () => {
    vi.useFakeTimers();
    const { sources } = await following();
    sources[0]?.refuse();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(sources).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(sources).toHaveLength(2);
  });

  it('closes the connection when it is left', async () => {
    const { following: subscription, sources } = await following();
    subscription.unsubscribe();

    expect(sources[0]?.close).toHaveBeenCalledOnce();
  });

  it('leaves out the late echo of an earlier save of a record', async () => {
    const sources = withSources();
    const { note } = (await run('note.follow(rows$)', ['note'])) as {
      note: DataModel & { readonly text: MappedField<string, 'text'> };
    };
    let version = 0;
    serve(() => ({ version: (version += 1) }));
    for (const text of ['a', 'ab']) {
      note.text.next(text);
      await note.save();
    }
    const send = (row: object) => sources[0]?.send(row);

    send({ text: 'a', version: 1 });
    const late = note.text.value;
    send({ text: 'theirs', version: 3 });

    expect([late, note.text.value]).toStrictEqual(['ab', 'theirs']);
  });

  it('shows in a tab what another has created, changed and deleted, and announces nothing back', async () => {
    const tabs = (await Promise.all(
      [1, 2].map(() => run('new BroadcastChannel', ['colleagues', 'channel'])),
    )) as { colleagues: Collection<Person>; channel: BroadcastChannel }[];
    onTestFinished(() => {
      for (const { channel } of tabs) channel.close();
    });
    const lists = tabs.map(({ colleagues }) => colleagues);
    const [here, there] = lists as [Collection<Person>, Collection<Person>];
    const posts = tabs.map(({ channel }) => vi.spyOn(channel, 'postMessage'));
    let version = 0;
    serve(() => ({ id: 1, name: `answer ${String((version += 1))}`, version }));
    const shown = (list: Collection<Person>) => list.value.map(({ name }) => name);

    await here.create({ name: '' });
    await vi.waitFor(() => {
      expect(lists.map(shown)).toStrictEqual([['answer 1'], ['answer 1']]);
    });
    await there.record(1).save();
    await vi.waitFor(() => {
      expect(lists.map(shown)).toStrictEqual([['answer 2'], ['answer 2']]);
    });
    await here.record(1).destroy();
    await vi.waitFor(() => {
      expect(lists.map(shown)).toStrictEqual([[], []]);
    });

    expect(posts.map(({ mock }) => mock.calls.length)).toStrictEqual([2, 1]);
  });

  it('polls, keeps equal items, and pauses while the page is hidden', async () => {
    vi.useFakeTimers();
    const page = Object.assign(new EventTarget(), { hidden: false });
    vi.stubGlobal('document', page);
    const asked = serve(() => [{ id: 1, state: 'open' }]);
    const { jobs, polling } = (await run('poll(jobs', ['jobs', 'polling'])) as {
      readonly jobs: Collection<unknown>;
      readonly polling: { unsubscribe(): void };
    };
    await vi.advanceTimersByTimeAsync(0);
    const [first] = jobs.value;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked.length, jobs.value[0] === first]).toStrictEqual([3, true]);

    page.hidden = true;
    page.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(3);
    polling.unsubscribe();
  });
});
