import { describe, expect, it, vi } from 'vitest';

import { originOf, ownOrigin } from '../../lib/resilience/origin';

function onPage(href: string, baseURI = href): void {
  vi.stubGlobal('location', { href });
  vi.stubGlobal('document', { baseURI });
}

describe('the origin of a url', () => {
  it.each([
    ['https://api.example.org/people', 'https://api.example.org'],
    ['https://api.example.org:443/people', 'https://api.example.org'],
    ['https://user:secret@api.example.org/', 'https://api.example.org'],
    ['HTTP://API.example.org:8080', 'http://api.example.org:8080'],
    ['https://page.example.org@evil.example/', 'https://evil.example'],
    ['data:,x', undefined],
    ['/people', undefined],
    ['', undefined],
    ['http://', undefined],
  ])('%s is %s without a page', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });

  it.each([
    ['/people', 'https://page.example.org'],
    ['people', 'https://page.example.org'],
    ['?page=2', 'https://page.example.org'],
    ['//evil.example/people', 'https://evil.example'],
    ['/\\evil.example/people', 'https://evil.example'],
    ['\t//evil.example', 'https://evil.example'],
    ['http://page.example.org', 'http://page.example.org'],
  ])('%s is %s on a page', (url, origin) => {
    onPage('https://page.example.org/a/b');
    expect(originOf(url)).toBe(origin);
  });

  it('of a relative one follows the base url of the document', () => {
    onPage('https://page.example.org/', 'https://cdn.example/');
    expect(originOf('people')).toBe('https://cdn.example');
  });

  it('is that of a worker, which has no document', () => {
    vi.stubGlobal('location', { href: 'https://page.example.org/worker.js' });
    expect(originOf('/people')).toBe('https://page.example.org');
  });
});

describe('ownOrigin', () => {
  it.each([
    ['https://page.example.org/a', 'https://page.example.org'],
    ['about:blank', undefined],
    ['file:///index.html', undefined],
  ])('of a page at %s is %s', (href, origin) => {
    onPage(href);
    expect(ownOrigin()).toBe(origin);
  });

  it('is undefined without a page', () => {
    expect(ownOrigin()).toBeUndefined();
  });
});
