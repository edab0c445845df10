import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startServer } from '../../examples/server/server.ts';
import type { RunningServer } from '../../examples/server/server.ts';
import { createLib } from 'rivulet';
import { etags, mergeConflicts } from 'rivulet/etag';

import { Person } from '../person';
import { valuesOf } from '../watch';

import { stored } from './people';

let server: RunningServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

/** An independent client that has read the first person. */
async function client() {
  const person = new Person(createLib(etags()), { url: `${server.url}/api/people` }, { id: 1 });
  await person.fetch();
  const save = () => lastValueFrom(person.save$({ patch: true }).pipe(mergeConflicts(person)));
  return { person, save, conflicts: valuesOf(person.conflicts$) };
}

describe('two clients of one record', () => {
  it('both keep their changes to different fields', async () => {
    const [here, there] = [await client(), await client()];
    here.person.name.next('Here');
    there.person.city.next('There');

    expect([(await here.save()).status, (await there.save()).status]).toStrictEqual([200, 200]);

    expect([stored(server, 1, 'name'), stored(server, 1, 'address.city')]).toStrictEqual(['Here', 'There']);
    expect(there.person.name.value).toBe('Here');
    expect(there.conflicts).toStrictEqual([]);
  });

  it('lose no change of the same field unseen, and continue from the choice', async () => {
    const [here, there] = [await client(), await client()];
    here.person.name.next('Here');
    there.person.name.next('There');
    await here.save();

    expect((await there.save()).status).toBe(412);
    expect(stored(server, 1, 'name')).toBe('Here');
    expect(there.conflicts).toMatchObject([{ path: 'name', mine: 'There', theirs: 'Here' }]);

    there.conflicts[0]?.keepMine();
    expect((await there.save()).status).toBe(200);
    expect(stored(server, 1, 'name')).toBe('There');
  });

  it('do not delete an unseen change of the other', async () => {
    const [here, there] = [await client(), await client()];
    here.person.name.next('Here');
    await here.save();

    expect((await there.person.destroy()).status).toBe(412);

    expect(stored(server, 1, 'name')).toBe('Here');
    expect(there.person.isNew$.value).toBe(false);
  });

  it('get a 304 when nothing has changed', async () => {
    const { person } = await client();
    const again = await person.fetch();
    expect([again.status, again.ok, person.error$.value]).toStrictEqual([304, true, null]);
  });
});
