import type { Observable } from 'rxjs';

import type { RequestOptions, StateStream } from 'rivulet';

import { raise } from '../hostile';

import { Wire } from './wire';
import type { Answer, Sent } from './wire';

/** A step; its text is what a counterexample shows. */
export interface Step<W> {
  run(world: W): void;
  toString(): string;
}

/** One call of a request method. */
export interface Call {
  readonly kind: string;
  readonly options: RequestOptions;
  readonly signal: AbortSignal | undefined;
  isOpen: boolean;
  /** Whether it has delivered a response. */
  isDelivered: boolean;
  sent?: Sent;
  /** Unsubscribes; a promise has none. */
  leave?: () => void;
}

/** What records and collections have in common. */
interface Target {
  readonly error$: StateStream<Error | null>;
  dispose(): void;
}

/** A record or collection, the server that holds it, and what has happened to both. */
export abstract class World {
  abstract readonly target: Target;
  readonly wire = new Wire({
    tick: () => this.tick(),
    sent: (sent) => {
      this.#send(sent);
    },
    abandoned: (sent) => {
      this.abandoned(sent);
    },
  });
  readonly calls: Call[] = [];
  /** The problems found so far. */
  readonly problems: string[] = [];
  /** All so far; the last is the one to abort next. */
  readonly controllers = [new AbortController()];
  /** What `error$` must show: nothing, a failure, or a refusal by the server. */
  error: unknown = null;
  /** When the newest request was sent that has failed since the last success. */
  #newestFailedAt = 0;
  isDisposed = false;
  /** Whether a subscriber did so during a notification. */
  hasDisposedNested = false;
  readonly #usesPromises: boolean;
  readonly #hooks: { readonly stage: string; readonly act: () => void }[] = [];
  #depth = 0;
  #time = 0;
  #next: Answer | undefined;

  constructor(usesPromises = false) {
    this.#usesPromises = usesPromises;
  }

  /** Makes a request. */
  protected abstract stream(kind: string, options: RequestOptions): Observable<Response>;
  protected abstract promise(kind: string, options: RequestOptions): Promise<Response>;
  /** The data with which a request is answered. */
  protected abstract dataFor(sent: Sent, answer: Answer): unknown;
  /** Called when a request is sent, answered or abandoned, or when a call has delivered its response. */
  protected abstract sending(sent: Sent, call: Call): void;
  protected abstract answering(sent: Sent, answer: Answer, data: unknown): void;
  protected abstract abandoned(sent: Sent): void;
  protected abstract delivered(sent: Sent): void;

  /** Whether the request was for another id than the target has now. */
  protected abstract isPast(sent: Sent): boolean;

  /** The current time; each call advances it. */
  tick(): number {
    return (this.#time += 1);
  }

  /** Whether a subscriber is acting on a notification. */
  get isNested(): boolean {
    return this.#depth > 0;
  }

  /** Adds a subscriber that acts as set by `hook`. */
  listen(stage: string, stream: Observable<unknown>): void {
    stream.subscribe(() => {
      const place = this.#hooks.findIndex((hook) => hook.stage === stage);
      if (place < 0 || this.#depth > 2) return;
      this.#depth += 1;
      // RxJS would report an error thrown here later, outside the law.
      try {
        for (const { act } of this.#hooks.splice(place, 1)) act();
      } catch (error) {
        this.problems.push(String(error));
      } finally {
        this.#depth -= 1;
      }
    });
  }

  /** Makes a subscriber act at its next notification. */
  hook(stage: string, step: Step<this>): void {
    const act = () => {
      step.run(this);
    };
    this.#hooks.push({ stage, act });
  }

  /** From now on nothing is hooked or answered by itself. */
  calm(): void {
    this.#hooks.length = 0;
    this.#next = undefined;
  }

  /** Makes a request; one with a signal ends at the next abort. */
  request(kind: string, options: RequestOptions, hasSignal: boolean): void {
    const headers = { 'x-call': String(this.calls.length) };
    const signal = hasSignal ? this.controllers.at(-1)?.signal : undefined;
    const call: Call = { kind, options, signal, isOpen: true, isDelivered: false };
    this.calls.push(call);
    const given = { ...options, headers, signal };
    if (this.#usesPromises) void settle(call, this.promise(kind, given));
    else this.#subscribe(call, this.stream(kind, given));
  }

  abort(): void {
    const controller = this.controllers.at(-1);
    this.controllers.push(new AbortController());
    controller?.abort();
  }

  dispose(): void {
    this.isDisposed = true;
    this.hasDisposedNested ||= this.isNested;
    this.target.dispose();
  }

  /** Answers an open request. */
  respond(sent: Sent, answer: Answer): void {
    const data = this.dataFor(sent, answer);
    this.answering(sent, answer, data);
    sent.respond(answer, data);
  }

  /** Makes the next request be answered as soon as it is sent. */
  respondNext(answer: Answer): void {
    this.#next = answer;
  }

  callOf({ request }: Sent): Call {
    const call = this.calls[Number(request.headers.get('x-call'))];
    return call ?? raise(new Error('nobody asked for this'));
  }

  #send(sent: Sent): void {
    const call = this.callOf(sent);
    call.sent = sent;
    this.sending(sent, call);
    const answer = this.#next;
    this.#next = undefined;
    if (answer) this.respond(sent, answer);
  }

  /** A success does not clear the failure of a newer request. */
  #end({ sent }: Call, error: unknown): void {
    // What could not be sent was the newest.
    const at = sent?.at ?? this.tick();
    if (error) this.#newestFailedAt = this.error ? Math.max(at, this.#newestFailedAt) : at;
    if (error || at > this.#newestFailedAt) this.error = error;
  }

  #subscribe(call: Call, stream: Observable<Response>): void {
    const end = () => {
      if (!call.isOpen) this.problems.push(`${call.kind} went on after its end`);
      call.isOpen = false;
    };
    const subscription = stream.subscribe({
      next: ({ ok }) => {
        if (call.isDelivered) this.problems.push(`${call.kind} emitted twice`);
        call.isDelivered = true;
        if (call.sent) this.delivered(call.sent);
        if (!call.sent || !this.isPast(call.sent)) this.#end(call, ok ? null : 'HTTP');
      },
      error: (error: unknown) => {
        end();
        if (isGivenUp(call, error as Error) || (call.sent && this.isPast(call.sent))) return;
        this.#end(call, error);
      },
      complete: () => {
        end();
        if (!call.isDelivered) this.problems.push(`${call.kind} emitted nothing`);
      },
    });
    call.leave = () => {
      call.isOpen = false;
      subscription.unsubscribe();
    };
  }
}

async function settle(call: Call, promise: Promise<Response>): Promise<void> {
  await promise.catch(() => undefined);
  call.isOpen = false;
}

/** An abort by the caller, a disposal, and a destroy whose record is no longer shown do not count as failures of the target. */
const isGivenUp = ({ kind }: Call, error: Error): boolean =>
  error.name === 'AbortError' ||
  ('code' in error && (error.code === 'DISPOSED' || (error.code === 'BAD_ID' && kind === 'destroy')));

/** The data that makes `parse` throw. */
export const unparsable = 'unparsable';

/** A `parse` for the configuration. */
export function parse(data: unknown): unknown {
  if (data === unparsable) throw new Error(unparsable);
  return data;
}
