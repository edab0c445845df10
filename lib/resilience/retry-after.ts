/**
 * How long a server asks to wait by `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date.
 *
 * @param text The value of the header.
 * @param now The present time, in milliseconds since 1970.
 * @returns Milliseconds, 0 or more, 0 for a date that has passed; undefined for a text that is neither.
 */
export function retryAfter(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = dateOf(text, now);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * An HTTP-date (RFC 9110 §5.6.7) in milliseconds since 1970; NaN for anything else, such as a 30th of February.
 *
 * Its two old forms are put into that of today, the one that ECMAScript promises both to read and to write: only what it
 * writes as it stands is a date.
 */
function dateOf(text: string, now: number): number {
  const today = text
    // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
    .replace(
      /^([A-Z][a-z]{2})[a-z]{3,6}, (\d\d)-(\w{3})-(\d\d) /,
      (_, name: string, day: string, month: string, year: string) =>
        `${name}, ${day} ${month} ${fullYear(Number(year), now)} `,
    )
    // asctime: Sun Nov  6 08:49:37 1994
    .replace(
      /^(\w{3}) (\w{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/,
      (_, name: string, month: string, day: string, time: string, year: string) =>
        `${name}, ${day.replace(' ', '0')} ${month} ${year} ${time} GMT`,
    );
  const date = new Date(today);
  return date.toUTCString() === today ? date.getTime() : NaN;
}

/** The year that two digits stand for: the last one that is not more than 50 years ahead. */
function fullYear(digits: number, now: number): number {
  const last = new Date(now).getUTCFullYear() + 50;
  return last - ((last - digits) % 100);
}
