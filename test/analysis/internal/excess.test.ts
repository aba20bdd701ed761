/** In which ways too much can be claimed, and on which sales that is looked for. */
import { type Analysis, type Product, ProductGroup, type SplitPolicy } from "apportion"
import { describe, expect, test } from "vitest"
import { Budget, finish } from "../../../src/analysis/internal/Budget.js"
import { Claims } from "../../../src/analysis/internal/Claims.js"
import { type Excess, excessesOf } from "../../../src/analysis/internal/excess.js"
import { always, Values } from "../../../src/analysis/internal/Predicate.js"
import { settingOf } from "../../../src/analysis/internal/ResolvedOptions.js"
import { termsOf } from "../../../src/analysis/internal/terms.js"

type Money = Partial<ProductGroup.GroupInput>

const blog = { type: "referer", values: ["blog"] } as const
const deducting = { condition: blog, deductForOtherSplits: true }

interface Asked extends Pick<Analysis.Options, "mostDiscount" | "mostTax"> {
  readonly policy?: Partial<SplitPolicy.SplitPolicy>
  readonly product?: Omit<Product.Product, "id">
}

/** Of groups that each are somebody else's, and that apply to everything. */
const excesses = (groups: ReadonlyArray<Money>, asked: Asked = {}): ReadonlyArray<Excess> => {
  const { product, ...options } = asked
  const setting = settingOf(options)
  const candidates = groups.map((money, index) => {
    const group = ProductGroup.make({
      id: `g${index}`,
      collaboratorId: `c${index}`,
      link: { type: "products.all" },
      ...money,
    })
    return {
      predicate: always,
      terms: termsOf(group, setting.policy),
      collaborator: index,
      members: [],
    }
  })
  const known = product === undefined ? undefined : { id: "p", ...product }
  return excessesOf(candidates, known, setting)
}

const claimedOf = ({ claimants }: Excess) => claimants.map(({ claimed }) => claimed)
const summary = (list: ReadonlyArray<Excess>) =>
  list.map((each) => [each.limit, ...claimedOf(each)])

describe("of products that are not known, percentages are asked:", () => {
  const groups = [{ percent: 60, ...deducting }, { percent: 50 }, { percent: 70, maxAmount: 0 }]
  const stages = [
    [10_000, 6_000, 0, 0],
    [10_000, 0, 5_000, 7_000],
  ]

  test("those that are deducted, and those of what is left", () => {
    expect(summary(excesses(groups))).toEqual(stages)
    expect(summary(excesses(groups, { mostDiscount: 50 }))).toEqual(stages)
    const ignored = { discount: "ignore" } as const
    expect(summary(excesses(groups, { policy: ignored, mostDiscount: 0 }))).toEqual(stages)
  })

  test("those that are paid on what the buyer did not pay, where a maximum leaves anything", () => {
    const ignored = { discount: "ignore", tax: "keep" } as const
    const onDiscount = (left: number) => [...stages, [left, 6_000, 5_000, 0]]
    const asked = { policy: ignored, mostDiscount: 20 }
    expect(summary(excesses(groups, asked))).toEqual(onDiscount(8_000))
    expect(summary(excesses(groups, { policy: ignored }))).toEqual(onDiscount(0))
  })

  test("and of less where tax is taken out as well, of any where none is said", () => {
    const policy = { discount: "ignore" } as const
    const left = (more: Asked) => excesses(groups, { policy, mostDiscount: 10, ...more })[2]?.limit
    expect(left({})).toBe(0)
    expect(left({ mostTax: 0 })).toBe(9_000)
    // Of 100 less 10 there are 15 of tax: 75 of 85.
    expect(left({ mostTax: 20 })).toBe(8_823)
    for (const tax of ["keep", "share"] as const) {
      expect(left({ policy: { ...policy, tax }, mostTax: 20 })).toBe(9_000)
    }
  })

  test("those of the shipping, where it is shared", () => {
    const shipped = [{ percent: 10, shippingPercent: 60 }, { percent: 50 }]
    const [, , ofShipping, ...others] = excesses(shipped, { policy: { shipping: "share" } })
    expect(others).toEqual([])
    expect(ofShipping?.limit).toBe(10_000)
    expect(ofShipping === undefined ? [] : claimedOf(ofShipping)).toEqual([6_000, 5_000])
    expect(ofShipping?.figures()).toEqual([
      { amount: 0, shippingAmount: 10_000 },
      { amount: 0, shippingAmount: 1_000_000_000 },
    ])
    for (const shipping of ["store", "charge", "all"] as const) {
      expect(excesses(shipped, { policy: { shipping } })).toHaveLength(2)
    }
  })
})

describe("percentages are asked of", () => {
  const figuresOf = (groups: ReadonlyArray<Money>, asked?: Asked) =>
    excesses(groups, asked).map(({ figures }) => figures())
  const large = [10_000, 1_000_000, 10_000_000_000, 100_000_000_000_000]
  const amounts = (list: ReadonlyArray<number>) => list.map((amount) => ({ amount }))

  test("large amounts, beside which flat ones don't matter", () => {
    const stage = amounts(large)
    expect(figuresOf([{ percent: 60 }, { amount: 500 }])).toEqual([stage, stage])
    expect(figuresOf([{ percent: 60 }], { mostDiscount: 50 })).toEqual([stage, stage])
  })

  test("amounts with a discount, where shares are paid on it", () => {
    const ignored = { policy: { discount: "ignore", tax: "keep" }, mostDiscount: 25 } as const
    const sale = (amount: number) => ({ amount, discount: amount / 4, tax: 0 })
    expect(figuresOf([{ percent: 60 }], ignored)[2]).toEqual(large.map(sale))
  })

  test("ordinary discounts and taxes before the largest ones", () => {
    const ignored = { policy: { discount: "ignore" } } as const
    const rates = (asked: Asked) =>
      figuresOf([{ percent: 60 }], asked)[2]
        ?.filter(({ amount }) => amount === 10_000)
        .map(({ discount, tax }) => [discount, tax])
    expect(rates({ ...ignored, mostDiscount: 10, mostTax: 20 })).toEqual([
      [1_000, 0],
      [1_000, 428],
      [1_000, 1_500],
    ])
    expect(rates({ ...ignored, mostDiscount: 10 })?.at(-1)).toEqual([1_000, 9_000])
    expect(rates({ ...ignored, mostTax: 0 })?.slice(0, 5)).toEqual(
      [1_000, 2_000, 5_000, 9_000, 10_000].map((discount) => [discount, 0]),
    )
  })

  test("amounts at which one maximum or another does not count yet, where discounts are paid on", () => {
    const ignored = { policy: { discount: "ignore", tax: "keep" }, mostDiscount: 50 } as const
    const small = (...groups: ReadonlyArray<Money>) =>
      figuresOf(groups, ignored)[2]
        ?.slice(large.length)
        .map(({ amount }) => amount)
    const groups = [
      { percent: 50, maxAmount: 501 },
      { percent: 30, maxAmount: 400 },
      { percent: 9 },
    ]
    expect(small(...groups)).toEqual([1_002, 1_333])
    // These have no maximum of a percentage, or one of which nothing is left.
    const others = [
      { amount: 5, maxAmount: 7 },
      { amount: 5, maxAmount: 0 },
      { percent: 20, maxAmount: 0 },
    ]
    expect(small(...others)).toEqual([])
  })

  test("units of a product at its price", () => {
    const units = [1, 2, 3, 10, 100, 10_000].map((quantity) => ({
      amount: 99 * quantity,
      quantity,
    }))
    expect(figuresOf([{ percent: 60 }], { product: { price: 99 } })).toEqual([units, units])
    for (const product of [{}, { price: -1 }]) {
      expect(figuresOf([{ percent: 60 }], { product })).toEqual(figuresOf([{ percent: 60 }]))
    }
  })
})

describe("of a product at its price, amounts are asked, in ten-thousandths of a cent:", () => {
  /** The last of the ways: by amounts, with the largest discount and tax. */
  const lastOf = (groups: ReadonlyArray<Money>, asked: Asked) => excesses(groups, asked).at(-1)
  const flat = { amount: 1 }
  const claimed = (group: Money, asked: Omit<Asked, "product"> = {}, cost?: number) => {
    const product = { price: 1_001, ...(cost === undefined ? {} : { cost }) }
    const last = lastOf([group, flat], { ...asked, product })
    return last === undefined ? undefined : (claimedOf(last)[0] ?? 0) / 10_000
  }

  test("what is claimed is no more than what the largest discount and tax leave of the price", () => {
    const product = { price: 1_001 }
    const figures = (asked: Asked) =>
      lastOf([flat], { product, ...asked })
        ?.figures()
        .filter(({ quantity = 1 }) => quantity === 1)
    expect(lastOf([flat], { product })?.limit).toBe(10_010_000)
    expect(figures({})?.map(({ amount, discount, tax }) => [amount, discount, tax])).toEqual([
      [1_001, 0, 0],
    ])
    expect(lastOf([flat], { product, mostDiscount: 10 })?.limit).toBe(9_009_000)
    const off = { product, mostDiscount: 10, mostTax: 20 }
    // A sixth of what the discount leaves, and a little more for what rounding hides.
    expect(lastOf([flat], off)?.limit).toBe(9_009_000 - 1_501_500 - 1)
    expect(figures(off)?.map(({ discount = 0, tax = 0 }) => [discount, tax])).toEqual([
      [0, 0],
      [100, 0],
      [0, 166],
      [100, 150],
    ])
    expect(lastOf([flat], { ...off, policy: { tax: "keep" } })?.limit).toBe(9_009_000)
  })

  test("of percentages alone nothing is asked, but where discounts are paid on", () => {
    const product = { price: 1_001 }
    expect(excesses([{ percent: 60 }], { product })).toHaveLength(2)
    const ignored = { policy: { discount: "ignore" }, product } as const
    expect(excesses([{ percent: 60 }], ignored)).toHaveLength(4)
  })

  test("a percentage is of what the discount and the cost leave, and nothing is rounded", () => {
    expect(claimed({ percent: 10 })).toBe(100.1)
    expect(claimed({ percent: 10 }, { mostDiscount: 10 })).toBe(90.09)
    const ignored = { policy: { discount: "ignore" }, mostDiscount: 10 } as const
    expect(claimed({ percent: 10 }, ignored)).toBe(100.1)
    expect(claimed({ percent: 10 }, { policy: { cost: "deduct" } }, 400)).toBe(60.1)
    expect(claimed({ percent: 10 }, { policy: { cost: "deduct" } })).toBe(100.1)
    expect(claimed({ percent: 10 }, {}, 400)).toBe(100.1)
    expect(claimed({ percent: 10 }, { policy: { cost: "deduct" } }, 2_000)).toBe(0)
  })

  test("a flat amount comes to it, a minimum raises what is earned, a maximum is the most", () => {
    expect(claimed({ percent: 10, amount: 50 })).toBe(150.1)
    expect(claimed({ percent: 10, minAmount: 200 })).toBe(200)
    expect(claimed({ percent: 0, minAmount: 200 })).toBe(0)
    expect(claimed({ percent: 10, maxAmount: 70 })).toBe(70)
    // Beside limits each claim is rounded for itself, and a cent more.
    expect(claimed({ percent: 10, minAmount: 50 })).toBe(101.1)
    expect(claimed({ percent: 10, maxAmount: 200 })).toBe(101.1)
  })

  test("a flat amount for shipping comes to it where it is paid, and not where it is charged", () => {
    const group = { amount: 50, shippingAmount: 7, maxAmount: 40 }
    expect(claimed(group, { policy: { shipping: "share" } })).toBe(47)
    expect(claimed(group, { policy: { shipping: "charge" } })).toBe(40)
    expect(claimed(group)).toBe(40)
  })
})

describe("what is not found on any of the sales", () => {
  const soundness = (groups: ReadonlyArray<Money>, asked: Asked) => {
    const last = excesses(groups, asked).at(-1)
    return last?.isSound(last.claimants.map(({ terms }) => terms))
  }
  const product = { price: 1_000 }

  test("is sound where percentages and amounts come to no more than there is", () => {
    expect(soundness([{ percent: 50 }, { amount: 500 }], { product })).toBe(true)
    expect(soundness([{ percent: 50.01 }, { amount: 500 }], { product })).toBe(false)
    expect(soundness([{ percent: 50 }, { amount: 450 }], { product, mostDiscount: 10 })).toBe(true)
    expect(soundness([{ percent: 50 }, { amount: 451 }], { product, mostDiscount: 10 })).toBe(false)
  })

  test("is sound beside limits and deductions where there is room for what is rounded", () => {
    const limited = { percent: 50, maxAmount: 490 }
    expect(soundness([limited, { amount: 505 }], { product, mostDiscount: 1 })).toBe(false)
    expect(soundness([limited, { amount: 490 }], { product, mostDiscount: 1 })).toBe(true)
    const half = { percent: 50, ...deducting }
    expect(soundness([half, { percent: 50, amount: 200 }], { product })).toBe(true)
    expect(soundness([half, { percent: 50, amount: 250 }], { product })).toBe(false)
  })

  test("is sound of a discount that is paid on where the stages have room for what is rounded", () => {
    const asked = { policy: { discount: "ignore", tax: "keep" }, mostDiscount: 20 } as const
    const of = (deducted: number, ...shared: ReadonlyArray<number>) =>
      soundness(
        [{ percent: deducted, ...deducting }, ...shared.map((percent) => ({ percent }))],
        asked,
      )
    expect(of(10, 36, 36)).toBe(false)
    expect(of(10, 35, 35)).toBe(true)
    // A claim of each stage is rounded by half a cent at most.
    expect(of(10, 75)).toBe(true)
    expect(of(50, 70)).toBe(false)
  })
})

describe("what is deducted lowers the shares of what is left:", () => {
  /** Rounding, and the inexactness of large numbers: sixteen, and one for each of two groups. */
  const doubt = 16 + 2
  const isHopeless = (groups: ReadonlyArray<Money>, asked: Asked = {}): boolean | undefined => {
    const product = { price: 10_000, cost: 1_000 }
    const last = excesses(groups, { product, ...asked }).at(-1)
    if (last?.isHopeless === undefined) return undefined
    const where = { at: null, values: new Values(), budget: Budget.of(1_000) }
    return finish(last.isHopeless(new Claims(last.claimants, where)))
  }
  const half = { percent: 50, ...deducting }
  /** Five thousand are deducted: with so much beside nine tenths of the rest there is exactly enough. */
  const rest = 10_000 - 5_000 - 4_500 - doubt

  test("it is known to the cent that they can't be too much", () => {
    expect(isHopeless([half, { percent: 90, amount: rest }])).toBe(true)
    expect(isHopeless([half, { percent: 90, amount: rest + 1 }])).toBe(false)
    expect(isHopeless([half, { percent: 90, amount: 1 }])).toBe(true)
  })

  test("flat amounts of who is deducted count once, and for shipping too", () => {
    const amount = 500
    // So much less is left for the other's nine tenths.
    const less = amount * 0.9
    const ask = (more: number) =>
      isHopeless([
        { ...half, amount },
        { percent: 90, amount: rest - amount + less + more },
      ])
    expect([ask(0), ask(1)]).toEqual([true, false])
    const shipped = (shippingAmount: number) =>
      isHopeless([half, { percent: 90, shippingPercent: 0, amount: 0, shippingAmount }], {
        policy: { shipping: "share" },
      })
    expect([shipped(rest), shipped(rest + 1)]).toEqual([true, false])
  })

  test("with a minimum or a maximum, what is claimed of all may be claimed of the rest", () => {
    // Nine tenths of all, whatever is deducted.
    for (const limits of [{ minAmount: 1 }, { amount: 1, maxAmount: 9_999 }]) {
      expect(isHopeless([half, { percent: 90, ...limits }])).toBe(false)
    }
    expect(isHopeless([half, { percent: 90, amount: 1, maxAmount: 5_000 - doubt }])).toBe(true)
    expect(isHopeless([half, { percent: 90, amount: 1, maxAmount: 5_001 - doubt }])).toBe(false)
  })

  test("of shares of more than all of it, all is paid at most", () => {
    const shares = [{ percent: 75, amount: 1 }, { percent: 75 }]
    expect(isHopeless(shares, { policy: { cost: "deduct" } })).toBe(true)
    expect(isHopeless(shares)).toBe(false)
  })
})
