import ts from 'typescript';

/** Names need no standard library, and resolve a hundred times faster without it. */
const options: ts.CompilerOptions = { noLib: true, types: [], allowImportingTsExtensions: true };

const host = ts.createCompilerHost(options);
const sources = new Map<string, ts.SourceFile | undefined>();

/** What modules have in common, such as the declarations of rxjs and Angular, is parsed once. */
const sharing: ts.CompilerHost = {
  ...host,
  getSourceFile(file, ...rest) {
    if (!sources.has(file)) sources.set(file, host.getSourceFile(file, ...rest));
    return sources.get(file);
  },
};

/** The names that a module exports, separated into types and values. */
export function exportsOf(file: string): { types: string[]; values: string[] } {
  const program = ts.createProgram([file], options, sharing);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is not a module`);
  const names = { types: [] as string[], values: [] as string[] };
  for (const symbol of checker.getExportsOfModule(module)) {
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isTypeOnly = !(meant.flags & ts.SymbolFlags.Value) || isExportedAsType(symbol);
    names[isTypeOnly ? 'types' : 'values'].push(symbol.name);
  }
  return { types: names.types.sort(), values: names.values.sort() };
}

function isExportedAsType(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations?.some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration)) ?? false
  );
}
