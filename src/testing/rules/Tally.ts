import * as Result from "effect/Result"
import * as RuleSet from "../../matching/RuleSet.js"
import type { Sale } from "../laws/Law.js"
import { amissOf } from "./asks.js"

/** Counts what orders a rule set was tried with. */
export class Tally {
  orders = 0
  refused = 0
  readonly #matched = new Map<string, number>()
  readonly #missed = new Map<string, number>()

  add({ rules, order, result }: Sale): void {
    this.orders += 1
    if (Result.isFailure(result)) this.refused += 1
    const matched = new Set(
      RuleSet.matchingByItem(rules, order).flatMap((groups) => groups.map(({ id }) => id)),
    )
    for (const id of matched) this.#matched.set(id, this.matched(id) + 1)
    for (const group of rules.groups) {
      const isMissed = order.items.some((item) => amissOf(group, order, item).length === 1)
      if (isMissed) this.#missed.set(group.id, this.missedByOne(group.id) + 1)
    }
  }

  /** In how many orders a group matched an item. */
  matched(groupId: string): number {
    return this.#matched.get(groupId) ?? 0
  }

  /** In how many orders a group would have matched an item but for one thing. */
  missedByOne(groupId: string): number {
    return this.#missed.get(groupId) ?? 0
  }
}
