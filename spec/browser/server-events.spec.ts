import type { JSHandle } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import type { Exchange } from './fault-server';
import type { Listener } from './listener';
import { useBrowser } from './stage';

const ann = { id: 1, name: 'Ann' };
const stream = { 'content-type': 'text/event-stream' };

describe.skipIf(!chromiumPath)('server-sent events in the browser', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  /** Subscribes in the page; the connection is held. */
  const listen = (options?: ConstructorParameters<typeof Listener>[1], url = '/changes?token=secret') =>
    stage.page.evaluateHandle(
      ([to, using]) =>
        new (globalThis as unknown as { readonly Listener: typeof Listener }).Listener(to, using),
      [url, options] as const,
    );
  const connection = () => stage.server.arrived('GET /changes?token=secret');
  const state = (listener: JSHandle<Listener>) =>
    listener.evaluate(({ events, names, opened, failure }) => ({ events, names, opened, failure }));
  /** Answers the read that follows each connection. */
  const answerRead = async (rows: readonly object[] = [ann]) => {
    (await stage.server.arrived('GET /people')).json(rows);
  };
  const send = ({ response }: Exchange, ...lines: readonly string[]) =>
    response.write(`${lines.join('\n')}\n\n`);
  const put = (name: string) => `data: ${JSON.stringify({ kind: 'put', item: { ...ann, name } })}`;

  it('change the list, and what comes while it is read is not lost', async () => {
    const listener = await listen();
    const held = (await connection()).begin(': hello\n\n', stream);
    const read = await stage.server.arrived('GET /people');

    send(held, put('Anna'));
    await expect.poll(() => state(listener)).toMatchObject({ events: [expect.any(String)], names: ['Anna'] });
    read.json([ann, { id: 2, name: 'Bo' }]);
    await expect.poll(() => state(listener)).toMatchObject({ names: ['Anna', 'Bo'], opened: 1 });
    send(held, 'data: {"kind":"delete",', 'data: "item":{"id":1}}');

    await expect.poll(() => state(listener)).toMatchObject({ names: ['Bo'], failure: undefined });
  });

  it('go on after an interruption: the browser connects again with the last id, and the list is read again', async () => {
    const listener = await listen();
    const first = (await connection()).begin(': hello\n\n', stream);
    await answerRead();
    send(first, 'retry: 10', 'id: 7', put('Anna'));
    await expect.poll(() => state(listener)).toMatchObject({ names: ['Anna'] });

    first.response.destroy();
    const second = (await connection()).begin(': again\n\n', stream);
    expect(second.headers['last-event-id']).toBe('7');
    await answerRead([{ ...ann, name: 'Annabel' }]);

    await expect
      .poll(() => state(listener))
      .toMatchObject({ names: ['Annabel'], opened: 2, failure: undefined });
    send(second, put('Anne'));
    await expect.poll(() => state(listener)).toMatchObject({ names: ['Anne'] });
    expect((await state(listener)).events).toStrictEqual([
      'message 7 {"kind":"put","item":{"id":1,"name":"Anna"}}',
      'message 7 {"kind":"put","item":{"id":1,"name":"Anne"}}',
    ]);
  });

  it('are those with the names asked for', async () => {
    const listener = await listen({ events: ['row'] });
    const held = (await connection()).begin(': hello\n\n', stream);
    await answerRead();

    send(held, put('Anna'));
    send(held, 'event: row', put('Anne'));

    await expect
      .poll(() => state(listener))
      .toMatchObject({ names: ['Anne'], events: [expect.stringMatching(/^row /)] });
  });

  it.each([
    ['204, which ends it', 204, stream],
    ['a server that is busy', 503, stream],
    ['another type', 200, { 'content-type': 'application/json' }],
  ])('fail for good after %s', async (_, status, headers) => {
    const listener = await listen();
    (await connection()).response.writeHead(status, headers).end();

    await expect
      .poll(() => state(listener))
      .toMatchObject({
        opened: 0,
        failure: 'Error: serverEvents: /changes was refused, or does not send events',
      });
    expect(stage.server.lines).toStrictEqual(['GET /changes?token=secret']);
  });

  it('fail with what the platform throws for a url that is none', async () => {
    expect(await state(await listen({}, 'http://'))).toMatchObject({
      failure: expect.stringMatching(/^SyntaxError/) as string,
    });
  });

  it('are ended by unsubscribing, which closes the connection', async () => {
    const listener = await listen();
    const held = (await connection()).begin(': hello\n\n', stream);
    await answerRead();

    await listener.evaluate(({ subscription }) => {
      subscription.unsubscribe();
    });
    await held.gone;

    expect(await state(listener)).toMatchObject({ failure: undefined });
  });
});
