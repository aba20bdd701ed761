import { Analysis, Catalogue, type ProductGroup, RuleSet, type SplitPolicy } from "apportion"
import { describe, expect, test } from "vitest"

const all = { type: "products.all" } as const
const tagged = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const
const group = (
  id: string,
  collaboratorId: string,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({ id, collaboratorId, link: all, ...changes })

interface Compared {
  readonly one: ReadonlyArray<ProductGroup.GroupInput>
  readonly other: ReadonlyArray<ProductGroup.GroupInput>
}

const compared = ({ one, other }: Compared, policy: Partial<SplitPolicy.SplitPolicy> = {}) =>
  Analysis.equivalent(RuleSet.make(one), RuleSet.make(other), { policy })

const amountOf = ({ witness }: Analysis.Equivalence) => witness?.order.items[0]?.amount

describe("groups whose names are exchanged", () => {
  const exchanged = (percent: number, second: number): Compared => ({
    one: [group("a", "ada", { percent }), group("b", "sam", { percent: second })],
    other: [group("b", "ada", { percent }), group("a", "sam", { percent: second })],
  })

  test("give an odd cent to somebody else", () => {
    const found = compared(exchanged(50, 50))
    expect(found.verdict).toBe("different")
    expect(found.witness).toMatchObject({ attributeCount: 0, isSmallest: true })
    expect(Number(amountOf(found)) % 2).toBe(1)
  })

  test("pay the same where no odd cent is given away", () => {
    expect(compared(exchanged(50, 50), { rounding: "floor" }).verdict).toBe("equivalent")
  })

  test("pay the same where two percentages never leave the same part of a cent", () => {
    expect(compared(exchanged(50, 25)).verdict).toBe("equivalent")
    expect(compared(exchanged(100, 0)).verdict).toBe("equivalent")
  })

  test("pay the same where one is deducted from what the other has a percentage of", () => {
    const deducting = { condition: { type: "referer", values: ["r"] }, percent: 50 } as const
    const rules = (one: string, other: string) => [
      group(one, "ada", { ...deducting, deductForOtherSplits: true }),
      group(other, "sam", { percent: 50 }),
    ]
    expect(compared({ one: rules("a", "b"), other: rules("b", "a") }).verdict).toBe("equivalent")
  })

  test("give an odd cent of the shipping to somebody else", () => {
    const rules = (one: string, other: string) => [
      group(one, "ada", { percent: 10, shippingPercent: 50 }),
      group(other, "sam", { percent: 0, shippingPercent: 50 }),
    ]
    const names = { one: rules("a", "b"), other: rules("b", "a") }
    expect(compared(names).verdict).toBe("equivalent")
    expect(compared(names, { shipping: "share" })).toMatchObject({
      verdict: "different",
      witness: { attributeCount: 0 },
    })
  })

  test("are cut, and ranked, in another order", () => {
    for (const overAllocation of ["scale", "rank"] as const) {
      expect(compared(exchanged(60, 60), { overAllocation }).verdict).toBe("different")
    }
    // Every order that tells of it is refused by both.
    expect(compared(exchanged(60, 60)).verdict).not.toBe("different")
  })
})

test("who comes first is paid first, whatever the groups are called", () => {
  const rules = (one: number, other: number) => [
    group("a", "ada", { percent: 70, createdAt: one }),
    group("b", "sam", { percent: 60, createdAt: other }),
  ]
  const turned = { one: rules(1, 2), other: rules(2, 1) }
  expect(compared(turned, { overAllocation: "rank" }).verdict).toBe("different")
  expect(compared(turned, { overAllocation: "scale" }).verdict).toBe("equivalent")
})

test("a maximum of a flat amount is looked for where it begins to count", () => {
  const rules = (maxAmount: number) => [group("a", "ada", { amount: 5_000, maxAmount })]
  expect(compared({ one: rules(4_000), other: rules(4_001) }).verdict).toBe("different")
})

test("a minimum that only the smallest sales know is found", () => {
  const rules = (minAmount: number) => [group("a", "ada", { percent: 10, minAmount })]
  const found = compared({ one: rules(777), other: rules(778) }, { overAllocation: "allow" })
  expect(found.verdict).toBe("different")
})

test("nothing is said of amounts that are beyond all numbers", () => {
  const rules = (amount: number) => [group("a", "ada", { percent: 100, amount })]
  const most = Number.MAX_SAFE_INTEGER
  const policy = { overAllocation: "allow" } as const
  expect(compared({ one: rules(most), other: rules(most - 1) }, policy)).toEqual({
    verdict: "undecided",
    witness: null,
  })
})

test("the smallest order of all collaborators' is told, whoever comes first", () => {
  const of = (collaboratorId: string, percent: number, ...tags: ReadonlyArray<string>) =>
    group(collaboratorId, collaboratorId, {
      link: tags.length === 0 ? all : tagged(...tags),
      percent,
    })
  const [one, other] = [
    [of("ada", 10, "x"), of("sam", 10)],
    [of("ada", 20, "x"), of("sam", 20)],
  ]
  const least = { verdict: "different", witness: { attributeCount: 0, isSmallest: true } }
  expect(compared({ one: one ?? [], other: other ?? [] })).toMatchObject(least)
  expect(
    compared({ one: [...(one ?? [])].reverse(), other: [...(other ?? [])].reverse() }),
  ).toMatchObject(least)
})

test("what shows in company only, and needs more than a difference that is known, is not told", () => {
  const deducting = (flag: boolean) =>
    group("a", "ada", {
      condition: { type: "referer", values: ["blog"] },
      percent: 10,
      deductForOtherSplits: flag,
    })
  const zed = group("z", "zed", {
    link: tagged("t"),
    condition: { type: "country.code", values: ["DE"] },
    percent: 10,
  })
  const rules = (flag: boolean, percent: number) => [
    group("0", "abe", { link: tagged("u"), condition: deducting(true).condition, percent }),
    deducting(flag),
    zed,
  ]
  const found = compared({ one: rules(true, 5), other: rules(false, 6) })
  expect(found).toMatchObject({ verdict: "different", witness: { attributeCount: 2 } })
  expect(found.witness?.isSmallest).toBe(false)
})

test("a rule set without groups pays as one whose groups pay nothing", () => {
  expect(compared({ one: [], other: [group("a", "ada", { percent: 0 })] }).verdict).toBe(
    "equivalent",
  )
  expect(compared({ one: [], other: [group("a", "ada", { percent: 1 })] }).verdict).toBe(
    "different",
  )
})

test("the order that shows a difference is in the catalogue's currency, and of its product", () => {
  const catalogue = Catalogue.make([{ id: "p", tags: ["t"] }, { id: "q" }], { currency: "JPY" })
  const [one, other] = [10, 20].map((percent) =>
    RuleSet.make([group("a", "ada", { link: tagged("T"), percent })]),
  )
  if (one === undefined || other === undefined) throw new RangeError("there are two")
  expect(Analysis.equivalent(one, other, { catalogue }).witness).toMatchObject({
    order: { currency: "JPY", items: [{ product: { id: "p" } }] },
    attributeCount: 0,
  })
})
