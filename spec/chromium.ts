import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const installed = (...paths: readonly (string | undefined)[]) =>
  paths.find((path) => path && existsSync(path));

/**
 * The path of Chromium with all that a window offers; undefined if there is none, for `describe.skipIf`. With
 * `REQUIRE_BROWSER` set, that is an error instead: a run that has to cover the browser must not pass by skipping it.
 */
export const windowedPath = installed(
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
);

/**
 * The path of any Chromium. The build without windows has the same engine and takes a quarter less processor time, but lacks
 * the back/forward cache.
 */
export const chromiumPath =
  installed(process.env.CHROMIUM, '/usr/bin/chromium-headless-shell') ?? windowedPath;

if (!windowedPath) {
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
