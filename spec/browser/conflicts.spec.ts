import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chromiumPath, launchChromium } from '../chromium';
import { listen } from '../integration/listen';

import { bundledFile } from './bundled';
import type { Shown } from './merging';

const html = '<!doctype html><link rel="icon" href="data:,"><title>person</title>';

/** The page's own function, see merging.ts. */
declare const saveBehind: () => Promise<Shown>;

describe.skipIf(!chromiumPath)(
  'a save in a browser behind that of somebody else',
  { timeout: 20_000 },
  () => {
    let browser: Browser;
    let code: string;

    beforeAll(async () => {
      [browser, code] = await Promise.all([launchChromium(), bundledFile('merging.ts')]);
    }, 20_000);
    afterAll(() => browser.close());

    /** The url of a page and of the row of a person, which the browser may keep as these headers tell it. */
    async function serve(caching: Record<string, string>): Promise<string> {
      let row = { id: 7, name: 'Ann', city: 'Bonn' };
      let revision = 1;
      const answer = (request: IncomingMessage, response: ServerResponse, change: string) => {
        if (request.url === '/') return response.setHeader('content-type', 'text/html').end(html);
        const tag = `"${String(revision)}"`;
        if ((request.headers['if-match'] ?? tag) !== tag) return response.writeHead(412).end();
        if (change) {
          row = { ...row, ...(JSON.parse(change) as object) };
          revision += 1;
        }
        const headers = { ...caching, etag: `"${String(revision)}"`, 'content-type': 'application/json' };
        return response.writeHead(200, headers).end(JSON.stringify(row));
      };
      const { url } = await listen((request, response) => {
        void text(request).then((change) => answer(request, response, change));
      });
      return url;
    }

    it.each<[string, Record<string, string>]>([
      ['for a minute', { 'cache-control': 'private, max-age=60' }],
      // A tenth of the time since then, by RFC 9111, section 4.2.2.
      ['because it has not changed for long', { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
      ['only to have it confirmed', { 'cache-control': 'no-cache' }],
    ])('is merged with what was saved, though the browser has kept the row %s', async (_, caching) => {
      const page = await browser.newPage();
      await page.goto(await serve(caching));
      await page.addScriptTag({ content: code });

      expect(await page.evaluate(() => saveBehind())).toStrictEqual({
        status: 200,
        data: { id: 7, name: 'Mine', city: 'Rome' },
        isDirty: false,
      });
      await page.close();
    });
  },
);
