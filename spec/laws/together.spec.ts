import { describe } from 'vitest';

import { law } from './law';
import { course, setup } from './together/steps';
import { World } from './together/world';

describe('all extras together, two or three clients of one server', () => {
  law(
    'lose nothing unseen, create nothing twice, and come to an end and to one view of it all',
    [setup, course],
    (given, steps) => new World(given).play(steps),
    200,
  );
});
