import * as exact from "../../money/internal/exact.js"
import { inRange } from "../../shares/internal/base.js"
import type { KeptCounter } from "./KeptCounters.js"
import type { CounterKeys } from "./termCounters.js"

/** How far counters have come. */
export interface CountsBefore {
  at(key: string): number
  counterAt?(key: string): KeptCounter
}

/** A counter, and how far the orders that are counted one after another have brought it. */
export class Count {
  readonly keys: CounterKeys
  /** The order that it is of; 0 before the first. */
  order = 0
  key = ""
  /** Where it is kept between orders, unless only a host knows. */
  kept: KeptCounter | undefined = undefined
  now = 0
  /** What earlier claims on the item at hand would count of their shares. */
  claimed: number | bigint = 0

  constructor(keys: CounterKeys) {
    this.keys = keys
  }

  /** How far it comes when it goes on by so much. */
  advanced(by: number): number {
    const then = exact.add(this.now, by)
    return typeof then === "number" ? then : inRange(then, () => `the counter ${this.key}`)
  }

  advance(by: number): void {
    this.now = this.advanced(by)
    this.claimed = 0
  }
}
