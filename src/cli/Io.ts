/** What a run of the command line reads from and writes to, so that tests can stand in for a process. */
import * as ExitCode from "./ExitCode.js"

/** Somewhere text goes: standard output or standard error. */
export interface Sink {
  /** Whether a person is looking at it. */
  readonly isTerminal: boolean
  /** Width in characters, when it is a terminal. */
  readonly columns: number | undefined
  /** Writes; the promise, when there is one, ends when there is room for more. */
  readonly write: (text: string) => Promise<void> | undefined
}

/** Goes back to the beginning of a terminal's line and empties it. */
export const eraseLine = "\r\u001b[2K"

/** The surroundings of one run. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Sink
  readonly stderr: Sink
}

const closed = () => new ExitCode.OutputClosed({ message: "the output was closed" })

const roomIn = (stream: NodeJS.WriteStream, isClosed: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = () => {
      stream.off("drain", settle)
      stream.off("close", settle)
      stream.off("error", settle)
      if (isClosed()) reject(closed())
      else resolve()
    }
    stream.on("drain", settle)
    stream.on("close", settle)
    stream.on("error", settle)
  })

/** A stream of the process as a sink. A reader that went away shows up as `OutputClosed`. */
export const sinkOf = (stream: NodeJS.WriteStream): Sink => {
  let gone = false
  stream.on("error", () => {
    gone = true
  })
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
    write: (text) => {
      if (gone) throw closed()
      return stream.write(text) ? undefined : roomIn(stream, () => gone)
    },
  }
}

/** The surroundings of a real process. */
export const ofProcess = (): Io => ({
  /** Touching standard input opens it, so that is left until it is read. */
  get stdin() {
    return process.stdin
  },
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
})
