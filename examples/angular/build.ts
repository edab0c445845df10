import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = here('../..');
/** Where the app finds the library: in a `node_modules`, as any app does. All else comes from the repository's own. */
const installed = here('../node_modules/rivulet');
const stamp = here('dist/stamp');

if (import.meta.main) buildApp();

/** Builds the app on the packed library, unless it is up to date. */
export function buildApp(): void {
  if (isBuilt()) return;
  install();
  const command = join(root, 'node_modules/@angular/cli/bin/ng.js');
  execFileSync(process.execPath, [command, 'build'], {
    cwd: here('.'),
    env: { ...process.env, NG_CLI_ANALYTICS: 'false' },
    // No input, so that nothing waits for an answer.
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  writeFileSync(stamp, digest());
}

/** Whether the app has been built from the present library and sources. */
export function isBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();
}

/** Packs the library and unpacks it, so that the app gets exactly what npm would install. */
function install(): void {
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', installed], { cwd: root });
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }];
  const tarball = join(installed, filename);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  rmSync(tarball);
}

/** A hash of everything that the app is built from. */
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
