import { setTimeout } from 'node:timers/promises';

import { createLib } from 'rivulet';
import type { Lib, RequestOptions } from 'rivulet';

import { startFaultServer } from '../faults/server.ts';
import type { FaultServer } from '../faults/server.ts';

import type { Figure } from './figures.ts';
import { heap, resources } from './left.ts';
import { Person } from './person.ts';
import { progressOf } from './progress.ts';

/** How many requests are open at a time. */
const width = 32;

/** Faults that end by themselves, or by a client's time limit. */
const faults = [
  ...['reset', 'close', 'reset-mid-headers', 'half-headers', 'bad-status-line', 'not-http', 'bad-header'],
  ...['dup-content-length', 'header-overflow', 'hang', 'hang-headers', 'reset-mid-body', 'fin-mid-body'],
  ...['chunk-truncated', 'bad-chunk', 'gzip-bad', 'hang-body', 'infinite', 'json-truncated', 'html-200'],
  ...['status?code=404&as=record', 'status?code=500&as=html', 'status?code=204&as=empty', 'retry-after'],
  ...['redirect?code=302', 'redirect-loop', 'error-hang-body', 'error-cut-body', 'json-list', 'bom', 'drip'],
];

const kinds = ['fetch', 'save', 'destroy', 'list'] as const;

/** Sends requests of each kind in turn, so that each kind meets each fault; nobody reads the answers. */
async function send(root: Lib, url: string, count: number, options: RequestOptions): Promise<void> {
  const kind = kinds[(count + Math.floor(count / 10)) % kinds.length] ?? 'list';
  const person = new Person(root, url);
  const people = root.collection({ url });
  try {
    const response = await (kind === 'list' ? people.fetch(options) : person[kind](options));
    response.body?.cancel().catch(() => undefined);
  } finally {
    person.dispose();
    people.dispose();
  }
}

/** Sends all requests; returns how many of those without a fault have failed, and the largest number of connections. */
async function sendAll(server: FaultServer, requests: number): Promise<{ failed: number; open: number }> {
  const root = createLib();
  const progress = progressOf('loopback', requests);
  const seen = { failed: 0, open: 0 };
  let sent = 0;
  const work = async () => {
    while (sent < requests) {
      const count = (sent += 1);
      const fault = count % 10 === 0 ? faults[(count / 10) % faults.length] : undefined;
      const options = fault ? { timeout: 100 } : {};
      await send(root, `${server.origin}/${fault ?? 'ok'}`, count, options).catch(() => {
        if (!fault) seen.failed += 1;
      });
      seen.open = Math.max(seen.open, server.openConnections);
      // The server's memory must not be measured.
      if (server.log.length >= 1000) server.log.length = 0;
      progress(count);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return seen;
}

/** The resources that keep the process running beyond those before, once they have had ten seconds to end. */
async function leftOver(before: readonly string[]): Promise<number> {
  const left = () => resources().length - before.length;
  for (let round = 0; round < 100 && left() > 0; round += 1) await setTimeout(100);
  return left();
}

/** Sends requests over the loopback interface, one in ten to a fault. */
export async function loopback(requests: number): Promise<Figure[]> {
  const before = resources();
  const early = await heap();
  const server = await startFaultServer();
  const start = performance.now();
  const { failed, open } = await sendAll(server, requests);
  const spent = performance.now() - start;
  await server.close();
  return [
    { name: 'loopback: requests', value: requests },
    { name: 'loopback: microseconds per request', value: (1000 * spent) / requests },
    { name: 'loopback: requests without a fault that failed', value: failed, limit: 0 },
    { name: 'loopback: most connections open at a time', value: open, limit: 2 * width },
    { name: 'loopback: timers, sockets and other handles left', value: await leftOver(before), limit: 0 },
    { name: 'loopback: heap growth, MB', value: (await heap()) - early },
  ];
}

/** Reads 100 kB repeatedly. */
export async function sequential(requests: number): Promise<Figure[]> {
  const server = await startFaultServer();
  const person = new Person(createLib(), `${server.origin}/huge?mb=0.1`);
  for (let count = 0; count < requests; count += 1) await person.fetch();
  const { connections } = server;
  await server.close();
  return [{ name: `connections of ${requests} reads of 100 kB in turn`, value: connections, limit: 2 }];
}
