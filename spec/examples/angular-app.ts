import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { appPages } from '../../examples/angular/serve';
import type { RequestLog } from '../../examples/server/request-log';
import { startServer } from '../../examples/server/server';
import type { RunningServer, ServerOptions } from '../../examples/server/server';

import { newPage, page, patience, useTab } from './tab';

export { page } from './tab';

/** The server of the running test. */
export let server: RunningServer;

/**
 * Starts Chromium for a file, and for each test a server with its own database: at a fixed address, so that the browser
 * need not compile the app again.
 */
export function useApp(): void {
  let pages: ServerOptions['serveStatic'];
  let port = 0;

  beforeAll(async () => {
    pages = await appPages();
  });

  beforeEach(async () => {
    server = await startServer({ port, serveStatic: pages });
    port = Number(new URL(server.url).port);
  });

  afterEach(() => server.close());

  useTab();
}

/** Opens a page, and waits until it is interactive. */
export async function open(path: string, opened = page): Promise<void> {
  await opened.goto(server.url + path);
  await expect.poll(() => opened.locator('#network-log li').count(), patience).toBeGreaterThan(0);
}

/** Opens a page for somebody else, in another browser. */
export async function openElsewhere(path: string): Promise<Page> {
  const elsewhere = await newPage();
  await open(path, elsewhere);
  return elsewhere;
}

/** Makes all further requests of the page fail; `''` ends that. */
export async function requestsFail(fault: '503' | '500' | 'reset' | ''): Promise<void> {
  await page.getByLabel('Requests', { exact: true }).selectOption(fault);
}

/** Delays all answers by this many milliseconds. */
export async function answersTake(milliseconds: 1000 | 15_000): Promise<void> {
  await page.getByLabel('Answers take').selectOption(String(milliseconds));
}

/** The requests that change something, in order of arrival. */
export function writes(): RequestLog[] {
  return server.requests.filter(({ method }) => method !== 'GET');
}

/** A row of the database; undefined for none. */
export function row(table: 'people' | 'groceries', where: string): Record<string, unknown> | undefined {
  const found = server.database.prepare(`SELECT * FROM ${table} WHERE ${where}`).get();
  return found && { ...found };
}

/** Waits for the texts of some elements. */
export async function texts(locator: Locator, ...wanted: readonly (string | RegExp)[]): Promise<void> {
  const match = wanted.map((text): unknown =>
    typeof text === 'string' ? text : expect.stringMatching(text),
  );
  const shown = async () => (await locator.allInnerTexts()).map((text) => text.trim());
  await expect.poll(shown, patience).toEqual(match);
}

/** Waits for the value of a box. */
export async function value(locator: Locator, wanted: string): Promise<void> {
  await expect.poll(() => locator.inputValue(), patience).toBe(wanted);
}

/** Waits for an attribute. */
export async function attribute(locator: Locator, name: string, wanted: string): Promise<void> {
  await expect.poll(() => locator.getAttribute(name), patience).toBe(wanted);
}

/** Waits for a number of elements. */
export async function count(locator: Locator, wanted: number): Promise<void> {
  await expect.poll(() => locator.count(), patience).toBe(wanted);
}

/** Waits until an element has the focus. */
export async function focused(locator: Locator): Promise<void> {
  await expect
    .poll(() => locator.evaluate((element) => element === document.activeElement), patience)
    .toBe(true);
}

/** Waits for the path and query in the address bar. */
export async function address(wanted: string): Promise<void> {
  await expect.poll(() => page.url(), patience).toBe(server.url + wanted);
}
