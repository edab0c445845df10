import type { ServerResponse } from 'node:http';

import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chromiumPath, launchChromium } from '../chromium';
import { listen } from '../integration/listen';

const root = new URL('../../', import.meta.url).pathname;

/** A page that follows a feed, and shows the list and what has happened. */
const code = `
  import { lib } from 'rivulet';
  import { followChanges, serverEvents } from 'rivulet/live';
  import { map } from 'rxjs';

  const list = lib.collection({ url: '/list' });
  const log = [];
  const events$ = serverEvents('/events', {
    events: ['put', 'delete'],
    onOpen: () => log.push('open'),
  }).pipe(map(({ type, data }) => ({ kind: type, item: JSON.parse(data) })));
  const following = followChanges(list, events$).subscribe({ error: ({ message }) => log.push(message) });
  Object.assign(globalThis, { list, log, following });
`;

interface Globals {
  readonly list: { readonly value: readonly unknown[] };
  readonly log: readonly string[];
  readonly following: { unsubscribe(): void };
}

describe.skipIf(!chromiumPath)('server-sent events in a browser', { timeout: 20_000 }, () => {
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    const [launched, { outputFiles }] = await Promise.all([
      launchChromium(),
      build({
        stdin: { contents: code, resolveDir: root },
        alias: { 'rivulet/live': `${root}lib/live/index.ts`, rivulet: `${root}lib/index.ts` },
        bundle: true,
        format: 'iife',
        write: false,
      }),
    ]);
    [browser, script] = [launched, String(outputFiles[0]?.text)];
  }, 20_000);
  afterAll(() => browser.close());

  /** A page, and the connections on which the spec sends it events. */
  async function open(isRefusing = (): boolean => false) {
    const connections: ServerResponse[] = [];
    const closed: ServerResponse[] = [];
    const server = await listen(({ url }, response) => {
      if (url === '/')
        return response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,">');
      if (isRefusing()) return response.writeHead(503).end();
      connections.push(response);
      response.on('close', () => closed.push(response));
      // The browser is to connect again at once.
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 10\n\n');
    });
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.addScriptTag({ content: script });
    const value = () => page.evaluate(() => (globalThis as unknown as Globals).list.value);
    const log = () => page.evaluate(() => (globalThis as unknown as Globals).log);
    const leave = () =>
      page.evaluate(() => {
        (globalThis as unknown as Globals).following.unsubscribe();
      });
    return { page, connections, closed, value, log, leave, server };
  }

  it('change the list, also after the connection was lost; leaving closes it', async () => {
    const { page, connections, closed, value, log, leave } = await open();
    await expect.poll(() => connections.length).toBe(1);
    connections[0]?.write('event: put\ndata: {"id":1,"name":"Änn"}\nid: 7\n\n');
    await expect.poll(value).toStrictEqual([{ id: 1, name: 'Änn' }]);

    connections[0]?.end();
    await expect.poll(() => connections.length).toBe(2);
    expect(connections[1]?.req.headers['last-event-id']).toBe('7');
    connections[1]?.write('event: delete\ndata: {"id":1}\n\n');
    await expect.poll(value).toStrictEqual([]);
    expect(await log()).toStrictEqual(['open', 'open']);

    await leave();
    await expect.poll(() => closed.length).toBe(2);
    await page.close();
  });

  it('end with an error when the server refuses', async () => {
    const { page, log, server } = await open(() => true);

    await expect.poll(log).toStrictEqual(['serverEvents: /events was refused, or does not send events']);
    expect(server.lines.filter((line) => line.endsWith('/events'))).toHaveLength(1);
    await page.close();
  });
});
