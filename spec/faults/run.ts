import { startFaultServer } from './server.ts';
import { survive } from './survive.ts';
import { cells } from './table.ts';
import type { Cell } from './table.ts';

/** The result of running all cells. */
export interface Report {
  /** The version of Node. */
  readonly node: string;
  /** The problems of each cell, in the order of the table. */
  readonly problems: readonly (readonly string[])[];
  /** Rejections and exceptions that nobody handled. */
  readonly unhandled: readonly string[];
}

/** How many cells run at a time. */
const width = 8;

/** Runs all cells against one server. */
export async function runAll(): Promise<Report> {
  const server = await startFaultServer();
  const problems = new Map<Cell, readonly string[]>();
  const unhandled = await collectUnhandled(async () => {
    const run = async (cell: Cell) => {
      problems.set(cell, await survive(cell, server));
    };
    const isTimed = ({ outcome }: Cell) => outcome === 'TimeoutError';
    const others = cells.filter((cell) => !isTimed(cell)).values();
    const work = async () => {
      for (const cell of others) await run(cell);
    };
    await Promise.all(Array.from({ length: width }, work));
    // These measure time, so nothing else may run in the meantime.
    await Promise.all(cells.filter(isTimed).map(run));
    await server.close();
  });
  return {
    node: process.versions.node,
    problems: cells.map((cell) => problems.get(cell) ?? ['did not run']),
    unhandled,
  };
}

/** The errors that nothing in the process handles while something runs. */
async function collectUnhandled(run: () => Promise<void>): Promise<string[]> {
  const unhandled: string[] = [];
  const note = (error: unknown) => {
    unhandled.push(error instanceof Error ? String(error.stack) : String(error));
  };
  process.on('unhandledRejection', note).on('uncaughtException', note);
  await run();
  // A rejection is reported after the promises of its turn.
  await new Promise(setImmediate);
  process.off('unhandledRejection', note).off('uncaughtException', note);
  return unhandled;
}
