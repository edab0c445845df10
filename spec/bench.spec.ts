import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';

import { digits, isMet, median, ratio, spread, textOf } from '../bench/figures';
import type { Series } from '../bench/figures';
import { races } from '../bench/races/race';
import type { Racer } from '../bench/races/race';
import { reportOf } from '../bench/report';
import { repeated } from '../bench/scenario';
import type { Goal, Line } from '../bench/scenario';

const line: Line = { id: 'fill', title: 'fill of many', unit: 'time', goal: { ratio: 2 } };

const series = (system: string, values: readonly number[], note?: string): Series => ({
  line,
  system,
  values,
  ...(note === undefined ? {} : { note }),
});

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
    [[10, 9, 100], 10],
    [[], NaN],
  ])('of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('leaves the values unchanged', () => {
    expect(median(Object.freeze([2, 1]))).toBe(1.5);
  });
});

describe('ratio', () => {
  it('is the median of the ratios of each round, not the ratio of the medians', () => {
    expect(ratio(series('a', [2, 30, 400]), series('floor', [1, 10, 1000]))).toBe(2);
    expect(ratio(series('a', [10, 100, 30]), series('floor', [1, 100, 10]))).toBe(3);
  });

  it('is NaN without a floor', () => {
    expect(ratio(series('a', [1]), undefined)).toBeNaN();
  });
});

describe('spread', () => {
  it('is half of the distance between the quartiles, as a share of the median', () => {
    expect(spread([8, 12, 10, 1000, 0])).toBeCloseTo(0.2);
    expect(spread([5, 5, 5])).toBe(0);
  });
});

describe('isMet', () => {
  const floor = series('floor', [1, 1, 1]);

  it.each<[string, Goal, Series, boolean]>([
    ['a ratio that is reached', { ratio: 2 }, series('a', [2, 1, 9]), true],
    ['a ratio that is missed', { ratio: 2 }, series('a', [2.1, 1, 9]), false],
    ['a figure that is reached', { most: 3 }, series('a', [3, 3, 9]), true],
    ['a figure that is missed', { most: 3 }, series('a', [3, 4, 4]), false],
    ['only one of two that is reached', { ratio: 9, most: 3 }, series('a', [4, 4, 4]), false],
    ['less work than required', { ratio: 2 }, series('a', [1, 1, 1], 'no deltas'), false],
  ])('recognizes %s', (_, goal, measured, isReached) => {
    expect(isMet(goal, measured, floor)).toBe(isReached);
  });

  it('is false for a ratio without a floor', () => {
    expect(isMet({ ratio: 2 }, floor, undefined)).toBe(false);
  });
});

describe('textOf', () => {
  it.each([
    [1.5, 'time', '1.50 s'],
    [0.0123, 'time', '12.3 ms'],
    [0.000_001, 'time', '1 µs'],
    [3.456e-7, 'time', '346 ns'],
    [4e-10, 'time', '0.400 ns'],
    [1536, 'bytes', '1.50 KiB'],
    [614, 'bytes', '614 B'],
    [0, 'bytes', '0 B'],
    [20, 'count', '20'],
    [NaN, 'time', '–'],
  ] as const)('writes %d of %s as %s', (value, unit, text) => {
    expect(textOf(value, unit)).toBe(text);
  });

  it.each([
    [1.234, '1.23'],
    [12.34, '12.3'],
    [1234.5, '1235'],
    [1, '1'],
    [NaN, '–'],
  ])('shortens %d to %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });
});

describe('reportOf', () => {
  const setting = {
    date: '2026-11-21',
    node: '24.21.0',
    commit: 'abcdef0',
    processors: '2 × Some processor',
    versions: { backbone: '1.6.1', mobx: '7.1.3' },
  };
  const report = reportOf(
    setting,
    [line, { id: 'size', title: 'weight', unit: 'bytes', goal: { most: 5120 } }],
    [
      series('floor', [0.001, 0.001]),
      series('rivulet', [0.003, 0.003]),
      series('mobx', [0.004, 0.006]),
      series('backbone', [0.002, 0.002], 'identity lost'),
      {
        ...series('rivulet', [4096]),
        line: { id: 'size', title: 'weight', unit: 'bytes', goal: { most: 5120 } },
      },
    ],
  );

  it('states its date, setting and versions', () => {
    expect(report).toContain('2026-11-21, Node 24.21.0, commit abcdef0, 2 × Some processor');
    expect(report).toContain('backbone 1.6.1, mobx 7.1.3');
  });

  it('lists the floor, rivulet with its goal, and the peers from the best on, with a star for less work', () => {
    expect(report).toContain(
      '| fill of many | 1 ms | 3 ms (×3) | ≤ ×2 | **missed** | backbone ×2*, mobx ×5 |',
    );
  });

  it('has a dash for a missing figure', () => {
    expect(report).toContain('| weight | – | 4 KiB | ≤ 5 KiB | met | – |');
  });

  it('lists each figure with its note', () => {
    expect(report).toContain('| fill | backbone | 2 ms | 2 | 0 % | 2 | identity lost |');
    expect(report).toContain('| fill | mobx | 5 ms | 5 | 20 % | 2 |  |');
  });
});

describe('repeated', () => {
  it('runs as often as told and keeps counting', () => {
    const counts: number[] = [];
    const run = repeated((count) => counts.push(count));
    expect(run(2)).toBeUndefined();
    void run(1);
    expect(counts).toEqual([0, 1, 2]);
  });

  it('waits for each asynchronous run', async () => {
    let underWay = 0;
    const most: number[] = [];
    const run = repeated(async () => {
      most.push((underWay += 1));
      await Promise.resolve();
      underWay -= 1;
    });
    await run(3);
    expect(most).toEqual([1, 1, 1]);
  });
});

describe('a race', () => {
  /** Saves without order, and shows each answer. */
  const careless: Racer = {
    name: 'careless',
    open: (url, data) => {
      let shown = data;
      return {
        edit: (name) => {
          shown = { ...shown, name };
        },
        save: async () => {
          const { id } = shown;
          const response = await fetch(id ? `${url}/${id}` : url, {
            method: id ? 'PUT' : 'POST',
            body: JSON.stringify(shown),
          });
          shown = response.ok ? ((await response.json()) as typeof shown) : data;
        },
        name: () => shown.name,
      };
    },
  };
  const careful: Racer = {
    name: 'careful',
    open: (url, data) => {
      const root = createLib();
      const person = root.dataModel.boot({}, { url });
      root.observable(data.id).map('id', person);
      const name = root.observable(data.name).map('name', person);
      return {
        edit: (value) => {
          name.next(value);
        },
        save: () => person.save(),
        name: () => name.value,
        isDirty: () => person.isDirty$.value,
      };
    },
  };

  it.each(races)('is won by rivulet, and lost without care: $title', async ({ run }) => {
    const [won, lost] = await Promise.all([run(careful), run(careless)]);

    expect([won.isRight, lost.isRight]).toStrictEqual([true, false]);
  });
});
