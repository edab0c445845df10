import { fileURLToPath } from 'node:url';

import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const file = `${root}spec/data-of.example.ts`;

const code = `
  import { DataModel, lib } from '../lib/index';

  class Person extends DataModel {
    readonly id = lib.observable<number | undefined>(undefined).map('id', this);
    readonly city = lib.observable('').map('address.city', this);
    readonly zip = lib.observable<string | null>(null).map('address.geo.zip', this);
    readonly tags = lib.observable([{ name: '' }]).map('tags', this);
  }
  const person = new Person();
  const data = person.get();
  const part = person.get(['id', 'address']);
  const patch = person.get(['id'] as ('id' | 'address')[]);
  person.set({ nmae: '' });
`;

const isHere = (name: string) => name === file;

/** What the compiler shows a user: the type of each constant, and the last line of each error. */
function shown(): { readonly types: Record<string, string>; readonly errors: string[] } {
  const options: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  host.fileExists = (name) => isHere(name) || ts.sys.fileExists(name);
  host.readFile = (name) => (isHere(name) ? code : ts.sys.readFile(name));
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const types: Record<string, string> = {};
  for (const statement of source?.statements ?? []) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name } of statement.declarationList.declarations) {
      const type = checker.getTypeAtLocation(name);
      types[name.getText()] = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    }
  }
  const errors = program
    .getSemanticDiagnostics(source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n').at(-1)?.trim());
  return { types, errors: errors.map(String) };
}

describe('the data of a record', () => {
  let told: ReturnType<typeof shown>;

  beforeAll(() => {
    told = shown();
  }, 60_000);

  it('are shown as a plain object type', () => {
    expect(told.types.data).toBe(
      '{ id: number | undefined; address: { city: string; geo: { zip: string | null; }; }; tags: { name: string; }[]; }',
    );
  });

  it('are shown in part as an object with the keys asked for', () => {
    expect(told.types.part).toBe(
      '{ id: number | undefined; address: { city: string; geo: { zip: string | null; }; }; }',
    );
  });

  it('are shown as a patch as an object with optional keys', () => {
    expect(told.types.patch).toBe(
      '{ id?: number | undefined; address?: { city?: string | undefined; geo?: { zip?: string | null | undefined; } | undefined; } | undefined; tags?: { name: string; }[] | undefined; }',
    );
  });

  it('are shown in an error without a type name of the library', () => {
    expect(told.errors).toHaveLength(1);
    expect(told.errors[0]).toMatch(
      /'nmae' does not exist in type '\{ id\?: number \| undefined; address\?: /,
    );
  });
});
