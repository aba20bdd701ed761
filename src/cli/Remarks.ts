/** What is told of all orders together at the end: what was left out of them, and why. */
import type { LeftOut } from "../LeftOut.js"
import type { NotASale, Reason } from "../NotASale.js"
import * as Table from "./Table.js"

/** Orders or lines that were left out for one reason: how many, and the first of them. */
interface Noted {
  readonly count: number
  readonly first: ReadonlyArray<string>
}

/** Remarks as plain data, by their reasons. */
export type RemarksData = Readonly<Record<string, Noted>>

const mostNamed = 5

const reasons: Readonly<Record<Reason, string>> = {
  test: "test orders",
  draft: "drafts",
  cancelled: "cancelled",
  voided: "voided",
  unpaid: "not paid yet",
  "nothing to share": "of nothing but gift cards, tips and fees",
}

const lines: Readonly<Record<LeftOut["what"], string>> = {
  "gift card": "gift cards",
  tip: "tips",
  fee: "fees",
}

const named = ({ count, first }: Noted): string =>
  `(${first.join(", ")}${count > first.length ? ", …" : ""})`

export class Remarks {
  private readonly noted = new Map<string, Noted>()

  /** An order that is no sale. */
  addNotASale({ orderId, reason }: NotASale): void {
    this.add(`order:${reason}`, { count: 1, first: [orderId] })
  }

  /** Lines of an order that are shared with nobody. */
  addLeftOut(orderId: string, leftOut: ReadonlyArray<LeftOut>, currency: string): void {
    for (const { what, amount } of leftOut) {
      const shown = `order ${orderId}: ${Table.figure(amount, currency)} ${currency}`
      this.add(`line:${what}`, { count: 1, first: [shown] })
    }
  }

  /** What was noted, to be added to other remarks. */
  get data(): RemarksData {
    return Object.fromEntries(this.noted)
  }

  /** Adds what was noted of later orders. */
  addAll(data: RemarksData): void {
    for (const [key, noted] of Object.entries(data)) this.add(key, noted)
  }

  /** A line for each kind of what was left out. */
  texts(): ReadonlyArray<string> {
    const orders = Object.entries(reasons).flatMap(([reason, words]) => {
      const noted = this.noted.get(`order:${reason}`)
      return noted === undefined ? [] : [`${noted.count} ${words} ${named(noted)}`]
    })
    const total = [...this.noted].reduce(
      (sum, [key, { count }]) => (key.startsWith("order:") ? sum + count : sum),
      0,
    )
    const left = Object.entries(lines).flatMap(([what, words]) => {
      const noted = this.noted.get(`line:${what}`)
      return noted === undefined
        ? []
        : [`note: ${noted.count} lines are ${words}, which are shared with nobody ${named(noted)}`]
    })
    const isOne = total === 1
    const told = `${total} ${isOne ? "order is no sale and was" : "orders are no sales and were"} left out`
    return [...(total === 0 ? [] : [`note: ${told}: ${orders.join(", ")}`]), ...left]
  }

  private add(key: string, { count, first }: Noted): void {
    const before = this.noted.get(key) ?? { count: 0, first: [] }
    this.noted.set(key, {
      count: before.count + count,
      first: [...before.first, ...first].slice(0, mostNamed),
    })
  }
}
