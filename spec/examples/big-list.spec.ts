import { fileURLToPath } from 'node:url';

import type { Locator } from 'playwright-core';
import { createLib } from 'rivulet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { change } from '../../examples/big-list/changes.ts';
import { matches } from '../../examples/big-list/open-view.ts';
import { seeded } from '../../examples/big-list/random.ts';
import { makeRows } from '../../examples/big-list/row.ts';
import type { Row } from '../../examples/big-list/row.ts';
import { bigListPage } from '../../examples/big-list/serve.ts';
import { startServer } from '../../examples/server/server.ts';
import type { RunningServer } from '../../examples/server/server.ts';
import { chromiumPath } from '../chromium';

import { page, patience, useTab } from './tab';

/** Straight from the sources: an outdated build of the package must not be tested. */
const library = { rivulet: sources('index.ts'), 'rivulet/views': sources('views/index.ts') };

let server: RunningServer;

describe.skipIf(!chromiumPath)('the big list', { timeout: 30_000 }, () => {
  beforeAll(async () => {
    server = await startServer({ serveStatic: await bigListPage('/', library) });
  });

  afterAll(() => server.close());

  useTab();

  beforeEach(async () => {
    await page.goto(server.url);
    await ready();
  });

  it('shows the right rows of the sorted list, wherever it is scrolled to', async () => {
    const wanted = sorted(rowsAfter(0), 'score', true);
    for (const place of [0, 7, 50_000, 99_999]) {
      await scrollTo(place);
      await expectShown(wanted, place);
    }
    expect(await page.locator('.space [role=row]').count()).toBeLessThan(60);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('100001');
    await page.getByRole('region', { name: 'All players' }).focus();
    await page.keyboard.press('Home');
    await expectShown(wanted, 0);
  });

  it('sorts by any column, reversed at the second click, and filters', async () => {
    const rows = rowsAfter(0);
    await scrollTo(50_000);
    await sortBy('Name');
    await expectShown(sorted(rows, 'name', false), 0);
    await search('Oslo');
    const found = rows.filter((row) => matches(row, 'oslo'));
    await expectShown(sorted(found, 'name', false), 0);
    await expect.poll(() => figure('matching'), patience).toBe(found.length);
    await sortBy('Name');
    await expectShown(sorted(found, 'name', true), 0);
    const header = page.getByRole('columnheader', { name: 'Name' });
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await search('nobody at all');
    await expect.poll(() => page.getByText('Nobody here.').isVisible(), patience).toBe(true);
  });

  it('follows changes while scrolled, sorted and filtered, without freezing', async () => {
    const taken = await watchLongTasks();
    await page.getByRole('switch').check();
    await scroll(frames);
    const scrolling = await taken();
    const slices = (await framesOf(() => sortBy('Changes'))) + (await framesOf(() => search('oslo')));
    const opening = await taken();
    await page.getByRole('switch').uncheck();
    console.log(`long tasks (ms): scrolling [${scrolling.join()}], two views opened [${opening.join()}]`);

    await scrollTo(15);
    const rows = rowsAfter(await changesMade());
    const wanted = sorted(rows, 'changes', true).filter((row) => matches(row, 'oslo'));
    await expectShown(wanted, 15);
    expect(wanted[3]?.changes).toBeGreaterThan(0);
    // A page that walks all rows in each frame has a long task in each; the few of a fast page are due to its machine.
    expect(scrolling.length).toBeLessThan(frames / 2);
    expect(opening.length).toBeLessThan(slices / 2);
    // If opened in one go, a view would leave no frames in between.
    expect(slices).toBeGreaterThan(30);
  });
});

/** The number of frames scrolled. */
const frames = 40;

/** Waits for the latest view. */
async function ready(): Promise<void> {
  await expect.poll(() => page.locator('#players').getAttribute('aria-busy'), patience).toBe('false');
}

async function sortBy(column: string): Promise<void> {
  await page.getByRole('button', { name: column }).click();
  await ready();
}

async function search(text: string): Promise<void> {
  // The page waits for a pause in the typing, and may have searched again before anybody looks.
  const begun = await page.locator('#players').evaluateHandle((players) => ({
    change: new Promise((resolve) => {
      new MutationObserver(resolve).observe(players, { attributeFilter: ['aria-busy'] });
    }),
  }));
  await page.getByLabel('Search players').fill(text);
  await begun.evaluate(({ change }) => change.then(() => undefined));
  await ready();
}

/** Scrolls the row at a place to the top. */
async function scrollTo(place: number): Promise<void> {
  await box().evaluate((element, top) => {
    element.scrollTop = top;
  }, place * 36);
}

/** Scrolls in each of some frames: usually by a few rows, now and then by thousands. */
async function scroll(count: number): Promise<void> {
  await box().evaluate(async (element, frames) => {
    for (let frame = 1; frame <= frames; frame += 1) {
      await new Promise(requestAnimationFrame);
      element.scrollTop += frame % 10 ? 200 : 100_000;
    }
  }, count);
}

/** Starts to watch; the returned function returns the durations (ms) of the long tasks since its last call. */
async function watchLongTasks(): Promise<() => Promise<number[]>> {
  const tasks = await page.evaluateHandle(() => {
    const durations: number[] = [];
    new PerformanceObserver((list) => {
      durations.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
    return durations;
  });
  return () => tasks.evaluate((durations) => durations.splice(0));
}

/** How many frames the page has painted in the meantime. */
async function framesOf(run: () => Promise<void>): Promise<number> {
  const counter = await page.evaluateHandle(() => {
    const counter = { count: 0 };
    const next = () => {
      counter.count += 1;
      requestAnimationFrame(next);
    };
    next();
    return counter;
  });
  await run();
  return counter.evaluate(({ count }) => count);
}

/** The number of changes made, once they have stopped. */
async function changesMade(): Promise<number> {
  await expect.poll(() => figure('rate'), patience).toBe(0);
  return figure('changes');
}

async function figure(name: string): Promise<number> {
  const text = await page.locator(`[data-part=figures] [data-part=${name}]`).innerText();
  return Number(text.replaceAll(',', ''));
}

/** The rows after that many changes, made in the same way as in the page. */
function rowsAfter(count: number): readonly Row[] {
  const random = seeded(1);
  const rows = createLib().collection({ data: makeRows(100_000, random) });
  for (let made = 0; made < count; made += 1) change(rows, random);
  return rows.value;
}

/** All rows in order; equal ones stay in the order of their arrival. */
function sorted(rows: readonly Row[], by: 'name' | 'score' | 'changes', descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => (a[by] === b[by] ? 0 : a[by] < b[by] ? -sign : sign));
}

/** Waits until the row at a place is in sight; then all rows in sight must be the right ones. */
async function expectShown(wanted: readonly Row[], place: number): Promise<void> {
  await expect
    .poll(async () => {
      const { first, rows } = await inSight();
      return first <= place && place < first + rows.length && rows;
    }, patience)
    .toSatisfy((rows: unknown) => rows !== false);
  const { first, rows } = await inSight();
  expect(rows).toEqual(wanted.slice(first, first + rows.length).map(textsOf));
}

/** The texts of the rows in sight, and the place of the first as exposed to assistive technology. */
async function inSight(): Promise<{ first: number; rows: string[][] }> {
  return box().evaluate((element) => {
    const top = element.querySelector('.head')?.getBoundingClientRect().bottom ?? 0;
    const { bottom } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('.space [role=row]')].filter((row) => {
      const place = row.getBoundingClientRect();
      return place.bottom > top + 2 && place.top < bottom - 2;
    });
    return {
      first: Number(rows[0]?.ariaRowIndex) - 2,
      rows: rows.map((row) => [...row.children].map(({ textContent }) => textContent)),
    };
  });
}

const textsOf = ({ id, name, city, score, changes }: Row): string[] => [
  id.toLocaleString('en'),
  name,
  city,
  score.toLocaleString('en'),
  changes.toLocaleString('en'),
];

const box = (): Locator => page.locator('[data-part=box]');

function sources(file: string): string {
  return fileURLToPath(new URL(`../../lib/${file}`, import.meta.url));
}
