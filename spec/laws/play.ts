import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { same } from './same';
import type { Step, World } from './world';

/** Asserts what must hold after each step. */
export type Check = () => void;

/** Takes some steps, then answers what is open; checks everything after each. */
export async function play<W extends World>(
  world: W,
  steps: readonly Step<W>[],
  watches: readonly ((world: W) => Check)[],
): Promise<void> {
  const checks = [...watches, requestsAreLetGo].map((watch) => watch(world));
  const look = () => {
    for (const check of checks) check();
    same(world.problems, []);
  };
  for (const step of steps) {
    step.run(world);
    look();
  }
  world.calm();
  for (let [next] = world.wire.open; next; [next] = world.wire.open) {
    world.respond(next, 'empty');
    look();
  }
  await nothingIsLeft(world);
}

/** Once everything that needs no answer is done, nothing is under way, and no listener is left on a signal. */
export async function nothingIsLeft({ calls, controllers }: World): Promise<void> {
  await setImmediate();
  const open = calls.filter(({ isOpen }) => isOpen);
  same(
    open.map(({ kind }) => kind),
    [],
    'calls that never ended',
  );
  for (const { signal } of controllers) same(getEventListeners(signal, 'abort').length, 0, 'listeners left');
}

/** A request ends when its call does; it is aborted unless it has delivered its response. */
const requestsAreLetGo =
  (world: World): Check =>
  () => {
    const isLate = world.calls.some(({ isOpen, signal }) => isOpen && signal?.aborted);
    same(isLate, false, 'a call goes on though its signal is aborted');
    for (const sent of world.wire.sent) {
      const { isOpen, isDelivered } = world.callOf(sent);
      same(sent.isOpen && !isOpen, false, 'a request goes on though its call is over');
      // The body of a delete is read to its end although nobody waits for it.
      if (sent.method !== 'DELETE') same(sent.request.signal.aborted, !isOpen && !isDelivered, 'aborted');
    }
  };

/** `error$` shows why the last request to fail has failed, until a newer one succeeds. */
export const errorIsRight =
  (world: World): Check =>
  () => {
    const error = world.target.error$.value;
    same(error && 'code' in error && error.code === 'HTTP' ? 'HTTP' : error, world.error, 'error$');
  };
