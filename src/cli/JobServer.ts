/** The side of `split --jobs` that does the work: one for each thread, which answers one request after another. */
import { RunningTotals } from "../shares/Totals.js"
import * as ExitCode from "./ExitCode.js"
import * as Input from "./Input.js"
import type { Answer, PieceDone, Prepare, ReadInput, Request, SplitPiece } from "./JobMessages.js"
import * as Pieces from "./Pieces.js"
import { MixedIds } from "./SeenIds.js"
import type { Source } from "./Sources.js"
import { type Prepared, prepare, SplitRun } from "./SplitRun.js"
import * as SplitWriter from "./SplitWriter.js"
import { Utf8 } from "./Utf8.js"

/** An answer, and the buffers in it that are given away. */
export interface Reply {
  readonly answer: Answer
  readonly transfer: ReadonlyArray<ArrayBuffer>
}

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

/** What was prepared, and for what. */
interface Work {
  readonly prepared: Prepared
  readonly name: string
  readonly format: Prepare["format"]
  readonly withRefunds: boolean
}

/** Pieces differ; a little room saves most of them from growing. */
const expectedGrowth = 1.1

export class JobServer {
  private work: Work | undefined
  private notes: Array<string> = []
  private expectedBytes = 0
  private readonly note = (message: string): void => void this.notes.push(message)

  /** Answers a request. It never fails: a failure is an answer too. */
  async reply(request: Request): Promise<Reply> {
    this.notes = []
    try {
      const answer = await this.answer(request)
      const transfer =
        answer._tag === "PieceDone"
          ? [...Pieces.buffersOf(answer.piece), answer.output.buffer, answer.ids.buffer]
          : []
      return { answer, transfer }
    } catch (cause) {
      const { _tag, message } = ExitCode.stopped(cause)
      const failure = { _tag, message }
      return { answer: { _tag: "Stopped", notes: this.notes, failure }, transfer: [] }
    }
  }

  private async answer(request: Request): Promise<Answer> {
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

  private async prepare(request: Prepare): Promise<Work> {
    const { name, format, sales } = request
    const inputs = {
      sales,
      groups: sourceOf(request.groups),
      products: optionalSourceOf(request.products),
      policy: optionalSourceOf(request.policy),
      refunds: optionalSourceOf(request.refunds),
    }
    const prepared = await prepare(inputs, this.note)
    return { prepared, name, format, withRefunds: request.refunds !== undefined }
  }

  private split(work: Work, { piece, ...request }: SplitPiece): PieceDone {
    const { prepared, name, format, withRefunds } = work
    const ids = new MixedIds()
    const repeated = new Set(request.repeated)
    const totals = new RunningTotals()
    const run = new SplitRun(prepared, {
      name,
      writer: SplitWriter.of(format, { withRefunds, totals }),
      note: this.note,
      isRepeated: (id) => repeated.has(ids.add(id)),
    })
    const output = new Utf8(this.expectedBytes)
    for (const entry of Pieces.entriesOf(piece, { name, kind: Input.orders })) {
      output.add(run.result(entry))
    }
    this.expectedBytes = Math.ceil(output.written.length * expectedGrowth)
    return {
      _tag: "PieceDone",
      output: output.written,
      notes: this.notes,
      counts: run.counts,
      totals: totals.sums,
      ids: ids.take(),
      used: prepared.refunds.takeUsed(),
      piece,
    }
  }
}
