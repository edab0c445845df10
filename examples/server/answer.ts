import { entityTag, isHeld } from './conditional.ts';
import type { Exchange } from './environment.ts';
import type { Row } from './resources.ts';

/** The entity tag sent with a row. */
export function tagOf(row: Row): string {
  return entityTag(JSON.stringify(row));
}

/** Answers with a row and its ETag, or 304 to a read whose client already has this version. */
export function sendRow(c: Exchange, row: Row, status: 200 | 201 = 200): Response {
  return send(c, JSON.stringify(row), tagOf(row), status);
}

/** Answers with rows, their ETag and the total on all pages, or 304 if the client already has them. */
export function sendList(c: Exchange, rows: readonly Row[], total: number): Response {
  const body = JSON.stringify(rows);
  c.header('X-Total-Count', String(total));
  // The tag includes the count, because a row added to another page leaves this body unchanged.
  return send(c, body, entityTag(`${String(total)} ${body}`), 200);
}

function send(c: Exchange, body: string, tag: string, status: 200 | 201): Response {
  c.header('ETag', tag);
  c.header('Cache-Control', 'no-cache');
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (reads && isHeld(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  return c.body(body, status, { 'Content-Type': 'application/json' });
}
