import {
  HttpClient,
  HttpErrorResponse,
  HttpHeaders,
  HttpResponse,
  provideHttpClient,
  withInterceptors,
} from '@angular/common/http';
import type { HttpInterceptorFn } from '@angular/common/http';
import { HttpTestingController } from '@angular/common/http/testing';
import type { TestRequest } from '@angular/common/http/testing';
import { Injector } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { of, tap, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { injectRivulet } from 'rivulet/angular';

import { httpTransport } from '../../lib/angular/transport';
import { Person } from '../person';
import { watch } from '../watch';

import { inApp, withHttp } from './test-bed';

/** A person of the application, and where its requests arrive. */
function withPerson(...interceptors: HttpInterceptorFn[]): { person: Person; next: () => TestRequest } {
  withHttp(provideHttpClient(withInterceptors(interceptors)));
  const http = TestBed.inject(HttpTestingController);
  return { person: new Person(inApp(injectRivulet), {}, {}), next: () => http.expectOne(() => true) };
}

describe('a request', () => {
  it('goes through HttpClient, where interceptors see it', () => {
    const { person, next } = withPerson((request, handle) =>
      handle(request.clone({ setHeaders: { authorization: 'Bearer 1' } })),
    );

    watch(person.save$({ headers: { 'x-tab': '3' } }));

    const { request } = next();
    expect(`${request.method} ${request.urlWithParams}`).toBe('PUT /person/7');
    expect(request.body).toBe('{"id":7,"name":"Ann","address":{"city":"Bonn"}}');
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(request.headers.get('x-tab')).toBe('3');
    expect(request.headers.get('authorization')).toBe('Bearer 1');
  });

  it.each([
    ['cache', 'no-store'],
    ['mode', 'same-origin'],
    ['redirect', 'error'],
    ['keepalive', true],
    ['priority', 'high'],
    ['referrer', 'about:client'],
    ['referrerPolicy', 'origin'],
    ['integrity', 'sha256-abc'],
  ] as const)('passes on the option %s', (option, value) => {
    const { person, next } = withPerson();
    watch(person.fetch$({ [option]: value }));
    expect(next().request[option]).toBe(value);
  });

  it.each([
    ['include', { withCredentials: true, credentials: undefined }],
    ['omit', { withCredentials: false, credentials: 'omit' }],
    // The default of both backends; set explicitly, it would keep answers out of the transfer cache.
    ['same-origin', { withCredentials: false, credentials: undefined }],
  ] as const)('passes on the credentials %s as %o', (credentials, sent) => {
    const { person, next } = withPerson();
    watch(person.fetch$({ credentials }));
    const { withCredentials, credentials: mode } = next().request;
    expect({ withCredentials, credentials: mode }).toStrictEqual(sent);
  });

  it.each<[string, () => BodyInit]>([
    ['FormData', () => new FormData()],
    ['a Blob', () => new Blob(['x'])],
    ['URLSearchParams', () => new URLSearchParams('a=1')],
    ['an ArrayBuffer', () => new ArrayBuffer(2)],
    ['text', () => '<person/>'],
  ])('passes on a body of %s unchanged', (_, make) => {
    const { person, next } = withPerson();
    const body = make();
    watch(person.save$({ body }));
    expect(next().request.body).toBe(body);
  });

  it.each<[string, ArrayBufferView<ArrayBuffer>]>([
    ['a typed array', new Uint8Array([104, 105])],
    ['a part of a buffer', new Uint8Array([65, 104, 105]).subarray(1)],
    ['a DataView', new DataView(new Uint8Array([104, 105]).buffer)],
  ])('sends the bytes of %s', async (_, body) => {
    const { person, next } = withPerson();
    watch(person.save$({ body }));
    await expect((next().request.serializeBody() as Blob).text()).resolves.toBe('hi');
  });

  it('is refused with a stream as its body, which HttpClient would send as {}', async () => {
    const { person } = withPerson();
    await expect(person.save({ body: new ReadableStream() })).rejects.toThrow(/withFetch\(\)/);
    TestBed.inject(HttpTestingController).expectNone(() => true);
  });

  it.each([
    ['a read', 'fetch$', '/person', null],
    ['a write to its own origin', 'save$', '/person', 'abc'],
    ['a write to another origin', 'save$', 'https://elsewhere.example/person', null],
  ] as const)(
    'carries the XSRF token only if it is a write to its own origin: %s',
    (_name, method, url, token) => {
      document.cookie = 'XSRF-TOKEN=abc';
      withHttp(provideHttpClient());
      const person = new Person(inApp(injectRivulet), { url }, {});

      watch(person[method]());

      const { request } = TestBed.inject(HttpTestingController).expectOne(() => true);
      expect(request.headers.get('x-xsrf-token')).toBe(token);
    },
  );

  it('fails if HttpClient is not provided, and says what to add', async () => {
    withHttp({ provide: HttpClient, useValue: null });
    const person = new Person(inApp(injectRivulet), {}, {});
    await expect(person.fetch()).rejects.toThrow('requests need provideHttpClient()');
  });

  it('fails in the same way where the injector knows no HttpClient, as in older versions of Angular', async () => {
    const person = new Person(createLib({ transport: httpTransport(Injector.NULL) }), {}, {});
    await expect(person.fetch()).rejects.toThrow('requests need provideHttpClient()');
  });
});

describe('an answer', () => {
  it('is a Response, and its data is written at once', async () => {
    const { person, next } = withPerson();
    const { responses } = watch(person.fetch$());

    next().flush({ name: 'Bob' }, { status: 203, statusText: 'From memory', headers: { etag: '"1"' } });

    expect(person.name.value).toBe('Bob');
    const [response] = responses;
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, status: 203, statusText: 'From memory', url: '/person/7' });
    expect(response?.headers.get('etag')).toBe('"1"');
    await expect(response?.json()).resolves.toStrictEqual({ name: 'Bob' });
  });

  it('keeps all values of a header', () => {
    const headers = new HttpHeaders().append('link', '<a>').append('link', '<b>');
    const { person } = withPerson(() => of(new HttpResponse({ headers, body: '{}' })));
    const { responses } = watch(person.fetch$());
    expect(responses[0]?.headers.get('link')).toBe('<a>,<b>');
  });

  it.each([204, 205, 304])('with status %i has no body, whatever was received', async (status) => {
    const answer = { status, headers: new HttpHeaders(), url: '/' };
    const { person } = withPerson(() =>
      status === 304
        ? throwError(() => new HttpErrorResponse({ ...answer, error: 'x' }))
        : of(new HttpResponse({ ...answer, body: 'x' })),
    );
    const response = await person.save();
    expect(response).toMatchObject({ status, body: null });
    expect(person.name.value).toBe('Ann');
  });

  it.each(['', null])('without content (%o) is a success without data', (content) => {
    const { person, next } = withPerson();
    person.name.next('Bob');
    const { responses } = watch(person.save$());
    next().flush(content, { status: 200, statusText: 'OK' });
    expect(responses[0]).toMatchObject({ ok: true, body: null });
    expect(person.isDirty$.value).toBe(false);
  });

  it('may be returned by an interceptor as data, without a url', () => {
    const { person } = withPerson(() => of(new HttpResponse({ body: { name: 'Bob' } })));
    const { responses } = watch(person.fetch$());
    expect(person.name.value).toBe('Bob');
    expect(responses[0]?.url).toBe('');
  });

  it.each([300, 422])('that refuses with %i resolves, writes nothing, and can be read', async (status) => {
    const { person, next } = withPerson();
    const answered = person.save();

    next().flush({ name: 'Bob' }, { status, statusText: 'No' });

    const response = await answered;
    expect(response).toMatchObject({ ok: false, status, statusText: 'No' });
    await expect(response.json()).resolves.toStrictEqual({ name: 'Bob' });
    expect(person.name.value).toBe('Ann');
  });

  it('reaches the interceptors of the root with its data, a refusal without', () => {
    const { person, next } = withPerson();
    const bodies: unknown[] = [];
    inApp(injectRivulet).options.interceptors = [
      (request, handle) => handle(request).pipe(tap(({ body }) => bodies.push(body))),
    ];
    watch(person.fetch$());
    next().flush({ name: 'Bob' });
    watch(person.fetch$());
    next().flush({ name: 'Cid' }, { status: 500, statusText: '' });
    expect(bodies).toStrictEqual([{ name: 'Bob' }, undefined]);
  });

  it('that is not JSON fails a read with PARSE', async () => {
    const { person, next } = withPerson();
    const answered = person.fetch();
    next().flush('<html>');
    await expect(answered).rejects.toMatchObject({ code: 'PARSE', response: { status: 200 } });
  });

  it('may have the prefix that keeps JSON from being run as a script', async () => {
    const { person, next } = withPerson();
    const answered = person.fetch();
    next().flush(`)]}',\n{"name":"Bob"}`);
    await answered;
    expect(person.name.value).toBe('Bob');
  });
});

describe('a failure', () => {
  it('to reach the server is that of fetch, with Angular’s as its cause', async () => {
    const { person, next } = withPerson();
    const answered = person.fetch();
    next().error(new ProgressEvent('error'));
    const error = await answered.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe('Failed to fetch');
    expect((error as Error).cause).toBeInstanceOf(HttpErrorResponse);
  });

  it('to read an ok answer is a failure, not a success with the error as its data', async () => {
    const cut = new HttpErrorResponse({ status: 200, error: new TypeError('cut') });
    const { person } = withPerson(() => throwError(() => cut));
    await expect(person.fetch()).rejects.toMatchObject({ name: 'TypeError', cause: cut });
  });

  it('of an interceptor passes through unchanged', async () => {
    const failure = new Error('no token');
    const { person } = withPerson(() => throwError(() => failure));
    await expect(person.fetch()).rejects.toBe(failure);
  });
});

describe('unsubscribing', () => {
  it('aborts the request', () => {
    const { person, next } = withPerson();
    const { subscription } = watch(person.fetch$());
    const sent = next();
    subscription.unsubscribe();
    expect(sent.cancelled).toBe(true);
  });

  it('happens when the signal of the call is aborted', () => {
    const { person, next } = withPerson();
    const abort = new AbortController();
    watch(person.fetch$({ signal: abort.signal }));
    const sent = next();
    abort.abort();
    expect(sent.cancelled).toBe(true);
  });
});
