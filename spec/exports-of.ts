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
  for (const { symbol, meant } of exportedBy(file).symbols) {
    const isTypeOnly = !(meant.flags & ts.SymbolFlags.Value) || isExportedAsType(symbol);
    names[isTypeOnly ? 'types' : 'values'].push(symbol.name);
  }
  return { types: names.types.sort(), values: names.values.sort() };
}

/** What a module exports without a docstring: a name, a member of it, or an overload of either. */
export function undocumentedIn(file: string): string[] {
  const { checker, symbols } = exportedBy(file);
  const isDocumented = isDocumentedBy(checker);
  return symbols.flatMap(({ symbol: { name }, meant }) => {
    const type = checker.getDeclaredTypeOfSymbol(meant);
    // Whether written in an interface, a class, or the parts of an alias. Of a union, each arm is documented, not its members.
    const members = type.isUnion() ? [] : checker.getPropertiesOfType(type).filter(isPublicMember);
    const unsaid = members
      .filter((member) => !isDocumented(member))
      .map((member) => `${name}.${member.name}`);
    return isDocumented(meant) ? unsaid : [name, ...unsaid];
  });
}

/** The exports of a module, each with the symbol that it stands for. */
function exportedBy(file: string) {
  const program = ts.createProgram([file], options, sharing);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is not a module`);
  const symbols = checker.getExportsOfModule(module).map((symbol) => ({
    symbol,
    meant: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
  return { checker, symbols };
}

function isExportedAsType(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations?.some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration)) ?? false
  );
}

/** Not what is private, begins with an underscore because users do not see it, or is declared by another package. */
const isPublicMember = ({ name, declarations = [] }: ts.Symbol): boolean =>
  !/^[#_]/.test(name) && declarations.some((each) => !each.getSourceFile().fileName.includes('node_modules'));

/** Whether editors have a text to show: that of the overload which a call has chosen, or of the member that is overridden. */
const isDocumentedBy = (checker: ts.TypeChecker) => (symbol: ts.Symbol) => {
  const hasText = (declaration: ts.Node) => ts.getJSDocCommentsAndTags(declaration).length > 0;
  const isOverload = (each: ts.Node) => ts.isFunctionLike(each) && !('body' in each && each.body);
  const overloads = symbol.declarations?.filter(isOverload) ?? [];
  if (overloads.length) return overloads.every(hasText);
  const { declarations = [] } = symbol;
  return declarations.some(hasText) || symbol.getDocumentationComment(checker).length > 0;
};
