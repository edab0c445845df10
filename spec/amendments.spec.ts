import { describe, expect, it } from 'vitest';

import { Amendments } from '../lib/amendments';
import { nextInOrder } from '../lib/ticket';

interface Item {
  readonly text: string;
}

/** An update that appends a letter to the text, and stands for an item that is not there by that letter. */
const adding = (letter: string) => (item: Item | undefined) => ({ text: (item?.text ?? '') + letter });

describe('what has become of items while an answer is awaited', () => {
  it('is applied to it, one after the other, for each item apart', () => {
    const amendments = new Amendments<Item>();
    const issued = nextInOrder();
    amendments.add('7', adding('b'));
    amendments.add('7', adding('c'));
    amendments.add('8', adding('x'));
    expect(amendments.appliedTo('7', { text: 'a' }, issued)).toStrictEqual({ text: 'abc' });
    expect(amendments.appliedTo('8', undefined, issued)).toStrictEqual({ text: 'x' });
  });

  it('leaves other items as they are', () => {
    const amendments = new Amendments<Item>();
    const issued = nextInOrder();
    amendments.add('7', adding('b'));
    const other = { text: 'a' };
    expect(amendments.appliedTo('8', other, issued)).toBe(other);
    expect(amendments.appliedTo('9', undefined, issued)).toBeUndefined();
  });

  it('may be that an item is gone, and there again', () => {
    const amendments = new Amendments<Item>();
    const issued = nextInOrder();
    amendments.add('7', () => undefined);
    expect(amendments.appliedTo('7', { text: 'a' }, issued)).toBeUndefined();
    amendments.add('7', adding('b'));
    expect(amendments.appliedTo('7', { text: 'a' }, issued)).toStrictEqual({ text: 'b' });
  });

  it('is not applied to the answer of a request that is newer', () => {
    const amendments = new Amendments<Item>();
    const older = nextInOrder();
    amendments.add('7', adding('b'));
    const issued = nextInOrder();
    amendments.add('7', adding('c'), older);
    expect(amendments.latest).toBeLessThan(issued);
    expect(amendments.appliedTo('7', { text: 'a' }, issued)).toStrictEqual({ text: 'a' });
    amendments.add('7', adding('d'));
    expect(amendments.latest).toBeGreaterThan(issued);
    expect(amendments.appliedTo('7', { text: 'a' }, issued)).toStrictEqual({ text: 'ad' });
  });

  it('is only what came after the part of the request that has brought the item', () => {
    const amendments = new Amendments<Item>();
    const issued = nextInOrder();
    const [first, second] = [{ text: 'a' }, { text: 'A' }];
    amendments.beginPart()([first]);
    amendments.add('7', adding('b'));
    amendments.beginPart()([second, 'no object']);
    amendments.add('7', adding('c'));
    expect(amendments.appliedTo('7', first, issued)).toStrictEqual({ text: 'abc' });
    expect(amendments.appliedTo('7', second, issued)).toStrictEqual({ text: 'Ac' });
    expect(amendments.appliedTo('7', undefined, issued)).toStrictEqual({ text: 'bc' });
  });
});

describe('the place of what has brought an item', () => {
  it('is known for a part of a read, and only in that list: another may share the answer', () => {
    const [amendments, ofAnother] = [new Amendments<Item>(), new Amendments<Item>()];
    const before = nextInOrder();
    const received = amendments.beginPart();
    const item = { text: 'a' };
    expect(amendments.requested.get(item)).toBeUndefined();
    received([item]);
    expect(amendments.requested.get(item)).toBe(before + 1);
    expect(ofAnother.requested.get(item)).toBeUndefined();
  });
});
