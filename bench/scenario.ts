import type { Done, System } from './system.ts';

/** The unit of a figure: seconds, bytes, or a number of things. */
export type Unit = 'time' | 'bytes' | 'count';

/** What rivulet is to reach: a multiple of the floor, or an absolute figure in the unit of the row. */
export interface Goal {
  readonly ratio?: number;
  readonly most?: number;
}

/** One line of the table. */
export interface Line {
  /** What the tasks are called that measure it; unique among all scenarios. */
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly goal?: Goal;
}

/** Something to be timed: `run` does it as many times as it is told. */
export interface TimedTask {
  readonly line: string;
  readonly run: (times: number) => Done;
  /** Prepares that many runs; not timed. */
  readonly before?: (times: number) => Done;
  /** Cleans up after the runs; not timed. */
  readonly after?: () => Done;
  /** Whether one run takes long enough to be timed alone, and leaves much garbage. */
  readonly isLong?: boolean;
  /** Where the system does less than the line says. */
  readonly note?: string | undefined;
}

/** Something to be counted or weighed. */
export interface CountTask {
  readonly line: string;
  readonly value: () => number | Promise<number>;
  readonly note?: string | undefined;
}

export type Task = TimedTask | CountTask;

/** How much is to be done. */
export interface Size {
  /** Rows of the long lists. */
  readonly rows: number;
  /** Records that are weighed. */
  readonly records: number;
}

/** How thorough a run is. */
export interface Effort {
  readonly size: Size;
  /** Milliseconds for a line of a system in one round; a round has one measurement at least. */
  readonly budget: number;
  /** The most rounds; a scenario may need fewer. */
  readonly rounds: number;
  /** The share of what a scenario needs to warm up. */
  readonly warmUp: number;
}

/** Lines that are measured with one preparation. */
export interface Scenario {
  readonly name: string;
  /** How often each task is timed. */
  readonly rounds: number;
  /** Milliseconds that each task is run before, so that its code is compiled. Default 200. */
  readonly warmUp?: number;
  readonly lines: readonly Line[];
  /** Prepares one system, checks that it does the work right, or throws. No task: the system does not do this. */
  readonly prepare: (system: System, size: Size) => Task[] | Promise<Task[]>;
}

/** Does something over and over, and waits only where it takes its time. */
export function repeated(act: (count: number) => unknown): (times: number) => Done {
  let count = 0;
  // A step of its own, so that what is done at once is not slowed down by what waits.
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

/** What the checks of scenarios say of a system that does its work wrong. */
export function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`wrong result: ${what}`);
}
