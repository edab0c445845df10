import { ordinaryText } from './answers.ts';
import { isAlike } from './probes.ts';
import type { Cell } from './table.ts';
import { unusual } from './texts.ts';

/** The states expected after a cell. */
export interface Expected {
  /** When it has reached its outcome. */
  readonly state: unknown;
  /** When one more request has been answered normally. */
  readonly stateAfter: unknown;
}

/** The fields of the record. */
interface Values {
  readonly id: unknown;
  readonly name: unknown;
  readonly city: unknown;
}

/** The value that each field shows, and the one last confirmed by the server. */
interface Pair {
  readonly shown: Values;
  readonly confirmed: Values;
}

/** The states that a cell leaves behind. */
export function after(cell: Cell): Expected {
  if (cell.action === 'list') {
    const items = cell.outcome === 'written' ? answeredTo(cell) : [{ id: 1, name: 'Ann' }];
    return { state: items, stateAfter: JSON.parse(ordinaryText(true)) };
  }
  const pair = pairAfter(cell);
  const { id } = pair.shown;
  const again = { id: id ?? 7, name: 'Bo', city: 'Rome' };
  return { state: stateOf(pair), stateAfter: stateOf({ shown: again, confirmed: again }) };
}

/** The data in the answer to a cell, as it would be without the fault. */
function answeredTo({ fault, action }: Cell): unknown {
  const text = ordinaryText(action === 'list');
  return JSON.parse(unusual[fault]?.(text, 1) ?? text);
}

function pairAfter(cell: Cell): Pair {
  const { action, outcome } = cell;
  const id = action === 'create' ? undefined : 7;
  const shown = { id, name: 'Eve', city: 'Bonn' };
  // Any success confirms what a save has sent.
  const confirmed = { id, name: action === 'read' ? 'Ann' : 'Eve', city: 'Bonn' };
  if (outcome === 'written') {
    const data = answeredTo(cell) as { id: unknown; name: unknown; address: { city: unknown } };
    const answered = { id: data.id, name: data.name, city: data.address.city };
    return { shown: answered, confirmed: answered };
  }
  if (outcome === 'empty') return { shown, confirmed };
  const left = { ...shown, id: undefined };
  if (outcome === 'gone') return { shown: left, confirmed: left };
  return { shown, confirmed: { ...confirmed, name: 'Ann' } };
}

/** The whole state that follows from the values. */
function stateOf({ shown, confirmed }: Pair) {
  const isDirty = (key: keyof Values) => !isAlike(shown[key], confirmed[key]);
  const dirty = { id: isDirty('id'), name: isDirty('name'), 'address.city': isDirty('city') };
  return {
    shown,
    confirmed,
    dirty,
    isDirty: Object.values(dirty).includes(true),
    isNew: shown.id === undefined,
    data: { id: shown.id, name: shown.name, address: { city: shown.city } },
  };
}
