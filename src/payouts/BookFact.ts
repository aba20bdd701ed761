/**
 * The facts that a payout book records: what happens in the life of a store's payouts.
 *
 * @since 0.6.0
 */
import type * as EffectOrder from "effect/Order"
import { compareNumbers } from "../internal/compare.js"
import type { Order } from "../orders/Order.js"
import type { AdjustedShare } from "../shares/Adjustment.js"
import type { Reversal, ReversedShare } from "../shares/Refund.js"
import type { Share } from "../shares/Share.js"
import type { Collaborator } from "./Collaborator.js"
import type * as PayoutItem from "./PayoutItem.js"

/**
 * The fields of a share that the book needs; every share of a split has them.
 *
 * @since 0.1.0
 * @category models
 */
export type EarnedShare = Pick<Share, "itemId" | "groupId" | "collaboratorId" | "amount">

/**
 * The fields of an adjusted share that the book needs; every share of an adjustment has them.
 *
 * @since 0.6.0
 * @category models
 */
export type ChangedShare = EarnedShare & Pick<AdjustedShare, "before" | "after">

/**
 * Something that happened, for `PayoutBook.record`.
 *
 * @since 0.1.0
 * @category models
 */
export type Fact =
  | {
      /** An order was split. A share that is already recorded stays as it is. */
      readonly type: "split"
      readonly at: number
      readonly order: Order
      readonly split: { readonly shares: ReadonlyArray<EarnedShare> }
    }
  | {
      /**
       * A re-split changed the shares of an order, or of a part of it. The changes of one run are recorded once.
       *
       * @since 0.6.0
       */
      readonly type: "adjustment"
      readonly at: number
      readonly runId: string
      readonly order: Order
      readonly adjustment: { readonly shares: ReadonlyArray<ChangedShare> }
    }
  | {
      /** An item was refunded. With an `id`, recording it again changes nothing. */
      readonly type: "refund"
      readonly at: number
      readonly id?: string | undefined
      /**
       * The amounts taken back of adjustments of the item; absent: it has no adjustments.
       *
       * @since 0.6.0
       */
      readonly adjusted?:
        | ReadonlyArray<{
            readonly runId: string
            readonly shares: ReadonlyArray<
              Pick<ReversedShare, "groupId" | "collaboratorId" | "amount">
            >
          }>
        | undefined
      readonly reversal: Pick<Reversal, "orderId" | "itemId"> & {
        readonly shares: ReadonlyArray<Pick<Reversal["shares"][number], "groupId" | "amount">>
      }
    }
  | ({
      /** Money deducted or added by hand. Recording the same `id` again changes nothing. */
      readonly type: "expense" | "income"
      readonly collaboratorId: string
    } & PayoutItem.EntryInput)
  | {
      /** A collaborator was added, or their currency, dates or threshold changed. */
      readonly type: "collaborator"
      readonly at: number
      readonly collaborator: Collaborator
    }
  | {
      /** A payout was paid, failed, was retried, came back or was set as paid by hand. */
      readonly type: "payout"
      readonly at: number
      readonly payoutId: string
      readonly event:
        | { readonly type: "pay" | "retry" | "set-paid" }
        | { readonly type: "fail" | "return"; readonly reason: string }
    }

const ranks: { readonly [Type in Fact["type"]]: number } = {
  collaborator: 0,
  split: 1,
  adjustment: 2,
  refund: 3,
  expense: 4,
  income: 4,
  payout: 5,
}

/**
 * The order in which facts are recorded: by time; within one second changes of collaborators come first, then sales,
 * re-splits, refunds, expenses and incomes, and events of payouts last.
 *
 * @since 0.1.0
 * @category instances
 * @example
 * ```ts
 * import { PayoutBook } from "apportion"
 *
 * const facts = [
 *   { type: "expense", at: 20 },
 *   { type: "split", at: 20 },
 *   { type: "refund", at: 10 },
 * ] as const
 * facts.toSorted(PayoutBook.order).map(({ type }) => type) // => ["refund", "split", "expense"]
 * ```
 */
export const order: EffectOrder.Order<Pick<Fact, "type" | "at">> = (self, that) =>
  self.at === that.at
    ? compareNumbers(ranks[self.type], ranks[that.type])
    : compareNumbers(self.at, that.at)
