/** One run of the command line: its surroundings, its inputs, and how it ended. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { printable } from "../orders/Words.js"
import * as ExitCode from "./ExitCode.js"
import { eraseLine, type Io } from "./Io.js"
import * as Sources from "./input/Sources.js"

export class Session {
  readonly io: Io
  exitCode = ExitCode.success
  private readonly written = new Map<string, string>()
  private readStdin: string | undefined

  constructor(io: Io, args: ReadonlyArray<string>) {
    this.io = io
    for (const arg of args) {
      const value = arg.startsWith("--") ? arg.slice(arg.indexOf("=") + 1) : arg
      this.written.set(resolve(value), value)
    }
  }

  /** The input of a flag, under the name that the user wrote. Only one can be standard input. */
  open(flag: string, path: string): Sources.Source {
    return this.openArgument(`--${flag}`, path)
  }

  /** The same of a positional argument. */
  openArgument(input: string, path: string): Sources.Source {
    const written = this.written.get(path) ?? path
    if (written === "-") {
      if (this.readStdin !== undefined) {
        throw new ExitCode.UnusableInput({
          message: `only one input can be standard input (-), got ${this.readStdin} and ${input}`,
        })
      }
      this.readStdin = input
    }
    return Sources.open(this.io, written)
  }

  /** An input that may be left out. */
  openOptional(flag: string, path: Option.Option<string>): Sources.Source | undefined {
    return Option.isSome(path) ? this.open(flag, path.value) : undefined
  }

  /** Tells the user something that is no result, in place of a progress line that may be there. */
  readonly note = (message: string): void => {
    const { stderr } = this.io
    void stderr.write(`${stderr.isTerminal ? eraseLine : ""}${printable(message)}\n`)
  }

  /** Does the work of a command, which answers the exit code. */
  run(work: () => Promise<number>): Effect.Effect<void, ExitCode.Stopped> {
    return Effect.map(Effect.tryPromise({ try: work, catch: ExitCode.stopped }), (code) => {
      this.exitCode = code
    })
  }
}
