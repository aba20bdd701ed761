/** What is explained to one collaborator. */
import type { ShareExplanation, Step } from "../../shares/Explanation.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"

/**
 * From the price to what a percentage was computed on.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenBase {
  /** From the price on; the steps add up to the amount. */
  readonly steps: ReadonlyArray<Step>
  /** What the percentage was computed on, in cents. */
  readonly amount: number
  /** The percentage of it before rounding, in cents, as `"1249.875"`. */
  readonly exact: string
  /** Which way that was rounded. */
  readonly rounded: ShareExplanation["rounded"]
}

/**
 * A share of an item as its collaborator sees it. The steps add up to the amount.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenShare {
  readonly groupId: string
  /** Cents of the order's currency. */
  readonly amount: number
  /** The group's percentage, such as `"12.50"`; `null`: it has none. */
  readonly percent: string | null
  /**
   * Where the base is hidden, a share that was limited has one step, named for the limit, with the whole amount: the
   * percentage before the limit would reveal the base, and the cut what others claim.
   */
  readonly steps: ReadonlyArray<Step>
  /**
   * Absent without a percentage, and where it would reveal something hidden: a price, a discount, a tax or a cost that
   * the permissions hide, the store's gateway fee, or what others get.
   */
  readonly base?: SeenBase | undefined
}

/**
 * A group of the collaborator that matched an item, and another one of theirs that counts instead.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenOutranked {
  readonly groupId: string
  readonly byGroupId: string
}

/**
 * An item of which a collaborator got something.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenItemExplanation {
  readonly itemId: string
  /** Absent when the permissions hide it. */
  readonly quantity?: number | undefined
  readonly shares: ReadonlyArray<SeenShare>
  readonly outranked: ReadonlyArray<SeenOutranked>
}

/**
 * An explanation as one collaborator sees it. Items of which they got nothing are not in it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenExplanation {
  readonly orderId: string
  readonly currency: string
  /** The policy's choices for flat amounts and shipping. */
  readonly policy: Pick<SplitPolicy, "flatScope" | "shipping">
  readonly items: ReadonlyArray<SeenItemExplanation>
}
