import type { Page, Route } from 'playwright-core';

import { gate } from '../server';

/** A request held between the page and the server. */
export interface Held {
  /** Resolves when the page has sent it. */
  readonly arrived: Promise<void>;
  /** Releases it to the server. */
  release(): void;
}

/** Holds the next request with a method and a path that begins like this; later ones pass. */
export async function hold(page: Page, method: string, path: string): Promise<Held> {
  const arrived = gate();
  const released = gate();
  let isHolding = false;
  const holding = async (route: Route): Promise<void> => {
    if (isHolding || route.request().method() !== method) return route.fallback();
    isHolding = true;
    arrived.resolve();
    await released.promise;
    // A request that the page has aborted in the meantime cannot continue.
    await route.continue().catch(() => undefined);
  };
  await page.route((url) => `${url.pathname}${url.search}`.startsWith(path), holding);
  return {
    arrived: arrived.promise,
    release: () => {
      released.resolve();
    },
  };
}
