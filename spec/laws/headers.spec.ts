import fc from 'fast-check';
import { describe } from 'vitest';

import type { FetchOptions } from 'rivulet';

import { withPerson } from '../person';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';

type Pairs = readonly (readonly [name: string, value: string | undefined])[];

/** Headers as passed in, and as pairs of name and value. */
interface Level {
  readonly given: FetchOptions['headers'];
  readonly pairs: Pairs;
}

/** The forms of headers; only an object may hold undefined. */
const forms = {
  pairs(pairs: Pairs): Level {
    const given = pairs.flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    return { given, pairs: given };
  },
  headers(pairs: Pairs): Level {
    const { given } = forms.pairs(pairs);
    return { given: new Headers(given as [string, string][]), pairs };
  },
  object(pairs: Pairs): Level {
    const given = Object.freeze(Object.fromEntries(pairs)) as Record<string, string | undefined>;
    return { given, pairs: Object.entries(given) };
  },
};

const name = fc.constantFrom('x-a', 'X-A', 'x-B', 'X-b', 'Content-Type', 'content-type');
const value = fc.constantFrom('1', '2', '3', 'a, b', 'text/plain', undefined);
const level = fc
  .tuple(fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])), fc.array(fc.tuple(name, value)))
  .map(([form, pairs]) => forms[form](pairs));

/** The headers of one level: the values of a name that occurs twice, in any case, are joined. */
function joined(pairs: Pairs): Map<string, string> {
  const all = new Map<string, string>();
  for (const [title, text] of pairs) {
    const key = title.toLowerCase();
    const former = all.get(key);
    if (text !== undefined) all.set(key, former === undefined ? text : `${former}, ${text}`);
  }
  return all;
}

describe('headers', () => {
  law(
    'of three levels are merged by name, and the nearest wins',
    [level, level, level],
    (global, configured, called) => {
      const { root, person, server } = withPerson({
        config: { fetchOptions: { headers: configured.given } },
      });
      root.options.fetchOptions = { headers: global.given };

      watch(person.save$({ headers: called.given }));

      const expected = new Map([
        ['content-type', 'application/json'],
        ...[global, configured, called].flatMap(({ pairs }) => [...joined(pairs)]),
      ]);
      same(new Map(server.at(0).request.headers), expected);
    },
  );
});
