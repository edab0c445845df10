import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { from, map } from 'rxjs';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Collection, Lib, LibOptions } from 'rivulet';

/** The users served at the same time, the number of requests, and how many are open at once. */
const users = ['Ann', 'Bo', 'Cy', 'Di', 'Eve', 'Flo', 'Gus', 'Hal'];
const total = 1600;
const width = 32;

/** A record in an answer: the path requested, and the token sent. */
interface Answer {
  readonly place: string;
  readonly token: string | undefined;
}

/** The requests that the server has received. */
const arrived: (Answer & { readonly body: string })[] = [];
/** The numbers of the requests, in the order of their answers. */
const answered: number[] = [];

/** Answers after zero to three turns of the event loop, so in mixed order. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: place = '', method, headers } = request;
  const count = arrived.length;
  const data: Answer = { place, token: headers.authorization };
  arrived.push({ ...data, body: await text(request) });
  for (let turn = (count * 7) % 4; turn > 0; turn -= 1) await new Promise(setImmediate);
  answered.push(count);
  const isList = method === 'GET' && place.endsWith('/list');
  response.setHeader('content-type', 'application/json').end(JSON.stringify(isList ? [data] : data));
}

const server = createServer((request, response) => void answer(request, response));
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const tokenOf = (user: string): string => `Bearer ${user}`;

const withToken = (given: Headers, authorization: string): Headers => {
  const headers = new Headers(given);
  headers.set('authorization', authorization);
  return headers;
};

/** The ways a root can add a token; two users use each. */
const ways: readonly ((authorization: string) => LibOptions)[] = [
  (authorization) => ({ fetchOptions: { headers: { authorization } } }),
  (authorization) => ({ fetchOptions: () => ({ headers: { authorization } }) }),
  (authorization) => ({
    interceptors: [
      (request, next) => next({ ...request, headers: withToken(request.headers, authorization) }),
    ],
  }),
  (authorization) => ({
    transport: (request) => {
      const { url, headers, ...init } = request;
      const response$ = from(fetch(url, { ...init, headers: withToken(headers, authorization) }));
      return response$.pipe(map((response) => ({ request, response, body: undefined })));
    },
  }),
];

class Person extends DataModel {
  readonly id;
  readonly place;
  readonly token;
  readonly note;

  constructor(root: Lib, user: string, id: number) {
    super({ url: `${origin()}/${user}` }, root);
    this.id = root.observable(id).map('id', this);
    this.place = root.observable('').map('place', this);
    this.token = root.observable('').map('token', this);
    this.note = root.observable('').map('note', this);
  }
}

/** One user with a root, some records and a list of their own. */
class User {
  readonly name: string;
  readonly people: readonly Person[];
  readonly list: Collection<Partial<Answer>>;
  /** Everything ever written to the records and the list, each with the path it belongs to. */
  readonly written = new Set<string>();

  constructor(name: string, way: (authorization: string) => LibOptions) {
    this.name = name;
    const root = createLib(way(tokenOf(name)));
    const note = (own: string, { place, token }: Partial<Answer>) => {
      if (place) this.written.add(`${own}: ${place} ${token}`);
    };
    this.people = Array.from({ length: 12 }, (_, id) => new Person(root, name, id + 1));
    for (const { id, data$ } of this.people) {
      const own = `/${name}/${id.value}`;
      data$.subscribe((data) => {
        note(own, data);
      });
    }
    this.list = root.collection<Partial<Answer>>({ url: `${origin()}/${name}/list` });
    this.list.subscribe((items) => {
      for (const item of items) note(`/${name}/list`, item);
    });
  }

  /** Everything that may be written to the records and the list of this user, and must have been. */
  get own(): Set<string> {
    const places = [...this.people.map(({ id }) => `/${this.name}/${id.value}`), `/${this.name}/list`];
    return new Set(places.map((place) => `${place}: ${place} ${tokenOf(this.name)}`));
  }

  /** Sends a request, cycling through the records and the list, and through the kinds of requests. */
  send(count: number): Promise<Response> {
    const person = this.people[count % (this.people.length + 1)];
    if (!person) return count % 2 ? this.list.fetch() : this.list.create({ token: this.name });
    if (count % 3 === 0) return person.fetch();
    person.note.next(`${this.name} ${count}`);
    return person.save({ patch: count % 3 === 1 });
  }
}

/** Sends all requests, some at a time; returns every answer with the user who sent the request. */
async function run(all: readonly User[]): Promise<{ readonly user: string; readonly answer: Answer }[]> {
  const received: { readonly user: string; readonly answer: Answer }[] = [];
  const rest = Array.from({ length: total / all.length }, (_, count) => all.map((user) => ({ user, count })));
  const queue = rest.flat().values();
  const work = async () => {
    for (const { user, count } of queue) {
      const body = (await (await user.send(count)).json()) as Answer | Answer[];
      for (const each of [body].flat()) received.push({ user: user.name, answer: each });
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return received;
}

it('keeps 1,600 interleaved requests of 8 roots apart when answers come in mixed order', async () => {
  const all = ways.flatMap((way, place) =>
    users.slice(2 * place, 2 * place + 2).map((name) => new User(name, way)),
  );

  const received = await run(all);

  const isOwn = (user: string, { place, token }: Answer) =>
    place.startsWith(`/${user}/`) && token === tokenOf(user);
  const userOf = (place: string) => place.split('/')[1] ?? '';
  expect([arrived.length, received.length]).toStrictEqual([total, total]);
  expect(arrived.filter((each) => !isOwn(userOf(each.place), each))).toStrictEqual([]);
  expect(arrived.filter(({ place, body }) => body && !body.includes(userOf(place)))).toStrictEqual([]);
  expect(received.filter(({ user, answer: each }) => !isOwn(user, each))).toStrictEqual([]);
  expect(all.map(({ written }) => written)).toStrictEqual(all.map(({ own }) => own));
  expect(answered.some((count, place) => count < (answered[place - 1] ?? 0))).toBe(true);
}, 60_000);
