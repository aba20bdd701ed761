/** The counters of a run: read from a file, counted from order to order, and written into a file. */
import * as Result from "effect/Result"
import type { Order } from "../../orders/Order.js"
import type { Refund } from "../../shares/Refund.js"
import type { Split, SplitError } from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { CountedRules } from "../../terms/CountedRules.js"
import * as CountedSplit from "../../terms/CountedSplit.js"
import * as Counters from "../../terms/Counters.js"
import * as WireCounters from "../../wire/Counters.js"
import * as ExitCode from "../ExitCode.js"
import * as Input from "./Input.js"
import type { OrderSplitter } from "./Orders.js"
import type { Note } from "./Records.js"
import * as Problems from "./Records.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

/** A refund whose counts are not taken off yet. */
interface WaitingRefund {
  readonly split: Split
  readonly refund: Refund
  readonly earlier: ReadonlyArray<Refund>
}

/** The counters of a file; none without one. */
export const readCounters = async (
  source: Source | undefined,
  note: Note,
): Promise<Counters.Counters> => {
  if (source === undefined) return Counters.none
  const records = await Input.readAll(source, { kind: Input.counters, note })
  const counters = new Map<string, number>()
  const read = readEach(source.name, records, WireCounters.readOne)
  read.flatMap(Object.entries).forEach(([key, count], index) => {
    const record = records[index]
    if (counters.has(key) && record !== undefined) {
      const message = `the counter ${key} is there twice`
      throw Problems.unusable([Problems.lineOf(source.name, record, { path: "", message })])
    }
    counters.set(key, count)
  })
  return Object.fromEntries(counters)
}

/** Splits orders by groups with terms, and counts them. */
export class RunCounters implements OrderSplitter {
  private readonly rules: CountedRules
  private readonly policy: SplitPolicy
  private readonly options: CountedSplit.PeriodOptions
  private readonly until: number
  private readonly tally: Counters.RunningCounters
  /** Latest first, so that the next one is at the end. */
  private readonly waiting: Array<WaitingRefund> = []

  constructor(
    {
      rules,
      policy,
      timeZone,
      until = Number.POSITIVE_INFINITY,
    }: {
      readonly rules: CountedRules
      readonly policy: SplitPolicy
      readonly timeZone: string
      /** Orders of this time and later count for nothing. */
      readonly until?: number | undefined
    },
    counters: Counters.Counters,
  ) {
    this.rules = rules
    this.policy = policy
    this.options = { timeZone }
    this.until = until
    this.tally = Counters.tally(counters)
  }

  split(order: Order): Result.Result<Split, SplitError | Counters.InvalidCounters> {
    if ((order.createdAt ?? Number.NEGATIVE_INFINITY) >= this.until) {
      return Result.map(
        CountedSplit.orderResult(this.rules, order, this.policy, Counters.none, this.options),
        ({ split }) => split,
      )
    }
    // Of what happens in the same second, sales come before refunds.
    if (this.waiting.length > 0) this.takeOff(order.createdAt ?? Number.NEGATIVE_INFINITY)
    const [split] = CountedSplit.orders(this.rules, [order], this.tally, this.policy, this.options)
    if (split === undefined) throw new ExitCode.Defect({ message: "an order without a result" })
    return split
  }

  /** What refunds take off counts for the orders of later seconds. */
  takeBack(split: Split, refunds: ReadonlyArray<Refund>): void {
    refunds.forEach((refund, place) => {
      const { refundedAt } = refund
      const after = this.waiting.findLastIndex((one) => one.refund.refundedAt >= refundedAt)
      this.waiting.splice(after + 1, 0, { split, refund, earlier: refunds.slice(0, place) })
    })
  }

  /** How far the counters have come after all orders and refunds. */
  get counters(): Counters.Counters {
    this.takeOff(Number.POSITIVE_INFINITY)
    return this.tally.counters
  }

  /** The counters as the lines of a file. */
  lines(): ReadonlyArray<string> {
    return WireCounters.write(this.counters).map((counter) => JSON.stringify(counter))
  }

  private takeOff(until: number): void {
    for (;;) {
      const next = this.waiting.at(-1)
      if (next === undefined || next.refund.refundedAt >= until) return
      this.waiting.pop()
      this.lower(next)
    }
  }

  private lower({ split, refund, earlier }: WaitingRefund): void {
    const keys = split.shares.flatMap(({ itemId, terms }) =>
      itemId === refund.itemId && terms !== undefined
        ? [terms.tiers, terms.cap].flatMap((one) => one?.counter ?? [])
        : [],
    )
    if (keys.length === 0) return
    const counters = Object.fromEntries(keys.map((key) => [key, this.tally.at(key)]))
    const lowered = CountedSplit.refund(split, refund, { earlier, counters })
    if (Result.isFailure(lowered)) {
      const { message } = lowered.failure
      throw new ExitCode.UnusableInput({ message: `refund of order ${split.orderId}: ${message}` })
    }
    const counts = Object.entries(lowered.success.counters)
    this.tally.set(counts.map(([key, count]) => ({ key, count })))
  }
}
