/** Taking away from an order whatever does not matter. */
import type { Order, OrderItem } from "../../matching/Order.js"

/** The same without one of its fields, once for each of them that may be absent. */
const withoutField = <A extends object>(
  value: A,
  needed: ReadonlyArray<string>,
): ReadonlyArray<A> =>
  Object.keys(value)
    .filter((name) => !needed.includes(name))
    .map((name) => {
      const rest = { ...value }
      Reflect.deleteProperty(rest, name)
      return rest
    })

/** The same without one entry of one of its lists. */
const withoutEntry = <A extends object>(value: A, lists: ReadonlyArray<string>): ReadonlyArray<A> =>
  lists.flatMap((name) => {
    const list: unknown = Reflect.get(value, name)
    if (!Array.isArray(list) || list.length < 2) return []
    return list.map((_, place) => ({ ...value, [name]: list.toSpliced(place, 1) }))
  })

const plainAmount = 10_000

/** The plainest amount, in the sign of the item's; beside a discount or a tax it might be too little. */
const plainly = (item: OrderItem): ReadonlyArray<OrderItem> => {
  const amount = Math.sign(item.amount) * plainAmount
  const isAlone = item.discount === undefined && item.taxTotal == null
  return amount === 0 || amount === item.amount || !isAlone ? [] : [{ ...item, amount }]
}

/** One unit, for the price of all of them or for its part of it. */
const singly = (item: OrderItem): ReadonlyArray<OrderItem> => {
  const { quantity, amount, discount, taxTotal } = item
  if (quantity === 1) return []
  const part = (sum: number) => Math.trunc(sum / Math.max(1, quantity))
  const unit = {
    ...item,
    quantity: 1,
    amount: part(amount) || Math.sign(amount),
    ...(discount === undefined ? {} : { discount: part(discount) }),
    ...(taxTotal == null ? {} : { taxTotal: part(taxTotal) }),
  }
  return [{ ...item, quantity: 1 }, unit]
}

/** The price that was left when a discount, or a tax in it, was taken off. */
const netted = (item: OrderItem): ReadonlyArray<OrderItem> => {
  const { discount, ...undiscounted } = item
  const { taxTotal, ...untaxed } = item
  return [
    ...(discount === undefined ? [] : [{ ...undiscounted, amount: item.amount - discount }]),
    ...(taxTotal == null ? [] : [{ ...untaxed, amount: item.amount - taxTotal }]),
  ]
}

/** An item that is less; a product of a catalogue and its price stay as they are. */
const lessOf = (item: OrderItem, isCatalogued: boolean): ReadonlyArray<OrderItem> => {
  const { product } = item
  const products = [...withoutField(product, ["id"]), ...withoutEntry(product, ["tags"])]
  return [
    ...withoutField(item, ["id", "product", "quantity", "amount"]),
    ...(isCatalogued
      ? []
      : [
          ...products.map((less) => ({ ...item, product: less })),
          ...singly(item),
          ...plainly(item),
          ...netted(item),
        ]),
  ]
}

/** The order without one of its items, and with its part of the shipping or with all of it. */
const fewerItems = (order: Order): ReadonlyArray<Order> => {
  const { items, shippingAmount = 0 } = order
  if (items.length < 2) return []
  const rest = shippingAmount - Math.trunc(shippingAmount / items.length)
  return items.flatMap((_, place) => {
    const fewer = { ...order, items: items.toSpliced(place, 1) }
    return shippingAmount === 0 ? [fewer] : [fewer, { ...fewer, shippingAmount: rest }]
  })
}

/** The shipping in the price of the one item there is; twice that, for percentages of it are claimed too. */
const shippingInPrice = (order: Order): ReadonlyArray<Order> => {
  const { items, shippingAmount, ...rest } = order
  const [item] = items
  if (item === undefined || items.length > 1 || shippingAmount === undefined) return []
  const amount = item.amount + shippingAmount
  return [amount, 2 * amount].map((price) => ({ ...rest, items: [{ ...item, amount: price }] }))
}

const lesserOrders = (order: Order, isCatalogued: boolean): ReadonlyArray<Order> => {
  const { items } = order
  const lists = ["tags", "customerTags", "discountCodes", "referers"]
  return [
    ...fewerItems(order),
    ...withoutField(order, ["id", "currency", "items"]),
    ...withoutEntry(order, lists),
    ...items.flatMap((item, place) =>
      lessOf(item, isCatalogued).map((less) => ({ ...order, items: items.with(place, less) })),
    ),
    ...(isCatalogued ? [] : shippingInPrice(order)),
  ]
}

/** What is less by one thing, then what is less by two: a tax, say, and that it is in the price. */
function* lesser(order: Order, isCatalogued: boolean): Generator<Order, void> {
  const orders = lesserOrders(order, isCatalogued)
  yield* orders
  for (const less of orders) yield* lesserOrders(less, isCatalogued)
}

const firstOf = <A>(values: Iterable<A>, is: (value: A) => boolean): A | undefined => {
  for (const value of values) if (is(value)) return value
  return undefined
}

/**
 * What is left of an order of which something is true, when everything is taken away without which it remains
 * true: of what is left, no single thing can be left out, and no two.
 */
export const pruned = (
  order: Order,
  isTrue: (order: Order) => boolean,
  options: { readonly isCatalogued: boolean },
): Order => {
  let least = order
  for (;;) {
    const less = firstOf(lesser(least, options.isCatalogued), isTrue)
    if (less === undefined) return least
    least = less
  }
}
