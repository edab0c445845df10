import { RequestError } from 'rivulet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { overlap } from '../../examples/server/request-log.ts';
import type { RequestLog } from '../../examples/server/request-log.ts';
import { startServer } from '../../examples/server/server.ts';
import type { RunningServer } from '../../examples/server/server.ts';

import { atRest, countPeople, flagsOf, personAt, readPerson, stored } from './people';

let server: RunningServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

describe('text typed during a save', () => {
  it('survives the answer and stays dirty, and the next save sends it', async () => {
    const person = await readPerson(server, 1, { url: `${server.url}/api/people?_delay=40` });

    person.name.next('Ada');
    const saving = person.save();
    await server.waitFor(isWrite);
    person.name.next('Ada Lovelace');
    const answer = await saving;

    expect(answer.status).toBe(200);
    expect(person.name.value).toBe('Ada Lovelace');
    expect(person.name.remote$.value).toBe('Ada');
    expect(person.name.isDirty$.value).toBe(true);
    expect(person.isDirty$.value).toBe(true);
    expect(dirtyPaths(person)).toEqual(['name']);
    expect(stored(server, 1, 'name')).toBe('Ada');

    await person.save();

    expect(person.name.value).toBe('Ada Lovelace');
    expect(person.name.remote$.value).toBe('Ada Lovelace');
    expect(person.isDirty$.value).toBe(false);
    expect(stored(server, 1, 'name')).toBe('Ada Lovelace');
  });

  it('survives in one field while another takes the value of the server', async () => {
    const person = await readPerson(server, 1, { url: `${server.url}/api/people?_delay=40` });

    person.name.next('  Ada  ');
    const saving = person.save();
    await server.waitFor(isWrite);
    person.city.next('London');
    await saving;

    expect(person.name.value).toBe('Ada');
    expect(person.city.value).toBe('London');
    expect(dirtyPaths(person)).toEqual(['address.city']);
  });

  it('is clean again when changed back to what was sent', async () => {
    const person = await readPerson(server, 1, { url: `${server.url}/api/people?_delay=40` });

    person.name.next('Ada');
    const saving = person.save();
    await server.waitFor(isWrite);
    person.name.next('Ada Lovelace');
    person.name.next('Ada');
    await saving;

    expect(person.name.value).toBe('Ada');
    expect(person.isDirty$.value).toBe(false);
  });
});

describe('two quick saves of one record', () => {
  it('never overlap, and leave the newer value on both sides', async () => {
    // If they overlapped, the first would be answered last.
    const delays = [60, 0];
    const person = await readPerson(server, 1);
    const racing = personAt(server, {
      url: () => `${server.url}/api/people?_delay=${String(delays.shift())}`,
    });
    racing.set(person.get());

    racing.name.next('older');
    const older = racing.save();
    racing.name.next('newer');
    const newer = racing.save();
    const answers = await Promise.all([older, newer]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
      ['PUT', '/api/people/1?_delay=60'],
      ['PUT', '/api/people/1?_delay=0'],
    ]);
    expect(haveOverlapped(server.requests)).toBe(false);
    expect(stored(server, 1, 'name')).toBe('newer');
    expect(racing.name.value).toBe('newer');
    expect(racing.isDirty$.value).toBe(false);
  });

  it('continue after the first is refused', async () => {
    const queries = ['?_delay=40&_fail=503', ''];
    const person = personAt(server, { url: () => `${server.url}/api/people${String(queries.shift())}` });
    person.set((await readPerson(server, 1)).get());

    person.name.next('older');
    const older = person.save();
    person.name.next('newer');
    const newer = person.save();
    const answers = await Promise.all([older, newer]);

    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
    expect(haveOverlapped(server.requests)).toBe(false);
    expect(stored(server, 1, 'name')).toBe('newer');
    expect(person.isDirty$.value).toBe(false);
    expect(person.error$.value).toBeNull();
  });
});

describe('two quick saves of a new record', () => {
  it('send one POST and one PUT, and create one row', async () => {
    const person = personAt(server, { url: `${server.url}/api/people?_delay=20` });
    person.email.next('ada@example.org');
    person.city.next('London');
    const before = Number(countPeople(server));

    person.name.next('Ada');
    const first = person.save();
    person.name.next('Ada Lovelace');
    const second = person.save();
    const answers = await Promise.all([first, second]);

    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/api/people?_delay=20'],
      ['PUT', '/api/people/301?_delay=20'],
    ]);
    expect(haveOverlapped(server.requests)).toBe(false);
    expect(Number(countPeople(server)) - before).toBe(1);
    expect(stored(server, 301, 'name')).toBe('Ada Lovelace');
    expect(person.get(['id', 'name'])).toEqual({ id: 301, name: 'Ada Lovelace' });
    expect(person.isNew$.value).toBe(false);
    expect(person.isDirty$.value).toBe(false);
  });
});

describe('a refused save', () => {
  it.each([
    { status: 409, why: 'the e-mail is taken', query: '', email: 'taken', city: 'London' },
    { status: 422, why: 'the city is blank', query: '', email: 'free', city: '' },
    { status: 503, why: 'the server is overloaded', query: '?_fail=503', email: 'free', city: 'London' },
  ])('leaves edits and dirty state unchanged: $status, $why', async ({ status, query, email, city }) => {
    const person = personAt(server, { url: () => `${server.url}/api/people${isSaving ? query : ''}` });
    let isSaving = false;
    person.set({ id: 1 });
    await person.fetch();
    isSaving = true;
    const confirmed = person.get();
    person.name.next('Ada');
    person.city.next(city);
    person.email.next(email === 'taken' ? String(stored(server, 2, 'email')) : 'ada@example.org');
    const edited = person.get();

    const answer = await person.save();

    expect(answer.ok).toBe(false);
    expect(answer.status).toBe(status);
    expect(person.get()).toEqual(edited);
    expect(dirtyPaths(person)).toEqual(['name', 'email', 'address.city']);
    expect(person.isDirty$.value).toBe(true);
    expect(person.name.remote$.value).toBe(confirmed.name);
    expect(person.email.remote$.value).toBe(confirmed.email);
    expect(person.city.remote$.value).toBe(confirmed.address.city);
    expect(person.error$.value).toBeInstanceOf(RequestError);
    expect(person.error$.value).toMatchObject({ code: 'HTTP', action: 'update', response: answer });
    expect(flagsOf(person)).toEqual(atRest);
    expect(await answer.json()).toMatchObject({ status });
    expect(stored(server, 1, 'name')).toBe(confirmed.name);
    expect(stored(server, 1, 'email')).toBe(confirmed.email);

    person.reset();
    expect(person.get()).toEqual(confirmed);
    expect(person.isDirty$.value).toBe(false);
  });

  it('leaves a new record new, and the corrected save creates one row', async () => {
    const person = personAt(server);
    person.name.next('Ada');
    person.email.next('ada@example.org');
    const before = Number(countPeople(server));

    const refused = await person.save();
    expect(refused.status).toBe(422);
    expect(person.isNew$.value).toBe(true);
    expect(dirtyPaths(person)).toEqual(['name', 'email']);

    person.city.next('London');
    const accepted = await person.save();
    expect(accepted.status).toBe(201);
    expect(person.error$.value).toBeNull();
    expect(person.isDirty$.value).toBe(false);
    expect(Number(countPeople(server)) - before).toBe(1);
  });
});

function isWrite({ method, body }: RequestLog): boolean {
  return method === 'PUT' && body !== '';
}

function haveOverlapped(requests: readonly RequestLog[]): boolean {
  return requests.some((one, index) => requests.slice(index + 1).some((other) => overlap(one, other)));
}

function dirtyPaths(person: ReturnType<typeof personAt>): string[] {
  return Object.entries(person.dirtyMap()).flatMap(([path, isDirty]) => (isDirty ? path : []));
}
