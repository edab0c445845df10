import { constructorParametersDownlevelTransform } from '@angular/compiler-cli/private/tooling';
import * as core from '@angular/core';
import * as interop from '@angular/core/rxjs-interop';
import * as forms from '@angular/forms/signals';
import * as rxjs from 'rxjs';
import ts from 'typescript';

import * as rivulet from 'rivulet';
import * as angular from 'rivulet/angular';
import * as autosave from 'rivulet/autosave';
import * as etag from 'rivulet/etag';
import * as live from 'rivulet/live';

import { raise } from '../hostile';
import { blocksOf } from '../markdown';

const modules: Readonly<Record<string, unknown>> = {
  '@angular/core': core,
  '@angular/core/rxjs-interop': interop,
  '@angular/forms/signals': forms,
  rivulet,
  'rivulet/angular': angular,
  'rivulet/autosave': autosave,
  'rivulet/etag': etag,
  'rivulet/live': live,
  rxjs,
};

/** The component that a block of docs/ANGULAR.md exports. */
export const componentOf = (text: string, name: string): core.Type<unknown> =>
  runBlock(text, name) as core.Type<unknown>;

/**
 * Runs the block of docs/ANGULAR.md that contains a text, in the Angular of the spec; returns what it exports by a name. Compiled as
 * the tests of an application are: signal inputs become known to the compiler at runtime.
 */
export function runBlock(text: string, name: string): unknown {
  const code = blocksOf('docs/ANGULAR.md').find((block) => block.code.includes(text))?.code ?? '';
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    experimentalDecorators: true,
    noLib: true,
    noResolve: true,
  };
  const source = ts.createSourceFile('block.ts', code, ts.ScriptTarget.ES2022, true);
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile: (name) => (name === 'block.ts' ? source : undefined),
  };
  const program = ts.createProgram(['block.ts'], options, host);
  let script = '';
  program.emit(
    source,
    (_, output) => {
      script = output;
    },
    undefined,
    false,
    { before: [constructorParametersDownlevelTransform(program)] },
  );
  const exported: Record<string, unknown> = {};
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  new Function('require', 'exports', script)((name: string) => modules[name], exported);
  return exported[name] ?? raise(new Error(`no ${name}`));
}
