import { describe } from 'vitest';

import { law } from '../laws/law';

import { course } from './two-clients/steps';
import { play } from './two-clients/world';

describe('two clients of one record, on a real server', () => {
  law('lose no update silently in a thousand random edits, saves and answers', [course], play, 4);
});
