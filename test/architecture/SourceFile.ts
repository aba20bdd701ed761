import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"

/** A parsed file of TypeScript and what it imports. */
export interface SourceFile {
  /** From the repository's root, as `src/money/Cents.ts`. */
  readonly path: string
  readonly tree: ts.SourceFile
  /** As written: `./Cents.js`, `effect/Schema`. */
  readonly imports: ReadonlyArray<string>
}

const specifierOf = (node: ts.Node): ts.Node | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return isDynamic ? node.arguments[0] : undefined
}

/** Calls a function with a node and everything inside it. */
export const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** Parses a text as a file at the path. */
export const parse = (path: string, text: string): SourceFile => {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS)
  const imports: Array<string> = []
  walk(tree, (node) => {
    const specifier = specifierOf(node)
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) imports.push(specifier.text)
  })
  return { path, tree, imports }
}

/** Parses every file that a pattern finds. */
export const read = (pattern: string): ReadonlyArray<SourceFile> =>
  globSync(pattern)
    .sort()
    .map((path) => parse(path, readFileSync(path, "utf8")))

/** The files of the package that a file imports, from the repository's root. */
export const localImports = (file: SourceFile): ReadonlyArray<string> =>
  file.imports
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(dirname(file.path), specifier).replace(/\.js$/, ".ts"))

/** What a file imports from other packages and from Node. */
export const foreignImports = (file: SourceFile): ReadonlyArray<string> =>
  file.imports.filter((specifier) => !specifier.startsWith("."))

/** Where a node stands: `src/money/Cents.ts:12`. */
export const placeOf = (file: SourceFile, node: ts.Node): string =>
  `${file.path}:${file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1}`
