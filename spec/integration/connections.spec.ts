import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createLib } from 'rivulet';

import { startFaultServer } from '../faults/server';
import { Person } from '../person';

/** JSON of 300 kB, which no socket buffers whole. */
const body = JSON.stringify({ id: 7, text: 'x'.repeat(300_000) });
const server = createServer((request, response) => {
  sockets.add(request.socket);
  request.resume();
  response.setHeader('content-type', 'application/json').end(body);
});
const sockets = new Set<Socket>();

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  sockets.clear();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the connections of 50 requests in turn', () => {
  it.each(['fetch', 'save', 'destroy'] as const)('are few when each is a %s', async (method) => {
    const { port } = server.address() as AddressInfo;
    const root = createLib();
    const record = root.dataModel.boot({}, { url: `http://127.0.0.1:${port}/records` });
    const id = root.observable<unknown>(7).map('id', record);

    for (let count = 0; count < 50; count += 1) {
      id.next(7);
      const response = await record[method]();
      expect(response.ok).toBe(true);
    }

    expect(sockets.size).toBeLessThanOrEqual(6);
  });

  it('leave the answer of a destroy readable', async () => {
    const { port } = server.address() as AddressInfo;
    const root = createLib();
    const record = root.dataModel.boot({}, { url: `http://127.0.0.1:${port}/records` });
    root.observable<unknown>(7).map('id', record);

    const response = await record.destroy();

    expect(await response.json()).toMatchObject({ id: 7 });
  });
});

describe('the connection of a destroy whose ok answer never ends', () => {
  it('is closed when the record is disposed of', async () => {
    const server = await startFaultServer();
    onTestFinished(() => server.close());
    const person = new Person(createLib(), { url: `${server.origin}/hang-body` }, {});

    await person.destroy();
    person.dispose();

    await server.until(({ openConnections }) => openConnections === 0);
  });

  it('is closed when the caller cancels a body too long to be read to its end', async () => {
    const endless = createServer((_, response) => response.write('x'.repeat(2 ** 22)));
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void endless.close());
    const closed = new Promise<void>((resolve) => {
      endless.once('connection', (socket: Socket) => socket.once('close', resolve));
    });
    const { port } = endless.address() as AddressInfo;
    const person = new Person(createLib(), { url: `http://127.0.0.1:${port}/person` }, {});

    const response = await person.destroy();
    await response.body?.cancel();

    await closed;
  });
});
