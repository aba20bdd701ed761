/**
 * A part of the small scope here; all of it by `npm run verify:long`.
 */
import { type Order, type RuleSet, Split } from "apportion"
import { describe, expect, test } from "vitest"
import { isWhole } from "../../generators/Runs.js"
import { type GroupCount, lookAt, type SplitOrder } from "./Scope.js"

/** Primes, so that no two rule sets in a row that differ in one thing alone are always left out. */
const every = isWhole ? { 1: 31, 2: 997, 3: 9_973 } : { 1: 127, 2: 2_003, 3: 39_989 }

describe("the library pays whom the rules name, on every order, by rule sets", () => {
  test.each<GroupCount>([1, 2, 3])("of %i groups", (groupCount) => {
    const { difference, counts } = lookAt(groupCount, { every: every[groupCount], first: 5 })
    expect(difference).toBeUndefined()
    expect(counts.lines).toBeGreaterThan(isWhole ? 20_000 : 5_000)
    expect(counts.paid / counts.lines).toBeGreaterThan(0.2)
    expect(counts.unpaid / counts.lines).toBeGreaterThan(0.2)
    if (groupCount > 1) expect(counts.outranked / counts.lines).toBeGreaterThan(0.02)
  })
})

const seeing =
  (
    seenOrder: (order: Order.Order) => Order.Order,
    seenGroups: (groups: RuleSet.RuleSet["groups"]) => RuleSet.RuleSet["groups"] = (groups) =>
      groups,
  ): SplitOrder =>
  (rules, order, policy) =>
    Split.order({ groups: seenGroups(rules.groups) }, seenOrder(order), policy)

const withProducts = (
  order: Order.Order,
  change: (product: Order.OrderItem["product"]) => Order.OrderItem["product"],
): Order.Order => ({
  ...order,
  items: order.items.map((item) => ({ ...item, product: change(item.product) })),
})

const faults: ReadonlyArray<readonly [string, SplitOrder]> = [
  [
    "external ids are not looked at",
    seeing((order) => withProducts(order, ({ id, tags, vendor }) => ({ id, tags, vendor }))),
  ],
  [
    "a product without a vendor does not satisfy NOT",
    seeing((order) =>
      withProducts(order, (product) => ({ ...product, vendor: product.vendor ?? "a" })),
    ),
  ],
  [
    "only the first tag of a product counts",
    seeing((order) =>
      withProducts(order, (product) => ({ ...product, tags: product.tags?.slice(0, 1) })),
    ),
  ],
  [
    "NOT asks for one of the values to be missing",
    seeing(
      (order) => order,
      (groups) =>
        groups.map((group) =>
          group.link.modifier === "NOT"
            ? { ...group, link: { ...group.link, values: group.link.values.slice(0, 1) } }
            : group,
        ),
    ),
  ],
  [
    "the older of two groups counts",
    seeing(
      (order) => order,
      (groups) =>
        groups.map((group) => ({
          ...group,
          createdAt: group.createdAt === null ? null : -group.createdAt,
        })),
    ),
  ],
]

describe("the small scope notices when", () => {
  test.each(faults)("%s", (_, split) => {
    const { difference } = lookAt(2, { every: every[2], split })
    expect(difference).toBeDefined()
  })
})
