/** Which orders, items and groups a law is about, as data or as a function, and in words. */

import type { Order, OrderItem } from "../../orders/Order.js"
import * as ProductGroup from "../../rules/ProductGroup.js"
import type { RuleOrderValues } from "../arbitraries/RuleOrders.js"
import { isConditionMet, isSelected } from "../rules/asks.js"

type LawSubject = Pick<ProductGroup.Input, "link" | "condition">

const kinds: Readonly<Record<ProductGroup.LinkType | ProductGroup.ConditionType, string>> = {
  "products.all": "product",
  "products.tag": "tag",
  "products.vendor": "vendor",
  products: "id",
  "order.tag": "order tag",
  "customer.tag": "customer tag",
  "discount.code": "discount code",
  "country.code": "billing country",
  referer: "referer",
}

const asked = ({ type, modifier, values }: ProductGroup.Condition | ProductGroup.Link): string => {
  const having = modifier === "NOT" ? "without" : "with"
  const list = values.map((value) => JSON.stringify(value)).join(" or ")
  return `${having} the ${kinds[type]} ${list === "" ? "of none" : list}`
}

/** `products with the tag "art" in orders without the referer "sam-blog"`. */
export const itemWords = ({ link, condition }: ProductGroup.ProductGroup): string => {
  const products = link.type === "products.all" ? "every item" : `items ${asked(link)}`
  return condition === null ? products : `${products} of orders ${asked(condition)}`
}

/** `orders with the customer tag "wholesale"`. */
export const orderWords = ({ condition }: ProductGroup.ProductGroup): string =>
  condition === null ? "all orders" : `orders ${asked(condition)}`

/** A group that asks for the same: it is checked as one, and matches as one. */
export const groupOf = (input: Partial<LawSubject>): ProductGroup.ProductGroup =>
  ProductGroup.make({
    id: "law",
    collaboratorId: "law",
    link: input.link ?? { type: "products.all" },
    condition: input.condition,
    percent: 0,
  })

/** What orders must have at times for a law to apply. */
export const valuesOf = ({ link, condition }: ProductGroup.ProductGroup): RuleOrderValues => ({
  ...(link.type === "products.all" ? {} : { [link.type]: link.values }),
  ...(condition === null ? {} : { [condition.type]: condition.values }),
})

/** Whether a group that asks for something asks for it of this item. */
export const applies = (group: ProductGroup.ProductGroup, order: Order, item: OrderItem): boolean =>
  isSelected(group, item.product) && isConditionMet(group, order)
