/**
 * How long a server asks to wait by `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date.
 *
 * @param text The value of the header.
 * @param now The present time, in milliseconds since 1970.
 * @returns Milliseconds, 0 or more, 0 for a date that has passed; NaN for any other text.
 */
export const retryAfter = (text: string, now: number): number =>
  /^\d+$/.test(text) ? Number(text) * 1000 : Math.max(0, dateOf(text, now) - now);

/**
 * An HTTP-date (RFC 9110 §5.6.7) in milliseconds since 1970; NaN for anything else, such as a 30th of February.
 *
 * The two obsolete forms are converted to the current one, which ECMAScript guarantees to read and to write: only text that
 * it writes back unchanged is a date.
 */
function dateOf(text: string, now: number): number {
  // A two-digit year stands for the last such year at most 50 years ahead.
  const lastYear = new Date(now).getUTCFullYear() + 50;
  const today = text
    // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
    .replace(
      /^(\w{3})\w+(, \d\d)-(\w{3})-(\d\d) /,
      (_, name: string, day: string, month: string, year: string) =>
        `${name}${day} ${month} ${lastYear - ((lastYear - Number(year)) % 100)} `,
    )
    // asctime: Sun Nov  6 08:49:37 1994
    .replace(/^(\w{3} \w{3})  /, '$1 0')
    .replace(/^(\w{3}) (\w{3}) (\d\d) ([\d:]{8}) (\d{4})$/, '$1, $3 $2 $5 $4 GMT');
  const date = Date.parse(today);
  return new Date(date).toUTCString() === today ? date : NaN;
}
