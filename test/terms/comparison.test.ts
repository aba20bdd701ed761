/** The library and the oracle agree on histories under terms, and the comparison can fail. */
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { Chance } from "../generators/Chance.js"
import { seldomMet } from "../generators/Extremes.js"
import { difference, type Engine, library } from "./Answers.js"
import { extremes, played } from "./Extremes.js"
import { type Groups, type History, history } from "./History.js"

const histories = (count: number, seed = 1): ReadonlyArray<History> =>
  Array.from({ length: count }, (_, number) => history(new Chance(seed * 1_000_003 + number)))

describe("random histories", () => {
  const all = histories(600, 20_261_124).map(played)

  test("come out as the oracle says, step by step", () => {
    expect(all.flatMap(({ difference }) => difference ?? [])).toEqual([])
  })

  test("reach every extreme", () => {
    expect(seldomMet(extremes, all, 2)).toEqual([])
  })

  test("that are made too narrow don't, which is noticed", () => {
    const small = all.filter(({ history }) => history.steps.length < 2)
    expect(seldomMet(extremes, small, 1)).toContain("a refund over bands: 0")
    const refunds = all.filter(({ counted }) => counted.length === 0)
    expect(seldomMet(extremes, refunds, 1).length).toBeGreaterThan(15)
  })
})

const withTerms =
  (change: (group: Groups[number]) => Groups[number]) =>
  (one: History): History => {
    const changed = (groups: Groups) =>
      groups.map((group) => (group.terms == null ? group : change(group)))
    const steps = one.steps.map((step) =>
      "groups" in step ? { groups: changed(step.groups) } : step,
    )
    return { ...one, groups: changed(one.groups), steps }
  }

type Terms = NonNullable<Groups[number]["terms"]>
type Tiers = NonNullable<Terms["tiers"]>

const withTiers = (change: (tiers: Tiers) => Tiers) =>
  withTerms((group) =>
    group.terms?.tiers == null
      ? group
      : { ...group, terms: { ...group.terms, tiers: change(group.terms.tiers) } },
  )

const withCap = (change: (cap: NonNullable<Terms["cap"]>) => NonNullable<Terms["cap"]>) =>
  withTerms((group) =>
    group.terms?.cap == null
      ? group
      : { ...group, terms: { ...group.terms, cap: change(group.terms.cap) } },
  )

/** The library is shown another history than the oracle. */
const shown = (change: (one: History) => History) => (one: History) =>
  difference(one, library, change(one))

/** The library itself answers something else. */
const answering = (change: (engine: Engine) => Engine) => (one: History) =>
  difference(one, change(library))

const faults: Readonly<Record<string, (one: History) => unknown>> = {
  "units are counted as bases": shown(
    withTiers((tiers) => (tiers.counted === "units" ? { ...tiers, counted: "base" } : tiers)),
  ),
  "bases are counted as units": shown(
    withTiers((tiers) => (tiers.counted === "base" ? { ...tiers, counted: "units" } : tiers)),
  ),
  "shares are counted as bases": shown(
    withTiers((tiers) => (tiers.counted === "share" ? { ...tiers, counted: "base" } : tiers)),
  ),
  "a bound is one too high": shown(
    withTiers((tiers) => ({
      ...tiers,
      bands: tiers.bands.map(({ from, percent }) => ({ from: from && from + 1, percent })),
    })),
  ),
  "the highest band is never reached": shown(
    withTiers((tiers) => ({
      ...tiers,
      bands: tiers.bands.slice(0, Math.max(1, tiers.bands.length - 1)),
    })),
  ),
  "percentages are those of the first band": shown(
    withTiers((tiers) => ({
      ...tiers,
      bands: tiers.bands.map(({ from }) => ({ from, percent: tiers.bands[0]?.percent ?? "0" })),
    })),
  ),
  "collaborators are counted by group": shown(withTiers((tiers) => ({ ...tiers, per: "group" }))),
  "groups are counted by collaborator": shown(
    withTiers((tiers) => ({ ...tiers, per: "collaborator" })),
  ),
  "a month never ends": shown(withTiers((tiers) => ({ ...tiers, period: "lifetime" }))),
  "a year is a month": shown(
    withTiers((tiers) => (tiers.period === "year" ? { ...tiers, period: "month" } : tiers)),
  ),
  "a payout is a lifetime": shown(
    withTiers((tiers) => (tiers.period === "payout" ? { ...tiers, period: "lifetime" } : tiers)),
  ),
  "there is no cap": shown(withCap((cap) => ({ ...cap, amount: Number.MAX_SAFE_INTEGER }))),
  "a cap is a cent too high": shown(
    withCap((cap) => ({ ...cap, amount: Math.min(cap.amount + 1, 2 ** 53 - 1) })),
  ),
  "a cap never begins anew": shown(withCap((cap) => ({ ...cap, period: "lifetime" }))),
  "a cap is one of the group": shown(withCap((cap) => ({ ...cap, per: "group" }))),
  "months begin in UTC": shown((one) => ({ ...one, timeZone: "UTC" })),
  "what was counted before is forgotten": shown((one) => ({ ...one, before: {} })),
  "nothing is ever counted": answering((engine) => ({
    ...engine,
    order: (rules, order, policy, counters, options) =>
      Result.map(engine.order(rules, order, policy, counters, options), ({ split }) => ({
        split,
        counters: counters ?? {},
      })),
  })),
  "a refund leaves the counters": answering((engine) => ({
    ...engine,
    refund: (split, refund, options) =>
      Result.map(engine.refund(split, refund, options), ({ reversal }) => ({
        reversal,
        counters: options.counters,
      })),
  })),
  "a refund takes back evenly from all bands": answering((engine) => ({
    ...engine,
    refund: (split, refund, options) => {
      const even = { ...split, shares: split.shares.map(({ terms: _, ...share }) => share) }
      const counted = engine.refund(split, refund, options)
      return Result.isFailure(counted)
        ? counted
        : Result.map(engine.refund(even, refund, options), ({ reversal }) => ({
            ...counted.success,
            reversal,
          }))
    },
  })),
  "items count in the order in which they came": answering((engine) => ({
    ...engine,
    order: (rules, order, policy, counters, options) => {
      const items = order.items.map((item, place) => ({ ...item, id: `${place}` }))
      const renamed = engine.order(rules, { ...order, items }, policy, counters, options)
      if (Result.isFailure(renamed)) return renamed
      const { split } = renamed.success
      const named = <A extends { readonly itemId: string }>(parts: ReadonlyArray<A>) =>
        parts.map((part) => ({ ...part, itemId: order.items[Number(part.itemId)]?.id ?? "" }))
      const shares = named(split.shares)
      return Result.succeed({
        ...renamed.success,
        split: { ...split, shares, store: named(split.store) },
      })
    },
  })),
}

describe("a fault is noticed within a few hundred histories", () => {
  test.each(Object.entries(faults))("%s", (_, differs) => {
    let seen = 0
    const isFound = (): boolean => {
      for (; seen < 4_000; seen += 1) {
        if (differs(history(new Chance(7_000_003 + seen))) !== undefined) return true
      }
      return false
    }
    expect(isFound()).toBe(true)
  })
})
