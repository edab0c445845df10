import type { MiddlewareHandler } from 'hono';
import { DroppedError } from './dropped.ts';
import type { Environment, Exchange } from './environment.ts';
import type { RequestJournal } from './request-log.ts';

const recordedHeaders = ['accept', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'];

/** Logs each request in a journal, from its arrival to its end. */
export function record(journal: RequestJournal): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const recording = journal.start({ method: c.req.method, path: pathname + search, headers: headersOf(c) });
    c.set('recording', recording);
    await next();
    if (c.error instanceof DroppedError) recording.end(null, c.error.by === 'client');
    else recording.end(c.res.status, false);
  };
}

function headersOf(c: Exchange): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of recordedHeaders) {
    const value = c.req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
