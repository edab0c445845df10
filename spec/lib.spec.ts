import { NEVER, defer } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib, lib } from 'rivulet';
import type { Around, Lib, LibOptions } from 'rivulet';

import { withPeople } from './people';
import { withPerson } from './person';
import { watch } from './watch';

describe('the base of a root', () => {
  it('provides the transport if the options name none, also after they are replaced', () => {
    const { server } = withPerson();
    const [other, root] = [withPerson().server, createLib({}, { transport: server.transport })];
    const fetch = () => watch(root.collection({ url: '/people' }).fetch$());

    fetch();
    root.options = { fetchOptions: { cache: 'reload' } };
    fetch();
    root.options.transport = undefined;
    fetch();
    root.options.transport = other.transport;
    fetch();

    expect([server.lines.length, other.lines.length]).toStrictEqual([3, 1]);
  });

  it('wraps its around outside that of the options, also after they are replaced', () => {
    const { server } = withPerson();
    const log: string[] = [];
    const noting =
      (name: string): Around =>
      (request$, { action }) =>
        defer(() => {
          log.push(`${name}: ${action}`);
          return request$;
        });
    const base = { transport: server.transport, around: noting('base') };
    const root = createLib({ around: noting('first') }, base);
    const fetch = () => watch(root.collection({ url: '/people' }).fetch$());

    fetch();
    root.options = { around: noting('second') };
    base.around = noting('other');
    fetch();
    root.options.around = undefined;
    fetch();

    const expected = ['base', 'first', 'base', 'second', 'base'].map((name) => `${name}: read`);
    expect([log, server.lines.length]).toStrictEqual([expected, 3]);
  });
});

describe('the options of a root', () => {
  it('are read again for each request', () => {
    const { root, person, server } = withPerson();

    root.options = { ...root.options, fetchOptions: { cache: 'reload' } };
    watch(person.fetch$());
    root.options.fetchOptions = { cache: 'no-cache' };
    watch(person.fetch$());

    expect(server.held.map(({ request }) => request.cache)).toStrictEqual(['reload', 'no-cache']);
  });

  it('of the default root are those of its records and collections', () => {
    const { options } = lib;
    const { server } = withPeople();
    lib.options = { transport: server.transport };
    try {
      watch(lib.collection({ url: '/people' }).fetch$());
    } finally {
      lib.options = options;
    }

    expect(server.lines).toStrictEqual(['GET /people']);
  });

  it('are those of one root, even if the same object was passed to another', () => {
    const { server } = withPerson();
    const options: LibOptions = { transport: server.transport, fetchOptions: { cache: 'reload' } };
    const [root, other] = [createLib(options), createLib(options)];

    root.options.fetchOptions = { headers: { authorization: 'of one' } };
    watch(other.dataModel.boot({}, { url: '/person' }).save$());

    expect(server.at(0).request.headers.has('authorization')).toBe(false);
    expect(server.at(0).request.cache).toBe('reload');
  });

  it('are none by default', () => {
    expect(createLib().options).toStrictEqual({});
  });

  it.each<[string, LibOptions]>([
    ['a transport', { transport: () => NEVER }],
    ['interceptors', { interceptors: [() => NEVER] }],
    ['a timeout', { timeout: 0 }],
  ])('that change while a request is pending apply from the next one on: %s', (_name, change) => {
    const { root, person, server } = withPerson();
    const fetched = watch(person.fetch$());

    Object.assign(root.options, change);
    server.at(0).ok({ name: 'Eve' });
    watch(person.fetch$());

    expect([person.name.value, fetched.error, server.lines.length]).toStrictEqual(['Eve', undefined, 1]);
  });
});

describe('createLib', () => {
  it('makes observables, with or without a value', () => {
    const root = createLib();

    expect([root.observable(1).value, root.observable().value]).toStrictEqual([1, undefined]);
  });

  it('makes collections of items, of a configuration or of nothing', () => {
    const root = createLib();

    expect([
      root.collection([1]).value,
      root.collection({ data: [1] }).value,
      root.collection().value,
    ]).toStrictEqual([[1], [1], []]);
  });
});

describe('the default root', () => {
  it('is a root like any other', () => {
    expect(Object.keys(lib).sort()).toStrictEqual(Object.keys(createLib()).sort());
    expect(lib.options).toStrictEqual({});
  });

  it('is not affected by what is set on another root', () => {
    const { sync, options } = lib;
    const dataModelSync = lib.dataModel.sync;
    const root = createLib({ timeout: 5 });

    root.sync = () => undefined;
    root.dataModel.sync = () => undefined;
    root.options.keepEdits = true;

    expect([lib.sync === sync, lib.dataModel.sync === dataModelSync, lib.options === options]).toStrictEqual([
      true,
      true,
      true,
    ]);
    expect(lib.options).toStrictEqual({});
  });
});

describe('two roots', () => {
  const recordOf = (root: Lib) => {
    const record = root.dataModel.boot({}, { url: '/person' });
    root.observable(7).map('id', record);
    return record;
  };

  it('do not share a transport', () => {
    const [one, two] = [withPerson(), withPerson()];

    watch(one.person.fetch$());

    expect([one.server.lines, two.server.lines]).toStrictEqual([['GET /person/7'], []]);
  });

  it('do not share a replaced sync', () => {
    const [one, two] = [createLib(), createLib()];
    const log: string[] = [];
    one.sync = (action) => void log.push(`one ${action}`);
    two.sync = (action) => void log.push(`two ${action}`);

    watch(recordOf(one).fetch$());
    watch(recordOf(two).fetch$());
    watch(one.collection({ url: '/people' }).create$(1));

    expect(log).toStrictEqual(['one read', 'two read', 'one create']);
  });

  it('do not share a replaced sync of their records', () => {
    const [one, two] = [createLib(), createLib()];
    const log: string[] = [];
    one.dataModel.sync = () => void log.push('one');
    two.sync = () => void log.push('two');

    watch(recordOf(one).fetch$());
    watch(recordOf(two).fetch$());

    expect(log).toStrictEqual(['one', 'two']);
  });

  it('call their sync, and that of their records, with the record or collection as this', () => {
    const root = createLib();
    const contexts: unknown[] = [];
    const record = recordOf(root);
    const people = root.collection({ url: '/people' });
    root.sync = function (this: unknown) {
      contexts.push(this);
    };
    watch(record.fetch$());
    watch(people.fetch$());
    root.dataModel.sync = root.sync;
    watch(record.fetch$());

    expect(contexts.map((each) => [record, people].indexOf(each as never))).toStrictEqual([0, 1, 0]);
  });

  it('do not share interceptors, time limits or keepEdits', () => {
    const one = withPerson({ options: { interceptors: [() => NEVER], timeout: 0, keepEdits: true } });
    const two = withPerson();
    two.person.name.next('typed');

    watch(one.person.fetch$());
    watch(two.person.fetch$());
    two.server.at(0).ok({ name: 'Eve' });

    expect([one.server.lines, two.person.name.value]).toStrictEqual([[], 'Eve']);
  });

  it('may use fields of each other: the record sends through its own root', () => {
    const [one, two] = [withPerson(), withPerson()];
    one.root.observable('b').map('nick', two.person);

    watch(two.person.save$());

    expect([one.server.lines, two.server.sent[0]?.body]).toStrictEqual([
      [],
      { id: 7, name: 'Ann', address: { city: 'Bonn' }, nick: 'b' },
    ]);
  });

  it('do not share options', () => {
    const one = withPerson({ options: { fetchOptions: { cache: 'reload' } } });
    const two = withPerson();
    one.root.sync = () => undefined;

    watch(two.person.fetch$());

    expect(two.server.held.map(({ request }) => request.cache)).toStrictEqual([undefined]);
  });
});
