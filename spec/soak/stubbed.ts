import { getEventListeners } from 'node:events';

import { createLib } from 'rivulet';
import type { Lib, Transport } from 'rivulet';
import { defer, filter, firstValueFrom } from 'rxjs';

import type { Figure } from './figures.ts';
import { alive, heap, observed, timers } from './left.ts';
import { Person } from './person.ts';
import { progressOf } from './progress.ts';

/** The outcome of the next request, which comes on a microtask. */
type Fate = 'ok' | 'refused' | 'lost';

/** What is replaced to answer requests without a network: the transport, or `fetch` itself. */
export type Stub = 'transport' | 'fetch';

const body = { id: 7, name: 'Ann' };
/** Responses whose bodies nobody reads can be reused. */
const accepted = new Response();
const refused = new Response(null, { status: 500 });

/** A root whose requests are all answered here, and share a signal and a time limit. */
class Stage {
  readonly #signal = new AbortController().signal;
  readonly root: Lib;
  fate: Fate = 'ok';

  constructor(stub: Stub) {
    const options = { fetchOptions: { signal: this.#signal }, timeout: 60_000 };
    this.root = createLib(stub === 'fetch' ? options : { ...options, transport: this.#transport });
    globalThis.fetch = () => this.#answer(() => Response.json(body));
  }

  get listeners(): number {
    return getEventListeners(this.#signal, 'abort').length;
  }

  async #answer(ok: () => Response): Promise<Response> {
    await Promise.resolve();
    if (this.fate === 'lost') throw new TypeError('fetch failed');
    return this.fate === 'ok' ? ok() : refused;
  }

  readonly #transport: Transport = (request) =>
    defer(async () => {
      const response = await this.#answer(() => accepted);
      return { request, response, body: response.ok ? body : undefined };
    });
}

/** One request of the record: one in ten is a save, one a failure, one cancelled, the others reads. */
async function send(stage: Stage, person: Person, count: number): Promise<void> {
  const kind = count % 10;
  stage.fate = kind !== 1 ? 'ok' : count % 20 === 1 ? 'refused' : 'lost';
  if (kind === 0) {
    person.name.next(`Eve ${count}`);
    await person.save();
  } else if (kind === 2) {
    person.fetch$().subscribe().unsubscribe();
  } else {
    await person.fetch().catch((error: unknown) => {
      if (stage.fate !== 'lost') throw error;
    });
  }
}

/** Makes and reads two records; the first is disposed of, the second dropped and only weakly referenced. */
async function churn({ root }: Stage): Promise<WeakRef<Person>> {
  const [disposed, dropped] = [new Person(root, '/people'), new Person(root, '/people')];
  await disposed.fetch();
  disposed.dispose();
  await dropped.fetch();
  return new WeakRef(dropped);
}

/** Sends requests of one record, and after every ten makes two more records. */
export async function stubbed(stub: Stub, requests: number): Promise<Figure[]> {
  const { fetch } = globalThis;
  const stage = new Stage(stub);
  const person = new Person(stage.root, '/people');
  const progress = progressOf(`stub ${stub}`, requests);
  const dropped: WeakRef<Person>[] = [];
  let early = 0;
  const start = performance.now();
  for (let count = 1; count <= requests; count += 1) {
    await send(stage, person, count);
    if (count % 10 === 0) dropped.push(await churn(stage));
    if (dropped.length > 100) dropped.shift();
    if (count === Math.ceil(requests / 10)) early = await heap();
    progress(count);
  }
  const spent = performance.now() - start;
  // Waits for the last lulls and their timers to end.
  await firstValueFrom(person.requestInProgress$.pipe(filter((isBusy) => !isBusy)));
  const held = await alive(dropped);
  const growth = (await heap()) - early;
  globalThis.fetch = fetch;
  return [
    { name: `stub ${stub}: requests`, value: requests * 1.2 },
    { name: `stub ${stub}: microseconds per request`, value: (1000 * spent) / (requests * 1.2) },
    { name: `stub ${stub}: heap growth since the first tenth, MB`, value: growth, limit: 1 },
    { name: `stub ${stub}: listeners left on the shared signal`, value: stage.listeners, limit: 0 },
    { name: `stub ${stub}: timers left`, value: timers(), limit: 0 },
    {
      name: `stub ${stub}: streams still observed`,
      value: observed([person.id, person.name, person.isSaving$]),
      limit: 0,
    },
    { name: `stub ${stub}: records dropped last, of 100, still held`, value: held, limit: 0 },
  ];
}
