import { describe, expect, it } from 'vitest';

import type { Entry, Given } from '../lib/entry';
import { Write } from '../lib/write';

/** An entry with a shown value and a confirmed one. */
function entry(value: unknown, confirmed: unknown = value): Entry & { field: { value: unknown } } {
  return { field: { value }, confirmed } as Entry & { field: { value: unknown } };
}

const [id, name, note] = [entry(7), entry('Ada', 'Bo'), entry('x', 'y')];
const record = { id: 7, fields: [id, name, note] };
const shown = (...entries: Entry[]): Given[] => entries.map((each) => [each, each.field.value]);

describe('a write under way', () => {
  it('expects what it carries and what is clean, but no edit that it does not carry', () => {
    expect([...new Write(record, shown(name)).expected]).toStrictEqual(shown(name, id));
  });

  it('has sent what was really sent, not what was predicted', () => {
    const write = new Write(record, shown(name));
    write.carry(shown(note), true);
    expect([...write.sent]).toStrictEqual(shown(note));
    write.carry(shown(name), true);
    expect([...write.sent]).toStrictEqual(shown(note, name));
  });

  it('counts a value that is sent as shown as no newer than the answer', () => {
    const write = new Write(record, shown(name));
    write.newer.add(name).add(note);
    write.carry(shown(name), false);
    expect([...write.newer]).toStrictEqual([name, note]);
    write.carry(shown(name), true);
    expect([...write.newer]).toStrictEqual([note]);
  });

  it('does not expect a field edited at its start when an older value is sent', () => {
    const write = new Write(record, shown(name, id));
    write.carry(shown(id), false);
    expect([...write.expected]).toStrictEqual(shown(id));
  });

  it('does not expect such a field even if it is clean again by then', () => {
    const typed = entry('new', 'old');
    const write = new Write({ id: 7, fields: [id, typed] }, shown(id, typed));
    typed.field.value = 'old';
    write.carry(shown(id), false);
    expect([...write.expected]).toStrictEqual(shown(id));
  });

  it('knows the fields that were not edited since, not even back, as far as it is told', () => {
    const typed = entry('new');
    const write = new Write({ id: 7, fields: [id, typed] }, shown(id, typed), true);
    typed.field.value = 'newer';
    write.notice();
    typed.field.value = 'new';
    write.notice();
    expect(write.unedited).toStrictEqual([id]);
  });

  it('counts none as unedited that it has not sent', () => {
    const cleared = entry(undefined, 'x');
    const write = new Write({ id: 7, fields: [id, cleared] }, shown(id));
    expect(write.unedited).toStrictEqual([id]);
  });

  it('expects only what is clean once what was sent is confirmed', () => {
    const write = new Write(record, shown(name));
    write.settle();
    expect(write.sent.size).toBe(0);
    expect([...write.expected]).toStrictEqual(shown(id));
  });
});
