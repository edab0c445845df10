import { afterEach, describe, expect, it, vi } from 'vitest';

import type { NextPage, Page } from 'rivulet/paging';

import { pageUrl } from '../../lib/paging/page-url';

type Found = Exclude<NextPage, false | 0 | null | undefined>;

/** A page that was requested at one url, and answered from that or another. */
function pageAt(url: string, answeredAt = ''): Page<unknown> {
  const response = Object.defineProperty(new Response(), 'url', { value: answeredAt });
  return { index: 0, items: [], body: [], request: { url } as Page<unknown>['request'], response };
}

const urlAfter = (next: Found, url: string, answeredAt?: string) =>
  pageUrl(next, pageAt(url, answeredAt), '/api/people');

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('query parameters for the next page', () => {
  const withQuery = (url: unknown, next: Found) => pageUrl(next, pageAt('/elsewhere'), url);

  it.each([
    ['/people', { page: 2 }, '/people?page=2'],
    ['/people?', { page: 2 }, '/people?page=2'],
    ['/people?sort=name', { page: 2 }, '/people?sort=name&page=2'],
    ['/people?page=1&sort=name', { page: 2 }, '/people?sort=name&page=2'],
    ['/people?toString=1', { page: 2 }, '/people?toString=1&page=2'],
    ['/people#top', { page: 2 }, '/people?page=2#top'],
    ['https://api.example/people?a=1#top?', { page: 2 }, 'https://api.example/people?a=1&page=2#top?'],
    ['SEARCH /people', { page: 2 }, 'SEARCH /people?page=2'],
    ['?sort=name', { page: 2 }, '?sort=name&page=2'],
    [
      '/people',
      { cursor: 'ä&=+ /', big: 2n, all: true },
      '/people?cursor=%C3%A4%26%3D%2B+%2F&big=2&all=true',
    ],
    ['/people', { 'page[after]': 'x' }, '/people?page%5Bafter%5D=x'],
    [
      '/people?page%5Bafter%5D=w&page[size]=9',
      { 'page[after]': 'x' },
      '/people?page[size]=9&page%5Bafter%5D=x',
    ],
  ])('are set in %o: %o', (url, next, expected) => {
    expect(withQuery(url, next)).toBe(expected);
  });

  it('leave the others as they are written', () => {
    expect(withQuery('/people?f=a,b:c&q=%2C%zz&&flag&q=2', { page: 2 })).toBe(
      '/people?f=a,b:c&q=%2C%zz&flag&q=2&page=2',
    );
  });

  it('are removed by null and undefined', () => {
    expect(withQuery('/people?page=1&sort=name', { page: null, sort: undefined })).toBe('/people');
  });

  it.each([undefined, 7, { read: '/people' }])('leave it to the core to report a url that is %o', (url) => {
    expect(withQuery(url, { page: 2 })).toBe(url);
  });
});

describe('the url that a server names for the next page', () => {
  it.each([
    ['/api/people?page=2', '/api/people?page=2'],
    ['?page=2', '/api/people?page=2'],
    ['people?page=2', '/api/people?page=2'],
    ['../people/2#x', '/people/2#x'],
  ])('is resolved against that of its page, and stays relative: %o', (next, expected) => {
    expect(urlAfter(next, '/api/people')).toBe(expected);
    expect(urlAfter(next, 'https://api.example/api/people')).toBe(`https://api.example${expected}`);
  });

  it('is resolved against where the page was answered from', () => {
    expect(urlAfter('?page=2', 'https://api.example/people', 'https://api.example/v2/people')).toBe(
      'https://api.example/v2/people?page=2',
    );
  });

  it('becomes relative if the page was requested so', () => {
    vi.stubGlobal('location', { href: 'https://app.example/start' });

    expect(urlAfter('https://app.example/api/people?page=2', '/api/people')).toBe('/api/people?page=2');
    expect(urlAfter('?page=2', '/api//people?at=https://api.example')).toBe('/api//people?page=2');
    expect(urlAfter('?page=2', '//api.example/people')).toBe('https://api.example/people?page=2');
  });

  it.each([
    ['https://evil.example/people?token=1', 'https://api.example/people', undefined],
    ['//evil.example/people', 'https://api.example/people', undefined],
    ['http://api.example/people', 'https://api.example/people', undefined],
    ['https://api.example:8443/people', 'https://api.example/people', undefined],
    ['?page=2', 'https://api.example/people', 'https://evil.example/people'],
    // Nothing says what it is relative to.
    ['https://api.example/people', '/people', undefined],
    ['data:application/json,[]', 'https://api.example/people', undefined],
    ['blob:https://api.example/1', 'https://api.example/people', undefined],
    ['javascript:alert(1)', 'capacitor://localhost/people', undefined],
    ['capacitor://other/people', 'capacitor://localhost/people', undefined],
    ['/\\evil.example/people', 'https://api.example/people', undefined],
  ])('is refused if it has another origin: %o', (next, url, answeredAt) => {
    expect(() => urlAfter(next, url, answeredAt)).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTION',
        action: 'read',
        message: expect.stringMatching(
          /^read: the next page is at .+, not at the page's origin: .+"next"$/,
        ) as string,
      }),
    );
  });

  it.each(['/.//evil.example/people', './/..//evil.example/people'])(
    'never becomes another host by its path: %o',
    (next) => {
      expect(urlAfter(next, '/people')).toBe('http://origin.invalid//evil.example/people');
      vi.stubGlobal('location', { href: 'https://app.example/start' });
      expect(urlAfter(next, '/people')).toBe('https://app.example//evil.example/people');
    },
  );

  it.each([
    ['a frame made of text', 'about:srcdoc', 'https://app.example/start'],
    ['a window without a url', 'about:blank', 'https://app.example/start'],
    ['a document with a base', 'https://www.example/', 'https://app.example/v2/'],
  ])('is resolved as fetch does in %s', (_, href, baseURI) => {
    vi.stubGlobal('location', { href });
    vi.stubGlobal('document', { baseURI });

    expect(urlAfter('https://app.example/people?page=2', '/people')).toBe('/people?page=2');
    expect(() => urlAfter('https://www.example/people?page=2', '/people')).toThrow('www.example');
  });

  it('stays relative on a server, wherever the transport has gone', () => {
    for (const next of ['?page=2', 'http://localhost:4200/people?page=2']) {
      expect(urlAfter(next, '/people', 'http://localhost:4200/people')).toBe('/people?page=2');
    }
    expect(urlAfter('?page=2', '/people', '/people')).toBe('/people?page=2');
    expect(() => urlAfter('https://evil.example/', '/people', 'http://localhost:4200/people')).toThrow(
      'evil',
    );
  });

  it('may be that of a native shell, or have a user', () => {
    expect(urlAfter('?page=2', 'capacitor://localhost/people')).toBe('capacitor://localhost/people?page=2');
    vi.stubGlobal('location', { href: 'https://app.example/start' });
    expect(urlAfter('https://u:p@app.example/people?page=2', '/people')).toBe('/people?page=2');
  });

  it('is not repeated in the message, since it may hold a secret', () => {
    expect(() => urlAfter('https://evil.example/people?token=1', '/people')).toThrow(/^((?!token).)*$/);
  });

  it('keeps its query without a path, too', () => {
    vi.stubGlobal('document', { baseURI: 'app://host' });
    expect(urlAfter('?page=2', '?q=1')).toBe('?page=2');
  });

  it('is refused if it is none', () => {
    expect(() => urlAfter('http://', 'https://api.example/people')).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTION',
        action: 'read',
        message:
          'read: the next page has a url that is none: "next" must return one, query parameters, or nothing',
      }),
    );
  });

  it('is requested whatever its origin if it is a URL object', () => {
    const url = new URL('https://other.example/people?page=2');

    expect(urlAfter(url, '/api/people')).toBe(url.href);
    expect(pageUrl(url, pageAt('/api/people'), 'SEARCH /api/people')).toBe(`SEARCH ${url.href}`);
  });
});
