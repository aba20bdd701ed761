// A line of an order as the rule engines get it: folded text, lists, and single values where there can be but one.
// It is made before the clock starts, which favours them.
import { attributes, fold, foldOf } from "./text.mjs"

/** The names of the facts that a link or condition is about: the list, and the single values if there are any. */
export const factsFor = {
  "order.tag": { list: "orderTags" },
  "customer.tag": { list: "customerTags" },
  "discount.code": { list: "discountCodes" },
  "country.code": { list: "countries", single: ["country"] },
  referer: { list: "referers" },
  products: { list: "ids", single: ["id", "externalId"] },
  "products.tag": { list: "tags" },
  "products.vendor": { list: "vendors", single: ["vendor"] },
}

const factsOf = (order, { product }) => {
  const facts = {
    at: order.createdAt ?? null,
    id: product.id,
    externalId: product.externalId ?? null,
    ids: product.externalId === undefined ? [product.id] : [product.id, product.externalId],
    tags: (product.tags ?? []).map(fold),
    vendors: product.vendor === undefined ? [] : [fold(product.vendor)],
  }
  for (const [type, read] of Object.entries(attributes)) {
    facts[factsFor[type].list] = read(order).map(foldOf(type))
  }
  facts.vendor = facts.vendors[0] ?? null
  facts.country = facts.countries[0] ?? null
  return facts
}

/** The facts of the first `count` lines of orders. */
export const factsOfLines = (orders, count) =>
  orders.flatMap((order) => order.items.map((item) => factsOf(order, item))).slice(0, count)
