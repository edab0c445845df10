import fc from 'fast-check';
import { describe } from 'vitest';

import { retryAfter } from '../../lib/resilience/retry-after';

import { law } from './law';
import { same } from './same';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A date in the three forms of RFC 9110 §5.6.7. */
function print(date: Date): { today: string; rfc850: string; asctime: string } {
  const today = date.toUTCString();
  const [, dd = '', month = '', yyyy = '', time = ''] = today.split(' ');
  const dayName = days[date.getUTCDay()] ?? '';
  return {
    today,
    rfc850: `${dayName}, ${dd}-${month}-${yyyy.slice(2)} ${time} GMT`,
    asctime: `${dayName.slice(0, 3)} ${month} ${dd.replace(/^0/, ' ')} ${time} ${yyyy}`,
  };
}

describe('a Retry-After', () => {
  const second = (from: string, to: string) =>
    fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }).map((date) => {
      date.setUTCMilliseconds(0);
      return date;
    });

  law(
    'with a four-digit year is understood in both forms of a date',
    [second('1000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'), fc.nat(2 ** 45)],
    (date, present) => {
      const wait = Math.max(0, date.getTime() - present);
      const { today, asctime } = print(date);
      same(
        [today, asctime].map((text) => retryAfter(text, present)),
        [wait, wait],
      );
    },
  );

  law(
    'with a two-digit year is understood from 49 years before to 50 after',
    [second('1990-01-01T00:00:00Z', '2120-12-31T23:59:59Z'), fc.integer({ min: -49, max: 50 })],
    (date, years) => {
      const present = new Date(date);
      present.setUTCDate(1);
      present.setUTCFullYear(date.getUTCFullYear() - years);
      const wait = Math.max(0, date.getTime() - present.getTime());
      same(retryAfter(print(date).rfc850, present.getTime()), wait);
    },
  );

  law(
    'is a wait of 0 or more, or NaN, whatever the text',
    [
      fc.oneof(
        fc.string(),
        fc.stringMatching(/^[A-Z][a-z]{2,8},? \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8}( GMT)?$/),
        fc.stringMatching(/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/),
        fc.stringMatching(/^[A-Z][a-z]{2}, [0-3]\d (Jan|Feb|Apr|Dec) \d{4} [0-2]\d:[0-6]\d:[0-6]\d GMT$/),
      ),
      fc.nat(2 ** 45),
    ],
    (text, present) => {
      const wait = retryAfter(text, present);
      same(wait >= 0 || Number.isNaN(wait), true);
    },
  );
});
