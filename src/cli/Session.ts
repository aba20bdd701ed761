import { resolve } from "node:path"
import { setFlagsFromString } from "node:v8"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { printable } from "../orders/Words.js"
import * as ExitCode from "./ExitCode.js"
import * as Sources from "./input/Sources.js"
import type { Jobs } from "./split/Job.js"

// The inputs and outputs of a run, so that tests can replace a process.

/** A target of text: standard output or standard error. */
export interface Sink {
  /** Whether it is a terminal. */
  readonly isTerminal: boolean
  /** Width in characters, when it is a terminal. */
  readonly columns: number | undefined
  /** Writes a text, or the bytes of one; the promise resolves once it is written. */
  readonly write: (text: string | Uint8Array) => Promise<void>
}

/** Returns to the beginning of a terminal's line and clears it. */
export const eraseLine = "\r\u001b[2K"

/** The signal that ends a run: from a supervisor, or from the keyboard. */
export type StopSignal = "SIGTERM" | "SIGINT"

/** The environment of one run. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Sink
  readonly stderr: Sink
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Resolves with the signal that asks the run to end; `until`: listens until this is aborted. */
  readonly stopped: (until?: AbortSignal) => Promise<StopSignal>
  /** Calls back whenever files should be reread, until the returned function is called. */
  readonly onReload?: ((reload: () => void) => () => void) | undefined
  /** How jobs are started, if not as threads of the process. */
  readonly jobs?: Jobs | undefined
  /** Has the process keep less garbage, for work on more than memory holds. */
  readonly saveMemory?: (() => void) | undefined
}

/** A closed output ends the run quietly; any other cause is a failure that the user must see. */
const failureOf = (cause: Error): ExitCode.OutputClosed | ExitCode.UnusableInput => {
  const code: unknown = Reflect.get(cause, "code")
  return code === "EPIPE"
    ? new ExitCode.OutputClosed({ message: "the output was closed" })
    : new ExitCode.UnusableInput({ message: `the output can't be written: ${cause.message}` })
}

/** A stream of the process as a sink. */
export const sinkOf = (stream: NodeJS.WriteStream): Sink => {
  // Each write reports its own failure. Without a listener, the first failure would end the process as well.
  stream.on("error", () => undefined)
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (cause) => {
          if (cause == null) resolve()
          else reject(failureOf(cause))
        })
      }),
  }
}

/** Resolves with the first signal. A second signal of its kind, or one after `until`, ends the process at once. */
const signalled = (until?: AbortSignal): Promise<StopSignal> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const end = () => resolve(signal)
      process.once(signal, end)
      until?.addEventListener("abort", () => process.off(signal, end), { once: true })
    }
  })

const onHangUp = (reload: () => void): (() => void) => {
  process.on("SIGHUP", reload)
  return () => process.off("SIGHUP", reload)
}

/** The environment of a real process. */
export const ofProcess = (): Io => ({
  /** Accessing the standard input opens it, so this happens only when it is read. */
  get stdin() {
    return process.stdin
  },
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  environment: process.env,
  stopped: signalled,
  onReload: onHangUp,
  // By default V8 lets the heap grow to several times the memory in use before a full collection. This limits the
  // growth to 40%.
  saveMemory: () => setFlagsFromString("--heap-growing-percent=40"),
})

// Writes text in large chunks, and waits for a slower reader.

const pieceLength = 1 << 16

export class Output {
  private readonly sink: Sink
  private pieces = ""

  constructor(sink: Sink) {
    this.sink = sink
  }

  /** Adds text. */
  add(text: string): void {
    this.pieces += text
  }

  /** Writes the added text, and then bytes of UTF-8. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.flush()
    if (bytes.length > 0) await this.sink.write(bytes)
  }

  /** Writes the added text once there is enough of it. */
  async flushLarge(): Promise<void> {
    if (this.pieces.length >= pieceLength) await this.flush()
  }

  /** Writes the added text. */
  async flush(): Promise<void> {
    const text = this.pieces
    this.pieces = ""
    if (text !== "") await this.sink.write(text)
  }
}

// A progress line on the standard error, shown on a terminal.

const betweenUpdatesMs = 200

/** A number with separated thousands, for people. */
export const inEnglish = (value: number): string => value.toLocaleString("en-US")

export class Progress {
  private readonly sink: Sink
  private readonly startedMs = performance.now()
  private shownMs = performance.now()
  private isShown = false

  constructor(sink: Sink) {
    this.sink = sink
  }

  /** Shows how many orders were processed. */
  update(orders: number): void {
    this.tell((elapsedMs) => {
      const perSecond = Math.round((orders * 1000) / elapsedMs)
      return `${inEnglish(orders)} orders, ${inEnglish(perSecond)} a second`
    })
  }

  /** Sets the text, which is shown a few times a second, on a terminal only. */
  tell(text: (elapsedMs: number) => string): void {
    if (!this.sink.isTerminal) return
    const now = performance.now()
    if (now - this.shownMs < betweenUpdatesMs) return
    this.shownMs = now
    this.isShown = true
    void this.sink.write(`${eraseLine}${text(now - this.startedMs)}`)
  }

  /** Removes the line. */
  clear(): void {
    if (this.isShown) void this.sink.write(eraseLine)
    this.isShown = false
  }
}

// One run of the command line: its surroundings, its inputs, and how it ended.

export class Session {
  readonly io: Io
  exitCode = ExitCode.success
  private readonly args: ReadonlyArray<string>
  private readonly written = new Map<string, string>()
  private readStdin: string | undefined

  /** The arguments as they were given, before the environment added any. */
  readonly given: ReadonlyArray<string>

  constructor(io: Io, args: ReadonlyArray<string>, given: ReadonlyArray<string> = args) {
    this.io = io
    this.args = args
    this.given = given
    for (const arg of args) {
      const value = arg.startsWith("--") ? arg.slice(arg.indexOf("=") + 1) : arg
      this.written.set(resolve(value), value)
    }
  }

  /** Whether one of these flags was given. */
  has(...flags: ReadonlyArray<string>): boolean {
    return this.args.some((arg) => flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`)))
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

  /** An optional input. */
  openOptional(flag: string, path: Option.Option<string>): Sources.Source | undefined {
    return Option.isSome(path) ? this.open(flag, path.value) : undefined
  }

  /** Prints a message to the user, replacing a progress line. */
  readonly note = (message: string): void => {
    const { stderr } = this.io
    void stderr.write(`${stderr.isTerminal ? eraseLine : ""}${printable(message)}\n`)
  }

  /** Runs the work of a command, which returns the exit code. */
  run(work: () => Promise<number>): Effect.Effect<void, ExitCode.Stopped> {
    return Effect.map(Effect.tryPromise({ try: work, catch: ExitCode.stopped }), (code) => {
      this.exitCode = code
    })
  }
}
