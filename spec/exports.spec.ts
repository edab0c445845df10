import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Options } from 'tsup';
import { describe, expect, it } from 'vitest';

import manifest from '../package.json' with { type: 'json' };
import tsupConfig from '../tsup.config';

import { exportsOf, undocumentedIn } from './exports-of';

/** The entries of the package, by their file in `lib/`, and all that they export. */
const entries = [
  {
    file: 'index.ts',
    load: () => import('../lib/index'),
    values: [
      'Collection',
      'DataModel',
      'Field',
      'RequestError',
      'createLib',
      'equal',
      'lib',
      'matcher',
      'ok',
      'saveLatest',
    ],
    types: [
      'Action',
      'Around',
      'AroundContext',
      'CollectionConfig',
      'Comparator',
      'Concern',
      'Conflict',
      'Criteria',
      'DataModelConfig',
      'DataOf',
      'Delta',
      'EventLike',
      'Exchange',
      'FetchOptions',
      'FetchOptionsSource',
      'Interceptor',
      'ItemRecord',
      'Lib',
      'LibOptions',
      'MappedField',
      'MappedPath',
      'NewItem',
      'Parse',
      'PartOf',
      'PatchOf',
      'PathOf',
      'PickedOf',
      'ReceivedOptions',
      'RequestContext',
      'RequestErrorCode',
      'RequestLull',
      'RequestOptions',
      'ResourceConfig',
      'Root',
      'SetOptions',
      'StateStream',
      'Sync',
      'Transport',
      'Url',
      'UrlByAction',
      'UrlCallback',
      'ValueAt',
      'WireRequest',
    ],
  },
  {
    file: 'angular/index.ts',
    load: async () => {
      // Angular's packages compile themselves as they are loaded.
      await import('@angular/compiler');
      return import('../lib/angular/index');
    },
    values: [
      'bindControl',
      'formModel',
      'injectCollection',
      'injectRecord',
      'injectRivulet',
      'linkId',
      'provideRivulet',
      'saveForm',
      'toSignals',
      'toWritableSignal',
      'withFetch',
    ],
    types: ['ContextOptions', 'Control', 'Disposable', 'FormError', 'RecordSignals', 'RivuletFeature'],
  },
  {
    file: 'autosave/index.ts',
    load: () => import('../lib/autosave/index'),
    values: ['autosave'],
    types: ['Autosave', 'AutosaveOptions', 'AutosaveState'],
  },
  {
    file: 'etag/index.ts',
    load: () => import('../lib/etag/index'),
    values: ['etags', 'mergeConflicts'],
    types: ['MergeConflictsOptions'],
  },
  {
    file: 'schema/index.ts',
    load: () => import('../lib/schema/index'),
    values: ['SchemaError', 'conforms', 'defineRecord', 'errorsOf', 'listOf', 'validateSaves', 'whole'],
    types: [
      'Errors',
      'FieldsOf',
      'InitialOf',
      'InputOf',
      'ListConfig',
      'OutputOf',
      'RecordConfig',
      'SchemaIssue',
      'SchemaRecord',
      'SchemaResult',
      'StandardIssue',
      'StandardSchema',
      'Whole',
    ],
  },
  {
    file: 'resilience/index.ts',
    load: () => import('../lib/resilience/index'),
    values: ['authRefresh', 'concurrency', 'dedupe', 'idempotencyKey', 'offlineHold', 'retry'],
    types: ['AuthRefreshOptions', 'IdempotencyKeyOptions', 'RetryOptions'],
  },
  {
    file: 'live/index.ts',
    load: () => import('../lib/live/index'),
    values: ['followChanges', 'poll', 'serverEvents'],
    types: [
      'Change',
      'FollowOptions',
      'PollOptions',
      'Readable',
      'ServerEvent',
      'ServerEventsOptions',
      'Version',
    ],
  },
  {
    file: 'paging/index.ts',
    load: () => import('../lib/paging/index'),
    values: ['PagedCollection', 'nextLink'],
    types: ['NextPage', 'Page', 'PagedConfig'],
  },
  {
    file: 'testing/index.ts',
    load: () => import('../lib/testing/index'),
    values: ['TestClock', 'TestRequest', 'TestServer'],
    types: ['RequestMatch'],
  },
  {
    file: 'views/index.ts',
    load: () => import('../lib/views/index'),
    values: ['groups', 'index', 'view'],
    types: [
      'Group',
      'GroupedView',
      'GroupedViewOptions',
      'Groups',
      'Index',
      'Key',
      'ListSource',
      'Order',
      'PageOptions',
      'PathIn',
      'ValueBy',
      'ValueIn',
      'View',
      'ViewOptions',
    ],
  },
];

describe.each(entries)('lib/$file', ({ file, load, values, types }) => {
  const path = fileURLToPath(new URL(`../lib/${file}`, import.meta.url));

  it('exports these values and no others, and no default', async () => {
    expect(Object.keys(await load()).sort()).toEqual(values);
  });

  it('exports these types and no others', () => {
    expect(exportsOf(path)).toEqual({ types, values });
  });

  it('documents whatever it exports, each member and overload', () => {
    expect(undocumentedIn(path)).toEqual([]);
  });
});

describe('the names of all entries', () => {
  it('have one meaning each, so that two can be imported side by side', () => {
    const names = entries.flatMap(({ values, types }) => [...values, ...types]);
    expect(names.filter((name, place) => names.indexOf(name) < place)).toEqual([]);
  });
});

describe('package.json', () => {
  it('has rxjs as its only required peer, Angular as an optional one, and no other dependencies', () => {
    const angular = ['@angular/common', '@angular/core'];
    expect(Object.keys(manifest.peerDependencies)).toEqual([...angular, 'rxjs']);
    expect(manifest.peerDependenciesMeta).toEqual(
      Object.fromEntries(angular.map((name) => [name, { optional: true }])),
    );
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('optionalDependencies');
    expect(manifest).not.toHaveProperty('bundledDependencies');
    expect(manifest).not.toHaveProperty('bundleDependencies');
  });

  it('requires the platforms that README.md promises', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const stated = (pattern: RegExp) => String(pattern.exec(readme)?.[1]);
    const angular = `>=${stated(/an Angular application, (\d+) or newer/)}.0.0`;
    expect(manifest.engines.node).toBe(`>=${stated(/^For Node (\d+\.\d+) or newer/m)}.0`);
    expect(manifest.peerDependencies).toEqual({
      '@angular/common': angular,
      '@angular/core': angular,
      rxjs: `^${stated(/RxJS (\d+\.\d+)\./)}.0`,
    });
  });

  it('declares no side effects', () => {
    expect(manifest.sideEffects).toBe(false);
  });

  it('runs nothing on installation', () => {
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts).not.toHaveProperty(script);
    }
  });

  it('exports everything that tsup builds, and itself', () => {
    const { './package.json': itself, ...entries } = manifest.exports;
    const { main, module, types } = manifest;
    const built = builtBy(tsupConfig);
    expect(itself).toBe('./package.json');
    expect([...new Set(targetsOf(entries))].sort()).toEqual(built);
    expect(built).toEqual(expect.arrayContaining([main, module, types]));
  });
});

/** Every file that an `exports` map refers to. */
function targetsOf(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  return Object.values(target as Record<string, unknown>).flatMap(targetsOf);
}

/** The files that tsup builds in a package of type "module": code and declarations for each entry and format. */
function builtBy(config: unknown): string[] {
  const { entry, format, dts, outDir = 'dist' } = config as Options;
  if (dts !== true) throw new Error('tsup.config.ts: dts must be on');
  const extensions = [format].flat().flatMap((name) => (name === 'cjs' ? ['cjs', 'd.cts'] : ['js', 'd.ts']));
  return Object.keys(entry as Record<string, string>)
    .flatMap((name) => extensions.map((extension) => `./${outDir}/${name}.${extension}`))
    .sort();
}
