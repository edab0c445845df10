import type { Observable } from 'rxjs';

import type { Check } from '../play';
import { same } from '../same';
import type { Sent } from '../wire';

import { fieldNames } from './oracle';
import type { RecordWorld } from './world';

const flags = [
  'isReading$',
  'isSaving$',
  'isCreating$',
  'isUpdating$',
  'isDeleting$',
  'requestInProgress$',
] as const;

/** The flags show what is open; at most one write is open; nothing waits without a reason. */
export const flagsAreRight =
  ({ calls, target, wire }: RecordWorld): Check =>
  () => {
    const isOpen = (...kinds: string[]) => calls.some((call) => call.isOpen && kinds.includes(call.kind));
    const open = wire.open.map(({ method }) => method);
    const [write, ...more] = open.filter((method) => method !== 'GET');
    const actual = Object.fromEntries(flags.map((flag) => [flag, target[flag].value]));
    same(actual, {
      isReading$: isOpen('fetch'),
      isSaving$: isOpen('save'),
      isCreating$: write === 'POST',
      isUpdating$: write === 'PUT' || write === 'PATCH',
      isDeleting$: isOpen('destroy'),
      requestInProgress$: isOpen('fetch', 'save', 'destroy'),
    });
    same(more, [], 'writes open beside another');
    same(
      write !== undefined,
      isOpen('save', 'destroy'),
      'whether a write is open, and whether one is wanted',
    );
    if (isOpen('fetch')) same(open.length > 0, true, 'a read waits though nothing is open');
  };

/** A field is dirty if it differs from its confirmed value. */
export const dirtyIsRight =
  ({ target }: RecordWorld): Check =>
  () => {
    const { id, name, city } = target;
    const fields = [id, name, city];
    const expected = fields.map(({ value, remote$ }) => value !== remote$.value);
    same(Object.values(target.dirtyMap()), expected, 'dirtyMap()');
    same(
      fields.map(({ isDirty$ }) => isDirty$.value),
      expected,
      'isDirty$ of the fields',
    );
    same([target.isDirty$.value, target.isNew$.value], [expected.includes(true), !id.value]);
  };

/** Until the end, every subscriber has seen the current value last. */
export function subscribersAreUpToDate(world: RecordWorld): Check {
  const { name, isReading$, isSaving$, isDirty$, data$, error$ } = world.target;
  const { remote$ } = name;
  const streams = { name, remote$, isReading$, isSaving$, isDirty$, data$, error$ };
  const watched = Object.entries(streams).map(([title, stream]) => watch(title, stream));
  let isOver = false;
  return () => {
    // Changes after the end are not reported, nor those that end because a subscriber disposes of the record; but every
    // flag is seen to fall.
    isOver ||= world.hasDisposedNested;
    for (const { title, stream, seen } of watched) {
      const isFlag = flags.some((flag) => flag === title);
      if ((!isOver || isFlag) && seen.last !== stream.value)
        same(seen.last, stream.value, `last seen of ${title}`);
      if (seen.isComplete !== world.isDisposed)
        same(seen.isComplete, world.isDisposed, `the end of ${title}`);
    }
    isOver = world.isDisposed;
  };
}

function watch<S extends Observable<unknown>>(title: string, stream: S) {
  const seen = { last: undefined as unknown, isComplete: false };
  stream.subscribe({
    next: (value) => {
      seen.last = value;
    },
    complete: () => {
      seen.isComplete = true;
    },
  });
  return { title, stream, seen };
}

/** Shown, confirmed and sent values are those of the rules. */
export const rulesAreKept =
  (world: RecordWorld): Check =>
  () => {
    const { target, oracle, wire } = world;
    same(oracle.faults, []);
    for (const field of fieldNames) {
      same(target[field].value, oracle.shown[field], `${field} shown`);
      same(target[field].remote$.value, oracle.confirmed[field], `${field} confirmed`);
    }
    same(JSON.stringify(wire.sent.at(-1)?.body), JSON.stringify(oracle.bodies.at(-1)), 'the data sent last');
  };

/** No field takes a forbidden value, whatever subscribers do during a notification. */
export function valuesAreLegal(world: RecordWorld): Check {
  const { target, origins, problems } = world;
  for (const name of ['name', 'city'] as const) {
    const shown = new Set<unknown>();
    const confirmed = new Set<unknown>();
    const newest = new Map<unknown, number>();
    let before: string | undefined;
    target[name].subscribe((value) => {
      const origin = origins.get(value);
      // The user may restore a value that was there before.
      if (origin?.sent && !shown.has(value) && !confirmed.has(value)) {
        const { sent } = origin;
        problems.push(...faultsOf(world, sent, before).map((fault) => `${name} took ${value} ${fault}`));
      }
      shown.add(value);
      before = value;
    });
    target[name].remote$.subscribe((value) => {
      const { sent } = origins.get(value) ?? {};
      const isNew = !confirmed.has(value);
      confirmed.add(value);
      if (!isNew || !sent || sent.isWrite) return;
      const id = world.ids.get(sent);
      if (sent.at < (newest.get(id) ?? 0)) problems.push(`${name} went back to ${value} of an older read`);
      newest.set(id, sent.at);
    });
  }
  return () => undefined;
}

/** The faults of a value from the answer to a request, where another value was shown before. */
function faultsOf(world: RecordWorld, sent: Sent, before = ''): string[] {
  const { options } = world.callOf(sent);
  const edit = world.origins.get(before);
  const isToBeWritten =
    sent.answer !== 'refused' && sent.method !== 'DELETE' && options.writeResponse !== false;
  const isOverEdit = edit && !edit.sent && edit.at > sent.at && !isGivenBack(world, before);
  return [
    ...(isToBeWritten ? [] : ['of an answer that must not be written']),
    ...(isOverEdit ? ['for an edit made since the request'] : []),
  ];
}

/** Whether a value may have been restored: by `reset()`, or, once it was sent, by `rollback`. */
const isGivenBack = (world: RecordWorld, value: string): boolean =>
  world.restored.has(value) ||
  world.wire.sent.some(
    (sent) => world.callOf(sent).options.rollback && JSON.stringify(sent.body).includes(`"${value}"`),
  );
