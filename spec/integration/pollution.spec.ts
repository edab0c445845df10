import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CollectionConfig, DataModelConfig, LibOptions, RequestOptions } from 'rivulet';

import { startFaultServer } from '../faults/server';
import type { FaultServer } from '../faults/server';

import type { Order, Pollution } from './pollution.worker';

type Options = RequestOptions & DataModelConfig & CollectionConfig<unknown> & LibOptions;

/** Every option that `fetch` does not know. The compiler ensures that none is missing. */
const options: Readonly<Record<Exclude<keyof Options, keyof RequestInit>, true>> = {
  attrs: true,
  begun: true,
  patch: true,
  rollback: true,
  writeResponse: true,
  keepEdits: true,
  timeout: true,
  fetchOptions: true,
  data: true,
  idAttribute: true,
  model: true,
  parse: true,
  requestLull: true,
  url: true,
  interceptors: true,
  around: true,
  scheduler: true,
  transport: true,
};

/** Other properties that the library reads: urls by action, requests, answers, and its own parts. */
const parts = [
  ...['create', 'read', 'update', 'delete', 'sync', 'dataModel', 'options', 'root', 'config'],
  ...['id', 'action', 'concern', 'request', 'response', 'ok', 'text', 'json', 'clone', 'value', 'cause'],
  ...['resource', 'record', 'fields', 'field', 'entries', 'path', 'segments', 'confirmed', 'found'],
  ...['host', 'changed', 'created', 'written', 'home', 'list'],
  ...['accept', 'refuse', 'end', 'isOvertaken', 'lane', 'called', 'kind', 'until', 'timer', 'details'],
  ...['ready$', 'preventDefault'],
];

/** The options that `fetch` may read from any object passed to it. The compiler ensures that none is missing. */
const platform: Readonly<Record<keyof RequestInit, true>> = {
  body: true,
  cache: true,
  credentials: true,
  headers: true,
  integrity: true,
  keepalive: true,
  method: true,
  mode: true,
  priority: true,
  redirect: true,
  referrer: true,
  referrerPolicy: true,
  signal: true,
  window: true,
};

const values = ['text', 'object', 'function', 'number'] as const;

let server: FaultServer;
let worker: Worker;
let clean: Readonly<Record<Order['sender'], unknown>>;

beforeAll(async () => {
  server = await startFaultServer();
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('pollution.worker.ts', import.meta.url))],
    alias: { rivulet: fileURLToPath(new URL('../../lib/index.ts', import.meta.url)) },
    bundle: true,
    platform: 'node',
    write: false,
  });
  const workerData = { origin: server.origin };
  worker = new Worker(outputFiles[0]?.text ?? '', { eval: true, workerData });
  clean = { rivulet: await outcomeOf('rivulet'), fetch: await outcomeOf('fetch') };
});

afterAll(async () => {
  await worker.terminate();
  await server.close();
});

/** Requests from a realm with that pollution: what arrives, byte for byte, and how they end. */
async function outcomeOf(sender: Order['sender'], pollution?: Pollution): Promise<unknown> {
  worker.postMessage({ sender, pollution } satisfies Order);
  const [ends] = (await once(worker, 'message')) as [readonly string[]];
  return { ends, arrived: server.log.splice(0) };
}

describe('an Object.prototype polluted throughout some requests', () => {
  it('is compared with requests that all succeed', () => {
    const ends = ['200', '200', 'Bo', '200', '200', '200', '200', '200', '7 Bo undefined Bo 3'];
    expect(clean.rivulet).toHaveProperty('ends', ends);
    expect(clean.rivulet).toHaveProperty('arrived.length', 7);
  });

  it.each(values)(
    'reaches no request by a name that the library reads, as a value of type %s',
    async (value) => {
      const names = [...Object.keys(options), ...parts];
      // All at once: alone, each takes as long.
      if (isDeepStrictEqual(await outcomeOf('rivulet', { names, value }), clean.rivulet)) return;

      const reaching: string[] = [];
      for (const name of names) {
        const outcome = await outcomeOf('rivulet', { names: [name], value });
        if (!isDeepStrictEqual(outcome, clean.rivulet)) reaching.push(name);
      }
      expect.unreachable(`reached by ${reaching.join(', ') || 'some of them together'}`);
    },
  );

  /** Options that break `fetch` itself with any value; spec/request/options.spec.ts shows they are not passed on. */
  const unseen = ['body', 'mode', 'referrer', 'signal', 'window'];

  it.each(Object.keys(platform))(
    'reaches no request by "%s" unless it affects fetch itself',
    async (name) => {
      let seen = 0;
      for (const value of values) {
        const outcome = await outcomeOf('rivulet', { names: [name], value });
        const isFetchItself = !isDeepStrictEqual(
          await outcomeOf('fetch', { names: [name], value }),
          clean.fetch,
        );
        if (isFetchItself) continue;
        seen += 1;
        expect(outcome, value).toStrictEqual(clean.rivulet);
      }
      expect(seen > 0).toBe(!unseen.includes(name));
    },
  );
});
