import { ProductGroup, SplitPolicy } from "apportion"
import { describe, expect, test } from "vitest"
import * as terms from "../../../src/analysis/internal/terms.js"

const whole = (changes: Partial<ProductGroup.GroupInput>): ProductGroup.GroupInput => ({
  id: "g",
  collaboratorId: "ada",
  link: { type: "products.all" },
  ...changes,
})

const termsOf = (
  changes: Partial<ProductGroup.GroupInput>,
  policy: Partial<SplitPolicy.SplitPolicy> = {},
) => terms.termsOf(ProductGroup.make(whole(changes)), SplitPolicy.make(policy))

const blog = { type: "referer", values: ["blog"] } as const
const none = Number.POSITIVE_INFINITY

describe("a group's terms", () => {
  test("say nothing of shipping where the store keeps it", () => {
    const group = { percent: 10, amount: 5, shippingPercent: 3, shippingAmount: 2 }
    const plain = { basisPoints: 1_000, flat: 5, isDeducting: false, least: 0, most: none }
    const unpaid = { ...plain, shippingBasisPoints: 0, shippingFlat: 0 }
    expect(termsOf(group)).toEqual({ ...unpaid, isServed: false })
    expect(termsOf(group, { shipping: "all" })).toEqual({ ...unpaid, isServed: true })
    for (const shipping of ["share", "charge"] as const) {
      expect(termsOf(group, { shipping })).toEqual({
        ...plain,
        shippingBasisPoints: 300,
        shippingFlat: 2,
        isServed: false,
      })
    }
  })

  test("are the percentage of the goods where none of the shipping is said", () => {
    expect(termsOf({ percent: 10 }, { shipping: "share" }).shippingBasisPoints).toBe(1_000)
    expect(
      termsOf({ percent: 10, shippingPercent: 0 }, { shipping: "share" }).shippingBasisPoints,
    ).toBe(0)
  })

  test("pay an amount for shipping beside one for goods only", () => {
    expect(termsOf({ percent: 1, shippingAmount: 2 }, { shipping: "share" }).shippingFlat).toBe(0)
    expect(termsOf({ amount: 0, shippingAmount: 2 }, { shipping: "share" }).shippingFlat).toBe(2)
  })

  test("are deducted for referers only", () => {
    expect(termsOf({ percent: 1, condition: blog, deductForOtherSplits: true }).isDeducting).toBe(
      true,
    )
    expect(termsOf({ percent: 1, condition: blog }).isDeducting).toBe(false)
    // No group says so of another condition; if one did, it would not be deducted in a split either.
    const always = ProductGroup.make(whole({ percent: 1 }))
    for (const condition of [null, { ...blog, type: "order.tag", modifier: "WITH" }] as const) {
      const forged = { ...always, condition, deductForOtherSplits: true }
      expect(terms.termsOf(forged, SplitPolicy.make()).isDeducting).toBe(false)
    }
  })
})

describe("a part of the shipping, where all of it is given away, is for whoever is paid anything:", () => {
  test.each([
    [{ percent: 1 }, true],
    [{ percent: 0, shippingPercent: 1 }, true],
    [{ amount: 1 }, true],
    [{ amount: 0, shippingAmount: 1 }, true],
    [{ percent: 0, shippingPercent: 0, amount: 0, shippingAmount: 0 }, false],
    [{ percent: 0 }, false],
    [{ amount: 0 }, false],
  ] as const)("%j: %s", (group, isServed) => {
    expect(termsOf(group, { shipping: "all" }).isServed).toBe(isServed)
  })
})

describe("terms come to the same", () => {
  const keyOf = (...given: Parameters<typeof termsOf>) => terms.keyOf(termsOf(...given))

  test("when nothing is paid on them", () => {
    expect(keyOf({ percent: 0 })).toBe(terms.nothing)
    expect(keyOf({ amount: 5, maxAmount: 0 })).toBe(terms.nothing)
    expect(keyOf({ percent: 0, shippingPercent: 5 })).toBe(terms.nothing)
    expect(keyOf({ percent: 0, minAmount: 5 })).toBe(terms.nothing)
    // It counts against the others' all the same.
    expect(keyOf({ percent: 5, maxAmount: 0 })).not.toBe(terms.nothing)
  })

  test("when limits are of nothing but shipping", () => {
    const shipped = { percent: 0, shippingPercent: 5 }
    const share = { shipping: "share" } as const
    expect(keyOf({ ...shipped, minAmount: 7, maxAmount: 9 }, share)).toBe(keyOf(shipped, share))
    expect(keyOf(shipped, share)).not.toBe(terms.nothing)
    const amount = { amount: 5, shippingPercent: 5 }
    expect(keyOf({ ...amount, maxAmount: 0 }, share)).toBe(keyOf(shipped, share))
    expect(keyOf({ ...amount, maxAmount: 0 }, share)).not.toBe(keyOf(amount, share))
  })

  test("not when any figure is another", () => {
    const share = { shipping: "share" } as const
    const keys = [
      keyOf({ percent: 10 }),
      keyOf({ percent: 11 }),
      keyOf({ percent: 10, amount: 1 }),
      keyOf({ percent: 10.01, amount: 0 }),
      keyOf({ percent: 1, amount: 10 }),
      keyOf({ percent: 10, minAmount: 1 }),
      keyOf({ percent: 10, maxAmount: 1 }),
      keyOf({ percent: 10, condition: blog, deductForOtherSplits: true }),
      keyOf({ percent: 10 }, share),
      keyOf({ percent: 10, shippingPercent: 1 }, share),
      keyOf({ percent: 10, shippingPercent: 1, amount: 1, shippingAmount: 1 }, share),
      keyOf({ percent: 10, shippingPercent: 1, amount: 1, shippingAmount: 11 }, share),
      keyOf({ percent: 10 }, { shipping: "all" }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test("being charged is not being paid", () => {
  const of = (
    group: Partial<ProductGroup.GroupInput>,
    shipping: SplitPolicy.SplitPolicy["shipping"],
  ) => {
    const made = termsOf(group, { shipping })
    return [terms.areOfUse(made, SplitPolicy.make({ shipping })), terms.payAnything(made)]
  }
  const shipped = { percent: 0, shippingPercent: 5 }
  expect(of(shipped, "charge")).toEqual([false, true])
  expect(of(shipped, "share")).toEqual([true, true])
  expect(of(shipped, "store")).toEqual([false, false])
  expect(of({ percent: 5 }, "charge")).toEqual([true, true])
  expect(of({ percent: 5, maxAmount: 0 }, "store")).toEqual([false, false])
  expect(of({ amount: 5, maxAmount: 1 }, "store")).toEqual([true, true])
  expect(of({ amount: 1, shippingAmount: 5, maxAmount: 0 }, "share")).toEqual([true, true])
})

test("who is charged more for the shipping of a unit than a unit pays is never paid", () => {
  const isPaid = (group: Partial<ProductGroup.GroupInput>) =>
    terms.areOfUse(termsOf(group, { shipping: "charge" }), SplitPolicy.make({ shipping: "charge" }))
  expect([4, 5, 6].map((amount) => isPaid({ amount, shippingAmount: 5 }))).toEqual([
    false,
    false,
    true,
  ])
  expect(isPaid({ amount: 1, minAmount: 6, shippingAmount: 5 })).toBe(true)
  expect(isPaid({ amount: 9, maxAmount: 5, shippingAmount: 5 })).toBe(false)
  expect(isPaid({ amount: 0, percent: 1, shippingAmount: 5 })).toBe(true)
  expect(isPaid({ amount: 0, percent: 1, maxAmount: 5, shippingAmount: 5 })).toBe(false)
})
