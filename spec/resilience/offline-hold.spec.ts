import { BehaviorSubject, EMPTY, NEVER, Subject, concat, VirtualTimeScheduler, of, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { offlineHold, retry } from 'rivulet/resilience';

import { withPerson } from '../person';
import { advance } from '../virtual-time';
import { watch } from '../watch';

const withHold = (online$?: Observable<boolean>) =>
  withPerson({ options: { interceptors: [offlineHold(online$)] } });

describe('a request', () => {
  it('is sent at once while online', () => {
    const { person, server } = withHold(of(true));
    watch(person.fetch$());
    expect(server.lines).toStrictEqual(['GET /person/7']);
  });

  it('is held while offline, then sent once', () => {
    const online$ = new BehaviorSubject(false);
    const { person, server } = withHold(online$);
    const { responses } = watch(person.save$());
    online$.next(false);
    expect({ sent: server.held.length, isSaving: person.isSaving$.value }).toStrictEqual({
      sent: 0,
      isSaving: true,
    });

    online$.next(true);
    server.at(0).ok();
    online$.next(false);
    online$.next(true);

    expect(server.held).toHaveLength(1);
    expect(responses).toHaveLength(1);
    expect(online$.observed).toBe(false);
  });

  it('that is unsubscribed while held is never sent', () => {
    const online$ = new BehaviorSubject(false);
    const { person, server } = withHold(online$);
    watch(person.fetch$()).subscription.unsubscribe();
    expect(online$.observed).toBe(false);
    online$.next(true);
    expect(server.held).toHaveLength(0);
  });

  it('that has been sent is not aborted by going offline', () => {
    const online$ = new BehaviorSubject(true);
    const { person, server } = withHold(online$);
    const { responses } = watch(person.fetch$());
    online$.next(false);
    server.at(0).ok({});
    expect(responses).toHaveLength(1);
  });

  it('that fails after going offline emits the failure', () => {
    const online$ = new BehaviorSubject(true);
    const { person, server } = withHold(online$);
    const watched = watch(person.fetch$());
    online$.next(false);
    server.at(0).fail(new TypeError('fetch failed'));
    expect(watched.error).toBeInstanceOf(TypeError);
  });

  it('is held again before a retry', () => {
    const online$ = new BehaviorSubject(true);
    const scheduler = new VirtualTimeScheduler();
    const { person, server } = withPerson({
      options: { interceptors: [retry({ scheduler, count: 1 }), offlineHold(online$)] },
    });
    watch(person.fetch$());
    online$.next(false);
    server.at(0).fail(new TypeError('fetch failed'));
    advance(scheduler, 1e6);
    expect(server.held).toHaveLength(1);
    online$.next(true);
    expect(server.held).toHaveLength(2);
  });

  it.each<[string, Observable<boolean>, number]>([
    ['is sent if that completes without a value', EMPTY, 1],
    ['is sent if that completes at false', of(false), 1],
    ['is held until that emits', NEVER, 0],
  ])('that waits for the stream %s', (_name, online$, sent) => {
    const { person, server } = withHold(online$);
    watch(person.fetch$());
    expect(server.held).toHaveLength(sent);
  });

  it('fails with the error of the stream', () => {
    const failure = new Error('no idea');
    const { person, server } = withHold(
      concat(
        of(false),
        throwError(() => failure),
      ),
    );
    const watched = watch(person.fetch$());
    expect({ error: watched.error, sent: server.held }).toStrictEqual({ error: failure, sent: [] });
  });
});

describe('the network of the platform', () => {
  it('counts as present if nothing is known of it', () => {
    vi.stubGlobal('navigator', undefined);
    const bare = withHold();
    watch(bare.person.fetch$());
    vi.stubGlobal('navigator', {});
    const node = withHold();
    watch(node.person.fetch$());
    expect([bare.server.held.length, node.server.held.length]).toStrictEqual([1, 1]);
  });

  it.each([true, false])('follows navigator.onLine: %s', (onLine) => {
    vi.stubGlobal('navigator', { onLine });
    const { person, server } = withHold();
    watch(person.fetch$());
    expect(server.held).toHaveLength(onLine ? 1 : 0);
  });

  it('returns with the event online, which leaves no listener', () => {
    const listeners = new Set<() => void>();
    vi.stubGlobal('navigator', { onLine: false });
    vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
      if (name === 'online') listeners.add(listener);
    });
    vi.stubGlobal('removeEventListener', (name: string, listener: () => void) => {
      if (name === 'online') listeners.delete(listener);
    });
    const { person, server } = withHold();
    watch(person.fetch$());
    expect({ sent: server.held.length, listening: listeners.size }).toStrictEqual({ sent: 0, listening: 1 });

    for (const tell of listeners) tell();

    expect({ sent: server.held.length, listening: listeners.size }).toStrictEqual({ sent: 1, listening: 0 });
  });
});

it('refuses anything but an Observable', () => {
  const online = true as unknown as Subject<boolean>;
  expect(() => offlineHold(online)).toThrow(
    new TypeError('offlineHold: "online$" must be an Observable of booleans'),
  );
});
