/** `apportion split`: one result for each order. */
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import { isBulkFile } from "../input/BulkLines.js"
import * as Input from "../input/Input.js"
import { type After, checkAfter, writeAfter } from "../input/RunSplitter.js"
import type { Source } from "../input/Sources.js"
import { Utf8 } from "../output/Utf8.js"
import type { Session } from "../Session.js"
import { Output, Progress } from "../Session.js"
import { ColumnRun } from "./ColumnRun.js"
import * as SplitWriter from "./SplitRun.js"
import { conclude, type Inputs, prepare, SplitRun } from "./SplitRun.js"

/** What the command works on. */
export interface SplitOptions extends Inputs, After {
  readonly orders: Source
  readonly format: "table" | "ndjson" | "csv"
  /** How many cores share the work, as given. */
  readonly jobs: string
}

const mostJobs = 64

const jobsOf = (text: string): number => {
  const problem = wholeProblem(text, { flag: "jobs", least: 1, most: mostJobs })
  if (problem === undefined) return Number(text)
  throw new ExitCode.UnusableInput({ message: problem })
}

const inTurns =
  "--jobs: must be 1 where remainders are carried or groups have terms, because orders are split one after another"

/** One job, in this thread. */
const runAlone = async (session: Session, options: SplitOptions): Promise<number> => {
  const prepared = await prepare(options, session.note)
  checkAfter(prepared.run, options)
  const { name } = options.orders
  const writer = SplitWriter.of(options.format, { withRefunds: options.refunds !== undefined })
  const work = new SplitRun(prepared, { name, writer, note: session.note })
  const output = new Output(session.io.stdout)
  const progress = new Progress(session.io.stderr)
  const columns = ColumnRun.of(prepared, options)
  const batches = Input.read(options.orders, {
    ...{ kind: Input.orders, note: session.note },
    take: columns?.take,
  })
  const bytes = new Utf8()
  let leftOver: ReadonlyArray<string> = []
  try {
    let isBegun = false
    for await (const batch of batches) {
      if (!isBegun) output.add(writer.begin())
      isBegun = true
      if (columns === undefined) {
        for (const entry of batch) output.add(work.result(entry))
        await output.flushLarge()
      } else {
        columns.write(batch, work, bytes)
        await output.write(bytes.written)
        bytes.clear()
      }
      progress.update(work.counts.orders)
    }
    leftOver = prepared.refunds.leftOver()
    for (const line of leftOver) session.note(`apportion: ${line}`)
    output.add(writer.end())
  } finally {
    progress.clear()
    await output.flush()
  }
  await writeAfter(prepared.run, options)
  const { counts } = work
  return conclude(session.note, {
    ...counts,
    failedRefunds: counts.failedRefunds + leftOver.length,
  })
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: SplitOptions): Promise<number> => {
  const count = jobsOf(options.jobs)
  const { remainders, remaindersAfter, counters, countersAfter } = options
  if (count > 1 && (remainders ?? remaindersAfter ?? counters ?? countersAfter) !== undefined) {
    throw new ExitCode.UnusableInput({ message: inTurns })
  }
  // Lines of a bulk operation belong together, so such a file is not divided.
  if (count === 1 || (await isBulkFile(options.orders))) return runAlone(session, options)
  const [SplitJobs, { threads }] = await Promise.all([import("./SplitJobs.js"), import("./Job.js")])
  return SplitJobs.run(session, options, { jobs: session.io.jobs ?? threads, count })
}
