import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { operations } from './probe';
import { answerAll, quietly, useBrowser } from './stage';

describe.skipIf(!chromiumPath)('the network in the browser', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  /** Performs something offline. */
  async function offline<T>(act: () => Promise<T>): Promise<T> {
    await stage.context.setOffline(true);
    try {
      return await act();
    } finally {
      await stage.context.setOffline(false);
    }
  }

  it.each(operations)('fails the %s quietly offline, and sends it when online again', async (each) => {
    stage.server.answer = answerAll;
    expect(await offline(() => stage.run(each))).toMatchObject(quietly('TypeError'));
    expect(stage.server.lines).toStrictEqual([]);
    expect(await stage.run(each)).toMatchObject({ outcome: '200', error: null, isWritten: true, busy: [] });
  });

  it.each(operations)('fails the %s quietly when the server closes the connection', async (each) => {
    stage.server.answer = ({ response }) => response.destroy();
    expect(await stage.run(each)).toMatchObject(quietly('TypeError'));
  });

  // Chromium itself resends on a reused connection: a server may see one save twice.
  it('fails a save quietly that the browser resends because its connection was closed', async () => {
    stage.server.answer = answerAll;
    await stage.run('list');
    stage.server.answer = ({ response }) => response.destroy();

    expect(await stage.run('create')).toMatchObject(quietly('TypeError'));
    expect(stage.server.lines).toStrictEqual(['GET /people', 'POST /people', 'POST /people']);
  });

  it.each([
    ['read', 'GET /people/7'],
    ['update', 'PUT /people/7'],
    ['create', 'POST /people'],
    ['list', 'GET /people'],
    ['add', 'POST /people'],
  ] as const)('fails the %s quietly when its connection breaks in the body', async (operation, line) => {
    const report = stage.run(operation);
    const held = await stage.server.arrived(line);
    await stage.inBody(held, '[{"id":7,"name":"Bo');
    held.response.destroy();
    expect(await report).toMatchObject(quietly('TypeError'));
  });

  it.each([
    ['save', 'unhandled rejection: TypeError: Failed to fetch'],
    ['save$', 'uncaught error: Uncaught TypeError: Failed to fetch'],
  ] as const)('reports a failing %s that nobody handles, once', async (name, event) => {
    await offline(async () => {
      await stage.probe.evaluate((probe, method) => {
        const person = probe.person(7);
        if (method === 'save') void person.save();
        else person.save$().subscribe();
      }, name);
      await expect.poll(() => stage.complaints).not.toStrictEqual([]);
      // Any further report would come before the next failure.
      await stage.run('update');
    });
    expect(stage.complaints.splice(0)).toStrictEqual([event]);
  });

  it('reports nothing of a stream that is unsubscribed before it fails', async () => {
    await offline(async () => {
      await stage.probe.evaluate((probe) => {
        probe.begin('update');
        probe.subscription?.unsubscribe();
      });
      const left = await stage.report();
      expect(left).toMatchObject({ outcome: null, error: null, isWritten: false, busy: [] });
      await stage.run('update');
    });
    expect(stage.complaints).toStrictEqual([]);
  });

  describe('ten saves over the six connections of a browser', () => {
    const lineOf = (id: number) => `PUT /people/${id}`;
    /** The ids of the records whose saves have reached the server. */
    const arrived = () =>
      stage.server.lines.map((line) => Number(line.split('/').at(-1))).sort((a, b) => a - b);

    /** Saves ten records with successive ids; returns the first six requests, held. */
    async function saveTen() {
      const ten = await stage.probe.evaluateHandle((probe) =>
        Array.from({ length: 10 }, (_, place) => {
          const person = probe.person(place + 1);
          const subscription = person.save$().subscribe();
          return { person, subscription };
        }),
      );
      const held = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => stage.server.arrived(lineOf(id))));
      const namesAndFlags = () =>
        ten.evaluate((all) => all.map(({ person }) => [person.name.value, person.isSaving$.value]));
      return { ten, held, namesAndFlags };
    }

    it('are all written once the first six are answered', async () => {
      const { held, namesAndFlags } = await saveTen();
      expect(arrived()).toStrictEqual([1, 2, 3, 4, 5, 6]);
      expect(await namesAndFlags()).toStrictEqual(Array(10).fill(['Ann', true]));

      stage.server.answer = answerAll;
      for (const exchange of held) answerAll(exchange);

      await expect.poll(namesAndFlags).toStrictEqual(Array(10).fill(['Bo', false]));
      expect(arrived()).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it('are never sent if unsubscribed in the queue, and make room if unsubscribed while held', async () => {
      const { ten, held, namesAndFlags } = await saveTen();
      await ten.evaluate((all) => {
        for (const place of [6, 7, 0, 1]) all[place]?.subscription.unsubscribe();
      });
      await Promise.all([held[0]?.gone, held[1]?.gone]);
      await Promise.all([9, 10].map((id) => stage.server.arrived(lineOf(id))));

      expect(arrived()).toStrictEqual([1, 2, 3, 4, 5, 6, 9, 10]);
      expect((await namesAndFlags()).map(([, isSaving]) => isSaving)).toStrictEqual(
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => ![1, 2, 7, 8].includes(id)),
      );
    });
  });
});
