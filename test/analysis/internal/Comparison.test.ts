/** How far orders are looked for that two rule sets split differently, alone and in the company of others. */
import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import { pigeons } from "../HardQuestions.js"

type Groups = ReadonlyArray<ProductGroup.GroupInput>

const all = { type: "products.all" } as const
const tag = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const
const vendor = (...values: ReadonlyArray<string>) => ({ type: "products.vendor", values }) as const
const blog = { type: "referer", values: ["blog"] } as const

const group = (
  id: string,
  collaboratorId: string,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({ id, collaboratorId, link: all, percent: 10, ...changes })

const ask = (groups: Groups, others: Groups, budget?: number) =>
  Analysis.equivalent(RuleSet.make(groups), RuleSet.make(others), { budget })

/** Ada's percentage is deducted before the others', or is not: that is for others to notice. */
const deducting = (flag: boolean, changes: Partial<ProductGroup.GroupInput> = {}) =>
  group("a", "ada", { condition: blog, deductForOtherSplits: flag, ...changes })

const german = { type: "country.code", values: ["DE"] } as const
/** Somebody who is paid for orders from Germany only. */
const sam = group("z", "sam", { condition: german })

/** The same groups of others beside Ada's in both rule sets. */
const inCompany = (others: Groups, changes: Partial<ProductGroup.GroupInput> = {}) =>
  ask([deducting(true, changes), ...others], [deducting(false, changes), ...others])

describe("a difference that shows in company only", () => {
  test("is looked for in that of everyone who can be there", () => {
    const north = { link: vendor("north") }
    const south = group("s", "sam", { link: vendor("south") })
    expect(inCompany([south], north).verdict).toBe("undecided")
    const found = inCompany([south, group("b", "bob", { link: tag("t") })], north)
    expect(found).toMatchObject({ verdict: "different", witness: { attributeCount: 3 } })
  })

  test("is looked for at the amounts at which the others' limits count", () => {
    const limited = group("s", "sam", { percent: 1, minAmount: 500, maxAmount: 510 })
    expect(inCompany([limited]).verdict).toBe("different")
  })

  test("is not looked for among her own groups, and those on which nothing is paid", () => {
    const many = (collaboratorId: string, percent: number) =>
      Array.from({ length: 200 }, (_, index) =>
        group(`${collaboratorId}${index}`, collaboratorId, {
          link: tag(`t${index}`),
          condition: german,
          percent,
        }),
      )
    expect(inCompany([...many("abe", 0), ...many("ada", 10), sam]).verdict).toBe("different")
  })

  test("is looked for in the company of two hundred groups at most", () => {
    const unable = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        group(`b${index}`, "bob", { link: vendor(`v${index}`), condition: german, createdAt: 1 }),
      )
    const [first, north] = [{ ...sam, link: vendor("north") }, { link: vendor("north") }]
    expect(inCompany([...unable(199), first], north).verdict).toBe("different")
    expect(inCompany([...unable(200), first], north).verdict).toBe("undecided")
  })

  test("is not told where less is enough for another one", () => {
    // It never applies where Ada's does.
    const abes = (percent: number) =>
      group("0", "abe", {
        condition: { ...blog, modifier: "NOT" },
        link: tag("u"),
        startsAt: 10,
        percent,
      })
    const zed = group("z", "zed", { link: tag("t"), condition: german })
    const found = ask([abes(5), deducting(true), zed], [abes(6), deducting(false), zed])
    expect(found).toMatchObject({
      verdict: "different",
      witness: { attributeCount: 2, isSmallest: false },
    })
  })
})

describe("an order that is found", () => {
  test("takes few more steps for others who are there", () => {
    const fewest = (others: Groups): number => {
      const [one, other] = [10, 20].map((percent) => [
        group("a", "ada", { link: tag("t"), percent }),
      ])
      for (let budget = 1; budget < 1_000; budget += 1) {
        const found = ask([...(one ?? []), ...others], [...(other ?? []), ...others], budget)
        if (found.witness?.isSmallest) return budget
      }
      return 0
    }
    expect(fewest([])).toBeGreaterThan(0)
    const others = [group("b", "bob"), group("s", "sam", { link: tag("u") })]
    expect(fewest(others)).toBeLessThan(2 * fewest([]))
  })

  test("stays, when another one is as large", () => {
    const rules = (percent: number) => [
      group("a", "ada", { link: tag("x"), percent }),
      group("s", "sam", { link: tag("y"), percent }),
    ]
    const tags = ask(rules(10), rules(20)).witness?.order.items[0]?.product.tags
    expect(tags).toEqual(["x"])
  })
})

describe("a search that needs many steps", () => {
  const last = group("z", "ada", { percent: 5 })
  const easy = (percent: number) => group("s", "sam", { link: tag("t"), percent })

  test("may take some thousands of them", () => {
    // As many holes as pigeons: each tag is one of the order and one of the product.
    const hard = pigeons(4, { holes: 4 })
    const found = ask([...hard, last], hard, 100_000)
    expect(found).toMatchObject({ verdict: "different", witness: { attributeCount: 8 } })
  })

  test("is given up before all are taken, and others are made", () => {
    const hard = pigeons(9)
    const found = ask([...hard, last, easy(10)], [...hard, easy(20)], 100_000)
    expect(found).toMatchObject({
      verdict: "different",
      witness: { attributeCount: 1, isSmallest: false },
    })
  })

  test("proves nothing when it is given up", () => {
    const hard = pigeons(9)
    expect(ask([...hard, last], hard, 100_000).verdict).toBe("undecided")
  })
})
