import type { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';
import { sendList, sendRow, tagOf } from './answer.ts';
import { parseJson } from './body.ts';
import { requireCurrent } from './conditional.ts';
import type { App, Environment, Exchange } from './environment.ts';
import { mergePatch } from './json.ts';
import { ProblemError } from './problem.ts';
import type { Resource, Row } from './resources.ts';
import { selectionOf } from './selection.ts';
import { Table } from './table.ts';
import { orConflict, validate } from './validate.ts';

/** The routes of one resource: its list at `/`, its rows at `/:id`. */
export function resourceRouter(database: DatabaseSync, resource: Resource): App {
  const router: App = new Hono<Environment>();
  const table = new Table(database, resource);
  addListRoutes(router, table, resource);
  addRowRoutes(router, table, resource);
  return router;
}

function addListRoutes(router: App, table: Table, resource: Resource): void {
  router.get('/', (c) => {
    const selection = selectionOf(c, resource);
    return sendList(c, table.list(selection), table.count(selection.search), selection.page);
  });

  router.post('/', (c) => {
    const fields = validate(resource.schema, parseJson(c.var.body));
    const row = orConflict(() => table.insert(fields));
    c.header('Location', `/api/${resource.name}/${String(row.id)}`);
    return sendRow(c, row, 201);
  });

  router.all('/', (c) => refuseMethod(c, 'GET, HEAD, POST, OPTIONS'));
}

function addRowRoutes(router: App, table: Table, { singular, schema }: Resource): void {
  router.get('/:id', (c) => sendRow(c, find(c.req.param('id'))));

  router.on(['PUT', 'PATCH'], '/:id', (c) => {
    const row = find(c.req.param('id'));
    const sent = parseJson(c.var.body);
    requireCurrent(c.req.header('If-Match'), tagOf(row));
    const fields = validate(schema, c.req.method === 'PATCH' ? mergePatch(row, sent) : sent);
    return sendRow(
      c,
      orConflict(() => table.replace(row.id, fields)),
    );
  });

  router.delete('/:id', (c) => {
    const row = find(c.req.param('id'));
    requireCurrent(c.req.header('If-Match'), tagOf(row));
    table.delete(row.id);
    return c.body(null, 204);
  });

  router.all('/:id', (c) => refuseMethod(c, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'));

  function find(text: string): Row {
    // A JavaScript number can hold any fifteen digits exactly, but not any sixteen.
    const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
    const row = table.find(id);
    if (row === undefined) throw new ProblemError(404, `There is no ${singular} with the id ${text}.`);
    return row;
  }
}

function refuseMethod(c: Exchange, allowed: string): never {
  throw new ProblemError(405, `${c.req.method} does not apply to ${c.req.path}.`, {
    headers: { Allow: allowed },
  });
}
