import { describe, expect, it, vi } from 'vitest';

import { lib } from 'rivulet';
import type { TestServer } from 'rivulet/testing';

import { run } from '../markdown';

describe.each([
  ['what happens during a request', 'note.save({ patch: true })', 3],
  ['time', 'new TestClock();', 2],
])('docs/TESTING.md, about %s', (_, text, claims) => {
  it('finds everything as it claims', async () => {
    const assert = vi.spyOn(console, 'assert').mockReturnValue();
    const { server } = (await run(text, ['server'])) as { server: TestServer };

    expect(assert.mock.calls).toStrictEqual(Array(claims).fill([true]));
    expect(server.requests).not.toStrictEqual([]);
    server.verify();
  });
});

describe('docs/TESTING.md, about the default root', () => {
  it('leaves the options as they were', async () => {
    const { options } = lib;
    await run('lib.options = options;', ['server']);

    expect(lib.options).toBe(options);
  });
});
