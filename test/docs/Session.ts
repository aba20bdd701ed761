import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { Readable } from "node:stream"
import { expect } from "vitest"
import * as Cli from "../../src/cli/Cli.js"
import type { Sink } from "../../src/cli/Session.js"
import { programEnvironment } from "../cli/Environment.js"
import type { Block } from "./Example.js"

/** One command of a `console` block, and what it prints as the page shows it. */
export interface Step {
  readonly line: number
  readonly command: string
  /** The printed lines; one that is only `...` stands for any number of lines. */
  readonly output: ReadonlyArray<string>
  /** Shown on a last line as `(exit code 2)`; 0 when it isn't shown. */
  readonly exitCode: number
}

const exitLine = /^\(exit code (\d+)\)$/

const withoutBlankEnd = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1)

const stepOf = (line: number, lines: ReadonlyArray<string>): Step => {
  const rest = lines.findIndex((text, index) => index > 0 && !text.startsWith("> "))
  const end = rest === -1 ? lines.length : rest
  const shown = withoutBlankEnd(lines.slice(end))
  const [, code] = exitLine.exec(shown.at(-1) ?? "") ?? []
  return {
    line,
    command: lines
      .slice(0, end)
      .map((text) => text.slice(2))
      .join("\n"),
    output: code === undefined ? shown : withoutBlankEnd(shown.slice(0, -1)),
    exitCode: Number(code ?? 0),
  }
}

/** The commands of a `console` block: lines after `$ `, continued on lines after `> `. */
export const stepsOf = (block: Block): ReadonlyArray<Step> => {
  const lines = block.code.split("\n")
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []))
  if (starts[0] !== 0) throw new Error(`${block.file}:${block.line}: has to begin with "$ "`)
  return starts.map((start, index) =>
    stepOf(block.line + start, lines.slice(start, starts[index + 1] ?? lines.length)),
  )
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whether printed lines are the shown ones, `...` standing for any number of lines. */
export const matches = (shown: ReadonlyArray<string>, printed: ReadonlyArray<string>): boolean => {
  const pattern = shown.map((line) =>
    line.trim() === "..." ? "(?:.*\\n)*?" : `${escaped(line.trimEnd())}\\n`,
  )
  const text = printed.map((line) => `${line.trimEnd()}\n`).join("")
  return new RegExp(`^${pattern.join("")}$`).test(text)
}

/** What a step printed, without the empty lines at its end, and how it ended. */
export interface Printed {
  readonly output: ReadonlyArray<string>
  readonly exitCode: number
}

const needsShell = /[|<>;&$`"'*?()#~\\]/

/** The words after `apportion` of a step that needs no shell, and no threads; of others nothing. */
export const wordsOf = ({ command }: Step): ReadonlyArray<string> | undefined => {
  const [name, ...words] = command.replaceAll("\\\n", " ").split(/\s+/)
  const isPlain = name === "apportion" && !words.some((word) => needsShell.test(word))
  return isPlain && !words.includes("--jobs") ? words : undefined
}

/** Runs the words of a step in this process, which saves the start of a program. */
export const runWords = async (words: ReadonlyArray<string>): Promise<Printed> => {
  const texts: Array<string> = []
  const sink: Sink = {
    isTerminal: false,
    columns: undefined,
    write: async (text) => {
      texts.push(Buffer.from(text).toString("utf8"))
    },
  }
  const exitCode = await Cli.run(words, {
    stdin: Readable.from([]),
    stdout: sink,
    stderr: sink,
    environment: {},
    stopped: () => new Promise(() => undefined),
    jobs: undefined,
  })
  return { output: withoutBlankEnd(texts.join("").split("\n")), exitCode }
}

/** Runs a command at the repository's root, with `apportion` and `npx apportion` being the built one. */
export const runStep = (step: Step): Printed => {
  const folder = mkdtempSync(join(tmpdir(), "apportion-docs-"))
  try {
    const program = `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"\n`
    writeFileSync(join(folder, "apportion"), program, { mode: 0o755 })
    writeFileSync(join(folder, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
    const done = spawnSync("bash", ["-c", `{ ${step.command}\n} 2>&1`], {
      encoding: "utf8",
      env: {
        ...programEnvironment,
        NO_COLOR: "1",
        PATH: `${folder}${delimiter}${process.env.PATH}`,
      },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "pipe"],
    })
    return { output: withoutBlankEnd(done.stdout.split("\n")), exitCode: done.status ?? -1 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** That a step printed what its page shows, and ended as it says. */
export const expectShown = (step: Step, { output, exitCode }: Printed): void => {
  if (!matches(step.output, output)) {
    expect(output.join("\n"), step.command).toBe(step.output.join("\n"))
  }
  expect(exitCode, `exit code of ${step.command}`).toBe(step.exitCode)
}
