/**
 * The brute force varies everything that a claim, or what it is of, may depend on: each field of an order that the
 * engine reads, each field of a group, each choice of a policy. One that is added there and not here fails: in the
 * compiler where a model has a new field, in a test where the engine begins to read one.
 */
import { type Order, type Product, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import { expect, test } from "vitest"
import { policyOptions } from "../../generators/Sales.js"
import { crowdOf, questionOf } from "../Random.js"
import { Brute, tellingSales, tried } from "./Answers.js"
import { possibleOrders, priced } from "./Orders.js"

/** `varied`: by the brute force. `named`: it calls something by a name. `told`: no split depends on it. */
type Kind = "varied" | "named" | "told"
type Fields<Model> = { readonly [Field in keyof Required<Model>]: Kind }

const orderFields: Fields<Order.Order> = {
  id: "named",
  currency: "named",
  createdAt: "varied",
  tags: "varied",
  customerTags: "varied",
  discountCodes: "varied",
  billingCountry: "varied",
  referers: "varied",
  taxesIncluded: "varied",
  shippingAmount: "varied",
  shippingTax: "varied",
  gatewayFee: "varied",
  items: "named",
  details: "told",
}

const itemFields: Fields<Order.OrderItem> = {
  id: "named",
  product: "named",
  quantity: "varied",
  amount: "varied",
  discount: "varied",
  taxTotal: "varied",
  taxPercent: "told",
  taxName: "told",
  grams: "told",
}

const productFields: Fields<Product.Product> = {
  id: "varied",
  externalId: "varied",
  externalVariantId: "told",
  // Rules of the brute force name no ids with a prefix.
  otherIds: "named",
  name: "told",
  sku: "told",
  vendor: "varied",
  price: "varied",
  cost: "varied",
  tags: "varied",
  inventoryQuantity: "told",
}

const groupFields: Fields<ProductGroup.GroupInput> = {
  id: "varied",
  collaboratorId: "varied",
  link: "varied",
  condition: "varied",
  percent: "varied",
  amount: "varied",
  shippingPercent: "varied",
  shippingAmount: "varied",
  deductForOtherSplits: "varied",
  minAmount: "varied",
  maxAmount: "varied",
  startsAt: "varied",
  endsAt: "varied",
  createdAt: "varied",
}

const fieldsOf = (kinds: Readonly<Record<string, Kind>>, kind: Kind): ReadonlyArray<string> =>
  Object.entries(kinds)
    .filter(([, each]) => each === kind)
    .map(([field]) => field)
    .sort()

const questions = Array.from({ length: 150 }, (_, seed) =>
  seed % 5 === 0 ? crowdOf(seed) : questionOf(seed),
)

/** A few of the orders that are tried for each question, and those that two rule sets are told apart by. */
const orders = questions.flatMap((question) => {
  const brute = new Brute(question, possibleOrders(question.groups, question).slice(0, 200))
  return brute.kinds.slice(0, 3).flatMap(({ order }) => {
    const { any, atPrice } = tried(brute, order)
    return [...any, ...atPrice, ...tellingSales("share").map((sale) => priced(order, sale))]
  })
})

const valuesOf = (things: ReadonlyArray<object>): ReadonlyMap<string, ReadonlySet<string>> => {
  const values = new Map<string, Set<string>>()
  for (const thing of things) {
    for (const [field, value] of Object.entries(thing)) {
      const known = values.get(field) ?? new Set()
      values.set(field, known.add(JSON.stringify(value) ?? ""))
    }
  }
  return values
}

const variedIn = (things: ReadonlyArray<object>): ReadonlyArray<string> =>
  [...valuesOf(things)]
    .filter(([, values]) => values.size > 1)
    .map(([field]) => field)
    .sort()

test.each([
  ["orders", orderFields, orders],
  ["items", itemFields, orders.flatMap(({ items }) => items)],
  ["products", productFields, orders.flatMap(({ items }) => items.map(({ product }) => product))],
  ["groups", groupFields, questions.flatMap(({ groups }) => groups)],
])("every field of %s that is to be varied is", (_, kinds, things) => {
  expect(variedIn(things)).toEqual(expect.arrayContaining([...fieldsOf(kinds, "varied")]))
})

test("every choice of a policy is made", () => {
  const made = valuesOf(questions.map(({ policy = {} }) => policy))
  for (const [choice, values] of Object.entries(policyOptions)) {
    expect([...(made.get(choice) ?? [])].sort(), `${choice}, by policyOf in Random.ts`).toEqual(
      values.map((value) => JSON.stringify(value)).sort(),
    )
  }
})

/** The thing, with the names of the fields that are read of it noted. */
const watched = <Thing extends object>(thing: Thing, read: Set<string>): Thing =>
  new Proxy(thing, {
    get: (target, field, receiver) => {
      if (typeof field === "string") read.add(field)
      return Reflect.get(target, field, receiver)
    },
  })

/** All combinations of what a policy says of money. */
const policies = policyOptions.discount.flatMap((discount) =>
  policyOptions.tax.flatMap((tax) =>
    policyOptions.shipping.flatMap((shipping) =>
      policyOptions.flatScope.flatMap((flatScope) =>
        policyOptions.cost.map((cost, place) =>
          SplitPolicy.make({
            discount,
            tax,
            shipping,
            flatScope,
            cost,
            gatewayFee: place === 0 ? "ignore" : "deduct",
            overAllocation: "allow",
          }),
        ),
      ),
    ),
  ),
)

const full: Order.Order = {
  id: "1",
  currency: "USD",
  createdAt: 15,
  tags: ["x"],
  customerTags: ["x"],
  discountCodes: ["x"],
  billingCountry: "DE",
  referers: ["x"],
  taxesIncluded: true,
  shippingAmount: 100,
  shippingTax: 10,
  gatewayFee: 30,
  items: [],
  details: { customerName: "Kim" },
}
const item: Order.OrderItem = {
  id: "1",
  product: { id: "p1", externalId: "p2", vendor: "Nord", tags: ["art"], price: 500, cost: 10 },
  quantity: 2,
  amount: 1_000,
  discount: 100,
  taxTotal: 50,
  taxPercent: 5,
  taxName: "VAT",
  grams: 3,
}

test("the engine reads no field that is not varied, whatever the policy", () => {
  const read = { order: new Set<string>(), item: new Set<string>(), product: new Set<string>() }
  for (const [place, policy] of policies.entries()) {
    const { groups } = questions[place % questions.length] ?? { groups: [] }
    const product = watched(item.product, read.product)
    const items = [watched({ ...item, product }, read.item), { ...item, id: "2" }]
    const order = watched({ ...full, items, taxesIncluded: place % 2 === 0 }, read.order)
    Split.orderResult(RuleSet.make(groups), order, policy)
  }
  const unknown = (kinds: Readonly<Record<string, Kind>>, fields: ReadonlySet<string>) => {
    const known = [...fieldsOf(kinds, "varied"), ...fieldsOf(kinds, "named")]
    return [...fields].filter((field) => !known.includes(field))
  }
  expect(unknown(orderFields, read.order)).toEqual([])
  expect(unknown(itemFields, read.item)).toEqual([])
  expect(unknown(productFields, read.product)).toEqual([])
  // What is told of as varied is what makes the difference, so it has to be read.
  expect([...read.order]).toEqual(expect.arrayContaining([...fieldsOf(orderFields, "varied")]))
  expect([...read.item]).toEqual(expect.arrayContaining([...fieldsOf(itemFields, "varied")]))
})
