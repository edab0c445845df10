import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

import { runAll } from '../faults/run.ts';
import type { Report } from '../faults/run.ts';
import { routes } from '../faults/server.ts';
import { cells } from '../faults/table.ts';
import type { Action, Cell, Outcome } from '../faults/table.ts';
import { node20Path } from '../node-20';

/** Milliseconds for all cells; far more than they need, to allow for a busy machine. */
const limit = 180_000;

/** The actions, as named in the titles. */
const named: Readonly<Record<Action, string>> = {
  read: 'a read',
  update: 'an update',
  create: 'a create',
  destroy: 'a destroy',
  list: 'the read of a list',
};

/** The outcomes other than failures, as worded in the titles. */
const told: Readonly<Partial<Record<Outcome, string>>> = {
  written: 'writes the answer',
  empty: 'succeeds and writes nothing',
  gone: 'succeeds and leaves the record new',
  refused: 'is refused and changes nothing',
};

const titled = cells.map((cell, place) => ({ cell, place, title: titleOf(cell) }));

function titleOf({ fault, action, outcome }: Cell): string {
  return `${fault}: ${named[action]} ${told[outcome] ?? `fails with ${outcome}`}`;
}

let here: Report;
let onNode20: Report | undefined;

beforeAll(async () => {
  [here, onNode20] = await Promise.all([runAll(), node20Path ? runOn(node20Path) : undefined]);
}, 2 * limit);

it('tries every route of the fault server except echo', () => {
  const tried = new Set(cells.map(({ fault }) => fault.replace(/\?.*/, '')));
  expect(Object.keys(routes).filter((route) => !tried.has(route))).toEqual(['echo']);
});

describe('on this Node', () => {
  it.each(titled)('$title', ({ place }) => {
    expect(here.problems[place]).toEqual([]);
  });

  it('leaves no rejection or exception unhandled', () => {
    expect(here.unhandled).toEqual([]);
  });
});

describe.skipIf(!node20Path)('on Node 20', () => {
  it('survives every fault alike, and lets the process end', () => {
    const found = titled.map(({ title, place }) => [title, onNode20?.problems[place]]);

    expect(onNode20?.node).toMatch(/^20\./);
    expect(onNode20?.problems).toHaveLength(cells.length);
    expect(found).toEqual(titled.map(({ title }) => [title, []]));
    expect(onNode20?.unhandled).toEqual([]);
  });
});

/** Runs all cells in a separate process, and fails if it does not end by itself. */
async function runOn(node: string): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'rivulet-'));
  try {
    const outfile = join(folder, 'main.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../faults/main.ts', import.meta.url))],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
    const run = promisify(execFile);
    const { stdout } = await run(node, [outfile], { timeout: limit, maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as Report;
  } finally {
    await rm(folder, { recursive: true });
  }
}
