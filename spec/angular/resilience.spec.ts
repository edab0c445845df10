import { provideHttpClient } from '@angular/common/http';
import { HttpTestingController } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { Subject, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { injectRivulet } from 'rivulet/angular';
import { authRefresh, concurrency, dedupe, idempotencyKey, offlineHold, retry } from 'rivulet/resilience';

import { Person } from '../person';
import { advance } from '../virtual-time';
import { watch } from '../watch';

import { inApp, withHttp } from './test-bed';

/** Persons whose requests go through all interceptors and HttpClient. */
function withAll() {
  withHttp(provideHttpClient());
  const http = TestBed.inject(HttpTestingController);
  const scheduler = new VirtualTimeScheduler();
  const session = { token: 'old' };
  const refresh$ = new Subject<never>();
  const root = inApp(injectRivulet);
  root.options.scheduler = scheduler;
  root.options.interceptors = [
    idempotencyKey(),
    // Without origins: that of the page.
    authRefresh({
      authorize: (headers) => {
        headers.set('authorization', `Bearer ${session.token}`);
      },
      refresh: () => refresh$,
    }),
    dedupe(),
    retry({ scheduler, jitter: 0 }),
    concurrency(1),
    offlineHold(),
  ];
  const make = (id: unknown) => new Person(root, {}, { id });
  return { scheduler, session, refresh$, make, next: () => http.expectOne(() => true), http };
}

describe('the resilience interceptors over HttpClient', () => {
  it('retry after a busy server, and after a network failure', () => {
    const { scheduler, make, next } = withAll();
    const person = make(7);
    watch(person.fetch$());

    next().flush('busy', { status: 503, statusText: 'Busy', headers: { 'retry-after': '2' } });
    advance(scheduler, 2_000);
    next().error(new ProgressEvent('error'));
    advance(scheduler, 3_000);
    next().flush({ name: 'Bo' });

    expect(person.name.value).toBe('Bo');
  });

  it('retry a create with the same key', () => {
    const { scheduler, make, next } = withAll();
    const person = make(undefined);
    watch(person.save$());
    const first = next();
    first.error(new ProgressEvent('error'));
    advance(scheduler, 500);
    const second = next();
    second.flush({ id: 9 });
    const keys = [first, second].map(({ request }) => request.headers.get('idempotency-key'));
    expect(keys).toStrictEqual([expect.stringMatching(/^"[\d-]+"$/), keys[0]]);
    expect(person.id.value).toBe(9);
  });

  it('refresh the token once, and share identical reads', async () => {
    const { session, refresh$, make, next } = withAll();
    const people = [make(7), make(7)];
    const reads = people.map((person) => watch(person.fetch$()));

    next().flush('expired', { status: 401, statusText: 'Unauthorized' });
    session.token = 'new';
    refresh$.complete();
    const again = next();
    again.flush({ name: 'Bo' });

    expect(again.request.headers.get('authorization')).toBe('Bearer new');
    expect(people.map(({ name }) => name.value)).toStrictEqual(['Bo', 'Bo']);
    for (const { responses } of reads) {
      expect(responses[0]?.url).toBe('/person/7');
      await expect(responses[0]?.json()).resolves.toStrictEqual({ name: 'Bo' });
    }
  });

  it('send one at a time, and abort what is unsubscribed', () => {
    const { make, next, http } = withAll();
    const { subscription } = watch(make(7).fetch$());
    watch(make(8).fetch$());
    const first = next();
    expect(first.request.url).toBe('/person/7');
    subscription.unsubscribe();
    expect(first.cancelled).toBe(true);
    expect(http.expectOne('/person/8').cancelled).toBe(false);
  });
});
