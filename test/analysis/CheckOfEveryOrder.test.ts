/** What a check says, beside what is seen by looking at every order that some groups can tell apart. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Analysis, type Order, type ProductGroup, RuleSet } from "../../src/index.js"

const links: ReadonlyArray<ProductGroup.GroupInput["link"]> = [
  { type: "products.all" },
  { type: "products.tag", values: ["a"] },
  { type: "products.tag", values: ["b"] },
  { type: "products.tag", values: ["B", "a"] },
  { type: "products.tag", modifier: "NOT", values: ["a"] },
  { type: "products.vendor", values: ["v"] },
  { type: "products.vendor", values: ["w"] },
]

const conditions: ReadonlyArray<ProductGroup.GroupInput["condition"]> = [
  null,
  { type: "referer", values: ["r"] },
  { type: "referer", modifier: "NOT", values: ["r"] },
]

const groupOf = fc.record({
  collaboratorId: fc.constantFrom("ada", "sam"),
  link: fc.constantFrom(...links),
  condition: fc.constantFrom(...conditions),
  percent: fc.constantFrom(0, 5, 10),
  createdAt: fc.constantFrom(null, 1),
})

const rulesOf = fc
  .array(groupOf, { minLength: 2, maxLength: 7 })
  .map((groups) => RuleSet.make(groups.map((group, index) => ({ ...group, id: `g${index}` }))))

const tags = [[], ["a"], ["b"], ["a", "b"]]

/** Every order of one item that the groups can tell apart. */
const orders: ReadonlyArray<Order.Order> = tags.flatMap((own) =>
  [undefined, "v", "w"].flatMap((vendor) =>
    [[], ["r"]].map((referers) => {
      const product = { id: "p", tags: own, vendor }
      return {
        id: "o",
        currency: "USD",
        referers,
        items: [{ id: "i", product, quantity: 1, amount: 10_000 }],
      }
    }),
  ),
)

/** For each order and collaborator the groups that match, the most specific one first. */
const matchesOf = (
  rules: RuleSet.RuleSet,
): ReadonlyArray<ReadonlyArray<ProductGroup.ProductGroup>> =>
  orders.flatMap((order) =>
    RuleSet.matchingByItem(rules, order).flatMap((groups) => [
      ...Map.groupBy(groups, ({ collaboratorId }) => collaboratorId).values(),
    ]),
  )

const pays = ({ percent }: ProductGroup.ProductGroup) => Number(percent)

const isAsSpecific = (one: ProductGroup.ProductGroup, other: ProductGroup.ProductGroup) =>
  one.link.type === other.link.type && (one.condition === null) === (other.condition === null)

/** Whether it is worth a word that the first one counts and the second one does not. */
const isSurprising = (winner: ProductGroup.ProductGroup, loser: ProductGroup.ProductGroup) =>
  pays(winner) > 0 &&
  (isAsSpecific(winner, loser) ? pays(winner) !== pays(loser) : pays(winner) < pays(loser))

const found = (rules: RuleSet.RuleSet, rule: Analysis.CheckRule, options?: Analysis.Options) =>
  Analysis.check(rules, options).findings.filter((finding) => finding.rule === rule)

describe("what a check says is so on some order, and what it does not say on none", () => {
  test("overlaps", () => {
    let told = 0
    fc.assert(
      fc.property(rulesOf, (rules) => {
        const matches = matchesOf(rules)
        const living = new Set(matches.map(([first]) => first?.id))
        const pairs = matches.flatMap(([winner, ...losers]) =>
          losers
            .filter((loser) => winner !== undefined && isSurprising(winner, loser))
            .filter(({ id }) => living.has(id))
            .flatMap((loser) => [winner?.id, loser.id]),
        )
        const ids = found(rules, "overlap").flatMap(({ groupIds }) => groupIds)
        expect(new Set(ids)).toEqual(new Set(pairs))
        told += ids.length
      }),
      { numRuns: 400 },
    )
    expect(told).toBeGreaterThan(100)
  })

  test("groups that pay nothing, and those that they hide", () => {
    let told = 0
    fc.assert(
      fc.property(rulesOf, (rules) => {
        const expected = new Map<string, Set<string>>()
        for (const [first, second] of matchesOf(rules)) {
          if (first === undefined || pays(first) > 0) continue
          const hidden = expected.get(first.id) ?? new Set()
          if (second !== undefined && pays(second) > 0) hidden.add(second.id)
          expected.set(first.id, hidden)
          told += hidden.size
        }
        const ids = found(rules, "pays-nothing").map(({ groupIds: [id, ...hidden] }) => [
          id,
          new Set(hidden),
        ])
        expect(new Map(ids.map(([id, hidden]) => [id, hidden]))).toEqual(expected)
      }),
      { numRuns: 400 },
    )
    expect(told).toBeGreaterThan(100)
  })

  test("groups of one collaborator that always apply together, where each is paid", () => {
    let told = 0
    fc.assert(
      fc.property(rulesOf, (rules) => {
        const matches = matchesOf(rules)
        const whereOf = ({ id, collaboratorId }: ProductGroup.ProductGroup) => {
          const places = matches.map((groups) => groups.some((group) => group.id === id))
          return JSON.stringify([collaboratorId, places])
        }
        const lists = Map.groupBy(
          rules.groups.filter((group) => pays(group) > 0),
          whereOf,
        )
        const expected = [...lists.values()]
          .filter((list) => list.length > 1)
          .map((list) => list.map(({ id }) => id).join(" "))
        const policy = { stacking: "all" } as const
        const ids = found(rules, "same-orders", { policy }).map(({ groupIds }) =>
          groupIds.join(" "),
        )
        expect(ids.sort()).toEqual(expected.sort())
        told += ids.length
      }),
      { numRuns: 400 },
    )
    expect(told).toBeGreaterThan(15)
  })
})
