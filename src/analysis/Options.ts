/**
 * The assumptions of an analysis.
 *
 * @since 0.5.0
 */
import { TaggedError } from "../internal/TaggedError.js"
import type { UnboundedAttribute } from "../orders/Attribute.js"
import type { Catalogue } from "../orders/Catalogue.js"
import type { Order } from "../orders/Order.js"
import type { Problem } from "../Problem.js"
import type { RuleSet } from "../rules/RuleSet.js"
import type * as SplitPolicy from "../shares/SplitPolicy.js"
import type { CountedRules } from "../terms/CountedRules.js"
import type { Counters } from "../terms/Counters.js"

/**
 * What an analysis is about: a rule set, or one whose groups have tiers and caps. What is proved of rules with terms
 * holds at every counter.
 *
 * @since 0.6.0
 * @category models
 */
export type AnyRules = RuleSet | CountedRules

/**
 * The payout in which a {@link Witness} is counted where terms count for each payout: the option `payout` of
 * `CountedSplit.order`.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { Analysis } from "apportion"
 *
 * Analysis.payoutOfWitness // => "example"
 * ```
 */
export const payoutOfWitness = "example"

/**
 * Attributes of which an order or its product can have any number of values, unless limited: a product always has one
 * vendor and an order one billing country.
 *
 * @since 0.6.0
 * @category models
 */
export type LimitedPlace = UnboundedAttribute

/**
 * The assumptions of an analysis. The fewer are given, the more orders are possible.
 *
 * @since 0.5.0
 * @category models
 */
export interface Options {
  /** How sales are split; options that are left out have their defaults. */
  readonly policy?: Partial<SplitPolicy.SplitPolicy> | undefined
  /** Everything that is sold. Without it any product is possible: any id, any vendor, any combination of tags. */
  readonly catalogue?: Catalogue | undefined
  /** Excludes orders before this time, in Unix seconds: groups that ended by then are dead. */
  readonly from?: number | undefined
  /**
   * The largest discount that an item can have, as a percentage of its amount. Under `discount: "ignore"` shares are
   * paid on what the buyer did not pay, and any discount is possible when this is absent. Amounts, which count with a
   * catalogue, are compared with prices without a discount when this is absent.
   */
  readonly mostDiscount?: string | number | undefined
  /**
   * The largest tax that can be in an item's amount, as a percentage of the rest of it, which is how tax rates are
   * written. It matters under `tax: "remove"`: removed tax lowers what an item brings in. With an ignored discount any
   * tax is possible when this is absent; amounts are then compared with prices without tax.
   *
   * @since 0.6.0
   */
  readonly mostTax?: string | number | undefined
  /**
   * How many of the ids that rules name one product can have, without a catalogue: 2 when absent, because a product has
   * an `id` and may have an `externalId`; any number when absent and rules name ids that products bring, such as
   * `sku:PRINT-A4`. With 1, groups for different ids never meet.
   */
  readonly idsOfProduct?: 1 | 2 | undefined
  /**
   * How many of the values that rules name an order can have at most, by attribute: `{ referer: 1 }` where an order
   * comes from one place, `{ "discount.code": 2 }` where a buyer may use two codes. Any number when absent. The tags of
   * a catalogue's products are known, and not limited by this.
   *
   * @since 0.6.0
   */
  readonly atMost?: { readonly [Place in LimitedPlace]?: number | undefined } | undefined
  /**
   * The maximum number of steps, {@link defaultBudget} when absent. All work counts, not only the search: reading the
   * rules, linking products, splitting the orders that are shown. Some five to ten million take a second. Questions not
   * decided within it are reported as undecided.
   */
  readonly budget?: number | undefined
}

/**
 * The default budget in steps: a few seconds of work.
 *
 * @since 0.5.0
 * @category constants
 */
export const defaultBudget = 20_000_000

/**
 * Invalid options.
 *
 * @since 0.5.0
 * @category errors
 */
export class InvalidOptions extends TaggedError("InvalidOptions")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

// Analyses that yield regularly, so that other work can run.

/**
 * The progress of an analysis.
 *
 * @since 0.6.0
 * @category models
 */
export interface Progress {
  /** The current task, in words: `"groups that never count"`. */
  readonly task: string
  /** How many groups, products or collaborators of the task are done. */
  readonly done: number
  /** How many the task has in total. */
  readonly of: number
  /** All steps taken so far, as the budget counts them. */
  readonly steps: number
}

/**
 * A running analysis. It yields its progress after about every 25,000 steps, and continues when it is resumed. To
 * cancel it, don't resume it.
 *
 * @since 0.6.0
 * @category models
 */
export type Steps<Answer> = Generator<Progress, Answer, void>

// An order that shows the answer of an analysis.

/**
 * An order of one item that shows a finding about the rules. It has only the attributes that are needed.
 *
 * @since 0.5.0
 * @category models
 */
export interface Witness {
  readonly order: Order
  /** How many attributes it needs: values that rules name, and its time. A product of the catalogue does not count. */
  readonly attributeCount: number
  /** Whether it is proved that none with fewer attributes would do. */
  readonly isSmallest: boolean
  /**
   * The counters at which the order shows it, where a group that applies to it has terms; counters that are absent stand
   * at 0. A time that only these terms need is not counted as an attribute.
   *
   * @since 0.6.0
   */
  readonly counters?: Counters
}

/**
 * An order whose item is over-allocated, as computed by the split itself.
 *
 * @since 0.5.0
 * @category models
 */
export interface OverAllocationWitness extends Witness {
  /** What the item brings in, in the lowest unit of the order's currency. */
  readonly distributable: number
  readonly claims: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
}
