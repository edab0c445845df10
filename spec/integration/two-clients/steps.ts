import fc from 'fast-check';

import { paths } from './client';
import type { Who, World } from './world';

/** A step; its text is what a counterexample shows. */
export interface Step {
  run(world: World): unknown;
  toString(): string;
}

/** The number of steps in a course. */
const length = 1000;

const both: readonly Who[] = ['here', 'there'];
const ends = ['first', 'last'] as const;

const step = (text: string, run: Step['run']): Step => ({ run, toString: () => text });
const oneOf = (weight: number, steps: readonly Step[]) => ({ weight, arbitrary: fc.constantFrom(...steps) });

// Shrinking only leaves steps out; it does not change them.
const anyStep = fc.noShrink(
  fc.oneof(
    oneOf(
      6,
      both.flatMap((who) =>
        paths.map((path) =>
          step(`${who}: type ${path}`, (world) => {
            world.type(who, path);
          }),
        ),
      ),
    ),
    oneOf(
      3,
      both.map((who) =>
        step(`${who}: save`, ({ clients }) => {
          clients[who].save();
        }),
      ),
    ),
    oneOf(
      4,
      both.flatMap((who) =>
        // Twice as often with it: without it, all edits are given up.
        [true, true, false].map((keepEdits) =>
          step(`${who}: read { keepEdits: ${String(keepEdits)} }`, ({ clients }) => {
            clients[who].read(keepEdits);
          }),
        ),
      ),
    ),
    oneOf(
      2,
      both.flatMap((who) =>
        (['keepMine', 'takeTheirs'] as const).map((choice) =>
          step(`${who}: ${choice}`, ({ clients }) => {
            clients[who].choose(choice);
          }),
        ),
      ),
    ),
    oneOf(
      1,
      both.flatMap((who) =>
        ends.map((which) =>
          step(`${who}: unsubscribe the ${which}`, ({ clients }) => {
            clients[who].leave(which);
          }),
        ),
      ),
    ),
    oneOf(
      7,
      both.flatMap((who) =>
        ends.map((which) =>
          step(`${who}: the ${which} request arrives`, ({ clients }) => clients[who].network.arrive(which)),
        ),
      ),
    ),
    oneOf(
      7,
      both.flatMap((who) =>
        ends.map((which) =>
          step(`${who}: the ${which} answer is delivered`, ({ clients }) =>
            clients[who].network.deliver(which),
          ),
        ),
      ),
    ),
    oneOf(
      1,
      both.map((who) =>
        step(`${who}: all arrives and is delivered`, ({ clients }) => clients[who].network.calm()),
      ),
    ),
    oneOf(
      1,
      both.flatMap((who) => [
        step(`${who}: a request is lost`, ({ clients }) => {
          clients[who].network.loseRequest();
        }),
        step(`${who}: an answer is lost`, ({ clients }) => {
          clients[who].network.loseReply();
        }),
      ]),
    ),
  ),
);

/** A thousand steps; a failure is shrunk to the shortest course that fails too. */
class Course extends fc.Arbitrary<readonly Step[]> {
  readonly #whole = fc.array(anyStep, { minLength: length, maxLength: length });
  readonly #part = fc.array(anyStep, { maxLength: length });

  override generate(random: fc.Random): fc.Value<readonly Step[]> {
    return new fc.Value(this.#whole.generate(random, undefined).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return this.#part.canShrinkWithoutContext(value);
  }

  override shrink(value: readonly Step[], context: unknown): fc.Stream<fc.Value<readonly Step[]>> {
    return this.#part.shrink(value as Step[], context);
  }
}

export const course: fc.Arbitrary<readonly Step[]> = new Course();
