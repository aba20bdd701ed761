import * as Result from "effect/Result"
import fc from "fast-check"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import type { Posting, RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as Refund from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import { currency, exchangeRate } from "./Money.js"
import type { OrderOptions } from "./Orders.js"
import { type DrawnSale, refundsOf, splitSale } from "./Sales.js"
import { usualTime } from "./Times.js"

/** The groups that had a say in a split. */
const groupsOf = ({ rules }: DrawnSale, split: Split): ReadonlyArray<ProductGroup> => {
  // A group that wins and then earns nothing has no share, but those it outranked name it.
  const winners = split.outranked.map(({ byGroupId }) => byGroupId)
  const others = [...split.shares, ...split.outranked].map(({ groupId }) => groupId)
  const ids = new Set([...winners, ...others])
  return rules.groups.filter(({ id }) => ids.has(id))
}

/** Where the shares of one collaborator went. */
interface Destination {
  readonly currency: string
  readonly rate: string
  readonly payoutId: string
  /** Whether the payout was settled before the first refund. */
  readonly isSettled: boolean
}

const destinations = (
  split: Split,
  payoutCurrency: fc.Arbitrary<string>,
): fc.Arbitrary<ReadonlyMap<string, Destination>> => {
  const collaborators = [...new Set(split.shares.map(({ collaboratorId }) => collaboratorId))]
  const destination = (id: string) =>
    fc.record({
      currency: payoutCurrency,
      rate: exchangeRate({ extreme: false }),
      payoutId: fc.constant(`payout of ${id}`),
      isSettled: fc.boolean(),
    })
  return fc
    .tuple(...collaborators.map(destination))
    .map((each) => new Map(collaborators.map((id, index) => [id, each[index] ?? nowhere])))
}

const nowhere: Destination = { currency: "USD", rate: "1", payoutId: "payout", isSettled: false }

const reversalsOf = (
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): ReadonlyArray<RecordedRefund> =>
  refunds.map((refund, index) => ({
    id: `refund ${index + 1} of ${split.orderId}`,
    refund,
    reversal: Result.getOrThrow(
      Refund.reverse(split, refund, { earlier: refunds.slice(0, index) }),
    ),
    recordedAt: refund.refundedAt,
  }))

const postingsOf = (
  split: Split,
  where: ReadonlyMap<string, Destination>,
  refunds: ReadonlyArray<RecordedRefund>,
): ReadonlyArray<Posting> =>
  split.shares.map(({ itemId, groupId, collaboratorId }) => {
    const to = where.get(collaboratorId) ?? nowhere
    const taken = refunds
      .filter(({ reversal }) => to.isSettled && reversal.itemId === itemId)
      .flatMap(({ reversal }) => reversal.shares)
      .filter((share) => share.groupId === groupId && share.amount !== 0)
    return {
      itemId,
      groupId,
      collaboratorId,
      payoutId: to.payoutId,
      payoutItemId: PayoutItem.keyOf({ orderId: split.orderId, itemId, groupId }),
      currency: to.currency,
      rate: to.currency === split.currency ? null : to.rate,
      reversed: taken.reduce((sum, { amount }) => sum + amount, 0),
      refunds: taken.length,
    }
  })

/**
 * Recorded sales: an order with the groups and the policy that give its split again, where each share
 * went, and the refunds since, some of them before and some after a payout was settled.
 *
 * @since 0.2.0
 * @category sales
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const sales = fc.sample(Arbitraries.recordedSale(), 50)
 * sales.every(({ groups, order, policy, split }) => {
 *   const again = Split.order(RuleSet.make(groups), order, policy)
 *   return JSON.stringify(again.shares) === JSON.stringify(split.shares)
 * }) // => true
 * ```
 */
export const recordedSale = (
  options: Omit<OrderOptions, "amounts"> = {},
): fc.Arbitrary<RecordedSale> =>
  splitSale(options).chain(({ split, ...sale }) =>
    fc
      .record({
        refunds: refundsOf(split).map((refunds) => reversalsOf(split, refunds)),
        where: destinations(split, fc.oneof(fc.constant(split.currency), currency())),
        recordedAt: usualTime(),
        part: fc.constantFrom(1, 1, 2, 3),
      })
      .map(({ refunds, where, recordedAt, part }) => ({
        orderId: sale.order.id,
        part,
        order: sale.order,
        groups: groupsOf(sale, split),
        policy: sale.policy,
        split,
        postings: postingsOf(split, where, refunds),
        refunds,
        recordedAt,
        version: 1 + refunds.length,
      })),
  )
