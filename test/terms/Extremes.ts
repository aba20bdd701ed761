/** What random histories under terms have to reach, seen on what the library makes of them. */
import type { CountedSplit, Split } from "apportion"
import * as Result from "effect/Result"
import type { Extremes } from "../generators/Extremes.js"
import { difference, library } from "./Answers.js"
import type { Groups, History } from "./History.js"

/** A history with everything that came of it. */
export interface Played {
  readonly history: History
  readonly counted: ReadonlyArray<CountedSplit.Counted>
  readonly refunds: ReadonlyArray<{ readonly split: Split.Split; readonly itemId: string }>
  readonly errors: ReadonlyArray<string>
  readonly difference: unknown
}

export const played = (history: History): Played => {
  const counted: Array<CountedSplit.Counted> = []
  const refunds: Array<Played["refunds"][number]> = []
  const errors: Array<string> = []
  const found = difference(history, {
    order: (...asked) => {
      const done = library.order(...asked)
      if (Result.isSuccess(done)) counted.push(done.success)
      else errors.push(done.failure._tag)
      return done
    },
    refund: (split, refund, options) => {
      const done = library.refund(split, refund, options)
      if (Result.isSuccess(done)) refunds.push({ split, itemId: refund.itemId })
      else errors.push(done.failure._tag)
      return done
    },
  })
  return { history, counted, refunds, errors, difference: found }
}

const most = Number.MAX_SAFE_INTEGER

type ShareWithTerms = Split.Split["shares"][number] & {
  readonly terms: NonNullable<Split.Split["shares"][number]["terms"]>
}

const sharesOf = ({ counted }: Played): ReadonlyArray<ShareWithTerms> =>
  counted.flatMap(({ split }) =>
    split.shares.flatMap((share) =>
      share.terms === undefined ? [] : [{ ...share, terms: share.terms }],
    ),
  )

const someShare = (is: (share: ShareWithTerms) => boolean) => (one: Played) =>
  sharesOf(one).some(is)

const salesOf = ({ history }: Played) =>
  history.steps.flatMap((step) => ("sale" in step ? [step.sale] : []))

const someItem =
  (is: (item: ReturnType<typeof salesOf>[number]["items"][number]) => boolean) => (one: Played) =>
    salesOf(one).some(({ items }) => items.some(is))

const boundsOf = (groups: Groups, groupId: string): ReadonlyArray<number> =>
  groups
    .filter(({ id }) => id === groupId)
    .flatMap(({ terms }) => terms?.tiers?.bands.map(({ from }) => from) ?? [])

const allGroups = ({ steps, groups }: History): Groups => [
  ...groups,
  ...steps.flatMap((step) => ("groups" in step ? step.groups : [])),
]

const countersOf = ({ counted }: Played) =>
  counted.flatMap(({ counters }) => Object.entries(counters))

const periodsOf = (one: Played) =>
  new Set(countersOf(one).map(([key]) => key.split("/")[2] ?? "lifetime"))

const hasBand = (is: (band: { readonly percent: string; readonly counted: number }) => boolean) =>
  someShare(({ terms }) => terms.tiers?.bands.some(is) === true)

/** Refunds of shares that were earned in several bands. */
const refundedOverBands = ({ refunds }: Played) =>
  refunds.filter(({ split, itemId }) =>
    split.shares.some(
      (share) => share.itemId === itemId && (share.terms?.tiers?.bands.length ?? 0) > 1,
    ),
  ).length

export const extremes: Extremes<Played> = {
  "2^53 - 1 is sold": someItem(({ amount }) => Math.abs(amount) === most),
  "2^53 - 1 units are sold": someItem(({ quantity }) => quantity === most),
  "nothing is sold": someItem(({ amount }) => amount === 0),
  "something comes back": someItem(({ amount }) => amount < 0),
  "a band of 0 %": hasBand(({ percent, counted }) => percent === "0.00" && counted !== 0),
  "a band of 100 %": hasBand(({ percent, counted }) => percent === "100.00" && counted !== 0),
  "a bound is reached exactly": (one) =>
    sharesOf(one).some(({ groupId, terms: { tiers } }) =>
      boundsOf(allGroups(one.history), groupId).some(
        (from) => from > 0 && tiers?.after === from && tiers.before < from,
      ),
    ),
  "a bound is passed": someShare(({ terms }) => (terms.tiers?.bands.length ?? 0) > 1),
  "two bounds are passed at once": someShare(({ terms }) => (terms.tiers?.bands.length ?? 0) > 2),
  "a return passes a bound": someShare(
    ({ terms }) =>
      (terms.tiers?.bands.length ?? 0) > 1 && (terms.tiers?.bands[0]?.counted ?? 0) < 0,
  ),
  "units are counted": someShare(({ terms }) => terms.tiers?.counted === "units"),
  "bases are counted": someShare(({ terms }) => terms.tiers?.counted === "base"),
  "shares are counted over a bound": someShare(
    ({ terms }) => terms.tiers?.counted === "share" && terms.tiers.bands.length > 1,
  ),
  "a cap is reached exactly": someShare(
    ({ terms: { cap } }) =>
      cap !== null && cap.cut === 0 && cap.after === cap.amount && cap.before < cap.after,
  ),
  "a cap cuts": someShare(
    ({ terms: { cap } }) => cap !== null && cap.cut > 0 && cap.before < cap.after,
  ),
  "a cap leaves nothing": someShare(
    ({ terms: { cap } }) => cap !== null && cap.cut > 0 && cap.before >= cap.amount,
  ),
  "a cap of nothing": someShare(({ terms: { cap } }) => cap?.amount === 0),
  "a cap over bands": someShare(({ terms: { cap, tiers } }) => cap !== null && tiers !== null),
  "a cap with a share of the shipping": someShare(
    ({ terms: { cap }, shippingAmount }) => cap !== null && cap.cut > 0 && shippingAmount !== 0,
  ),
  "two groups count at one counter": (one) =>
    one.counted.some(({ split }) => {
      const keys = split.shares.flatMap(({ itemId, groupId, terms }) =>
        terms?.tiers == null ? [] : [[itemId, terms.tiers.counter, groupId] as const],
      )
      return keys.some(([item, key, group]) =>
        keys.some(([i, k, g]) => i === item && k === key && g !== group),
      )
    }),
  "a counter below 0": (one) => countersOf(one).some(([, count]) => count < 0),
  "a counter near 2^53": (one) => countersOf(one).some(([, count]) => count > 2 ** 52),
  "a sum out of range": ({ errors }) => errors.includes("AmountOutOfRange"),
  "a sale without a time": ({ errors }) => errors.includes("InvalidOrder"),
  "a month that ends": (one) => [...periodsOf(one)].filter((p) => p.length === 7).length > 1,
  "a year that ends": (one) => [...periodsOf(one)].filter((p) => p.length === 4).length > 1,
  "a payout that closes": (one) =>
    [...periodsOf(one)].filter((p) => p.startsWith("payout:")).length > 1,
  "several currencies": (one) => new Set(salesOf(one).map(({ currency }) => currency)).size > 1,
  "claims beyond what there is": ({ counted }) =>
    counted.some(
      ({ split }) =>
        split.items.some(({ overAllocated }) => overAllocated) &&
        split.shares.some(({ terms }) => terms !== undefined),
    ),
  "terms that change between sales": ({ history: { steps } }) => {
    const change = steps.findIndex((step) => "groups" in step)
    return change > 0 && steps.slice(change).some((step) => "sale" in step)
  },
  "a refund after terms have changed": ({ history: { steps } }) => {
    const change = steps.findIndex((step) => "groups" in step)
    return change > 0 && steps.slice(change).some((step) => "refund" in step)
  },
  "a refund over bands": (one) => refundedOverBands(one) > 0,
  "refunds over bands in parts": (one) => refundedOverBands(one) > 1,
  "a refund of more than there is": ({ errors }) => errors.includes("RefundExceedsItem"),
}
