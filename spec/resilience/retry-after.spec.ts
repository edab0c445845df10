import { describe, expect, it } from 'vitest';

import { retryAfter } from '../../lib/resilience/retry-after';

const now = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    ['0120', 120_000],
    ['9'.repeat(400), Infinity],
  ])('of %s is a number of seconds', (text, milliseconds) => {
    expect(retryAfter(text, now)).toBe(milliseconds);
  });

  it.each([
    ['as in HTTP today', 'Sat, 21 Nov 2026 12:01:30 GMT'],
    ['as in RFC 850', 'Saturday, 21-Nov-26 12:01:30 GMT'],
    ['as asctime in C', 'Sat Nov 21 12:01:30 2026'],
  ])('is a date written %s', (_form, text) => {
    expect(retryAfter(text, now)).toBe(90_000);
  });

  it('has a one-digit day after a blank if written as asctime in C', () => {
    expect(retryAfter('Tue Dec  1 12:00:00 2026', now)).toBe(10 * day);
  });

  it('of a past date is no wait', () => {
    expect(retryAfter('Sun, 06 Nov 1994 08:49:37 GMT', now)).toBe(0);
  });

  it.each([
    ['Saturday, 21-Nov-76 00:00:00 GMT', '2076-11-21'],
    ['Monday, 21-Nov-77 00:00:00 GMT', '1977-11-21'],
    ['Sunday, 22-Nov-26 00:00:00 GMT', '2026-11-22'],
  ])('of %s is a date in %s: the last such year that is not more than 50 years ahead', (text, date) => {
    expect(retryAfter(text, now)).toBe(Math.max(0, Date.parse(date) - now));
  });

  it('with a year of two digits may be in the next century', () => {
    const present = Date.parse('1999-12-31T23:59:00Z');
    expect(retryAfter('Saturday, 01-Jan-00 00:00:00 GMT', present)).toBe(60_000);
  });

  it.each([
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '5, 10',
    '٣',
    'Sat, 21 Nov 2026 12:01:30',
    'Sat, 21 Nov 2026 12:01:30 UTC',
    'sat, 21 nov 2026 12:01:30 gmt',
    'Sat, 21 Foo 2026 12:01:30 GMT',
    'Mon, 30 Feb 2026 12:00:00 GMT',
    'Mon, 02 Mar 2026 12:00:00',
    'Sun, 21 Nov 2026 12:01:30 GMT',
    'Sunday, 21-Nov-26 12:01:30 GMT',
    'Thu, 31 Dec 2026 23:59:60 GMT',
    'Invalid Date',
    'Mon, 00 Jan 2027 12:00:00 GMT',
    'Sat, 21 Nov 2026 24:00:00 GMT',
    'Sat, 21 Nov 2026 12:60:00 GMT',
    'Sat, 21 Nov 2026 12:00:61 GMT',
    'Sat, 21 Nov 2026 1:01:30 GMT',
    'Saturday, 21-Nov-2026 12:01:30 GMT',
    '2026-11-21T12:01:30Z',
  ])('of %j is ignored', (text) => {
    expect(retryAfter(text, now)).toBeNaN();
  });

  it.each(['9', 'A', ' ', 'Sat, ', '12:01:30'])('of a million times %j is parsed at once', (part) => {
    const text = `${part.repeat(1_000_000)}!`;
    const begin = performance.now();
    expect(retryAfter(text, now)).toBeNaN();
    // Some milliseconds; a backtracking pattern would take hours.
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});
