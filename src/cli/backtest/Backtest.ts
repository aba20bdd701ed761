import { calendarDay } from "../../documents/Figure.js"
import * as Explanation from "../../shares/Explanation.js"
import type { Reversal } from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import { ExactSum } from "../output/ExactSum.js"

// The month of a time, for many times that are mostly close together.

const daySeconds = 86_400

/** No month is shorter than 28 days; a day at its edge may be longer or shorter than 24 hours. */
const lastInnerDay = 27

export class BacktestMonths {
  private readonly timeZone: string
  private month = ""
  private from = 0
  private until = 0

  constructor(timeZone: string) {
    this.timeZone = timeZone
  }

  /** The month of a time in Unix seconds, as `2025-12`; `null` without a time. */
  of(seconds: number | null): string | null {
    if (seconds === null) return null
    if (seconds < this.from || seconds >= this.until) this.find(seconds)
    return this.month
  }

  /** Finds the month, and the days around the time that are surely of it. */
  private find(seconds: number): void {
    const day = calendarDay(seconds, this.timeZone)
    const date = Number(day.slice(-2))
    this.month = day.slice(0, -3)
    this.from = seconds - Math.max(0, date - 2) * daySeconds
    this.until = seconds + Math.max(0, lastInnerDay - date) * daySeconds
  }
}

// What each party gets from one order under two rule sets.

/** A collaborator's id; `null` is the store. */
export type Who = string | null

/** The amounts under both rule sets. */
export interface BothAmounts {
  readonly before: ExactSum
  readonly after: ExactSum
}

/** An order that was split, and what its refunds reversed. */
export interface SplitSale {
  readonly split: Split
  readonly reversals: ReadonlyArray<Reversal>
}

/** An order that was split under both rule sets. */
export interface SoldTwice {
  readonly before: SplitSale
  readonly after: SplitSale
}

export const none = (): BothAmounts => ({ before: new ExactSum(), after: new ExactSum() })

type ByWho = Map<Who, BothAmounts>

const amountsOf = (all: ByWho, who: Who): BothAmounts => {
  const known = all.get(who)
  if (known !== undefined) return known
  const amounts = none()
  all.set(who, amounts)
  return amounts
}

const addSide = (all: ByWho, side: keyof SoldTwice, { split, reversals }: SplitSale): void => {
  for (const share of split.shares) {
    amountsOf(all, share.collaboratorId)[side].add(share.amount)
  }
  for (const rest of split.store) amountsOf(all, null)[side].add(rest.amount)
  for (const reversal of reversals) {
    amountsOf(all, null)[side].add(-reversal.store)
    for (const share of reversal.shares) {
      amountsOf(all, share.collaboratorId)[side].add(-share.amount)
    }
  }
}

/** What each party gets from an order, less refunds. */
export const ofOrder = (sold: SoldTwice): ReadonlyMap<Who, BothAmounts> => {
  const all: ByWho = new Map()
  addSide(all, "before", sold.before)
  addSide(all, "after", sold.after)
  return all
}

/** The items of which a collaborator gets more or less under the other rule set. */
export const differingItems = ({ before, after }: SoldTwice): ReadonlySet<string> => {
  const byItem = new Map<string, ByWho>()
  const add = (side: keyof SoldTwice, { split }: SplitSale): void => {
    for (const { itemId, collaboratorId, amount } of split.shares) {
      const all = byItem.get(itemId) ?? new Map<Who, BothAmounts>()
      byItem.set(itemId, all)
      amountsOf(all, collaboratorId)[side].add(amount)
    }
  }
  add("before", before)
  add("after", after)
  const differs = (all: ByWho) =>
    [...all.values()].some((amounts) => amounts.before.differenceTo(amounts.after) !== 0n)
  return new Set([...byItem].flatMap(([itemId, all]) => (differs(all) ? [itemId] : [])))
}

// The sums of many orders, by currency, party and month.

type Months = Map<string | null, BothAmounts>

/** Sorted by name; the entry without a name (the store, or the orders without a time) comes last. */
const byName = <A>(entries: Iterable<readonly [string | null, A]>) =>
  [...entries].sort(([one], [other]) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return one < other ? -1 : 1
  })

export const changeOf = ({ before, after }: BothAmounts): AmountChange => ({
  before: before.value,
  after: after.value,
  difference: before.differenceTo(after),
})

const sumOf = (months: Months): BothAmounts => {
  const sum = none()
  for (const { before, after } of months.values()) {
    sum.before.addSum(before)
    sum.after.addSum(after)
  }
  return sum
}

export class BacktestSums {
  private readonly byCurrency = new Map<string, Map<Who, Months>>()

  /** Adds what each party gets from an order. */
  add(
    order: { readonly currency: string; readonly month: string | null },
    amounts: ReadonlyMap<Who, BothAmounts>,
  ): void {
    const everyone = this.byCurrency.get(order.currency) ?? new Map<Who, Months>()
    this.byCurrency.set(order.currency, everyone)
    for (const [who, { before, after }] of amounts) {
      const months: Months = everyone.get(who) ?? new Map()
      everyone.set(who, months)
      const sum = months.get(order.month) ?? none()
      months.set(order.month, sum)
      sum.before.addSum(before)
      sum.after.addSum(after)
    }
  }

  /** The months of each party, by currency. */
  rows(): ReadonlyArray<CollaboratorRow> {
    return this.each().flatMap(({ months, ...total }) =>
      byName(months).map(([month, sum]) => ({ ...total, month, ...changeOf(sum) })),
    )
  }

  /** The sum of all months of each party, by currency. */
  totals(): ReadonlyArray<Total> {
    return this.each().map(({ months, ...total }) => ({ ...total, ...changeOf(sumOf(months)) }))
  }

  private each() {
    return byName(this.byCurrency).flatMap(([currency, everyone]) =>
      byName(everyone).map(([collaboratorId, months]) => ({
        collaboratorId,
        currency: currency ?? "",
        months,
      })),
    )
  }
}

// The result of a backtest as plain data, from which all output formats are made.

/** The names of the inputs of one side. */
export interface Rules {
  readonly groups: string
  /** `null`: the default policy. */
  readonly policy: string | null
}

/** An amount under both sides, in the currency's lowest unit. */
export interface AmountChange {
  readonly before: bigint
  readonly after: bigint
  readonly difference: bigint
}

/** What a party gets in one currency; the store has no id. */
export interface Total extends AmountChange {
  readonly collaboratorId: Who
  readonly currency: string
}

/** The amounts from the orders of one month. */
export interface CollaboratorRow extends Total {
  /** As `2025-12`; `null`: the orders without a time. */
  readonly month: string | null
}

/** An order with a different split, and the explanation of the items that differ. */
export interface ChangedOrder {
  readonly orderId: string
  readonly line: number
  readonly currency: string
  readonly month: string | null
  /** The collaborators who get more or less from it, the biggest difference first. */
  readonly changes: ReadonlyArray<Total & { readonly collaboratorId: string }>
  readonly isRefunded: boolean
  readonly before: Explanation.Explanation
  readonly after: Explanation.Explanation
}

/** An order that only one side could split. */
export interface RefusedOrder {
  readonly orderId: string
  readonly line: number
  readonly currency: string
  /** The side that refused it. */
  readonly by: "before" | "after"
  readonly error: { readonly _tag: string; readonly message: string }
  /** The sum of the collaborators' shares under the other side, and what the store keeps. */
  readonly shares: bigint
  readonly store: bigint
}

/** How many orders there were, by outcome. */
export interface Counts {
  readonly orders: number
  /** Split by both sides. */
  readonly compared: number
  /** The compared orders from which a collaborator gets more or less. */
  readonly changed: number
  readonly refusedByBefore: number
  readonly refusedByAfter: number
  readonly refusedByBoth: number
  /** Orders that could not be read, and so were split by neither side. */
  readonly unreadable: number
}

export interface Backtest {
  readonly before: Rules
  readonly after: Rules
  readonly timeZone: string
  /** What collaborators are called, by their ids; `undefined`: by their ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** Whether everyone for whom something changes is shown to people. */
  readonly isAll: boolean
  readonly counts: Counts
  readonly rows: ReadonlyArray<CollaboratorRow>
  readonly totals: ReadonlyArray<Total>
  readonly biggest: ReadonlyArray<ChangedOrder>
  /** The first refused orders; all are counted in `counts`. */
  readonly refused: ReadonlyArray<RefusedOrder>
}

// The orders with the biggest differences for a collaborator, which are explained.

/** An order that was split twice, and its line. */
export interface Candidate {
  readonly orderId: string
  readonly line: number
  readonly currency: string
  readonly month: string | null
  readonly sold: SoldTwice
}

interface OrderPlace {
  readonly size: bigint
  readonly order: Candidate
  readonly amounts: ReadonlyMap<Who, BothAmounts>
}

const sizeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/** The biggest difference for any collaborator, without its sign. */
const biggestOf = (amounts: OrderPlace["amounts"]): bigint => {
  let biggest = 0n
  for (const [who, { before, after }] of amounts) {
    const size = who === null ? 0n : sizeOf(before.differenceTo(after))
    if (size > biggest) biggest = size
  }
  return biggest
}

const explained = ({ split }: SplitSale, items: ReadonlySet<string>): Explanation.Explanation => {
  const whole = Explanation.ofSplit(split)
  return { ...whole, items: whole.items.filter(({ itemId }) => items.has(itemId)) }
}

const changesOf = ({ order: { currency }, amounts }: OrderPlace): ChangedOrder["changes"] =>
  [...amounts]
    .flatMap(([collaboratorId, sums]) =>
      collaboratorId === null ? [] : { collaboratorId, currency, ...changeOf(sums) },
    )
    .filter(({ difference }) => difference !== 0n)
    .sort((one, other) => {
      const [size, otherSize] = [sizeOf(one.difference), sizeOf(other.difference)]
      if (size !== otherSize) return size > otherSize ? -1 : 1
      return one.collaboratorId < other.collaboratorId ? -1 : 1
    })

const changedOrder = (place: OrderPlace): ChangedOrder => {
  const { sold, ...order } = place.order
  const items = differingItems(sold)
  return {
    ...order,
    changes: changesOf(place),
    isRefunded: sold.before.reversals.length > 0,
    before: explained(sold.before, items),
    after: explained(sold.after, items),
  }
}

/** Keeps a number of orders for each currency, because amounts of two currencies can't be compared. */
export class BacktestBiggest {
  private readonly most: number
  private readonly byCurrency = new Map<string, Array<OrderPlace>>()

  constructor(most: number) {
    this.most = most
  }

  /**
   * Keeps an order if it is among the biggest, and returns whether a collaborator gets more or less
   * from it.
   */
  consider(order: Candidate, amounts: OrderPlace["amounts"]): boolean {
    const size = biggestOf(amounts)
    if (size === 0n) return false
    const places = this.byCurrency.get(order.currency) ?? []
    this.byCurrency.set(order.currency, places)
    // Of two orders with equal differences, the earlier one comes first and is kept.
    const after = places.findLastIndex((place) => place.size >= size)
    if (after + 1 < this.most) places.splice(after + 1, 0, { size, order, amounts })
    if (places.length > this.most) places.pop()
    return true
  }

  /** The orders with the biggest differences, by currency. */
  orders(): ReadonlyArray<ChangedOrder> {
    return [...this.byCurrency]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, places]) => places.map(changedOrder))
  }
}
