import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { answerAll, quietly, useBrowser } from './stage';

/** A service worker that answers some paths, each differently, and leaves all others to the network. */
const serviceWorker = `
  const answers = {
    '/offline/json': () => Response.json({ id: 7, name: 'Bo' }),
    '/offline/error': () => Response.error(),
    '/offline/rejects': () => Promise.reject(new Error('no cache')),
    '/offline/refuses': () => Response.json({ id: 7, name: 'Bo' }, { status: 504 }),
  };
  addEventListener('fetch', (event) => {
    const answer = answers[new URL(event.request.url).pathname];
    if (answer) event.respondWith(answer());
  });
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
`;

describe.skipIf(!chromiumPath)('answers in the browser', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  describe("the browser's HTTP cache", () => {
    it.each([
      ['default', ['"1"']],
      ['no-store', [undefined]],
      ['force-cache', []],
    ] as const)('serves a read with cache %s, whose data is written normally', async (cache, conditions) => {
      const asked: (string | undefined)[] = [];
      stage.server.answer = (exchange) => {
        const condition = exchange.headers['if-none-match'];
        asked.push(condition);
        if (condition) exchange.response.writeHead(304).end();
        else exchange.json({ id: 7, name: 'Bo' }, { etag: '"1"', 'cache-control': 'no-cache' });
      };
      await stage.at(`/cached/${cache}`);
      await stage.run('read');
      // The same page, reloaded: the record is edited as at first.
      await stage.open();
      await stage.at(`/cached/${cache}`);

      expect(await stage.run('read', { cache })).toMatchObject({
        outcome: '200',
        error: null,
        isWritten: true,
        data: { name: 'Bo' },
      });
      expect(asked).toStrictEqual([undefined, ...conditions]);
    });
  });

  describe('text received in the browser', () => {
    const text = (...parts: string[]) => Buffer.from(parts.join(''));
    const json = '{"id":7,"name":"Zoë 🎈"}';
    const balloon = text(json).indexOf('🎈');

    it.each([
      ['with a byte order mark', text('\uFEFF', json), 8],
      ['with a byte order mark that is cut', text('\uFEFF', json), 1],
      ['with two byte order marks', text('\uFEFF\uFEFF', json), 8],
      ['with a prefix against script inclusion', text(")]}',\n", json), 8],
      ['with such a prefix that is cut', text(")]}',\n", json), 2],
      ['with a byte order mark and such a prefix', text('\uFEFF', ")]}'\n", json), 8],
      ['with a letter cut after byte 1 of 2', text(json), text(json).indexOf('ë') + 1],
      ['with a character cut after byte 1 of 4', text(json), balloon + 1],
      ['with a character cut after byte 2 of 4', text(json), balloon + 2],
      ['with a character cut after byte 3 of 4', text(json), balloon + 3],
    ])('is decoded correctly %s', async (_, bytes, cut) => {
      const report = stage.run('read');
      const held = await stage.server.arrived('GET /people/7');
      await stage.inBody(held, bytes.subarray(0, cut));
      held.response.end(bytes.subarray(cut));

      expect(await report).toMatchObject({ outcome: '200', error: null, data: { id: 7, name: 'Zoë 🎈' } });
      expect(await stage.probe.evaluate(({ response }) => response?.text())).toContain('Zoë 🎈');
    });
  });

  describe('a url without a server', () => {
    const json = '{"id":7,"name":"Bo"}';
    const written = { outcome: '200', error: null, isWritten: true, data: { id: 7, name: 'Bo' } };

    it.each(['read', 'create'] as const)('that is data: answers the %s with the data', async (operation) => {
      await stage.at({ [operation]: `data:application/json,${json}` });
      expect(await stage.run(operation)).toMatchObject(written);
    });

    it('that is blob: answers a read with the blob, and fails a write quietly', async () => {
      await stage.probe.evaluate((probe, content) => {
        const url = URL.createObjectURL(new Blob([content]));
        probe.url = { read: url, create: url };
      }, json);
      expect(await stage.run('read')).toMatchObject(written);
      expect(await stage.run('create')).toMatchObject(quietly('TypeError'));
    });

    it('that is blob: fails a read quietly once it is revoked', async () => {
      await stage.probe.evaluate((probe, content) => {
        const url = URL.createObjectURL(new Blob([content]));
        probe.url = { read: url };
        URL.revokeObjectURL(url);
      }, json);
      expect(await stage.run('read')).toMatchObject(quietly('TypeError'));
    });
  });

  describe('a service worker', () => {
    it.each([
      ['answers', '/offline/json', { outcome: '200', isWritten: true, data: { name: 'Bo' } }],
      ['answers with an error', '/offline/error', quietly('TypeError')],
      ['fails', '/offline/rejects', quietly('TypeError')],
      ['refuses', '/offline/refuses', { outcome: '504', error: 'HTTP', isWritten: false, busy: [] }],
      [
        'leaves the request to the network',
        '/offline/other',
        { outcome: '200', isWritten: true, data: { name: 'Bo' } },
      ],
    ])('%s, with the same effect on a read as a server', async (_, path, report) => {
      stage.server.answer = (exchange) => {
        if (exchange.line !== 'GET /service-worker.js') answerAll(exchange);
        else exchange.begin(serviceWorker, { 'content-type': 'text/javascript' }).response.end();
      };
      await stage.page.evaluate(async () => {
        const claimed = new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', resolve);
        });
        await navigator.serviceWorker.register('/service-worker.js');
        if (!navigator.serviceWorker.controller) await claimed;
      });
      await stage.at({ read: path });
      expect(await stage.run('read')).toMatchObject(report);
    });
  });
});
