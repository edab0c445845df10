import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { launchChromium } from '../chromium';

/** How long to wait for the page to show something. */
export const patience = { timeout: 10_000 };

/** The page of the running test. */
export let page: Page;

let browser: Browser;
/** Complaints of the pages, except refusals and broken connections, which Chromium logs itself. */
const complaints: string[] = [];

/**
 * Starts Chromium for a file, with one tab that is blank for each test: opening another takes longer than most tests.
 * No page may complain. Must be called after the hooks that start the server, so that the pages are gone when it ends.
 */
export function useTab(): void {
  let size: ReturnType<Page['viewportSize']>;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await newPage();
    size = page.viewportSize();
  });

  afterAll(() => browser.close());

  afterEach(async () => {
    const others = browser.contexts().filter((context) => context !== page.context());
    await Promise.all(others.map((context) => context.close()));
    await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
    if (size) await page.setViewportSize(size);
    expect(complaints.splice(0)).toEqual([]);
  });
}

/** Whether the browser would ask before it leaves the page. */
export function asksBeforeLeaving(): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
}

/** A page in its own context, as if in another browser; closed after the test. */
export async function newPage(): Promise<Page> {
  const opened = await browser.newPage();
  opened.setDefaultTimeout(patience.timeout);
  opened.on('pageerror', (error) => complaints.push(String(error)));
  opened.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource:')) complaints.push(message.text());
  });
  return opened;
}
