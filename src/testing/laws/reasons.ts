/** Looking for the first thing that breaks a law. */
import type { ItemReckoning } from "../../shares/Share.js"
import type { Split } from "../../shares/Split.js"
import type { Sale } from "./Law.js"

export type Reason = string | undefined

/** The first reason that there is. */
export const first = <A>(list: Iterable<A>, reasonOf: (one: A) => Reason): Reason => {
  for (const one of list) {
    const reason = reasonOf(one)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** A check that looks at each item of a split. */
export const forItems =
  (reasonOf: (item: ItemReckoning, split: Split, sale: Sale) => Reason) =>
  (sale: Sale): Reason => {
    const { split } = sale
    return split && first(split.items, (item) => reasonOf(item, split, sale))
  }
