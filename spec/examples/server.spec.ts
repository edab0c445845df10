import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ReplaySubject, firstValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { longestBody } from '../../examples/server/body.ts';
import { readSettings } from '../../examples/server/command-line.ts';
import { generatePeople, serialize } from '../../examples/server/generate-data.ts';
import { listGroceries } from '../../examples/server/grocery-list.ts';
import type { Problem } from '../../examples/server/problem.ts';
import { longestLog, overlap, RequestJournal } from '../../examples/server/request-log.ts';
import type { Grocery, Person } from '../../examples/server/schema.ts';
import { startServer } from '../../examples/server/server.ts';
import type { RunningServer, ServerOptions } from '../../examples/server/server.ts';

const folder = new URL('../../examples/server/', import.meta.url);
const ada = { name: 'Ada Lovelace', email: 'ada@example.org', address: { city: 'London' } };

let server: RunningServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

describe('a list', () => {
  it('contains all rows in order of id, with their count', async () => {
    const answer = await call('GET', '/api/people');
    const rows = await read<Person[]>(answer);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('X-Total-Count')).toBe('300');
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(rows[0]).toEqual(generatePeople(1)[0]);
  });

  it('contains groceries too, with numbers and booleans as such', async () => {
    expect(await read<Grocery[]>(await call('GET', '/api/groceries'))).toEqual(listGroceries());
  });

  it.each(['KRAKÓW', 'kraków'])('contains the rows that match a search for %s, in any case', async (text) => {
    const answer = await call('GET', `/api/people?search=${encodeURIComponent(text)}`);
    const rows = await read<Person[]>(answer);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ address }) => address.city))).toEqual(new Set(['Kraków']));
    expect(answer.headers.get('X-Total-Count')).toBe(String(rows.length));
  });

  it.each(['Monahan', 'frankie.monahan@'])('is searched by name and by e-mail: %s', async (text) => {
    const rows = await read<Person[]>(await call('GET', `/api/people?search=${text}`));
    expect(rows.map(({ id }) => id)).toContain(1);
  });

  it('takes % and _ in a search literally', async () => {
    expect(await read<Person[]>(await call('GET', '/api/people?search=%25'))).toEqual([]);
    expect(await read<Person[]>(await call('GET', '/api/people?search=_'))).toEqual([]);
  });

  it('is sorted up and down, even by a nested field', async () => {
    const up = await read<Grocery[]>(await call('GET', '/api/groceries?_sort=name'));
    const down = await read<Grocery[]>(await call('GET', '/api/groceries?_sort=-name'));
    const cities = await read<Person[]>(await call('GET', '/api/people?_sort=address.city'));
    expect(up[0]?.name).toBe('Apples, Braeburn');
    expect(down.map(({ id }) => id)).toEqual(up.map(({ id }) => id).reverse());
    expect(cities[0]?.address.city).toBe('Amsterdam');
  });

  it('is sorted without regard to case', async () => {
    await call('POST', '/api/groceries', { body: { name: 'alfalfa' } });
    const rows = await read<Grocery[]>(await call('GET', '/api/groceries?_sort=name'));
    expect(rows.slice(0, 2).map(({ name }) => name)).toEqual(['alfalfa', 'Apples, Braeburn']);
  });

  it('comes in pages, with the total count', async () => {
    const answer = await call('GET', '/api/people?_page=3&_per_page=7');
    const rows = await read<Person[]>(answer);
    expect(rows.map(({ id }) => id)).toEqual([15, 16, 17, 18, 19, 20, 21]);
    expect(answer.headers.get('X-Total-Count')).toBe('300');
    expect(await read<Person[]>(await call('GET', '/api/people?_page=1'))).toHaveLength(20);
    expect(await read<Person[]>(await call('GET', '/api/people?_page=99'))).toEqual([]);
  });

  it.each([
    ['?_per_page=100&search=a%26b', null],
    ['?_per_page=100&_sort=-name', '<?_per_page=100&_sort=-name&_page=2>; rel="next"'],
    ['?_page=2&_per_page=100', '<?_page=1&_per_page=100>; rel="prev", <?_page=3&_per_page=100>; rel="next"'],
    ['?_page=3&_per_page=100', '<?_page=2&_per_page=100>; rel="prev"'],
    ['', null],
  ])('links the pages beside %o', async (query, link) => {
    expect((await call('GET', `/api/people${query}`)).headers.get('Link')).toBe(link);
  });

  it.each([
    '_sort=shoe',
    '_page=0',
    '_page=x',
    '_per_page=1001',
    '_delay=-1',
    '_delay=x',
    '_fail=200',
    '_fail=x',
  ])('answers 400 to ?%s', async (query) => {
    await expectProblem(await call('GET', `/api/people?${query}`), 400);
  });

  it('is answered with 304 while If-None-Match matches', async () => {
    const tag = etagOf(await call('GET', '/api/groceries'));
    const same = await call('GET', '/api/groceries', { headers: { 'If-None-Match': tag } });
    expect(same.status).toBe(304);
    expect(etagOf(same)).toBe(tag);
    expect(await same.text()).toBe('');

    await call('DELETE', '/api/groceries/40');
    const changed = await call('GET', '/api/groceries', { headers: { 'If-None-Match': tag } });
    expect(changed.status).toBe(200);
  });

  it('has another ETag for a page when the total count changes', async () => {
    const before = etagOf(await call('GET', '/api/groceries?_page=1&_per_page=2'));
    await call('DELETE', '/api/groceries/40');
    expect(etagOf(await call('GET', '/api/groceries?_page=1&_per_page=2'))).not.toBe(before);
  });
});

describe('POST', () => {
  it('answers 201 with the whole row, its address and its ETag', async () => {
    const answer = await call('POST', '/api/people', { body: ada });
    const row = await read<Person>(answer);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('Location')).toBe('/api/people/301');
    expect(row).toEqual({
      id: 301,
      ...ada,
      address: { street: '', city: 'London', country: '' },
      phone: '',
      role: '',
      company: '',
      born: null,
      active: true,
      notes: '',
    });

    const stored = await call('GET', '/api/people/301');
    expect(await read(stored)).toEqual(row);
    expect(etagOf(stored)).toBe(etagOf(answer));
  });

  it('assigns the id itself, and never one that was used', async () => {
    await call('POST', '/api/groceries', { body: { name: 'Oat milk', id: 7 } });
    await call('DELETE', '/api/groceries/41');
    const answer = await call('POST', '/api/groceries', { body: { name: 'Oat milk' } });
    expect(await read<Grocery>(answer)).toMatchObject({ id: 42, quantity: 1, unit: 'pcs', done: false });
  });

  it('answers 409 when the e-mail is taken, in any case', async () => {
    await call('POST', '/api/people', { body: ada });
    const answer = await call('POST', '/api/people', { body: { ...ada, email: 'Ada@Example.org' } });
    const problem = await expectProblem(answer, 409);
    expect(problem).toMatchObject({ type: '/problems/taken', errors: { email: ['is taken'] } });
  });

  it('answers 422 with the invalid values, by dotted path', async () => {
    const body = { name: '  ', email: 'ada', address: { city: '' }, active: 'yes', born: '1815-13-10' };
    const problem = await expectProblem(await call('POST', '/api/people', { body }), 422);
    expect(problem.type).toBe('/problems/invalid');
    expect(problem.errors).toEqual({
      name: ['must not be blank'],
      email: ['must be an e-mail address'],
      'address.city': ['must not be blank'],
      active: ['must be true or false'],
      born: ['must be a date such as 1984-02-29'],
    });
  });

  it('answers 422 with the missing values', async () => {
    const person = await expectProblem(await call('POST', '/api/people', { body: {} }), 422);
    const required = ['is required'];
    expect(person.errors).toEqual({ name: required, email: required, 'address.city': required });
    const grocery = await expectProblem(
      await call('POST', '/api/groceries', { body: { quantity: -1 } }),
      422,
    );
    expect(grocery.errors).toEqual({ name: required, quantity: ['must be 0 or more'] });
  });

  it('answers 422 when the body is not an object', async () => {
    const problem = await expectProblem(await call('POST', '/api/people', { body: [] }), 422);
    expect(problem.errors).toEqual({ '': ['must be an object'] });
  });

  it.each(['{"name":', ''])('answers 400 to a body of %j', async (text) => {
    await expectProblem(await call('POST', '/api/people', { text }), 400);
  });

  it('answers 413 to a body over 1 MB', async () => {
    const text = ' '.repeat(longestBody + 1);
    await expectProblem(await call('POST', '/api/people', { text }), 413);
  });

  it('answers 413 to a body over 1 MB of undeclared length', async () => {
    const body = new Blob([' '.repeat(longestBody + 1)]).stream();
    const init = { method: 'POST', body, duplex: 'half' };
    await expectProblem(await fetch(`${server.url}/api/people`, init), 413);
  });
});

describe('a row', () => {
  it('is answered with an ETag, and with 304 while If-None-Match matches', async () => {
    const answer = await call('GET', '/api/people/7');
    const tag = etagOf(answer);
    expect(await read<Person>(answer)).toMatchObject({ id: 7 });
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      expect((await call('GET', '/api/people/7', { headers: { 'If-None-Match': held } })).status).toBe(304);
    }
    expect((await call('GET', '/api/people/7', { headers: { 'If-None-Match': '"other"' } })).status).toBe(
      200,
    );
  });

  it('is answered to HEAD without a body', async () => {
    const answer = await call('HEAD', '/api/people/7');
    expect(answer.status).toBe(200);
    expect(etagOf(answer)).toBe(etagOf(await call('GET', '/api/people/7')));
    expect(await answer.text()).toBe('');
  });

  it('is replaced by PUT, with defaults for omitted values', async () => {
    const answer = await call('PUT', '/api/people/7', { body: ada });
    expect(answer.status).toBe(200);
    expect(await read<Person>(answer)).toMatchObject({ id: 7, ...ada, company: '', born: null });
    expect(etagOf(await call('GET', '/api/people/7'))).toBe(etagOf(answer));
  });

  it('stays unchanged when put back as read', async () => {
    const before = await call('GET', '/api/people/7');
    const after = await call('PUT', '/api/people/7', { body: await read<Person>(before) });
    expect(etagOf(after)).toBe(etagOf(before));
  });

  it('is merged by PATCH at every depth', async () => {
    const before = await read<Person>(await call('GET', '/api/people/7'));
    const body = { active: !before.active, address: { city: 'Turin' }, born: null };
    const after = await read<Person>(await call('PATCH', '/api/people/7', { body }));
    expect(after).toEqual({ ...before, ...body, address: { ...before.address, city: 'Turin' } });
  });

  it('is checked as a whole after PATCH', async () => {
    const answer = await call('PATCH', '/api/people/7', { body: { address: { city: '' } } });
    expect((await expectProblem(answer, 422)).errors).toEqual({ 'address.city': ['must not be blank'] });
  });

  it('may keep its own e-mail, but not take that of another row: 409', async () => {
    const { email } = await read<Person>(await call('GET', '/api/people/8'));
    expect((await call('PATCH', '/api/people/8', { body: { email } })).status).toBe(200);
    await expectProblem(await call('PATCH', '/api/people/7', { body: { email } }), 409);
  });

  it('is gone after DELETE', async () => {
    const answer = await call('DELETE', '/api/people/7');
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    await expectProblem(await call('GET', '/api/people/7'), 404);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])(
    'is refused with 412 and the current ETag when If-Match of %s is stale',
    async (method) => {
      const stale = etagOf(await call('GET', '/api/people/7'));
      const current = etagOf(await call('PATCH', '/api/people/7', { body: { notes: 'Changed.' } }));
      for (const tag of [stale, `W/${current}`]) {
        const answer = await call(method, '/api/people/7', { body: ada, headers: { 'If-Match': tag } });
        expect(await expectProblem(answer, 412)).toMatchObject({ type: '/problems/stale' });
        expect(etagOf(answer)).toBe(current);
      }
      expect(etagOf(await call('GET', '/api/people/7'))).toBe(current);
    },
  );

  it.each(['PUT', 'PATCH', 'DELETE'])('is written by %s when If-Match is current', async (method) => {
    const tag = etagOf(await call('GET', '/api/people/7'));
    const headers = { 'If-Match': `"other", ${tag}` };
    expect((await call(method, '/api/people/7', { body: ada, headers })).ok).toBe(true);
  });

  it.each(['301', '0', '-1', '1.5', 'x', '9'.repeat(30)])(
    'is answered with 404 when the id is %s',
    async (id) => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        await expectProblem(await call(method, `/api/people/${id}`), 404);
      }
    },
  );
});

describe('the application', () => {
  it('answers 404 where there is nothing', async () => {
    await expectProblem(await call('GET', '/api/planets'), 404);
    await expectProblem(await call('GET', '/'), 404);
  });

  it('answers 405 with the allowed methods', async () => {
    const list = await call('PATCH', '/api/people');
    await expectProblem(list, 405);
    expect(list.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS');
    const row = await call('POST', '/api/people/7');
    await expectProblem(row, 405);
    expect(row.headers.get('Allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  });

  it.each(['/api/people', '/api/planets', '/api/people?_fail=503'])(
    'lets pages of any origin read %s',
    async (path) => {
      const answer = await call('GET', path, { headers: { Origin: 'https://app.example' } });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      const exposed = answer.headers.get('Access-Control-Expose-Headers')?.split(',');
      expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Link', 'Location', 'X-Total-Count']));
    },
  );

  it('answers a preflight, without a fault and without a log', async () => {
    const headers = {
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'if-match',
    };
    const answer = await call('OPTIONS', '/api/people/7?_fail=503', { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('if-match');
    expect(server.requests).toEqual([]);
  });

  it('answers 500 without details when it breaks', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    server.database.exec('DROP TABLE people');
    const problem = await expectProblem(await call('GET', '/api/people'), 500);
    expect(problem.detail).not.toContain('people');
    expect(complain).toHaveBeenCalledOnce();
  });
});

describe('a fault switch', () => {
  it('fails with the status requested, without doing anything', async () => {
    const answer = await call('POST', '/api/people?_fail=503&_retry_after=7', { body: ada });
    await expectProblem(answer, 503);
    expect(answer.headers.get('Retry-After')).toBe('7');
    expect(await countOf('/api/people')).toBe(300);
    expect((await call('GET', '/api/people?_fail=429')).headers.get('Retry-After')).toBeNull();
  });

  it('fails the number of times requested, counting each request separately', async () => {
    const statuses = async (method: string, path: string) => [
      (await call(method, path)).status,
      (await call(method, path)).status,
      (await call(method, path)).status,
    ];
    expect(await statuses('GET', '/api/people/1?_fail=503&_times=2')).toEqual([503, 503, 200]);
    expect(await statuses('DELETE', '/api/people/1?_fail=503&_times=2')).toEqual([503, 503, 204]);
    expect(await statuses('GET', '/api/people/2?_fail=500&_times=0')).toEqual([200, 200, 200]);
  });

  it('requires a token', async () => {
    const path = '/api/people/1?_token=abc';
    for (const headers of [{}, { Authorization: 'Bearer abcd' }, { Authorization: 'abc' }]) {
      const answer = await call('DELETE', path, { headers });
      await expectProblem(answer, 401);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
    }
    const { status } = await call('GET', path, { headers: { Authorization: 'Bearer abc' } });
    expect(status).toBe(200);
  });

  it('breaks the connection before anything is done', async () => {
    await expect(call('POST', '/api/people?_fail=reset', { body: ada })).rejects.toThrow(TypeError);
    expect(await countOf('/api/people')).toBe(300);
    expect(server.requests[0]).toMatchObject({ status: null, aborted: false });
    expect(server.requests[0]?.endedAt).not.toBeNull();
  });

  it('breaks the connection after the write is done', async () => {
    await expect(call('POST', '/api/people?_fail=after', { body: ada })).rejects.toThrow(TypeError);
    expect(await countOf('/api/people')).toBe(301);
    expect(server.requests[0]).toMatchObject({ status: null, aborted: false });
  });

  it.each([
    ['text', 'text/plain', 'OK'],
    ['html', 'text/html', '<!doctype html>'],
  ])('answers 200 with %s instead of JSON', async (fault, type, start) => {
    const answer = await call('DELETE', `/api/people/7?_fail=${fault}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toContain(type);
    expect(await answer.text()).toMatch(new RegExp(`^${start}`));
    expect(await countOf('/api/people')).toBe(300);
  });
});

describe('a delay', () => {
  it('holds back the answer, so that a later request overtakes it', async () => {
    const ended: string[] = [];
    const delay = holdDelay();
    const slow = call('GET', '/api/people/1?_delay=20').then(() => ended.push('slow'));
    expect(await delay.begun).toBe(20);
    await call('GET', '/api/people/2').then(() => ended.push('quick'));
    delay.end();
    await slow;
    expect(ended).toEqual(['quick', 'slow']);
  });

  it('never lasts longer than a minute', async () => {
    const timeout = vi.spyOn(timers, 'setTimeout');
    const { controller } = await startDelayed('GET', '/api/people?_delay=999999999');
    controller.abort();
    await server.waitFor(({ aborted }) => aborted);
    expect(timeout.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([60_000]);
  });

  it('applies to all requests of a slow server, except those with their own', async () => {
    await using slow = await startDisposable({ delay: 60_000 });
    const own = await fetch(`${slow.server.url}/api/people/1?_delay=0`);
    expect(own.status).toBe(200);
    const controller = new AbortController();
    const usual = fetch(`${slow.server.url}/api/people/2`, { signal: controller.signal });
    await slow.server.waitFor(({ path }) => path === '/api/people/2');
    controller.abort();
    await expect(usual).rejects.toThrow('aborted');
    await slow.server.waitFor(({ aborted }) => aborted);
  });

  it('ends without the write when the client aborts', async () => {
    const { answer, controller } = await startDelayed('DELETE', '/api/people/7?_delay=60000');
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    const log = await server.waitFor(({ aborted }) => aborted);
    expect(log).toMatchObject({ method: 'DELETE', path: '/api/people/7?_delay=60000', status: null });
    expect(log.endedAt).not.toBeNull();
    expect((await call('GET', '/api/people/7')).status).toBe(200);
  });

  it('ends when the server closes', async () => {
    const { answer } = await startDelayed('DELETE', '/api/people/7?_delay=60000');
    await Promise.all([expect(answer).rejects.toThrow(TypeError), server.close()]);
  });
});

describe('an upload', () => {
  it('is logged as aborted when the client aborts it', async () => {
    const controller = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (upload) => {
        upload.enqueue(Buffer.from('{"name":'));
      },
    });
    const init = { method: 'POST', body, duplex: 'half', signal: controller.signal };
    const answer = fetch(`${server.url}/api/people`, init);
    await server.waitFor(({ method }) => method === 'POST');
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await server.waitFor(({ aborted }) => aborted)).toMatchObject({ method: 'POST', status: null });
  });
});

describe('the log of requests', () => {
  it('contains requests and answers', async () => {
    await call('PUT', '/api/people/7?x=1', {
      body: ada,
      headers: { 'If-Match': '"old"', Authorization: 'secret' },
    });
    expect(server.requests).toEqual([
      {
        method: 'PUT',
        path: '/api/people/7?x=1',
        headers: { accept: '*/*', 'content-type': 'application/json', 'if-match': '"old"' },
        body: JSON.stringify(ada),
        startedAt: 1,
        endedAt: 2,
        status: 412,
        aborted: false,
      },
    ]);
  });

  it('shows which requests overlap', async () => {
    const delay = holdDelay();
    const slow = call('GET', '/api/people/1?_delay=20');
    await delay.begun;
    await call('GET', '/api/people/2');
    delay.end();
    await slow;
    await call('GET', '/api/people/3');
    const [first, second, third] = server.requests;
    if (!first || !second || !third) throw new Error('Three requests are logged');
    expect(overlap(first, second)).toBe(true);
    expect(overlap(second, first)).toBe(true);
    expect(overlap(first, third)).toBe(false);
  });

  it('keeps the last thousand', () => {
    const journal = new RequestJournal();
    for (let index = 0; index <= longestLog; index += 1) {
      journal.start({ method: 'GET', path: `/${String(index)}`, headers: {} });
    }
    expect(journal.requests).toHaveLength(longestLog);
    expect(journal.requests[0]?.path).toBe('/1');
  });
});

describe('the database', () => {
  it('keeps rows in its file from one start to the next', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rivulet-'));
    try {
      const database = join(directory, 'rows.sqlite');
      {
        await using first = await startDisposable({ database });
        const init = { method: 'POST', body: JSON.stringify({ name: 'Oat milk', quantity: 0.5 }) };
        expect((await fetch(`${first.server.url}/api/groceries`, init)).status).toBe(201);
      }
      await using second = await startDisposable({ database });
      const row = await read<Grocery>(await fetch(`${second.server.url}/api/groceries/41`));
      expect(row).toMatchObject({ id: 41, name: 'Oat milk', quantity: 0.5 });
      const list = await fetch(`${second.server.url}/api/groceries`);
      expect(list.headers.get('X-Total-Count')).toBe('41');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.each([
    ['people', () => generatePeople()],
    ['groceries', () => listGroceries()],
  ])('starts with %s that are the same on each run', async (name, generate) => {
    const committed = await readFile(new URL(`data/${name}.json`, folder), 'utf8');
    expect(serialize(generate())).toBe(committed);
  });
});

describe('startServer', () => {
  it('serves custom routes beside its own', async () => {
    await using other = await startDisposable({
      serveStatic: (app) => {
        app.get('/', (c) => c.html('<h1>Hello</h1>'));
      },
    });
    expect(await (await fetch(other.server.url)).text()).toBe('<h1>Hello</h1>');
    expect(other.server.requests).toEqual([]);
  });

  it('rejects when the port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(startServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('may be closed twice', async () => {
    await Promise.all([server.close(), server.close()]);
    await expect(call('GET', '/api/people')).rejects.toThrow(TypeError);
    expect(server.database.isOpen).toBe(false);
  });
});

describe('the program', () => {
  it('reads port, database and delay from its arguments, all with defaults', () => {
    expect(readSettings([])).toEqual({ port: 3000, database: 'rivulet.sqlite', delay: 0 });
    const args = ['--port', '0', '--database', ':memory:', '--delay', '250'];
    expect(readSettings(args)).toEqual({ port: 0, database: ':memory:', delay: 250 });
  });

  it.each([
    [['--port', 'x'], '--port'],
    [['--port', '65536'], '--port'],
    [['--delay', '-1'], '--delay'],
    [['--shoe'], '--shoe'],
    [['people'], 'people'],
  ])('refuses %j', (args, complaint) => {
    expect(() => readSettings(args)).toThrow(complaint);
  });

  it('prints its address, serves there, and ends on SIGTERM', async () => {
    const program = run('--port', '0', '--database', ':memory:');
    const [line] = (await once(program.stdout, 'data')) as [Buffer];
    const url = /http:\S+:\d+/.exec(line.toString())?.[0] ?? '';
    expect((await fetch(`${url}/api/groceries/1`)).status).toBe(200);
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  });

  it('exits with 1 and says why when it cannot start', async () => {
    const taken = run('--port', new URL(server.url).port, '--database', ':memory:');
    const [complaint, exit] = await Promise.all([errorsOf(taken), once(taken, 'exit')]);
    expect(complaint).toContain('--port');
    expect(exit).toEqual([1, null]);
  });
});

interface Request {
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

function call(
  method: string,
  path: string,
  { body, text, headers, signal }: Request = {},
): Promise<Response> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return fetch(server.url + path, {
    method,
    headers: { ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal && { signal }),
  });
}

async function read<Body>(answer: Response): Promise<Body> {
  return (await answer.json()) as Body;
}

async function expectProblem(answer: Response, status: number): Promise<Problem> {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  const problem = await read<Problem>(answer);
  expect(problem.status).toBe(status);
  for (const text of [problem.type, problem.title, problem.detail]) expect(text).toMatch(/./);
  return problem;
}

function etagOf(answer: Response): string {
  const tag = answer.headers.get('ETag');
  expect(tag).toMatch(/^"[\w-]+"$/);
  return tag ?? '';
}

async function countOf(path: string): Promise<number> {
  return Number((await call('HEAD', path)).headers.get('X-Total-Count'));
}

/** Makes the next delay of the server last until the spec ends it; `begun` resolves with its intended length. */
function holdDelay() {
  const begun = new ReplaySubject<unknown>(1);
  const over = new ReplaySubject<undefined>(1);
  vi.spyOn(timers, 'setTimeout').mockImplementationOnce((milliseconds) => {
    begun.next(milliseconds);
    return firstValueFrom(over);
  });
  return {
    begun: firstValueFrom(begun),
    end: () => {
      over.next(undefined);
    },
  };
}

async function startDelayed(method: string, path: string) {
  const controller = new AbortController();
  const answer = call(method, path, { signal: controller.signal });
  // Tests of the rejection await the answer; elsewhere it is no failure of the spec.
  answer.catch(() => undefined);
  await server.waitFor((request) => request.path === path);
  return { answer, controller };
}

async function startDisposable(options: ServerOptions) {
  const other = await startServer(options);
  return { server: other, [Symbol.asyncDispose]: () => other.close() };
}

function run(...args: string[]) {
  return spawn(process.execPath, ['--no-warnings', fileURLToPath(new URL('main.ts', folder)), ...args]);
}

async function errorsOf({ stderr }: ReturnType<typeof run>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stderr) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
