import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The files of `lib/` from the lowest floor to the highest. Each imports lower floors only, types included. */
const floors = [
  ['rx.ts'],
  ['types.ts'],
  ['errors.ts', 'objects.ts', 'data-of.ts', 'ticket.ts'],
  [
    'amendments.ts',
    'equal.ts',
    'id.ts',
    'paths.ts',
    'request/abort.ts',
    'request/drain.ts',
    'request/lane.ts',
    'request/sending.ts',
  ],
  ['where.ts', 'items.ts', 'batch.ts', 'ok.ts'],
  ['batched-subject.ts', 'derived.ts', 'flags.ts'],
  ['places.ts', 'key-index.ts', 'resource.ts', 'request/shielded.ts'],
  ['request/streams.ts'],
  ['entry.ts', 'list.ts', 'save-latest.ts', 'request/options.ts', 'request/response.ts'],
  ['conflicts.ts', 'confirmed.ts', 'pending.ts'],
  ['write.ts'],
  ['mapped-resource.ts'],
  ['record.ts'],
  ['observable.ts', 'request/url.ts', 'request/asked.ts', 'request/time-limit.ts'],
  ['request/exchange.ts', 'request/write-back.ts'],
  ['request/send.ts'],
  ['request/sync.ts'],
  ['request/lifecycle.ts'],
  ['members.ts'],
  ['data-model.ts'],
  ['item-record.ts'],
  ['live-records.ts'],
  ['list-resource.ts'],
  ['collection.ts'],
  ['lib.ts'],
  ['index.ts'],
  // The rest are entries of their own: above the core, so that it never imports them.
  ['angular/peers.ts', 'angular/member.ts'],
  [
    'angular/context.ts',
    'angular/problem.ts',
    'angular/transport.ts',
    'angular/with-at.ts',
    'angular/writes-ended.ts',
  ],
  [
    'angular/root.ts',
    'angular/signals.ts',
    'angular/link-id.ts',
    'angular/save-form.ts',
    'angular/bind-control.ts',
  ],
  ['angular/inject.ts', 'angular/form-model.ts'],
  ['angular/index.ts'],
  ['autosave/peers.ts'],
  ['autosave/edits.ts', 'autosave/end-of.ts', 'autosave/existence.ts'],
  ['autosave/autosave.ts'],
  ['autosave/index.ts'],
  ['etag/peers.ts'],
  ['etag/version.ts'],
  ['etag/etags.ts', 'etag/merge-conflicts.ts'],
  ['etag/index.ts'],
  ['schema/peers.ts', 'schema/and-then.ts', 'schema/data.ts'],
  ['schema/standard.ts', 'schema/fields.ts', 'schema/record.ts'],
  ['schema/schema-error.ts', 'schema/blank.ts'],
  ['schema/accepted.ts'],
  ['schema/errors.ts', 'schema/conforms.ts', 'schema/list-of.ts'],
  ['schema/validate-saves.ts'],
  ['schema/define-record.ts'],
  ['schema/index.ts'],
  ['resilience/peers.ts', 'resilience/options.ts', 'resilience/origin.ts', 'resilience/retry-after.ts'],
  ['resilience/exchange.ts', 'resilience/exchange-copy.ts', 'resilience/renewals.ts'],
  [
    'resilience/retry.ts',
    'resilience/idempotency-key.ts',
    'resilience/offline-hold.ts',
    'resilience/concurrency.ts',
    'resilience/dedupe.ts',
    'resilience/auth-refresh.ts',
  ],
  ['resilience/index.ts'],
  ['live/peers.ts', 'live/change.ts'],
  ['live/versions.ts', 'live/poll.ts', 'live/server-events.ts'],
  ['live/apply.ts'],
  ['live/follow-changes.ts'],
  ['live/index.ts'],
  ['paging/peers.ts', 'paging/page.ts'],
  ['paging/and-then.ts', 'paging/joined.ts', 'paging/next-link.ts'],
  ['paging/page-url.ts'],
  ['paging/task.ts'],
  ['paging/pages.ts'],
  ['paging/paged-collection.ts'],
  ['paging/index.ts'],
  ['testing/peers.ts'],
  ['testing/test-clock.ts', 'testing/test-request.ts'],
  ['testing/test-server.ts'],
  ['testing/index.ts'],
  ['views/peers.ts', 'views/paths.ts', 'views/sorted-list.ts', 'views/sum.ts'],
  ['views/order.ts'],
  ['views/rows.ts'],
  ['views/live.ts', 'views/window.ts', 'views/lookup.ts'],
  ['views/groups.ts', 'views/index-by.ts'],
  ['views/view.ts'],
  ['views/index.ts'],
];

/** The packages that files may import, by these names only: the core, and each entry by its folder. */
const packages = {
  core: ['rxjs'],
  angular: ['rxjs', '@angular/core', '@angular/common/http'],
  autosave: ['rxjs'],
  etag: ['rxjs'],
  schema: ['rxjs'],
  resilience: ['rxjs'],
  live: ['rxjs'],
  paging: ['rxjs'],
  testing: ['rxjs'],
  views: ['rxjs'],
};

/** Texts of source files by their path. */
type Sources = ReadonlyMap<string, string>;

/** One import statement: its file, what it names, and the file that it reaches. */
interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Undefined for a package, and for a file that does not exist. */
  readonly to: string | undefined;
}

describe('lib', () => {
  it('imports only lower floors and a few packages, without cycles; entries import only the index of the core', () => {
    const sources = sourcesIn(new URL('../lib/', import.meta.url));
    expect(sources.has('index.ts')).toBe(true);
    expect(problemsOf(sources, floors)).toEqual([]);
  });

  it('lists as taken from outside only what some file uses', () => {
    expect(unusedIn(sourcesIn(new URL('../lib/', import.meta.url)))).toEqual([]);
  });
});

describe('the check', () => {
  it('names both files of an upward import, a type import too', () => {
    const sources = new Map([
      ['low.ts', `import type { High } from './request/high';`],
      ['request/high.ts', `export interface High {}`],
    ]);
    expect(problemsOf(sources, [['low.ts'], ['request/high.ts']])).toEqual([
      'low.ts (floor 0) imports request/high.ts (floor 1): imports go down only',
    ]);
  });

  it('names both files of an import on one floor', () => {
    const sources = new Map([
      ['one.ts', `export { other } from './other';`],
      ['other.ts', 'export const other = 1;'],
    ]);
    expect(problemsOf(sources, [['one.ts', 'other.ts']])).toEqual([
      'one.ts (floor 0) imports other.ts (floor 0): imports go down only',
    ]);
  });

  it('names the files of a cycle, once', () => {
    const sources = new Map([
      ['a.ts', `import { b } from './b';`],
      ['b.ts', `import { c } from './c';`],
      ['c.ts', `import type { A } from './a';`],
    ]);
    expect(problemsOf(sources, [['c.ts'], ['b.ts'], ['a.ts']])).toEqual([
      'c.ts (floor 0) imports a.ts (floor 2): imports go down only',
      'a.ts → b.ts → c.ts → a.ts is a cycle',
    ]);
  });

  it('finds a cycle behind a file that leads into it', () => {
    const sources = new Map([
      ['entry.ts', `import './a';`],
      ['a.ts', `import './b';`],
      ['b.ts', `import './a';`],
    ]);
    expect(cyclesOf(importsIn(sources))).toEqual(['a.ts → b.ts → a.ts is a cycle']);
  });

  it('names a file that imports itself', () => {
    expect(problemsOf(new Map([['a.ts', `import './a';`]]), [['a.ts']])).toEqual([
      'a.ts (floor 0) imports a.ts (floor 0): imports go down only',
      'a.ts → a.ts is a cycle',
    ]);
  });

  it('names a file on no floor, one on two, and an entry without a file', () => {
    const sources = new Map([
      ['new.ts', ''],
      ['twice.ts', ''],
    ]);
    expect(problemsOf(sources, [['twice.ts'], ['twice.ts', 'gone.ts']])).toEqual([
      'new.ts is on no floor',
      'twice.ts is on more than one floor',
      'gone.ts is on a floor, and there is no such file',
    ]);
  });

  it('names an import of another package, of a part of rxjs, and of a file that does not exist', () => {
    const sources = new Map([
      ['a.ts', `import 'lodash'; import 'rxjs/ajax'; import 'node:fs'; import { x } from '../package.json';`],
    ]);
    expect(problemsOf(sources, [['a.ts']])).toEqual([
      `a.ts imports 'lodash': only 'rxjs' and files of lib/ are allowed`,
      `a.ts imports 'rxjs/ajax': only 'rxjs' and files of lib/ are allowed`,
      `a.ts imports 'node:fs': only 'rxjs' and files of lib/ are allowed`,
      `a.ts imports '../package.json': only 'rxjs' and files of lib/ are allowed`,
    ]);
  });

  it('names an import of an entry by the core, of the core past its index, and of one entry by another', () => {
    const sources = new Map([
      ['low.ts', `import './angular/index';`],
      ['index.ts', `export * from './low';`],
      ['other/index.ts', ''],
      ['angular/index.ts', `import '../low'; import '../index'; import '../other'; import './own';`],
      ['angular/own.ts', ''],
    ]);
    const plan = [['low.ts'], ['index.ts'], ['other/index.ts'], ['angular/own.ts'], ['angular/index.ts']];
    expect(problemsOf(sources, plan)).toEqual([
      'low.ts (floor 0) imports angular/index.ts (floor 4): imports go down only',
      'angular/index.ts imports low.ts: an entry imports its own files and the index of the core',
      'angular/index.ts imports other/index.ts: an entry imports its own files and the index of the core',
      'low.ts → angular/index.ts → low.ts is a cycle',
      'low.ts → angular/index.ts → index.ts → low.ts is a cycle',
    ]);
  });

  it('lets each entry import packages of its own, and only those', () => {
    const text = `import '@angular/core'; import 'rxjs'; import '@angular/forms';`;
    const sources = new Map([
      ['a.ts', `import '@angular/core';`],
      ['angular/b.ts', text],
    ]);
    expect(problemsOf(sources, [['a.ts'], ['angular/b.ts']])).toEqual([
      `a.ts imports '@angular/core': only 'rxjs' and files of lib/ are allowed`,
      `angular/b.ts imports '@angular/forms': only 'rxjs', '@angular/core', '@angular/common/http' and files of lib/ are allowed`,
    ]);
  });

  it.each([
    `import './up';`,
    `import up from './up';`,
    `import * as up from './up';`,
    `import { type Up } from './up';`,
    `import type { Up } from './up.ts';`,
    `export * from './up';`,
    `export type { Up } from './up';`,
    `export type Up = import('./up').Up;`,
    `export const up = () => import('./up');`,
    `/// <reference path="./up.ts" />`,
  ])('sees %s', (text) => {
    const sources = new Map([
      ['low.ts', text],
      ['up.ts', ''],
    ]);
    expect(problemsOf(sources, [['low.ts'], ['up.ts']])).toEqual([
      'low.ts (floor 0) imports up.ts (floor 1): imports go down only',
    ]);
  });

  it('reports nothing for downward imports, rxjs, and imports in comments and strings', () => {
    const sources = new Map([
      ['low.ts', `// import './up'\nexport const text = "import './up'";`],
      ['up.ts', `import { map } from 'rxjs'; import { text } from './low';`],
    ]);
    expect(problemsOf(sources, [['low.ts'], ['up.ts']])).toEqual([]);
  });

  it('names what a list takes from outside and no file imports from it, by whatever name', () => {
    const sources = new Map([
      ['rx.ts', `export { map, retry as again, tap } from 'rxjs'; export type { Observable } from 'rxjs';`],
      ['a.ts', `import { again as retry } from './rx'; import type { Observable } from './rx';`],
      ['live/peers.ts', `export { map } from 'rxjs';`],
      ['live/b.ts', `import { tap } from '../rx'; import { type map } from './peers';`],
    ]);
    expect(unusedIn(sources)).toEqual(['rx.ts lists map, which no file imports from it']);
  });
});

function problemsOf(sources: Sources, plan: readonly (readonly string[])[]): string[] {
  const imports = importsIn(sources);
  return [...misplaced(sources, plan.flat()), ...misdirected(imports, plan), ...cyclesOf(imports)];
}

function misplaced(sources: Sources, planned: readonly string[]): string[] {
  const files = [...sources.keys()];
  return [
    ...files.filter((file) => !planned.includes(file)).map((file) => `${file} is on no floor`),
    ...files
      .filter((file) => planned.indexOf(file) !== planned.lastIndexOf(file))
      .map((file) => `${file} is on more than one floor`),
    ...planned
      .filter((file) => !sources.has(file))
      .map((file) => `${file} is on a floor, and there is no such file`),
  ];
}

function misdirected(imports: readonly Import[], plan: readonly (readonly string[])[]): string[] {
  const floorOf = (file: string) => plan.findIndex((floor) => floor.includes(file));
  return imports.flatMap(({ from, specifier, to }) => {
    if (to !== undefined) {
      const [own, other] = [floorOf(from), floorOf(to)];
      // A file on no floor is reported by its name alone.
      if (own < 0) return [];
      if (other >= own) {
        return `${from} (floor ${String(own)}) imports ${to} (floor ${String(other)}): imports go down only`;
      }
      if ([entryOf(to), 'core'].includes(entryOf(from)) || to === 'index.ts') return [];
      return `${from} imports ${to}: an entry imports its own files and the index of the core`;
    }
    const allowed = packages[entryOf(from)];
    if (allowed.includes(specifier)) return [];
    const names = allowed.map((name) => `'${name}'`).join(', ');
    return `${from} imports '${specifier}': only ${names} and files of lib/ are allowed`;
  });
}

/** The entry that a file belongs to, by its folder. */
function entryOf(file: string): keyof typeof packages {
  const [folder = ''] = file.split('/');
  return (
    (Object.keys(packages).find((entry) => entry === folder) as keyof typeof packages | undefined) ?? 'core'
  );
}

/** Each cycle once, from where it was entered first. */
function cyclesOf(imports: readonly Import[]): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push(`${[...path.slice(start), file].join(' → ')} is a cycle`);
    if (start >= 0 || done.has(file)) return;
    for (const { from, to } of imports) if (from === file && to !== undefined) walk(to, [...path, file]);
    done.add(file);
  };
  for (const { from } of imports) walk(from, []);
  return cycles;
}

/** Every import of every file, once for each pair of files. */
function importsIn(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => {
    const { importedFiles, referencedFiles } = ts.preProcessFile(text, true, true);
    const specifiers = new Set([...importedFiles, ...referencedFiles].map(({ fileName }) => fileName));
    return [...specifiers].map((specifier) => ({ from, specifier, to: target(from, specifier, sources) }));
  });
}

/** What the lists of names from outside hold that no file imports from them. */
function unusedIn(sources: Sources): string[] {
  const used = new Set<string>();
  for (const [from, text] of sources) {
    for (const { moduleSpecifier, importClause } of statementsIn(text).filter(ts.isImportDeclaration)) {
      const list = target(from, (moduleSpecifier as ts.StringLiteral).text, sources);
      const names = importClause?.namedBindings as ts.NamedImports | undefined;
      for (const { name, propertyName = name } of names?.elements ?? [])
        used.add(`${String(list)} ${propertyName.text}`);
    }
  }
  return [...sources]
    .filter(([file]) => /^rx\.ts$|\/peers\.ts$/.test(file))
    .flatMap(([file, text]) =>
      statementsIn(text)
        .filter(ts.isExportDeclaration)
        .flatMap(({ exportClause }) =>
          (exportClause as ts.NamedExports).elements.map(({ name }) => name.text),
        )
        .filter((name) => !used.has(`${file} ${name}`))
        .map((name) => `${file} lists ${name}, which no file imports from it`),
    );
}

const statementsIn = (text: string): readonly ts.Statement[] =>
  ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest).statements.slice();

function target(from: string, specifier: string, sources: Sources): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  return [path, `${path}.ts`, `${path}/index.ts`].find((file) => sources.has(file));
}

function sourcesIn(folder: URL): Sources {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]));
}
