/** Where every group that applies is paid, what a collaborator's groups pay together is compared. */
import { Analysis, Catalogue, ProductGroup, RuleSet, SplitPolicy } from "apportion"
import { describe, expect, test } from "vitest"
import { tellingSales } from "../../../src/analysis/internal/Comparison.js"
import { termsOf } from "../../../src/analysis/internal/terms.js"
import type { Group } from "../brute/Orders.js"
import { checkPair, type Pair } from "../brute/Pairs.js"

type Groups = ReadonlyArray<Group>

const all = { type: "products.all" } as const
const tag = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const
const notTag = (...values: ReadonlyArray<string>) =>
  ({ ...tag(...values), modifier: "NOT" }) as const
const vendor = (...values: ReadonlyArray<string>) => ({ type: "products.vendor", values }) as const
const ids = (...values: ReadonlyArray<string>) => ({ type: "products", values }) as const
const from = (...values: ReadonlyArray<string>) => ({ type: "referer", values }) as const

let count = 0
/** A group of Ada's that no other has the name of. */
const pays = (percent: number, link: Group["link"] = all, more: Partial<Group> = {}): Group => {
  count += 1
  return { id: `g${count}`, collaboratorId: "ada", link, percent, ...more }
}

const policy = { stacking: "all" } as const

/** What is said of two lists of groups; what looking at every order says must not contradict it. */
const compared = (groups: Groups, others: Groups, more: Partial<Pair> = {}) => {
  const pair = { groups, others, ...more, policy: { ...policy, ...more.policy } }
  expect(checkPair(pair).complaints).toEqual([])
  return Analysis.equivalent(RuleSet.make(groups), RuleSet.make(others), {
    policy: pair.policy,
    catalogue: pair.catalogue,
    from: pair.from,
  })
}

const differentWith = (attributeCount: number) => ({
  verdict: "different",
  witness: { attributeCount, isSmallest: true },
})

describe("groups that apply to the same orders and pay the same", () => {
  test("make no difference, however many there are", () => {
    const groups = [pays(10, tag("a")), pays(10, tag("a")), pays(20)]
    expect(compared(groups, groups).verdict).toBe("equivalent")
    expect(compared(groups, [...groups].reverse()).verdict).toBe("equivalent")
  })

  test("make one when one of them is missing", () => {
    const twice = [pays(10, tag("a")), pays(10, tag("a"))]
    expect(compared(twice, twice.slice(1))).toMatchObject(differentWith(1))
    expect(compared(twice.slice(1), twice)).toMatchObject(differentWith(1))
  })

  test("make none when what is missing pays nothing, or nobody", () => {
    const one = pays(10, tag("a"))
    expect(compared([one, pays(0)], [one]).verdict).toBe("equivalent")
    expect(compared([one, pays(10, tag())], [one]).verdict).toBe("equivalent")
    expect(compared([], [pays(0), pays(10, tag())]).verdict).toBe("equivalent")
  })
})

describe("a difference is found", () => {
  test("where the groups apply to all", () => {
    expect(compared([pays(10)], [pays(20)])).toMatchObject(differentWith(0))
    expect(compared([pays(10)], [])).toMatchObject(differentWith(0))
  })

  test("where two groups stand for one, with what both of them ask for", () => {
    const two = [pays(10, tag("a")), pays(10, tag("b"))]
    const found = compared(two, [pays(10, tag("a", "b"))])
    expect(found).toMatchObject(differentWith(2))
    expect(found.witness?.order.items[0]?.product.tags).toEqual(["a", "b"])
  })

  test("where an order has none of what one asks for", () => {
    expect(compared([pays(10)], [pays(10, tag("a"))])).toMatchObject(differentWith(0))
    expect(compared([pays(10, notTag("a"))], [pays(10)])).toMatchObject(differentWith(1))
  })

  test("where a product has two ids", () => {
    const two = [pays(10, ids("p")), pays(10, ids("q"))]
    expect(compared(two, [pays(10, ids("p", "q"))])).toMatchObject(differentWith(2))
  })

  test("where a product has a vendor and comes from somewhere", () => {
    const group = pays(10, vendor("north"), { condition: from("blog") })
    expect(compared([group], [])).toMatchObject(differentWith(2))
  })

  test("at the times at which dates differ", () => {
    const rules = (endsAt: number) => [pays(10, all, { startsAt: 10, endsAt })]
    const found = compared(rules(20), rules(30))
    expect(found).toMatchObject(differentWith(1))
    expect(found.witness?.order.createdAt).toBe(20)
    expect(compared(rules(20), rules(30), { from: 25 }).witness?.order.createdAt).toBe(25)
  })

  test("at the amounts at which a minimum counts", () => {
    const rules = (minAmount: number) => [pays(10, tag("a"), { minAmount })]
    const found = compared(rules(777), rules(778), { policy: { overAllocation: "allow" } })
    expect(found).toMatchObject(differentWith(1))
  })

  test("on the product of a catalogue that tells the groups apart", () => {
    const catalogue = Catalogue.make(["none", "b", "a"].map((id) => ({ id, tags: [id] })))
    const found = compared([pays(10, tag("a"))], [pays(10, tag("c"))], { catalogue })
    expect(found).toMatchObject(differentWith(0))
    expect(found.witness?.order.items[0]?.product.id).toBe("a")
    expect(compared([pays(10, tag("c"))], [], { catalogue }).verdict).toBe("equivalent")
  })
})

describe("the order that shows a difference is one of the smallest", () => {
  /** It takes a tag, a referer and a time to be paid by it. */
  const large = pays(5, tag("x"), { condition: from("blog"), startsAt: 10 })

  test("where no order has what would make a smaller one", () => {
    const two = [pays(10, vendor("north")), pays(10, vendor("south"))]
    const one = [pays(10, vendor("north", "south"))]
    expect(compared([...two, large], one)).toMatchObject(differentWith(3))
    const tags = [pays(10, tag("a")), pays(10, tag("b"))]
    const catalogue = Catalogue.make(["a", "b", "x"].map((id) => ({ id, tags: [id] })))
    const known = compared([...tags, large], [pays(10, tag("a", "b"))], { catalogue })
    expect(known).toMatchObject(differentWith(2))
  })

  test("where the sums are made up of the same in another order", () => {
    const one = [pays(10), pays(20, tag("a")), pays(20, notTag("a"))]
    const other = [pays(20), pays(10, tag("a")), pays(10, notTag("a"))]
    expect(compared([...one, large], other)).toMatchObject(differentWith(3))
  })
})

describe("differences that no order shows", () => {
  /** It counts against the others' though nothing is paid of it. */
  const hidden = (link: Group["link"]) => pays(10, link, { maxAmount: 0 })
  const isSmallest = (...groups: Groups) => {
    const { witness } = compared(groups, [])
    return [witness?.attributeCount, witness?.isSmallest]
  }

  test("leave a smaller one possible, where they would be of a smaller order", () => {
    expect(isSmallest(hidden(all), pays(10, tag("a")))).toEqual([1, false])
    expect(isSmallest(hidden(tag("b")), pays(10, tag("a")))).toEqual([1, true])
    expect(isSmallest(hidden(all), hidden(tag("b")), pays(10, tag("a")))).toEqual([1, false])
  })
})

test("nothing is said of sums that are made up in other ways", () => {
  const found = compared([pays(10)], [pays(10, tag("a")), pays(10, notTag("a"))])
  expect(found).toEqual({ verdict: "undecided", witness: null })
})

test("a difference that shows in company only is looked for where nothing hides it", () => {
  const sam = pays(10, tag("hidden", "shown"), { collaboratorId: "sam" })
  const rules = (flag: boolean) => [
    pays(10, all, { condition: from("blog"), deductForOtherSplits: flag }),
    sam,
  ]
  const [one, other] = [rules(true), rules(false)]
  expect(compared(one, other)).toMatchObject({
    verdict: "different",
    witness: { attributeCount: 2 },
  })
  // With the tag that these ask for, both rule sets claim too much.
  const tooMuch = (percent: number) => pays(percent, tag("hidden"), { maxAmount: 0 })
  const found = compared([tooMuch(95), ...one], [tooMuch(96), ...other])
  expect(found.verdict).toBe("different")
  expect(found.witness?.order.items[0]?.product.tags).toEqual(["shown"])
})

describe("the steps of an answer", () => {
  const ask = (groups: Groups, others: Groups, budget: number) =>
    Analysis.equivalent(RuleSet.make(groups), RuleSet.make(others), { policy, budget })

  test("that are too few leave it open", () => {
    const group = pays(10, tag("a"))
    expect(ask([group], [], 200)).toMatchObject(differentWith(1))
    expect(ask([group], [], 50)).toEqual({ verdict: "undecided", witness: null })
  })

  test("are not spent on sales of orders that are as large as the one that was found", () => {
    const groups = [pays(10, tag("a")), pays(10, tag("b"))]
    // One sale is split, at a hundred steps.
    expect(ask(groups, [], 190)).toMatchObject(differentWith(1))
  })

  test("that are too few to look further leave an order without attributes the smallest", () => {
    const groups = [pays(10), pays(10, tag("a"))]
    expect(ask(groups, [], 125)).toMatchObject(differentWith(0))
  })

  test("are taken for each sale on which a difference might show", () => {
    const hidden = pays(10, all, { maxAmount: 0 })
    const groups = [hidden, pays(10, tag("a"))]
    const terms = termsOf(ProductGroup.make(hidden), SplitPolicy.make(policy))
    const sales = tellingSales([terms], SplitPolicy.make(policy)).length
    expect(ask(groups, [], 100 * (sales + 3)).verdict).toBe("different")
    expect(ask(groups, [], 100 * sales).verdict).toBe("undecided")
  })

  test("are not more than there are", () => {
    const tags = Array.from({ length: 40 }, (_, index) => `t${index}`)
    const half = [tags.slice(0, 20), tags.slice(20)]
    // A third list tells the values of the two apart.
    const third = pays(5, tag(...tags.filter((_, index) => index % 2 === 0)), { maxAmount: 0 })
    const groups = [...half.map((each) => pays(10, tag(...each))), third]
    const found = ask(groups, [pays(10, tag(...tags))], 2_000)
    expect(found.verdict).toBe("undecided")
  })
})
