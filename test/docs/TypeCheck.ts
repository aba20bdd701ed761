import { resolve } from "node:path"
import ts from "typescript"
import type { Example } from "./Example.js"

const options = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile)
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, resolve("."))
  return {
    ...parsed.options,
    noEmit: true,
    // The programs that the pages link to are JavaScript.
    allowJs: true,
    checkJs: true,
    declaration: false,
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

const describe = (
  file: string,
  lines: ReadonlyArray<number>,
  diagnostic: ts.Diagnostic,
): string => {
  const before = diagnostic.file?.text.slice(0, diagnostic.start ?? 0) ?? ""
  const line = before.split("\n").length
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")
  return `${file}:${lines[line - 1] ?? line}: ${message}`
}

/** The errors in the types of an example, or of a file that was given. */
export type ErrorsOf = (checked: Example | string) => ReadonlyArray<string>

/** Type-checks all examples and files as one program. */
export const typeCheck = (
  examples: ReadonlyArray<Example>,
  files: ReadonlyArray<string> = [],
): ErrorsOf => {
  const given = options()
  const texts = new Map(examples.map((example) => [nameOf(example), example.code]))
  const names = [...texts.keys(), ...files.map((file) => resolve(file))]
  const program = ts.createProgram(names, given, hostWith(texts, given))
  return (checked) => {
    const [file, lines, name] =
      typeof checked === "string"
        ? ([checked, [], resolve(checked)] as const)
        : ([checked.file, checked.lines, nameOf(checked)] as const)
    const source = program.getSourceFile(name)
    if (source === undefined) throw new Error(`${name} is not in the program`)
    return ts.getPreEmitDiagnostics(program, source).map((found) => describe(file, lines, found))
  }
}
