/**
 * What an analysis takes for granted.
 *
 * @since 0.5.0
 */
import * as Data from "effect/Data"
import type { UnboundedAttribute } from "../orders/Attribute.js"
import type { Catalogue } from "../orders/Catalogue.js"
import type { Order } from "../orders/Order.js"
import type { Problem } from "../Problem.js"
import type * as SplitPolicy from "../shares/SplitPolicy.js"

/**
 * Where an order or its product can have any number of values, unless something is said: a product has one vendor and
 * an order one billing country in any case.
 *
 * @since 0.6.0
 * @category models
 */
export type LimitedPlace = UnboundedAttribute

/**
 * What an analysis takes for granted. The fewer of these are given, the more orders are possible.
 *
 * @since 0.5.0
 * @category models
 */
export interface Options {
  /** How sales are split; what is left out has the default. */
  readonly policy?: Partial<SplitPolicy.SplitPolicy> | undefined
  /** Everything that is sold. Without it any product is possible: any id, any vendor, any tags together. */
  readonly catalogue?: Catalogue | undefined
  /** Orders from before it, in Unix seconds, are not asked about: groups that ended by then are dead. */
  readonly from?: number | undefined
  /**
   * The largest discount that an item can have, as a percentage of its amount. Under `discount: "ignore"` shares are paid
   * on what the buyer did not pay, and any discount is possible when this is absent. Amounts, which are asked about
   * with a catalogue, are held against prices without a discount when this is absent.
   */
  readonly mostDiscount?: string | number | undefined
  /**
   * The largest tax that can be in an item's amount, as a percentage of the rest of it, which is how tax rates are written.
   * It matters under `tax: "remove"`: what is taken out is not brought in. Beside a discount that is ignored any tax is
   * possible when this is absent; amounts are then held against prices without tax.
   *
   * @since 0.6.0
   */
  readonly mostTax?: string | number | undefined
  /**
   * How many of the ids that rules name one product can have, where products are not known: 2 when absent, for a product
   * has an `id` and may have an `externalId`. With 1, groups for different ids never meet.
   */
  readonly idsOfProduct?: 1 | 2 | undefined
  /**
   * How many of the values that rules name an order can have at most, by where they stand: `{ referer: 1 }` where an
   * order comes from one place, `{ "discount.code": 2 }` where a buyer may use two codes. Any number when absent. The tags of
   * the products of a catalogue are known, and not limited.
   *
   * @since 0.6.0
   */
  readonly atMost?: { readonly [Place in LimitedPlace]?: number | undefined } | undefined
  /**
   * How many steps may be taken to answer, {@link defaultBudget} when absent. All work counts, not only that of a search:
   * reading the rules, finding out which products are linked to them, splitting the orders that are shown. Some five to
   * ten million take a second. What is not decided within it is said to be undecided.
   */
  readonly budget?: number | undefined
}

/**
 * The steps that an answer may take when nothing else is said: a few seconds of work.
 *
 * @since 0.5.0
 * @category constants
 */
export const defaultBudget = 20_000_000

/**
 * Options that say nothing, or nothing possible.
 *
 * @since 0.5.0
 * @category errors
 */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

// Analyses that stop now and then, so that other work can go on.

/**
 * How far an analysis is.
 *
 * @since 0.6.0
 * @category models
 */
export interface Progress {
  /** What it is at, in words: `"groups that never count"`. */
  readonly task: string
  /** Of how many groups, products or collaborators of the task it is known. */
  readonly done: number
  /** Of how many it is to be known. */
  readonly of: number
  /** All steps that were taken, as the budget counts them. */
  readonly steps: number
}

/**
 * An analysis under way. It stops after about 25,000 steps each time, says how far it is, and goes on when
 * it is asked to. Whoever asks no more has cancelled it.
 *
 * @since 0.6.0
 * @category models
 */
export type Steps<Answer> = Generator<Progress, Answer, void>

// An order that shows what an analysis says.

/**
 * An order of one item that shows what is said of the rules. It has only the attributes that are needed.
 *
 * @since 0.5.0
 * @category models
 */
export interface Witness {
  readonly order: Order
  /** How many attributes it needs: values that rules name, and its time. A product of the catalogue is none. */
  readonly attributeCount: number
  /** Whether it is proved that none with fewer attributes would do. */
  readonly isSmallest: boolean
}

/**
 * An order on which more is claimed of the item than there is, as the split itself computes it.
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
