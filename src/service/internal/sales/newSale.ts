/** What is new of an order: split by the rules, and kept as a part of it once its shares are booked. */
import * as Effect from "effect/Effect"
import type { Order } from "../../../orders/Order.js"
import type { Problem } from "../../../Problem.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { InvalidRuleSet } from "../../../rules/RuleSet.js"
import * as Split from "../../../shares/Split.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import type { SaleChanged } from "../../ServiceError.js"
import {
  type CountedOrder,
  isCounted,
  type PayoutOf,
  splitCounted,
} from "../counters/countedOrder.js"
import { keepCounts } from "../counters/saleCounts.js"
import { groupsWithSay, rulesForPart, type SaleRules } from "../rules/saleRules.js"
import { emit } from "../transactions.js"
import { completeOrder, type DatedOrder, unknownProducts } from "./completeOrder.js"
import * as parts from "./orderParts.js"
import { movedData, type Posted } from "./postings.js"
import * as saleTotals from "./saleTotals.js"

/**
 * The result of recording an order.
 *
 * @since 0.2.0
 * @category models
 */
export interface Recording {
  /** All parts of the order, in order; each has its split and the postings of its shares. */
  readonly parts: ReadonlyArray<RecordedSale>
  /** The items recorded by this call. */
  readonly newItemIds: ReadonlyArray<string>
  /** The items recorded before; nothing about them changed. Units that came to one are an item of their own. */
  readonly knownItemIds: ReadonlyArray<string>
  /**
   * What of the order changes nothing: shipping, tax on it or a fee that differs from what its parts have, without new
   * items to bring the rest. And the products of what is recorded that the catalogue does not know, each once: rules by
   * tag or vendor see only what the order says of them, so perhaps nobody has a share.
   *
   * @since 0.6.0
   */
  readonly notes: ReadonlyArray<Problem>
}

/** What sales are split by. */
export interface Splitting<E = never> {
  readonly stores: Stores
  readonly policy: SplitPolicy
  /** The account's, in which years and months of terms begin. */
  readonly timeZone: string
  /** The account's rules as the transaction sees them. */
  readonly rules: () => Effect.Effect<SaleRules, InvalidRuleSet | StorageError>
  /** The payout that collects the shares of a collaborator, for terms that count by payouts. */
  readonly payoutOf: PayoutOf<E | StorageError>
  /** Whether an order that is counted is only to be foreseen: it is split again when its turn comes. */
  readonly foresees?: boolean | undefined
}

/** What is new of an order, split; nothing of it is written. */
export interface NewSplit {
  readonly isNew: true
  readonly earlier: ReadonlyArray<RecordedSale>
  /** The new items, completed from the catalogue. */
  readonly order: DatedOrder
  readonly groups: ReadonlyArray<AccountGroup>
  readonly policy: SplitPolicy
  readonly split: Split.Split
  /** What it counts; absent: nothing, and so it does not matter what was recorded before it. */
  readonly counts?: Omit<CountedOrder, "split"> | undefined
  readonly recording: Omit<Recording, "parts">
}

/** An order of which all was recorded before. */
export interface KnownOrder {
  readonly isNew: false
  readonly recording: Recording
}

/**
 * Splits what is new of an order; one without a time was made at `at`. It begins at once, so that with stores that answer
 * at once, as those of a batch do, the split is there without a turn of the fiber.
 */
export const splitNew = Effect.fnUntracedEager(function* <E = never>(
  { stores, policy, rules: known, ...counting }: Splitting<E>,
  input: Order,
  at: number,
): Effect.fn.Return<
  NewSplit | KnownOrder,
  Split.SplitError | InvalidRuleSet | SaleChanged | E | StorageError
> {
  const earlier = yield* stores.sales.ofOrder(input.id)
  const part = yield* Effect.fromResult(parts.newPart(input, earlier))
  const { newItemIds, knownItemIds, notes } = part
  if (newItemIds.length === 0) {
    return { isNew: false, recording: { parts: earlier, newItemIds, knownItemIds, notes } }
  }
  const { order, unknown } = yield* completeOrder(stores, part.order, at)
  const rules = rulesForPart(yield* known(), policy, { order, earlier })
  const told = [...notes, ...unknownProducts(input, unknown)]
  const recording = { newItemIds, knownItemIds, notes: told }
  const sale = { isNew: true, earlier, order, policy, recording } as const
  if (!isCounted(rules, policy)) {
    const split = yield* Effect.fromResult(Split.orderResult(rules.rules, order, policy))
    return { ...sale, groups: groupsWithSay(rules, split), split }
  }
  const { split, ...counts } = yield* splitCounted(
    stores,
    { rules, order },
    { policy, ...counting },
  )
  return { ...sale, groups: groupsWithSay(rules, split), split, counts }
})

/** Keeps a part whose shares were booked, and tells of it; one that is imported, with when it was sold. */
export const keep = Effect.fnUntraced(function* (
  stores: Stores,
  { earlier, recording, order, groups, policy, split, counts }: NewSplit,
  { postings, moved, ...when }: Posted & { readonly recordedAt: number; readonly soldAt?: number },
): Effect.fn.Return<Recording, StorageError> {
  const { id: orderId, currency } = order
  const { recordedAt, soldAt } = when
  const part = earlier.length + 1
  const sale = { orderId, part, order, groups, policy, split, postings, recordedAt, refunds: [] }
  const stored = yield* stores.sales.insert(sale)
  if (counts !== undefined) yield* keepCounts(stores, counts.after)
  const [items, shares] = [order.items.length, split.shares.length]
  const about = { orderId, part, currency, items, shares, ...saleTotals.ofSplit(split) }
  const data = { ...about, ...movedData(moved) }
  yield* soldAt === undefined
    ? emit({ type: "sale.recorded", data })
    : emit({ type: "sale.imported", data: { ...data, soldAt } })
  return { parts: [...earlier, stored], ...recording }
})
