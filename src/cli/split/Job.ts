import { Worker } from "node:worker_threads"
import type { StoppedData } from "../ExitCode.js"
import * as ExitCode from "../ExitCode.js"
import type { Piece } from "../input/Pieces.js"
import type { SalesFlags } from "../input/Sources.js"
import type { Counts, TotalsData } from "./SplitRun.js"

// The messages between the threads of `split --jobs`. All of them are plain data. Lines and outputs stand in shared memory and
// belong to one thread at a time: the first buffer that is transferred has V8 compile all code on typed arrays again, with a
// check in each access.

/** The form of the output. */
export type OutputFormat = "table" | "ndjson" | "csv"

/** An input, read as far as possible, with the failure that ended it. */
export interface ReadInput {
  readonly name: string
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly failure: StoppedData | undefined
}

/** The inputs for all pieces. It is sent once, as the first request. */
export interface Prepare {
  readonly _tag: "Prepare"
  /** The name of the orders' input in messages. */
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
  /** The positions, from 0, of readable orders with the id of an earlier one. */
  readonly repeated: ReadonlyArray<number>
  /** A buffer that the output is written over, as there is no use for it any more. */
  readonly spare: SharedArrayBuffer | undefined
}

/** Asks for the refunds whose order was in no piece. */
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

/** The result of a piece. */
export interface PieceDone {
  readonly _tag: "PieceDone"
  /** The output, in UTF-8. */
  readonly output: Uint8Array<SharedArrayBuffer>
  readonly notes: ReadonlyArray<string>
  readonly counts: Counts
  readonly totals: TotalsData
  /** The mixed ids of all readable orders. */
  readonly ids: Int32Array<ArrayBuffer>
  /** The orders with refunds. */
  readonly used: ReadonlySet<string>
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
  readonly send: (request: JobRequest) => void
  readonly onAnswer: (listener: (answer: JobAnswer) => void) => void
  /** Called when the thread has ended or failed, and answers no more. */
  readonly onEnd: (listener: (cause: unknown) => void) => void
  readonly end: () => Promise<unknown>
}

/** How jobs are made. */
export interface Jobs {
  readonly start: () => Thread
  /** The bytes of NDJSON in a piece, not counting its last line. */
  readonly pieceBytes: number
}

/** The size of the main thread's stack, so that all threads refuse the same values as nested too deeply. */
const stackSizeMb = 1.15

const startThread = (): Thread => {
  // The build puts the worker beside the program that contains this module.
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    resourceLimits: { stackSizeMb },
  })
  return {
    send: (request) => worker.postMessage(request),
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
export const threads: Jobs = { start: startThread, pieceBytes: 1 << 18 }

/** The end of the run when a job fails: without its answer, orders would be missing. */
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

/** One thread and its open requests. */
export class Job {
  private readonly thread: Thread
  private waiting: Array<WaitingRequest> = []
  private failure: ExitCode.Stopped | undefined

  constructor(thread: Thread) {
    this.thread = thread
    thread.onAnswer((answer) => this.waiting.shift()?.resolve(answer))
    thread.onEnd((cause) => this.fail(lost(cause)))
  }

  /** The number of requests without an answer. */
  get load(): number {
    return this.waiting.length
  }

  /** Sends a request and returns the answer; fails when the thread has ended. */
  ask(request: JobRequest): Promise<JobAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<JobAnswer>()
    // The caller awaits this answer later; until then its failure must not count as unhandled.
    promise.catch(() => undefined)
    if (this.failure === undefined) {
      this.waiting.push({ resolve, reject })
      this.thread.send(request)
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
