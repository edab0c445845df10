import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { open, requestsFail, useApp } from './angular-app';
import { row, server, writes } from './served';
import { attribute, count, focused, texts, value } from './shown';
import { page } from './tab';
import { hold } from './held';

const rows = () => page.locator('app-grocery-row');
const grocery = (name: string) => rows().filter({ has: page.getByRole('checkbox', { name, exact: true }) });
const tick = (name: string) => page.getByRole('checkbox', { name, exact: true });
const status = (words: string) => texts(page.locator('#groceries-title + [role=status]'), words);
const newItem = () => page.getByLabel('New item');
const stored = (name: string) => row('groceries', `name = '${name}'`);

describe.skipIf(!chromiumPath)('the groceries of the Angular example', { timeout: 20_000 }, () => {
  useApp();

  it('are read from the database', async () => {
    await open('/groceries');
    expect(await rows().count()).toBe(40);
    await texts(rows().first(), /Bananas\s+6 pcs/);
    await status('30 to buy');
  });

  it('can be added, and the box is emptied for the next', async () => {
    await open('/groceries');
    await newItem().fill('Rye flour');
    await newItem().press('Enter');
    await texts(rows().last(), /Rye flour/);
    expect(await newItem().inputValue()).toBe('');
    expect(stored('Rye flour')).toMatchObject({ done: 0, category: 'Other' });
    await status('31 to buy');
  });

  it('show pending additions as such, which are sent in turn', async () => {
    await open('/groceries');
    const first = await hold(page, 'POST', '/api/groceries');
    for (const name of ['Rye flour', 'Yeast']) {
      await newItem().fill(name);
      await newItem().press('Enter');
    }
    await first.arrived;
    await texts(page.locator('.coming'), /Rye flour\s+being added…/, /Yeast\s+being added…/);
    await count(rows(), 40);
    first.release();
    await count(rows(), 42);
    await count(page.locator('.coming'), 0);
    await texts(rows().last(), /Yeast/);
  });

  it('restore the text that is refused, and say why', async () => {
    await open('/groceries');
    await newItem().fill('   ');
    await newItem().press('Enter');
    await texts(page.locator('section > app-trouble p'), 'Not saved: name must not be blank.');
    await value(newItem(), '   ');
    await count(page.locator('.coming'), 0);
  });

  it('lose no name, even if several are refused', async () => {
    await open('/groceries');
    await requestsFail('503');
    const first = await hold(page, 'POST', '/api/groceries');
    for (const name of ['Rye flour', 'Yeast']) {
      await newItem().fill(name);
      await newItem().press('Enter');
    }
    await first.arrived;
    await newItem().fill('Sug');
    first.release();
    await texts(
      page.locator('.coming'),
      /Rye flour\s+not added\s+Try again/,
      /Yeast\s+not added\s+Try again/,
    );
    await value(newItem(), 'Sug');
    await requestsFail('');
    await page.getByRole('button', { name: 'Try again to add Yeast' }).click();
    await texts(rows().last(), /Yeast/);
    await texts(page.locator('.coming'), /Rye flour/);
    expect(stored('Yeast')).toBeDefined();
  });

  it('are ticked at once, marked as busy until saved, and then moved by the filter', async () => {
    await open('/groceries');
    await page.getByRole('radio', { name: 'To buy' }).check();
    const first = await hold(page, 'PATCH', '/api/groceries/1');
    await tick('Bananas').click();
    await first.arrived;
    expect(await tick('Bananas').isChecked()).toBe(true);
    await attribute(grocery('Bananas'), 'aria-busy', 'true');
    await status('30 to buy');
    first.release();
    await count(grocery('Bananas'), 0);
    await status('29 to buy');
    expect(stored('Bananas')).toMatchObject({ done: 1 });
    expect(writes()).toMatchObject([{ method: 'PATCH', body: '{"done":true}' }]);
  });

  it('undo a tick that the server refuses, and say why beside it', async () => {
    await open('/groceries');
    await requestsFail('503');
    await tick('Bananas').click();
    await texts(grocery('Bananas').getByRole('alert'), /503 Service Unavailable/);
    expect(await tick('Bananas').isChecked()).toBe(false);
    expect(stored('Bananas')).toMatchObject({ done: 0 });
  });

  it('end on the last of several ticks, sent in turn', async () => {
    await open('/groceries');
    const first = await hold(page, 'PATCH', '/api/groceries/1');
    await tick('Bananas').check();
    await first.arrived;
    await tick('Bananas').uncheck();
    first.release();
    await server.waitFor(({ body, status: answered }) => body === '{"done":false}' && answered === 200);
    await attribute(grocery('Bananas'), 'aria-busy', 'false');
    expect(await tick('Bananas').isChecked()).toBe(false);
    expect(stored('Bananas')).toMatchObject({ done: 0 });
  });

  it('keep a tick that was unsaved when its row disappeared, and save it', async () => {
    await open('/groceries');
    const first = await hold(page, 'PATCH', '/api/groceries/1');
    await tick('Bananas').check();
    await first.arrived;
    await page.getByRole('radio', { name: 'Done' }).check();
    await count(grocery('Bananas'), 0);
    first.release();
    await page.getByRole('radio', { name: 'All' }).check();
    await expect.poll(() => stored('Bananas')).toMatchObject({ done: 1 });
    expect(await tick('Bananas').isChecked()).toBe(true);
    await status('29 to buy');
  });

  it('show no older state than a row has saved', async () => {
    await open('/groceries');
    await page.route(/\/api\/groceries$/, async (route) => {
      const list = await route.fetch();
      await tick('Bananas').check();
      await server.waitFor(({ method, status: answered }) => method === 'PATCH' && answered === 200);
      await attribute(grocery('Bananas'), 'aria-busy', 'false');
      await route.fulfill({ response: list });
    });
    const answered = page.waitForResponse(/\/api\/groceries$/);
    await page.getByRole('button', { name: 'Reload' }).click();
    await answered;
    await count(page.locator('section[aria-busy=true]'), 0);
    expect(await tick('Bananas').isChecked()).toBe(true);
    await status('29 to buy');
  });

  it('can be ticked whatever else somebody has changed', async () => {
    await open('/groceries');
    await tick('Bananas').check();
    await server.waitFor(({ method, status }) => method === 'PATCH' && status === 200);
    server.database.exec("UPDATE groceries SET quantity = 12 WHERE name = 'Bananas'");
    await tick('Bananas').uncheck();
    await expect.poll(() => stored('Bananas')).toMatchObject({ done: 0, quantity: 12 });
  });

  it('are removed once the server has removed them', async () => {
    await open('/groceries');
    const first = await hold(page, 'DELETE', '/api/groceries/1');
    await page.getByRole('button', { name: 'Remove Bananas' }).click();
    await first.arrived;
    await count(grocery('Bananas'), 1);
    first.release();
    await count(grocery('Bananas'), 0);
    expect(stored('Bananas')).toBeUndefined();
  });

  it('are not created again by a tick during their removal', async () => {
    await open('/groceries');
    const first = await hold(page, 'DELETE', '/api/groceries/1');
    await grocery('Bananas').getByRole('button', { name: 'Remove Bananas' }).click();
    await first.arrived;
    await tick('Bananas').click();
    first.release();
    await count(rows(), 39);
    await tick('Apples, Braeburn').click();
    await attribute(grocery('Apples, Braeburn'), 'aria-busy', 'false');
    expect(writes().map(({ method }) => method)).toEqual(['DELETE', 'PATCH']);
    expect(stored('Bananas')).toBeUndefined();
  });

  it('stay when the server does not remove them', async () => {
    await open('/groceries');
    await requestsFail('reset');
    await page.getByRole('button', { name: 'Remove Bananas' }).click();
    await texts(grocery('Bananas').getByRole('alert'), /cannot be reached/);
    expect(stored('Bananas')).toBeDefined();
  });

  it('are not said to be none when they cannot be read', async () => {
    await open('/people');
    await requestsFail('500');
    await page.getByRole('link', { name: 'Groceries' }).click();
    await texts(page.locator('section > app-trouble p'), /is having trouble \(500/);
    await texts(page.locator('.card-header [role=status]'), '');
    await count(page.getByText('Nothing here.'), 0);
  });

  it('stay unchanged when they cannot be reloaded', async () => {
    await open('/groceries');
    await requestsFail('500');
    await page.getByRole('button', { name: 'Reload' }).click();
    await texts(page.locator('section > app-trouble p'), /is having trouble \(500/);
    await count(rows(), 40);
    await requestsFail('');
    server.database.exec(`DELETE FROM groceries WHERE id > 10`);
    await page.getByRole('button', { name: 'Reload' }).click();
    await count(rows(), 10);
    await count(page.locator('section > app-trouble p'), 0);
  });

  it('move the focus to the next one when the focused one disappears', async () => {
    await open('/groceries');
    await page.getByRole('button', { name: 'Remove Bananas' }).focus();
    await page.keyboard.press('Enter');
    await count(grocery('Bananas'), 0);
    await focused(tick('Apples, Braeburn'));
    await page.getByRole('radio', { name: 'To buy' }).check();
    await tick('Avocados').focus();
    await page.keyboard.press('Space');
    await count(grocery('Avocados'), 0);
    await focused(tick('Tomatoes on the vine'));
  });

  it('can be walked through and ticked by keyboard alone', async () => {
    await open('/groceries');
    await tick('Bananas').focus();
    await page.keyboard.press('ArrowDown');
    await focused(tick('Apples, Braeburn'));
    await page.keyboard.press('Space');
    await expect.poll(() => stored('Apples, Braeburn')).toMatchObject({ done: 1 });
    await focused(tick('Apples, Braeburn'));
  });
});
