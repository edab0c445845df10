import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Recording } from './request-log.ts';

/** What each request carries along: the sockets from Node, and its body once that is read. */
export interface Environment {
  Bindings: HttpBindings;
  Variables: {
    /** The body as text, `''` when there is none. */
    body: string;
    /** Where the log of the request is completed. */
    recording: Recording;
  };
}

/** The web application, for those who add routes of their own to it. */
export type App = Hono<Environment>;

/** One request on its way through the application. */
export type Exchange = Context<Environment>;
