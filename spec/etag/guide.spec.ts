import { describe, expect, it } from 'vitest';

import type { Lib } from 'rivulet';
import { mergeConflicts } from 'rivulet/etag';
import { TestServer } from 'rivulet/testing';

import { run } from '../markdown';
import { watch } from '../watch';

describe('docs/CONFLICTS.md', () => {
  it('lets a row that was never read itself be merged before its first save', async () => {
    const { root } = (await run('onlyVersions', [])) as { readonly root: Lib };
    const server = new TestServer();
    root.options.transport = server.transport;
    const people = root.collection({ url: '/people', data: [{ id: 7, name: 'Ann', city: 'Bonn' }] });
    const ann = people.record(7);
    ann.name.next('Bea');
    watch(ann.save$({ patch: true }).pipe(mergeConflicts(ann)));
    server
      .expectOne('GET /people/7')
      .answer({ id: 7, name: 'Ann', city: 'Rome' }, { headers: { etag: '"2"' } });
    const save = server.expectOne('PATCH /people/7');

    expect([save.headers.get('if-match'), save.body, ann.city.value]).toStrictEqual([
      '"2"',
      { name: 'Bea' },
      'Rome',
    ]);
  });
});
