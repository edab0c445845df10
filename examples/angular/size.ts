import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The part of esbuild's metafile that is read here. */
interface Stats {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The files that contain the sentence. */
const stated = ['README.md', '../../README.md'].map(here);
/** The sentence, however its lines are wrapped. */
const pattern = /The\s+app's\s+scripts\s+weigh\s[^;]+;\s+rivulet\s+is\s[^.]+\./g;

if (import.meta.main) {
  console.log(sizeSentence());
  if (process.argv.includes('--write')) write();
  const wrong = staleFiles();
  if (wrong.length > 0) console.error(`Not so in ${wrong.join(', ')}; run it with --write`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

/** States the size of the built app, and the library's share of it. */
export function sizeSentence(): string {
  const { outputs } = JSON.parse(readFileSync(here('dist/browser-stats.json'), 'utf8')) as Stats;
  const scripts = Object.entries(outputs).filter(([name]) => name.endsWith('.js'));
  const zipped = scripts.map(
    ([name]) => gzipSync(readFileSync(here(`dist/browser/${name}`)), { level: 9 }).length,
  );
  const inputs = scripts.flatMap(([, { inputs: parts }]) => Object.entries(parts));
  const own = inputs.filter(([name]) => name.includes('node_modules/rivulet/'));
  const share = bytesOf(own) / bytesOf(inputs);
  // Rounded to tens, so that small changes of the code do not change the sentence.
  const weight = 10 * Math.round(zipped.reduce((sum, bytes) => sum + bytes, 0) / 10_240);
  const percent = Math.round(share * 100);
  return `The app's scripts weigh about ${String(weight)} KiB minified and gzipped; rivulet is ${String(percent)} % of them.`;
}

/** The files in which the sentence is missing or out of date. */
export function staleFiles(): string[] {
  const sentence = sizeSentence();
  return stated.filter((file) => existsSync(file) && !textOf(file).replace(/\s+/g, ' ').includes(sentence));
}

function write(): void {
  for (const file of staleFiles()) writeFileSync(file, textOf(file).replace(pattern, sizeSentence()));
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

function bytesOf(inputs: readonly (readonly [string, { readonly bytesInOutput: number }])[]): number {
  return inputs.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
