/** Groups in whose place others stand that pay the same: an odd cent may go to somebody else. */
import { Analysis, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import type { Group } from "../brute/Orders.js"
import { checkPair, type Pair } from "../brute/Pairs.js"

type Groups = ReadonlyArray<Group>

const all = { type: "products.all" } as const
const tag = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const

/** A group, half of everything for Ada when nothing else is said. */
const group = (id: string, more: Partial<Group> = {}): Group => ({
  id,
  collaboratorId: "ada",
  link: all,
  percent: 50,
  ...more,
})
const sams = (id: string, more: Partial<Group> = {}) =>
  group(id, { collaboratorId: "sam", ...more })

const ask = (groups: Groups, others: Groups, options: Analysis.Options = {}) =>
  Analysis.equivalent(RuleSet.make(groups), RuleSet.make(others), options)

/** What is said of two lists of groups; what looking at every order says must not contradict it. */
const compared = (groups: Groups, others: Groups, policy: Pair["policy"] = {}) => {
  expect(checkPair({ groups, others, policy }).complaints).toEqual([])
  return ask(groups, others, { policy })
}

const differentWith = (attributeCount: number) => ({
  verdict: "different",
  witness: { attributeCount, isSmallest: true },
})

describe("names that are exchanged", () => {
  const exchanged = (percent: number, second: number, policy: Pair["policy"]) =>
    compared(
      [group("a", { percent }), sams("b", { percent: second })],
      [group("b", { percent }), sams("a", { percent: second })],
      policy,
    )

  test("give away an odd cent of claims that are cut, and of shipping in equal parts", () => {
    expect(exchanged(100, 100, { overAllocation: "scale" })).toMatchObject(differentWith(0))
    expect(exchanged(50, 25, { shipping: "all" })).toMatchObject(differentWith(0))
  })

  test("tell nothing when all orders that could tell are refused", () => {
    expect(exchanged(60, 60, {})).toEqual({ verdict: "undecided", witness: null })
  })
})

describe("an odd cent that is left of few amounts only", () => {
  const names = ["a", "b"]
  const rules = (one: Partial<Group>, other: Partial<Group>) => {
    const [first = [], second = []] = [names, [...names].reverse()].map(([ada = "", sam = ""]) => [
      group(ada, one),
      sams(sam, other),
    ])
    return [first, second] as const
  }

  test("is found where it is left of every fourth", () => {
    const found = compared(...rules({ percent: 37 }, { percent: 12 }))
    expect(found).toMatchObject(differentWith(0))
    expect(Number(found.witness?.order.items[0]?.amount) % 4).toBe(0)
  })

  test("is found where it is left of every two hundredth", () => {
    const found = ask(...rules({ percent: 10.2 }, { percent: 9.7 }))
    expect(found.witness?.order).toMatchObject({ items: [{ amount: 200 }] })
    expect(found.witness?.order).not.toHaveProperty("shippingAmount")
  })

  test("is found where it is left of the shipping", () => {
    const found = ask(
      ...rules({ percent: 20, shippingPercent: 10.2 }, { percent: 10, shippingPercent: 9.7 }),
      { policy: { shipping: "share" } },
    )
    expect(found.witness?.order).toMatchObject({ shippingAmount: 200, items: [{ amount: 200 }] })
  })

  test("is found where it is left of the shipping of what is given away", () => {
    // Of everything else too much is claimed.
    const found = ask(
      ...rules({ percent: 60, shippingPercent: 10.2 }, { percent: 60, shippingPercent: 9.7 }),
      { policy: { shipping: "share" } },
    )
    expect(found.witness?.order).toMatchObject({ shippingAmount: 200, items: [{ amount: 0 }] })
  })
})

test("names that are others, in the same order, change nothing", () => {
  const found = compared([group("a"), sams("b")], [group("aa"), sams("bb")])
  expect(found.verdict).toBe("equivalent")
})

describe("who is the newer one", () => {
  const turned = (policy: Pair["policy"]) => {
    const rules = (one: number, other: number) => [
      group("a", { createdAt: one }),
      sams("b", { createdAt: other }),
    ]
    return compared(rules(1, 2), rules(2, 1), policy)
  }

  test.each([
    {},
    { overAllocation: "scale", shipping: "all" },
    { overAllocation: "scale", stacking: "all" },
    { shipping: "all", stacking: "all" },
  ] as const)("makes no difference under %j", (policy) => {
    expect(turned(policy).verdict).toBe("equivalent")
  })
})

test("who asks for products more exactly is paid first, though it is the same ones", () => {
  const none = { type: "products.tag", modifier: "NOT", values: [] } as const
  const vendor = { type: "products.vendor", modifier: "NOT", values: [] } as const
  const sam = sams("b", { link: vendor, percent: 70 })
  const found = compared([group("a"), sam], [group("a", { link: none }), sam], {
    overAllocation: "rank",
  })
  expect(found).toMatchObject(differentWith(0))
})

describe("a group in whose place another one stands", () => {
  test("is one that asks for more, or less", () => {
    const found = compared(
      [group("a", { link: tag("x", "y") }), sams("b")],
      [group("c", { link: tag("x") }), group("d", { link: tag("y") }), sams("b")],
    )
    expect(found).toMatchObject(differentWith(1))
  })

  test("is looked for where it applies, and where no other counts for it", () => {
    const other = group("z", { link: tag("x"), percent: 30, createdAt: 1 })
    const rules = (one: string, two: string) => [
      other,
      group(one, { link: tag("x", "y") }),
      sams(two),
    ]
    const found = compared(rules("a", "b"), rules("b", "a"))
    expect(found).toMatchObject(differentWith(1))
    expect(found.witness?.order.items[0]?.product.tags).toEqual(["y"])
  })
})

describe("the steps of an answer", () => {
  // It suffices to read the rules and to go through them once.
  const budget = 300

  test("are few where no group has another name, or place", () => {
    const rules = (createdAt: number) => [
      group("a", { link: tag("x"), createdAt }),
      group("b", { link: tag("y"), createdAt: 1 }),
      sams("c"),
    ]
    expect(ask(rules(1), rules(1), { budget }).verdict).toBe("equivalent")
    expect(ask(rules(1), rules(2), { budget }).verdict).toBe("equivalent")
    const policy = { overAllocation: "rank" } as const
    expect(ask(rules(1), rules(1), { budget, policy }).verdict).toBe("equivalent")
  })

  test("are taken for pairs of a hundred thousand situations, and no more", () => {
    // Each of two hundred comes behind all others now.
    const rules = (prefix: string, count: number) => [
      ...Array.from({ length: 200 }, (_, index) =>
        group(`${prefix}${index}`, { collaboratorId: `moved${index}` }),
      ),
      ...Array.from({ length: count }, (_, index) =>
        group(`m${index}`, { collaboratorId: `other${index}` }),
      ),
    ]
    const policy = { rounding: "floor" } as const
    const askOf = (count: number) => ask(rules("a", count), rules("z", count), { policy }).verdict
    expect([askOf(500), askOf(501)]).toEqual(["equivalent", "undecided"])
  })

  const numbers = Array.from({ length: 320 }, (_, index) => index)

  test("are not taken for two groups of which one counts", () => {
    const rules = (nameOf: (index: number) => string) =>
      numbers.map((index) =>
        group(nameOf(index), { link: tag(`t${index}`), percent: index / 100, createdAt: index }),
      )
    const found = ask(
      rules((index) => `g${100 + index}`),
      rules((index) => `g${900 - index}`),
    )
    expect(found.verdict).toBe("equivalent")
  })

  test("are not taken for pairs of what is never the case", () => {
    const tags = numbers.slice(0, 20).map((index) => `t${index}`)
    // The first group is paid for everything that the others ask for.
    const rulesOf = (collaboratorId: string, prefix: string, count: number) => [
      group(`0-${collaboratorId}`, { collaboratorId, link: tag(...tags), createdAt: 1 }),
      ...tags.map((_, index) => {
        const link = tag(...[...tags, ...tags].slice(index, index + count))
        return group(`${prefix}${index}`, { collaboratorId, link })
      }),
    ]
    const found = ask(
      [...rulesOf("ada", "a", 1), ...rulesOf("sam", "b", 1)],
      [...rulesOf("ada", "d", 2), ...rulesOf("sam", "c", 2)],
      { policy: { rounding: "floor" } },
    )
    expect(found.verdict).toBe("equivalent")
  })
})
