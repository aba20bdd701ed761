import { Adjustment, type Order, Refund, RuleSet, Split, SplitPolicy } from "apportion"
import { type RecordedRefund, soldBySale } from "apportion/ports"
import { Arbitraries } from "apportion/testing"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { runs } from "../generators/Runs.js"

const rules = (percent: number, more: ReadonlyArray<RuleSet.RuleSet["groups"][number]> = []) => ({
  groups: [
    ...RuleSet.make([{ id: "a", collaboratorId: "ada", link: { type: "products.all" }, percent }])
      .groups,
    ...more,
  ],
})

const order: Order.Order = {
  ...{ id: "1001", currency: "USD" },
  items: [{ id: "1", product: { id: "p1" }, quantity: 3, amount: 1_000 }],
}

const refund = (rest: Partial<Refund.Refund>): Refund.Refund => ({
  ...{ orderId: "1001", itemId: "1", refundedAt: 1 },
  ...rest,
})

const adjusted = (recorded: Adjustment.RecordedSplit, next: Split.Split) => {
  const adjustment = Result.getOrThrow(Adjustment.between(recorded, next))
  return adjustment === null
    ? recorded
    : { ...recorded, adjustments: [...recorded.adjustments, adjustment] }
}

const recordedAt = (percent: number, of = order): Adjustment.RecordedSplit => ({
  split: Split.order(rules(percent), of),
  ...{ refunds: [], adjustments: [] },
})

const keptOf = (recorded: Adjustment.RecordedSplit) =>
  Result.getOrThrow(Adjustment.kept(recorded)).map((one) => [one.collaboratorId, one.amount])

describe("an adjustment", () => {
  it("is the difference between the recorded split and the new one, and the store has the opposite", () => {
    const recorded = recordedAt(25)
    const next = Split.order(rules(30), order)
    const adjustment = Result.getOrThrow(Adjustment.between(recorded, next))
    expect(adjustment).toEqual({
      ...{ orderId: "1001", currency: "USD", split: next, refunds: 0 },
      shares: [
        {
          ...{ itemId: "1", groupId: "a", collaboratorId: "ada" },
          ...{ amount: 50, shippingAmount: 0, before: 250, after: 300 },
        },
      ],
      items: [{ itemId: "1", store: -50, distributable: 0, shipping: 0 }],
    })
  })

  it("is none where the new split gives the same", () => {
    const same = Adjustment.between(recordedAt(25), Split.order(rules(25), order))
    expect(Result.getOrThrow(same)).toBeNull()
  })

  it("is of what was not refunded only, to the cent that a refund of the new split would leave", () => {
    const recorded = { ...recordedAt(25), refunds: [refund({ quantity: 1 })] }
    const after = adjusted(recorded, Split.order(rules(30), order))
    expect(keptOf(recorded)).toEqual([
      ["ada", 167],
      [null, 500],
    ])
    expect(keptOf(after)).toEqual([
      ["ada", 200],
      [null, 467],
    ])
  })

  it("is to what is in force, the recorded split and all adjustments before", () => {
    const once = adjusted(recordedAt(25), Split.order(rules(30), order))
    const twice = adjusted(once, Split.order(rules(10), order))
    expect(
      twice.adjustments.at(-1)?.shares.map(({ before, after, amount }) => [before, after, amount]),
    ).toEqual([[300, 100, -200]])
    expect(Adjustment.inForce(twice)).toEqual(Split.order(rules(10), order))
    expect(keptOf(twice)).toEqual(keptOf(recordedAt(10)))
  })

  it("takes away all of a share whose group does not count any more, and gives all of a new one", () => {
    const next = Split.order(
      RuleSet.make([{ id: "b", collaboratorId: "ben", link: { type: "products.all" }, amount: 7 }]),
      order,
    )
    const { adjustments } = adjusted(recordedAt(25), next)
    expect(adjustments[0]?.shares.map((share) => [share.collaboratorId, share.amount])).toEqual([
      ["ada", -250],
      ["ben", 21],
    ])
    expect(adjustments[0]?.items[0]?.store).toBe(229)
  })

  it("goes back in its own proportion with each refund, and wholly with the last", () => {
    const recorded = adjusted(
      { ...recordedAt(25), refunds: [refund({ quantity: 1 })] },
      Split.order(rules(30), order),
    )
    const [adjustment] = recorded.adjustments
    if (adjustment === undefined) throw new TypeError("there is no adjustment")
    const unit = refund({ quantity: 1 })
    const first = Result.getOrThrow(Adjustment.reverse(recorded, adjustment, unit))
    const later = { ...recorded, refunds: [...recorded.refunds, unit] }
    const last = Result.getOrThrow(
      Adjustment.reverse(later, adjustment, refund({ remaining: true })),
    )
    expect([first, last].map(({ shares, store }) => [shares[0]?.amount, store])).toEqual([
      [17, -17],
      [16, -16],
    ])
  })

  it("of tax that is shared from now on has more to give than came in before", () => {
    const taxed = { ...order, items: order.items.map((item) => ({ ...item, taxTotal: 190 })) }
    const recorded = recordedAt(50, taxed)
    const policy = SplitPolicy.make({ tax: "share" })
    const next = Split.order(rules(50), taxed, policy)
    const adjustment = Result.getOrThrow(Adjustment.between(recorded, next))
    expect(adjustment?.items).toEqual([{ itemId: "1", store: 95, distributable: 190, shipping: 0 }])
    expect(adjustment?.shares[0]?.amount).toBe(95)
  })

  it("is refused for a split of something else", () => {
    const others = [
      { ...order, id: "1002" },
      { ...order, currency: "EUR" },
      { ...order, items: order.items.map((item) => ({ ...item, quantity: 2 })) },
      { ...order, items: [] },
    ]
    for (const other of others) {
      const result = Adjustment.between(recordedAt(25), Split.order(rules(25), other))
      const failure = Result.isFailure(result) ? result.failure : undefined
      expect(failure?._tag).toBe("SplitOfOtherSale")
      expect(failure?.message).toContain("1001")
    }
  })
})

// A past of a sale: refunds, and re-splits by other percentages, in any order.

const sold = Arbitraries.splitSale().filter(({ split }) => split.items.length > 0)

const past = sold.chain(({ rules: known, order: of, policy, split }) =>
  fc.record({
    split: fc.constant(split),
    refunds: Arbitraries.refundsOf(split, { maxLength: 5 }),
    nexts: fc.array(
      fc
        .tuple(
          fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 5 }),
          fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        )
        .map(([percents, stays]) => {
          const groups = known.groups
            .filter((_, index) => stays[index % stays.length])
            .map((group, index) => ({
              ...group,
              percent:
                group.percent === null
                  ? null
                  : ((percents[index % percents.length] ?? 0) / 100).toFixed(2),
            }))
          return Split.order(RuleSet.make(groups), of, policy)
        }),
      { minLength: 1, maxLength: 3 },
    ),
    order: fc.array(fc.nat({ max: 5 }), { minLength: 3, maxLength: 3 }),
  }),
)

const wholes = (recorded: Adjustment.RecordedSplit) => {
  const all = new Map<string, number>()
  for (const { itemId, groupId, collaboratorId, amount } of Result.getOrThrow(
    Adjustment.kept(recorded),
  )) {
    all.set(JSON.stringify([itemId, groupId, collaboratorId]), amount)
  }
  return all
}

/** What a split would have left after refunds, by refunds of that split alone: not by adjustments. */
const leftBy = (split: Split.Split, refunds: ReadonlyArray<Refund.Refund>) => {
  const all = new Map<string, number>()
  const add = (key: ReadonlyArray<string | null>, amount: number) => {
    const name = JSON.stringify(key)
    all.set(name, (all.get(name) ?? 0) + amount)
  }
  for (const share of split.shares) {
    add([share.itemId, share.groupId, share.collaboratorId], share.amount)
  }
  for (const { itemId, amount } of split.store) add([itemId, null, null], amount)
  refunds.forEach((one, index) => {
    const earlier = refunds.slice(0, index)
    const { shares, store } = Result.getOrThrow(Refund.reverse(split, one, { earlier }))
    for (const share of shares) {
      add([one.itemId, share.groupId, share.collaboratorId], -share.amount)
    }
    add([one.itemId, null, null], -store)
  })
  return all
}

/** By whom each has something, without those who have nothing. */
const byOwner = (all: ReadonlyArray<readonly [owner: string | null, amount: bigint]>) => {
  const sums = new Map<string | null, bigint>()
  for (const [owner, amount] of all) sums.set(owner, (sums.get(owner) ?? 0n) + amount)
  return new Map([...sums].filter(([, amount]) => amount !== 0n))
}

const total = (amounts: Iterable<number>) => [...amounts].reduce((sum, amount) => sum + amount, 0)

const reached = { adjusted: 0, adjustedAfterRefund: 0, refundedAfter: 0, twice: 0, fully: 0 }

const check = (given: typeof past extends fc.Arbitrary<infer A> ? A : never): void => {
  const { split, refunds, nexts, order: places } = given
  let recorded: Adjustment.RecordedSplit = { split, refunds: [], adjustments: [] }
  const reversed: Array<RecordedRefund> = []
  /** What is added up as it happens is what everybody has. */
  const checkSums = (): void => {
    const adjustments = recorded.adjustments.map((adjustment) => ({
      ...{ runId: "run", adjustment, groups: [], recordedAt: 1 },
      order: { id: split.orderId, currency: split.currency, items: [] },
    }))
    const sums = soldBySale({ split, refunds: reversed, adjustments })
    const kept = Result.getOrThrow(Adjustment.kept(recorded))
    expect(byOwner(sums.map((one) => [one.collaboratorId, one.amount]))).toEqual(
      byOwner(kept.map((one) => [one.collaboratorId, BigInt(one.amount)])),
    )
  }
  const resplit = (next: Split.Split): void => {
    const before = recorded
    recorded = adjusted(recorded, next)
    const again = Adjustment.between(recorded, next)
    expect(Result.getOrThrow(again)).toBeNull()
    const made = recorded.adjustments.at(-1)
    if (recorded === before || made === undefined) return
    reached.adjusted += 1
    if (recorded.refunds.length > 0) reached.adjustedAfterRefund += 1
    if (recorded.adjustments.length > 1) reached.twice += 1
    for (const { itemId, store, distributable } of made.items) {
      const shares = made.shares.filter((share) => share.itemId === itemId)
      expect(total(shares.map(({ amount }) => amount)) + store).toBe(distributable)
    }
    const [kept, wanted] = [wholes(recorded), leftBy(next, recorded.refunds)]
    for (const { itemId, groupId, collaboratorId } of made.shares) {
      const key = JSON.stringify([itemId, groupId, collaboratorId])
      expect(kept.get(key) ?? 0).toBe(wanted.get(key) ?? 0)
    }
    // The first one is to the recorded split, so that everything is as if it had been the new one all along.
    if (recorded.adjustments.length > 1) return
    for (const [key, amount] of wanted) {
      const isAdjusted = made.shares.length === next.shares.length
      if (isAdjusted) expect(kept.get(key) ?? 0).toBe(amount)
    }
  }
  const takeBack = (one: Refund.Refund): void => {
    const before = wholes(recorded)
    const earlier = recorded.refunds
    const taken = Result.getOrThrow(Refund.reverse(split, one, { earlier }))
    const others = recorded.adjustments.map((adjustment) =>
      Result.getOrThrow(Adjustment.reverse(recorded, adjustment, one)),
    )
    if (others.some(({ shares }) => shares.some(({ amount }) => amount !== 0))) {
      reached.refundedAfter += 1
    }
    recorded = { ...recorded, refunds: [...earlier, one] }
    const adjusted = others.map((other) => ({ ...other, runId: "run" }))
    reversed.push({ id: "", refund: one, recordedAt: 1, reversal: taken, adjusted })
    const after = wholes(recorded)
    const gone = new Map<string, number>()
    for (const { shares, store } of [taken, ...others]) {
      const parts = [...shares, { groupId: null, collaboratorId: null, amount: store }]
      for (const { groupId, collaboratorId, amount } of parts) {
        const key = JSON.stringify([one.itemId, groupId, collaboratorId])
        gone.set(key, (gone.get(key) ?? 0) + amount)
      }
    }
    for (const [key, amount] of before) {
      expect((after.get(key) ?? 0) + (gone.get(key) ?? 0)).toBe(amount)
    }
    for (const [index, { shares }] of recorded.adjustments.entries()) {
      for (const share of shares.filter(({ itemId }) => itemId === one.itemId)) {
        const back = others[index]?.shares.find(
          (each) => each.groupId === share.groupId && each.collaboratorId === share.collaboratorId,
        )
        expect(Math.abs(back?.amount ?? 0)).toBeLessThanOrEqual(Math.abs(share.amount))
        expect((back?.amount ?? 0) * share.amount).toBeGreaterThanOrEqual(0)
      }
    }
  }
  for (let step = 0; step <= refunds.length; step += 1) {
    nexts.forEach((next, index) => {
      if ((places[index] ?? 0) % (refunds.length + 1) === step) resplit(next)
    })
    const one = refunds[step]
    if (one !== undefined) takeBack(one)
    checkSums()
  }
  for (const { itemId } of split.items) {
    const rest = refund({ orderId: split.orderId, itemId, remaining: true })
    if (Result.isSuccess(Refund.reverse(split, rest, { earlier: recorded.refunds }))) takeBack(rest)
  }
  expect([...wholes(recorded).values()].every((amount) => amount === 0)).toBe(true)
  reached.fully += 1
}

test("whatever is refunded and split again, everybody has what the rules in force leave them, and nobody anything of what went back", () => {
  fc.assert(fc.property(past, check), runs(500, 100))
  for (const [what, count] of Object.entries(reached)) expect(count, what).toBeGreaterThan(20)
})

describe("a sale that should have been recorded in several parts", () => {
  const piece = fc.record({ units: fc.integer({ min: 1, max: 4 }), back: fc.nat(4) })
  const sale = fc.record({
    percent: fc.integer({ min: 0, max: 60 }),
    price: fc.integer({ min: 1, max: 999 }),
    pieces: fc.array(piece, { minLength: 1, maxLength: 4 }),
    shipping: fc.array(fc.nat(700), { minLength: 4, maxLength: 4 }),
  })
  const of = (quantity: number, price: number, shippingAmount: number): Order.Order => ({
    ...{ id: "1001", currency: "USD", shippingAmount },
    items: [
      { id: "1", product: { id: "p1" }, quantity, amount: quantity * price },
      { id: "2", product: { id: "p2" }, quantity: 1, amount: price },
    ],
  })
  const policy = SplitPolicy.make({ shipping: "share" })
  const unitsBack = (quantity: number) => (quantity === 0 ? [] : [refund({ quantity })])
  const perParty = (all: ReadonlyArray<Adjustment.RecordedSplit>) => {
    const totals = new Map<string, number>()
    for (const kept of all.flatMap((one) => Result.getOrThrow(Adjustment.kept(one)))) {
      const key = `${kept.itemId} ${kept.collaboratorId}`
      totals.set(key, (totals.get(key) ?? 0) + kept.amount)
    }
    return new Map([...totals].filter(([, amount]) => amount !== 0))
  }

  test("gives everybody what they would have of the parts, whatever was refunded of each", () => {
    const seen = { differing: 0, refunded: 0 }
    fc.assert(
      fc.property(sale, ({ percent, price, pieces, shipping }) => {
        const parts = pieces.map(({ units, back }, index) => {
          const split = Split.order(rules(percent), of(units, price, shipping[index] ?? 0), policy)
          return { split, refunds: unitsBack(Math.min(units, back)), adjustments: [] }
        })
        const units = pieces.reduce((sum, one) => sum + one.units, 0)
        const back = pieces.reduce((sum, one) => sum + Math.min(one.units, one.back), 0)
        const whole = of(units, price, 0)
        const items = whole.items.map((item) =>
          item.id === "1"
            ? item
            : { ...item, quantity: parts.length, amount: price * parts.length },
        )
        const shippingAmount = pieces.reduce((sum, _, index) => sum + (shipping[index] ?? 0), 0)
        const split = Split.order(rules(percent), { ...whole, items, shippingAmount }, policy)
        const recorded = { split, refunds: unitsBack(back), adjustments: [] }
        const adjustment = Result.getOrThrow(Adjustment.betweenParts(recorded, parts))
        const adjustments = adjustment === null ? [] : [adjustment]
        expect(perParty([{ ...recorded, adjustments }])).toEqual(perParty(parts))
        if (adjustment !== null) seen.differing += 1
        if (back > 0 && back < units) seen.refunded += 1
      }),
      runs(200, 40),
    )
    expect(seen.differing).toBeGreaterThan(5)
    expect(seen.refunded).toBeGreaterThan(5)
  })

  it("is refused where what a share has of all parts is no safe integer, and never told inexactly", () => {
    const most = Number.MAX_SAFE_INTEGER
    const link = { type: "products.all" } as const
    const paying = RuleSet.make([{ id: "a", collaboratorId: "ada", link, amount: most }])
    const flat = SplitPolicy.make({ flatScope: "item", overAllocation: "allow" })
    const splitOf = (quantity: number) => Split.order(paying, of(quantity, 1, 0), flat)
    const whole = { split: splitOf(2), refunds: [], adjustments: [] }
    const part = { ...whole, split: splitOf(1) }
    const result = Adjustment.betweenParts(whole, [part, part])
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "AmountOutOfRange",
      value: "18014398509481982",
    })
  })

  it("is exact where amounts of parts add up on the way to more than a safe integer", () => {
    const most = Number.MAX_SAFE_INTEGER
    const splitOf = (quantity: number, amount: number) => {
      const item = { id: "1", product: { id: "p1" }, quantity, amount }
      return Split.order(rules(50), { id: "1001", currency: "USD", items: [item] })
    }
    const recorded = { split: splitOf(3, 2), refunds: [], adjustments: [] }
    const parts = [most, 2, -most].map((amount) => ({ ...recorded, split: splitOf(1, amount) }))
    expect(Result.getOrThrow(Adjustment.betweenParts(recorded, parts))).toBeNull()
  })

  it("is refused where the parts are not all of it", () => {
    const whole = recordedAt(25)
    const part = recordedAt(25, {
      ...order,
      items: order.items.map((item) => ({ ...item, quantity: 1 })),
    })
    const result = Adjustment.betweenParts(whole, [part])
    expect(Result.isFailure(result) && result.failure._tag).toBe("SplitOfOtherSale")
  })
})
