/** What each one gets of one order under two rule sets. */
import type { Reversal } from "../shares/Refund.js"
import type { Split } from "../shares/Split.js"
import { ExactSum } from "./ExactSum.js"

/** A collaborator's id; `null`, which no id is, is the store. */
export type Who = string | null

/** The same sum under both rule sets. */
export interface Amounts {
  readonly before: ExactSum
  readonly after: ExactSum
}

/** An order that was split, and what its refunds took back. */
export interface Sold {
  readonly split: Split
  readonly reversals: ReadonlyArray<Reversal>
}

/** An order that was split under both rule sets. */
export interface SoldTwice {
  readonly before: Sold
  readonly after: Sold
}

export const none = (): Amounts => ({ before: new ExactSum(), after: new ExactSum() })

type ByWho = Map<Who, Amounts>

const amountsOf = (all: ByWho, who: Who): Amounts => {
  const known = all.get(who)
  if (known !== undefined) return known
  const amounts = none()
  all.set(who, amounts)
  return amounts
}

const addSide = (all: ByWho, side: keyof SoldTwice, { split, reversals }: Sold): void => {
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

/** What each one gets of an order, refunds taken off. */
export const ofOrder = (sold: SoldTwice): ReadonlyMap<Who, Amounts> => {
  const all: ByWho = new Map()
  addSide(all, "before", sold.before)
  addSide(all, "after", sold.after)
  return all
}

/** The items of which a collaborator gets more or less under the other rule set. */
export const differingItems = ({ before, after }: SoldTwice): ReadonlySet<string> => {
  const byItem = new Map<string, ByWho>()
  const add = (side: keyof SoldTwice, { split }: Sold): void => {
    for (const { itemId, collaboratorId, amount } of split.shares) {
      const all = byItem.get(itemId) ?? new Map<Who, Amounts>()
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
