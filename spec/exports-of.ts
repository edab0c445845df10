import ts from 'typescript';

/** The names that a module exports, separated into types and values. */
export function exportsOf(file: string): { types: string[]; values: string[] } {
  // Names need no standard library, and resolve a hundred times faster without it.
  const program = ts.createProgram([file], { noLib: true, types: [], allowImportingTsExtensions: true });
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
