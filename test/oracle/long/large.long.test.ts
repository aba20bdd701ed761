/**
 * Where counters of a quick index might overflow: more groups, values and questions than sixteen bits hold.
 */
import { type Order, type Product, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"
import { oracleLinkedGroups, oracleMatchingGroups } from "../Oracle.js"
import { type Asked, differenceOf, wantedOf } from "./Compare.js"
import { library, policies } from "./Engine.js"
import { groupsOf } from "./Groups.js"
import { orderOf, productOf } from "./Orders.js"
import { Random } from "./Random.js"
import { sceneOf } from "./Scene.js"

type Group = ProductGroup.GroupInput

const random = new Random(41)
const many = 70_000

/** One group for each tag and product, some for a few of them, some for all but one. */
const manyGroups = (): ReadonlyArray<Group> =>
  Array.from({ length: many }, (_, index): Group => {
    const type = random.pick(["products.tag", "products.vendor", "products"] as const)
    const values = [`v${index}`, ...(index % 50 === 0 ? [`v${random.below(many)}`, "shared"] : [])]
    const modifier = index % 10_000 === 9_999 ? "NOT" : "WITH"
    const condition = { type: "referer", values: [`r${random.below(many)}`, "r1"] } as const
    return {
      id: `g${index}`,
      collaboratorId: `c${index % 40_000}`,
      link: { type, modifier, values },
      condition: index % 4 === 0 ? condition : null,
      percent: "0.01",
      createdAt: index % 3,
    }
  })

const someProduct = (): Product.Product => ({
  id: `v${random.below(many)}`,
  vendor: `V${random.below(many)}`,
  tags: random.percent(10)
    ? ["Shared", `v${many - 1}`]
    : [`v${random.below(many)}`, "v65535", "v65536"],
})

const idsOf = (groups: ReadonlyArray<{ readonly id: string }>) => groups.map(({ id }) => id)

test("seventy thousand groups, and changes of them, match as the oracle says", () => {
  let groups = manyGroups()
  let rules = RuleSet.make(groups)
  for (let count = 0; count < 12; count += 1) {
    const place = random.below(groups.length)
    const group = { ...groups[place], ...groups[random.below(many)], id: `g${place}` } as Group
    groups = groups.map((one) => (one.id === group.id ? group : one))
    rules = RuleSet.put(rules, group)
    const product = someProduct()
    const item = { id: "1", product, quantity: 1, amount: 1_000 }
    const order: Order.Order = { id: "1", currency: "USD", items: [item], referers: ["R1"] }
    const matching = RuleSet.matchingGroups(rules, order, item)
    expect(idsOf(matching)).toEqual(idsOf(oracleMatchingGroups(groups, order, item)))
    expect(idsOf(RuleSet.linkedGroups(rules, product))).toEqual(
      idsOf(oracleLinkedGroups(groups, product)),
    )
  }
})

/** Just before, at and after the numbers that eight and sixteen bits end at. */
const isNearOverflow = (count: number): boolean =>
  [256, 512, 65_536, 131_072].some((end) => Math.abs(count - end) < 6)

test("a rule set that is asked a hundred and forty thousand times still answers as the oracle", () => {
  const scene = sceneOf(new Random(42), "bucket")
  const groups = groupsOf(scene)
  const rules = RuleSet.make(groups)
  const products = Array.from({ length: 40 }, () => productOf(scene))
  const orders = Array.from({ length: 199 }, (_, index) =>
    orderOf(scene, `${index}`, () => scene.random.pick(products)),
  ).filter((order) => order.items.length > 0)
  let compared = 0
  for (let count = 0; count < 140_000; count += 1) {
    const order = orders[(count * 7) % orders.length]
    const policy = policies[(count * 1_847) % policies.length]
    const item = order?.items[0]
    if (order === undefined || policy === undefined || item === undefined) continue
    if (!isNearOverflow(count) && count % 1_000 !== 0) {
      library.matching(rules, order, item)
      continue
    }
    const asked: Asked = { groups, order, policy }
    expect(
      differenceOf(library.split(rules, order, policy), asked, wantedOf(asked)),
    ).toBeUndefined()
    compared += 1
  }
  expect(compared).toBeGreaterThan(150)
})

test("two hundred thousand products come by, each once, and the first are known again as they are now", () => {
  const links = ["products.tag", "products.vendor", "products"] as const
  const rules = RuleSet.make(
    Array.from({ length: 90 }, (_, index) => ({
      id: `g${index}`,
      collaboratorId: "ada",
      link: { type: links[index % 3] ?? "products", values: [`v${index}`] },
      percent: 10,
    })),
  )
  const matchingOf = (product: Product.Product) => idsOf(RuleSet.linkedGroups(rules, product))
  const sharesOf = (product: Product.Product) => {
    const item = { id: "1", product, quantity: 1, amount: 1_000 }
    return idsOf(RuleSet.matchingGroups(rules, { id: "1", currency: "USD", items: [item] }, item))
  }
  for (let count = 0; count < 200_000; count += 1) {
    const seen = sharesOf({ id: `p${count}`, tags: [`v${count % 90}`, `w${count}`] })
    if (seen.length !== (count % 3 === 0 ? 1 : 0)) expect(seen).toEqual(`product ${count}`)
  }
  for (let count = 0; count < 90; count += 1) {
    const product = { id: `p${count}`, tags: [`v${(count + 3) % 90}`] }
    const wanted = count % 3 === 0 ? [`g${(count + 3) % 90}`] : []
    expect(sharesOf(product)).toEqual(wanted)
    expect(matchingOf(product)).toEqual(wanted)
  }
})
