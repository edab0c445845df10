import { Observable, of } from 'rxjs';
import type { Subscriber } from 'rxjs';

import type { Exchange, Transport, WireRequest } from 'rivulet';

/**
 * How a request is answered: with new data, the data sent, part of new data, or none; refused; with text that is not
 * JSON; with data that makes `parse` throw; or the network fails.
 */
export type Answer = 'new' | 'echo' | 'part' | 'empty' | 'refused' | 'broken' | 'unparsable' | 'offline';

/** One request that has reached the server. */
export class Sent {
  readonly request: WireRequest;
  /** When it was sent. */
  readonly at: number;
  readonly #subscriber: Subscriber<Exchange>;
  isOpen = true;
  answer: Answer | undefined;
  data: unknown;

  constructor(request: WireRequest, at: number, subscriber: Subscriber<Exchange>) {
    this.request = request;
    this.at = at;
    this.#subscriber = subscriber;
  }

  get method(): string {
    return this.request.method;
  }

  /** Whether it changes what the server has. */
  get isWrite(): boolean {
    return this.method !== 'GET';
  }

  /** The data it carries. */
  get body(): object {
    const { body } = this.request;
    return typeof body === 'string' ? (JSON.parse(body) as object) : {};
  }

  /** Answers it at once; the data counts as decoded. */
  respond(answer: Answer, data: unknown): void {
    this.isOpen = false;
    this.answer = answer;
    this.data = data;
    if (answer === 'offline') {
      this.#subscriber.error(new TypeError('offline'));
      return;
    }
    const body = answer === 'broken' || answer === 'empty' ? undefined : data;
    this.#subscriber.next({ request: this.request, response: responses[answer], body });
    this.#subscriber.complete();
  }
}

const full = new Response();
const refused = new Response(null, { status: 500 });
const empty = new Response(null, { status: 204 });
/** A stand-in, since its text must be available synchronously. */
const broken = {
  ok: true,
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  text: () => of('{"name":'),
} as unknown as Response;

const responses = { new: full, echo: full, part: full, unparsable: full, refused, empty, broken };

/** Callbacks for the events of requests. */
interface Listener {
  /** Returns the time at which a request is sent. */
  readonly tick?: () => number;
  readonly sent?: (sent: Sent) => void;
  /** Called when a request is unsubscribed before it was answered. */
  readonly abandoned?: (sent: Sent) => void;
}

/** A server that holds every request until told to answer, and costs less than real responses. */
export class Wire {
  readonly sent: Sent[] = [];
  /** The transport to pass to a root. */
  readonly transport: Transport;

  constructor({ tick, sent: onSent, abandoned }: Listener = {}) {
    this.transport = (request) =>
      new Observable((subscriber) => {
        const sent = new Sent(request, tick?.() ?? 0, subscriber);
        this.sent.push(sent);
        onSent?.(sent);
        return () => {
          if (!sent.isOpen) return;
          sent.isOpen = false;
          abandoned?.(sent);
        };
      });
  }

  /** The unanswered requests. */
  get open(): Sent[] {
    return this.sent.filter(({ isOpen }) => isOpen);
  }
}
