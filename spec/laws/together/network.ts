import { Observable } from 'rxjs';
import type { Subscriber, VirtualTimeScheduler } from 'rxjs';

import type { Exchange, Transport, WireRequest } from 'rivulet';

import { refused } from './server';
import type { Reply, Server } from './server';

/** The fate of one request, and its milliseconds of travel in each direction. */
export interface Fate {
  readonly there: number;
  readonly back: number;
  readonly how: 'arrives' | 'busy' | 'too many' | 'request lost' | 'answer lost' | 'hangs';
  /** Whether it arrives even if its sender has given it up. */
  readonly persists: boolean;
}

/** A request on the wire. */
interface Sent {
  readonly fail: () => void;
}

/** The connection between one client and the server, in virtual time. */
export class Network {
  readonly open = new Set<Sent>();
  readonly #scheduler: VirtualTimeScheduler;
  readonly #server: Server;
  readonly #fate: () => Fate;
  /** The largest number of open requests, counted whenever one arrived. */
  peak = 0;
  /** How many were sent. */
  count = 0;

  constructor(scheduler: VirtualTimeScheduler, server: Server, fate: () => Fate) {
    this.#scheduler = scheduler;
    this.#server = server;
    this.#fate = fate;
  }

  readonly transport: Transport = (request) =>
    new Observable((subscriber) => {
      this.count += 1;
      const fail = () => {
        this.open.delete(sent);
        subscriber.error(new TypeError('network'));
      };
      const sent: Sent = { fail };
      this.open.add(sent);
      const fate = this.#fate();
      const arrival = this.#scheduler.schedule(() => {
        this.#arrive(request, fate, fail, (reply) => {
          this.open.delete(sent);
          deliver(request, reply, subscriber);
        });
      }, fate.there);
      return () => {
        this.open.delete(sent);
        if (!fate.persists) arrival.unsubscribe();
      };
    });

  /** The network fails, and all requests on the wire with it. */
  cut(): void {
    for (const { fail } of [...this.open]) fail();
  }

  #arrive(request: WireRequest, { how, back }: Fate, fail: () => void, answer: (reply: Reply) => void): void {
    this.peak = Math.max(this.peak, this.open.size);
    if (how === 'hangs') {
      this.#scheduler.schedule(fail, 100_000);
      return;
    }
    if (how === 'request lost') {
      fail();
      return;
    }
    const reply = busy[how]?.() ?? this.#server.handle(request);
    this.#scheduler.schedule(() => {
      if (how === 'answer lost') fail();
      else answer(reply);
    }, back);
  }
}

const busy: Partial<Record<Fate['how'], () => Reply>> = {
  busy: () => refused(503),
  'too many': () => refused(429, { 'retry-after': '2' }),
};

/** The data is delivered decoded, so that nothing has to be read. */
function deliver(
  request: WireRequest,
  { status, headers, body }: Reply,
  subscriber: Subscriber<Exchange>,
): void {
  const response = new Response(null, { status, headers: { ...headers } });
  subscriber.next({ request, response, body: structuredClone(body) });
  subscriber.complete();
}
