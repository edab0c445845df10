import { parentPort, workerData } from 'node:worker_threads';

import { DataModel, createLib } from 'rivulet';
import type { Lib } from 'rivulet';

/** Properties that every object of the worker inherits during some requests. */
export interface Pollution {
  readonly names: readonly string[];
  readonly value: keyof typeof values;
}

/** Requests to send: by the library, or by the platform's `fetch` alone; without a pollution in a clean realm. */
export interface Order {
  readonly sender: keyof typeof senders;
  readonly pollution?: Pollution | undefined;
}

/** The possible values of the properties. */
const values = { text: 'foreign', object: { a: 1 }, function: () => ({ a: 1 }), number: 7 };
const { origin } = workerData as { readonly origin: string };

class Person extends DataModel {
  readonly id;
  readonly name;

  constructor(root: Lib, id?: number) {
    super({ url: `${origin}/ok` }, root);
    this.id = root.observable(id).map('id', this);
    this.name = root.observable('Ann').map('name', this);
  }
}

/** The outcome of a request, as text. */
const endOf = (request: Promise<Response>): Promise<string> =>
  request.then(
    ({ status }) => `${status}`,
    (error: unknown) => `${error as Error}`,
  );

/** The four requests of a record, a patch, and the two of a collection; the last text is what they have written. */
async function rivulet(): Promise<string[]> {
  const root = createLib();
  const fresh = new Person(root);
  const person = new Person(root, 1);
  const list = root.collection<{ id?: number; name: string }>({ url: `${origin}/ok` });
  person.name.next('an edit that a read takes back');
  const ends = [await endOf(fresh.save()), await endOf(person.fetch()), person.name.value];
  person.name.next('Eve');
  ends.push(await endOf(person.save({ patch: true, rollback: 'both', headers: { 'x-a': '1' } })));
  ends.push(await endOf(person.save()), await endOf(list.fetch()), await endOf(list.create({ name: 'Eve' })));
  ends.push(await endOf(person.destroy()));
  return [
    ...ends,
    `${fresh.id.value} ${fresh.name.value} ${person.id.value} ${person.name.value} ${list.length}`,
  ];
}

/** Requests with and without a body, passed to the platform as the library does: with options that inherit nothing. */
async function bare(): Promise<string[]> {
  const ends: string[] = [];
  for (const [method, data] of [['GET'], ['PUT', { name: 'Eve' }]] as const) {
    const init = Object.create(null) as RequestInit;
    init.method = method;
    init.headers = new Headers();
    init.headers.set('content-type', 'application/json');
    init.signal = new AbortController().signal;
    if (data) init.body = JSON.stringify(data);
    const answer = async () => {
      const response = await fetch(`${origin}/ok/1`, init);
      JSON.parse(await response.clone().text());
      return response;
    };
    ends.push(await endOf(answer()));
  }
  return ends;
}

const senders = { rivulet, fetch: bare };

async function carryOut({ sender, pollution }: Order): Promise<string[]> {
  if (!pollution) return senders[sender]();
  const value = values[pollution.value];
  const inherited = { value, configurable: true, enumerable: true, writable: true };
  try {
    for (const name of pollution.names) Object.defineProperty(Object.prototype, name, inherited);
    return await senders[sender]();
  } finally {
    for (const name of pollution.names) Reflect.deleteProperty(Object.prototype, name);
  }
}

parentPort?.on('message', (order: Order) => {
  void carryOut(order).then((ends) => parentPort?.postMessage(ends));
});
