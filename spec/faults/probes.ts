import { asyncScheduler } from 'rxjs';
import type { SchedulerAction, SchedulerLike, Subscription } from 'rxjs';

/** A clock whose timers can be counted. */
export interface CountingClock extends SchedulerLike {
  /** The timers that have neither run nor been cancelled. */
  readonly timers: ReadonlySet<Subscription>;
}

/** The real clock, with its timers counted. */
export function countingClock(): CountingClock {
  const timers = new Set<Subscription>();
  return {
    timers,
    now: () => asyncScheduler.now(),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T) {
      const timer = asyncScheduler.schedule(work, delay, state);
      timers.add(timer);
      timer.add(() => timers.delete(timer));
      return timer;
    },
  };
}

/** A signal whose listeners can be counted. */
export interface CountingSignal extends AbortSignal {
  /** The listeners added and not removed. */
  readonly listeners: ReadonlySet<unknown>;
}

/** A signal that is never aborted, with its listeners counted. */
export function countingSignal(): CountingSignal {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  return Object.assign(signal, {
    listeners,
    addEventListener(...given: Parameters<typeof add>) {
      listeners.add(given[1]);
      add(...given);
    },
    removeEventListener(...given: Parameters<typeof remove>) {
      listeners.delete(given[1]);
      remove(...given);
    },
  });
}

/** The outcome of a promise; undefined if it has not settled. */
export type Settled<T> = { readonly value: T } | { readonly error: unknown } | undefined;

/** Waits for a promise, at most for some milliseconds. */
export async function settled<T>(promise: Promise<T>, limit: number): Promise<Settled<T>> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limit, undefined);
  });
  const outcome = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return Promise.race([outcome, end]).finally(() => {
    clearTimeout(timer);
  });
}

/** Whether two pieces of data are equal, however deep they are: it keeps its own stack. */
export function isAlike(one: unknown, other: unknown): boolean {
  const compared = new Map<unknown, unknown>();
  const stack = [one, other];
  while (stack.length) {
    const b = stack.pop();
    const a = stack.pop();
    if (Object.is(a, b) || (compared.has(a) && compared.get(a) === b)) continue;
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    compared.set(a, b);
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      stack.push(a[key], b[key]);
    }
  }
  return true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
