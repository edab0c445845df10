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
  const names = { types: [] as string[], values: [] as string[] };
  for (const { symbol, meant } of exportedBy(file)) {
    const isTypeOnly = !(meant.flags & ts.SymbolFlags.Value) || isExportedAsType(symbol);
    names[isTypeOnly ? 'types' : 'values'].push(symbol.name);
  }
  return { types: names.types.sort(), values: names.values.sort() };
}

/** What a module exports without a docstring: a name, a member of it, or an overload of either. */
export function undocumentedIn(file: string): string[] {
  return exportedBy(file).flatMap(({ symbol: { name }, meant }) => {
    const members = [...(meant.members?.values() ?? [])].filter(isPublicMember);
    return [
      isDocumented(meant) ? [] : name,
      members.map((member) => (isDocumented(member) ? [] : `${name}.${member.name}`)),
    ].flat(2);
  });
}

/** The exports of a module, each with the symbol that it stands for. */
function exportedBy(file: string): { symbol: ts.Symbol; meant: ts.Symbol }[] {
  const program = ts.createProgram([file], options, sharing);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is not a module`);
  return checker.getExportsOfModule(module).map((symbol) => ({
    symbol,
    meant: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
}

function isExportedAsType(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations?.some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration)) ?? false
  );
}

/** Not what is private, begins with an underscore because users do not see it, or has no name of its own, like constructors. */
const isPublicMember = ({ name, flags }: ts.Symbol): boolean =>
  !/^[#_]/.test(name) && !(flags & ts.SymbolFlags.TypeParameter);

/** Whether editors have a text to show: that of the overload which a call has chosen, if there are some. */
function isDocumented({ declarations = [] }: ts.Symbol): boolean {
  const hasText = (declaration: ts.Node) => ts.getJSDocCommentsAndTags(declaration).length > 0;
  const overloads = declarations.filter((each) => ts.isFunctionLike(each) && !('body' in each && each.body));
  return overloads.length ? overloads.every(hasText) : declarations.some(hasText);
}
