import fc from 'fast-check';
import { describe } from 'vitest';

import { law } from './law';
import { errorIsRight, nothingIsLeft, play } from './play';
import {
  dirtyIsRight,
  flagsAreRight,
  rulesAreKept,
  subscribersAreUpToDate,
  valuesAreLegal,
} from './record/invariants';
import { exchange, nestedSteps, steps } from './record/steps';
import { RecordWorld } from './record/world';
import { same } from './same';

describe('a record', () => {
  const id = fc.constantFrom(1, undefined);

  law('merges an answer field by field, as the rules say', [exchange, id], async (happening, first) => {
    await play(new RecordWorld(first), happening, [dirtyIsRight, rulesAreKept]);
  });

  law('follows the rules, whatever happens to it', [steps, id], async (happening, first) => {
    await play(new RecordWorld(first), happening, [flagsAreRight, dirtyIsRight, rulesAreKept, errorIsRight]);
  });

  law(
    'stays consistent when subscribers act on notifications',
    [nestedSteps, id],
    async (happening, first) => {
      const watches = [flagsAreRight, dirtyIsRight, subscribersAreUpToDate, valuesAreLegal];
      await play(new RecordWorld(first).listenAll(), happening, watches);
    },
  );

  law('settles every promise and lowers every flag', [nestedSteps, id], async (happening, first) => {
    const world = new RecordWorld(first, true).listenAll();
    for (const step of happening) step.run(world);
    world.calm();
    world.dispose();
    await nothingIsLeft(world);
    same(world.target.requestInProgress$.value, false, 'requestInProgress$');
  });
});
