import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import type { Example } from "./Example.js"

/** The settings of the project for files in another folder, beside which its modules are found. */
const settings = (files: ReadonlyArray<string>) => ({
  extends: resolve("tsconfig.json"),
  compilerOptions: {
    incremental: false,
    typeRoots: [resolve("node_modules/@types")],
    // The programs that the pages link to are JavaScript.
    allowJs: true,
    checkJs: true,
    declaration: false,
    // An example may declare what it only shows, and each one has its own names.
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: "force",
  },
  files,
  include: [],
})

const nameOf = ({ file, line }: Example) => `examples/${file}.${line}.ts`

interface Found {
  readonly line: number
  message: string
}

/** The lines of the compiler: `name(line,column): error TS2339: message`, and further lines of the message. */
const errorsIn = (output: string): ReadonlyMap<string, ReadonlyArray<Found>> => {
  const errors = new Map<string, Array<Found>>()
  let last: Found | undefined
  for (const text of output.split("\n")) {
    const [, name, line, message] = /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(text) ?? []
    if (name !== undefined && message !== undefined) {
      last = { line: Number(line), message }
      errors.set(name, [...(errors.get(name) ?? []), last])
    } else if (text.startsWith(" ") && last !== undefined) {
      last.message += `\n${text}`
    } else if (text !== "") {
      throw new Error(`the compiler says: ${text}`)
    }
  }
  return errors
}

/** The errors in the types of an example, or of a file that was given. */
export type ErrorsOf = (checked: Example | string) => ReadonlyArray<string>

/** Type-checks all examples and files as one program. */
export const typeCheck = (
  examples: ReadonlyArray<Example>,
  files: ReadonlyArray<string> = [],
): ErrorsOf => {
  const folder = mkdtempSync(join(tmpdir(), "apportion-examples-"))
  try {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    for (const example of examples) {
      const path = join(folder, nameOf(example))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, example.code)
    }
    const names = [...examples.map(nameOf), ...files.map((file) => resolve(file))]
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings(names)))
    const compiler = resolve("node_modules/typescript7/bin/tsc")
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, "--pretty", "false"], {
      ...{ cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 },
    })
    const errors = errorsIn(stdout + stderr)
    return (checked) => {
      const [file, lines, name] =
        typeof checked === "string"
          ? ([checked, [], relative(folder, resolve(checked))] as const)
          : ([checked.file, checked.lines, nameOf(checked)] as const)
      const found = errors.get(name) ?? []
      return found.map(({ line, message }) => `${file}:${lines[line - 1] ?? line}: ${message}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
