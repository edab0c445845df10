import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

import { patience } from './tab';

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
