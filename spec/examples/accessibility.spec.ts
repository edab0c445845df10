import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { appPages } from '../../examples/angular/serve';
import { startServer } from '../../examples/server/server';
import type { RunningServer } from '../../examples/server/server';
import { chromiumPath } from '../chromium';

import { page, patience, useTab } from './tab';

/** What axe finds wrong with the page, as it is shown now. */
async function problems(): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

describe.skipIf(!chromiumPath)('the examples, by the rules of axe', { timeout: 20_000 }, () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ serveStatic: await appPages() });
  });

  afterAll(() => server.close());

  useTab();

  describe.each([
    ['a desktop, in light colours', 1280, 'light'],
    ['a phone, in dark colours', 400, 'dark'],
  ] as const)('on %s', (_, width, colorScheme) => {
    beforeEach(async () => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
    });

    it.each([
      ['/people', 'h1'],
      ['/people/3', '#person input'],
      ['/groceries', '[aria-labelledby=groceries-title] li'],
      ['/nowhere', 'h1'],
      ['/minimal/', 'li'],
      ['/plain/', 'li'],
      ['/big-list/', '[role=row]'],
    ])('has no problem at %s', async (path, shown) => {
      await page.goto(server.url + path);
      await expect.poll(() => page.locator(shown).count(), patience).toBeGreaterThan(0);

      expect(await problems()).toStrictEqual([]);
    });

    it('has none while a form shows what is wrong', async () => {
      await page.goto(`${server.url}/people/3`);
      await page.getByLabel('E-mail').fill('nobody');
      await page.getByLabel('E-mail').blur();
      await expect.poll(() => page.locator('[aria-invalid=true]').count(), patience).toBe(1);

      expect(await problems()).toStrictEqual([]);
    });
  });
});
