import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What is generated, installed or measured, and so is not part of the repository. */
const made = /(^|\/)(node_modules|dist|coverage|reports|\.[^/]*)(\/|$)/;

/** Files and folders of the repository by their path from the root; folders end with a slash. */
const paths = [...listed(''), ...['.github/', '.ci/'].flatMap((folder) => [folder, ...listed(folder)])];

describe('the documents', () => {
  it('are found', () => {
    expect(documents()).toEqual(
      expect.arrayContaining(['README.md', '.github/SECURITY.md', 'bench/README.md']),
    );
  });

  it('link only to what exists', () => {
    expect(documents().flatMap((file) => brokenLinks(file, read(file)))).toEqual([]);
  });

  it('name only files that exist', () => {
    expect(documents().flatMap((file) => missingFiles(file, read(file)))).toEqual([]);
  });
});

describe('the check', () => {
  it('finds links to missing files and headings', () => {
    const markdown =
      '# Views\n[a](docs/NONE.md) [b](#views) [c](#none) [d](docs/RELIABILITY.md#figures) [e](docs/RELIABILITY.md#none) [f](https://x)';
    expect(brokenLinks('README.md', markdown)).toEqual([
      'README.md: docs/NONE.md',
      'README.md: #none',
      'README.md: docs/RELIABILITY.md#none',
    ]);
  });

  it('finds names of missing files', () => {
    const markdown =
      '`lib/none.ts`, `lib/record.ts`, `request/sync.ts`, `spec/laws/`, `lib/none/`, `none.spec.ts`';
    expect(missingFiles('README.md', markdown)).toEqual([
      'README.md: lib/none.ts',
      'README.md: lib/none/',
      'README.md: none.spec.ts',
    ]);
  });
});

/** Everything below a folder, except what is generated or hidden. */
function listed(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (made.test(entry.name)) return [];
    return entry.isDirectory() ? [`${path}/`, ...listed(`${path}/`)] : [path];
  });
}

function documents(): string[] {
  return paths.filter((path) => path.endsWith('.md'));
}

function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}

function brokenLinks(file: string, markdown: string): string[] {
  const targets = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target) && !isThere(file, target, markdown))
    .map((target) => `${file}: ${target}`);
}

function isThere(file: string, target: string, markdown: string): boolean {
  const [path = '', heading] = target.split('#');
  const to = path ? posix.join(posix.dirname(file), path) : file;
  if (!(paths.includes(to) || paths.includes(`${to}/`))) return false;
  return heading === undefined || anchorsOf(path ? read(to) : markdown).includes(heading);
}

/** The anchors of headings, as GitHub generates them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Sources and folders that are named in code spans, from the root, from `lib/` or by their end, and do not exist. */
function missingFiles(file: string, markdown: string): string[] {
  const prose = markdown.replace(/^ *(`{3,})[^]*?^ *\1/gm, '');
  const spans = [...prose.matchAll(/`([\w./-]+)`/g)].map(([, span = '']) => span);
  return spans
    .filter(
      (span) =>
        /[\w-]\.(ts|mjs|html)$/.test(span) || /^(lib|spec|docs|examples|bench|mutation)\/.*\/$/.test(span),
    )
    .filter((span) => !paths.some((path) => path === span || path.endsWith(`/${span}`)))
    .map((span) => `${file}: ${span}`);
}
