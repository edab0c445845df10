import { describe, expect, it } from 'vitest';

import { nextLink } from 'rivulet/paging';

const nextIn = (link?: string) =>
  nextLink({ response: new Response(null, { headers: link === undefined ? {} : { link } }) });

describe('nextLink', () => {
  it.each([
    ['alone', '<https://api.example/people?page=2>; rel="next"'],
    [
      'among others, as GitHub sends it',
      '<https://api.example/people?page=9>; rel="last", <https://api.example/people?page=2>; rel="next"',
    ],
    ['with a token for its relation', '<https://api.example/people?page=2>;rel=next'],
    ['with several relations', '<https://api.example/people?page=2>; rel="last  NEXT"'],
    [
      'with other parameters',
      '<https://api.example/people?page=2>; title="a, \\"b\\"; c"; hreflang=de ; REL = "next"; x',
    ],
    [
      'behind a target with punctuation',
      '<https://api.example/a,b;rel="next">; rel=self, <https://api.example/people?page=2>; rel=next',
    ],
    [
      'first of two',
      '<https://api.example/people?page=2>; rel=next, <https://api.example/people?page=3>; rel=next',
    ],
  ])('is the url of the link %s', (_, link) => {
    expect(nextIn(link)).toBe('https://api.example/people?page=2');
  });

  it.each(['/people?page=2', '?page=2', ''])('is %o as it stands there', (url) => {
    expect(nextIn(`<${url}>; rel="next"`)).toBe(url);
  });

  it.each([
    ['without the header', undefined],
    ['in an empty one', ''],
    ['without that relation', '<https://api.example/people?page=1>; rel="prev"'],
    ['without any', '<https://api.example/people?page=1>'],
    ['if it is only part of a word', '<https://api.example/people?page=1>; rel="next-archive nextish"'],
    ['if another parameter says it', '<https://api.example/people?page=1>; title="rel=next"; rev=next'],
    [
      'if a later relation says it, which does not count',
      '<https://api.example/people?page=1>; rel=prev; rel=next',
    ],
    ['if it is one of something else', '<https://api.example/people?page=1>; rel=next; anchor="/groups"'],
    [
      'if it is one of something else, in other spacing',
      '<https://api.example/people?page=1>;rel=next;Anchor = x',
    ],
    ['if a title says it', '<https://api.example/people?page=1>; title="x; rel=next"; rel=prev'],
    ['in what is no link', 'next, rel="next", <https://api.example'],
  ])('is undefined %s', (_, link) => {
    expect(nextIn(link)).toBeUndefined();
  });

  // Where the time grows with the square of the length, these take minutes.
  it.each([
    ['blanks before what is no parameter', `<a>;b${' '.repeat(500_000)}x`],
    ['parameters', '<a>;b'.repeat(100_000)],
    ['blanks in parameters', `<a>${`;${' '.repeat(250_000)}b`.repeat(2)}`],
    ['links that do not end', '<'.repeat(500_000)],
    ['text that does not end', `<a>; title="${'\\'.repeat(500_000)}`],
    ['texts that do not end', '<a>;b="'.repeat(100_000)],
    ['relations', `<a>;rel="${'b '.repeat(250_000)}"`],
  ])('is found as fast among many %s', (_, link) => {
    expect(nextIn(`${link}, <?page=2>; rel=next`)).toSatisfy((url) => url === undefined || url === '?page=2');
  });
});
