import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const readme = `${root}README.md`;

/**
 * The most that each entry may weigh, minified and gzipped, without its peers and without what it shares with the core. A
 * ratchet: the limits come down with the weight.
 */
const entries = [
  { name: 'rivulet', file: 'lib/index', limit: 16_425, imports: ['rxjs'], part: 'saveLatest' },
  {
    name: 'rivulet/angular',
    file: 'lib/angular/index',
    limit: 2_560,
    imports: ['rxjs', 'rivulet', '@angular/core', '@angular/common/http'],
    part: 'bindControl',
  },
  {
    name: 'rivulet/autosave',
    file: 'lib/autosave/index',
    limit: 1_781,
    imports: ['rxjs', 'rivulet'],
    part: 'openConflicts$',
  },
  {
    name: 'rivulet/etag',
    file: 'lib/etag/index',
    limit: 1_120,
    imports: ['rxjs', 'rivulet'],
    part: 'mergeConflicts',
  },
  {
    name: 'rivulet/schema',
    file: 'lib/schema/index',
    limit: 3_019,
    imports: ['rxjs', 'rivulet'],
    part: 'defineRecord',
  },
  {
    name: 'rivulet/resilience',
    file: 'lib/resilience/index',
    limit: 2_854,
    imports: ['rxjs'],
    part: 'offlineHold',
  },
  {
    name: 'rivulet/live',
    file: 'lib/live/index',
    limit: 2_078,
    imports: ['rxjs', 'rivulet'],
    part: 'EventSource',
  },
  {
    name: 'rivulet/paging',
    file: 'lib/paging/index',
    limit: 3_709,
    imports: ['rxjs', 'rivulet'],
    part: 'PagedCollection',
  },
  {
    name: 'rivulet/testing',
    file: 'lib/testing/index',
    limit: 1_364,
    imports: ['rxjs'],
    part: 'expectOne',
  },
  {
    name: 'rivulet/views',
    file: 'lib/views/index',
    limit: 3_687,
    imports: ['rxjs', 'rivulet'],
    part: 'sortBy',
  },
];

describe.each(entries)('$name, minified and gzipped', ({ name, file, limit, imports, part }) => {
  let code: string;
  let size: number;

  beforeAll(async () => {
    code = await bundle(`export * from './${file}';`);
    size = gzipSync(code, { level: 9 }).byteLength;
  });

  it('weighs no more than its limit', () => {
    console.log(`${name}: ${String(size)} bytes (${kibibytes(size)} KiB) of ${String(limit)}`);
    expect(size).toBeLessThanOrEqual(limit);
  });

  it('contains what is exported, and none of its peers', () => {
    const specifiers = [...code.matchAll(/from"([^"]+)"/g)].map(([, specifier]) => specifier);
    expect(new Set(specifiers)).toEqual(new Set(imports));
    expect(code).toContain(part);
  });

  it('weighs what README.md states', () => {
    expect(new Set(sizesIn(readFileSync(readme, 'utf8'), name))).toEqual(new Set([kibibytes(size)]));
  });
});

describe('an entry that an application does not use', () => {
  it.each([
    `import 'rivulet';`,
    `import { DataModel, lib } from 'rivulet';`,
    `import 'rivulet/angular';`,
    `import { etags } from 'rivulet/etag';`,
    `import { provideRivulet } from 'rivulet/angular';`,
    `import { defineRecord } from 'rivulet/schema';`,
    `import 'rivulet/resilience';`,
    `import { retry, offlineHold } from 'rivulet/resilience';`,
    `import 'rivulet/views';`,
    `import { groups, index, view } from 'rivulet/views';`,
    `import 'rivulet/live';`,
    `import { followChanges, poll } from 'rivulet/live';`,
    `import { PagedCollection } from 'rivulet/paging';`,
  ])('weighs nothing after %s', async (code) => {
    expect(await bundle(code)).toBe('');
  });
});

describe('the sizes stated in a Markdown file', () => {
  const markdown = [
    'The core is 4.9 KiB; **4.7 KiB** with brotli.',
    '| other | 8.5 KiB |',
    '| rivulet | 5.0 KiB |',
    '| rivulet/angular | 2.1 KiB |',
    '`rivulet/angular` adds 2.0 KiB.',
    'At most 5 KiB.',
  ].join('\n');

  it('are those in prose and in its own row of a table, not those of others', () => {
    expect(sizesIn(markdown, 'rivulet')).toEqual(['4.9', '4.7', '5.0']);
    expect(sizesIn(markdown, 'rivulet/angular')).toEqual(['2.1', '2.0']);
  });

  it('are rounded to a tenth', () => {
    expect(kibibytes(4971)).toBe('4.9');
    expect(kibibytes(5120)).toBe('5.0');
  });
});

/** The sizes of an entry, which are in lines that name it; those in lines that name none are the core's. */
function sizesIn(markdown: string, entry: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('|') || /rivulet/i.test(line))
    .filter((line) => (/rivulet\/\w+/.exec(line)?.[0] ?? 'rivulet') === entry)
    .flatMap((line) => [...line.matchAll(/(\d+\.\d+) KiB/g)].map(([, number = '']) => number));
}

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

/** Excludes the core from an entry, which shares it with what an application has imported anyway. */
const coreOutside: Plugin = {
  name: 'core-outside',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/index$/ }, () => ({ path: 'rivulet', external: true }));
  },
};

/** The minified bundle that an application with this code would ship, without peers. */
async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    alias: Object.fromEntries(entries.map(({ name, file }) => [name, `${root}${file}.ts`]).reverse()),
    external: ['rxjs', '@angular/*'],
    plugins: [coreOutside],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    treeShaking: true,
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
