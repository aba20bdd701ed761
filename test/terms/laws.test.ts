/** What always holds of tiers and caps, on histories that reach every extreme and on streams cut in any way. */
import {
  CountedRules,
  CountedSplit,
  Counters,
  type Split,
  SplitPolicy,
  type Terms,
} from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Chance } from "../generators/Chance.js"
import { runs } from "../generators/Runs.js"
import { type Played, played } from "./Extremes.js"
import { history } from "./History.js"

type Share = Split.Split["shares"][number]

const sum = (amounts: ReadonlyArray<number>): bigint =>
  amounts.reduce((all, amount) => all + BigInt(amount), 0n)

/** What a share says about its terms that can't be. */
const wrongIn = (share: Share): ReadonlyArray<string> => {
  const { tiers = null, cap = null } = share.terms ?? {}
  const found: Array<string> = []
  if (tiers !== null && tiers.counted !== "share") {
    const counted = sum(tiers.bands.map((band) => band.counted))
    if (counted !== BigInt(tiers.after) - BigInt(tiers.before))
      found.push("bands are not what was counted")
  }
  if (cap !== null) {
    const most = Math.max(cap.before, cap.amount)
    if (cap.after > most) found.push(`a cap of ${cap.amount} is passed: ${cap.after}`)
  }
  return found
}

/** Where shares and the store's rest are not what an item brought in. */
const leaksIn = (split: Split.Split): ReadonlyArray<string> =>
  split.items.flatMap(({ itemId, distributable }, place) => {
    const shares = split.shares.filter((share) => share.itemId === itemId)
    const paid = sum([...shares.map(({ amount }) => amount), split.store[place]?.amount ?? 0])
    return paid === BigInt(distributable) ? [] : [`item ${itemId}: ${paid} of ${distributable}`]
  })

/** Where what was counted before is not what was reached, counter by counter, item by item. */
const breaksIn = (split: Split.Split): ReadonlyArray<string> => {
  const reached = new Map<string, number>()
  const inOrder = split.shares.toSorted((one, other) =>
    one.itemId < other.itemId ? -1 : one.itemId > other.itemId ? 1 : 0,
  )
  return inOrder.flatMap(({ terms }) =>
    [terms?.tiers ?? [], terms?.cap ?? []].flat().flatMap(({ counter, before, after }) => {
      const known = reached.get(counter)
      const isSame = known === undefined || known === before || known === after
      reached.set(counter, after)
      return isSame ? [] : [`${counter}: ${before} after ${known}`]
    }),
  )
}

const splitsOf = (all: ReadonlyArray<Played>) =>
  all.flatMap(({ counted }) => counted.map(({ split }) => split))

describe("of every share under terms", () => {
  const all = Array.from({ length: 300 }, (_, number) =>
    played(history(new Chance(20_261_129 + number))),
  )
  const splits = splitsOf(all)
  const shares = splits.flatMap((split) => split.shares)

  test("no cap is ever passed, and the bands are what was counted", () => {
    expect(shares.filter(({ terms }) => terms !== undefined).length).toBeGreaterThan(300)
    expect(shares.flatMap(wrongIn)).toEqual([])
  })

  test("shares and the store's rest are what the item brought in", () => {
    expect(splits.flatMap(leaksIn)).toEqual([])
  })

  test("a counter goes on where the share before it has left it", () => {
    expect(splits.flatMap(breaksIn)).toEqual([])
  })

  test("a record that says otherwise is noticed", () => {
    const termed = shares.filter(({ terms }) => terms?.tiers != null && terms.cap !== null)
    const [share] = termed.filter(({ terms }) => terms?.tiers?.counted !== "share")
    if (share?.terms?.tiers == null || share.terms.cap === null) throw new Error("no such share")
    const { tiers, cap } = share.terms
    const over = { ...cap, after: Math.max(cap.amount, cap.before) + 1 }
    const off = { ...tiers, after: tiers.after + 1 }
    expect(wrongIn({ ...share, terms: { tiers, cap: over } })).not.toEqual([])
    expect(wrongIn({ ...share, terms: { tiers: off, cap } })).not.toEqual([])
    const [split] = splits.filter(({ items }) => items.length > 0)
    if (split === undefined) throw new Error("no split")
    expect(leaksIn({ ...split, store: [] })).not.toEqual([])
  })

  test("a refund of everything leaves all counters as if nothing had been sold", () => {
    let refunded = 0
    for (const { history, counted } of all) {
      if (history.steps.some((step) => "refund" in step)) continue
      let counters: Counters.Counters = counted.at(-1)?.counters ?? {}
      let isWhole = true
      for (const { split } of counted.toReversed()) {
        for (const { itemId } of split.items) {
          const refund = { orderId: split.orderId, itemId, remaining: true, refundedAt: 0 } as const
          const back = CountedSplit.refund(split, refund, { counters })
          if (Result.isSuccess(back)) counters = back.success.counters
          // An item without any money can't be refunded.
          else isWhole = false
        }
      }
      if (!isWhole) continue
      refunded += counted.length
      const left = Object.entries(counters).filter(
        ([key, count]) => count !== (history.before[key] ?? 0),
      )
      expect(left).toEqual([])
    }
    expect(refunded).toBeGreaterThan(50)
  })
})

describe("whoever keeps the counters", () => {
  /** A tally as a host has it, which knows nothing of how counters are kept. */
  class HostTally implements Counters.CounterTally {
    readonly counts: Map<string, number>

    constructor(counters: Counters.Counters) {
      this.counts = new Map(Object.entries(counters))
    }

    at(key: string): number {
      return this.counts.get(key) ?? 0
    }

    set(changes: ReadonlyArray<Counters.CounterChange>): void {
      for (const { key, count } of changes) this.counts.set(key, count)
    }
  }

  test("a stream of orders counts the same", () => {
    let failed = 0
    let counted = 0
    for (let seed = 1; seed <= 300; seed += 1) {
      const { groups, policy, timeZone, before, steps } = history(new Chance(seed))
      const rules = CountedRules.make(groups)
      const sales = steps.flatMap((step) => ("sale" in step ? [step.sale] : []))
      const options = { timeZone, payout: (id: string) => `payout of ${id}`.slice(0, 50) }
      const [own, hosts] = [Counters.tally(before), new HostTally(before)]
      const splitWith = (tally: Counters.CounterTally) => [
        ...CountedSplit.orders(rules, sales, tally, policy, options),
      ]
      const splits = splitWith(own)
      expect(splits).toEqual(splitWith(hosts))
      expect(own.counters).toEqual(Object.fromEntries(hosts.counts))
      failed += splits.filter(Result.isFailure).length
      counted += Object.keys(own.counters).length
    }
    expect(Math.min(failed, counted)).toBeGreaterThan(50)
  })

  test("what changes a tally between orders counts, and a tally that reads elsewhere is asked", () => {
    const rules = CountedRules.make([
      { id: "g", collaboratorId: "ada", link, percent: 10, terms: { cap: { amount: 150 } } },
    ])
    const sale = (id: string) => ({
      ...{ id, currency: "USD" },
      items: [{ id: "1", product: { id: "p" }, quantity: 1, amount: 1_000 }],
    })
    const key = "share/USD/lifetime/group/g"
    const tally = Counters.tally()
    const splits = CountedSplit.orders(rules, [sale("1"), sale("2")], tally)
    const amount = () => {
      const next = splits.next().value
      return next === undefined ? undefined : Result.getOrThrow(next).shares[0]?.amount
    }
    expect(amount()).toBe(100)
    tally.set([{ key, count: 120 }])
    expect(amount()).toBe(30)

    class Elsewhere extends Counters.RunningCounters {
      override at(): number {
        return 145
      }
    }
    const [asked] = CountedSplit.orders(rules, [sale("3")], new Elsewhere())
    expect(asked && Result.getOrThrow(asked).shares[0]?.amount).toBe(5)
  })
})

const whole = 10_000n
const link = { type: "products.all" } as const

/** What so many units at a price earn in all, in ten-thousandths of a cent: a sum over all bands. */
const earnedUpTo = (bands: ReadonlyArray<Terms.Band>, count: bigint, price: bigint): bigint =>
  bands.reduce((earned, { from, percent }, place) => {
    const to = bands[place + 1]?.from
    const top = to === undefined || count < BigInt(to) ? count : BigInt(to)
    const within = top > BigInt(from) ? top - BigInt(from) : 0n
    return earned + within * price * BigInt(Math.round(Number(percent) * 100))
  }, 0n)

describe("however a stream of sales is cut into orders", () => {
  const bandsOf = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 7 }),
      fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 8, maxLength: 8 }),
    )
    .map(([bounds, points]) =>
      [0, ...bounds.toSorted((a, b) => a - b)].map((from, place) => ({
        from,
        percent: ((points[place] ?? 0) / 100).toFixed(2),
      })),
    )
  const price = fc.oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 2 ** 46, max: Math.floor(Number.MAX_SAFE_INTEGER / 120) }),
  )
  const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 10 })

  const paid = (
    bands: ReadonlyArray<Terms.Band>,
    counted: "units" | "base",
    orders: ReadonlyArray<readonly [quantity: number, amount: number]>,
  ): ReadonlyArray<bigint> => {
    const rules = CountedRules.make([
      { id: "g", collaboratorId: "ada", link, terms: { tiers: { counted, bands } } },
    ])
    const sales = orders.map(([quantity, amount], place) => ({
      ...{ id: `${place}`, currency: "USD" },
      items: [{ id: "1", product: { id: "p" }, quantity, amount }],
    }))
    const tally = Counters.tally()
    return [...CountedSplit.orders(rules, sales, tally, SplitPolicy.defaults)].map((split) =>
      BigInt(Result.getOrThrow(split).shares[0]?.amount ?? 0),
    )
  }

  const halfUp = (exact: bigint) => (2n * exact + whole) / (2n * whole)

  test("by units, each order pays what the bands give for it, rounded once", () => {
    fc.assert(
      fc.property(bandsOf, price, cuts, (bands, each, units) => {
        const amounts = paid(
          bands,
          "units",
          units.map((quantity) => [quantity, quantity * each]),
        )
        let count = 0n
        for (const [place, quantity] of units.entries()) {
          const before = earnedUpTo(bands, count, BigInt(each))
          count += BigInt(quantity)
          expect(amounts[place]).toBe(halfUp(earnedUpTo(bands, count, BigInt(each)) - before))
        }
        const all = amounts.reduce((total, amount) => total + amount, 0n)
        const off = 2n * (all * whole - earnedUpTo(bands, count, BigInt(each)))
        expect(off <= whole * BigInt(units.length) && off >= -whole * BigInt(units.length)).toBe(
          true,
        )
      }),
      runs(300),
    )
  })

  test("by money, the same", () => {
    fc.assert(
      fc.property(bandsOf, fc.constantFrom(1, 97, 2 ** 44), cuts, (bands, scale, lines) => {
        const scaled = bands.map(({ from, percent }) => ({ from: from * scale, percent }))
        const amounts = paid(
          scaled,
          "base",
          lines.map((line) => [1, line * scale]),
        )
        let count = 0n
        for (const [place, line] of lines.entries()) {
          const before = earnedUpTo(scaled, count, 1n)
          count += BigInt(line * scale)
          expect(amounts[place]).toBe(halfUp(earnedUpTo(scaled, count, 1n) - before))
        }
      }),
      runs(300),
    )
  })
})
