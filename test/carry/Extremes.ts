/** What random streams of sales that carry have to reach. */
import { CarriedSplit, type Refund, type Split } from "apportion"
import type { Extremes } from "../generators/Extremes.js"
import { type CarryHistory, difference } from "./Histories.js"

/** A history with everything that came of it. */
export interface Played {
  readonly history: CarryHistory
  readonly splits: ReadonlyArray<Split.Split>
  readonly refunds: ReadonlyArray<Refund.Reversal>
  readonly difference: string | undefined
}

export const played = (history: CarryHistory): Played => {
  const splits: Array<Split.Split> = []
  const refunds: Array<Refund.Reversal> = []
  const running = new CarriedSplit.RunningRemainders(history.before)
  const found = difference(history, running, {
    sale: (split) => splits.push(split),
    refund: (reversal) => refunds.push(reversal),
  })
  return { history, splits, refunds, difference: found }
}

const most = Number.MAX_SAFE_INTEGER
const cent = 10_000

const someItem = (is: (item: Split.Split["items"][number]) => boolean) => (one: Played) =>
  one.splits.some(({ items }) => items.some(is))

const someShare =
  (is: (share: Split.Split["shares"][number], split: Split.Split) => boolean) => (one: Played) =>
    one.splits.some((split) => split.shares.some((share) => is(share, split)))

export const extremes: Extremes<Played> = {
  "2^53 - 1 is sold": someItem(({ amount }) => Math.abs(amount) === most),
  "one cent is sold": someItem(({ amount }) => amount === 1),
  "something comes back": someItem(({ amount }) => amount < 0),
  "0 %": someShare(({ percent }) => percent === "0.00"),
  "100 %": someShare(({ percent }) => percent === "100.00"),
  "ten groups on one item": ({ splits }) =>
    splits.some(({ items, shares }) =>
      items.some(({ itemId }) => shares.filter((share) => share.itemId === itemId).length >= 10),
    ),
  "several currencies": ({ splits }) => new Set(splits.map(({ currency }) => currency)).size > 1,
  "groups that change between sales": ({ history: { steps } }) => {
    const change = steps.findIndex((step) => "groups" in step)
    return change > 0 && steps.slice(change).some((step) => "sale" in step)
  },
  "a cent that was carried is paid": someShare(
    ({ carried }) => (carried?.before ?? 0) > 0 && (carried?.after ?? 0) < 0,
  ),
  "a cent that was paid ahead is worked off": someShare(
    ({ carried, amount }) => (carried?.before ?? 0) < 0 && (carried?.after ?? 0) > 0 && amount >= 0,
  ),
  "more than a cent is due": someShare(({ carried }) => (carried?.before ?? 0) > cent),
  "more than a cent was paid ahead": someShare(({ carried }) => (carried?.before ?? 0) < -cent),
  "a remainder near the most there can be": someShare(
    ({ carried }) => Math.abs(carried?.before ?? 0) > 1e14,
  ),
  "claims beyond what there is": someItem(({ overAllocated }) => overAllocated),
  "a group that is deducted first": someShare(({ deducting }) => deducting),
  "shipping that is shared": someShare(({ shippingAmount }) => shippingAmount > 0),
  "shipping that is charged": someShare(({ shippingAmount }) => shippingAmount < 0),
  "a minimum or maximum": someShare(
    ({ beforeShipping, percentTotal, flatTotal }) => beforeShipping !== percentTotal + flatTotal,
  ),
  "a refund": ({ refunds }) => refunds.length > 0,
  "a refund in parts": ({ refunds }) =>
    refunds.some(({ fullyRefunded, itemId }) =>
      refunds.some((other) => other.itemId === itemId && other.fullyRefunded !== fullyRefunded),
    ),
  "nothing but percentages": ({ history }) => history.isPlain,
}
