import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { address, answersTake, open, requestsFail, useApp } from './angular-app';
import { row, server, writes } from './served';
import { attribute, count, focused, texts, value } from './shown';
import { asksBeforeLeaving, page } from './tab';
import { hold } from './held';

// The first three in the list: Abby Kirlin, Adelbert Botsford, Adelle O'Connell.
const [abby, adelbert, adelle] = [238, 222, 255];

const box = (label: string) => page.locator('app-person-form').getByLabel(label, { exact: true });
const button = (name: string) => page.locator('app-person-page').getByRole('button', { name, exact: true });
const link = (name: string) => page.locator('app-person-page').getByRole('link', { name, exact: true });
const title = (name: string) => texts(page.locator('#person-title'), name);
const tabTitle = (words: string) => page.waitForFunction(([words]) => document.title === words, [words]);
const standing = (words: string | RegExp) => texts(page.locator('app-person-status'), words);
const alert = (words: string | RegExp) => texts(page.locator('app-person-page [role=alert] p'), words);
const field = (label: string) =>
  page.locator('app-field-frame').filter({ has: page.getByText(label, { exact: true }) });
const person = (id: number) => row('people', `id = ${String(id)}`);
const name = (id: number) => String(person(id)?.name);

async function fill(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(values)) await box(label).fill(text);
}

async function saveByHand(): Promise<void> {
  await page.getByRole('switch', { name: 'Save while typing' }).uncheck();
}

/** Saves a new person, and types on before the server answers. */
async function typeWhileCreated(): Promise<void> {
  const first = await hold(page, 'POST', '/api/people');
  await fill({ Name: 'Ada Lovelace', 'E-mail': 'ada@example.org', City: 'London' });
  await button('Save').click();
  await first.arrived;
  await fill({ Notes: 'typed meanwhile' });
  first.release();
  await address('/people/301');
}

describe.skipIf(!chromiumPath)('the person editor of the Angular example', { timeout: 20_000 }, () => {
  useApp();

  describe('saving', () => {
    it('creates a person, and shows them at their own address and in the list', async () => {
      await open('/people/new');
      await fill({ Name: 'Ada Lovelace', 'E-mail': 'ada@example.org', City: 'London', Born: '1815-12-10' });
      await standing('4 unsaved');
      await button('Save').click();
      await address('/people/301');
      await title('Ada Lovelace');
      await standing('All saved');
      expect(person(301)).toMatchObject({
        name: 'Ada Lovelace',
        'address.city': 'London',
        born: '1815-12-10',
      });
      await texts(page.locator('app-person-row').first(), /Ada Lovelace/);
      expect(server.requests.map(({ method, path }) => `${method} ${path}`)).not.toContain(
        'GET /api/people/301',
      );
    });

    it('creates a person only once, however often Save is pressed', async () => {
      await open('/people/new');
      const first = await hold(page, 'POST', '/api/people');
      await fill({ Name: 'Ada Lovelace', 'E-mail': 'ada@example.org', City: 'London' });
      await button('Save').click();
      await first.arrived;
      await button('Save').click();
      first.release();
      await address('/people/301');
      await standing('All saved');
      expect(writes().filter(({ method }) => method === 'POST')).toHaveLength(1);
    });

    it('does not save a new person while typing', async () => {
      await open('/people/new');
      await fill({ Name: 'Ada Lovelace' });
      await standing('1 unsaved');
      // Longer than the pause before an autosave.
      await page.waitForTimeout(1200);
      expect(writes()).toEqual([]);
    });

    it('saves while typing, and sends only the edit', async () => {
      await open(`/people/${abby}`);
      const first = await hold(page, 'PATCH', `/api/people/${abby}`);
      await fill({ City: 'Lisbon' });
      await standing('1 unsaved');
      await first.arrived;
      await standing('Saving…');
      await attribute(page.locator('app-person-page article'), 'aria-busy', 'true');
      first.release();
      await standing('All saved');
      await attribute(page.locator('app-person-page article'), 'aria-busy', 'false');
      expect(writes()).toMatchObject([{ method: 'PATCH', body: '{"address":{"city":"Lisbon"}}' }]);
      expect(person(abby)).toMatchObject({ 'address.city': 'Lisbon' });
      await texts(page.locator('app-person-row').first(), /Abby Kirlin\s+Lisbon/);
    });

    it('adds nobody to the list whose place is further down', async () => {
      await open('/people/3');
      await fill({ City: 'Lisbon' });
      await standing('1 unsaved');
      await standing('All saved');
      await texts(page.locator('#people-title + [role=status]'), '50 of 300');
    });

    it('keeps what is typed while a save is under way, and saves it next', async () => {
      await open(`/people/${abby}`);
      const first = await hold(page, 'PATCH', `/api/people/${abby}`);
      await fill({ Notes: 'one' });
      await first.arrived;
      await fill({ Notes: 'one two' });
      await fill({ Notes: 'one two three' });
      first.release();
      await expect.poll(() => person(abby)).toMatchObject({ notes: 'one two three' });
      await standing('All saved');
      await value(box('Notes'), 'one two three');
      expect(writes().map(({ body }) => body)).toEqual(['{"notes":"one"}', '{"notes":"one two three"}']);
    });

    it('saves what is typed while a new person is created, and moves to their address', async () => {
      await open('/people/new');
      await typeWhileCreated();
      await standing('All saved');
      expect(person(301)).toMatchObject({ notes: 'typed meanwhile' });
      expect(await box('Notes').inputValue()).toBe('typed meanwhile');
    });

    it('asks nothing when moving to the address of a new person, and saves what was typed meanwhile', async () => {
      await open('/people/new');
      await saveByHand();
      await typeWhileCreated();
      await standing('All saved');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await box('Notes').inputValue()).toBe('typed meanwhile');
    });

    it('waits for the button with manual saving', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ Role: 'Captain', Company: 'Sea Ltd' });
      await standing('2 unsaved');
      await box('Company').press('Enter');
      await standing('All saved');
      expect(writes().map(({ body }) => body)).toEqual(['{"role":"Captain","company":"Sea Ltd"}']);
    });

    it('saves unsaved edits when saving while typing is turned on again', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ Role: 'Captain' });
      await standing('1 unsaved');
      await page.getByRole('switch', { name: 'Save while typing' }).check();
      await standing('All saved');
      expect(person(abby)).toMatchObject({ role: 'Captain' });
    });

    it('leaves a blank before the caret that the server trims', async () => {
      await open(`/people/${abby}`);
      await fill({ Name: 'Grace ' });
      await server.waitFor(({ method, status }) => method === 'PATCH' && status === 200);
      await standing('All saved');
      expect(await box('Name').inputValue()).toBe('Grace ');
      await box('City').focus();
      await value(box('Name'), 'Grace');
    });

    it('saves an emptied date and an unticked box', async () => {
      await open(`/people/${abby}`);
      await box('Born').fill('');
      await box('Active').uncheck();
      await expect.poll(() => person(abby)).toMatchObject({ born: null, active: 0 });
      await standing('All saved');
      await texts(page.locator('app-person-row .former').first(), 'former');
    });
  });

  describe('a field', () => {
    it('is marked as unsaved until it is reset or changed back', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ Name: 'Somebody', City: 'Lisbon' });
      await texts(page.locator('app-field-frame .mark'), 'unsaved', 'unsaved');
      await field('Name').getByRole('button', { name: 'Reset Name' }).click();
      await value(box('Name'), 'Abby Kirlin');
      await standing('1 unsaved');
      await fill({ City: 'Tallinn' });
      await standing('All saved');
      await count(page.locator('app-field-frame .mark'), 0);
    });

    it('says what Reset brings back, if there are words for it', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ City: 'Lisbon' });
      await box('Active').click();
      await attribute(page.getByRole('button', { name: 'Reset City' }), 'title', 'Back to “Tallinn”');
      expect(await page.getByRole('button', { name: 'Reset Active' }).getAttribute('title')).toBeNull();
    });

    it('gets the focus when it is reset', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ City: 'Lisbon' });
      await page.getByRole('button', { name: 'Reset City' }).press('Enter');
      await focused(box('City'));
    });

    it('is reset with all others by Revert', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ Name: 'Somebody', City: 'Lisbon' });
      await button('Revert').click();
      await value(box('Name'), 'Abby Kirlin');
      await value(box('City'), 'Tallinn');
      await standing('All saved');
      expect(writes()).toEqual([]);
    });

    it('is no longer said to be refused once it is taken back', async () => {
      await open(`/people/${abby}`);
      await fill({ City: '' });
      await alert(/must not be blank/);
      await button('Revert').click();
      await standing('All saved');
      await count(page.locator('app-person-page [role=alert] p'), 0);
    });

    it("shows the server's objection until it is changed", async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ 'E-mail': 'nonsense', City: '' });
      await button('Save').click();
      await standing('Not saved');
      await texts(field('E-mail').locator('.field-error'), 'must be an e-mail address');
      await texts(field('City').locator('.field-error'), 'must not be blank');
      await attribute(box('City'), 'aria-invalid', 'true');
      expect(await box('E-mail').inputValue()).toBe('nonsense');

      await fill({ City: 'Lisbon' });
      await attribute(box('City'), 'aria-invalid', 'false');
      await fill({ 'E-mail': 'abby@example.org' });
      await button('Save').click();
      await standing('All saved');
      await count(page.locator('.field-error'), 0);
      await count(page.locator('app-person-page [role=alert] p'), 0);
    });

    it('shows that its value is taken', async () => {
      await open(`/people/${abby}`);
      await fill({ 'E-mail': String(person(adelle)?.email) });
      await texts(field('E-mail').locator('.field-error'), 'is taken');
    });

    it('shows no objection to a value that was changed before it was refused', async () => {
      await open(`/people/${abby}`);
      const first = await hold(page, 'PATCH', `/api/people/${abby}`);
      await fill({ 'E-mail': String(person(adelle)?.email) });
      await first.arrived;
      await fill({ 'E-mail': 'abby@example.org' });
      first.release();
      await standing('All saved');
      await count(page.locator('.field-error'), 0);
      expect(person(abby)).toMatchObject({ email: 'abby@example.org' });
    });
  });

  describe('going from one person to another', () => {
    it('shows the last one chosen, and nobody while loading', async () => {
      await open(`/people/${abby}`);
      const first = await hold(page, 'GET', `/api/people/${adelbert}`);
      await link('Next').click();
      await first.arrived;
      await title(name(adelbert));
      await standing('Loading…');
      await count(page.locator('app-person-form'), 0);
      await link('Next').click();
      await title(name(adelle));
      first.release();
      await link('Previous').click();
      await link('Next').click();
      await title(name(adelle));
      await value(box('E-mail'), String(person(adelle)?.email));
      await standing('All saved');
    });

    it('shows a new person without the objections to the previous one', async () => {
      await open('/people/new');
      await button('Save').click();
      await texts(field('Name').locator('.field-error'), 'must not be blank');
      await page.getByRole('link', { name: 'Abby Kirlin' }).click();
      await title('Abby Kirlin');
      await page.goBack();
      await title('New person');
      await count(page.locator('.field-error'), 0);
    });

    it('names the person shown in the page title', async () => {
      await open('/people');
      await tabTitle('People · rivulet');
      await open(`/people/${abby}`);
      await tabTitle('Abby Kirlin · People · rivulet');
      await link('Next').click();
      await tabTitle(`${name(adelbert)} · People · rivulet`);
      await page.getByRole('searchbox').fill('a');
      await page.waitForURL(/search=a/);
      await tabTitle(`${name(adelbert)} · People · rivulet`);
      await page.getByRole('link', { name: 'Groceries' }).click();
      await tabTitle('Groceries · rivulet');
    });

    it('aborts the read of the previous one, also on the server', async () => {
      await open(`/people/${abby}`);
      await answersTake(15_000);
      await link('Next').click();
      await server.waitFor(({ path }) => path.startsWith(`/api/people/${adelbert}`));
      await link('Next').click();
      await server.waitFor(({ path, aborted }) => path.startsWith(`/api/people/${adelbert}`) && aborted);
      await address(`/people/${adelle}`);
    });

    it('aborts the read when leaving the page', async () => {
      await open(`/people/${abby}`);
      await answersTake(15_000);
      await link('Next').click();
      await server.waitFor(({ path }) => path.startsWith(`/api/people/${adelbert}`));
      await page.getByRole('link', { name: 'Groceries' }).click();
      await server.waitFor(({ path, aborted }) => path.startsWith(`/api/people/${adelbert}`) && aborted);
    });

    it('saves what was just typed before leaving', async () => {
      await open(`/people/${abby}`);
      await fill({ City: 'Lisbon' });
      await link('Next').click();
      await title(name(adelbert));
      expect(person(abby)).toMatchObject({ 'address.city': 'Lisbon' });
      expect(person(adelbert)).not.toMatchObject({ 'address.city': 'Lisbon' });
      await texts(page.locator('app-person-row').first(), /Abby Kirlin\s+Lisbon/);
    });

    it('asks before losing unsaved text', async () => {
      await open(`/people/${abby}`);
      await saveByHand();
      await fill({ City: 'Lisbon' });
      await link('Next').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
      await address(`/people/${abby}`);
      expect(await box('City').inputValue()).toBe('Lisbon');
      await link('Next').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await title(name(adelbert));
      expect(writes()).toEqual([]);
    });

    it('asks before losing text that the server refuses', async () => {
      await open(`/people/${abby}`);
      await fill({ City: '' });
      await link('Next').click();
      await page.getByRole('dialog').getByText('Unsaved changes will be lost.').waitFor();
      await page.keyboard.press('Escape');
      await address(`/people/${abby}`);
      await texts(field('City').locator('.field-error'), 'must not be blank');
    });

    it("does not show an objection to another person's equal value", async () => {
      const { email } = person(adelbert) ?? {};
      await open(`/people/${abby}`);
      await fill({ 'E-mail': String(email) });
      await texts(field('E-mail').locator('.field-error'), 'is taken');
      await link('Next').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await title(name(adelbert));
      await value(box('E-mail'), String(email));
      await count(page.locator('.field-error'), 0);
    });

    it('starts a new person without the failure of the previous one', async () => {
      await open(`/people/${abby}`);
      await fill({ 'E-mail': 'nonsense' });
      await alert(/./);
      await page.getByRole('link', { name: 'New person' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await title('New person');
      await standing('Nothing saved yet');
      await count(page.locator('app-person-page [role=alert] p'), 0);
      await count(page.locator('.field-error'), 0);
    });

    it('makes the browser ask before closing the page with unsaved text', async () => {
      await open(`/people/${abby}`);
      expect(await asksBeforeLeaving()).toBe(false);
      await saveByHand();
      await fill({ City: 'Lisbon' });
      await standing('1 unsaved');
      expect(await asksBeforeLeaving()).toBe(true);
    });

    it('stays at its place in the history when the user chooses to stay', async () => {
      await open('/groceries');
      await page.getByRole('link', { name: 'People', exact: true }).click();
      // Until all rows are there, the one that is clicked may move away.
      await count(page.locator('app-person-row a'), 50);
      await page.locator('app-person-row a').first().click();
      await address(`/people/${abby}`);
      await saveByHand();
      await fill({ City: 'Lisbon' });
      const back = () =>
        page.evaluate(() => {
          history.back();
        });
      await back();
      await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
      await address(`/people/${abby}`);
      await back();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await address('/people');
    });

    it("goes back by the browser's history", async () => {
      await open(`/people/${abby}`);
      await link('Next').click();
      await title(name(adelbert));
      await page.goBack();
      await title(name(abby));
      await value(box('Name'), name(abby));
    });
  });

  describe('a failure', () => {
    it.each([
      ['503', /is having trouble \(503 Service Unavailable\)/],
      ['reset', /cannot be reached/],
    ] as const)(
      'of a save by %s is shown, the text is kept, and Try again saves it',
      async (fault, words) => {
        await open(`/people/${abby}`);
        await requestsFail(fault);
        await fill({ Name: 'Grace' });
        await alert(words);
        await standing('Not saved');
        expect(await box('Name').inputValue()).toBe('Grace');
        expect(person(abby)).toMatchObject({ name: 'Abby Kirlin' });

        await requestsFail('');
        await button('Try again').click();
        await standing('All saved');
        await count(page.locator('app-person-page [role=alert] p'), 0);
        await focused(page.locator('#person'));
        expect(person(abby)).toMatchObject({ name: 'Grace' });
      },
    );

    it('of the network is shown, and the next edit saves both', async () => {
      await open(`/people/${abby}`);
      await page.context().setOffline(true);
      await fill({ Name: 'Grace' });
      await alert(/cannot be reached/);
      await page.context().setOffline(false);
      await fill({ City: 'Arlington' });
      await standing('All saved');
      expect(person(abby)).toMatchObject({ name: 'Grace', 'address.city': 'Arlington' });
    });

    it('of a read is shown instead of the form, and can be retried', async () => {
      await open(`/people/${abby}`);
      await requestsFail('500');
      await link('Next').click();
      await alert(/is having trouble/);
      await standing('Not loaded');
      await count(page.locator('app-person-form'), 0);
      await requestsFail('');
      await button('Try again').click();
      await title(name(adelbert));
      await standing('All saved');
      await focused(box('Name'));
    });

    it('is described in the words of the server when there is no such person', async () => {
      await open('/people/9999');
      await alert(/There is no person with the id 9999\./);
    });
  });

  describe('deleting', () => {
    it('deletes a person, and Undo restores them under a new number', async () => {
      await open(`/people/${abby}`);
      const before = person(abby);
      await button('Delete').click();
      await page.getByText('Abby Kirlin has been deleted.').waitFor();
      await standing('Deleted');
      expect(person(abby)).toBeUndefined();
      await texts(page.locator('app-person-row').first(), /Adelbert Botsford/);
      await focused(button('Undo'));
      await button('Undo').click();
      await address('/people/301');
      await focused(box('Name'));
      await standing('All saved');
      expect(person(301)).toEqual({ ...before, id: 301 });
      await texts(page.locator('app-person-row').first(), /Abby Kirlin/);
      await attribute(page.locator('app-person-row a').first(), 'aria-current', 'true');
    });

    it('does not create a person again who is deleted just after an edit', async () => {
      await open(`/people/${abby}`);
      const deleting = await hold(page, 'DELETE', '/api/people');
      await fill({ Role: 'Boss' });
      await button('Delete').click();
      await deleting.arrived;
      await page.waitForTimeout(1000); // longer than the pause before an autosave
      deleting.release();
      await page.getByText('Abby Kirlin has been deleted.').waitFor();
      await page.waitForTimeout(1000);
      await standing('Deleted');
      expect(writes().map(({ method }) => method)).toEqual(['DELETE']);
    });

    it('saves an edit after all if the server does not delete', async () => {
      await open(`/people/${abby}`);
      const deleting = await hold(page, 'DELETE', '/api/people');
      await requestsFail('503');
      await fill({ Role: 'Boss' });
      await button('Delete').click();
      await deleting.arrived;
      await requestsFail('');
      deleting.release();
      await standing('All saved');
      expect(person(abby)).toMatchObject({ role: 'Boss' });
    });

    it('keeps a person whom the server does not delete', async () => {
      await open(`/people/${abby}`);
      await requestsFail('503');
      await button('Delete').click();
      await alert(/503/);
      await standing('Not deleted');
      // It would save, and there is nothing to save.
      await count(button('Try again'), 0);
      expect(person(abby)).toBeDefined();
      await texts(page.locator('app-person-row').first(), /Abby Kirlin/);
      await value(box('Name'), 'Abby Kirlin');
    });

    it('still offers Undo when that fails', async () => {
      await open(`/people/${abby}`);
      await button('Delete').click();
      await requestsFail('reset');
      await button('Undo').click();
      await alert(/cannot be reached/);
      await requestsFail('');
      await button('Undo').click();
      await address('/people/301');
      expect(person(301)).toMatchObject({ name: 'Abby Kirlin' });
    });
  });

  it('can be filled in and sent by keyboard alone', async () => {
    await open('/people/new');
    await box('Name').focus();
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Tab');
    await focused(box('E-mail'));
    await page.keyboard.type('ada@example.org');
    await box('City').focus();
    await page.keyboard.type('London');
    await page.keyboard.press('Enter');
    await address('/people/301');
    await focused(box('City'));
  });
});
