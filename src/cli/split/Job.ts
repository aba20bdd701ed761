import { Worker } from "node:worker_threads"
import type { StoppedData } from "../ExitCode.js"
import * as ExitCode from "../ExitCode.js"
import type { Piece } from "../input/Pieces.js"
import type { SalesFlags } from "../input/Sources.js"
import type { Counts, TotalsData } from "./SplitRun.js"

// The messages between the threads of `split --jobs`. All of them are plain data.

/** The form of the output. */
export type OutputFormat = "table" | "ndjson" | "csv"

/** An input, read as far as possible. */
export interface ReadInput {
  readonly name: string
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly failure: StoppedData | undefined
}

/** Everything that is the same for all pieces. It comes first, and once. */
export interface Prepare {
  readonly _tag: "Prepare"
  /** How the orders' input is called in messages. */
  readonly name: string
  readonly format: OutputFormat
  readonly sales: SalesFlags
  readonly groups: ReadInput
  readonly products: ReadInput | undefined
  readonly policy: ReadInput | undefined
  readonly refunds: ReadInput | undefined
}

/** Some of the orders. */
export interface SplitPiece {
  readonly _tag: "SplitPiece"
  readonly piece: Piece
  /** Which of the orders that could be read have the id of an earlier one, counted from 0. */
  readonly repeated: ReadonlyArray<number>
}

/** The refunds whose order was in no piece. */
export interface FindLeftOver {
  readonly _tag: "FindLeftOver"
  /** The orders with refunds that the pieces had. */
  readonly used: ReadonlySet<string>
}

export type JobRequest = Prepare | SplitPiece | FindLeftOver

export interface PrepareDone {
  readonly _tag: "PrepareDone"
  readonly notes: ReadonlyArray<string>
}

/** What came of a piece. */
export interface PieceDone {
  readonly _tag: "PieceDone"
  /** The output, in UTF-8. */
  readonly output: Uint8Array<ArrayBuffer>
  readonly notes: ReadonlyArray<string>
  readonly counts: Counts
  readonly totals: TotalsData
  /** The mixed ids of all orders that could be read. */
  readonly ids: Int32Array<ArrayBuffer>
  /** The orders with refunds. */
  readonly used: ReadonlySet<string>
  /** The piece itself, which was transferred: it has to be processed again if it has repeated orders. */
  readonly piece: Piece
}

export interface LeftOverFound {
  readonly _tag: "LeftOverFound"
  readonly lines: ReadonlyArray<string>
}

/** The run can't go on. */
export interface Stopped {
  readonly _tag: "Stopped"
  readonly notes: ReadonlyArray<string>
  readonly failure: StoppedData
}

export type JobAnswer = PrepareDone | PieceDone | LeftOverFound | Stopped

// The threads of `split --jobs`, as seen from the coordinating thread.

/** A thread that answers requests in their order. */
export interface Thread {
  /** Sends a request; the buffers of `transfer` are given away. */
  readonly send: (request: JobRequest, transfer: ReadonlyArray<ArrayBuffer>) => void
  readonly onAnswer: (listener: (answer: JobAnswer) => void) => void
  /** It ended by itself, or failed, and answers no more. */
  readonly onEnd: (listener: (cause: unknown) => void) => void
  readonly end: () => Promise<unknown>
}

/** How jobs are made. */
export interface Jobs {
  readonly start: () => Thread
  /** How many bytes of NDJSON a job gets at a time, but for the last line. */
  readonly pieceBytes: number
}

/** As deep as the main thread's own stack, so that all threads find the same values nested too deeply. */
const stackSizeMb = 1.15
/** A piece produces much garbage; fewer collections are faster. */
const maxYoungGenerationSizeMb = 64

const startThread = (): Thread => {
  // The build puts it beside the program, of which this is a part.
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb },
  })
  return {
    send: (request, transfer) => worker.postMessage(request, [...transfer]),
    onAnswer: (listener) => worker.on("message", listener),
    onEnd: (listener) => {
      worker.on("error", listener)
      worker.on("messageerror", listener)
      worker.on("exit", (code) => listener(new Error(`it ended with ${code}`)))
    },
    end: () => worker.terminate(),
  }
}

/** Threads of the process. */
export const threads: Jobs = { start: startThread, pieceBytes: 1 << 20 }

/** Without its answer an order would be lost: that ends the run. */
const lost = (cause: unknown): ExitCode.Stopped => {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  if (code === "ERR_WORKER_OUT_OF_MEMORY") {
    const message =
      "a job ran out of memory, and the orders after the last one printed are not done"
    return new ExitCode.UnusableInput({ message: `${message}: try again with fewer --jobs` })
  }
  const { message } = ExitCode.stopped(cause)
  return new ExitCode.Defect({ message: `a job ended before its work was done: ${message}` })
}

interface WaitingRequest {
  readonly resolve: (answer: JobAnswer) => void
  readonly reject: (cause: ExitCode.Stopped) => void
}

/** One thread and what it was asked. */
export class Job {
  private readonly thread: Thread
  private waiting: Array<WaitingRequest> = []
  private failure: ExitCode.Stopped | undefined

  constructor(thread: Thread) {
    this.thread = thread
    thread.onAnswer((answer) => this.waiting.shift()?.resolve(answer))
    thread.onEnd((cause) => this.fail(lost(cause)))
  }

  /** How many requests it has not answered yet. */
  get load(): number {
    return this.waiting.length
  }

  /** Asks the thread; fails when it can't answer any more. */
  ask(request: JobRequest, transfer: ReadonlyArray<ArrayBuffer> = []): Promise<JobAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<JobAnswer>()
    // The caller awaits this answer in its turn; until then its failure does not count as unhandled.
    promise.catch(() => undefined)
    if (this.failure === undefined) {
      this.waiting.push({ resolve, reject })
      this.thread.send(request, transfer)
    } else reject(this.failure)
    return promise
  }

  async end(): Promise<void> {
    await this.thread.end()
  }

  private fail(failure: ExitCode.Stopped): void {
    this.failure ??= failure
    const { waiting } = this
    this.waiting = []
    for (const { reject } of waiting) reject(this.failure)
  }
}
