import { setImmediate } from "node:timers/promises"
import { RunningTotals } from "../../shares/Totals.js"
import * as ExitCode from "../ExitCode.js"
import * as Input from "../input/Input.js"
import * as Pieces from "../input/Pieces.js"
import { Remarks } from "../input/Remarks.js"
import { SeenIds, wordsOfId } from "../input/SeenIds.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import { Output, Progress } from "../Session.js"
import {
  Job,
  type JobAnswer,
  type Jobs,
  type OutputFormat,
  type PieceDone,
  type Prepare,
  type ReadInput,
  type SplitPiece,
} from "./Job.js"
import { JobServer } from "./JobServer.js"
import * as SplitWriter from "./SplitRun.js"
import { type Counts, conclude, type Inputs } from "./SplitRun.js"

/** Runs added steps in sequence; the first failure ends all. */
export class Sequence {
  private last: Promise<void> = Promise.resolve()
  private steps: Array<Promise<void>> = []
  private hasFailed = false
  private readonly failing = Promise.withResolvers<never>()

  constructor() {
    this.failing.promise.catch(() => undefined)
  }

  /** Rejects when a step fails; it never resolves. */
  get failure(): Promise<never> {
    return this.failing.promise
  }

  /** Adds a step. */
  add(step: () => Promise<void> | void): void {
    this.last = this.last.then(step)
    this.last.catch((cause: unknown) => {
      this.hasFailed = true
      this.failing.reject(cause)
    })
    this.steps.push(this.last)
  }

  /** Waits until at most `count` steps are left; rejects when a step has failed. */
  async atMost(count: number): Promise<void> {
    if (this.hasFailed) await this.failing.promise
    while (this.steps.length > count) await this.steps.shift()
  }
}

// `apportion split --jobs N`: this thread divides the orders into pieces and writes the results in the order of the
// input; it and N - 1 other threads read and split them. This thread does the work that depends on all orders: repeated
// ids, printed notes, totals. The output is the same as with one job, to the byte.

/** What the command works on. */
export interface SplitJobsOptions extends Inputs {
  readonly orders: Source
  readonly format: OutputFormat
}

/** Pieces under way for each job: one being split, one waiting, one being written. */
const piecesOfJob = 3
/** Pieces that another thread has at a time: one waits while this thread splits one itself and can't send another. */
const piecesOfThread = 2

/** Reads an input as far as possible; a failure is reported when it is used. */
const readInput = async ({ name, chunks }: Source): Promise<ReadInput> => {
  const read: Array<Uint8Array> = []
  try {
    for await (const chunk of chunks()) read.push(chunk)
    return { name, chunks: read, failure: undefined }
  } catch (cause) {
    const { _tag, message } = ExitCode.stopped(cause)
    return { name, chunks: read, failure: { _tag, message } }
  }
}

const readOptional = async (source: Source | undefined): Promise<ReadInput | undefined> =>
  source === undefined ? undefined : readInput(source)

const readInputs = async (options: SplitJobsOptions): Promise<Prepare> => ({
  _tag: "Prepare",
  name: options.orders.name,
  format: options.format,
  sales: options.sales,
  groups: await readInput(options.groups),
  policy: await readOptional(options.policy),
  products: await readOptional(options.products),
  refunds: await readOptional(options.refunds),
})

class JobsRun {
  private readonly session: Session
  private readonly options: SplitJobsOptions
  /** The job of this thread. */
  private readonly own = new JobServer()
  private readonly others: ReadonlyArray<Job>
  /** Of the others, those that have read the inputs. */
  private readonly ready: Array<Job> = []
  private readonly pieceBytes: number
  /** Buffers of outputs that were written. */
  private readonly spares: Array<SharedArrayBuffer> = []
  private readonly sequence = new Sequence()
  private readonly writer: SplitWriter.SplitWriter
  private readonly output: Output
  private readonly progress: Progress
  private readonly totals = new RunningTotals()
  private readonly seen = new SeenIds()
  private readonly used = new Set<string>()
  private counts: Omit<Counts, "remarks"> = { orders: 0, failures: 0, failedRefunds: 0 }
  private readonly remarks = new Remarks()
  private isBegun = false
  /** Resolves when the ids of all earlier pieces are checked. */
  private checked: Promise<void> = Promise.resolve()

  constructor(
    session: Session,
    options: SplitJobsOptions,
    { jobs, count }: { jobs: Jobs; count: number },
  ) {
    this.session = session
    this.options = options
    this.others = Array.from({ length: count - 1 }, () => new Job(jobs.start()))
    this.pieceBytes = jobs.pieceBytes
    const withRefunds = options.refunds !== undefined
    this.writer = SplitWriter.of(options.format, { withRefunds, totals: this.totals })
    this.output = new Output(session.io.stdout)
    this.progress = new Progress(session.io.stderr)
  }

  /** Runs to the end, and returns the counts. */
  async run(): Promise<Counts> {
    try {
      await this.prepare()
      await Promise.race([this.readPieces(), this.sequence.failure])
      await this.findLeftOver()
      this.output.add(this.writer.end())
    } finally {
      this.progress.clear()
      await this.output.flush()
    }
    return { ...this.counts, remarks: this.remarks.data }
  }

  /** Ends the threads. */
  async end(): Promise<void> {
    await Promise.all(this.others.map((job) => job.end()))
  }

  private async prepare(): Promise<void> {
    const request = await readInputs(this.options)
    // The others start meanwhile, and are given orders once they are ready. All read the same inputs, so what this thread
    // says of them stands for all; and one that ends before it is ready is not missed.
    for (const job of this.others) {
      const isReady = (answer: JobAnswer) => answer._tag === "PrepareDone" && this.ready.push(job)
      job.ask(request).then(isReady, () => undefined)
    }
    const answer = await this.own.reply(request)
    this.refuseStopped(answer)
    if (answer._tag === "PrepareDone") this.tell(answer.notes)
  }

  private async readPieces(): Promise<void> {
    const { options, pieceBytes, sequence } = this
    const note = (message: string) => sequence.add(() => this.session.note(message))
    const pieces = Pieces.read(options.orders, { kind: Input.orders, note, pieceBytes })
    try {
      for await (const piece of pieces) {
        const done = this.uniqueIds(piece)
        sequence.add(async () => this.deliver(await done))
        await sequence.atMost((this.others.length + 1) * piecesOfJob)
        // A piece may have been split here meanwhile: what the others answered is noted before the next one is given.
        await setImmediate()
      }
    } catch (cause) {
      // The failure is reported after the results of earlier pieces.
      sequence.add(() => Promise.reject(cause))
    }
    await sequence.atMost(0)
  }

  /** Gives a piece to the thread with the least to do; if all have enough, it is split here. */
  private async ask(piece: Pieces.Piece, repeated: ReadonlyArray<number>): Promise<PieceDone> {
    const spare = this.spares.pop()
    const request: SplitPiece = { _tag: "SplitPiece", piece, repeated, spare }
    const [first, ...others] = this.ready
    const job = others.reduce(
      (best, other) => (best && other.load < best.load ? other : best),
      first,
    )
    const answer =
      job !== undefined && job.load < piecesOfThread
        ? await job.ask(request)
        : await this.own.reply(request)
    this.refuseStopped(answer)
    if (answer._tag === "PieceDone") return answer
    throw new ExitCode.Defect({ message: `a job answered ${answer._tag} to a piece` })
  }

  /** Checks a piece for orders with the id of an earlier one; such a piece is processed again without them. */
  private uniqueIds(piece: Pieces.Piece): Promise<PieceDone> {
    const asked = this.ask(piece, [])
    const checked = this.checked.then(async () => {
      const done = await asked
      return { done, repeated: this.repeatedOf(done.ids) }
    })
    const unique = checked.then(({ done, repeated }) =>
      repeated.length === 0 ? done : this.ask(piece, repeated),
    )
    this.checked = checked.then(() => undefined)
    for (const promise of [asked, unique, this.checked]) promise.catch(() => undefined)
    return unique
  }

  private repeatedOf(ids: Int32Array): ReadonlyArray<number> {
    const repeated: Array<number> = []
    for (let at = 0; at < ids.length; at += wordsOfId) {
      if (!this.seen.addMixed(ids, at)) repeated.push(at / wordsOfId)
    }
    return repeated
  }

  private async deliver({ output, notes, counts, totals, used }: PieceDone): Promise<void> {
    if (!this.isBegun) this.output.add(this.writer.begin())
    this.isBegun = true
    this.tell(notes)
    this.totals.addAll(totals)
    for (const orderId of used) this.used.add(orderId)
    this.remarks.addAll(counts.remarks)
    this.counts = {
      orders: this.counts.orders + counts.orders,
      failures: this.counts.failures + counts.failures,
      failedRefunds: this.counts.failedRefunds + counts.failedRefunds,
    }
    await this.output.write(output)
    this.spares.push(output.buffer)
    this.progress.update(this.counts.orders)
  }

  /** Reports refunds whose order was in no piece, which count as failures. */
  private async findLeftOver(): Promise<void> {
    const answer = await this.own.reply({ _tag: "FindLeftOver", used: this.used })
    this.refuseStopped(answer)
    const lines = answer._tag === "LeftOverFound" ? answer.lines : []
    for (const line of lines) this.session.note(`apportion: ${line}`)
    const failedRefunds = this.counts.failedRefunds + lines.length
    this.counts = { ...this.counts, failedRefunds }
  }

  private refuseStopped(answer: JobAnswer): void {
    if (answer._tag !== "Stopped") return
    this.tell(answer.notes)
    throw ExitCode.fromData(answer.failure)
  }

  private tell(notes: ReadonlyArray<string>): void {
    for (const note of notes) this.session.note(note)
  }
}

/** Runs the command with some jobs, and answers the exit code. */
export const run = async (
  session: Session,
  options: SplitJobsOptions,
  from: { readonly jobs: Jobs; readonly count: number },
): Promise<number> => {
  const work = new JobsRun(session, options, from)
  try {
    return conclude(session.note, await work.run())
  } finally {
    await work.end()
  }
}
