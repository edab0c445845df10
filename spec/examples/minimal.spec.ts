import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { minimalPage } from '../../examples/minimal/serve.ts';
import { chromiumPath } from '../chromium';

import { hold } from './held';
import { row, server, useServer, writes } from './served';
import { texts } from './shown';
import { page, useTab } from './tab';

const source = (path: string) => fileURLToPath(new URL(`../../lib/${path}/index.ts`, import.meta.url));

/** Straight from the sources: an outdated build of the package must not be tested. */
const library = { rivulet: source('.'), 'rivulet/autosave': source('autosave') };

const status = () => page.locator('output');
const buttons = () => page.locator('li button');

/** Opens the form of the first person. */
async function open(): Promise<void> {
  await page.goto(server.url);
  await buttons().first().click();
  await texts(status(), 'Saved');
}

describe.skipIf(!chromiumPath)('the minimal example', { timeout: 20_000 }, () => {
  useServer(() => minimalPage('/', library));
  useTab();

  it('saves what is typed, and then shows it in the list', async () => {
    await open();
    await page.getByLabel('Name').fill('Ada Lovelace');
    await texts(status(), 'Saved');
    await texts(buttons().first(), 'Ada Lovelace');
    expect(writes().map(({ method }) => method)).toEqual(['PATCH']);
    expect(row('people', "name = 'Ada Lovelace'")).toBeDefined();
  });

  it('saves what is unsaved before it shows another person', async () => {
    await open();
    const save = await hold(page, 'PATCH', '/api/people/');
    await page.getByLabel('Name').fill('Ada');
    await buttons().nth(1).click();
    await save.arrived;
    await page.getByLabel('Name').fill('Ada Lovelace');
    save.release();
    await texts(buttons().first(), 'Ada Lovelace');
    await expect.poll(() => page.getByLabel('Name').inputValue()).not.toBe('Ada Lovelace');
    expect(row('people', "name = 'Ada Lovelace'")).toBeDefined();
  });

  it('asks before unsaved text is lost, and keeps it if not', async () => {
    await open();
    await page.context().setOffline(true);
    await page.getByLabel('Name').fill('Ada Lovelace');
    await texts(status(), /Not saved/);
    page.once('dialog', (dialog) => void dialog.dismiss());
    await buttons().nth(1).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
    await page.context().setOffline(false);
    await page.getByLabel('E-mail').fill('ada@example.org');
    await texts(status(), 'Saved');
    expect(row('people', "name = 'Ada Lovelace'")).toMatchObject({ email: 'ada@example.org' });
  });
});
