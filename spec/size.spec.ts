import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const readme = `${root}README.md`;

/**
 * The most that the core may weigh, minified and gzipped, rxjs outside. A ratchet: the goal is 5 KiB, and the limit comes
 * down with the weight.
 */
const limit = 8_145;

let size: number;

beforeAll(async () => {
  size = gzipSync(await bundle(`export * from './lib/index';`), { level: 9 }).byteLength;
});

describe('the core, minified and gzipped', () => {
  it('weighs no more than its limit', () => {
    console.log(`core: ${String(size)} bytes (${kibibytes(size)} KiB) of ${String(limit)}`);
    expect(size).toBeLessThanOrEqual(limit);
  });

  it('holds all that is exported, and rxjs not at all', async () => {
    const code = await bundle(`export * from './lib/index';`);
    const everything = [...code.matchAll(/from"([^"]+)"/g)].map(([, specifier]) => specifier);
    expect(new Set(everything)).toEqual(new Set(['rxjs']));
    expect(code).toContain('saveLatest');
  });

  it('weighs what README.md says', () => {
    const stated = existsSync(readme) ? sizesIn(readFileSync(readme, 'utf8')) : [];
    expect(stated.filter((figure) => figure !== kibibytes(size))).toEqual([]);
  });
});

describe('what an application does not use', () => {
  it.each([`import 'rivulet';`, `import { DataModel, lib } from 'rivulet';`])(
    'weighs nothing after %s',
    async (code) => {
      expect(await bundle(code)).toBe('');
    },
  );
});

describe('the sizes stated in a Markdown file', () => {
  it('are those in prose and in the own row of a table, not those of others', () => {
    const markdown = [
      'The core is 4.9 KiB; **4.7 KiB** with brotli.',
      '| other | 8.5 KiB |',
      '| rivulet | 5.0 KiB |',
      'At most 5 KiB.',
    ].join('\n');
    expect(sizesIn(markdown)).toEqual(['4.9', '4.7', '5.0']);
  });

  it('are rounded to a tenth', () => {
    expect(kibibytes(4971)).toBe('4.9');
    expect(kibibytes(5120)).toBe('5.0');
  });
});

function sizesIn(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('|') || /rivulet/i.test(line))
    .flatMap((line) => [...line.matchAll(/(\d+\.\d+) KiB/g)].map(([, number = '']) => number));
}

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

/** The minified bundle that an application with this code would ship, rxjs outside. */
async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    alias: { rivulet: `${root}lib/index.ts` },
    external: ['rxjs'],
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
