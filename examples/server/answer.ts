import { entityTag, isHeld } from './conditional.ts';
import type { Exchange } from './environment.ts';
import type { Row } from './resources.ts';
import type { Selection } from './table.ts';

/** The entity tag sent with a row. */
export function tagOf(row: Row): string {
  return entityTag(JSON.stringify(row));
}

/** Answers with a row and its ETag, or 304 to a read whose client already has this version. */
export function sendRow(c: Exchange, row: Row, status: 200 | 201 = 200): Response {
  return send(c, JSON.stringify(row), tagOf(row), status);
}

/**
 * Answers with rows, their ETag, the total on all pages and links to the pages beside this one (RFC 8288), or 304 if the
 * client already has them.
 */
export function sendList(
  c: Exchange,
  rows: readonly Row[],
  total: number,
  page: Selection['page'],
): Response {
  const body = JSON.stringify(rows);
  c.header('X-Total-Count', String(total));
  const links = page ? linksBeside(c, page, total) : '';
  if (links) c.header('Link', links);
  // The tag includes the count, because a row added to another page leaves this body unchanged.
  return send(c, body, entityTag(`${String(total)} ${body}`), 200);
}

function linksBeside(c: Exchange, { number, size }: NonNullable<Selection['page']>, total: number): string {
  const beside = [
    { relation: 'prev', place: number - 1, isThere: number > 1 },
    { relation: 'next', place: number + 1, isThere: number * size < total },
  ];
  return beside
    .filter(({ isThere }) => isThere)
    .map(({ relation, place }) => {
      const { searchParams } = new URL(c.req.url);
      searchParams.set('_page', String(place));
      return `<?${searchParams.toString()}>; rel="${relation}"`;
    })
    .join(', ');
}

function send(c: Exchange, body: string, tag: string, status: 200 | 201): Response {
  c.header('ETag', tag);
  c.header('Cache-Control', 'no-cache');
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (reads && isHeld(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  return c.body(body, status, { 'Content-Type': 'application/json' });
}
