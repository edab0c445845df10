import { HttpTestingController } from '@angular/common/http/testing';
import { ApplicationRef, InjectionToken, effect, inject, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { Subject, defer, finalize, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { lib } from 'rivulet';
import type { Around, Lib } from 'rivulet';
import { injectRivulet, provideRivulet, withFetch } from 'rivulet/angular';

import { Person } from '../person';
import { StubServer } from '../stub';
import { valuesOf, watch } from '../watch';

import { inApp, openContext, withHttp, withStub } from './test-bed';

describe('the root', () => {
  it('is the same wherever it is injected, and not the default one of the core', () => {
    withHttp();
    const root = inApp(injectRivulet);
    expect(openContext().run(injectRivulet)).toBe(root);
    expect(root).not.toBe(lib);
  });

  it('is new in each application, so that two requests to a server share nothing', () => {
    withHttp();
    const root = inApp(injectRivulet);
    TestBed.resetTestingModule();
    withHttp();
    expect(inApp(injectRivulet)).not.toBe(root);
  });

  it('is separate below an injector that provides it', () => {
    withHttp(provideRivulet());
    const below = openContext(provideRivulet({ timeout: 5 }));
    expect(inApp(injectRivulet)).not.toBe(below.run(injectRivulet));
    expect(inApp(injectRivulet).options.timeout).toBeUndefined();
    expect(below.run(injectRivulet).options.timeout).toBe(5);
  });

  it('has an effect that requests depend on nothing that is read to make the request', () => {
    const [token, tenant, id] = [signal('t1'), signal('a'), signal(1)];
    const server = withStub({ fetchOptions: () => ({ headers: { authorization: token() } }) });
    const list = inApp(injectRivulet).collection({ url: () => `/${tenant()}/items` });
    inApp(() =>
      effect(() => {
        id();
        watch(list.fetch$());
      }),
    );
    TestBed.tick();
    token.set('t2');
    tenant.set('b');
    TestBed.tick();
    expect(server.lines).toStrictEqual(['GET /a/items']);
    id.set(2);
    TestBed.tick();
    expect(server.lines).toStrictEqual(['GET /a/items', 'GET /b/items']);
  });

  it('sends through HttpClient if nothing is provided', () => {
    withHttp();
    const person = new Person(inApp(injectRivulet), {}, {});
    watch(person.fetch$());
    TestBed.inject(HttpTestingController).expectOne('/person/7').flush({ name: 'Bob' });
    expect(person.name.value).toBe('Bob');
  });
});

describe('provideRivulet', () => {
  it('accepts options', () => {
    withHttp(provideRivulet({ fetchOptions: { headers: { 'x-tab': '3' } } }));
    watch(new Person(inApp(injectRivulet), {}, {}).fetch$());
    const { request } = TestBed.inject(HttpTestingController).expectOne('/person/7');
    expect(request.headers.get('x-tab')).toBe('3');
  });

  it('accepts a function that returns options, and calls it once, in the injection context', () => {
    const timeout = new InjectionToken<number>('timeout');
    const options = vi.fn(() => ({ timeout: inject(timeout) }));
    withHttp({ provide: timeout, useValue: 5 }, provideRivulet(options));
    expect(inApp(injectRivulet).options.timeout).toBe(5);
    expect(inApp(injectRivulet).options.timeout).toBe(5);
    expect(options).toHaveBeenCalledOnce();
  });

  it('accepts several features; of two that set an option, the later wins', () => {
    const [fetchOptions, interceptors] = [{}, []];
    withHttp(provideRivulet({}, { timeout: 5, fetchOptions }, { timeout: 6 }, { interceptors }));
    expect(inApp(injectRivulet).options).toStrictEqual({ timeout: 6, fetchOptions, interceptors });
  });

  it('sends through a transport of the options instead', () => {
    const server = withStub();
    watch(new Person(inApp(injectRivulet), {}, {}).fetch$());
    expect(server.lines).toStrictEqual(['GET /person/7']);
  });
});

describe('options of the root that are replaced later', () => {
  it('keep requests going to HttpClient, and the application unstable during them', async () => {
    withHttp();
    const root = inApp(injectRivulet);
    root.options = { fetchOptions: { headers: { 'x-tab': '3' } } };
    const person = new Person(root, {}, {});
    const stable = valuesOf(TestBed.inject(ApplicationRef).isStable);

    watch(person.fetch$());
    const sent = TestBed.inject(HttpTestingController).expectOne('/person/7');
    sent.flush({ name: 'Bob' });
    await TestBed.inject(ApplicationRef).whenStable();

    expect(sent.request.headers.get('x-tab')).toBe('3');
    expect(person.name.value).toBe('Bob');
    expect(stable).toStrictEqual([true, false, true]);
  });

  it('run their around inside the pending task, even one that is assigned by itself', async () => {
    withHttp();
    const root = inApp(injectRivulet);
    const application = TestBed.inject(ApplicationRef);
    const stable = valuesOf(application.isStable);
    const log: [string, boolean | undefined][] = [];
    const noting =
      (name: string): Around =>
      (request$) =>
        defer(() => {
          log.push([name, stable.at(-1)]);
          return request$;
        });
    const fetch = async () => {
      const { subscription } = watch(new Person(root, {}, {}).fetch$());
      log.push(['sent', stable.at(-1)]);
      subscription.unsubscribe();
      await application.whenStable();
    };

    root.options.around = noting('first');
    await fetch();
    root.options = { ...root.options, timeout: 5000 };
    await fetch();
    root.options = { around: noting('second') };
    await fetch();
    root.options = {};
    await fetch();

    expect(log.map(([name]) => name)).toStrictEqual([
      'first',
      'sent',
      'first',
      'sent',
      'second',
      'sent',
      'sent',
    ]);
    expect(log.filter(([, isStable]) => isStable)).toStrictEqual([]);
  });

  it('may set another transport, and return to the usual one', () => {
    const server = new StubServer();
    withHttp();
    const root = inApp(injectRivulet);
    const fetch = () => watch(new Person(root, {}, {}).fetch$());

    root.options.transport = server.transport;
    fetch();
    root.options = { ...root.options };
    fetch();
    root.options = { transport: undefined };
    fetch();

    expect(server.lines).toStrictEqual(['GET /person/7', 'GET /person/7']);
    TestBed.inject(HttpTestingController).expectOne('/person/7');
  });

  it('keep using the platform’s fetch, or a provided transport', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({})));
    const server = new StubServer();
    withHttp(provideRivulet(withFetch()));
    const below = openContext(provideRivulet({ transport: server.transport })).run(injectRivulet);
    const root = inApp(injectRivulet);

    for (const each of [root, below]) each.options = { ...each.options, timeout: 5000 };
    await new Person(root, {}, {}).fetch();
    watch(new Person(below, {}, {}).fetch$());
    for (const each of [root, below]) each.options = {};
    await new Person(root, {}, {}).fetch();
    watch(new Person(below, {}, {}).fetch$());

    expect(fetch).toHaveBeenCalledTimes(2);
    expect(server.lines).toStrictEqual(['GET /person/7', 'GET /person/7']);
  });

  it('may have an around that calls the previous one', () => {
    const server = withStub();
    const root = inApp(injectRivulet);
    const log: string[] = [];
    const noting =
      (name: string, before: Around = (request$) => request$): Around =>
      (request$, context) => {
        log.push(name);
        return before(request$, context);
      };
    root.options.around = noting('inner');
    root.options.around = noting('outer', root.options.around);
    watch(new Person(root, {}, {}).fetch$());
    expect([log, server.lines]).toStrictEqual([['outer', 'inner'], ['GET /person/7']]);
  });
});

describe('withFetch', () => {
  it('sends with the platform’s fetch', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ name: 'Bob' }));
    withHttp(provideRivulet({}, withFetch()));
    const person = new Person(inApp(injectRivulet), {}, {});

    await person.fetch();

    expect(person.name.value).toBe('Bob');
    expect(fetch).toHaveBeenCalledOnce();
    TestBed.inject(HttpTestingController).expectNone(() => true);
  });

  it('may be passed alone', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ name: 'Bob' }));
    withHttp(provideRivulet(withFetch()));
    await new Person(inApp(injectRivulet), {}, {}).fetch();
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('is needed for that: an undefined transport counts as none', () => {
    withHttp(provideRivulet({ transport: undefined }));
    watch(new Person(inApp(injectRivulet), {}, {}).fetch$());
    TestBed.inject(HttpTestingController).expectOne('/person/7');
  });

  it('is not undone by an undefined transport', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ name: 'Bob' }));
    withHttp(provideRivulet({ transport: undefined }, withFetch()));
    await new Person(inApp(injectRivulet), {}, {}).fetch();
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('stays when the options of the root are replaced', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ name: 'Bob' }));
    withHttp(provideRivulet(withFetch()));
    const root = inApp(injectRivulet);
    root.options = {};
    await new Person(root, {}, {}).fetch();
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('does not replace a transport of the options', () => {
    const server = new StubServer();
    withHttp(provideRivulet({ transport: server.transport }, withFetch()));
    watch(new Person(inApp(injectRivulet), {}, {}).fetch$());
    expect(server.lines).toStrictEqual(['GET /person/7']);
  });
});

describe('the application', () => {
  it('is not stable before the answer has been parsed and written', async () => {
    const server = withStub();
    const parsed$ = new Subject<unknown>();
    const person = new Person(inApp(injectRivulet), { parse: () => parsed$ }, {});
    const stable = valuesOf(TestBed.inject(ApplicationRef).isStable);
    const names: string[] = [];

    const answered = person.fetch();
    const whenStable = TestBed.inject(ApplicationRef)
      .whenStable()
      .then(() => names.push(person.name.value));
    server.at(0).ok({});
    expect(stable).toStrictEqual([true, false]);
    parsed$.next({ name: 'Bob' });
    parsed$.complete();
    await answered;
    await whenStable;

    expect(stable).toStrictEqual([true, false, true]);
    expect(names).toStrictEqual(['Bob']);
  });

  it('stays unstable between a write and the next that waits for it', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    watch(person.save$());
    watch(person.save$());
    const stable = valuesOf(TestBed.inject(ApplicationRef).isStable);

    server.at(0).ok();
    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/7']);
    server.at(1).ok();
    await TestBed.inject(ApplicationRef).whenStable();

    expect(stable).toStrictEqual([false, true]);
  });

  it.each<[string, (server: StubServer, person: Person) => void]>([
    ['a success', (server) => server.at(0).ok()],
    ['a refusal', (server) => server.at(0).refuse(500)],
    ['a failure', (server) => server.at(0).fail(new Error('offline'))],
    [
      'a disposal',
      (_, person) => {
        person.dispose();
      },
    ],
  ])('is stable again after %s', async (_, end) => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    watch(person.fetch$());
    const stable = valuesOf(TestBed.inject(ApplicationRef).isStable);
    end(server, person);
    await TestBed.inject(ApplicationRef).whenStable();
    expect(stable).toStrictEqual([false, true]);
  });

  it('is stable again after unsubscribing', async () => {
    withStub();
    const { subscription } = watch(new Person(inApp(injectRivulet), {}, {}).fetch$());
    const stable = valuesOf(TestBed.inject(ApplicationRef).isStable);
    subscription.unsubscribe();
    await TestBed.inject(ApplicationRef).whenStable();
    expect(stable).toStrictEqual([false, true]);
  });

  it.each<[string, Partial<Lib['options']>]>([
    [
      'an option that throws',
      {
        fetchOptions: () => {
          throw new Error('no');
        },
      },
    ],
    ['an around that fails', { around: () => throwError(() => new Error('no')) }],
    [
      'an around that throws',
      {
        around: () => {
          throw new Error('no');
        },
      },
    ],
  ])('is stable again after %s', async (_, options) => {
    withStub(options);
    await expect(new Person(inApp(injectRivulet), {}, {}).fetch()).rejects.toThrow('no');
    const stable = valuesOf(TestBed.inject(ApplicationRef).isStable);
    await TestBed.inject(ApplicationRef).whenStable();
    expect(stable.at(-1)).toBe(true);
  });

  it('is unstable for as long as an around of the options lasts', async () => {
    const log: string[] = [];
    const server = withStub({
      around: (request$, { action }) =>
        defer(() => {
          log.push(action);
          return request$;
        }).pipe(finalize(() => log.push(isStable.at(-1) ? 'stable' : 'not stable'))),
    });
    const person = new Person(inApp(injectRivulet), {}, {});
    const isStable = valuesOf(TestBed.inject(ApplicationRef).isStable);
    watch(person.fetch$());
    server.at(0).ok();
    await TestBed.inject(ApplicationRef).whenStable();
    expect(log).toStrictEqual(['read', 'not stable']);
  });
});
