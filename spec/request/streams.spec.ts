import { firstValueFrom, of, toArray } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { isAsync, streamOf, streamToEnd } from '../../lib/request/streams';

const allOf = (source: Observable<unknown>) => firstValueFrom(source.pipe(toArray()));

async function* generated() {
  yield await Promise.resolve(1);
  yield 2;
}

/** What `await` takes, and RxJS does not: its `then` returns nothing. */
const thenable = {
  then: (resolve: (value: number) => void) => {
    resolve(1);
  },
};

describe('isAsync', () => {
  it.each([
    ['a promise', Promise.resolve()],
    ['a thenable', thenable],
    ['an Observable', of(1)],
    ['a generator', generated()],
  ])('holds for %s', (_, value) => {
    expect(isAsync(value)).toBe(true);
  });

  it.each([[undefined], [null], ['text'], [[1]], [new Map()], [{ then: 1, subscribe: true }], [() => 1]])(
    'does not hold for %o',
    (value) => {
      expect(isAsync(value)).toBe(false);
    },
  );
});

describe.each([
  ['streamOf', streamOf as (given: unknown) => Observable<unknown>],
  ['streamToEnd', streamToEnd],
])('%s', (_, stream) => {
  it.each([['text'], [[1, 2]], [undefined], [{ id: 1 }]])('emits %o as it is', async (value) => {
    expect(await allOf(stream(value))).toStrictEqual([value]);
  });

  it('emits what a promise, a thenable, a stream or a generator brings', async () => {
    expect(await allOf(stream(Promise.resolve(1)))).toStrictEqual([1]);
    expect(await allOf(stream(thenable))).toStrictEqual([1]);
    expect(await allOf(stream(of(1, 2)))).toStrictEqual([1, 2]);
    expect(await allOf(stream(generated()))).toStrictEqual([1, 2]);
  });

  // A promise of it would bring it again, without end.
  it('takes nothing for a promise whose `then` is no function', async () => {
    expect(await allOf(stream(Object.assign(generated(), { then: undefined })))).toStrictEqual([1, 2]);
  });
});

it('streamToEnd follows a promise of a stream', async () => {
  expect(await allOf(streamToEnd(Promise.resolve(of(Promise.resolve(1), 2))))).toStrictEqual([1, 2]);
});
