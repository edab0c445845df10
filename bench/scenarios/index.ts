import type { Scenario } from '../scenario.ts';

import { derived } from './derived.ts';
import { fill } from './fill.ts';
import { liveView } from './live-view.ts';
import { memory } from './memory.ts';
import { refetch } from './refetch.ts';
import { loopback, request } from './request.ts';
import { search } from './search.ts';
import { weight } from './weight.ts';
import { writeBack } from './write-back.ts';

/** All scenarios, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  request,
  loopback,
  writeBack,
  derived,
  fill,
  refetch,
  search,
  liveView,
  memory,
  weight,
];

/** The scenario with that name. */
export function scenarioOf(name: string): Scenario {
  const scenario = scenarios.find((each) => each.name === name);
  if (!scenario)
    throw new Error(`no scenario "${name}"; there are ${scenarios.map((each) => each.name).join(', ')}`);
  return scenario;
}
