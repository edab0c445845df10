import type { DatabaseSync } from 'node:sqlite';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { readBody } from './body.ts';
import { DroppedError } from './dropped.ts';
import type { App, Environment } from './environment.ts';
import { faults } from './faults.ts';
import { ProblemError } from './problem.ts';
import { record } from './record.ts';
import { RequestJournal } from './request-log.ts';
import { groceries, people } from './resources.ts';
import { resourceRouter } from './router.ts';

/** Options of the application, all optional. */
export interface AppOptions {
  /** Milliseconds before each answer under `/api`, 0 by default. A request's own `?_delay=` overrides it. */
  readonly delay?: number | undefined;
  /** Where to log requests under `/api`, other than CORS preflights. */
  readonly journal?: RequestJournal | undefined;
}

/**
 * The web application: `/api/people` and `/api/groceries` on a database from `openDatabase`.
 */
export function createApp(database: DatabaseSync, options: AppOptions = {}): App {
  const { delay = 0, journal = new RequestJournal() } = options;
  const app: App = new Hono<Environment>();

  app.onError(answerError);
  app.notFound((c) => new ProblemError(404, `There is nothing at ${c.req.path}.`).toResponse());

  const exposeHeaders = ['Allow', 'ETag', 'Link', 'Location', 'Retry-After', 'X-Total-Count'];
  app.use('/api/*', cors({ exposeHeaders }), record(journal), readBody, faults(delay));
  for (const resource of [people, groceries]) {
    app.route(`/api/${resource.name}`, resourceRouter(database, resource));
  }
  return app;
}

function answerError(error: Error): Response {
  if (error instanceof ProblemError) return error.toResponse();
  if (error instanceof DroppedError) return RESPONSE_ALREADY_SENT;
  console.error(error);
  return new ProblemError(500, 'The server ran into an error of its own.').toResponse();
}
