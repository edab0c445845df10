import fc from 'fast-check';
import { describe } from 'vitest';

import { codePoint } from '../code-point';
import { withPerson } from '../person';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';

/** Any text: of code points, of code units, and of characters with a meaning in a url or a replacement. */
const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(
      fc.constantFrom(
        '.',
        '/',
        '\\',
        '?',
        '#',
        '%',
        '%2e',
        '..',
        ':',
        ':name',
        '$&',
        '@',
        '\r\n',
        '\t',
        ' ',
        '+',
        '=',
      ),
    )
    .map((parts) => parts.join('')),
);

/** Whether a text cannot be part of a url: no form of it would be decoded to the same text. */
const isUnfit = (value: string): boolean => value === '.' || value === '..' || /\p{Surrogate}/u.test(value);

const word = fc.constantFrom('a', 'people', 'x-1', 'b_~', 'name');
const segment = fc.oneof(word, fc.constantFrom('12:30', 'a.b', '%20', 'items:all'));
const parameter = fc
  .tuple(word, fc.constantFrom('', '1', '12:30', 'a/b', '?', 'x:y'))
  .map((pair) => pair.join('='));

/** A url in its parts. */
const parts = fc.record({
  origin: fc.constantFrom('', 'http://a.test', 'https://a.test:8080', '//b.test', 'HTTP://u:p@a.test:1'),
  path: fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`),
  slashes: fc.constantFrom('', '/', '//'),
  query: fc.array(parameter, { maxLength: 2 }).map((pairs) => (pairs.length ? `?${pairs.join('&')}` : '')),
  fragment: fc.constantFrom('', '#', '#part', '#/a/../b?c'),
});

/** A url as a server parses it. */
function read(url: string) {
  const { origin, pathname, search, hash } = new URL(url, 'http://base.test');
  return { origin, segments: pathname.slice(1).split('/').map(decodeURIComponent), search, hash };
}

/** Fetches a person; returns the urls sent, or the code of the failure. */
function fetched(
  url: string,
  values: { readonly id?: string; readonly name?: string; readonly city?: string },
) {
  const { person, server } = withPerson({ config: { url }, values });
  const { error } = watch(person.fetch$());
  const code = (error as { readonly code?: string } | undefined)?.code;
  return { sent: server.held.map(({ request }) => request.url), code };
}

describe('a url', () => {
  law(
    'takes any id as one more segment, which decodes to the id',
    [parts, text],
    ({ origin, path, slashes, query, fragment }, id) => {
      const { sent, code } = fetched(origin + path + slashes + query + fragment, { id });

      same(code, id === '' ? 'NO_ID' : isUnfit(id) ? 'BAD_ID' : undefined);
      const before = read(origin + path + query + fragment);
      same(sent.map(read), code ? [] : [{ ...before, segments: [...before.segments, id] }]);
    },
  );

  law(
    'takes any value as one segment or one value of the query',
    [parts, text, text],
    ({ origin, path, query, fragment }, name, city) => {
      const search = `${query || '?'}&x=`;
      const { sent, code } = fetched(`${origin}${path}/:name${path}${search}:address.city${fragment}`, {
        name,
        city,
      });

      same(code, [name, city].some((value) => value === '' || isUnfit(value)) ? 'BAD_OPTION' : undefined);
      const before = read(origin + path + search + fragment);
      const segments = [...before.segments, name, ...before.segments, '7'];
      const readBack = sent.map(read).map(({ search: whole, ...rest }) => ({
        ...rest,
        search: whole.slice(0, before.search.length),
        value: decodeURIComponent(whole.slice(before.search.length)),
      }));
      same(readBack, code ? [] : [{ ...before, segments, value: city }]);
    },
  );
});
