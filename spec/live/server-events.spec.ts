import { afterEach, describe, expect, it, vi } from 'vitest';

import { serverEvents } from 'rivulet/live';

/** Stands in for the platform's, which Node does not have; the real one is tried in spec/browser/server-events.spec.ts. */
class FakeEventSource extends EventTarget {
  static readonly made: FakeEventSource[] = [];
  readonly CLOSED = 2;
  readyState = 0;
  readonly url: string;
  readonly init: unknown;

  constructor(url: string | URL, init: unknown) {
    super();
    this.url = String(url);
    this.init = init;
    FakeEventSource.made.push(this);
  }

  send(type: string, data: string): void {
    this.dispatchEvent(new MessageEvent(type, { data }));
  }

  close(): void {
    this.readyState = 2;
  }
}

/** The events of a server that the spec plays. */
function listen(options?: Parameters<typeof serverEvents>[1]) {
  vi.stubGlobal('EventSource', FakeEventSource);
  const seen: unknown[] = [];
  const events$ = serverEvents('/changes', options);
  const subscription = events$.subscribe({
    next: ({ type, data }) => seen.push([type, data]),
    error: (error: unknown) => seen.push(error),
  });
  const source = FakeEventSource.made.at(-1);
  if (!source) throw new Error('nothing was opened');
  return { events$, seen, subscription, source };
}

afterEach(() => {
  FakeEventSource.made.splice(0);
  vi.unstubAllGlobals();
});

describe('serverEvents', () => {
  it('emits the messages of a server', () => {
    const { seen, source } = listen();
    source.send('message', '{"a":1}');
    source.send('other', 'x');

    expect(seen).toStrictEqual([['message', '{"a":1}']]);
    expect([source.url, source.init]).toStrictEqual(['/changes', { withCredentials: false }]);
  });

  it('emits the events named', () => {
    const { seen, source } = listen({ events: ['put', 'delete'], withCredentials: true });
    source.send('message', 'x');
    source.send('put', 'a');
    source.send('delete', 'b');

    expect([seen, source.init]).toStrictEqual([
      [
        ['put', 'a'],
        ['delete', 'b'],
      ],
      { withCredentials: true },
    ]);
  });

  it('opens a connection for each subscription, and closes it when that is left', () => {
    const { events$, subscription, source } = listen();
    expect(FakeEventSource.made).toHaveLength(1);
    const other = events$.subscribe();
    subscription.unsubscribe();

    expect(FakeEventSource.made.map(({ readyState }) => readyState)).toStrictEqual([2, 0]);
    source.send('message', 'late');
    other.unsubscribe();
  });

  it('calls back whenever a connection is open', () => {
    const onOpen = vi.fn();
    const { source } = listen({ onOpen });
    source.dispatchEvent(new Event('open'));
    source.dispatchEvent(new Event('open'));
    expect(onOpen).toHaveBeenCalledTimes(2);

    expect(() => listen().source.dispatchEvent(new Event('open'))).not.toThrow();
  });

  it('tells events that the server names as those of the connection from these', () => {
    const onOpen = vi.fn();
    const { seen, source } = listen({ events: ['open', 'error'], onOpen });
    source.dispatchEvent(new Event('open'));
    source.send('open', 'ticket 1');
    source.send('error', 'quota');
    source.dispatchEvent(new Event('error'));

    expect(seen).toStrictEqual([
      ['open', 'ticket 1'],
      ['error', 'quota'],
    ]);
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  it('fails with what that throws, and closes the connection', () => {
    const problem = new Error('broken');
    const { seen, source } = listen({
      onOpen: () => {
        throw problem;
      },
    });
    source.dispatchEvent(new Event('open'));

    expect([seen, source.readyState]).toStrictEqual([[problem], 2]);
  });

  it('keeps what its url may hold of secrets to itself', () => {
    vi.stubGlobal('EventSource', FakeEventSource);
    let caught: unknown;
    serverEvents(new URL('https://me:secret@api.example/changes?token=1#x')).subscribe({
      error: (error: unknown) => (caught = error),
    });
    const source = FakeEventSource.made.at(-1);
    source?.close();
    source?.dispatchEvent(new Event('error'));

    expect(caught).toStrictEqual(
      new Error('serverEvents: https://api.example/changes was refused, or does not send events'),
    );
  });

  it('goes on while the platform connects again, and fails once it has given up', () => {
    const { seen, source, subscription } = listen();
    source.dispatchEvent(new Event('error'));
    expect([seen, subscription.closed]).toStrictEqual([[], false]);
    source.readyState = 2;
    source.dispatchEvent(new Event('error'));

    expect(seen).toStrictEqual([new Error('serverEvents: /changes was refused, or does not send events')]);
  });

  it('fails where the platform has no such thing', () => {
    vi.stubGlobal('EventSource', undefined);
    let caught: unknown;
    serverEvents('/changes').subscribe({ error: (error: unknown) => (caught = error) });

    expect(caught).toStrictEqual(
      new TypeError('serverEvents: this platform has no EventSource; provide one as a global'),
    );
  });
});
