import fc from 'fast-check';

import { aborting, answering, answeringNext, disposing, hooking, leaving, requesting, step } from '../steps';
import type { Step } from '../world';

import { dataOf } from './oracle';
import type { FieldName } from './oracle';
import { stages } from './world';
import type { RecordWorld } from './world';

type Steps = fc.Arbitrary<Step<RecordWorld>>;

const field = fc.constantFrom('name' as const, 'city' as const);

function write(world: RecordWorld, name: FieldName, value: unknown): void {
  if (!world.isDisposed) world.oracle.edit(name, value);
  world.target[name].next(value as string);
}

const editing: Steps = field.map((name) =>
  step(`edit ${name}`, (world) => {
    write(world, name, world.fresh('edit'));
  }),
);

/** Writes the initial value of the field, or the confirmed one. */
const returning: Steps = fc.tuple(field, fc.boolean()).map(([name, isFirst]) =>
  step(`set ${name} back${isFirst ? ' to the first' : ''}`, (world) => {
    const first = name === 'name' ? 'Ann' : 'Bonn';
    write(world, name, isFirst ? first : world.target[name].remote$.value);
  }),
);

const moving: Steps = fc.constantFrom(1, '1', 2, undefined, null).map((id) =>
  step(`set the id to ${typeof id} ${String(id)}`, (world) => {
    write(world, 'id', id);
  }),
);

const setting: Steps = fc.tuple(field, fc.boolean()).map(([name, keepDirty]) =>
  step(`set({ ${name} }, { keepDirty: ${String(keepDirty)} })`, (world) => {
    const value = world.fresh('set');
    if (!world.isDisposed) {
      world.oracle.edit(name, value);
      if (!keepDirty) world.oracle.set(name, value);
    }
    world.target.set(dataOf({ [name]: value }) as object, { keepDirty });
  }),
);

const cleaning: Steps = fc.constant(
  step('clean()', ({ oracle, target, isDisposed }) => {
    if (!isDisposed) Object.assign(oracle.confirmed, oracle.shown);
    target.clean();
  }),
);

const resetting: Steps = fc.constant(
  step('reset()', ({ oracle, target, restored, isDisposed }) => {
    if (!isDisposed) oracle.reset();
    for (const { remote$ } of [target.name, target.city]) restored.add(remote$.value);
    target.reset();
  }),
);

const following: Steps = fc.boolean().map((isPart) =>
  step(`follow a row${isPart ? ' in part' : ''}`, (world) => {
    world.row(isPart);
  }),
);

const saving: Steps = requesting(
  'save',
  fc.oneof(
    fc.constant({}),
    fc.constantFrom(
      { patch: true },
      { writeResponse: false },
      { attrs: { name: 'given' } },
      { rollback: 'both' as const },
      { rollback: 'error' as const },
      { rollback: 'abort' as const },
    ),
  ),
);

const fetching: Steps = requesting('fetch', fc.constantFrom({}, { keepEdits: true }));

/** The steps possible at any time, and how often they occur. */
const common: fc.WeightedArbitrary<Step<RecordWorld>>[] = [
  { weight: 4, arbitrary: editing },
  { weight: 4, arbitrary: fetching },
  { weight: 4, arbitrary: saving },
  { weight: 1, arbitrary: requesting('destroy', fc.constant({})) },
  { weight: 2, arbitrary: leaving() },
  { weight: 1, arbitrary: aborting() },
  { weight: 1, arbitrary: moving },
  { weight: 2, arbitrary: answeringNext() },
  { weight: 1, arbitrary: disposing() },
];

const writing: Steps = fc.oneof(editing, returning, setting, cleaning, resetting);

const outer: Steps = fc.oneof(
  ...common,
  { weight: 6, arbitrary: answering<RecordWorld>() },
  { weight: 2, arbitrary: writing },
);

const inner: Steps = fc.oneof(...common, { weight: 2, arbitrary: answering<RecordWorld>() });

/** The steps that a record can take. */
export const steps = fc.array(
  fc.oneof({ weight: 20, arbitrary: outer }, { weight: 1, arbitrary: following }),
  { minLength: 1 },
);

/** One request, and the writes before it and while it is under way. */
export const exchange = fc
  .tuple(
    fc.array(writing, { maxLength: 3 }),
    fc.oneof(fetching, saving),
    fc.array(writing, { maxLength: 3 }),
    answering<RecordWorld>(),
  )
  .map(([before, request, meanwhile, end]) => [...before, request, ...meanwhile, end]);

/** The steps of a record, with subscribers that act when notified. */
export const nestedSteps = fc.array(
  fc.oneof({ weight: 4, arbitrary: outer }, { weight: 1, arbitrary: hooking(stages, inner) }),
  { minLength: 1 },
);
