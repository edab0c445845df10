import { describe } from 'vitest';

import { law } from './law';
import { course, setup } from './together/steps';
import { World } from './together/world';

describe('two or three clients of one server, with all extras,', () => {
  law(
    'lose nothing unseen, create nothing twice, finish, and agree in the end',
    [setup, course],
    (given, steps) => new World(given).play(steps),
    80,
  );
});
