import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = here('../..');
/** Where the app finds the library: as any app does, in a `node_modules`. All else is in the one of the repository. */
const installed = here('../node_modules/rivulet');
const stamp = here('dist/stamp');

if (import.meta.main) buildApp();

/** Builds the app on the packed library, unless it has been built from just that already. */
export function buildApp(): void {
  if (isBuilt()) return;
  install();
  const command = join(root, 'node_modules/@angular/cli/bin/ng.js');
  execFileSync(process.execPath, [command, 'build'], {
    cwd: here('.'),
    env: { ...process.env, NG_CLI_ANALYTICS: 'false' },
    // Without a terminal to ask questions in.
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  writeFileSync(stamp, digest());
}

/** Whether the app has been built from the library and the sources as they are now. */
export function isBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();
}

/** Packs the library and unpacks it, so that the app has what npm would give it, and not more. */
function install(): void {
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', installed], { cwd: root });
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }];
  const tarball = join(installed, filename);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  rmSync(tarball);
}

/** Of all that the app is made from. */
function digest(): string {
  const hash = createHash('sha256');
  const inputs = [
    'dist',
    'package-lock.json',
    'examples/package.json',
    'examples/shared',
    'examples/angular/src',
  ];
  const settings = ['examples/angular/angular.json', 'examples/angular/tsconfig.app.json', 'tsconfig.json'];
  for (const input of [...inputs, ...settings]) {
    for (const file of filesIn(join(root, input))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) throw new Error(`${path} is missing. Make it with "npm run build".`);
  try {
    const entries = readdirSync(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [path];
  }
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
