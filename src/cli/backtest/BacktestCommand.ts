import { printable } from "../../orders/Words.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import * as Collaborators from "../input/Collaborators.js"
import * as Input from "../input/Input.js"
import * as OrderReader from "../input/Orders.js"
import { type OrderFailure, type OrderSplitter, Orders, type SplitOrder } from "../input/Orders.js"
import * as Products from "../input/Products.js"
import type { InputEntry, Note } from "../input/Records.js"
import * as Refunds from "../input/Refunds.js"
import * as Rules from "../input/Rules.js"
import { splitterOf } from "../input/RunSplitter.js"
import type { OrderInputs, Source } from "../input/Sources.js"
import { ExactSum } from "../output/ExactSum.js"
import type { Session } from "../Session.js"
import { Output, Progress } from "../Session.js"
import { conclude } from "../split/SplitRun.js"
import * as BacktestAmounts from "./Backtest.js"
import {
  type Backtest,
  BacktestBiggest,
  BacktestMonths,
  BacktestSums,
  type RefusedOrder,
} from "./Backtest.js"

// Splits each order by two rule sets, and collects the sums, the biggest differences and the refusals.

type OrderOutcome = SplitOrder | OrderFailure

/** How many refused orders are kept; the others are reported and counted. */
const mostListed = 100

const flagOf = { before: "--groups", after: "--against" } as const

/** The amounts that one side gives to the collaborators and to the store. */
const paidBy = (sold: BacktestAmounts.SplitSale): Pick<RefusedOrder, "shares" | "store"> => {
  const sums = { shares: new ExactSum(), store: new ExactSum() }
  for (const [who, { before }] of BacktestAmounts.ofOrder({ before: sold, after: sold })) {
    sums[who === null ? "store" : "shares"].addSum(before)
  }
  return { shares: sums.shares.value, store: sums.store.value }
}

export class BacktestRun {
  private readonly orders: Orders
  private readonly sides: { readonly before: OrderSplitter; readonly after: OrderSplitter }
  private readonly timeZone: string
  private readonly refunds: Refunds.Refunds
  private readonly note: (line: string) => void
  private readonly months: BacktestMonths
  private readonly sums = new BacktestSums()
  private readonly biggest: BacktestBiggest
  private readonly refused: Array<RefusedOrder> = []
  private orderCount = 0
  private compared = 0
  private changed = 0
  private unreadable = 0
  private refusals = { before: 0, after: 0, both: 0 }
  private failedRefundCount = 0

  constructor(options: {
    readonly orders: Orders
    readonly before: OrderSplitter
    readonly after: OrderSplitter
    /** The time zone of the months. */
    readonly timeZone: string
    readonly refunds: Refunds.Refunds
    /** How many of the biggest differences of each currency are explained. */
    readonly explain: number
    readonly note: (line: string) => void
  }) {
    this.orders = options.orders
    this.sides = { before: options.before, after: options.after }
    this.refunds = options.refunds
    this.note = options.note
    this.timeZone = options.timeZone
    this.months = new BacktestMonths(options.timeZone)
    this.biggest = new BacktestBiggest(options.explain)
  }

  /** How many refunds could not be made. */
  get failedRefunds(): number {
    return this.failedRefundCount
  }

  get counts(): Backtest["counts"] {
    return {
      orders: this.orderCount,
      compared: this.compared,
      changed: this.changed,
      refusedByBefore: this.refusals.before,
      refusedByAfter: this.refusals.after,
      refusedByBoth: this.refusals.both,
      unreadable: this.unreadable,
    }
  }

  /** The result so far. */
  get result(): Pick<Backtest, "timeZone" | "counts" | "rows" | "totals" | "biggest" | "refused"> {
    return {
      timeZone: this.timeZone,
      counts: this.counts,
      rows: this.sums.rows(),
      totals: this.sums.totals(),
      biggest: this.biggest.orders(),
      refused: this.refused,
    }
  }

  /** Splits an order by both rule sets. */
  take(entry: InputEntry): void {
    this.orderCount += 1
    const read = this.orders.read(entry)
    if (read._tag === "NotSold") {
      this.orderCount -= 1
      this.refunds.markUsed(read.orderId)
      return
    }
    if (read._tag === "OrderFailure") {
      this.unreadable += 1
      this.tellFailures([read])
      return
    }
    const before = this.orders.splitBy(read, this.sides.before)
    const after = this.orders.splitBy(read, this.sides.after)
    this.takeBoth(before, after)
  }

  private takeBoth(before: OrderOutcome, after: OrderOutcome): void {
    if (before._tag === "SplitOrder") {
      if (after._tag === "SplitOrder") this.compare(before, after)
      else this.refuse("after", after, before)
    } else if (after._tag === "SplitOrder") this.refuse("before", before, after)
    else {
      this.refusals.both += 1
      this.tellFailures([before, after])
    }
  }

  private compare(before: SplitOrder, after: SplitOrder): void {
    this.compared += 1
    const { orderId, currency, createdAt } = before.split
    const sold = { before: this.soldOf(before, "before"), after: this.soldAgain(after) }
    const month = this.months.of(createdAt)
    const amounts = BacktestAmounts.ofOrder(sold)
    this.sums.add({ currency, month }, amounts)
    const candidate = { orderId, line: before.record.line, currency, month, sold }
    if (this.biggest.consider(candidate, amounts)) this.changed += 1
  }

  /** A split less its refunds; refunds that can't be made are reported. */
  private soldOf(sale: SplitOrder, side: "before" | "after"): BacktestAmounts.SplitSale {
    const { made, reversals, failures, notes, isUntold } = this.refunds.reversals(sale)
    this.sides[side].takeBack(sale.split, made)
    this.failedRefundCount += failures.length
    for (const line of [...failures, ...notes]) this.note(line)
    if (isUntold) this.orders.remarks.addUntoldRefund(sale.order.id)
    return { split: sale.split, reversals }
  }

  /**
   * The second split of the same order. Whether a refund can be made does not depend on the rules, so failures are not
   * reported again.
   */
  private soldAgain(sale: SplitOrder): BacktestAmounts.SplitSale {
    const { made, reversals } = this.refunds.reversals(sale)
    this.sides.after.takeBack(sale.split, made)
    return { split: sale.split, reversals }
  }

  private refuse(by: "before" | "after", failure: OrderFailure, outcome: SplitOrder): void {
    this.refusals[by] += 1
    for (const line of failure.lines) this.note(`${line} (with ${flagOf[by]} only)`)
    const sold = this.soldOf(outcome, by === "before" ? "after" : "before")
    if (this.refused.length >= mostListed) return
    const { orderId, currency } = sold.split
    const order = { orderId, line: failure.line, currency, by, error: failure.error }
    this.refused.push({ ...order, ...paidBy(sold) })
  }

  private tellFailures(failures: ReadonlyArray<OrderFailure>): void {
    for (const { orderId } of failures) if (orderId !== undefined) this.refunds.markUsed(orderId)
    for (const line of new Set(failures.flatMap(({ lines }) => lines))) this.note(line)
  }
}

// `apportion backtest`: what each collaborator would have got under other rules.

/** The options of the command. */
export interface BacktestOptions extends OrderInputs {
  readonly against: Source
  /** The policy of the other rules; `undefined`: the same one. */
  readonly againstPolicy: Source | undefined
  readonly refunds: Source | undefined
  /** The collaborators' file, for their names. */
  readonly collaborators: Source | undefined
  /** Whether everyone for whom something changes is listed. */
  readonly isAll: boolean
  /** How many of the biggest differences are explained, as given. */
  readonly explain: string
  readonly format: "table" | "csv" | "json" | "html"
}

const mostExplained = 1_000

const explainOf = ({ explain }: BacktestOptions): number => {
  const problem = wholeProblem(explain, { flag: "explain", least: 0, most: mostExplained })
  if (problem === undefined) return Number(explain)
  throw new ExitCode.UnusableInput({ message: problem })
}

interface Sides {
  readonly before: OrderSplitter
  readonly after: OrderSplitter
  /** Whether one of the policies deducts costs. */
  readonly deductsCosts: boolean
  /** The time zone of the months: that of `--policy`. */
  readonly timeZone: string
}

const readSides = async (options: BacktestOptions, note: Note): Promise<Sides> => {
  const groups = await Rules.readTermedGroups(options.groups, note)
  const { policy, timeZone } = await Rules.readPolicy(options.policy, note)
  const against = await Rules.readTermedGroups(options.against, note)
  const { againstPolicy } = options
  const other =
    againstPolicy === undefined ? { policy, timeZone } : await Rules.readPolicy(againstPolicy, note)
  if (other.timeZone !== timeZone) {
    note(
      `note: months are in the time zone of --policy (${timeZone}), not of --against-policy (${other.timeZone})`,
    )
  }
  // Both sides count anew from the first order, in the time zone of the months.
  const before = await splitterOf(groups, { policy, timeZone }, { note })
  const after = await splitterOf(against, { policy: other.policy, timeZone }, { note })
  const deductsCosts = [policy, other.policy].some(({ cost }) => cost === "deduct")
  return { before: before.splitter, after: after.splitter, deductsCosts, timeZone }
}

const readOrders = async (
  session: Session,
  options: BacktestOptions,
  run: BacktestRun,
): Promise<void> => {
  const progress = new Progress(session.io.stderr)
  try {
    const input = { kind: Input.orders, note: session.note }
    for await (const batch of Input.read(options.orders, input)) {
      for (const entry of batch) run.take(entry)
      progress.update(run.counts.orders)
    }
  } finally {
    progress.clear()
  }
}

const textsOf = async (
  backtest: Backtest,
  format: BacktestOptions["format"],
): Promise<Iterable<string>> => {
  switch (format) {
    case "table":
      return (await import("./BacktestView.js")).texts(backtest)
    case "csv":
      return (await import("./BacktestView.js")).csvTexts(backtest)
    case "json":
      return (await import("./BacktestView.js")).jsonTexts(backtest)
    case "html":
      return (await import("./BacktestPage.js")).texts(backtest)
  }
}

const print = async (
  session: Session,
  backtest: Backtest,
  format: BacktestOptions["format"],
): Promise<void> => {
  const output = new Output(session.io.stdout)
  for (const text of await textsOf(backtest, format)) {
    output.add(format === "table" ? printable(text) : text)
    await output.flushLarge()
  }
  await output.flush()
}

/** The names of the inputs in the output. */
const inputNames = (options: BacktestOptions): Pick<Backtest, "before" | "after"> => {
  const policy = options.policy?.name ?? null
  return {
    before: { groups: options.groups.name, policy },
    after: { groups: options.against.name, policy: options.againstPolicy?.name ?? policy },
  }
}

const readNames = async ({ collaborators }: BacktestOptions, note: Note) => {
  if (collaborators === undefined) return undefined
  const read = await Collaborators.read(collaborators, note)
  return new Map([...read].map(([id, { account }]) => [id, account.name]))
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: BacktestOptions): Promise<number> => {
  const explain = explainOf(options)
  const { deductsCosts, ...sides } = await readSides(options, session.note)
  const readOrder = OrderReader.of({
    catalogues: await Products.read(options.products, options.sales, session.note),
    deductsCosts,
    sales: options.sales,
  })
  const refunds = await Refunds.read(options.refunds, session.note)
  const names = await readNames(options, session.note)
  const { name } = options.orders
  const orders = new Orders({ name, splitter: sides.before, readOrder })
  const tell = (line: string) => session.note(`apportion: ${line}`)
  const work = new BacktestRun({ orders, ...sides, refunds, explain, note: tell })
  await readOrders(session, options, work)
  const leftOver = refunds.leftOver()
  for (const line of leftOver) tell(line)
  const { isAll } = options
  const found = { ...inputNames(options), names, isAll, ...work.result }
  await print(session, found, options.format)
  const { counts } = work
  return conclude(session.note, {
    orders: counts.orders,
    failures: counts.orders - counts.compared,
    failedRefunds: work.failedRefunds + leftOver.length,
    remarks: orders.remarks.data,
  })
}
