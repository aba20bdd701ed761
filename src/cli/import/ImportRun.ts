/** Writes the entries of an import into the storage in batches. */
import * as Effect from "effect/Effect"
import type { StorageError } from "../../ports/StorageError.js"
import * as PastSales from "../../service/PastSales.js"
import * as ExitCode from "../ExitCode.js"
import type { Orders, ReadOrder } from "../input/Orders.js"
import type { InputEntry, Record } from "../input/Records.js"
import * as Problems from "../input/Records.js"
import type { LocatedRefund, RefundedSale, Refunds } from "../input/Refunds.js"
import type { RefusedEntries } from "./RefusedEntries.js"

/** How many sales, or refunds, there are of each outcome. */
export interface ImportCounts {
  imported: number
  recorded: number
  known: number
  leftOut: number
  refused: number
}

const none = (): ImportCounts => ({ imported: 0, recorded: 0, known: 0, leftOut: 0, refused: 0 })

/** An entry that waits to be written, and how its refusal is reported. */
interface Waiting {
  readonly what: "sales" | "refunds"
  /** The input that it is from. */
  readonly kind: "orders" | "refunds"
  readonly entry: PastSales.PastEntry
  readonly record: Record
  readonly linesOf: (error: RefusalError) => ReadonlyArray<string>
}

type RefusalError = Extract<PastSales.PastOutcome, { readonly type: "refused" }>["error"]

/** Where the entries are written, and where failures are reported. */
interface ImportTarget {
  readonly pastSales: PastSales.PastSalesService
  readonly account: string
  readonly paidUntil: number
}

/** The maximum number of entries in one call: few enough to be quick, enough to use transactions well. */
const mostWaiting = 1_000

/** The name of a refund without an id is derived from its fields, so that a second import recognises it. */
const nameOf = ({ refund }: LocatedRefund): string => {
  const { orderId, itemId, refundedAt } = refund
  const much = [refund.amount, refund.quantity, refund.remaining, refund.shippingAmount]
  return `${orderId}/${itemId}/${refundedAt}/${much.map((one) => one ?? "").join("/")}`
}

/** Makes the names of refunds unique: of several equal names, the first stays and the others get a number. */
const numbered = (): ((name: string) => string) => {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}/${count}`
  }
}

type PastRefund = PastSales.RefundEntry["refund"]

/** The refunds of an order with their ids, in the order of their times. */
const requestsOf = (
  located: ReadonlyArray<LocatedRefund>,
): ReadonlyArray<readonly [LocatedRefund, PastRefund]> => {
  const name = numbered()
  const all = located.flatMap((one): ReadonlyArray<readonly [LocatedRefund, PastRefund]> => {
    if (one.id !== undefined) return []
    return [[one, { ...one.refund, id: name(one.ownId ?? nameOf(one)) }]]
  })
  const ofPlatforms = [...Map.groupBy(located, ({ id }) => id)].flatMap(([id, ones]) => {
    if (id === undefined) return []
    const refunds = ones.map(({ refund }) => refund)
    return PastSales.platformRefunds(id, refunds).flatMap(
      (request, index): ReadonlyArray<readonly [LocatedRefund, PastRefund]> => {
        const one = ones[index]
        return one === undefined ? [] : [[one, request]]
      },
    )
  })
  return [...all, ...ofPlatforms].sort(
    ([one], [other]) => one.refund.refundedAt - other.refund.refundedAt,
  )
}

export class ImportRun {
  readonly sales = none()
  readonly refunds = none()
  private readonly target: ImportTarget
  private readonly orders: Orders
  private readonly given: Refunds
  private readonly refused: RefusedEntries
  private readonly refundsInput: string | undefined
  private waiting: Array<Waiting> = []

  constructor(
    target: ImportTarget,
    options: {
      readonly orders: Orders
      readonly refunds: Refunds
      readonly refused: RefusedEntries
      /** The name of the refunds' input. */
      readonly refundsInput: string | undefined
    },
  ) {
    this.target = target
    this.orders = options.orders
    this.given = options.refunds
    this.refused = options.refused
    this.refundsInput = options.refundsInput
  }

  /** How many orders were processed. */
  get done(): number {
    const { imported, recorded, known, leftOut, refused } = this.sales
    return imported + recorded + known + leftOut + refused
  }

  /** Whether enough entries wait to be written. */
  get isFull(): boolean {
    return this.waiting.length >= mostWaiting
  }

  /** Adds one order with its refunds. */
  async take(entry: InputEntry): Promise<void> {
    const read = this.orders.read(entry)
    if (read._tag === "ReadOrder") return this.takeSale(read)
    if (read._tag === "NotSold") {
      this.sales.leftOut += 1
      this.given.markUsed(read.orderId)
      return
    }
    this.sales.refused += 1
    await this.refused.add("orders", entry, read.lines)
    if (read.orderId !== undefined) await this.leave(this.given.takeLeft(read.orderId))
  }

  /** Writes the waiting entries. */
  flush(): Effect.Effect<void, StorageError | ExitCode.Stopped> {
    const { target, waiting } = this
    this.waiting = []
    const run = this
    return Effect.gen(function* () {
      const { pastSales, account, paidUntil } = target
      const entries = waiting.map(({ entry }) => entry)
      const recorded = pastSales.recordAll(account, entries, { paidUntil })
      const outcomes = yield* Effect.catchTag(recorded, "InvalidTime", ({ message }) =>
        // By the name of the flag.
        Effect.fail(
          new ExitCode.UnusableInput({ message: message.replace(/^paidUntil:/, "--paid-until:") }),
        ),
      )
      for (const [index, outcome] of outcomes.entries()) {
        const one = waiting[index]
        if (one === undefined) continue
        run[one.what][outcome.type] += 1
        if (outcome.type !== "refused") continue
        const { kind, record, linesOf } = one
        const lines = linesOf(outcome.error)
        yield* Effect.tryPromise({
          try: () => run.refused.add(kind, record, lines),
          catch: ExitCode.stopped,
        })
      }
    })
  }

  /** Reports the refunds that belong to no order of the input. */
  async end(): Promise<void> {
    await this.leave(this.given.left())
    await this.refused.end()
  }

  /** Reports refunds without an order, and adds them to the refused entries. */
  private async leave(left: ReturnType<Refunds["left"]>): Promise<void> {
    this.refunds.refused += left.length
    for (const { entry, line } of left) await this.refused.add("refunds", entry, [line])
  }

  private async takeSale(read: ReadOrder): Promise<void> {
    const { order, record } = read
    this.waiting.push({
      what: "sales",
      kind: "orders",
      entry: { sale: order },
      record,
      linesOf: (error) => this.orders.failure(record, error).lines,
    })
    await this.takeRefunds({ ...read, name: this.orders.name })
  }

  private async takeRefunds(sale: RefundedSale): Promise<void> {
    const { located, failures, notes } = this.given.collect(sale)
    if (this.given.isUntold(sale)) this.orders.remarks.addUntoldRefund(sale.order.id)
    for (const text of notes) this.refused.note(text)
    this.refunds.refused += failures.length
    for (const { line, name, record } of failures) {
      await this.refused.add(this.kindOf(name), record, [line])
    }
    for (const [one, request] of requestsOf(located)) this.wait(one, request)
  }

  /** What the entries of an input are. */
  private kindOf(name: string): Waiting["kind"] {
    return name === this.refundsInput ? "refunds" : "orders"
  }

  private wait(located: LocatedRefund, refund: PastRefund): void {
    const { name, record, path } = located
    this.waiting.push({
      what: "refunds",
      kind: this.kindOf(name),
      entry: { refund },
      record,
      linesOf: ({ message }) => [Problems.lineOf(name, record, { path, message })],
    })
  }
}
