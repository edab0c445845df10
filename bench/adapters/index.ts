import type { System } from '../system.ts';

type Load = () => Promise<{ readonly default: System }>;

/** All systems, in the order of the table. Each is loaded alone: none is to be slower for what others do. */
const loads: Readonly<Record<string, Load>> = {
  floor: () => import('./floor.ts'),
  rivulet: () => import('./rivulet.ts'),
  rxjs: () => import('./rxjs.ts'),
};

/** The names of all systems; the first is the one that others are measured by. */
export const systemNames: readonly string[] = Object.keys(loads);

/** The system of that name. */
export async function load(name: string): Promise<System> {
  const found = loads[name];
  if (!found) throw new Error(`no system "${name}"; there are ${systemNames.join(', ')}`);
  return (await found()).default;
}
