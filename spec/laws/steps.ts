import fc from 'fast-check';

import type { RequestOptions } from 'rivulet';

import type { Answer } from './wire';
import type { Step, World } from './world';

type Steps<W> = fc.Arbitrary<Step<W>>;

/** A named step. */
export const step = <W>(text: string, run: (world: W) => void): Step<W> => ({ run, toString: () => text });

/** Makes a request with one of several options, with or without the signal. */
export const requesting = <W extends World>(kind: string, options: fc.Arbitrary<RequestOptions>): Steps<W> =>
  fc.tuple(options, fc.boolean()).map(([given, hasSignal]) =>
    step(`${kind} ${JSON.stringify(given)}${hasSignal ? ' with the signal' : ''}`, (world) => {
      world.request(kind, given, hasSignal);
    }),
  );

const answer = fc.constantFrom<Answer[]>(
  ...(['new', 'new', 'echo', 'part', 'empty', 'refused', 'broken', 'unparsable', 'offline'] as const),
);

/** Answers one of the open requests. */
export const answering = <W extends World>(): Steps<W> =>
  fc.tuple(fc.nat(4), answer).map(([place, how]) =>
    step(`answer ${how} to #${String(place)}`, (world) => {
      const { open } = world.wire;
      const sent = open[place % open.length];
      if (sent) world.respond(sent, how);
    }),
  );

/** Makes the next request be answered as soon as it is sent. */
export const answeringNext = <W extends World>(): Steps<W> =>
  answer.map((how) =>
    step(`answer ${how} to the next at once`, (world) => {
      world.respondNext(how);
    }),
  );

/** Unsubscribes one of the open calls. */
export const leaving = <W extends World>(): Steps<W> =>
  fc.nat(4).map((place) =>
    step(`unsubscribe #${String(place)}`, ({ calls }) => {
      const open = calls.filter(({ isOpen, leave }) => isOpen && leave);
      open[place % open.length]?.leave?.();
    }),
  );

/** Aborts the calls that use the signal. */
export const aborting = <W extends World>(): Steps<W> =>
  fc.constant(
    step('abort the signal', (world) => {
      world.abort();
    }),
  );

/** Disposes of the target. */
export const disposing = <W extends World>(): Steps<W> =>
  fc.constant(
    step('dispose()', (world) => {
      world.dispose();
    }),
  );

/** Makes a subscriber of one of the stages act at its next notification. */
export const hooking = <W extends World>(stages: readonly string[], reaction: Steps<W>): Steps<W> =>
  fc.tuple(fc.constantFrom(...stages), reaction).map(([stage, act]) =>
    step(`when ${stage} is told: ${String(act)}`, (world) => {
      world.hook(stage, act);
    }),
  );
