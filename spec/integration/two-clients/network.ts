import { Observable, firstValueFrom } from 'rxjs';
import type { Subscriber } from 'rxjs';

import type { Exchange, Interceptor } from 'rivulet';

/** Which of the messages under way: the last overtakes the others. */
export type Which = 'first' | 'last';

/** A request on its way to the server; once that has answered, the answer on its way back. */
interface Message {
  readonly sender: Subscriber<Exchange>;
  readonly exchange$: Observable<Exchange>;
}
interface Reply {
  readonly sender: Subscriber<Exchange>;
  readonly exchange: Exchange;
}

/**
 * The way between a client and the server, both ends real: each request and each answer is held until it is let go, in any
 * order, or lost.
 *
 * The server handles a request in one go, so which arrives first is all that can differ there: one arrives at a time.
 */
export class Network {
  readonly #messages: Message[] = [];
  readonly #replies: Reply[] = [];

  /** Holds what passes. Goes innermost. */
  readonly hold: Interceptor = (request, next) =>
    new Observable<Exchange>((sender) => {
      // What its sender has given up may arrive all the same.
      const { signal } = new AbortController();
      this.#messages.push({ sender, exchange$: next({ ...request, signal }) });
    });

  /** Lets a request through to the server, and waits for the answer to be there; false if there is none. */
  async arrive(which: Which): Promise<boolean> {
    const message = take(this.#messages, which);
    if (!message) return false;
    const { sender, exchange$ } = message;
    this.#replies.push({ sender, exchange: await firstValueFrom(exchange$) });
    return true;
  }

  /** Lets an answer through to its client; false if there is none. */
  deliver(which: Which): boolean {
    const reply = take(this.#replies, which);
    reply?.sender.next(reply.exchange);
    reply?.sender.complete();
    return reply !== undefined;
  }

  /** Loses a request that the server has not seen. */
  loseRequest(): void {
    take(this.#messages, 'last')?.sender.error(new LostError());
  }

  /** Loses an answer: what its client asked for is done, and the client does not know. */
  loseReply(): void {
    take(this.#replies, 'last')?.sender.error(new LostError());
  }

  /** Lets everything through, and what follows from it, until nothing is under way. */
  async calm(): Promise<void> {
    let isMoving = true;
    while (isMoving) isMoving = (await this.arrive('first')) || this.deliver('first');
  }
}

/** What a client is told of a lost message. */
export class LostError extends Error {
  override readonly name = 'LostError';
}

function take<T>(messages: T[], which: Which): T | undefined {
  return which === 'first' ? messages.shift() : messages.pop();
}
