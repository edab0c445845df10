import type { System } from '../system.ts';

type Load = () => Promise<{ readonly default: System }>;

/** All systems, in the order of the table. Each is loaded alone, so that none is slowed down by another. */
const loads: Readonly<Record<string, Load>> = {
  floor: () => import('./floor.ts'),
  rivulet: () => import('./rivulet.ts'),
  rxjs: () => import('./rxjs.ts'),
  '@preact/signals-core': () => import('./preact-signals.ts'),
  knockout: () => import('./knockout.ts'),
  backbone: () => import('./backbone.ts'),
  mobx: () => import('./mobx.ts'),
  '@tanstack/query-core': () => import('./query-core.ts'),
  '@tanstack/db': () => import('./tanstack-db.ts'),
  '@ngneat/elf': () => import('./elf.ts'),
  '@ngrx/entity': () => import('./ngrx-entity.ts'),
  rxdb: () => import('./rxdb.ts'),
};

/** The names of all systems; the others are compared with the first. */
export const systemNames: readonly string[] = Object.keys(loads);

/** The system with that name. */
export async function load(name: string): Promise<System> {
  const found = loads[name];
  if (!found) throw new Error(`no system "${name}"; there are ${systemNames.join(', ')}`);
  return (await found()).default;
}
