import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import memory from 'pouchdb-adapter-memory';
import PouchDB from 'pouchdb-core';
import { onTestFinished } from 'vitest';

import { listen } from './listen';

const Database = PouchDB.plugin(memory);

/**
 * The url of an empty CouchDB database for the running test.
 *
 * Revisions, conflicts and answers are PouchDB's; only the paths are defined here, as in
 * https://docs.couchdb.org/en/stable/api. A whole server, express-pouchdb, would add 257 packages: to use one, or a
 * CouchDB open to everyone, set `COUCHDB` to its url.
 */
export async function startCouchDb(): Promise<string> {
  const origin = process.env.COUCHDB ?? (await serve());
  const url = `${origin}/people-${crypto.randomUUID()}`;
  await fetch(url, { method: 'PUT' });
  onTestFinished(async () => {
    await fetch(url, { method: 'DELETE' });
  });
  return url;
}

async function serve(): Promise<string> {
  // Otherwise it would replace the global Request and Response of the specs in this process.
  const listener = getRequestListener(couchDb().fetch, { overrideGlobalObjects: false });
  const { url } = await listen((request, response) => void listener(request, response));
  return url;
}

function couchDb(): Hono {
  const databases = new Map<string, PouchDB>();
  const at = (context: Context): PouchDB => {
    const name = context.req.param('database') ?? '';
    const database = databases.get(name) ?? new Database(name, { adapter: 'memory' });
    databases.set(name, database);
    return database;
  };
  /** The next revision overwrites a document; a deletion is a revision too. */
  const put = async (context: Context, document: object) => {
    const written = await at(context).put({ ...document, _id: context.req.param('id') });
    return tagged(context, written.rev).json(written);
  };
  const app = new Hono();
  app.put('/:database', (context) => {
    at(context);
    return context.json({ ok: true }, 201);
  });
  app.delete('/:database', async (context) => context.json(await at(context).destroy()));
  app.post('/:database', async (context) =>
    context.json(await at(context).post(await context.req.json<object>()), 201),
  );
  app.get('/:database/_all_docs', async (context) =>
    context.json(await at(context).allDocs({ include_docs: context.req.query('include_docs') === 'true' })),
  );
  app.get('/:database/:id', async (context) => {
    const document = await at(context).get(context.req.param('id'));
    const { 'if-none-match': tag, 'cache-control': cache } = context.req.header();
    // With `no-cache` the document is sent regardless, as by any server built on Express.
    return tag === `"${document._rev}"` && cache !== 'no-cache'
      ? context.body(null, 304)
      : tagged(context, document._rev).json(document);
  });
  app.put('/:database/:id', async (context) => {
    context.status(201);
    return put(context, await context.req.json<object>());
  });
  app.delete('/:database/:id', (context) => put(context, { _rev: context.req.query('rev'), _deleted: true }));
  app.onError((error, context) => {
    const { status, name, message } = error as Error & { readonly status?: 404 | 409 };
    return context.json({ error: name, reason: message }, status ?? 500);
  });
  return app;
}

/** The revision serves as the ETag. */
function tagged(context: Context, revision: string): Context {
  context.header('etag', `"${revision}"`);
  return context;
}
