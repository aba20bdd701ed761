import { dirname, resolve } from "node:path"
import { Context, Schema } from "effect"
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

/** The package's own files alone: what others declare takes longer to read, and is not exported. */
const programOf = (entries: ReadonlyArray<string>): ts.Program => {
  const options: ts.CompilerOptions = { noLib: true, types: [], target: ts.ScriptTarget.ESNext }
  const host = ts.createCompilerHost(options, true)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith(".")
        ? {
            resolvedFileName: resolve(dirname(from), text.replace(/\.js$/, ".ts")),
            extension: ".ts",
          }
        : undefined,
    }))
  return ts.createProgram(
    entries.map((entry) => resolve(entry)),
    options,
    host,
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

/** Classes, schemas and keys of services are functions to JavaScript, too. */
const isFunction = (value: unknown): boolean =>
  typeof value === "function" &&
  !Schema.isSchema(value) &&
  !Context.isKey(value) &&
  !/^class\b/.test(Function.prototype.toString.call(value))

/** The modules of all entry points as they are when they run, by the names of these. */
const modulesOf = async (entries: ReadonlyArray<EntryPoint>) => {
  const modules = new Map<string, unknown>()
  for (const { name, source } of entries) {
    modules.set(name, await import(/* @vite-ignore */ resolve(source)))
  }
  return modules
}

/** What stands behind the name of an export, as `apportion: Cents.sum`. */
const exportedValue = (modules: ReadonlyMap<string, unknown>, name: string): unknown => {
  const [module = "", path = ""] = name.split(": ")
  return path.split(".").reduce<unknown>((found, key) => Object(found)[key], modules.get(module))
}

const isOwn = (node: ts.Declaration) => node.getSourceFile().fileName.startsWith(resolve("src"))

/** Every public export of the entry points, those inside namespaces included. */
export const publicExports = async (
  entries: ReadonlyArray<EntryPoint>,
): Promise<ReadonlyArray<PublicExport>> => {
  const modules = await modulesOf(entries)
  const program = programOf(entries.map((entry) => entry.source))
  const checker = program.getTypeChecker()
  const describe = (name: string, node: ts.Declaration): PublicExport => ({
    name,
    place: placeOf(node),
    isFunction:
      ts.isFunctionDeclaration(node) ||
      (ts.isVariableDeclaration(node) && isFunction(exportedValue(modules, name))),
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
