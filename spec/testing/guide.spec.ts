import { describe, expect, it } from 'vitest';

import type { Lib } from 'rivulet';
import type { TestServer } from 'rivulet/testing';

import { run } from '../markdown';

describe('docs/TESTING.md', () => {
  it.each([
    ['what happens during a request', '// before each test\nconst server', ['PATCH /api/notes/1']],
    ['code that awaits', 'addAndReload', ['POST /api/notes', 'GET /api/notes', 'POST /api/notes']],
    ['time', 'new TestClock();', ['PATCH /api/notes/1', 'PATCH /api/notes/1']],
    [
      'conflicts',
      'mergeConflicts(note)).subscribe()',
      ['GET /api/notes/1', 'PATCH /api/notes/1', 'GET /api/notes/1', 'PATCH /api/notes/1'],
    ],
    ['feeds', 'const following = open(', ['GET /api/notes']],
  ])('finds everything as it claims about %s', async (_, text, lines) => {
    const { server } = (await run(text, ['server'])) as { server: TestServer };

    expect(server.requests.map(String)).toStrictEqual(lines);
  });

  it('leaves the options of the default root as they were', async () => {
    const { lib, options } = (await run('lib.options = options;', ['lib', 'options'])) as Record<string, Lib>;

    expect(lib?.options).toBe(options);
  });
});
