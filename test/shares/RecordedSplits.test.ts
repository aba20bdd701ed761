/** A recorded split that somebody put together by hand, or that a storage damaged, is refused by name. */
import {
  Adjustment,
  CarriedSplit,
  CountedRules,
  CountedSplit,
  Refund,
  RuleSet,
  Split,
  SplitPolicy,
} from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const throwing = (): never => {
  throw new RangeError("not here")
}
const proxy = new Proxy({}, { get: throwing, ownKeys: throwing })
const values: ReadonlyArray<unknown> = [
  ...[null, undefined, Number.NaN, 1.5, 2 ** 53, 10n, Symbol("s"), "text", {}, [], [null], proxy],
]

const order = {
  ...{ id: "1", currency: "USD", createdAt: 5 },
  items: [{ id: "1", product: { id: "p" }, quantity: 2, amount: 1_000 }],
}
const group = { id: "g", collaboratorId: "ada", link: { type: "products.all" } } as const
const bands = [
  { from: 0, percent: 10 },
  { from: 50, percent: 20 },
]
const terms = { tiers: { counted: "share", bands }, cap: { amount: 500, period: "month" } } as const
const counted = CountedSplit.order(CountedRules.make([{ ...group, terms }]), order)
const carry: SplitPolicy.SplitPolicy = { ...SplitPolicy.defaults, rounding: "carry" }
const plain = RuleSet.make([{ ...group, percent: "3.33" }])
const carried = Result.getOrThrow(CarriedSplit.order(plain, order, carry))
const refund = { orderId: "1", itemId: "1", quantity: 1, refundedAt: 1 }
const recorded = { split: Split.order(plain, order), refunds: [refund], adjustments: [] }
const more = Split.order(RuleSet.make([{ ...group, percent: 20 }]), order)
const adjustment = Result.getOrThrow(Adjustment.between(recorded, more))

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** A value with another in one of its places, for each of its places. */
function* planted(value: unknown, other: unknown): Generator<unknown> {
  yield other
  if (isList(value)) {
    for (const [place, one] of value.entries()) {
      for (const each of planted(one, other)) yield value.with(place, each)
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      for (const each of planted(one, other)) yield { ...value, [name]: each }
    }
  }
}

/** What the calls come to that neither answer nor refuse by name. */
const bareErrors = (
  call: (...taken: ReadonlyArray<never>) => unknown,
  taken: ReadonlyArray<unknown>,
): ReadonlyArray<string> => {
  const bare: Array<string> = []
  for (const value of values) {
    for (const each of planted(taken, value)) {
      try {
        if (isList(each)) Reflect.apply(call, undefined, each)
      } catch (error) {
        bare.push(String(error))
      }
    }
  }
  return bare
}

describe("refunds of what was never recorded are refused by name", () => {
  test.each([
    ["of a split", Refund.reverse, [counted.split, refund, { earlier: [refund] }]],
    [
      "of one that counts",
      CountedSplit.refund,
      [counted.split, refund, { earlier: [], counters: counted.counters }],
    ],
    [
      "of one that carries",
      (...taken: ReadonlyArray<never>) =>
        Reflect.apply(
          CarriedSplit.RunningRemainders.prototype.refund,
          new CarriedSplit.RunningRemainders(),
          taken,
        ),
      [carried.split, refund, { earlier: [] }],
    ],
    ["of an adjustment", Adjustment.reverse, [recorded, adjustment, refund]],
  ])("%s", (_, call, taken) => {
    expect(bareErrors(call, taken)).toEqual([])
  })

  test("of lists with billions of places, at once", () => {
    const started = performance.now()
    for (const name of ["items", "shares", "store"]) {
      const split = { ...counted.split, [name]: new Array(4_294_967_295) }
      const refused = Reflect.apply(Refund.reverse, undefined, [split, refund])
      expect(Result.isFailure(refused) && refused.failure).toMatchObject({ _tag: "InvalidRefund" })
      const given = { ...recorded, split }
      const again = Reflect.apply(Adjustment.reverse, undefined, [given, adjustment, refund])
      expect(Result.isFailure(again) && again.failure).toMatchObject({ _tag: "InvalidRefund" })
    }
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  test("with the field, and why", () => {
    const [share] = counted.split.shares
    const broken = { ...counted.split, shares: [{ ...share, amount: 1.5 }] }
    const refused = Reflect.apply(Refund.reverse, undefined, [broken, refund])
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({
      ...{ _tag: "InvalidRefund", problems: [{ path: "split" }] },
      message: expect.stringContaining("is no split that was recorded"),
    })
    const options = Reflect.apply(Refund.reverse, undefined, [
      counted.split,
      refund,
      { earlier: 5 },
    ])
    expect(Result.isFailure(options) && options.failure).toMatchObject({
      message: "earlier: must be a list of refunds, got 5",
    })
  })
  test("of an adjustment with each of its fields", () => {
    const broken = {
      ...adjustment,
      refunds: -1,
      shares: [{ ...adjustment?.shares[0], amount: "7" }],
    }
    const refused = Reflect.apply(Adjustment.reverse, undefined, [recorded, broken, refund])
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({
      _tag: "InvalidRefund",
      problems: [{ path: "adjustment.refunds" }, { path: "adjustment.shares[0].amount" }],
    })
  })
})
