import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import current from 'typescript';
import oldest from 'typescript-oldest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import manifest from '../package.json' with { type: 'json' };

import { exportsOf } from './exports-of';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));

/** What a build produces for each entry. */
const names = [
  'index',
  'angular',
  'autosave',
  'etag',
  'live',
  'paging',
  'resilience',
  'schema',
  'testing',
  'views',
];
const built = names.flatMap((entry) =>
  ['js', 'cjs', 'd.ts', 'd.cts'].map((extension) => `${entry}.${extension}`),
);

/** A project with the tarball installed, alongside rxjs and Angular. */
const scratch = mkdtempSync(join(tmpdir(), 'rivulet-package-'));
const installed = join(scratch, 'node_modules/rivulet');

beforeAll(async () => {
  if (isStale()) await run('npm', ['run', 'build'], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch], { cwd: root });
  mkdirSync(installed, { recursive: true });
  const tarball = join(scratch, `rivulet-${manifest.version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const peer of ['rxjs', '@angular']) {
    symlinkSync(join(root, 'node_modules', peer), join(scratch, 'node_modules', peer), 'dir');
  }
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
}, 120_000);

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe('the tarball', () => {
  it('contains what was built, the manifest and the documents, and nothing else', () => {
    const files = filesIn(installed);
    const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    const stray = files.filter(
      (file) => !papers.includes(file) && !/^(?:dist\/[^/]+|docs\/[A-Z-]+\.md)$/.test(file),
    );
    expect(stray).toEqual([]);
    const missing = papers.filter((file) => existsSync(join(root, file)) && !files.includes(file));
    expect(missing).toEqual([]);
  });

  it('contains in dist the targets of package.json, chunks that they share, and source maps', () => {
    const files = filesIn(join(installed, 'dist'));
    const code = new RegExp(`^(?:${names.join('|')}|chunk-\\w+)\\.(?:js|cjs)(?:\\.map)?$`);
    const declarations = new RegExp(`^(?:${names.join('|')}|index-\\w+|[a-z-]+-[\\w-]{8})\\.d\\.(?:ts|cts)$`);
    expect(files.filter((file) => !code.test(file) && !declarations.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(built));
    const scripts = files.filter((file) => /\.c?js$/.test(file));
    expect(scripts.length).toBeGreaterThan(2 * names.length);
    expect(files).toEqual(expect.arrayContaining(scripts.map((file) => `${file}.map`)));
  });

  it('contains every file that its manifest refers to', () => {
    const { exports, main, module, types } = manifest;
    const targets = targetsOf({ exports, main, module, types }).map((file) => file.replace(/^\.\//, ''));
    const files = filesIn(installed);
    expect(targets).toContain('dist/index.js');
    expect(targets.filter((file) => !files.includes(file))).toEqual([]);
  });
});

/** What each program below does and prints: a record is saved and read back, without a server. */
const work = `
  class Person extends DataModel {
    id = lib.observable().map('id', this);
    city = lib.observable('London').map('address.city', this);
  }
  lib.sync = () => ({ id: 1 });
  const person = new Person();
  person.save().then(() => {
    const isField = person.city instanceof Field && lib.observable(0) instanceof Field;
    const isSubject = person.city instanceof BehaviorSubject;
    const isError = RequestError.prototype instanceof Error;
    console.log(JSON.stringify({ data: person.get(), isField, isSubject, isError }));
  });
`;

const printed = {
  data: { id: 1, address: { city: 'London' } },
  isField: true,
  isSubject: true,
  isError: true,
};

/** The same in TypeScript, with an error that only sound declarations cause. */
const typed = `
  import { DataModel, Field, RequestError, lib } from 'rivulet';
  import { BehaviorSubject } from 'rxjs';
  class Person extends DataModel {
    readonly id = lib.observable<number>().map('id', this);
    readonly city = lib.observable('London').map('address.city', this);
  }
  lib.sync = () => ({ id: 1 });
  const person = new Person();
  // @ts-expect-error -- no such key
  const misspelt: Parameters<typeof person.set>[0] = { adress: { city: 'London' } };
  void person.save().then((response: Response) => {
    const data: { id: number | undefined; address: { city: string } } = person.get();
    const isField = person.city instanceof Field && lib.observable(0) instanceof Field;
    const isSubject = person.city instanceof BehaviorSubject;
    const isError = response.ok && RequestError.prototype instanceof Error;
    console.log(JSON.stringify({ data, isField, isSubject, isError }));
  });
  export { Field };
`;

/** Records and lists of a schema, with an error that only sound declarations cause. */
const typedSchema = `
  import { lib } from 'rivulet';
  import type { Collection, MappedField } from 'rivulet';
  import { defineRecord, errorsOf, listOf } from 'rivulet/schema';
  import type { StandardSchema } from 'rivulet/schema';
  declare const schema: StandardSchema<{ name: string; address: { city: string } }>;
  const Dog = defineRecord({ schema, initial: { name: '', address: { city: '' } } });
  const dog = new Dog(lib);
  const city: MappedField<string, 'address.city'> = dog.address.city;
  const data: { name: string; address: { city: string } } = dog.get();
  const dogs: Collection<{ name: string; address: { city: string } }> = lib.collection(listOf({ schema }));
  // @ts-expect-error -- the initial data lack a key
  defineRecord({ schema, initial: { name: '' } });
  export const all = [city, data, dogs, errorsOf(dog, city).value];
`;

/** A list that is read page by page and follows changes, with an error that only sound declarations cause. */
const typedLive = `
  import { followChanges, poll, serverEvents } from 'rivulet/live';
  import type { Change } from 'rivulet/live';
  import { PagedCollection, nextLink } from 'rivulet/paging';
  import { map } from 'rxjs';
  interface Person { readonly id: number; readonly name: string; readonly version: number }
  const people = new PagedCollection<Person>({ url: '/people', next: nextLink });
  const changes$ = serverEvents('/changes').pipe(map(({ data }) => JSON.parse(data) as Change<Person>));
  export const feed = followChanges(people, changes$, { version: ({ version }) => version });
  export const polling = poll(people, { every: 1000 });
  export const names = people.page$.value?.items.map(({ name }) => name);
  // @ts-expect-error -- no such kind
  export const wrong: Change<Person> = { kind: 'update', item: { id: 1 } };
`;

/** A library whose declarations name inferred types: no part of them is private to this package. */
const library = `
  import { Collection, DataModel, lib } from 'rivulet';
  import type { DataOf, PartOf, PathOf, ValueAt } from 'rivulet';
  import { defineRecord } from 'rivulet/schema';
  import type { StandardSchema } from 'rivulet/schema';
  export class Base extends DataModel {
    readonly id = lib.observable<number>().map('id', this);
    snapshot() {
      return this.get();
    }
    get patch$() {
      return this.changes$;
    }
  }
  export class Items extends Collection<{ id: number; name: string }> {
    constructor() {
      super({ url: '/items', data: [{ id: 1, name: 'Ada' }] }, lib);
    }
    readonly first = this.record(1);
  }
  // @ts-expect-error -- for the list itself
  export const end = new Items().end;
  export const dataOf = <R extends DataModel>(record: R) => record.get();
  export function valueAt<R extends DataModel, P extends PathOf<R>>(record: R, path: P): ValueAt<DataOf<R>, P> {
    return record.get(path);
  }
  export function partAt<R extends DataModel>(record: R, paths: readonly PathOf<R>[]): PartOf<R> {
    return record.get(paths);
  }
  declare const schema: StandardSchema<{ name: string; address: { city: string; geo: { lat: number } } }>;
  export const Dog = defineRecord({ schema });
  export const lat: number = new Dog().address.geo.lat.value;
  export class Puppy extends Dog {
    readonly city: string = this.address.city.value;
  }
`;

/** An Angular component's members, with an error that only sound declarations cause. */
const typedAngular = `
  import type { ApplicationConfig, Signal, WritableSignal } from '@angular/core';
  import { form, submit } from '@angular/forms/signals';
  import { DataModel, lib } from 'rivulet';
  import type { Lib } from 'rivulet';
  import { formModel, injectRecord, linkId, provideRivulet, saveForm, toSignals } from 'rivulet/angular';
  class Person extends DataModel {
    readonly id = lib.observable<number>().map('id', this);
    readonly city = lib.observable('London').map('address.city', this);
    constructor(root: Lib) {
      super({ url: '/people' }, root);
    }
  }
  export const config: ApplicationConfig = { providers: [provideRivulet({ timeout: 5 })] };
  export class PersonPage {
    readonly person = injectRecord(Person);
    readonly signals = toSignals(this.person);
    readonly city: WritableSignal<string> = this.signals.city;
    readonly isDirty: Signal<boolean> = this.signals.isDirty;
    readonly isShown: Signal<boolean> = linkId(this.person, () => 7);
    readonly form = form(formModel(this.person));
    readonly street: string = this.form.address.city().value();
    // @ts-expect-error -- no such field
    readonly none = this.signals.stret;
    save(): Promise<boolean> {
      return submit(this.form, saveForm(this.person));
    }
  }
`;

describe('the package works', () => {
  it('from an ES module', async () => {
    write(
      'plain.mjs',
      `import { DataModel, Field, RequestError, lib } from 'rivulet'; import { BehaviorSubject } from 'rxjs'; ${work}`,
    );
    expect(await outputOf('plain.mjs')).toEqual(printed);
  });

  it.each([['where that loads ES modules'], ['where it does not', '--no-experimental-require-module']])(
    'from a CommonJS file, %s',
    async (_, ...flags) => {
      write(
        'plain.cjs',
        `const { DataModel, Field, RequestError, lib } = require('rivulet'); const { BehaviorSubject } = require('rxjs'); ${work}`,
      );
      expect(await outputOf('plain.cjs', ...flags)).toEqual(printed);
    },
  );

  it('in one copy of each entry, however it is imported', async () => {
    const entries = names.map((name) => (name === 'index' ? 'rivulet' : `rivulet/${name}`));
    write(
      'copies.mjs',
      `import '@angular/compiler';
       import { createRequire } from 'node:module';
       const require = createRequire(import.meta.url);
       const strange = [];
       for (const entry of ${JSON.stringify(entries)}) {
         const imported = await import(entry);
         const required = require(entry);
         const keys = new Set([...Object.keys(imported), ...Object.keys(required)]);
         strange.push(...[...keys].filter((key) => required[key] !== imported[key]).map((key) => entry + ' ' + key));
       }
       console.log(JSON.stringify(strange));`,
    );
    expect(await outputOf('copies.mjs')).toEqual([]);
  });

  it('and each entry has the values that its declarations declare', async () => {
    write(
      'values.mjs',
      `import '@angular/compiler';
       const values = {};
       for (const name of ${JSON.stringify(names)}) {
         values[name] = Object.keys(await import('./node_modules/rivulet/dist/' + name + '.js')).sort();
       }
       console.log(JSON.stringify(values));`,
    );
    const values = await outputOf('values.mjs');
    for (const extension of ['d.ts', 'd.cts']) {
      const declared = names.map((name) => [
        name,
        exportsOf(join(installed, `dist/${name}.${extension}`)).values,
      ]);
      expect(Object.fromEntries(declared)).toEqual(values);
    }
  });

  it('from TypeScript, with all its types, as Node resolves modules', { timeout: 60_000 }, async () => {
    const sources = {
      'node.mts': typed,
      'node.cts': typed,
      'angular.mts': typedAngular,
      'live.mts': typedLive,
      'schema.mts': typedSchema,
      'library.mts': library,
    };
    for (const [file, text] of Object.entries(sources)) write(file, text);
    // In one go: most of the time goes into the types of the platform.
    expect(compile(Object.keys(sources), 'node16')).toEqual([]);
    for (const output of ['node.mjs', 'node.cjs']) expect(await outputOf(output)).toEqual(printed);
  });

  it('from TypeScript with the types of Node instead of those of a browser', { timeout: 60_000 }, () => {
    write('server.mts', typed);
    write('server-live.mts', typedLive);
    write(
      'options.mts',
      `import type { FetchOptions } from 'rivulet';
       // @ts-expect-error -- no headers
       export const headers: FetchOptions['headers'] = 5;`,
    );
    const files = ['server.mts', 'server-live.mts', 'options.mts'];
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    expectCompiles(files, '--module', 'node16', '--lib', 'es2022', ...types);
  });

  it('from the oldest TypeScript that is supported', { timeout: 60_000 }, () => {
    const sources = {
      'old.ts': typed,
      'old-live.ts': typedLive,
      'old-schema.ts': typedSchema,
      'old-library.ts': library,
    };
    for (const [file, text] of Object.entries(sources)) write(file, text);
    expect(oldest.version).toMatch(/^5\.4\./);
    expect(compile(Object.keys(sources), 'bundler', oldest as unknown as typeof current)).toEqual([]);
  });

  it(
    'from the newest TypeScript, which is another compiler, as bundlers resolve modules',
    { timeout: 60_000 },
    async () => {
      const sources = {
        'new.ts': typed,
        'new-angular.ts': typedAngular,
        'new-live.ts': typedLive,
        'new-schema.ts': typedSchema,
        'new-library.ts': library,
      };
      for (const [file, text] of Object.entries(sources)) write(file, text);
      const platform = ['--types', '', '--lib', 'es2022,dom,dom.iterable'];
      const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
      expectCompiles(Object.keys(sources), '--declaration', ...modules, ...platform);
      expect(await outputOf('new.js')).toEqual(printed);
    },
  );

  it.each([
    { file: 'angular.mjs', load: (name: string) => `await import('${name}')` },
    { file: 'angular.cjs', load: (name: string) => `require('${name}')` },
  ])('with Angular, on one copy of the core, $file', async ({ file, load }) => {
    write(
      file,
      `(async () => {
         ${load('@angular/compiler')};
         const { Injector, PendingTasks, createEnvironmentInjector } = ${load('@angular/core')};
         const { DataModel, Field, lib } = ${load('rivulet')};
         const { injectCollection, injectRecord, provideRivulet, toSignals } = ${load('rivulet/angular')};
         const injector = createEnvironmentInjector([
           provideRivulet({ timeout: 5 }),
           { provide: PendingTasks, useValue: {} },
         ], Injector.NULL);
         const dog = injectRecord((root) => Object.assign(new DataModel({}, root), { name: lib.observable('Rex') }), { injector });
         const { name } = toSignals(dog, { injector });
         name.set('Bello');
         const isShared = injectCollection({}, { injector }) instanceof lib.collection([]).constructor;
         console.log(JSON.stringify({ name: dog.name.value, isField: dog.name instanceof Field, isShared }));
       })();`,
    );
    expect(await outputOf(file)).toEqual({ name: 'Bello', isField: true, isShared: true });
  });

  it('with its default root, also if nothing but the class of records is imported', async () => {
    const entry = join(scratch, 'record.js');
    const code = `
      import { DataModel } from 'rivulet';
      globalThis.fetch = async (url, { method }) => new Response(null, { status: url === '/people' && method === 'POST' ? 204 : 500 });
      const { status } = await new DataModel({ url: '/people' }).save();
      console.log(status);`;
    writeFileSync(entry, code);
    const outfile = join(scratch, 'record.out.js');
    await build({
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      minify: true,
      platform: 'node',
      outfile,
    });
    expect((await run(process.execPath, [outfile])).stdout.trim()).toBe('204');
  });

  it('with Angular, and keeps unused code out of a bundle', async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { toWritableSignal } from 'rivulet/angular';`, resolveDir: scratch },
      external: ['rxjs', '@angular/*'],
      bundle: true,
      format: 'esm',
      write: false,
    });
    const code = outputFiles[0]?.text ?? '';
    expect(code).toContain('toWritableSignal');
    expect(code).not.toContain('new InjectionToken');
    expect(code).not.toContain('withCredentials');
  });

  it.each([
    { file: 'schema.mjs', load: (name: string) => `await import('${name}')` },
    { file: 'schema.cjs', load: (name: string) => `require('${name}')` },
  ])('with a schema, on one copy of the core, $file', async ({ file, load }) => {
    write(
      file,
      `(async () => {
         const { DataModel, lib } = ${load('rivulet')};
         const { SchemaError, defineRecord } = ${load('rivulet/schema')};
         const validate = (value) => value.name ? { value } : { issues: [{ message: 'empty', path: ['name'] }] };
         const schema = { '~standard': { version: 1, vendor: 'spec', validate } };
         const Dog = defineRecord({ schema, initial: { name: '' } });
         const dog = new Dog();
         const error = await dog.save().catch((reason) => reason);
         lib.sync = () => ({ name: 'Bello' });
         dog.name.next('Rex');
         await dog.save();
         const isShared = dog instanceof DataModel && error instanceof SchemaError;
         console.log(JSON.stringify({ name: dog.name.value, issues: error.issues, isShared }));
       })();`,
    );
    const issues = [{ path: 'name', message: 'empty' }];
    expect(await outputOf(file)).toEqual({ name: 'Bello', issues, isShared: true });
  });

  it.each([
    { file: 'resilience.mjs', load: (name: string) => `await import('${name}')` },
    { file: 'resilience.cjs', load: (name: string) => `require('${name}')` },
  ])('with its interceptors, $file', async ({ file, load }) => {
    write(
      file,
      `(async () => {
         const { createLib } = ${load('rivulet')};
         const { retry } = ${load('rivulet/resilience')};
         const { of } = ${load('rxjs')};
         let sent = 0;
         const answers = [new Response(null, { status: 503 }), Response.json([{ id: 1 }])];
         const root = createLib({
           transport: (request) => of({ request, response: answers[sent++] }),
           interceptors: [retry({ delay: 0 })],
         });
         const people = root.collection({ url: '/people' });
         await people.fetch();
         console.log(JSON.stringify({ sent, length: people.length }));
       })();`,
    );
    expect(await outputOf(file)).toEqual({ sent: 2, length: 1 });
  });

  it('with its interceptors, and keeps unused code out of a bundle', async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { offlineHold } from 'rivulet/resilience';`, resolveDir: scratch },
      external: ['rxjs'],
      bundle: true,
      format: 'esm',
      write: false,
    });
    const code = outputFiles[0]?.text ?? '';
    expect(code).toContain('offlineHold');
    expect(code).not.toContain('idempotency-key');
    expect(code).not.toContain('retry-after');
  });

  it('with its manifest, which can be imported', async () => {
    write(
      'manifest.mjs',
      `import manifest from 'rivulet/package.json' with { type: 'json' };
       console.log(JSON.stringify(manifest.name));`,
    );
    expect(await outputOf('manifest.mjs')).toBe('rivulet');
  });
});

/** Whether `dist` is missing, incomplete, or older than what it is built from. */
function isStale(): boolean {
  const targets = built.map((file) => `${root}dist/${file}`);
  if (!targets.every((file) => existsSync(file))) return true;
  const sources = [`${root}tsup.config.ts`, ...filesIn(`${root}lib`).map((file) => `${root}lib/${file}`)];
  const changed = (file: string) => statSync(file).mtimeMs;
  return Math.max(...sources.map(changed)) > Math.min(...targets.map(changed));
}

/** Every path in a part of the manifest, at any depth. */
function targetsOf(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  return Object.values(part as Record<string, unknown>).flatMap(targetsOf);
}

/** The files of a folder at any depth, sorted. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

function write(file: string, text: string): void {
  writeFileSync(join(scratch, file), text);
}

/** What a program of the scratch project prints, which is JSON. */
async function outputOf(file: string, ...flags: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [...flags, join(scratch, file)], { cwd: scratch });
  return JSON.parse(stdout) as unknown;
}

/** Compiles files of the scratch project in place with the newest TypeScript, which is faster and has no API. */
function expectCompiles(files: readonly string[], ...options: readonly string[]): void {
  const compiler = join(root, 'node_modules/typescript-newest/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
  const tsc = (...args: readonly string[]) =>
    spawnSync(process.execPath, [compiler, ...args], { cwd: scratch, encoding: 'utf8' });

  expect(tsc('--version').stdout).toMatch(/^Version 7\./);
  expect(tsc(...strict, ...options, ...files)).toMatchObject({ status: 0, stdout: '', stderr: '' });
}

/** Compiles files of the scratch project in place; returns the errors in them and in the declarations of this package. */
function compile(files: readonly string[], resolution: 'bundler' | 'node16', ts = current): string[] {
  const isBundler = resolution === 'bundler';
  const program = ts.createProgram(
    files.map((file) => join(scratch, file)),
    {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      module: isBundler ? ts.ModuleKind.ESNext : ts.ModuleKind.Node16,
      moduleResolution: isBundler ? ts.ModuleResolutionKind.Bundler : ts.ModuleResolutionKind.Node16,
      strict: true,
      exactOptionalPropertyTypes: true,
      declaration: true,
      skipLibCheck: false,
    },
  );
  // The types of the platform and of the peers, which others check, would take most of the time.
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(relative(scratch, fileName)) || fileName.startsWith(installed));
  const diagnostics = own.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
    ...(source.isDeclarationFile
      ? []
      : [...program.getDeclarationDiagnostics(source), ...program.emit(source).diagnostics]),
  ]);
  return [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...diagnostics].map(
    ({ file: source, messageText }) =>
      `${source?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}
