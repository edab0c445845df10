import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Recording } from './request-log.ts';

/** What each request carries: Node's own request and response, and the variables below. */
export interface Environment {
  Bindings: HttpBindings;
  Variables: {
    /** The body as text, `''` if there is none; set once it has been read. */
    body: string;
    /** Completes the log of the request. */
    recording: Recording;
  };
}

/** The web application, to which more routes can be added. */
export type App = Hono<Environment>;

/** One request on its way through the application. */
export type Exchange = Context<Environment>;
