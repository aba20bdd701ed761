import { RunningTotals } from "../../shares/Totals.js"
import * as ExitCode from "../ExitCode.js"
import * as Input from "../input/Input.js"
import * as Pieces from "../input/Pieces.js"
import { turnsProblem } from "../input/RunSplitter.js"
import { MixedIds } from "../input/SeenIds.js"
import type { Source } from "../input/Sources.js"
import { Utf8 } from "../output/Utf8.js"
import { ColumnRun } from "./ColumnRun.js"
import type { JobAnswer, JobRequest, PieceDone, Prepare, ReadInput, SplitPiece } from "./Job.js"
import * as SplitWriter from "./SplitRun.js"
import { type Prepared, prepare, SplitRun } from "./SplitRun.js"

// The worker side of `split --jobs`: one for each thread, which answers requests in sequence.

/** An input that another thread read, with the failure where it had one. */
const sourceOf = ({ name, chunks, failure }: ReadInput): Source => ({
  name,
  chunks: async function* () {
    yield* chunks
    if (failure !== undefined) throw ExitCode.fromData(failure)
  },
})

const optionalSourceOf = (input: ReadInput | undefined): Source | undefined =>
  input === undefined ? undefined : sourceOf(input)

/** The prepared inputs, and the request that they are for. */
interface PreparedWork {
  readonly prepared: Prepared
  readonly name: string
  readonly format: Prepare["format"]
  readonly withRefunds: boolean
  readonly columns: ColumnRun | undefined
}

export class JobServer {
  private work: PreparedWork | undefined
  private notes: Array<string> = []
  private readonly note = (message: string): void => void this.notes.push(message)

  /** Answers a request. It never fails: a failure is an answer too. */
  async reply(request: JobRequest): Promise<JobAnswer> {
    const notes: Array<string> = []
    this.notes = notes
    try {
      return await this.answer(request)
    } catch (cause) {
      const { _tag, message } = ExitCode.stopped(cause)
      return { _tag: "Stopped", notes, failure: { _tag, message } }
    }
  }

  private async answer(request: JobRequest): Promise<JobAnswer> {
    if (request._tag === "Prepare") {
      this.work = await this.prepare(request)
      return { _tag: "PrepareDone", notes: this.notes }
    }
    const { work } = this
    if (work === undefined) throw new ExitCode.Defect({ message: "a job was not prepared" })
    if (request._tag === "SplitPiece") return this.split(work, request)
    work.prepared.refunds.use(request.used)
    return { _tag: "LeftOverFound", lines: work.prepared.refunds.leftOver() }
  }

  private async prepare(request: Prepare): Promise<PreparedWork> {
    const { name, format, sales } = request
    const inputs = {
      sales,
      groups: sourceOf(request.groups),
      products: optionalSourceOf(request.products),
      policy: optionalSourceOf(request.policy),
      refunds: optionalSourceOf(request.refunds),
    }
    const prepared = await prepare(inputs, this.note)
    const problem = turnsProblem(prepared.run)
    if (problem !== undefined) throw new ExitCode.UnusableInput({ message: problem })
    const columns = ColumnRun.of(prepared, request)
    return { prepared, name, format, withRefunds: request.refunds !== undefined, columns }
  }

  private split(work: PreparedWork, { piece, spare, ...request }: SplitPiece): PieceDone {
    const { prepared, name, format, withRefunds, columns } = work
    const ids = new MixedIds()
    const repeated = new Set(request.repeated)
    const totals = new RunningTotals()
    const run = new SplitRun(prepared, {
      name,
      writer: SplitWriter.of(format, { withRefunds, totals }),
      note: this.note,
      isRepeated: (id) => repeated.has(ids.add(id)),
    })
    const output = new Utf8(spare)
    const entries = Pieces.entriesOf(piece, { name, kind: Input.orders, take: columns?.take })
    if (columns === undefined) for (const entry of entries) output.add(run.result(entry))
    else columns.write(entries, run, output)
    return {
      _tag: "PieceDone",
      output: output.written,
      notes: this.notes,
      counts: run.counts,
      totals: totals.sums,
      ids: ids.take(),
      used: prepared.refunds.takeUsed(),
    }
  }
}
