import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { appPages } from '../../examples/angular/serve';

import { server, useServer } from './served';
import { newPage, page, patience, useTab } from './tab';

/** Starts Chromium for a file, and for each test a server with the app. */
export function useApp(): void {
  useServer(appPages);
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

/** Waits for the path and query in the address bar. */
export async function address(wanted: string): Promise<void> {
  await expect.poll(() => page.url(), patience).toBe(server.url + wanted);
}
