import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request as it reached the server. */
export interface Arrival {
  readonly method: string;
  readonly url: string;
  /** Names and values alternately, as received. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether the client went away before the answer was complete. */
  isAborted: boolean;
}

/** A request awaiting its answer. */
export interface Hit {
  readonly arrival: Arrival;
  readonly parameters: URLSearchParams;
  /** The segment after the name of the route; undefined for a list or a create. */
  readonly id: string | undefined;
  /** Whether this is the first request to this url. */
  readonly isFirst: boolean;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

/** Answers a request, or fails to in its own way. */
export type Route = (hit: Hit) => void;

/** Routes by name, which is the first segment of the path. */
export type Routes = Readonly<Record<string, Route>>;
