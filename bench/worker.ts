import { load } from './adapters/index.ts';
import type { Effort, Task } from './scenario.ts';
import { scenarioOf } from './scenarios/index.ts';
import { batchOf, time } from './stopwatch.ts';

/** The orders for a worker: prepare one system for one scenario, then time its tasks on each further order. */
export type Order =
  | { readonly scenario: string; readonly system: string; readonly effort: Effort }
  | { readonly budget: number };

/** The answers: the notes of its lines, then the figures of each round. */
export interface Report {
  readonly notes?: Readonly<Record<string, string>>;
  readonly figures?: Readonly<Record<string, number>>;
  readonly failure?: string;
}

let tasks: readonly (readonly [task: Task, batch: number])[] = [];

process.on('message', (order: Order) => {
  const answer = 'scenario' in order ? prepare(order) : round(order.budget);
  answer.then(send, (error: unknown) => {
    send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  });
});

// Without the parent process there is nothing left to do.
process.on('disconnect', () => process.exit());

const send = (report: Report): void => {
  process.send?.(report);
};

async function prepare(order: Extract<Order, { scenario: string }>): Promise<Report> {
  const system = await load(order.system);
  const scenario = scenarioOf(order.scenario);
  const warmUp = (scenario.warmUp ?? 200) * order.effort.warmUp;
  const prepared: [Task, number][] = [];
  const notes: Record<string, string> = {};
  for (const task of await scenario.prepare(system, order.effort.size)) {
    prepared.push([task, 'run' in task ? await batchOf(task, warmUp) : 1]);
    notes[task.line] = task.note ?? '';
  }
  tasks = prepared;
  return { notes };
}

async function round(budget: number): Promise<Report> {
  const figures: Record<string, number> = {};
  for (const [task, batch] of tasks) {
    figures[task.line] = 'run' in task ? await time(task, batch, budget) : await task.value();
  }
  return { figures };
}
