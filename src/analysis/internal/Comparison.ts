import { at } from "../../internal/at.js"
import type { RuleSet } from "../../matching/RuleSet.js"
import type { Steps } from "../Steps.js"
import type { Witness } from "../Witness.js"
import type { Budget } from "./Budget.js"
import type { Inquiry } from "./Inquiry.js"
import type { Wanted } from "./Outline.js"
import { type Figures, orderOf } from "./orders.js"
import type { Part } from "./Parts.js"
import { type Asking, Row } from "./Row.js"
import type { Setting } from "./Setting.js"
import { type Sketch, sizeOf } from "./Sketch.js"
import { isSameSplit } from "./sameSplit.js"
import { isFound, isNone, smallest } from "./smallest.js"
import { tellingSales } from "./telling.js"
import { type Terms, termsOf } from "./terms.js"

/** A search for one situation may take such a part of all steps. */
const share = 1_000

/** And so many in any case. */
const leastSteps = 5_000

/** What it costs to split a sale by both rule sets. */
const stepsForSale = 100

/** All groups of two rule sets in one part. */
interface Whole {
  readonly part: Part
  /** The groups of a part of it, as they are in the whole. */
  readonly these: (list: ReadonlyArray<Asking>) => ReadonlyArray<Asking>
}

/** An order to which groups apply as they are wanted to, that there is none, or that this was given up. */
export type Met = Sketch | "none" | "undecided"

/** The groups that must not apply, in a list. */
const hiddenBy = ({ not }: Pick<Wanted, "not">): ReadonlyArray<Asking> =>
  not.flatMap(({ row, before }) => row.list.slice(0, before))

/** Some groups none of which must apply. */
export const noneOf = (list: ReadonlyArray<Asking>): Wanted["not"] => [
  { row: new Row(list), before: list.length },
]

/** Two rule sets while orders are looked for that they split differently. */
export class Comparison {
  readonly setting: Setting
  readonly budget: Budget
  /** The smallest order that was found. */
  witness: Omit<Witness, "isSmallest"> | undefined
  /** Situations in which the rules differ, with no order known on which anyone is paid differently. */
  readonly masked: Array<Sketch> = []
  /** Whether a search was given up. */
  isGivenUp = false
  private readonly inquiry: Inquiry
  private gathered: Whole | undefined

  constructor(inquiry: Inquiry) {
    this.inquiry = inquiry
    this.setting = inquiry.setting
    this.budget = inquiry.budget()
  }

  /** Counts some steps, after which others may have a turn; false when there were not so many left. */
  *take(steps: number): Steps<boolean> {
    const { budget } = this
    if (budget.work.isDue) yield budget.work.turn()
    return budget.take(steps)
  }

  /** The smallest order to which some groups apply and some do not. */
  *meeting({ world }: Part, wanted: Wanted): Steps<Met> {
    const steps = Math.max(leastSteps, Math.ceil(this.setting.budget / share))
    const found = yield* smallest(wanted, world, this.budget.part(steps))
    if (isNone(found)) return "none"
    if (!isFound(found) || !found.isSmallest) this.isGivenUp = true
    return isFound(found) ? found.sketch : found
  }

  /** Whether an order like the sketch would tell nothing new. */
  isLarge(sketch: Sketch): boolean {
    return this.witness !== undefined && sizeOf(sketch) >= this.witness.attributeCount
  }

  private get sides(): readonly [RuleSet, RuleSet] {
    const { ruleSets } = this.inquiry
    return [at(ruleSets, 0), at(ruleSets, 1)]
  }

  /** Looks for a sale with the sketch's attributes that the rule sets split differently, and keeps it. */
  *try(
    part: Part,
    sketch: Sketch,
    groups: ReadonlyArray<Asking>,
    more: ReadonlyArray<Figures> = [],
  ): Steps<boolean> {
    const { setting, sides } = this
    const terms = groups.map(({ group }): Terms => termsOf(group, setting.policy))
    const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
    for (const sale of [...tellingSales(terms, setting.policy), ...more]) {
      const figures = { ...sale, currency: setting.catalogue?.currency }
      const order = orderOf(sketch, part.world.values, { figures, product })
      if (!(yield* this.take(stepsForSale))) return false
      if (isSameSplit(sides, order, setting.policy)) continue
      if (!this.isLarge(sketch)) {
        this.witness = { order, attributeCount: sizeOf(sketch) }
      }
      return true
    }
    return false
  }

  /** All groups of both rule sets together, for questions that concern several collaborators. */
  *whole(): Steps<Whole | undefined> {
    if (this.gathered !== undefined) return this.gathered
    const part = yield* this.inquiry.whole(this.budget)
    if (part === undefined) return undefined
    const all = part.rows.flatMap(({ list }) => list)
    const known = new Map(all.map((asking) => [asking.group, asking]))
    const these = (list: ReadonlyArray<Asking>) =>
      list.map(({ group }) => known.get(group)).filter((asking) => asking !== undefined)
    this.gathered = { part, these }
    return this.gathered
  }

  /** The same question about groups of parts, asked of the whole. */
  *inWhole(questions: ReadonlyArray<Pick<Wanted, "apply" | "not">>): Steps<InWhole | undefined> {
    const whole = yield* this.whole()
    const hidden = questions.flatMap(hiddenBy)
    if (whole === undefined || !(yield* this.take(hidden.length))) return undefined
    const apply = whole.these(questions.flatMap((question) => question.apply))
    return { part: whole.part, wanted: { apply, not: noneOf(whole.these(hidden)) } }
  }
}

/** A question that is asked of all groups. */
export interface InWhole {
  readonly part: Part
  readonly wanted: Wanted
}
