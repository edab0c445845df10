import { Observable, firstValueFrom } from 'rxjs';
import type { Subscriber } from 'rxjs';

import type { Exchange, Interceptor } from 'rivulet';

/** Which of the messages under way: the last one overtakes the others. */
export type Which = 'first' | 'last';

/** A request on its way to the server; or, once the server has answered, the answer on its way back. */
interface Message {
  readonly sender: Subscriber<Exchange>;
  readonly exchange$: Observable<Exchange>;
}
interface Reply {
  readonly sender: Subscriber<Exchange>;
  readonly exchange: Exchange;
}

/**
 * The connection between a client and the server, both real: each request and each answer is held until it is released,
 * in any order, or lost.
 *
 * The server handles a request in one go, so only the order of arrival can vary there: one arrives at a time.
 */
export class Network {
  readonly #messages: Message[] = [];
  readonly #replies: Reply[] = [];

  /** Holds what passes. To be the innermost interceptor. */
  readonly hold: Interceptor = (request, next) =>
    new Observable<Exchange>((sender) => {
      // An abandoned request may arrive nevertheless.
      const { signal } = new AbortController();
      this.#messages.push({ sender, exchange$: next({ ...request, signal }) });
    });

  /** Delivers a request to the server, and waits for the answer; false if there is no request. */
  async arrive(which: Which): Promise<boolean> {
    const message = take(this.#messages, which);
    if (!message) return false;
    const { sender, exchange$ } = message;
    this.#replies.push({ sender, exchange: await firstValueFrom(exchange$) });
    return true;
  }

  /** Delivers an answer to its client; false if there is none. */
  deliver(which: Which): boolean {
    const reply = take(this.#replies, which);
    reply?.sender.next(reply.exchange);
    reply?.sender.complete();
    return reply !== undefined;
  }

  /** Loses a request before it reaches the server. */
  loseRequest(): void {
    take(this.#messages, 'last')?.sender.error(new LostError());
  }

  /** Loses an answer: the request has been carried out, but its client does not know. */
  loseReply(): void {
    take(this.#replies, 'last')?.sender.error(new LostError());
  }

  /** Delivers everything, and what follows from it, until nothing is under way. */
  async calm(): Promise<void> {
    let isMoving = true;
    while (isMoving) isMoving = (await this.arrive('first')) || this.deliver('first');
  }
}

/** The failure that a client sees when a message is lost. */
export class LostError extends Error {
  override readonly name = 'LostError';
}

function take<T>(messages: T[], which: Which): T | undefined {
  return which === 'first' ? messages.shift() : messages.pop();
}
