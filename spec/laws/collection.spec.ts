import { describe } from 'vitest';

import { deltasAddUp, flagsAreRight, rulesAreKept, subscribersAgree } from './collection/invariants';
import { nestedSteps, steps } from './collection/steps';
import { CollectionWorld } from './collection/world';
import { law } from './law';
import { errorIsRight, nothingIsLeft, play } from './play';
import { same } from './same';

describe('a collection', () => {
  law('follows the rules, whatever happens to it', [steps], async (happening) => {
    await play(new CollectionWorld(), happening, [flagsAreRight, rulesAreKept, deltasAddUp, errorIsRight]);
  });

  law('stays consistent when subscribers act on notifications', [nestedSteps], async (happening) => {
    const world = new CollectionWorld();
    world.listen('items', world.target.asObservable());
    world.listen('isReading$', world.target.isReading$);
    await play(world, happening, [flagsAreRight, subscribersAgree, deltasAddUp]);
  });

  law('settles every promise and lowers every flag', [nestedSteps], async (happening) => {
    const world = new CollectionWorld(true);
    world.listen('items', world.target.asObservable());
    for (const step of happening) step.run(world);
    world.calm();
    world.dispose();
    await nothingIsLeft(world);
    same(world.target.requestInProgress$.value, false, 'requestInProgress$');
  });
});
