import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * The path of Chromium; undefined if there is none, for `describe.skipIf(!chromiumPath)`. With `REQUIRE_BROWSER` set,
 * that is an error instead: a run that has to cover the browser must not pass by skipping it.
 */
export const chromiumPath = candidates.find((path) => path && existsSync(path));

if (!chromiumPath) {
  if (process.env.REQUIRE_BROWSER) {
    throw new Error('REQUIRE_BROWSER is set, and no Chromium was found; install it or set CHROMIUM');
  }
  console.warn('\nBROWSER SPECS SKIPPED: no Chromium found; install it or set CHROMIUM\n');
}

/** Starts Chromium without a window, and without the requests it would make on its own. */
export function launchChromium(): Promise<Browser> {
  if (!chromiumPath) throw new Error('No Chromium was found; install it or set CHROMIUM');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
