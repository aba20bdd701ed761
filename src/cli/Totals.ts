/** What each collaborator and the store got in all, by currency. */
import type { Reversal } from "../shares/Refund.js"
import type { Split } from "../shares/Split.js"
import * as Table from "./Table.js"

interface Total {
  shares: bigint
  refunds: bigint
}

const columns: ReadonlyArray<Table.Column> = [
  { title: "who" },
  { title: "currency" },
  { title: "shares", isNumber: true },
  { title: "refunded", isNumber: true },
  { title: "total", isNumber: true },
]

/** No id, so that no collaborator can have the same. */
const theStore = null

/** Totals as plain data, which another thread can be given. */
export interface TotalsData {
  readonly orders: number
  readonly byCurrency: ReadonlyMap<string, ReadonlyMap<string | null, Total>>
}

export class Totals {
  private readonly byCurrency = new Map<string, Map<string | null, Total>>()
  private orders = 0

  /** What was added so far. */
  get data(): TotalsData {
    return { orders: this.orders, byCurrency: this.byCurrency }
  }

  /** Adds other totals. */
  addAll({ orders, byCurrency }: TotalsData): void {
    this.orders += orders
    for (const [currency, totals] of byCurrency) {
      for (const [who, { shares, refunds }] of totals) {
        const total = this.total(currency, who)
        total.shares += shares
        total.refunds += refunds
      }
    }
  }

  /** Adds a split order and what its refunds took back. */
  add(split: Split, reversals: ReadonlyArray<Reversal>): void {
    this.orders += 1
    const { currency } = split
    this.total(currency, theStore)
    for (const share of split.shares) {
      this.total(currency, share.collaboratorId).shares += BigInt(share.amount)
    }
    for (const rest of split.store) this.total(currency, theStore).shares += BigInt(rest.amount)
    for (const reversal of reversals) {
      this.total(currency, theStore).refunds -= BigInt(reversal.store)
      for (const share of reversal.shares) {
        this.total(currency, share.collaboratorId).refunds -= BigInt(share.amount)
      }
    }
  }

  /** The totals as a table, collaborators by their id and the store last. */
  toText(): string {
    const currencies = [...this.byCurrency].sort(([one], [other]) => (one < other ? -1 : 1))
    const rows = currencies.flatMap(([currency, totals]) =>
      [...totals]
        .sort(
          ([one], [other]) =>
            Number(one === theStore) - Number(other === theStore) ||
            ((one ?? "") < (other ?? "") ? -1 : 1),
        )
        .map(([who, { shares, refunds }]) => [
          who ?? "the store",
          currency,
          Table.figure(shares, currency),
          refunds === 0n ? "" : Table.figure(refunds, currency),
          Table.figure(shares + refunds, currency),
        ]),
    )
    const count = `${this.orders.toLocaleString("en-US")} ${this.orders === 1 ? "order" : "orders"}`
    return rows.length === 0 ? `${count}\n` : `Total of ${count}\n${Table.table(columns, rows)}`
  }

  private total(currency: string, who: string | null): Total {
    const totals = this.byCurrency.get(currency) ?? new Map<string | null, Total>()
    this.byCurrency.set(currency, totals)
    const total = totals.get(who) ?? { shares: 0n, refunds: 0n }
    totals.set(who, total)
    return total
  }
}
