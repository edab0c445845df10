import type { Done, System } from './system.ts';

/** The unit of a figure: seconds, bytes, or a number of things. */
export type Unit = 'time' | 'bytes' | 'count';

/** The goal for rivulet: a multiple of the floor, or an absolute figure in the unit of the row. */
export interface Goal {
  readonly ratio?: number;
  readonly most?: number;
}

/** One line of the table. */
export interface Line {
  /** The name of the tasks that measure it; unique among all scenarios. */
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly goal?: Goal;
}

/** A task to be timed: `run` performs it that many times. */
export interface TimedTask {
  readonly line: string;
  readonly run: (times: number) => Done;
  /** Prepares that many runs; not timed. */
  readonly before?: (times: number) => Done;
  /** Cleans up after the runs; not timed. */
  readonly after?: () => Done;
  /** Whether one run takes long enough to be timed alone, and leaves much garbage. */
  readonly isLong?: boolean;
  /** How the system does less than the line says. */
  readonly note?: string | undefined;
}

/** A task to be counted or weighed. */
export interface CountTask {
  readonly line: string;
  readonly value: () => number | Promise<number>;
  readonly note?: string | undefined;
}

export type Task = TimedTask | CountTask;

/** The amount of work. */
export interface Size {
  /** Rows of the long lists. */
  readonly rows: number;
  /** Records that are weighed. */
  readonly records: number;
}

/** The thoroughness of a run. */
export interface Effort {
  readonly size: Size;
  /** Milliseconds for a line of a system in one round; a round has at least one measurement. */
  readonly budget: number;
  /** The maximum number of rounds; a scenario may need fewer. */
  readonly rounds: number;
  /** The share of a scenario's warm-up that is performed. */
  readonly warmUp: number;
}

/** Lines measured with one preparation. */
export interface Scenario {
  readonly name: string;
  /** How often each task is timed. */
  readonly rounds: number;
  /** Milliseconds that each task runs beforehand, so that its code is compiled. Default 200. */
  readonly warmUp?: number;
  readonly lines: readonly Line[];
  /** Prepares one system, and throws unless it does the work right. No tasks: the system does not support this. */
  readonly prepare: (system: System, size: Size) => Task[] | Promise<Task[]>;
}

/** Performs something repeatedly, and waits only for what is asynchronous. */
export function repeated(act: (count: number) => unknown): (times: number) => Done {
  let count = 0;
  // A separate function, so that synchronous tasks are not slowed down by asynchronous ones.
  const rest = async (pending: unknown, left: number) => {
    await pending;
    for (let i = 0; i < left; i += 1) await act(count++);
  };
  return (times) => {
    for (let i = 0; i < times; i += 1) {
      const pending = act(count++);
      if (pending instanceof Promise) return rest(pending, times - i - 1);
    }
    return undefined;
  };
}

/** Throws if a system does its work wrong. */
export function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`wrong result: ${what}`);
}
