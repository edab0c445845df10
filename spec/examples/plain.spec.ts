import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { plainPage } from '../../examples/plain/serve.ts';
import { chromiumPath } from '../chromium';

import { hold as holdOn } from './held';
import type { Held } from './held';
import { row, server, useServer, writes } from './served';
import { attribute, focused, texts, value } from './shown';
import { asksBeforeLeaving, page, useTab } from './tab';

/** Straight from the sources: an outdated build of the package must not be tested. */
const library = fileURLToPath(new URL('../../lib/index.ts', import.meta.url));

describe.skipIf(!chromiumPath)('the plain example', { timeout: 20_000 }, () => {
  useServer(() => plainPage('/', library));
  useTab();

  describe('the grocery list', () => {
    it('shows the groceries of the database', async () => {
      await open();
      expect(await groceries().count()).toBe(rows('groceries'));
      expect(await groceries().first().innerText()).toContain('Bananas');
    });

    it('is marked as busy only while it is loaded', async () => {
      const list = await hold('GET', '/api/groceries');
      await page.goto(server.url);
      await list.arrived;
      await status('#groceries', 'Loading…');
      await attribute(page.locator('#groceries'), 'aria-busy', 'true');
      list.release();
      await status('#groceries', /to buy/);
      await attribute(page.locator('#groceries'), 'aria-busy', 'false');
    });

    it('shows the matches of the server, only for the latest text', async () => {
      await open();
      const first = await hold('GET', '/api/groceries?search=bread');
      const given = page.waitForEvent('requestfailed');
      await page.getByLabel('Search groceries').fill('bread');
      await first.arrived;
      await page.getByLabel('Search groceries').fill('milk');
      await texts(groceries(), /Whole milk/);
      expect((await given).url()).toContain('?search=bread');
      first.release();
      await page.getByLabel('Search groceries').fill('');
      await expect.poll(() => groceries().count()).toBe(rows('groceries'));
      expect(await groceries().first().innerText()).toContain('Bananas');
    });

    it('adds an entered item, and empties the box for the next', async () => {
      await open();
      await page.getByLabel('New item').fill('Rye flour');
      await page.getByLabel('New item').press('Enter');
      await texts(groceries().last(), /Rye flour/);
      expect(await page.getByLabel('New item').inputValue()).toBe('');
      expect(row('groceries', "name = 'Rye flour'")).toMatchObject({ done: 0, category: 'Other' });
    });

    it('adds an item once, however often Enter is pressed, and keeps text entered since then', async () => {
      await open();
      const first = await hold('POST', '/api/groceries');
      await page.getByLabel('New item').fill('Rye flour');
      await page.getByLabel('New item').press('Enter');
      await first.arrived;
      await page.getByLabel('New item').press('Enter');
      await page.getByLabel('New item').fill('Yeast');
      first.release();
      await texts(groceries().last(), /Rye flour/);
      expect(await page.getByLabel('New item').inputValue()).toBe('Yeast');
      expect(writes()).toHaveLength(1);
    });

    it('adopts no older state of an item than its row has saved', async () => {
      await open();
      await page.route(/search=bananas/, async (route) => {
        const list = await route.fetch();
        await grocery('Bananas').getByRole('checkbox').click();
        await server.waitFor(({ method, status: answered }) => method === 'PATCH' && answered === 200);
        await attribute(grocery('Bananas'), 'aria-busy', 'false');
        await route.fulfill({ response: list });
      });
      await page.getByLabel('Search groceries').fill('bananas');
      await texts(groceries(), /Bananas/);
      expect(await grocery('Bananas').getByRole('checkbox').isChecked()).toBe(true);
      expect(row('groceries', "name = 'Bananas'")).toMatchObject({ done: 1 });
    });

    it('keeps the entered text when it is refused, and says why', async () => {
      await open();
      await page.getByLabel('New item').fill('   ');
      await page.getByLabel('New item').press('Enter');
      await texts(page.locator('#groceries > [role=alert]'), /^Not saved: name must not be blank\.$/);
      expect(await page.getByLabel('New item').inputValue()).toBe('   ');
    });

    it('saves a tick at once, and applies the filter to the item', async () => {
      await open();
      await page.getByRole('radio', { name: 'To buy' }).check();
      await grocery('Bananas').getByRole('checkbox').click();
      await expect.poll(() => grocery('Bananas').count()).toBe(0);
      expect(row('groceries', "name = 'Bananas'")).toMatchObject({ done: 1 });
      expect(server.requests.at(-1)).toMatchObject({ method: 'PATCH', body: '{"done":true}' });
    });

    it('moves the focus to the next item when the focused one disappears', async () => {
      await open();
      await page.getByRole('radio', { name: 'To buy' }).check();
      await grocery('Bananas').getByRole('checkbox').focus();
      await page.keyboard.press('Space');
      await expect.poll(() => grocery('Bananas').count()).toBe(0);
      await focused(grocery('Apples, Braeburn').getByRole('checkbox'));
    });

    it('undoes a tick that the server refuses, and says why beside it', async () => {
      await open();
      await requestsFail('503');
      await grocery('Bananas').getByRole('checkbox').click();
      await texts(grocery('Bananas').getByRole('alert'), /503 Service Unavailable/);
      expect(await grocery('Bananas').getByRole('checkbox').isChecked()).toBe(false);
      expect(row('groceries', "name = 'Bananas'")).toMatchObject({ done: 0 });
    });

    it('ends on the last of several ticks, sent in turn', async () => {
      await open();
      const first = await hold('PATCH', '/api/groceries/1');
      const box = grocery('Bananas').getByRole('checkbox');
      await box.check();
      await first.arrived;
      await box.uncheck();
      first.release();
      await server.waitFor(({ body, status }) => body === '{"done":false}' && status === 200);
      await attribute(grocery('Bananas'), 'aria-busy', 'false');
      expect(await box.isChecked()).toBe(false);
      expect(row('groceries', "name = 'Bananas'")).toMatchObject({ done: 0 });
    });

    it('removes an item from the database, then from the list', async () => {
      await open();
      await page.getByRole('button', { name: 'Remove Bananas' }).click();
      await expect.poll(() => grocery('Bananas').count()).toBe(0);
      expect(row('groceries', "name = 'Bananas'")).toBeUndefined();
    });

    it('stays unchanged when it cannot be reloaded', async () => {
      await open();
      await requestsFail('reset');
      await page.locator('#groceries').getByRole('button', { name: 'Reload' }).click();
      await texts(page.locator('#groceries > [role=alert]'), /cannot be reached/);
      expect(await groceries().count()).toBe(rows('groceries'));
    });
  });

  describe('the person form', () => {
    it('creates a person, in the database and at the top of the list', async () => {
      await open();
      await fill({ Name: 'Ada Lovelace', 'E-mail': 'ada@example.org', City: 'London', Born: '1815-12-10' });
      await save();
      await standing('All saved');
      expect(row('people', "name = 'Ada Lovelace'")).toMatchObject({
        email: 'ada@example.org',
        'address.city': 'London',
        born: '1815-12-10',
        active: 1,
      });
      await texts(people().first(), /Ada Lovelace\s+London/);
      await attribute(people().first(), 'aria-current', 'true');
    });

    it('creates a person only once, however often Save is pressed', async () => {
      await open();
      const first = await hold('POST', '/api/people');
      await fill({ Name: 'Ada Lovelace', 'E-mail': 'ada@example.org', City: 'London' });
      await save();
      await first.arrived;
      await save();
      first.release();
      await standing('All saved');
      expect(writes().map(({ method }) => method)).toEqual(['POST']);
    });

    it('sends an edit, and only the edit', async () => {
      await openPerson(7);
      await fill({ City: 'Lisbon' });
      await standing('1 unsaved field');
      await save();
      await standing('All saved');
      expect(writes()).toMatchObject([
        { method: 'PATCH', path: '/api/people/7', body: '{"address":{"city":"Lisbon"}}' },
      ]);
      expect(row('people', 'id = 7')).toMatchObject({ 'address.city': 'Lisbon' });
    });

    it('marks unsaved fields, with the saved value, until they are reverted', async () => {
      await openPerson(7);
      const { name } = row('people', 'id = 7') ?? {};
      await fill({ Name: 'Somebody else' });
      await texts(page.locator('#person-name-mark'), `unsaved, was “${String(name)}”`);
      await page.locator('#person').getByRole('button', { name: 'Revert' }).click();
      await standing('All saved');
      expect(await page.locator('#person-name-mark').isVisible()).toBe(false);
      expect(await box('Name').inputValue()).toBe(name);
    });

    it('rereads what others have changed, and keeps unsaved edits', async () => {
      await openPerson(7);
      await fill({ City: 'Lisbon' });
      server.database.exec(`UPDATE people SET role = 'Captain', "address.city" = 'Porto' WHERE id = 7`);
      await page.locator('#person').getByRole('button', { name: 'Reload' }).click();
      await value(box('Role'), 'Captain');
      await texts(page.locator('#person-city-mark'), 'unsaved, was “Porto”');
      expect(await box('City').inputValue()).toBe('Lisbon');
    });

    it('deletes a person after asking, and can restore them', async () => {
      await openPerson(7);
      const before = row('people', 'id = 7');
      await page.locator('#person').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
      expect(row('people', 'id = 7')).toEqual(before);
      await page.locator('#person').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await standing('Deleted; Save would bring it back');
      expect(row('people', 'id = 7')).toBeUndefined();
      await save();
      await standing('All saved');
      expect(row('people', `email = '${String(before?.email)}'`)).toEqual({
        ...before,
        id: expect.any(Number) as number,
      });
    });

    it('does not create a person again who is deleted while somebody types on', async () => {
      await openPerson(7);
      await page.getByRole('switch', { name: 'Save while typing' }).check();
      const deleting = await hold('DELETE', '/api/people/7');
      await page.locator('#person').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await deleting.arrived;
      await fill({ Role: 'Captain' });
      await attribute(page.locator('#person').getByRole('button', { name: 'Save' }), 'aria-disabled', 'true');
      await page.waitForTimeout(700);
      deleting.release();
      await standing('Deleted; Save would bring it back');
      await page.waitForTimeout(700);
      expect(writes().map(({ method }) => method)).toEqual(['DELETE']);
    });

    it('keeps what is typed while a save is under way, marked as unsaved, and saves it next', async () => {
      await openPerson(7);
      const first = await hold('PATCH', '/api/people/7');
      await fill({ Name: 'Grace' });
      await save();
      await first.arrived;
      await attribute(page.locator('#person'), 'aria-busy', 'true');
      await fill({ Name: 'Grace Hopper', City: 'Arlington' });
      first.release();
      await standing('2 unsaved fields');
      expect(await box('Name').inputValue()).toBe('Grace Hopper');
      expect(row('people', 'id = 7')).toMatchObject({ name: 'Grace' });
      await texts(page.locator('#person-name-mark'), 'unsaved, was “Grace”');

      await save();
      await standing('All saved');
      expect(await box('Name').inputValue()).toBe('Grace Hopper');
      expect(row('people', 'id = 7')).toMatchObject({ name: 'Grace Hopper', 'address.city': 'Arlington' });
      expect(writes().map(({ body }) => body)).toEqual([
        '{"name":"Grace"}',
        '{"name":"Grace Hopper","address":{"city":"Arlington"}}',
      ]);
    });

    it('saves while typing, one save at a time, the latest text last', async () => {
      await openPerson(7);
      const first = await hold('PATCH', '/api/people/7');
      await page.getByRole('switch', { name: 'Save while typing' }).check();
      await fill({ Notes: 'one' });
      await first.arrived;
      await fill({ Notes: 'one two' });
      await fill({ Notes: 'one two three' });
      first.release();
      await standing('All saved');
      await expect.poll(() => row('people', 'id = 7')).toMatchObject({ notes: 'one two three' });
      expect(writes().map(({ body }) => body)).toEqual(['{"notes":"one"}', '{"notes":"one two three"}']);
    });

    it('leaves a blank before the caret that the server trims', async () => {
      await openPerson(7);
      await page.getByRole('switch', { name: 'Save while typing' }).check();
      await fill({ Name: 'Grace ' });
      await server.waitFor(({ method, status }) => method === 'PATCH' && status === 200);
      await standing('All saved');
      expect(await box('Name').inputValue()).toBe('Grace ');
      await box('City').focus();
      await value(box('Name'), 'Grace');
    });

    it('aborts a save on Cancel, and keeps the typed text', async () => {
      await openPerson(7);
      await page.getByLabel('Answers take').selectOption('15000');
      await fill({ Name: 'Grace' });
      await save();
      await server.waitFor(({ method }) => method === 'PATCH');
      await page.locator('#person').getByRole('button', { name: 'Cancel' }).click();
      const aborted = await server.waitFor(({ method, endedAt }) => method === 'PATCH' && endedAt !== null);
      expect(aborted).toMatchObject({ aborted: true, status: null });
      await standing('1 unsaved field');
      expect(await box('Name').inputValue()).toBe('Grace');
      expect(row('people', 'id = 7')).not.toMatchObject({ name: 'Grace' });
      expect(await page.locator('#person > [role=alert]').isVisible()).toBe(false);
    });

    it("shows the server's objections beside the fields, and keeps the text", async () => {
      await openPerson(7);
      await fill({ 'E-mail': 'nonsense', City: '' });
      await save();
      await alert(/^Not saved: e-mail must be an e-mail address; city must not be blank\.$/);
      await texts(page.locator('#person-email-error'), 'must be an e-mail address');
      await attribute(box('City'), 'aria-invalid', 'true');
      expect(await box('E-mail').inputValue()).toBe('nonsense');
      await standing('2 unsaved fields');

      await fill({ City: 'Lisbon' });
      await attribute(box('City'), 'aria-invalid', 'false');
      await fill({ 'E-mail': 'somebody@example.org' });
      await save();
      await standing('All saved');
      expect(await page.locator('#person > [role=alert]').isVisible()).toBe(false);
    });

    it('shows that an e-mail address is taken', async () => {
      await openPerson(7);
      await fill({ 'E-mail': String(row('people', 'id = 8')?.email) });
      await save();
      await alert('Not saved: e-mail is taken.');
    });

    it.each([
      ['503', /is having trouble \(503 Service Unavailable\)/],
      ['reset', /cannot be reached/],
    ])('explains a save that fails by %s, keeps the text, and saves it later', async (fault, words) => {
      await openPerson(7);
      await requestsFail(fault);
      await fill({ Name: 'Grace' });
      await save();
      await alert(words);
      await standing('1 unsaved field');
      expect(await box('Name').inputValue()).toBe('Grace');
      expect(row('people', 'id = 7')).not.toMatchObject({ name: 'Grace' });

      await requestsFail('');
      await save();
      await standing('All saved');
      expect(row('people', 'id = 7')).toMatchObject({ name: 'Grace' });
    });

    it('shows that there is no such person', async () => {
      await open();
      await choose(9999);
      await alert(/There is no person with the id 9999\./);
      await standing('Not loaded');
    });

    it('asks before opening another person over unsaved text', async () => {
      await openPerson(7);
      await fill({ Name: 'Grace' });
      await choose(8);
      await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
      expect(await box('Name').inputValue()).toBe('Grace');
      await choose(8);
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await value(box('Name'), String(row('people', 'id = 8')?.name));
      await standing('All saved');
    });

    it('shows the person opened last, and aborts the earlier read', async () => {
      await open();
      const first = await hold('GET', '/api/people/7');
      await choose(7);
      await first.arrived;
      const given = page.waitForEvent('requestfailed');
      await choose(8);
      await standing('All saved');
      expect((await given).url()).toContain('/api/people/7');
      first.release();
      await choose(9);
      await value(box('Name'), String(row('people', 'id = 9')?.name));
    });

    it('makes the browser ask before leaving the page with unsaved text', async () => {
      await openPerson(7);
      expect(await asksBeforeLeaving()).toBe(false);
      await fill({ Name: 'Grace' });
      await standing('1 unsaved field');
      expect(await asksBeforeLeaving()).toBe(true);
    });

    it('does not save a new person while typing', async () => {
      await open();
      await page.getByRole('switch', { name: 'Save while typing' }).check();
      await fill({ Name: 'Ada' });
      // Longer than the pause before an autosave.
      await page.waitForTimeout(1000);
      expect(writes()).toEqual([]);
    });

    it('shows markup in a text as plain text', async () => {
      server.database.exec(`UPDATE people SET name = '<img src=x onerror=alert(1)>' WHERE id = 7`);
      await openPerson(7);
      await texts(page.locator('#person-title'), '<img src=x onerror=alert(1)>');
      expect(await page.locator('main img').count()).toBe(0);
    });
  });

  it('fits a narrow screen without sideways scrolling', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openPerson(7);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBe(0);
  });

  it('fits it even with a name of one long word', async () => {
    server.database.exec(`UPDATE people SET name = '0${'W'.repeat(90)}' WHERE id = 7`);
    await page.setViewportSize({ width: 360, height: 740 });
    await openPerson(7);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBe(0);
  });

  it('requests nothing from other hosts', async () => {
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await open();
    expect([...hosts]).toEqual([new URL(server.url).host]);
  });
});

it('names the command that builds the package when it is missing', async () => {
  await expect(plainPage('/', join(tmpdir(), 'missing.js'))).rejects.toThrow('npm run build');
});

/** Opens the page, and waits until both lists are loaded. */
async function open(): Promise<void> {
  await page.goto(server.url);
  await status('#groceries', /to buy/);
  await people().first().waitFor();
}

async function openPerson(id: number): Promise<void> {
  await open();
  await choose(id);
  await standing('All saved');
}

async function choose(id: number): Promise<void> {
  await page.getByLabel('No.').fill(String(id));
  await page.getByRole('button', { name: 'Open' }).click();
}

async function fill(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) await box(label).fill(text);
}

function save(): Promise<void> {
  return page.locator('#person').getByRole('button', { name: 'Save' }).click();
}

async function requestsFail(fault: string): Promise<void> {
  await page.getByLabel('Requests', { exact: true }).selectOption(fault);
}

function groceries(): Locator {
  return page.locator('#groceries li');
}

function grocery(name: string): Locator {
  return groceries().filter({ has: page.getByRole('checkbox', { name, exact: true }) });
}

function people(): Locator {
  return page.locator('#people li button');
}

function box(label: string): Locator {
  return page.locator('#person').getByLabel(label, { exact: true });
}

function status(section: string, words: string | RegExp): Promise<void> {
  return texts(page.locator(`${section} > .card-header [role=status]`), words);
}

function standing(words: string): Promise<void> {
  return status('#person', words);
}

function alert(words: string | RegExp): Promise<void> {
  return texts(page.locator('#person > [role=alert]'), words);
}

function hold(method: string, path: string): Promise<Held> {
  return holdOn(page, method, path);
}

function rows(table: 'people' | 'groceries'): number {
  return Number(server.database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows);
}
