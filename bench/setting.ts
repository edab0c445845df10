import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

import type { Setting } from './report.ts';

/** The circumstances of this run. */
export function settingOf(systems: readonly string[]): Setting {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const isDirty = git('status', '--porcelain', '--', 'lib', 'bench').length > 0;
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    commit: git('rev-parse', '--short', 'HEAD') + (isDirty ? ' and changes' : ''),
    processors: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`,
    versions: Object.fromEntries(
      systems.flatMap((system) => {
        const version = versionOf(system);
        return version ? [[system, version]] : [];
      }),
    ),
  };
}

/** The version of the package with the name of a system. */
function versionOf(system: string): string | undefined {
  const manifest = new URL(`node_modules/${system}/package.json`, import.meta.url);
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
