import type { Series } from './figures.ts';
import { Measured } from './process.ts';
import type { Effort, Scenario } from './scenario.ts';

/** Measures in rounds over all systems that support it, each starting with another one; the first does not count. */
export async function measure(
  scenario: Scenario,
  systems: readonly string[],
  effort: Effort,
): Promise<Series[]> {
  const measured: Measured[] = [];
  try {
    for (const system of systems) {
      const each = await Measured.prepare(scenario.name, system, effort);
      if (Object.keys(each.notes).length) measured.push(each);
      else each.end();
    }
    const figures = new Map(measured.map((each) => [each, [] as Readonly<Record<string, number>>[]]));
    for (let round = 0; round <= Math.min(effort.rounds, scenario.rounds); round += 1) {
      for (const each of rotated(measured, round)) {
        const figure = await each.round(effort.budget);
        if (round > 0) figures.get(each)?.push(figure);
      }
    }
    return [...figures].flatMap(([{ system, notes }, taken]) =>
      scenario.lines
        .filter(({ id }) => id in notes)
        .map((line) => ({
          line,
          system,
          values: taken.map((figure) => figure[line.id] ?? NaN),
          ...(notes[line.id] ? { note: notes[line.id] } : {}),
        })),
    );
  } catch (error) {
    throw new Error(`${scenario.name}: ${(error as Error).message}`, { cause: error });
  } finally {
    for (const each of measured) each.end();
  }
}

/** The same list, rotated to begin at another place. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % (list.length || 1);
  return [...list.slice(at), ...list.slice(0, at)];
}
