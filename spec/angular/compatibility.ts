/**
 * Builds a small application against each older Angular that `rivulet/angular` promises to work with, ahead of time and
 * with strict templates, from the packed tarball. Installs packages into a temporary folder, so it needs the network; by
 * hand: `npm run check:angular`, or `npm run check:angular 20` for one of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const majors = process.argv.length > 2 ? process.argv.slice(2) : ['20', '21'];

/** Every function of the entry, but no signal forms, which these versions lack or have in another shape. */
const main = `
import { provideHttpClient } from '@angular/common/http';
import { ChangeDetectionStrategy, Component, input, provideZonelessChangeDetection } from '@angular/core';
import { FormControl, FormsModule, ReactiveFormsModule } from '@angular/forms';
import { bootstrapApplication } from '@angular/platform-browser';
import { DataModel, lib } from 'rivulet';
import type { Lib } from 'rivulet';
import {
  bindControl, formModel, injectCollection, injectRecord, injectRivulet, linkId, provideRivulet, saveForm, toSignals,
  toWritableSignal, withFetch,
} from 'rivulet/angular';
import { defineRecord } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';

declare const schema: StandardSchema<{ id?: number; name: string; address: { city: string } }>;
const Place = defineRecord({ schema, url: '/places' });

class Person extends DataModel {
  readonly id = lib.observable<number | undefined>(undefined).map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly city = lib.observable('').map('address.city', this);
  constructor(root: Lib) {
    super({ url: '/people' }, root);
  }
}

@Component({
  selector: 'app-person',
  imports: [FormsModule, ReactiveFormsModule],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: \`
    @if (isShown()) {
      <input [(ngModel)]="state.name" /><input [(ngModel)]="name" /><input [formControl]="city" />
      <button [disabled]="state.isSaving()" (click)="save()">Save {{ model().address.city }}</button>
    }
  \`,
})
class PersonPage {
  readonly id = input.required<number>();
  readonly person = injectRecord(Person);
  readonly state = toSignals(this.person);
  readonly isShown = linkId(this.person, this.id);
  readonly name = toWritableSignal(this.person.name);
  readonly model = formModel(this.person);
  readonly save = saveForm(this.person).bind(undefined, () => this.model());
  readonly city = new FormControl('', { nonNullable: true });
  constructor() {
    bindControl(this.city, this.person.city);
  }
}

@Component({ selector: 'app-root', imports: [PersonPage], template: '<app-person [id]="7" />{{ people.length }}' })
class App {
  readonly people = injectCollection<{ id: number }>({ url: '/people' });
  readonly root = injectRivulet();
  readonly place = () => injectRecord(Place).address.city.value;
}

bootstrapApplication(App, {
  providers: [provideZonelessChangeDetection(), provideHttpClient(), provideRivulet({ timeout: 5000 }, withFetch())],
}).catch((error: unknown) => console.error(error));
`;

const compiler = {
  compilerOptions: {
    target: 'ES2022',
    module: 'preserve',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    strict: true,
    experimentalDecorators: true,
    // So that the declarations of the package are checked.
    skipLibCheck: false,
    types: [],
  },
  angularCompilerOptions: { strictTemplates: true },
  files: ['main.ts'],
};

const workspace = {
  version: 1,
  cli: { analytics: false },
  projects: {
    app: {
      projectType: 'application',
      root: '',
      architect: {
        build: {
          builder: '@angular/build:application',
          options: { browser: 'main.ts', index: 'index.html', tsConfig: 'tsconfig.json', outputPath: 'dist' },
        },
      },
    },
  },
};

/** The packages of an application on one Angular. */
function manifestFor(major: string, tarball: string): object {
  const angular = ['build', 'cli', 'common', 'compiler', 'compiler-cli', 'core', 'forms', 'platform-browser'];
  return {
    private: true,
    dependencies: {
      ...Object.fromEntries(angular.map((name) => [`@angular/${name}`, `^${major}.0.0`])),
      rivulet: `file:${tarball}`,
      rxjs: '^7.8.0',
      tslib: '^2.8.0',
      // The oldest that it supports.
      typescript: major === '20' ? '~5.8.0' : '~5.9.0',
    },
  };
}

/** Installs and builds the application in a folder; returns the exact version of Angular. */
function build(folder: string, manifest: object): string {
  mkdirSync(folder);
  const files = {
    'package.json': JSON.stringify(manifest),
    'angular.json': JSON.stringify(workspace),
    'tsconfig.json': JSON.stringify(compiler),
    'index.html': '<!doctype html><app-root></app-root>',
    'main.ts': main,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  console.log(run('npx', 'ng', 'build', '--configuration=', '--no-progress'));
  return run('node', '-p', `require('@angular/core/package.json').version`).trim();
}

const scratch = mkdtempSync(join(tmpdir(), 'rivulet-angular-'));
try {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, stdio: 'inherit' });
  npm('run', 'build');
  npm('pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', scratch);
  const tarball = readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '';
  const versions = majors.map((major) =>
    build(join(scratch, major), manifestFor(major, join(scratch, tarball))),
  );
  console.log(`builds with Angular ${versions.join(' and ')}`);
} finally {
  rmSync(scratch, { recursive: true });
}
