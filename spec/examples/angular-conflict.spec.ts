import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { address, open, openElsewhere, useApp } from './angular-app';
import { row, server, writes } from './served';
import { attribute, count, focused, texts, value } from './shown';
import { page } from './tab';
import { hold } from './held';

const abby = 238;

const box = (label: string, at = page) => at.locator('app-person-form').getByLabel(label, { exact: true });
const button = (name: string) => page.locator('app-person-page').getByRole('button', { name, exact: true });
const region = () => page.getByRole('region', { name: 'Somebody else has changed this too' });
const contested = (name: string) => page.getByRole('group', { name, exact: true });
const values = (name: string) => contested(name).locator('p');
const standing = (words: string, at = page) => texts(at.locator('app-person-status'), words);
const person = () => row('people', `id = ${String(abby)}`);
const bodies = () => writes().map(({ status, body }) => `${String(status)} ${body}`);

async function fill(label: string, text: string, at = page): Promise<void> {
  await box(label, at).fill(text);
}

/** Edits in another browser, and waits until it has saved. */
async function saveElsewhere(elsewhere: Page, changes: Readonly<Record<string, string>>): Promise<void> {
  const saved = elsewhere.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
  for (const [label, text] of Object.entries(changes)) await fill(label, text, elsewhere);
  // The page saves while typing.
  await saved;
  await standing('All saved', elsewhere);
}

/** Saves as another client that has read the latest version. */
async function saveByAnother(changes: object): Promise<void> {
  const { ok } = await fetch(`${server.url}/api/people/${String(abby)}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(changes),
  });
  expect(ok).toBe(true);
}

/** Opens Abby, makes somebody else move her to Porto, and moves her to Lisbon. */
async function contestCity(): Promise<void> {
  await open(`/people/${String(abby)}`);
  await saveByAnother({ address: { city: 'Porto' } });
  await fill('City', 'Lisbon');
  await region().waitFor();
  // Until then it may show "Loading…" for a while, and the content below moves when that disappears.
  await standing('Waiting for your choice');
}

describe.skipIf(!chromiumPath)('two windows on one person', { timeout: 20_000 }, () => {
  useApp();

  it('both save their changes to different fields', async () => {
    await open(`/people/${String(abby)}`);
    const elsewhere = await openElsewhere(`/people/${String(abby)}`);
    await saveElsewhere(elsewhere, { City: 'Porto' });

    const read = await hold(page, 'GET', '/api/people/');
    await fill('Notes', 'Met in spring.');
    await read.arrived;
    await standing('Loading…');
    await count(page.locator('app-person-page [role=alert] p'), 0);
    read.release();
    await expect.poll(person).toMatchObject({ 'address.city': 'Porto', notes: 'Met in spring.' });

    await standing('All saved');
    await value(box('City'), 'Porto');
    await count(region(), 0);
    expect(bodies().slice(1)).toEqual(['412 {"notes":"Met in spring."}', '200 {"notes":"Met in spring."}']);
  });

  it('see both values of a field changed in both, and the second one chooses', async () => {
    await open(`/people/${String(abby)}`);
    const elsewhere = await openElsewhere(`/people/${String(abby)}`);
    await saveElsewhere(elsewhere, { City: 'Porto', Role: 'Captain' });

    await fill('City', 'Lisbon');
    await region().waitFor();
    await texts(values('city'), 'Yours\nLisbon', 'Theirs\nPorto');
    await standing('Waiting for your choice');
    await value(box('Role'), 'Captain');
    expect(person()).toMatchObject({ 'address.city': 'Porto' });

    await button('Keep mine for city').click();
    await expect.poll(person).toMatchObject({ 'address.city': 'Lisbon', role: 'Captain' });
    await standing('All saved');
    await count(region(), 0);

    // The other window now has the older version, and finds out when it saves.
    await saveElsewhere(elsewhere, { Notes: 'Met in spring.' });
    await value(box('City', elsewhere), 'Lisbon');
  });

  it('save at once after a choice, even with manual saving', async () => {
    await open(`/people/${String(abby)}`);
    await page.getByRole('switch', { name: 'Save while typing' }).uncheck();
    await saveByAnother({ address: { city: 'Porto' } });
    await fill('City', 'Lisbon');
    await button('Save').click();
    await button('Keep mine for city').click();
    await standing('All saved');
    expect(person()).toMatchObject({ 'address.city': 'Lisbon' });
  });

  it('show the latest saved value, and have nothing to save once that is taken', async () => {
    await contestCity();
    await saveByAnother({ address: { city: 'Faro' } });
    await button('Keep mine for city').click();
    await texts(values('city'), 'Yours\nLisbon', 'Theirs\nFaro');
    await button('Take theirs for city').click();
    await value(box('City'), 'Faro');
    await standing('All saved');
    await count(region(), 0);
    await count(page.locator('app-field-frame .mark'), 0);
    const refused = '412 {"address":{"city":"Lisbon"}}';
    expect(bodies().filter((body) => body.includes('Lisbon'))).toEqual([refused, refused]);
  });

  it('let the user choose field by field, in words', async () => {
    await open(`/people/${String(abby)}`);
    await saveByAnother({ born: null, active: false, notes: 'Theirs', address: { city: 'Porto' } });
    const first = await hold(page, 'PATCH', '/api/people');
    await fill('Born', '1815-12-10');
    await fill('City', 'Lisbon');
    await fill('Notes', '');
    first.release();
    await region().waitFor();
    await texts(values('born'), 'Yours\nDecember 10, 1815', 'Theirs\nempty');
    await texts(values('city'), 'Yours\nLisbon', 'Theirs\nPorto');

    await button('Keep mine for born').click();
    await count(contested('born'), 0);
    expect(person()).toMatchObject({ born: null });
    await button('Take theirs for city').click();
    await standing('All saved');
    expect(person()).toMatchObject({ born: '1815-12-10', 'address.city': 'Porto', active: 0 });
    expect(await box('Active').isChecked()).toBe(false);
  });

  it('wait for the choice, whatever else is done', async () => {
    await contestCity();
    await fill('Notes', 'Met in spring.');
    await fill('City', 'Lisbon, I think');
    await texts(values('city'), 'Yours\nLisbon, I think', 'Theirs\nPorto');
    await box('Notes').blur();
    await page.getByRole('switch', { name: 'Save while typing' }).uncheck();
    await page.getByRole('switch', { name: 'Save while typing' }).check();
    await button('Choose what to keep').click();
    await focused(contested('city'));
    expect(person()).toMatchObject({ 'address.city': 'Porto', notes: '' });

    await button('Reset City').click();
    await standing('All saved');
    await count(region(), 0);
    expect(person()).toMatchObject({ 'address.city': 'Porto', notes: 'Met in spring.' });
  });

  it('announce a conflict, which can be decided by keyboard alone', async () => {
    await open(`/people/${String(abby)}`);
    await attribute(page.locator('app-person-conflicts [role]'), 'role', 'status');
    await saveByAnother({ born: null, address: { city: 'Porto' } });
    const first = await hold(page, 'PATCH', '/api/people');
    await fill('City', 'Lisbon');
    await fill('Born', '1815-12-10');
    first.release();
    await texts(page.locator('app-person-conflicts [role=status] h3'), 'Somebody else has changed this too');
    await box('City').press('Enter');
    await focused(contested('born'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await focused(contested('city'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await focused(button('Take theirs for city'));
    await page.keyboard.press('Space');
    await focused(box('City'));
    await standing('All saved');
    expect(person()).toMatchObject({ born: '1815-12-10', 'address.city': 'Porto' });
  });

  it('ask before an open choice is left, and then forget it', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await contestCity();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await address('/people/222');
    await standing('All saved');
    await count(region(), 0);
    await page.goBack();
    await value(box('City'), 'Porto');
    await count(region(), 0);
  });

  it('add a person deleted by somebody else again, with the edits', async () => {
    await open(`/people/${String(abby)}`);
    await fetch(`${server.url}/api/people/${String(abby)}`, { method: 'DELETE' });
    await fill('City', 'Lisbon');
    await texts(page.locator('app-person-page [role=alert] p'), /It may have been deleted in the meantime/);
    await button('Add again').click();
    await address('/people/301');
    await standing('All saved');
    expect(row('people', 'id = 301')).toMatchObject({ name: 'Abby Kirlin', 'address.city': 'Lisbon' });
    await texts(page.locator('app-person-row').first(), /Abby Kirlin\s+Lisbon/);
  });

  it('do not delete unseen changes, but show them', async () => {
    await open(`/people/${String(abby)}`);
    await saveByAnother({ address: { city: 'Porto' } });
    await button('Delete').click();
    await texts(page.locator('app-delete-person p'), /somebody else has just changed this person/);
    await value(box('City'), 'Porto');
    await button('Delete').click();
    await page.getByText('Abby Kirlin has been deleted.').waitFor();
    expect(person()).toBeUndefined();
  });

  it('do not take a blank trimmed by the server for somebody else’s change', async () => {
    await open(`/people/${String(abby)}`);
    const first = await hold(page, 'PATCH', '/api/people');
    await fill('Name', 'Grace ');
    await first.arrived;
    await fill('Name', 'Grace Hopper');
    first.release();
    await expect.poll(person).toMatchObject({ name: 'Grace Hopper' });
    await count(region(), 0);
  });

  it('do not resend what the server refuses for another reason', async () => {
    await open(`/people/${String(abby)}`);
    await fill('E-mail', String(row('people', 'id = 1')?.email));
    await texts(page.locator('app-person-page .field-error'), 'is taken');
    expect(writes()).toHaveLength(1);
  });
});
