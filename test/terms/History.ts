/** Random histories of sales and refunds under terms: what the library and the oracle have to agree on. */
import type { CountedRules, Order, SplitPolicy, Terms } from "apportion"
import type { Chance } from "../generators/Chance.js"
import {
  amount,
  limits,
  most,
  one,
  order,
  percent,
  policy,
  range,
  refund,
  round,
  type Size,
  type SoldRefund,
} from "../generators/SaleStream.js"

export type Groups = ReadonlyArray<CountedRules.CountedGroupInput>

/** A sale, with the payout that collects it by then; a refund; or other groups from now on. */
export type Step =
  | { readonly sale: Order.Order; readonly payout: string }
  | { readonly refund: SoldRefund }
  | { readonly groups: Groups }

export interface History {
  readonly groups: Groups
  readonly policy: SplitPolicy.SplitPolicy
  readonly timeZone: string
  readonly before: Readonly<Record<string, number>>
  readonly steps: ReadonlyArray<Step>
}

const per = (chance: Chance): Terms.Per => one(chance, "group", "group", "collaborator")

const period = (chance: Chance): Terms.CountPeriod =>
  one(chance, "lifetime", "lifetime", "year", "month", "payout")

const tiers = (chance: Chance, size: Size): NonNullable<Terms.TermsInput["tiers"]> => {
  const counted = one(chance, "units", "units", "base", "share")
  const widest = counted === "units" ? 25 : counted === "base" ? 5_000 : 800
  const bounds = [0]
  for (let count = chance.below(chance.onceIn(10) ? 12 : 4); count > 0; count -= 1) {
    const last = bounds.at(-1) ?? 0
    const huge = one(chance, 2 ** 51, most - last, most - last - 1)
    const small = counted === "units" || chance.onceIn(2) ? range(chance, 1, widest) : round(chance)
    const next = last + (size === "huge" && chance.onceIn(3) ? huge : small)
    if (next > last && Number.isSafeInteger(next)) bounds.push(next)
  }
  const bands = bounds.map((from) => ({ from, percent: percent(chance) }))
  return { counted, per: per(chance), period: period(chance), bands }
}

const terms = (chance: Chance, size: Size): Terms.TermsInput | null => {
  const kind = chance.below(8)
  if (kind === 0) return null
  const cap = { amount: amount(chance, size), per: per(chance), period: period(chance) }
  return {
    ...(kind === 1 ? {} : { tiers: tiers(chance, size) }),
    ...(kind < 4 ? { cap } : {}),
  }
}

/** Often a percentage of which round sums fill a cap to the cent. */
const even = (chance: Chance): string =>
  chance.onceIn(2) ? one(chance, "100.00", "50.00", "10.00") : percent(chance)

const group = (chance: Chance, id: string, size: Size): CountedRules.CountedGroupInput => {
  const own = terms(chance, size)
  const isDeducting = chance.onceIn(6)
  const hasFlat = chance.onceIn(6)
  return {
    id,
    collaboratorId: one(chance, "ada", "ben"),
    link: chance.onceIn(4)
      ? { type: "products", values: [one(chance, "p1", "p2")] }
      : { type: "products.all" },
    ...(own?.tiers == null ? { percent: own?.cap == null ? percent(chance) : even(chance) } : {}),
    ...(hasFlat ? { amount: chance.below(200) } : {}),
    ...(chance.onceIn(5) ? { shippingPercent: percent(chance) } : {}),
    ...(hasFlat && chance.onceIn(3) ? { shippingAmount: chance.below(50) } : {}),
    ...(isDeducting
      ? { condition: { type: "referer", values: ["blog"] }, deductForOtherSplits: true }
      : {}),
    ...limits(chance),
    ...(own === null && chance.onceIn(2) ? {} : { terms: own }),
  }
}

/** The groups as those of one collaborator, whose terms count together. */
const countedTogether = (groups: Groups): Groups => {
  const { tiers, cap } = groups.find((each) => each.terms?.tiers != null)?.terms ?? {}
  const together = <A extends object>(one: A | null | undefined) =>
    one == null ? null : { ...one, per: "collaborator" as const }
  return groups.map((each) =>
    each.terms?.tiers == null
      ? { ...each, collaboratorId: "ada" }
      : {
          ...{ ...each, collaboratorId: "ada" },
          terms: { tiers: together(tiers), cap: together(cap) },
        },
  )
}

/** What was counted before: by units, money and shares, at and around what bounds and caps can be. */
const before = (chance: Chance): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (let number = range(chance, 1, 3); number > 0; number -= 1) {
    const counted = one(chance, "units", "base", "share")
    const whom = one(chance, "group/a", "group/a", "collaborator/ada")
    const near = one(chance, -5, 3, 19, round(chance) - 1, round(chance), round(chance) + 1)
    counts[`${counted}/USD/lifetime/${whom}`] = chance.onceIn(6)
      ? one(chance, most, most - 20, most - 1_000, -most)
      : near
  }
  return counts
}

/** A history of a few sales and refunds, and sometimes of other terms on the way. */
export const history = (chance: Chance): History => {
  const size: Size = chance.onceIn(12) ? "huge" : "small"
  const someGroups = (): Groups => {
    const ids = ["a", "b", "C", "d"].slice(0, range(chance, 1, 4))
    const groups = ids.map((id) => group(chance, id, size))
    return chance.onceIn(6) ? countedTogether(groups) : groups
  }
  const groups = someGroups()
  const steps: Array<Step> = []
  const sold: Array<Order.Order> = []
  for (let count = range(chance, 1, 6); count > 0; count -= 1) {
    if (sold.length > 0 && chance.onceIn(12)) {
      steps.push({ groups: someGroups() })
    } else if (sold.length > 0 && chance.onceIn(3)) {
      steps.push({ refund: refund(chance, sold) })
    } else {
      const sale = order(chance, `${sold.length + 1}`, size)
      sold.push(sale)
      steps.push({ sale, payout: one(chance, "first", "second") })
    }
  }
  const timeZone = one(chance, "UTC", "UTC", "America/New_York", "Asia/Tokyo")
  return {
    groups,
    policy: policy(chance),
    timeZone,
    before: chance.onceIn(4) ? before(chance) : {},
    steps,
  }
}
