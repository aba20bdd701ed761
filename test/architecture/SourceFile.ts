import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"

/** A parsed file of TypeScript and what it imports. */
export interface SourceFile {
  /** From the repository's root, as `src/money/Cents.ts`. */
  readonly path: string
  readonly tree: ts.SourceFile
  /** All nodes of the tree, which are gone through once for all rules. */
  readonly nodes: ReadonlyArray<ts.Node>
  readonly imports: ReadonlyArray<Import>
}

/** One import or re-export of a file. */
export interface Import {
  /** As written: `./Cents.js`, `effect/Schema`. */
  readonly specifier: string
  /** Whether only types come through it, so that nothing of it is there when the program runs. */
  readonly isOfTypes: boolean
}

const specifierOf = (node: ts.Node): ts.Node | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return isDynamic ? node.arguments[0] : undefined
}

const isOfTypes = (node: ts.Node): boolean =>
  ts.isImportTypeNode(node) ||
  (ts.isExportDeclaration(node) && node.isTypeOnly) ||
  (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)

const nodesOf = (tree: ts.SourceFile): ReadonlyArray<ts.Node> => {
  const nodes: Array<ts.Node> = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return nodes
}

/** Parses a text as a file at the path. */
export const parse = (path: string, text: string): SourceFile => {
  const kind = path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, kind)
  const nodes = nodesOf(tree)
  const imports = nodes.flatMap((node): ReadonlyArray<Import> => {
    const specifier = specifierOf(node)
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return []
    return [{ specifier: specifier.text, isOfTypes: isOfTypes(node) }]
  })
  return { path, tree, nodes, imports }
}

/** Parses every file that a pattern finds, of those whose text has something of what is looked for. */
export const read = (pattern: string, text = /^/): ReadonlyArray<SourceFile> =>
  globSync(pattern)
    .sort()
    .map((path) => [path, readFileSync(path, "utf8")] as const)
    .filter(([, all]) => text.test(all))
    .map(([path, all]) => parse(path, all))

const resolved = (file: SourceFile, specifier: string): string => {
  const path = join(dirname(file.path), specifier)
  const withMarkup = path.replace(/\.js$/, ".tsx")
  return file.path.startsWith("src/web/") && existsSync(withMarkup)
    ? withMarkup
    : path.replace(/\.js$/, ".ts")
}

/** The files of the package that a file imports, from the repository's root. */
export const localImports = (file: SourceFile): ReadonlyArray<string> =>
  file.imports
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => resolved(file, specifier))

/** Those of its local imports that are still there when the program runs. */
export const runningImports = (file: SourceFile): ReadonlyArray<string> =>
  localImports({ ...file, imports: file.imports.filter((one) => !one.isOfTypes) })

/** What a file imports from other packages and from Node. */
export const foreignImports = (file: SourceFile): ReadonlyArray<string> =>
  file.imports.map(({ specifier }) => specifier).filter((specifier) => !specifier.startsWith("."))

/** Where a node stands: `src/money/Cents.ts:12`. */
export const placeOf = (file: SourceFile, node: ts.Node): string =>
  `${file.path}:${file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1}`
