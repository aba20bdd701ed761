import { resolve } from "node:path"
import ts from "typescript"
import type { Example } from "./Example.js"

const options = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile)
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, resolve("."))
  return {
    ...parsed.options,
    noEmit: true,
    // An example may declare what it only shows, and each one has its own names.
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  }
}

const nameOf = (example: Example) => resolve(`test/docs/${example.file}.${example.line}.ts`)

const hostWith = (texts: ReadonlyMap<string, string>, given: ts.CompilerOptions) => {
  const host = ts.createCompilerHost(given, true)
  const { fileExists, readFile } = host
  host.fileExists = (name) => texts.has(name) || fileExists.call(host, name)
  host.readFile = (name) => texts.get(name) ?? readFile.call(host, name)
  return host
}

const describe = (example: Example, diagnostic: ts.Diagnostic): string => {
  const before = diagnostic.file?.text.slice(0, diagnostic.start ?? 0) ?? ""
  const line = example.lines[before.split("\n").length - 1] ?? example.line
  return `${example.file}:${line}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`
}

/** Type-checks all examples as one program. Returns a function that tells one example's errors. */
export const typeCheck = (
  examples: ReadonlyArray<Example>,
): ((example: Example) => ReadonlyArray<string>) => {
  const given = options()
  const texts = new Map(examples.map((example) => [nameOf(example), example.code]))
  const program = ts.createProgram([...texts.keys()], given, hostWith(texts, given))
  return (example) => {
    const source = program.getSourceFile(nameOf(example))
    if (source === undefined) throw new Error(`${nameOf(example)} is not in the program`)
    return ts.getPreEmitDiagnostics(program, source).map((found) => describe(example, found))
  }
}
