import type { RuleSet } from "../../matching/RuleSet.js"
import type { Witness } from "../Witness.js"
import { meeting } from "./meeting.js"
import { type Figures, orderOf } from "./orders.js"
import { type Asking, type Part, wholeOf } from "./Parts.js"
import type { Setting } from "./Setting.js"
import { Budget, type Sketch, sizeOf } from "./Sketch.js"
import { isSameSplit } from "./sameSplit.js"
import type { Found } from "./smallest.js"
import { tellingSales } from "./telling.js"
import { type Terms, termsOf } from "./terms.js"

/** A search for one situation may take such a part of all steps. */
const share = 1_000

/** And so many in any case. */
const leastSteps = 5_000

/** What it costs to split a sale by both rule sets. */
const stepsForSale = 20

/** All groups of two rule sets in one part. */
interface Whole {
  readonly part: Part
  /** The groups of a part of it, as they are in the whole. */
  readonly these: (list: ReadonlyArray<Asking>) => ReadonlyArray<Asking>
}

const gather = (part: Part): Whole => {
  const known = new Map(part.sides.flat().map((asking) => [asking.group, asking]))
  const these = (list: ReadonlyArray<Asking>) =>
    list.map(({ group }) => known.get(group)).filter((asking) => asking !== undefined)
  return { part, these }
}

/** Two rule sets while orders are looked for that they split differently. */
export class Comparison {
  readonly sides: readonly [RuleSet, RuleSet]
  readonly setting: Setting
  readonly budget: Budget
  /** The smallest order that was found. */
  witness: Omit<Witness, "isSmallest"> | undefined
  /** Situations in which the rules differ, with no order known on which anyone is paid differently. */
  readonly masked: Array<Sketch> = []
  /** Whether a search was given up. */
  isGivenUp = false
  private gathered: Whole | undefined

  constructor(sides: readonly [RuleSet, RuleSet], setting: Setting) {
    this.sides = sides
    this.setting = setting
    this.budget = new Budget(setting.budget)
  }

  /** The smallest order to which some groups apply and some do not. */
  meeting(part: Part, apply: ReadonlyArray<Asking>, not: ReadonlyArray<Asking>): Found {
    const steps = Math.max(leastSteps, Math.ceil(this.setting.budget / share))
    const found = meeting(apply, not, { part, budget: new Budget(steps, this.budget) })
    if (found === "undecided") this.isGivenUp = true
    return found
  }

  /** Whether an order like the sketch would tell nothing new. */
  isLarge(sketch: Sketch): boolean {
    return this.witness !== undefined && sizeOf(sketch) >= this.witness.attributeCount
  }

  /** Looks for a sale with the sketch's attributes that the rule sets split differently, and keeps it. */
  try(
    part: Part,
    sketch: Sketch,
    groups: ReadonlyArray<Asking>,
    more: ReadonlyArray<Figures> = [],
  ): boolean {
    const { setting, sides } = this
    const terms = groups.map(({ group }): Terms => termsOf(group, setting.policy))
    const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
    for (const sale of [...tellingSales(terms, setting.policy), ...more]) {
      const figures = { ...sale, currency: setting.catalogue?.currency }
      const order = orderOf(sketch, part.world.values, { figures, product })
      if (!this.budget.take(stepsForSale)) return false
      if (isSameSplit(sides, order, setting.policy)) continue
      if (!this.isLarge(sketch)) {
        this.witness = { order, attributeCount: sizeOf(sketch) }
      }
      return true
    }
    return false
  }

  /** All groups of both rule sets together, for questions that concern several collaborators. */
  whole(): Whole {
    this.gathered ??= gather(wholeOf(this.sides, this.setting))
    return this.gathered
  }
}
