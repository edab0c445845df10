import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import type { CollectionConfig, DataModelConfig, UrlCallback } from 'rivulet';

import { codePoint } from '../code-point';
import { ann, withPeople } from '../people';
import type { Item } from '../people';
import { withPerson } from '../person';
import { watch } from '../watch';

describe('url of a record', () => {
  const values = { id: 3, name: 'Ann' };

  it.each<[title: string, url: DataModelConfig['url'], method: string, url: string]>([
    ['appends the id', '/person', 'GET', '/person/3'],
    ['leaves one slash before the id', '/person/', 'GET', '/person/3'],
    ['leaves one slash before the id even if there were two', '/person//', 'GET', '/person/3'],
    ['puts the id before the query', '/person?x=1', 'GET', '/person/3?x=1'],
    ['puts the id before the fragment', '/person#f', 'GET', '/person/3#f'],
    ['puts the id before both', '/person/?x=1#f', 'GET', '/person/3?x=1#f'],
    ['splits at the first question mark only', '/person?x=1?y', 'GET', '/person/3?x=1?y'],
    ['accepts a URL', new URL('http://a.test/person?x=1'), 'GET', 'http://a.test/person/3?x=1'],
    ['accepts a callback that returns a string', () => 'PATCH /person', 'PATCH', '/person/3'],
    ['accepts a callback that returns a URL', () => new URL('http://a.test/p'), 'GET', 'http://a.test/p/3'],
    ['accepts a callback that returns an object', () => ({ read: 'POST /p/:id' }), 'POST', '/p/3'],
    ['appends nothing in an object', { read: '/me' }, 'GET', '/me'],
    ['accepts callbacks in an object', { read: () => 'POST /me' }, 'POST', '/me'],
    ['keeps a port', 'http://a.test:8080/person', 'GET', 'http://a.test:8080/person/3'],
    ['keeps a port without a path', 'http://a.test:8080', 'GET', 'http://a.test:8080/3'],
    ['keeps the authority', 'http://:name@a.test/person', 'GET', 'http://:name@a.test/person/3'],
    ['keeps a password', 'http://u:name@a.test/p', 'GET', 'http://u:name@a.test/p/3'],
    ['keeps an authority without a scheme', '//:name@a.test/p', 'GET', '//:name@a.test/p/3'],
    ['keeps the authority after any scheme', 's3://:name@a.test/p', 'GET', 's3://:name@a.test/p/3'],
    ['accepts the root path', '/', 'GET', '/3'],
    ['accepts the root path with a query', '/?x=1', 'GET', '/3?x=1'],
    ['replaces each parameter', '/:name/:name?a=:name&b=:id', 'GET', '/Ann/Ann?a=Ann&b=3'],
    ['accepts a method word', 'PATCH /person', 'PATCH', '/person/3'],
    ['upper-cases a method word', 'patch /person', 'PATCH', '/person/3'],
    ['accepts any blanks after a method word', 'PATCH \t /person', 'PATCH', '/person/3'],
    ['takes no method from a path with a blank', '/a b', 'GET', '/a b/3'],
    ['takes no method from a word with non-letters', 'x-1 /p', 'GET', 'x-1 /p/3'],
    ['replaces a parameter by a mapped value', '/of/:name', 'GET', '/of/Ann/3'],
    ['replaces a dotted parameter', '/in/:address.city', 'GET', '/in/Bonn/3'],
    ['replaces a parameter of the query', '/person?n=:name', 'GET', '/person/3?n=Ann'],
    ['appends nothing to a url that names the id', '/person/:id/detail', 'GET', '/person/3/detail'],
    ['keeps what follows a parameter', '/report/:id.json', 'GET', '/report/3.json'],
    ['takes no parameter from a time', '/person?at=12:30', 'GET', '/person/3?at=12:30'],
    ['may begin with a parameter', ':name/of', 'GET', 'Ann/of/3'],
    ['keeps an empty segment before a parameter', { read: '/a//:name' }, 'GET', '/a//Ann'],
    ['keeps one after a host', { read: 'http://a.test//:name' }, 'GET', 'http://a.test//Ann'],
    ['takes no parameter from inside a segment', '/items:name', 'GET', '/items:name/3'],
    ['takes no parameter from the fragment', '/person#at=:city', 'GET', '/person/3#at=:city'],
    ['takes no parameter from a fragment that holds a query', '/p#/?n=:name', 'GET', '/p/3#/?n=:name'],
  ])('%s: %s', (_title, url, method, expected) => {
    const { person, server } = withPerson({ config: { url }, values });

    watch(person.fetch$());

    expect(server.sent).toStrictEqual([{ method, url: expected, body: undefined }]);
  });

  it.each([['/person/'], ['/person?x=1'], ['/person//'], ['app:///person'], ['app:/person']])(
    'is left as written for a create: %s',
    (url) => {
      const { person, server } = withPerson({ config: { url }, values: { id: undefined } });

      watch(person.save$());

      expect(server.lines).toStrictEqual([`POST ${url}`]);
    },
  );

  it.each([
    ['a/b', 'a%2Fb'],
    ['a b', 'a%20b'],
    ['a?b', 'a%3Fb'],
    ['a#b', 'a%23b'],
    ['ä', '%C3%A4'],
    ['%2e', '%252e'],
    [':name', '%3Aname'],
    ['$&', '%24%26'],
    ['...', '...'],
    [-1, '-1'],
    [10n, '10'],
  ])('encodes the id %s', (id, text) => {
    const { person, server } = withPerson({ values: { id } });

    watch(person.fetch$());

    expect(server.lines).toStrictEqual([`GET /person/${text}`]);
  });

  it('replaces in one pass: a value that looks like a parameter stays', () => {
    const { person, server } = withPerson({
      config: { url: '/of/:name' },
      values: { name: ':address.city' },
    });

    watch(person.fetch$());

    expect(server.lines).toStrictEqual(['GET /of/%3Aaddress.city/7']);
  });

  it('uses the longest mapped path for a parameter', () => {
    const { root, server } = withPerson();
    const record = root.dataModel.boot({}, { url: { create: '/:name2/:name' } });
    root.observable('short').map('name', record);
    root.observable('long').map('name2', record);

    watch(record.save$());

    expect(server.lines).toStrictEqual(['POST /long/short']);
  });

  it.each([
    ['/:first-name', '/F'],
    ['/:first-names', '/A-names'],
    ['/:first-name-of/:first', '/F-of/A'],
    ['/?n=:first-name&m=:first', '/?n=F&m=A'],
    ['/:größe.json', '/G.json'],
    ['/:@type', '/T'],
    ['/:$', '/:$'],
    ['/:8080', '/:8080'],
  ])('finds the mapped path in %s, whatever characters it has', (url, expected) => {
    const { root, server } = withPerson();
    const record = root.dataModel.boot({}, { url: { create: url } });
    const values = { first: 'A', 'first-name': 'F', größe: 'G', '@type': 'T', 8080: 'N' };
    for (const [path, value] of Object.entries(values)) root.observable(value).map(path, record);

    watch(record.save$());

    expect(server.lines).toStrictEqual([`POST ${expected}`]);
  });

  it.each([
    ['//'],
    ['///'],
    ['http://'],
    ['HTTP:'],
    ['\\\\'],
    ['/\t/'],
    ['h\nttp:/'],
    [{ read: '///:name/p' }],
    [{ read: 'http:///:name/p' }],
    [{ read: 'https:/:name' }],
    [{ read: ':name:/:id' }],
    [{ read: ':name://b.test' }],
    [{ read: 'http:\\\\/:name' }],
    [{ read: '\u0001 //:name' }],
  ])('refuses the url %o, where a value would be the host, and sends nothing', (url) => {
    const { person, server } = withPerson({ config: { url }, values: { id: 'a.test', name: 'a.test' } });

    const { error } = watch(person.fetch$());

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'BAD_OPTION', message: expect.stringContaining('host') as string },
      sent: [],
    });
  });

  it.each([
    [0, '0'],
    ['x', 'x'],
    [true, 'true'],
    [false, 'false'],
  ])('accepts the value %o for a parameter', (value, text) => {
    const { root, person, server } = withPerson({ config: { url: '/page/:page' } });
    root.observable(value).map('page', person);

    watch(person.fetch$());

    expect(server.lines).toStrictEqual([`GET /page/${text}/7`]);
  });

  it.each([['.'], ['..'], [{ a: 1 }], [[1]], [true], ['\ud800']])(
    'refuses the id %o with BAD_ID and sends nothing',
    (id) => {
      const { person, server } = withPerson({ values: { id } });

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_ID', action: 'read' },
        sent: [],
      });
    },
  );

  it.each([[undefined], [null], [''], ['.'], ['..'], [{ a: 1 }], ['\ud800']])(
    'refuses the parameter value %o with BAD_OPTION, naming it, and sends nothing',
    (value) => {
      const { root, person, server } = withPerson({ config: { url: '/page/:page' } });
      root.observable<unknown>(value).map('page', person);

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_OPTION', message: expect.stringContaining('page') as string },
        sent: [],
      });
    },
  );

  it.each([[undefined], [0], [Number.NaN], [false]])(
    'refuses the falsy id %o of a new record as a parameter',
    (id) => {
      const { person, server } = withPerson({ config: { url: '/person/:id' }, values: { id } });

      const { error } = watch(person.save$());

      expect({ error, sent: server.sent }).toMatchObject({ error: { code: 'BAD_OPTION' }, sent: [] });
    },
  );

  it.each(['page', 'größe', '_', 'a.b'])(
    'refuses the parameter "%s", which is not mapped, with BAD_OPTION',
    (name) => {
      const { person, server } = withPerson({ config: { url: `/page/:${name}` } });

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_OPTION', message: expect.stringContaining(`"${name}"`) as string },
        sent: [],
      });
    },
  );

  it.each([
    [undefined],
    [null],
    [''],
    ['  '],
    ['POST '],
    [' get\n '],
    [() => null],
    [() => undefined],
    [() => ''],
    [{ create: '/x' }],
  ])('refuses the url %o with NO_URL and sends nothing', (url) => {
    const { person, server } = withPerson({ config: { url: url as string } });

    const { error } = watch(person.fetch$());

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'NO_URL', action: 'read' },
      sent: [],
    });
  });

  it('names the action that an object lacks', () => {
    const { person } = withPerson({ config: { url: { read: '/x' } } });

    expect(watch(person.destroy$()).error).toMatchObject({
      message: expect.stringContaining('delete') as string,
    });
  });

  it.each([[5], [true], [() => 5], [() => Promise.resolve('/x')], [['/x']], [new Map()], [new Date(0)]])(
    'refuses the url %o with BAD_OPTION',
    (url) => {
      const { person, server } = withPerson({ config: { url: url as never } });

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({ error: { code: 'BAD_OPTION' }, sent: [] });
    },
  );

  it("callback receives the caller's options and the action, with the record as this", () => {
    const url = vi.fn<UrlCallback>(() => '/person');
    const { person } = withPerson({ config: { url } });
    const options = { cache: 'no-store' } as const;

    watch(person.fetch$(options));
    watch(person.save$());

    expect(url.mock.calls).toStrictEqual([
      [options, 'read'],
      [{}, 'update'],
    ]);
    expect(url.mock.contexts[0]).toBe(person);
  });

  it('callback of an object receives the same', () => {
    const url = vi.fn<UrlCallback>(() => '/person');
    const { person } = withPerson({ config: { url: { read: url } } });

    watch(person.fetch$());

    expect(url.mock.calls).toStrictEqual([[{}, 'read']]);
    expect(url.mock.contexts[0]).toBe(person);
  });

  it('without a mapped id save creates, and fetch and destroy reject naming idAttribute', () => {
    const { root, server } = withPerson();
    const record = root.dataModel.boot({}, { url: '/person', idAttribute: 'key' });

    watch(record.save$());
    server.at(0).ok();
    const errors = [watch(record.fetch$()).error, watch(record.destroy$()).error];

    expect(server.lines).toStrictEqual(['POST /person']);
    expect(errors).toMatchObject([
      { code: 'NO_ID', message: expect.stringContaining('idAttribute') as string },
      { code: 'NO_ID', message: expect.stringContaining('idAttribute') as string },
    ]);
  });
});

describe('url of a collection', () => {
  it.each<[title: string, url: CollectionConfig<Item>['url'], line: string]>([
    ['a path', '/people', 'GET /people'],
    ['a path with a query', '/people?x=1#f', 'GET /people?x=1#f'],
    ['a path that ends in a slash', '/people/', 'GET /people/'],
    ['a method word', 'POST /people', 'POST /people'],
    ['a method word in lower case', 'search /people', 'SEARCH /people'],
    ['a URL', new URL('http://a.test:8080/people'), 'GET http://a.test:8080/people'],
    ['a callback', () => '/people', 'GET /people'],
    ['a callback with a method word', () => 'POST /people', 'POST /people'],
    ['an object', { read: '/all', create: '/new' }, 'GET /all'],
    ['an object with a callback', { read: () => 'POST /all' }, 'POST /all'],
    ['a callback that returns an object', () => ({ read: '/all' }), 'GET /all'],
    ['a path with a colon, which is no parameter here', '/people/:kind', 'GET /people/:kind'],
  ])('may be %s', (_title, url, line) => {
    const { people, server } = withPeople({ config: { url } });

    watch(people.fetch$());

    expect(server.lines).toStrictEqual([line]);
  });

  it("callback receives the caller's options and the action, with the collection as this", () => {
    const url = vi.fn<UrlCallback>(() => '/people');
    const { people } = withPeople({ config: { url } });
    const options = { cache: 'no-store' } as const;

    watch(people.fetch$(options));
    watch(people.create$(ann));

    expect(url.mock.calls[0]).toStrictEqual([options, 'read']);
    expect(url.mock.calls[1]?.[1]).toBe('create');
    expect(url.mock.contexts).toStrictEqual([people, people]);
  });

  it.each([[undefined], [null], [''], [' '], [() => null], [{ create: '/new' }]])(
    '%o rejects with NO_URL',
    (url) => {
      const { people, server } = withPeople({ config: { url: url as string } });

      const { error } = watch(people.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'NO_URL', action: 'read' },
        sent: [],
      });
    },
  );
});

describe('any text', () => {
  const text = fc.string({ minLength: 1, unit: codePoint }).filter((value) => !['.', '..'].includes(value));

  it('as the id is one segment of the path that decodes back to it', () => {
    fc.assert(
      fc.property(text, (id) => {
        const { person, server } = withPerson({ values: { id } });

        watch(person.fetch$());

        const segments = new URL(server.at(0).request.url, 'http://a.test').pathname.split('/');
        expect(segments.map(decodeURIComponent)).toStrictEqual(['', 'person', id]);
      }),
    );
  });

  it('as a parameter of the query is one value that decodes back to it', () => {
    fc.assert(
      fc.property(text, (name) => {
        const { person, server } = withPerson({ config: { url: '/person?name=:name' }, values: { name } });

        watch(person.fetch$());

        const { searchParams } = new URL(server.at(0).request.url, 'http://a.test');
        expect([...searchParams]).toStrictEqual([['name', name]]);
      }),
    );
  });

  it('is never the scheme or the host, whatever the url', () => {
    const slashes = ['/', '//', '\\', ':', '\t', '\u0001', ' ', '?', '#', '@'];
    const pieces = [...slashes, 'http:', 'https:', 'b.test', ':name', ':id'];
    const url = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
      .map((each) => each.join(''));
    const originWith = (id: string, name: string, url: DataModelConfig['url'], base: string) => {
      const { person, server } = withPerson({ config: { url }, values: { id, name } });
      watch(person.fetch$());
      const [sent] = server.sent;
      const { protocol, host } = (sent && URL.parse(sent.url, base)) ?? {};
      return [protocol, host];
    };
    const value = fc.constantFrom('http', 'https', 'c.test', 'd.test', 'x');
    fc.assert(
      fc.property(
        url,
        fc.boolean(),
        fc.constantFrom('http', 'https'),
        value,
        value,
        (text, isByAction, scheme, id, name) => {
          const origins = [
            [id, name],
            ['y', 'z'],
          ].map(([first = '', second = '']) =>
            originWith(first, second, isByAction ? { read: text } : text, `${scheme}://a.test`),
          );

          expect(origins[0]).toStrictEqual(origins[1]);
        },
      ),
    );
  });
});

describe('the method word HEAD', () => {
  it('is used for a read', () => {
    const { person, server } = withPerson({ config: { url: 'HEAD /person' } });

    watch(person.fetch$());

    expect(server.lines).toStrictEqual(['HEAD /person/7']);
  });

  it.each(['head', 'Get'])('is not used for a save, nor is another word for reads: %s', (word) => {
    const { person, server } = withPerson({ config: { url: `${word} /person` } });

    watch(person.save$());

    expect(server.lines).toStrictEqual(['PUT /person/7']);
  });

  it.each(['HEADER', 'WIDGET'])('is not taken from the word %s, which is used for a save', (word) => {
    const { person, server } = withPerson({ config: { url: `${word} /person` } });

    watch(person.save$());

    expect(server.lines).toStrictEqual([`${word} /person/7`]);
  });
});
