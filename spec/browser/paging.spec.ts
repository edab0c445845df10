import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chromiumPath, launchChromium } from '../chromium';
import { listen } from '../integration/listen';
import { blocksOf } from '../markdown';

import { bundled } from './bundled';

const root = new URL('../../', import.meta.url).pathname;

/** The first block of the guide as a script, with nothing in it replaced. */
function script(): Promise<string> {
  const [block] = blocksOf('docs/PAGING.md');
  return bundled({ stdin: { contents: String(block?.code), loader: 'ts', resolveDir: root } });
}

const html = `<!doctype html><link rel="icon" href="data:,"><title>people</title>
<style>body{margin:0}#people{height:auto}option{height:20px}</style>
<div id="people"></div><div id="end">end</div>`;

describe.skipIf(!chromiumPath)('the list of the guide in a browser', { timeout: 20_000 }, () => {
  let browser: Browser;
  let code: string;

  beforeAll(async () => {
    [browser, code] = await Promise.all([launchChromium(), script()]);
  }, 20_000);
  afterAll(() => browser.close());

  /** A page with the list, from a server with some people, which answers as told. */
  async function openList(total: number, size: number, isDown = (): boolean => false) {
    const people = Array.from({ length: total }, (_, place) => ({
      id: place + 1,
      name: `Person ${place + 1}`,
    }));
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(String(request.url), 'http://localhost');
      if (pathname === '/') return response.setHeader('content-type', 'text/html').end(html);
      if (isDown()) return response.writeHead(503).end();
      const begin = Number(searchParams.get('cursor') ?? 0);
      const end = begin + size;
      const next = end < total ? String(end) : null;
      return response.end(JSON.stringify({ items: people.slice(begin, end), next }));
    };
    const server = await listen(answer);
    const page = await browser.newPage({ viewport: { width: 400, height: 400 } });
    await page.goto(server.url);
    await page.addScriptTag({ content: code });
    const count = () => page.evaluate(() => document.querySelectorAll('#people option').length);
    const scroll = () =>
      page.evaluate(() => {
        scrollTo(0, document.body.scrollHeight);
      });
    const reads = () => server.lines.filter((line) => line.includes('/api/'));
    return { page, count, scroll, reads };
  }

  it('grows while it is scrolled, each page read once, until all are there', async () => {
    const { page, count, scroll, reads } = await openList(110, 50);
    await expect.poll(count).toBe(50);
    await scroll();
    await expect.poll(count).toBe(100);
    await scroll();
    await expect.poll(count).toBe(110);
    await scroll();

    expect(reads()).toStrictEqual([
      'GET /api/people?limit=50',
      'GET /api/people?limit=50&cursor=50',
      'GET /api/people?limit=50&cursor=100',
    ]);
    await page.close();
  });

  it('reads on by itself while the end is in sight', async () => {
    const { page, count, reads } = await openList(100, 5);
    await expect.poll(count).toBeGreaterThanOrEqual(20);

    expect(await page.evaluate(() => document.body.scrollHeight)).toBeGreaterThan(400);
    expect(reads().length).toBeLessThan(20);
    await page.close();
  });

  it('reads a page that was refused again when its place is scrolled to again', async () => {
    let isDown = false;
    const { page, count, scroll, reads } = await openList(110, 50, () => isDown);
    await expect.poll(count).toBe(50);
    isDown = true;
    await scroll();
    await expect.poll(() => reads().length).toBe(2);
    expect(await count()).toBe(50);
    isDown = false;
    // The observer looks once per frame: it has to see that the end is out of sight. Repeated, as long as the refusal is under
    // way.
    const leaveAndReturn = async () => {
      await page.evaluate(async () => {
        scrollTo(0, 0);
        const frame = () => new Promise(requestAnimationFrame);
        for (let frames = 0; frames < 3; frames += 1) await frame();
      });
      await scroll();
      return count();
    };
    await expect.poll(leaveAndReturn).toBeGreaterThanOrEqual(100);
    await page.close();
  });
});
