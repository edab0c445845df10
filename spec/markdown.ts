import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../');

/** One `ts` block of a Markdown file. */
export interface Block {
  /** Path of the Markdown file, from the root of the repository. */
  readonly file: string;
  /** The line of its first line of code in that file, counted from 1. */
  readonly line: number;
  readonly code: string;
}

/** The Markdown files with documentation, by their path from the root of the repository. */
export function documents(): string[] {
  const inFolders = ['docs', '.github']
    .filter((folder) => existsSync(root + folder))
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
  return ['README.md', ...inFolders].filter((file) => file.endsWith('.md') && existsSync(root + file));
}

export function blocksOf(file: string): Block[] {
  return blocksIn(file, readFileSync(root + file, 'utf8'));
}

/** The `ts` blocks between fences, as CommonMark defines them: a fence ends at one that is as long and has no info string. */
export function blocksIn(file: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; indent: number; isTs: boolean; line: number; code: string[] } | undefined;
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const [, indent = '', fence = '', info = ''] = /^( *)(`{3,}|~{3,}) *(.*)$/.exec(text) ?? [];
    if (!open) {
      if (!fence) continue;
      const isTs = /^ts\b/.test(info);
      open = { fence, indent: indent.length, isTs, line: index + 2, code: [] };
    } else if (fence.startsWith(open.fence) && info === '') {
      if (open.isTs) blocks.push({ file, line: open.line, code: open.code.join('\n') });
      open = undefined;
    } else {
      open.code.push(text.slice(Math.min(open.indent, text.search(/\S|$/))));
    }
  }
  return blocks;
}

let runs = 0;

/** Runs the block that contains a text, as a new module each time; returns some of its constants. */
export async function run(text: string, names: readonly string[]): Promise<unknown> {
  // Only where it is needed: it does not load where jsdom has replaced parts of the platform.
  const { build } = await import('esbuild');
  const block = documents()
    .flatMap(blocksOf)
    .find(({ code }) => code.includes(text));
  const { outputFiles } = await build({
    stdin: {
      contents: `${String(block?.code)}\nexport { ${names.join()} };`,
      loader: 'ts',
      resolveDir: root,
    },
    bundle: true,
    external: ['node:*'],
    format: 'esm',
    write: false,
    footer: { js: `// ${String((runs += 1))}` },
  });
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}
