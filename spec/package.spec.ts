import { execFile } from 'node:child_process';
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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import manifest from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));

/** A project of somebody who has installed the tarball, beside rxjs. */
const scratch = mkdtempSync(join(tmpdir(), 'rivulet-package-'));
const installed = join(scratch, 'node_modules/rivulet');

beforeAll(async () => {
  if (isStale()) await run('npm', ['run', 'build'], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch], { cwd: root });
  mkdirSync(installed, { recursive: true });
  const tarball = join(scratch, `rivulet-${manifest.version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  symlinkSync(join(root, 'node_modules/rxjs'), join(scratch, 'node_modules/rxjs'), 'dir');
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
}, 120_000);

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe('the tarball', () => {
  it('holds what was built, the manifest and the papers, and nothing else', () => {
    const files = filesIn(installed);
    const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    const stray = files.filter((file) => !papers.includes(file) && !/^dist\/[^/]+$/.test(file));
    expect(stray).toEqual([]);
    const missing = papers.filter((file) => existsSync(join(root, file)) && !files.includes(file));
    expect(missing).toEqual([]);
  });

  it('holds in dist the targets of package.json, chunks that they share, and source maps', () => {
    const files = filesIn(join(installed, 'dist'));
    const code = /^(?:index|chunk-\w+)\.(?:js|cjs)(?:\.map)?$/;
    const declarations = /^(?:index|index-\w+|[a-z-]+-\w{8})\.d\.(?:ts|cts)$/;
    expect(files.filter((file) => !code.test(file) && !declarations.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts']));
  });

  it('holds every file that its manifest leads to', () => {
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

/** The same in TypeScript, with an error that only sound declarations make one. */
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

describe('the package works', () => {
  it('from an ES module', async () => {
    write(
      'plain.mjs',
      `import { DataModel, Field, RequestError, lib } from 'rivulet'; import { BehaviorSubject } from 'rxjs'; ${work}`,
    );
    expect(await outputOf('plain.mjs')).toEqual(printed);
  });

  it('from a CommonJS file', async () => {
    write(
      'plain.cjs',
      `const { DataModel, Field, RequestError, lib } = require('rivulet'); const { BehaviorSubject } = require('rxjs'); ${work}`,
    );
    expect(await outputOf('plain.cjs')).toEqual(printed);
  });

  it.each([
    { source: 'bundler.ts', output: 'bundler.js', resolution: 'bundler' },
    { source: 'node.mts', output: 'node.mjs', resolution: 'node16' },
    { source: 'node.cts', output: 'node.cjs', resolution: 'node16' },
  ] as const)(
    'from TypeScript, $source with moduleResolution $resolution',
    { timeout: 60_000 },
    async ({ source, output, resolution }) => {
      write(source, typed);
      expect(compile(source, resolution)).toEqual([]);
      expect(await outputOf(output)).toEqual(printed);
    },
  );

  it('with its manifest for those who ask for it', async () => {
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
  const built = ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'].map((file) => `${root}dist/${file}`);
  if (!built.every((file) => existsSync(file))) return true;
  const sources = [`${root}tsup.config.ts`, ...filesIn(`${root}lib`).map((file) => `${root}lib/${file}`)];
  const changed = (file: string) => statSync(file).mtimeMs;
  return Math.max(...sources.map(changed)) > Math.min(...built.map(changed));
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
async function outputOf(file: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [join(scratch, file)], { cwd: scratch });
  return JSON.parse(stdout) as unknown;
}

/** Compiles one file of the scratch project beside itself; what the compiler has against it and its packages. */
function compile(file: string, resolution: 'bundler' | 'node16'): string[] {
  const isBundler = resolution === 'bundler';
  const program = ts.createProgram([join(scratch, file)], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: isBundler ? ts.ModuleKind.ESNext : ts.ModuleKind.Node16,
    moduleResolution: isBundler ? ts.ModuleResolutionKind.Bundler : ts.ModuleResolutionKind.Node16,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file: source, messageText }) =>
      `${source?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}
