import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One request as it reached the server. */
export interface Arrival {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether the client went away before the answer was complete. */
  isAborted: boolean;
}

/** A request that waits for its answer. */
export interface Hit {
  readonly arrival: Arrival;
  readonly parameters: URLSearchParams;
  /** What follows the name of the route in the path; undefined for a list or a create. */
  readonly id: string | undefined;
  /** Whether this url has not been asked for before. */
  readonly isFirst: boolean;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

/** Answers a request, or fails to in its own way. */
export type Route = (hit: Hit) => void;

/** Routes by name, which is the first segment of the path. */
export type Routes = Readonly<Record<string, Route>>;
