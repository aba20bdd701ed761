/** In which ways too much can be claimed, and on which sales that is looked for. */
import { type Analysis, type Product, ProductGroup, type SplitPolicy } from "apportion"
import { describe, expect, test } from "vitest"
import { Claims } from "../../../src/analysis/internal/Claims.js"
import { type Excess, excessesOf } from "../../../src/analysis/internal/excess.js"
import { always } from "../../../src/analysis/internal/Predicate.js"
import { settingOf } from "../../../src/analysis/internal/Setting.js"
import { Values } from "../../../src/analysis/internal/Values.js"

type Money = Partial<ProductGroup.Input>

const blog = { type: "referer", values: ["blog"] } as const
const deducting = { condition: blog, deductForOtherSplits: true }

interface Asked extends Pick<Analysis.Options, "mostDiscount"> {
  readonly policy?: Partial<SplitPolicy.SplitPolicy>
  readonly product?: Omit<Product.Product, "id">
}

/** Of groups that each are somebody else's, and that apply to everything. */
const excesses = (groups: ReadonlyArray<Money>, asked: Asked = {}): ReadonlyArray<Excess> => {
  const { product, ...options } = asked
  const candidates = groups.map((money, index) => {
    const group = ProductGroup.make({
      id: `g${index}`,
      collaboratorId: `c${index}`,
      link: { type: "products.all" },
      ...money,
    })
    return { group, predicate: always, collaborator: index }
  })
  const known = product === undefined ? undefined : { id: "p", ...product }
  return excessesOf(candidates, known, settingOf(options))
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
    expect(summary(excesses(groups, { policy: { discount: "ignore" } }))).toEqual(stages)
  })

  test("those that are paid on what the buyer did not pay, where a maximum leaves anything", () => {
    const ignored = { policy: { discount: "ignore" }, mostDiscount: 20 } as const
    expect(summary(excesses(groups, ignored))).toEqual([...stages, [8_000, 6_000, 5_000, 0]])
  })

  test("those of the shipping, where it is shared", () => {
    const shipped = [{ percent: 10, shippingPercent: 60 }, { percent: 50 }]
    const [, , ofShipping, ...others] = excesses(shipped, { policy: { shipping: "share" } })
    expect(others).toEqual([])
    expect(ofShipping?.limit).toBe(10_000)
    expect(ofShipping === undefined ? [] : claimedOf(ofShipping)).toEqual([6_000, 5_000])
    expect(ofShipping?.figures).toEqual([
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
    excesses(groups, asked).map(({ figures }) => figures)
  const large = [10_000, 1_000_000, 10_000_000_000, 100_000_000_000_000]
  const amounts = (list: ReadonlyArray<number>) => list.map((amount) => ({ amount }))

  test("large amounts, beside which flat ones don't matter", () => {
    const stage = amounts(large)
    expect(figuresOf([{ percent: 60 }, { amount: 500 }])).toEqual([stage, stage])
    expect(figuresOf([{ percent: 60 }], { mostDiscount: 50 })).toEqual([stage, stage])
  })

  test("amounts with a discount, where shares are paid on it", () => {
    const stage = large.map((amount) => ({ amount, discount: amount / 4 }))
    const ignored = { policy: { discount: "ignore" }, mostDiscount: 25 } as const
    expect(figuresOf([{ percent: 60 }], ignored)).toEqual([stage, stage, stage])
  })

  test("an amount at which no maximum counts yet", () => {
    const least = (...groups: ReadonlyArray<Money>) => figuresOf(groups)[0]?.slice(large.length)
    const groups = [
      { percent: 50, maxAmount: 501 },
      { percent: 30, maxAmount: 400 },
      { percent: 9 },
    ]
    expect(least(...groups)).toEqual([{ amount: 1_002 }])
    expect(least(groups[1] ?? {})).toEqual([{ amount: 1_333 }])
    // These have no maximum of a percentage, or one of which nothing is left.
    const others = [
      { amount: 5, maxAmount: 7 },
      { amount: 5, maxAmount: 0 },
      { percent: 20, maxAmount: 0 },
    ]
    expect(least(...others)).toEqual([])
    expect(least(...others, ...groups)).toEqual([{ amount: 1_002 }])
  })

  test("a product at its price, also of one that is given away", () => {
    expect(figuresOf([{ percent: 60 }], { product: { price: 99 } })).toEqual([
      [{ amount: 99 }],
      [{ amount: 99 }],
      [{ amount: 99 }],
    ])
    expect(figuresOf([{ percent: 60 }], { product: { price: 0 } })[0]).toEqual([{ amount: 0 }])
    for (const product of [{}, { price: -1 }]) {
      expect(figuresOf([{ percent: 60 }], { product })).toEqual(figuresOf([{ percent: 60 }]))
    }
  })
})

describe("of a product at its price, amounts are asked:", () => {
  /** The last of the ways: by amounts, with the largest discount. */
  const lastOf = (groups: ReadonlyArray<Money>, asked: Asked) => excesses(groups, asked).at(-1)
  const claimed = (group: Money, asked: Omit<Asked, "product"> = {}, cost?: number) => {
    const product = { price: 1_001, ...(cost === undefined ? {} : { cost }) }
    const last = lastOf([group], { ...asked, product })
    return last === undefined ? [] : claimedOf(last)
  }

  test("what is claimed is no more than the price, and than what a discount leaves of it", () => {
    const sales = excesses([{ percent: 60 }], { product: { price: 1_001 }, mostDiscount: 10 })
    expect(sales.slice(2).map(({ limit, figures }) => [limit, figures])).toEqual([
      [1_001, [{ amount: 1_001 }]],
      [901, [{ amount: 1_001, discount: 100 }]],
    ])
  })

  test("a percentage is of what the discount and the cost leave, rounded up", () => {
    expect(claimed({ percent: 10 })).toEqual([101])
    expect(claimed({ percent: 10 }, { mostDiscount: 10 })).toEqual([91])
    const ignored = { policy: { discount: "ignore" }, mostDiscount: 10 } as const
    expect(claimed({ percent: 10 }, ignored)).toEqual([101])
    expect(claimed({ percent: 10 }, { policy: { cost: "deduct" } }, 400)).toEqual([61])
    expect(claimed({ percent: 10 }, { policy: { cost: "deduct" } })).toEqual([101])
    expect(claimed({ percent: 10 }, {}, 400)).toEqual([101])
    expect(claimed({ percent: 10 }, { policy: { cost: "deduct" } }, 2_000)).toEqual([0])
  })

  test("a flat amount comes to it, a minimum raises what is earned, a maximum is the most", () => {
    expect(claimed({ percent: 10, amount: 50 })).toEqual([151])
    expect(claimed({ percent: 10, minAmount: 200 })).toEqual([200])
    expect(claimed({ percent: 10, minAmount: 50 })).toEqual([101])
    expect(claimed({ percent: 0, minAmount: 200 })).toEqual([0])
    expect(claimed({ percent: 10, maxAmount: 70 })).toEqual([70])
    expect(claimed({ percent: 10, maxAmount: 200 })).toEqual([101])
  })

  test("a flat amount for shipping comes to it where it is paid, and not where it is charged", () => {
    const group = { amount: 50, shippingAmount: 7, maxAmount: 40 }
    expect(claimed(group, { policy: { shipping: "share" } })).toEqual([47])
    expect(claimed(group, { policy: { shipping: "charge" } })).toEqual([40])
    expect(claimed(group)).toEqual([40])
  })
})

describe("what is deducted lowers the shares of what is left:", () => {
  /** Rounding, and the inexactness of large numbers: sixteen, and one for each of two groups. */
  const doubt = 16 + 2
  const isHopeless = (groups: ReadonlyArray<Money>, asked: Asked = {}): boolean | undefined => {
    const product = { price: 10_000, cost: 1_000 }
    const last = excesses(groups, { product, ...asked }).at(-1)
    return last?.isHopeless?.(new Claims(last.claimants, null, new Values()))
  }
  const half = { percent: 50, ...deducting }
  /** Five thousand are deducted: with so much beside nine tenths of the rest there is exactly enough. */
  const rest = 10_000 - 5_000 - 4_500 - doubt

  test("it is known to the cent that they can't be too much", () => {
    expect(isHopeless([half, { percent: 90, amount: rest }])).toBe(true)
    expect(isHopeless([half, { percent: 90, amount: rest + 1 }])).toBe(false)
    expect(isHopeless([half, { percent: 90 }])).toBe(true)
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
    for (const limits of [{ minAmount: 1 }, { maxAmount: 9_999 }]) {
      expect(isHopeless([half, { percent: 90, ...limits }])).toBe(false)
    }
    expect(isHopeless([half, { percent: 90, maxAmount: 5_000 - doubt }])).toBe(true)
    expect(isHopeless([half, { percent: 90, maxAmount: 5_001 - doubt }])).toBe(false)
  })

  test("of shares of more than all of it, all is paid at most", () => {
    const shares = [{ percent: 75 }, { percent: 75 }]
    expect(isHopeless(shares, { policy: { cost: "deduct" } })).toBe(true)
    expect(isHopeless(shares)).toBe(false)
  })
})
