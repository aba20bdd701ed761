/** Notes on all orders, printed at the end: orders, lines and refunds that were left out or are missing, and why. */
import type { LeftOut, NotASale, Reason } from "../../internal/sales.js"
import type { Product } from "../../orders/Product.js"
import { oneLine } from "../../orders/Words.js"
import * as Table from "../output/Table.js"

/** The remarks for one reason: how often, and the first places. */
interface Noted {
  readonly count: number
  readonly first: ReadonlyArray<string>
  /** Whether there are more places than the first ones. */
  readonly isMore: boolean
}

/** Remarks as plain data, by reason. */
export type RemarksData = Readonly<Record<string, Noted>>

const mostNamed = 5
const longestName = 60

const reasons: Readonly<Record<Reason, string>> = {
  test: "test orders",
  draft: "drafts",
  cancelled: "cancelled",
  voided: "voided",
  unpaid: "not paid yet",
  "nothing to share": "of nothing but gift cards, tips and fees",
}

/** A remark in the singular and the plural. */
type Words = readonly [one: string, many: string]

const lineOf = (what: string): Words => [
  `line is a ${what}, which is shared with nobody`,
  `lines are ${what}s, which are shared with nobody`,
]

const words: Readonly<Record<LeftOut["what"] | "unknown" | "untold", Words>> = {
  "gift card": lineOf("gift card"),
  tip: lineOf("tip"),
  fee: lineOf("fee"),
  unknown: [
    "line is of a product that --products does not know: only what its order says of it counts",
    "lines are of products that --products does not know: only what their orders say of them counts",
  ],
  untold: [
    "order is marked as refunded, but its refunds are not in the input, so nothing was reversed",
    "orders are marked as refunded, but their refunds are not in the input, so nothing was reversed",
  ],
}

/** A product by its id and name. */
const shownProduct = ({ id, name }: Product): string => {
  const isNamed = name !== undefined && name !== "" && name !== id
  return oneLine(isNamed ? `${id} "${name.slice(0, longestName)}"` : id)
}

const named = ({ first, isMore }: Noted): string => `(${first.join(", ")}${isMore ? ", …" : ""})`

export class Remarks {
  private readonly noted = new Map<string, Noted>()

  /** An order that is not a sale. */
  addNotASale({ orderId, reason }: NotASale): void {
    this.note(`order:${reason}`, orderId)
  }

  /** Lines of an order that are not shared with collaborators. */
  addLeftOut(orderId: string, leftOut: ReadonlyArray<LeftOut>, currency: string): void {
    for (const { what, amount } of leftOut) {
      this.note(what, `order ${orderId}: ${Table.figure(amount, currency)} ${currency}`)
    }
  }

  /** Products of an order that are not in the catalogue. */
  addUnknown(products: ReadonlyArray<Product>): void {
    for (const product of products) this.note("unknown", shownProduct(product))
  }

  /** An order that is marked as refunded but has no refund in the input. */
  addUntoldRefund(orderId: string): void {
    this.note("untold", orderId)
  }

  /** The remarks as plain data, to be added to other remarks. */
  get data(): RemarksData {
    return Object.fromEntries(this.noted)
  }

  /** Adds the remarks on later orders. */
  addAll(data: RemarksData): void {
    for (const [key, noted] of Object.entries(data)) this.add(key, noted)
  }

  /** A line for each kind of remark. */
  texts(): ReadonlyArray<string> {
    const others = Object.entries(words).flatMap(([key, [one, many]]) => {
      const noted = this.noted.get(key)
      if (noted === undefined) return []
      return [`note: ${noted.count} ${noted.count === 1 ? one : many} ${named(noted)}`]
    })
    return [...this.ordersText(), ...others]
  }

  private ordersText(): ReadonlyArray<string> {
    let total = 0
    const orders = Object.entries(reasons).flatMap(([reason, said]) => {
      const noted = this.noted.get(`order:${reason}`)
      total += noted?.count ?? 0
      return noted === undefined ? [] : [`${noted.count} ${said} ${named(noted)}`]
    })
    const were = total === 1 ? "order is no sale and was" : "orders are no sales and were"
    return total === 0 ? [] : [`note: ${total} ${were} left out: ${orders.join(", ")}`]
  }

  private note(key: string, shown: string): void {
    this.add(key, { count: 1, first: [shown], isMore: false })
  }

  private add(key: string, { count, first, isMore }: Noted): void {
    const before = this.noted.get(key) ?? { count: 0, first: [], isMore: false }
    const all = [...new Set([...before.first, ...first])]
    this.noted.set(key, {
      count: before.count + count,
      first: all.slice(0, mostNamed),
      isMore: before.isMore || isMore || all.length > mostNamed,
    })
  }
}
