import { type Order, RuleSet, SplitPolicy } from "apportion"
import { Laws, LawsUntested, RulesBroken, ruleCases, verifyRules } from "apportion/testing"
import { describe, expect, test } from "vitest"

const all = { type: "products.all" } as const

/** A shop of which everything is as its laws say. */
const rules = RuleSet.make([
  {
    id: "art",
    collaboratorId: "ada",
    link: { type: "products.tag", values: ["art"] },
    percent: 25,
    startsAt: 1_700_000_000,
  },
  {
    id: "blog",
    collaboratorId: "sam",
    link: all,
    condition: { type: "referer", values: ["sam-blog"] },
    percent: 10,
    deductForOtherSplits: true,
  },
])

const laws = [
  Laws.atMostOfItem("25.00"),
  Laws.storeKeepsAtLeast("65.00"),
  Laws.neverOverAllocated(),
  Laws.paid("sam", { condition: { type: "referer", values: ["SAM-BLOG"] } }),
]

const wholesale = Laws.nothingWhen(
  { conditionType: "referer" },
  { type: "customer.tag", values: ["wholesale"] },
)

const failureOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

const brokenBy = (work: () => unknown): RulesBroken => {
  const error = failureOf(work)
  if (error instanceof RulesBroken) return error
  throw error ?? new RangeError("no law was broken")
}

describe("rules that keep their laws", () => {
  test("pass, whatever orders are drawn and whatever the policy is", () => {
    const policies = [
      {},
      { shipping: "share", tax: "share" },
      { rounding: "floor", cost: "deduct" },
    ]
    for (const [seed, options] of policies.entries()) {
      const policy = SplitPolicy.make(options as Partial<SplitPolicy.SplitPolicy>)
      expect(verifyRules(rules, laws, { seed, policy, runs: 200 }).orders).toBe(200)
    }
  })

  test("pass with a catalogue too", () => {
    const catalogue = [
      { id: "p1", tags: ["Art"], price: 1_999 },
      { id: "p2", price: 1 },
    ]
    const report = verifyRules(rules, laws, { catalogue, seed: 1, runs: 300 })
    expect(report.neverMatched).toEqual([])
  })

  test("are told how many orders there were, how often each group matched, and what the laws were about", () => {
    const report = verifyRules(rules, laws, { seed: 1, runs: 400 })
    expect(report).toMatchObject({ orders: 400, seed: 1, neverMatched: [] })
    // Those whose sums are beyond what is exact.
    expect(report.refused).toBeLessThan(40)
    expect(report.groups.map(({ groupId }) => groupId)).toEqual(["art", "blog"])
    for (const { matched, missedByOne } of report.groups) {
      expect(matched).toBeGreaterThan(60)
      expect(missedByOne).toBeGreaterThan(60)
    }
    expect(report.laws.map(({ name }) => name)).toEqual(laws.map(({ name }) => name))
    expect(Math.min(...report.laws.map(({ applied }) => applied))).toBeGreaterThan(60)
  })

  test("give the same report for the same seed", () => {
    const once = { seed: 8, runs: 200 }
    expect(verifyRules(rules, laws, once)).toEqual(verifyRules(rules, laws, once))
  })

  test("are told of a group that no order could meet", () => {
    const dead = RuleSet.put(rules, {
      id: "nobody",
      collaboratorId: "eve",
      link: { type: "products.tag", values: [] },
      percent: 90,
    })
    expect(verifyRules(dead, laws, { seed: 1, runs: 300 }).neverMatched).toEqual(["nobody"])
    const catalogue = [{ id: "p1", price: 100 }]
    expect(verifyRules(rules, laws, { seed: 1, runs: 300, catalogue }).neverMatched).toEqual([
      "art",
    ])
  })
})

describe("rules that break a law", () => {
  const broken = brokenBy(() => verifyRules(rules, [...laws, wholesale], { seed: 5 }))
  const [breach] = broken.breaches

  test("are told of it by an order with nothing in it that could be left out", () => {
    expect(broken.breaches).toHaveLength(1)
    expect(breach).toMatchObject({
      law: wholesale.name,
      reason: "sam gets 10.00 USD of item 1 by group blog",
      seed: 5,
      order: {
        id: "1001",
        currency: "USD",
        customerTags: ["wholesale"],
        referers: ["sam-blog"],
        items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
      },
    })
  })

  test("are never told of it by an order with a discount, a tax, a second unit or shipping that does not matter", () => {
    const link = { type: "products.all" } as const
    const ruleSets = [
      { amount: 500 },
      { percent: 30, amount: 500 },
      { percent: 30, minAmount: 700 },
    ]
    const broken = ruleSets.flatMap((terms) =>
      [
        Laws.storeKeepsAtLeast("50.00"),
        Laws.atMostOfItem("40.00"),
        Laws.neverOverAllocated(),
      ].flatMap((law) =>
        [1, 2].flatMap((seed) => {
          const one = RuleSet.make([{ id: "g", collaboratorId: "ada", link, ...terms }])
          return brokenBy(() => verifyRules(one, [law], { seed, runs: 200 })).breaches
        }),
      ),
    )
    expect(broken).toHaveLength(18)
    for (const { order } of broken) {
      expect(Object.keys(order).toSorted()).toEqual(["currency", "id", "items"])
      expect(order.items).toHaveLength(1)
      expect(order.items[0]).toEqual({
        ...{ id: expect.any(String), product: { id: "p1" }, quantity: 1 },
        amount: expect.any(Number),
      })
    }
  })

  test("are told of it by an order with a discount where only a discount breaks it", () => {
    const one = RuleSet.make([
      { id: "g", collaboratorId: "ada", link: { type: "products.all" }, percent: 30 },
    ])
    const undiscounted = Laws.make("no item has a discount", ({ order }) =>
      order.items.some(({ discount = 0 }) => discount > 0) ? "one has" : undefined,
    )
    const [breach] = brokenBy(() => verifyRules(one, [undiscounted], { seed: 1 })).breaches
    expect(breach?.order.items).toHaveLength(1)
    expect(breach?.order.items[0]?.discount).toBeGreaterThan(0)
    expect(Object.keys(breach?.order ?? {}).toSorted()).toEqual(["currency", "id", "items"])
  })

  test("are told in words what order that is, how it is split, and how to come there again", () => {
    expect(broken.message.split("\n")).toEqual([
      'The rules break a law: no share by a group with the condition referer on orders with the customer tag "wholesale".',
      "  sam gets 10.00 USD of item 1 by group blog",
      "An order that breaks it, with nothing that could be left out:",
      '  item 1: 1 unit of product "p1" for 100.00 USD',
      '  the order: the customer tag "wholesale"; the referer "sam-blog"',
      "How it is split:",
      "  Item 1 of order 1001 (1 unit) brought in 100.00 USD.",
      "    Percentages are of: 100.00 USD price.",
      "    10.00 USD is deducted first.",
      "    sam gets 10.00 USD (group blog): 10.00% of 100.00 USD is 10.00 USD. It is deducted from the base of the others' percentages.",
      "    The store keeps 90.00 USD.",
      expect.stringMatching(/^Found after \d+ orders. To run it again, give the options$/),
      `  { seed: 5, path: "${breach?.path}" }`,
      "To try this order each time, give it as one of the examples:",
      `  ${JSON.stringify(breach?.order)}`,
    ])
  })

  test("break it again with the seed and the path that are told", () => {
    const path = breach?.path
    const again = brokenBy(() => verifyRules(rules, [...laws, wholesale], { seed: 5, path }))
    expect(again.breaches.map(({ law, order }) => ({ law, order }))).toEqual([
      { law: wholesale.name, order: breach?.order },
    ])
  })

  test("break it at once when the order is one of the examples, and are then told of just what matters", () => {
    const order: Order.Order = {
      id: "7",
      currency: "EUR",
      customerTags: ["vip", "WHOLESALE"],
      referers: ["search", "sam-blog"],
      billingCountry: "DE",
      shippingAmount: 500,
      items: [
        { id: "a", product: { id: "p8" }, quantity: 0, amount: 0 },
        {
          id: "b",
          product: { id: "p9", vendor: "North", tags: ["x"] },
          quantity: 3,
          amount: 2_000,
        },
      ],
    }
    const found = brokenBy(() => verifyRules(rules, [wholesale], { examples: [order], seed: 1 }))
    expect(found.breaches[0]).toMatchObject({ runs: 1 })
    expect(found.breaches[0]?.order).toEqual({
      id: "7",
      currency: "EUR",
      customerTags: ["WHOLESALE"],
      referers: ["sam-blog"],
      items: [{ id: "b", product: { id: "p9" }, quantity: 1, amount: 10_000 }],
    })
  })

  test("are told of each law that they break", () => {
    const strict = [Laws.atMostOfItem(20), Laws.storeKeepsAtLeast(80), Laws.neverOverAllocated()]
    const { breaches, message } = brokenBy(() => verifyRules(rules, strict, { seed: 2 }))
    expect(breaches.map(({ law }) => law)).toEqual(strict.slice(0, 2).map(({ name }) => name))
    for (const { law } of breaches) expect(message).toContain(law)
  })

  test("are told why nobody is paid, where somebody should be", () => {
    const law = Laws.paid("ada", { link: { type: "products.tag", values: ["art"] } })
    const { message } = brokenBy(() => verifyRules(rules, [law], { seed: 1 }))
    expect(message).toContain("ada is not paid for item 1")
    expect(message).toContain("Group art gives nothing of item 1: it is in force from")
  })

  test("keep a catalogue's product as it is", () => {
    const catalogue = [{ id: "p1", tags: ["art", "blue"], vendor: "North", price: 1_999 }]
    const { breaches } = brokenBy(() =>
      verifyRules(rules, [Laws.atMostOfItem(20)], { catalogue, seed: 4 }),
    )
    expect(breaches[0]?.order.items).toEqual([
      { id: "1", product: catalogue[0], quantity: 1, amount: 1_999 },
    ])
  })
})

describe("a law", () => {
  test("that no order is about fails, as nothing is known of it", () => {
    const isStaff = (order: Order.Order) => order.customerTags?.includes("staff") === true
    const unknown = Laws.nothingWhen({ collaboratorId: "sam" }, isStaff, { name: "not for staff" })
    const error = failureOf(() => verifyRules(rules, [unknown], { seed: 1, runs: 300 }))
    expect(error).toBeInstanceOf(LawsUntested)
    expect(error).toMatchObject({ laws: ["not for staff"], orders: 300 })
    const values = { "customer.tag": ["staff"] }
    const found = brokenBy(() => verifyRules(rules, [unknown], { seed: 1, values }))
    expect(found.breaches[0]?.order.customerTags).toEqual(["staff"])
  })

  test("may throw what it has to say, as assertions do", () => {
    const law = Laws.make("the store keeps all", ({ split }) => {
      expect(split?.shares.filter(({ amount }) => amount !== 0) ?? []).toHaveLength(0)
      return undefined
    })
    const { breaches } = brokenBy(() => verifyRules(rules, [law], { seed: 1 }))
    expect(breaches[0]?.reason).toContain("to have a length of +0 but got 1")
    expect(breaches[0]?.order.items).toHaveLength(1)
  })

  test("that does not say the same twice is broken all the same", () => {
    let asked = 0
    const fickle = Laws.make("fickle", () => {
      asked += 1
      return asked === 7 ? "this once" : undefined
    })
    const { breaches } = brokenBy(() => verifyRules(rules, [fickle], { seed: 1 }))
    expect(breaches).toMatchObject([{ law: "fickle", reason: "this once", path: "6", runs: 7 }])
  })
})

describe("as cases for a test runner", () => {
  const cases = ruleCases(rules, [...laws, wholesale], { seed: 5 })

  test("there is one for each law, by its name", () => {
    expect(cases.map(({ name }) => name)).toEqual([...laws, wholesale].map(({ name }) => name))
  })

  test.each(cases.slice(0, -1).map(({ name, run }) => [name, run] as const))(
    "%s",
    async (_, run) => {
      await run()
    },
  )

  test("one whose law is broken is rejected, with the same order as all of them together", async () => {
    const together = brokenBy(() => verifyRules(rules, [...laws, wholesale], { seed: 5 }))
    const error = await cases
      .at(-1)
      ?.run()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RulesBroken)
    expect(error).toMatchObject({ message: together.message })
  })
})
