import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** What the server stores. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

/** A request that waits: this carries it out and answers it or, with a status, refuses it. */
export type Answer = (status?: number) => void;

/** A REST server of people that answers when and in which order a race says, as requests on several connections may be. */
export class Server {
  readonly people = new Map<number, Person>();
  /** All requests, such as `PUT /people/7`, in the order of their arrival. */
  readonly lines: string[] = [];
  readonly #waiting: Answer[] = [];
  readonly #http = createServer((request, response) => {
    void this.#receive(request).then((carryOut) => {
      this.#waiting.push((status) => {
        const [code, body] = status ? [status, { title: 'refused' }] : carryOut();
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  });

  /** Starts it; returns its url. */
  async start(): Promise<string> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/people`;
  }

  stop(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  /** Takes the requests that wait, once no further one has come for a while. */
  async waiting(): Promise<readonly Answer[]> {
    let known: number;
    do {
      known = this.lines.length;
      await setTimeout(50);
    } while (known < this.lines.length);
    return this.#waiting.splice(0);
  }

  /** Notes a request, and returns what carries it out. */
  async #receive(request: IncomingMessage): Promise<() => readonly [status: number, body: object]> {
    const { method = '', url = '' } = request;
    const sent = (await json(request)) as Partial<Person>;
    this.lines.push(`${method} ${url}`);
    return () => {
      const isNew = method === 'POST';
      const id = isNew ? this.people.size + 1 : Number(url.split('/')[2]);
      if (!isNew && !this.people.has(id)) return [404, { title: `nobody has the id ${id}` }];
      const person = { ...this.people.get(id), ...sent, id } as Person;
      this.people.set(id, person);
      return [isNew ? 201 : 200, person];
    };
  }
}
