import { fileURLToPath } from 'node:url';

import type { BehaviorSubject } from 'rxjs';
import ts from 'typescript';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, Interceptor, Lib } from 'rivulet';

import { blocksIn, blocksOf, documents, run } from './markdown';
import type { Block } from './markdown';
import { StubServer } from './stub';
import { watch } from './watch';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Blocks that must not compile, to show that the check finds out. */
const planted = [
  ...blocksIn(
    'planted.md',
    [
      '# Planted',
      '',
      '```ts',
      `import { lib } from 'rivulet';`,
      '',
      `lib.observable('a').nxet('b');`,
      '```',
      '',
      '- in a list, and strict:',
      '',
      '  ```ts title="person.ts"',
      `  import { lib } from 'rivulet';`,
      '  const items: number[] = [];',
      '  const first: number = items[0];',
      '  ```',
      '',
      '```ts',
      'const ok = ;',
      '```',
    ].join('\n'),
  ),
  ...blocksIn(
    'modules.md',
    '```ts\nconst a = 1;\n```\n\n```ts\nconst a = 2;\n```\n\n```ts\nconsole.log(a);\n```\n',
  ),
];

let errors: readonly string[];

beforeAll(() => {
  // In one go: most of the time goes into the types of the platform.
  errors = errorsIn([...documents().flatMap(blocksOf), ...planted]);
}, 60_000);

const errorsOf = (file: string) => errors.filter((error) => error.startsWith(`${file}:`));

describe('the documentation', () => {
  it('shows TypeScript in README.md', () => {
    const silent = documents().filter((file) => file === 'README.md' && blocksOf(file).length === 0);
    expect(silent).toEqual([]);
  });

  it('has no ts block that does not compile', () => {
    expect(documents().flatMap(errorsOf)).toEqual([]);
  });
});

describe('an example', () => {
  it('that is the smallest complete program sends what it says, and keeps what was typed in the meantime', async () => {
    const sent: string[] = [];
    vi.stubGlobal('document', { body: { classList: { toggle: vi.fn() } } });
    vi.stubGlobal('fetch', (url: string, { method, body }: { method: string; body: string }) => {
      sent.push(`${method} ${url} ${body}`);
      return Promise.resolve(Response.json({ id: 7 }));
    });
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const code = blocksOf('README.md').find((block) => block.code.includes('= person.save()'))?.code;
    const said = [...String(code).matchAll(/person\.save\(.*?\/\/ (.*)/g)].map(([, request]) => request);

    await run(String(code), ['person']);

    expect(sent).toEqual(said);
    expect(said).toHaveLength(2);
    expect(log.mock.calls).toEqual([[7, true]]);
  });

  it('of another store keeps all that is created, and assigns no id twice', async () => {
    const { local, store } = (await run('local.sync =', ['local', 'store'])) as {
      local: Lib;
      store: Map<number, { id: number; name: string }>;
    };
    const list = local.collection<{ id: number; name: string }>({});

    for (const name of ['Ann', 'Bo']) await list.create({ name });
    await list.record(1).destroy();
    await list.record({ name: 'Eve' }).save();
    await list.fetch();
    await list.record(2).fetch();

    expect(list.value.map(({ name }) => name)).toEqual(['Bo', 'Eve']);
    expect([...store.values()]).toEqual(list.value);
    expect((await list.record(99).fetch()).status).toBe(404);
  });

  it('of an envelope in both directions translates what is sent and answered, of records and of lists', async () => {
    const { jsonApi } = (await run('jsonApi', ['jsonApi'])) as { jsonApi: (type: string) => Interceptor };
    const server = new StubServer();
    const root = createLib({ interceptors: [jsonApi('people')], transport: server.transport });
    const list = root.collection<{ id: string; name: string }>({ url: '/people' });
    const resource = (id: string, name: string) => ({ type: 'people', id, attributes: { name } });

    watch(list.fetch$());
    server.at(0).ok({ data: [resource('7', 'Ann')] });
    watch(list.create$({ name: 'Bo' }));
    server.at(1).ok({ data: resource('8', 'Bo') });
    const record = list.record('8');
    record.name.next('Eve');
    watch(record.save$({ patch: true }));
    server.at(2).ok({ data: resource('8', 'Eve!') });
    watch(list.record({ id: '', name: 'Cy' }).save$());

    expect(list.value).toEqual([
      { id: '7', name: 'Ann' },
      { id: '8', name: 'Eve!' },
    ]);
    expect(server.lines).toEqual(['GET /people', 'POST /people', 'PATCH /people/8', 'POST /people']);
    expect([1, 2, 3].map((at) => JSON.parse(server.at(at).request.body as string) as unknown)).toEqual([
      { data: { type: 'people', attributes: { name: 'Bo' } } },
      { data: { type: 'people', id: '8', attributes: { name: 'Eve' } } },
      { data: { type: 'people', attributes: { name: 'Cy' } } },
    ]);
  });

  it('of a list in an envelope shows the page last asked for, with the total, also after a failure', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url);
      const page = Number(/_page=(\d)/.exec(url)?.[1]);
      const data = [{ id: page, name: `on page ${String(page)}` }];
      return Promise.resolve(
        page === 2 ? new Response('busy', { status: 503 }) : Response.json({ data, items: 300 }),
      );
    });
    const { people, page$, total$ } = (await run('total$', ['people', 'page$', 'total$'])) as {
      people: Collection<{ id: number; name: string }>;
      page$: BehaviorSubject<number>;
      total$: BehaviorSubject<number>;
    };
    await vi.waitFor(() => {
      expect([people.value, total$.value]).toEqual([[{ id: 1, name: 'on page 1' }], 300]);
    });

    page$.next(2);
    await vi.waitFor(() => {
      expect(people.error$.value).not.toBeNull();
    });
    page$.next(3);
    await vi.waitFor(() => {
      expect(people.value).toEqual([{ id: 3, name: 'on page 3' }]);
    });

    expect(people.error$.value).toBeNull();
    expect(asked).toEqual([1, 2, 3].map((page) => `/api/people?_page=${String(page)}&_per_page=50`));
  });

  it('of a server that answers a create with its location makes one record', async () => {
    const { located } = (await run('located', ['located'])) as { located: Interceptor };
    const server = new StubServer();
    const root = createLib({ interceptors: [located], transport: server.transport });
    const record = root.collection<{ id?: number; name: string }>({ url: '/people' }).record({ name: 'Ann' });

    watch(record.save$());
    watch(record.save$());
    server.at(0).respond(new Response(null, { status: 201, headers: { location: '/people/58' } }));

    expect(server.lines).toEqual(['POST /people', 'PUT /people/58']);
  });

  it('of a server that answers a create with its location adds the whole item to a list', async () => {
    const { located } = (await run('located', ['located'])) as { located: Interceptor };
    const server = new StubServer();
    const root = createLib({ interceptors: [located], transport: server.transport });
    const list = root.collection<{ id: number; name: string }>({ url: '/people' });

    watch(list.create$({ name: 'Ann' }));
    server
      .at(0)
      .respond(new Response(null, { status: 201, headers: { location: 'https://host/people/58/?v=1' } }));

    expect(list.value).toEqual([{ id: 58, name: 'Ann' }]);
  });

  it.each([
    [
      '{"detail":[{"loc":["body","address","city"],"msg":"too short"}]}',
      [{ path: ['address', 'city'], message: 'too short' }],
    ],
    ['{"errors":{"Address.City":["too short"]}}', [{ path: ['address', 'city'], message: 'too short' }]],
    ['{"detail":"Email taken"}', undefined],
    ['{"errors":[{"pointer":"#/name"}]}', [{ pointer: '#/name' }]],
    ['{"errors":null}', null],
    ['null', undefined],
    ['Bad', undefined],
    ['', undefined],
  ])('of errors in another format passes on a refusal %j that saveForm can read', async (body, errors) => {
    const { inOtherWords } = (await run('inOtherWords', ['inOtherWords'])) as { inOtherWords: Interceptor };
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status: 422 })));
    const root = createLib({ interceptors: [inOtherWords] });

    const refused = await root.dataModel.boot({}, { url: '/people' }).save();
    const problem: unknown = await refused.json().catch(() => undefined);

    expect(refused.status).toBe(422);
    expect((problem as { errors?: unknown } | undefined | null)?.errors).toEqual(errors);
  });

  it.each([
    ['/people', null],
    ['https://api.example.com/people', 'Bearer secret'],
    ['https://api.example.com.evil.org/people', null],
  ])('of a token sends it to its server only, so to %s: %s', async (url, sent) => {
    vi.stubGlobal('document', { baseURI: 'https://app.example.com/page' });
    vi.stubGlobal('sessionStorage', { getItem: () => 'secret' });
    const { withToken } = (await run('withToken', ['withToken'])) as { withToken: Interceptor };
    const server = new StubServer();
    const root = createLib({ interceptors: [withToken], transport: server.transport });

    watch(root.collection({ url }).fetch$());

    expect(server.at(0).request.headers.get('authorization')).toBe(sent);
  });
});

describe('the check', () => {
  it('names file, line and error of a block that does not compile', () => {
    expect(errorsOf('planted.md')).toEqual([
      expect.stringMatching(/^planted\.md:6: Property 'nxet' does not exist on type 'Field<string>'/),
      expect.stringMatching(/^planted\.md:14: Type 'number \| undefined' is not assignable/),
      expect.stringMatching(/^planted\.md:18: Expression expected/),
    ]);
  });

  it('compiles each block as a module of its own', () => {
    expect(errorsOf('modules.md')).toEqual([expect.stringMatching(/^modules\.md:10: Cannot find name 'a'/)]);
  });

  it('reads only ts blocks, and none inside blocks that show Markdown', () => {
    const markdown = '````md\n```ts\nno\n```\n````\n\n```js\nno\n```\n\n```tsx\nno\n```\n\n~~~ts\nyes\n~~~\n';
    expect(blocksIn('planted.md', markdown)).toEqual([{ file: 'planted.md', line: 16, code: 'yes' }]);
  });
});

/** The compiler errors in the blocks, as `file:line: message`. */
function errorsIn(blocks: readonly Block[]): string[] {
  const options = compilerOptions();
  const sources = new Map(blocks.map((block) => [pathOf(block), block]));
  const host = ts.createCompilerHost(options);
  host.fileExists = (path) => sources.has(path) || ts.sys.fileExists(path);
  host.readFile = (path) => sources.get(path)?.code ?? ts.sys.readFile(path);
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources].flatMap(([path, block]) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      (diagnostic) => messageOf(diagnostic, block),
    );
  });
}

/** Where the compiler finds a block: beside the Markdown, so that imports resolve as in a file of the repository. */
function pathOf({ file, line }: Block): string {
  return `${root}${file}.${String(line)}.ts`;
}

function messageOf({ file, start = 0, messageText }: ts.Diagnostic, block: Block): string {
  const line = block.line + (file?.getLineAndCharacterOfPosition(start).line ?? 0);
  return `${block.file}:${String(line)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

/** Those of the repository, except that unused names are allowed: an example may end by declaring one. */
function compilerOptions(): ts.CompilerOptions {
  const parsed = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  return {
    ...parsed?.options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
}
