import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { chromiumPath, windowedPath } from '../chromium';

import type { Probe } from './probe';
import { answerAll, quietly, useBrowser } from './stage';

describe.skipIf(!chromiumPath)('leaving during a save', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  it.each([
    ['another page is opened', () => stage.page.goto('/elsewhere')],
    ['it is reloaded', () => stage.page.reload()],
    ['its tab is closed', () => stage.page.close()],
  ])('closes the request when %s', async (_, leave) => {
    await stage.begin('update');
    const held = await stage.server.arrived('PUT /people/7');
    await leave();
    await held.gone;
  });

  it('lets a save with keepalive go on, unlike one without', async () => {
    await stage.probe.evaluate((probe) => {
      probe.begin('update', { keepalive: true });
      probe.begin('create');
    });
    const [kept, other] = await Promise.all([
      stage.server.arrived('PUT /people/7'),
      stage.server.arrived('POST /people'),
    ]);
    await stage.page.goto('/elsewhere');
    await other.gone;

    expect(kept.isGone).toBe(false);
    answerAll(kept);
  });

  it('lets a save with keepalive that is sent on the way out arrive completely, and go on', async () => {
    await stage.probe.evaluate((probe) => {
      addEventListener('pagehide', () => {
        probe.begin('update', { keepalive: true });
      });
    });
    await stage.page.goto('/elsewhere');
    const kept = await stage.server.arrived('PUT /people/7');
    // The second time, the server would have been told of a connection that ended with the page.
    await stage.page.goto('/elsewhere');
    await stage.page.goto('/elsewhere');
    expect(kept.isGone).toBe(false);
    expect(JSON.parse(kept.body)).toStrictEqual({ id: 7, name: 'Bea', address: { city: 'Bonn' } });
    answerAll(kept);
  });

  it('fails a save with keepalive quietly when it is longer than browsers allow', async () => {
    const attrs = { name: 'x'.repeat(2 ** 16) };
    expect(await stage.run('update', { keepalive: true, attrs })).toMatchObject(quietly('TypeError'));
    expect(stage.server.lines).toStrictEqual([]);
  });

  describe('a worker', () => {
    /** A worker that runs the library. */
    async function startWorker() {
      const started = stage.page.waitForEvent('worker');
      const handle = await stage.page.evaluateHandle(() => new Worker('/probe.js'));
      const probe = await (await started).evaluateHandle<Probe>('probe');
      return { handle, probe };
    }

    it('reads as a page does', async () => {
      stage.server.answer = answerAll;
      const { probe } = await startWorker();
      expect(await probe.evaluate((inside) => inside.run('read'))).toMatchObject({
        outcome: '200',
        data: { name: 'Bo' },
      });
    });

    it('closes its request when it is terminated, and the page goes on', async () => {
      const { handle, probe } = await startWorker();
      await probe.evaluate((inside) => {
        inside.begin('update');
      });
      const held = await stage.server.arrived('PUT /people/7');
      await handle.evaluate((worker) => {
        worker.terminate();
      });
      await held.gone;

      stage.server.answer = answerAll;
      expect(await stage.run('update')).toMatchObject({ outcome: '200', isWritten: true });
    });
  });
});

describe.skipIf(!windowedPath)('a page restored from the back/forward cache', { timeout: 10_000 }, () => {
  // Playwright switches this cache off, from which the Back button restores a page.
  const stage = useBrowser(() =>
    chromium.launch({
      executablePath: String(windowedPath),
      args: ['--no-sandbox', '--disable-gpu'],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
  );
  const flags = ['isUpdating$', 'isSaving$', 'requestInProgress$'];

  /** Leaves during a save; `back` returns to the page. */
  async function leave() {
    await stage.page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => (document.title = persisted ? 'as it was' : 'anew'));
    });
    await stage.begin('update');
    const held = await stage.server.arrived('PUT /people/7');
    await stage.page.goto('/elsewhere');
    return {
      held,
      back: async () => {
        await stage.page.evaluate(() => {
          history.back();
        });
        await stage.page.waitForURL(`${stage.origins.own}/`, { waitUntil: 'commit' });
        await stage.page.waitForFunction(() => document.title === 'as it was');
        await stage.attach();
      },
    };
  }

  it('has its save still under way, and receives the answer', async () => {
    const { held, back } = await leave();
    await back();
    expect(await stage.report()).toMatchObject({ outcome: null, busy: flags });
    answerAll(held);
    await expect
      .poll(() => stage.report())
      .toMatchObject({ outcome: '200', error: null, data: { name: 'Bo' }, busy: [] });
  });

  it('receives the answer that arrived while it was away', async () => {
    const { held, back } = await leave();
    answerAll(held);
    await back();
    await expect
      .poll(() => stage.report())
      .toMatchObject({ outcome: '200', error: null, data: { name: 'Bo' }, busy: [] });
  });
});
