import { describe, expect, it } from 'vitest';

import { Amendments, beginPart, orderOf } from '../lib/amendments';
import { nextInOrder } from '../lib/ticket';

interface Item {
  readonly text: string;
}

/** An update that appends a letter to the text, and stands for an item that is not there by that letter. */
const adding = (letter: string) => (item: Item | undefined) => ({ text: (item?.text ?? '') + letter });

describe('what has become of items since a request was issued', () => {
  it('is applied to its answer, one after the other, for each item apart', () => {
    const amendments = new Amendments<Item>(nextInOrder());
    amendments.amend('7', adding('b'));
    amendments.amend('7', adding('c'));
    amendments.amend('8', adding('x'));
    expect(amendments.appliedTo('7', { text: 'a' })).toStrictEqual({ text: 'abc' });
    expect(amendments.appliedTo('8', undefined)).toStrictEqual({ text: 'x' });
  });

  it('leaves other items as they are', () => {
    const amendments = new Amendments<Item>();
    amendments.amend('7', adding('b'));
    const other = { text: 'a' };
    expect(amendments.appliedTo('8', other)).toBe(other);
    expect(amendments.appliedTo('9', undefined)).toBeUndefined();
  });

  it('may be that an item is gone, and there again', () => {
    const amendments = new Amendments<Item>();
    amendments.amend('7', () => undefined);
    expect(amendments.appliedTo('7', { text: 'a' })).toBeUndefined();
    amendments.amend('7', adding('b'));
    expect(amendments.appliedTo('7', { text: 'a' })).toStrictEqual({ text: 'b' });
  });

  it('does not include what is older than the request', () => {
    const older = nextInOrder();
    const amendments = new Amendments<Item>(nextInOrder());
    amendments.amend('7', adding('b'), older);
    expect([amendments.size, amendments.appliedTo('7', { text: 'a' })]).toStrictEqual([0, { text: 'a' }]);
  });

  it('is only what came after the part of the request that has brought the item', () => {
    const amendments = new Amendments<Item>(nextInOrder());
    const [first, second] = [{ text: 'a' }, { text: 'A' }];
    beginPart()([first]);
    amendments.amend('7', adding('b'));
    beginPart()([second, 'no object']);
    amendments.amend('7', adding('c'));
    expect(amendments.appliedTo('7', first)).toStrictEqual({ text: 'abc' });
    expect(amendments.appliedTo('7', second)).toStrictEqual({ text: 'Ac' });
    expect(amendments.appliedTo('7', undefined)).toStrictEqual({ text: 'bc' });
  });
});

describe('the place of what has brought an item', () => {
  it('is that of the part of a read that did, or else of the read', () => {
    const ofRead = nextInOrder();
    const received = beginPart();
    const item = { text: 'a' };
    expect(orderOf(item, ofRead)).toBe(ofRead);
    received([item]);
    expect(orderOf(item, ofRead)).toBe(ofRead + 1);
    expect(orderOf(undefined, ofRead)).toBe(ofRead);
  });
});
