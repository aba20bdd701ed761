import { resolve } from "node:path"
import ts from "typescript"
import type { EntryPoint } from "../EntryPoint.js"

/** A name that hosts can import, at one of the places where it is declared. */
export interface PublicExport {
  /** As a host writes it: `apportion: Cents.sum`. */
  readonly name: string
  readonly place: string
  readonly isFunction: boolean
  readonly summary: string
  /** The texts of its doc comment's tags. */
  readonly tags: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

const programOf = (entries: ReadonlyArray<string>): ts.Program => {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve("."))
  return ts.createProgram(
    entries.map((entry) => resolve(entry)),
    options,
  )
}

const textOf = (comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string =>
  ts.getTextOfJSDocComment(comment) ?? ""

const summaryOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map((doc) => textOf(doc.comment))
    .join("\n")
    .trim()

const placeOf = (node: ts.Node): string => {
  const source = node.getSourceFile()
  const { line } = source.getLineAndCharacterOfPosition(node.getStart())
  return `${source.fileName.slice(resolve(".").length + 1)}:${line + 1}`
}

const isCallable = (checker: ts.TypeChecker, node: ts.Declaration): boolean =>
  ts.isFunctionDeclaration(node) ||
  (ts.isVariableDeclaration(node) && checker.getTypeAtLocation(node).getCallSignatures().length > 0)

const isOwn = (node: ts.Declaration) => node.getSourceFile().fileName.startsWith(resolve("src"))

/** Every public export of the entry points, those inside namespaces included. */
export const publicExports = (entries: ReadonlyArray<EntryPoint>): ReadonlyArray<PublicExport> => {
  const program = programOf(entries.map((entry) => entry.source))
  const checker = program.getTypeChecker()
  const describe = (name: string, node: ts.Declaration): PublicExport => ({
    name,
    place: placeOf(node),
    isFunction: isCallable(checker, node),
    summary: summaryOf(node),
    tags: ts.getJSDocTags(node).map((tag) => ({
      name: tag.tagName.text,
      text: textOf(tag.comment),
    })),
  })
  const within = (module: ts.Symbol, prefix: string): ReadonlyArray<PublicExport> =>
    checker.getExportsOfModule(module).flatMap((exported) => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
      const name = `${prefix}${exported.name}`
      if ((symbol.flags & ts.SymbolFlags.ValueModule) !== 0) return within(symbol, `${name}.`)
      return (symbol.declarations ?? []).filter(isOwn).map((node) => describe(name, node))
    })
  return entries.flatMap((entry) => {
    const source = program.getSourceFile(resolve(entry.source))
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${entry.source} exports nothing`)
    return within(module, `${entry.name}: `)
  })
}
