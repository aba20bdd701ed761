/** `apportion split`: one result for each order. */
import * as ExitCode from "./ExitCode.js"
import * as Input from "./Input.js"
import type { OrderFailure } from "./OrderFailure.js"
import * as OrderReader from "./OrderReader.js"
import { Orders } from "./Orders.js"
import { Output } from "./Output.js"
import * as Products from "./Products.js"
import { Progress } from "./Progress.js"
import type { Entry } from "./Records.js"
import * as Refunds from "./Refunds.js"
import * as Rules from "./Rules.js"
import type { Session } from "./Session.js"
import type { Source } from "./Sources.js"
import * as SplitWriter from "./SplitWriter.js"

/** What the command works on. */
export interface Options {
  readonly groups: Source
  readonly orders: Source
  readonly products: Source | undefined
  readonly policy: Source | undefined
  readonly refunds: Source | undefined
  readonly format: "table" | "ndjson" | "csv"
}

/** Orders on their way from the input to the output. */
class Run {
  orderCount = 0
  failureCount = 0
  failedRefunds = 0
  private readonly session: Session
  private readonly orders: Orders
  private readonly refunds: Refunds.Refunds
  private readonly writer: SplitWriter.SplitWriter

  constructor(
    session: Session,
    parts: {
      readonly orders: Orders
      readonly refunds: Refunds.Refunds
      readonly writer: SplitWriter.SplitWriter
    },
  ) {
    this.session = session
    this.orders = parts.orders
    this.refunds = parts.refunds
    this.writer = parts.writer
  }

  /** What stands before the first order. */
  begin(): string {
    return this.writer.begin()
  }

  /** The text of one order's result. */
  result(entry: Entry): string {
    this.orderCount += 1
    const outcome = this.orders.split(entry)
    if (outcome._tag === "OrderFailure") return this.failure(outcome)
    const { reversals, failures } = this.refunds.reversals(outcome.split)
    this.failedRefunds += failures.length
    for (const line of failures) this.session.note(`apportion: ${line}`)
    return this.writer.split(outcome.split, reversals)
  }

  /** Refunds of orders that did not come are failures too. */
  end(): string {
    const left = this.refunds.leftOver()
    this.failedRefunds += left.length
    for (const line of left) this.session.note(`apportion: ${line}`)
    return this.writer.end()
  }

  private failure(failure: OrderFailure): string {
    this.failureCount += 1
    if (failure.orderId !== undefined) this.refunds.of(failure.orderId)
    if (!this.writer.writesFailures) {
      for (const line of failure.lines) this.session.note(`apportion: ${line}`)
    }
    return this.writer.failure(failure)
  }
}

const prepare = async (session: Session, options: Options): Promise<Run> => {
  const { rules } = await Rules.readGroups(options.groups, session.note)
  const policy = await Rules.readPolicy(options.policy, session.note)
  const catalogues = await Products.read(options.products, session.note)
  const refunds = await Refunds.read(options.refunds, session.note)
  const writer = SplitWriter.of(options.format, { withRefunds: options.refunds !== undefined })
  const orders = new Orders({
    name: options.orders.name,
    rules,
    policy,
    readOrder: OrderReader.of(catalogues),
    note: session.note,
  })
  return new Run(session, { orders, refunds, writer })
}

/** Tells how many failed, and answers the exit code. */
const conclude = (session: Session, { orderCount, failureCount, failedRefunds }: Run): number => {
  if (failureCount > 0) session.note(`apportion: ${failureCount} of ${orderCount} orders failed`)
  if (failedRefunds > 0) session.note(`apportion: ${Refunds.failed(failedRefunds)}`)
  return failureCount + failedRefunds > 0 ? ExitCode.someFailed : ExitCode.success
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: Options): Promise<number> => {
  const work = await prepare(session, options)
  const output = new Output(session.io.stdout)
  const progress = new Progress(session.io.stderr)
  const batches = Input.read(options.orders, { kind: Input.orders, note: session.note })
  try {
    let isBegun = false
    for await (const batch of batches) {
      if (!isBegun) output.add(work.begin())
      isBegun = true
      for (const entry of batch) output.add(work.result(entry))
      await output.flushLarge()
      progress.update(work.orderCount)
    }
    output.add(work.end())
  } finally {
    progress.clear()
    await output.flush()
  }
  return conclude(session, work)
}
