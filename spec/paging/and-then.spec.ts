import { EMPTY, Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { andThen, isAsync, toEnd } from '../../lib/paging/and-then';

const twice = (value: unknown) => Number(value) * 2;

/** All that comes of a value, and how it ends. */
async function comesOf(value: unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  await new Promise<void>((resolve) => {
    const source = value as Observable<unknown>;
    source.subscribe({
      next: (each) => seen.push(each),
      error: (error: unknown) => {
        seen.push(error);
        resolve();
      },
      complete: resolve,
    });
  });
  return seen;
}

describe('andThen', () => {
  it.each([[2], [null], [undefined], ['2'], [[1]]])('continues at once with %o', (value) => {
    expect(andThen(value, (given) => [given])).toStrictEqual([value]);
  });

  it('continues with what a promise, a stream or a generator brings', async () => {
    const generated = async function* () {
      yield await Promise.resolve(1);
      yield 2;
    };

    expect(await comesOf(andThen(Promise.resolve(1), twice))).toStrictEqual([2]);
    const thenable = {
      then: (resolve: (value: number) => void) => {
        resolve(1);
      },
    };
    expect(await comesOf(andThen(thenable, twice))).toStrictEqual([2]);
    expect(await comesOf(andThen(of(1, 2), twice))).toStrictEqual([2, 4]);
    expect(await comesOf(andThen(generated(), twice))).toStrictEqual([2, 4]);
    // A promise of it would bring it again, without end.
    expect(await comesOf(andThen(Object.assign(generated(), { then: undefined }), twice))).toStrictEqual([
      2, 4,
    ]);
  });

  it('continues within the same turn, so that nothing happens in between', () => {
    const seen: unknown[] = [];

    (andThen(of(1), twice) as Observable<unknown>).subscribe((value) => seen.push(value));

    expect(seen).toStrictEqual([2]);
  });

  it('follows a promise of a stream', async () => {
    const [inner] = await comesOf(andThen(Promise.resolve(of(1)), twice));

    expect(await comesOf(inner)).toStrictEqual([2]);
  });

  it('fails as the value, or what continues, does', async () => {
    const problem = new Error('broken');

    expect(await comesOf(andThen(Promise.reject(problem), twice))).toStrictEqual([problem]);
    expect(
      await comesOf(
        andThen(
          throwError(() => problem),
          twice,
        ),
      ),
    ).toStrictEqual([problem]);
    const broken = () => {
      throw problem;
    };
    expect(await comesOf(andThen(of(1), broken))).toStrictEqual([problem]);
    expect(() => andThen(1, broken)).toThrow(problem);
  });

  it('leaves no rejection unhandled if nobody waits for it', async () => {
    andThen(Promise.reject(new Error('unheard')), twice);

    // An unhandled rejection would fail the run.
    await new Promise((resolve) => setTimeout(resolve));
  });
});

describe('isAsync', () => {
  const generated = { [Symbol.asyncIterator]: () => undefined };

  it.each([Promise.resolve(), of(1), { then: () => undefined }, generated])('is true for %o', (value) => {
    expect(isAsync(value)).toBe(true);
  });

  it.each([undefined, null, 'then', 1, [], {}, { then: true }, () => undefined])(
    'is false for %o',
    (value) => {
      expect(isAsync(value)).toBe(false);
    },
  );
});

describe('toEnd', () => {
  class Left {
    readonly steps: number;

    constructor(steps: number) {
      this.steps = steps;
    }
  }
  const counted = ({ steps }: Left) => (steps > 0 ? new Left(steps - 1) : 'done');

  it('follows what is unfinished, now or later, and brings the rest', async () => {
    expect(await comesOf(toEnd('done', Left, counted))).toStrictEqual(['done']);
    expect(await comesOf(toEnd(new Left(3), Left, counted))).toStrictEqual(['done']);
    expect(
      await comesOf(toEnd(of(of(new Left(1))), Left, (left) => Promise.resolve(counted(left)))),
    ).toStrictEqual(['done']);
  });

  it('continues only from the last of several results', async () => {
    expect(await comesOf(toEnd(of('cached', 'sent'), Left, counted))).toStrictEqual(['cached', 'sent']);
    expect(await comesOf(toEnd(of(new Left(0), 'sent'), Left, counted))).toStrictEqual(['sent']);
  });

  it('ends with a step that brings nothing, and fails with one that throws', async () => {
    const problem = new Error('broken');
    const broken = () => {
      throw problem;
    };

    expect(await comesOf(toEnd(new Left(1), Left, () => EMPTY))).toStrictEqual([]);
    expect(await comesOf(toEnd(new Left(1), Left, broken))).toStrictEqual([problem]);
  });
});
