import { readFileSync } from 'node:fs';

import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { DataModel, DataModelConfig, Transport } from 'rivulet';

import { watch } from '../watch';

/**
 * The length of a hostile text, and its limit in milliseconds of processor time: 50 are promised, four times that is
 * tolerated, since other programs may slow the processor down. Quadratic time would be seconds.
 */
const size = 100_000;
const limit = 200;

/** Repeated, each makes some careless regular expression backtrack over the text again and again. */
const patterns = [
  ...['/', '//', 'a/', '../', '\\'],
  ...[':', 'a:', ':a', '/:a', ':a.', '/:id', '=:a', '://', 'a://'],
  ...['a', '9', '_', '+.-', '.', 'a.', '%2e'],
  ...['?', '#', '=', '?#', '?=', 'a=&'],
  ...[' ', 'a ', '\t', '\n', '\r\n', '\ufeff', '\0'],
  ...[")]}'", ")]}',", '"', '\\"', '[', '{"a":', '1'],
  ...['é', '\u{1f600}', '\ud800'],
];

const textOf = (pattern: string) => pattern.repeat(Math.ceil(size / pattern.length)).slice(0, size);
/** Each pattern alone, and so enclosed that it can be neither trimmed nor matched as a whole. */
const texts = patterns.flatMap((pattern) => [textOf(pattern), `x${textOf(pattern)}!`]);

/** Handles a text once; a truthy result shows that it was processed. */
type Handle = (text: string) => unknown;

/** The processor time used so far in milliseconds, which other programs do not prolong. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The first text that is slow in every run of one second: a single run may include a garbage collection. */
async function firstSlow(handle: Handle): Promise<string | undefined> {
  for (const text of texts) {
    const begin = spent();
    let best = Infinity;
    while (best >= limit && spent() - begin < 1000) {
      const start = spent();
      expect(await handle(text)).toBeTruthy();
      best = Math.min(best, spent() - start);
    }
    if (best >= limit) return `${JSON.stringify(text.slice(0, 12))}… takes ${best.toFixed(0)} ms`;
  }
  return undefined;
}

/** Reads a record with this url, id, name and options; returns the url requested, or the failure. */
function read(config: DataModelConfig, { id = '7', name = 'Ann', options = {} } = {}): unknown {
  let asked: string | undefined;
  const transport: Transport = (request) => {
    asked = request.url;
    return of({ request, response: new Response(), body: {} });
  };
  const root = createLib({ transport });
  const record = root.dataModel.boot({}, config);
  root.observable(id).map('id', record);
  root.observable(name).map('name', record);
  return watch(record.fetch$(options)).error ?? asked;
}

/** Reads a record that is answered with this text; returns the response or the failure. */
async function receive(text: string, headers: Record<string, string>, url = '/people'): Promise<unknown> {
  const response = new Response(text, { headers });
  const root = createLib({ transport: (request) => of({ request, response, body: undefined }) });
  const record = root.dataModel.boot({}, { url });
  root.observable(7).map('id', record);
  return record.fetch().catch((error: unknown) => error);
}

/** A refusal counts as handled. */
const attempt = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

/** Headers are checked by the platform, which accepts only Latin-1. */
const asByte = (text: string): string => text.replace(/[^\x20-\x7e]/g, 'x');

const asked: Record<string, Handle> = {
  'a url': (url) => read({ url }),
  'a url that is given by a callback': (url) => read({ url: () => url }),
  'a url for one action': (url) => read({ url: { read: url } }),
  'the scheme of a url': (text) => read({ url: `${text}://host/people` }),
  'the authority of a url': (text) => read({ url: `http://${text}/people` }),
  'the port of a url': (text) => read({ url: `http://host:${text}/people` }),
  'the path of a url': (text) => read({ url: `/${text}` }),
  'the end of a url': (text) => read({ url: `/people/${text}?a=:name` }),
  'the name of a parameter': (text) => read({ url: `/people/:${text}/x` }),
  'what follows a mapped parameter': (text) => read({ url: `/people/:name.${text}` }),
  'the query of a url': (text) => read({ url: `/people?${text}` }),
  'a value in the query': (text) => read({ url: `/people?a=:name&b=${text}&c=:id` }),
  'the fragment of a url': (text) => read({ url: `/people#${text}` }),
  'a method word': (text) => read({ url: `${text} /people` }),
  'the blanks behind a method word': (text) => read({ url: `GET ${text}/people` }),
  'what follows a method word': (text) => read({ url: `get x${text}` }),
  'the method of the options': (method) => read({ url: '/people' }, { options: { method } }),
  'an id': (id) => read({ url: '/people' }, { id }),
  'the value of a parameter': (name) => read({ url: '/people/:name?name=:name' }, { name }),
  'a value of the headers': (text) =>
    read({ url: '/people' }, { options: { headers: { 'x-text': asByte(text) } } }),
  'a name of the headers': (text) => read({ url: '/people' }, { options: { headers: { [text]: 'x' } } }),
};

const answered: Record<string, Handle> = {
  'an answer': (text) => receive(text, {}),
  'an answer that claims to be JSON': (text) => receive(text, { 'content-type': 'application/json' }),
  'an answer with a prefix': (text) => receive(`)]}',${text}{}`, {}),
  'an answer between blanks': (text) => receive(`${text}{}${text}`, {}),
  'the content type of an answer': (text) => receive('<p>', { 'content-type': asByte(text) }),
  'the url in the message of a failure': (text) => receive('<p>', {}, `http://${text}/${text}?${text}`),
  'the path in the message of a failure': (text) => receive('<p>', {}, text),
};

const mapped: Record<string, Handle> = {
  'a mapped path': (path) =>
    attempt(() => {
      const root = createLib();
      const record = root.dataModel.boot({});
      root.observable('').map(path, record).next('x');
      record.set({ name: 'Eve' });
      return [record.hasMappedField(path), record.dirtyMap(), record.get(), record.unmap(path)];
    }),
  'the path of an id': (idAttribute) => attempt(() => read({ url: '/people', idAttribute })),
  'the path of the id of items': (idAttribute) =>
    attempt(() => {
      const items = createLib().collection<object>({ data: [{ id: 1 }, { id: 2 }], idAttribute });
      return [items.byId(1), items.push({ id: 3 }), items.remove(() => true)];
    }),
  'a path to look at': (path) => {
    const root = createLib();
    const record: DataModel = root.dataModel.boot({});
    root.observable('').map('name', record);
    return [record.hasMappedField(path), record.get([path] as never), record.clean(path as never)];
  },
  'text that is searched': (text) => {
    const items = createLib().collection([{ text }, { text: `${text}x` }]);
    return [items.where({ text }), items.find({ text: `${text}y` })];
  },
};

describe('text of 100,000 hostile characters is handled in linear time', () => {
  it.each(Object.entries({ ...asked, ...answered, ...mapped }))('as %s', async (_place, handle) => {
    expect(await firstSlow(handle)).toBeUndefined();
  });

  it('in as many places and forms as docs/RELIABILITY.md says', () => {
    const places = Object.keys({ ...asked, ...answered, ...mapped }).length;
    const said = readFileSync(new URL('../../docs/RELIABILITY.md', import.meta.url), 'utf8');
    expect(said).toContain(`${String(places)} places × ${String(texts.length)} texts`);
  });
});
