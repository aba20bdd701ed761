/** The threads of `split --jobs`, seen from the thread that gives them their work. */
import { Worker } from "node:worker_threads"
import * as ExitCode from "./ExitCode.js"
import type { Answer, Request } from "./JobMessages.js"

/** A thread that answers requests in their order. */
export interface Thread {
  /** Sends a request; the buffers of `transfer` are given away. */
  readonly send: (request: Request, transfer: ReadonlyArray<ArrayBuffer>) => void
  readonly onAnswer: (listener: (answer: Answer) => void) => void
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
/** A piece leaves much behind that nobody needs; the fewer pauses to clear it away, the better. */
const maxYoungGenerationSizeMb = 64

const startThread = (): Thread => {
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

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (cause: ExitCode.Stopped) => void
}

/** One thread and what it was asked. */
export class Job {
  private readonly thread: Thread
  private waiting: Array<Waiting> = []
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
  ask(request: Request, transfer: ReadonlyArray<ArrayBuffer> = []): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // Whoever waits for the answers gets to this one in its turn; until then it is no unhandled failure.
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
