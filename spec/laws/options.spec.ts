import fc from 'fast-check';
import { describe } from 'vitest';

import type { FetchOptions, FetchOptionsSource, RequestOptions } from 'rivulet';

import { withPerson } from '../person';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';

/** Options that are passed to `fetch` unchanged. */
const passed: fc.Arbitrary<RequestOptions> = fc.record(
  {
    method: fc.constantFrom('get', 'PATCH', undefined),
    cache: fc.constantFrom('no-store' as const, 'reload' as const, undefined),
    credentials: fc.constantFrom('omit' as const, 'include' as const, undefined),
    keepalive: fc.constantFrom(true, false, undefined),
    referrer: fc.constantFrom('', '/from', undefined),
    body: fc.constantFrom('text', '', null, undefined),
    window: fc.constantFrom(null, undefined),
  },
  { requiredKeys: [] },
);

/** The library's own options. */
const ours: fc.Arbitrary<RequestOptions> = fc.record(
  {
    attrs: fc.constant({ name: 'given' }),
    keepEdits: fc.boolean(),
    patch: fc.boolean(),
    rollback: fc.constant('both' as const),
    timeout: fc.constantFrom(1000, undefined),
    writeResponse: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Inherited options, which do not count. */
const foreign = { method: 'DELETE', cache: 'force-cache', keepalive: true, mode: 'cors' };

/** A level: frozen, so that writing to it throws. */
const level = (...prototypes: readonly object[]) =>
  fc
    .tuple(passed, ours, fc.constantFrom(...prototypes))
    .map(([own, library, inherited]) =>
      Object.freeze<RequestOptions>(Object.assign(Object.create(inherited) as object, own, library)),
    );

/** The options of a call, which must be a plain object. */
const called = level(Object.prototype);

/** The fetch options of a configuration or of the root, and whether a callback returns them. */
const source = fc.tuple(level(Object.prototype, foreign), fc.boolean());

const asGiven = ([options, isCallback]: [FetchOptions, boolean]): FetchOptionsSource =>
  isCallback ? () => options : options;

/** For each key, the value of the nearest level that defines it; without the library's own keys. */
function nearest(levels: readonly FetchOptions[]): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [key, value] of levels.flatMap((options) => Object.entries(options))) {
    if (value !== undefined && !ourKeys.includes(key)) all[key] = value;
  }
  return all;
}

const ourKeys = ['attrs', 'keepEdits', 'patch', 'rollback', 'timeout', 'writeResponse'];

describe('options', () => {
  law(
    'of three levels replace one another key by key, the nearest wins',
    [source, source, called],
    (global, configured, options) => {
      const { root, person, server } = withPerson({ config: { fetchOptions: asGiven(configured) } });
      root.options.fetchOptions = asGiven(global);

      watch(person.save$(options)).subscription.unsubscribe();

      const { url, headers, signal, ...given } = server.at(0).request;
      const { method, ...expected } = nearest([global[0], configured[0], options]);
      // The method of a call, including its `patch`, comes before a configured method.
      const word = options.method ?? (options.patch ? 'patch' : ((method as string | undefined) ?? 'put'));
      const sent = word.toUpperCase();
      const data = options.attrs ?? (options.patch ? {} : person.get());
      const body = sent === 'GET' ? {} : { body: JSON.stringify(data) };
      same(given, { method: sent, ...body, ...expected });
      same(
        [url, [...headers.keys()], signal.aborted],
        ['/person/7', 'body' in expected || sent === 'GET' ? [] : ['content-type'], true],
      );
    },
  );
});
