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

/** An item that is less; a product of a catalogue and its price stay as they are. */
const lessOf = (item: OrderItem, isCatalogued: boolean): ReadonlyArray<OrderItem> => {
  const { product, quantity } = item
  const simpler = [...(quantity === 1 ? [] : [{ ...item, quantity: 1 }]), ...plainly(item)]
  const products = [...withoutField(product, ["id"]), ...withoutEntry(product, ["tags"])]
  return [
    ...withoutField(item, ["id", "product", "quantity", "amount"]),
    ...(isCatalogued ? [] : [...products.map((less) => ({ ...item, product: less })), ...simpler]),
  ]
}

const lesserOrders = (order: Order, isCatalogued: boolean): ReadonlyArray<Order> => {
  const { items } = order
  const lists = ["tags", "customerTags", "discountCodes", "referers"]
  return [
    ...(items.length < 2
      ? []
      : items.map((_, place) => ({ ...order, items: items.toSpliced(place, 1) }))),
    ...withoutField(order, ["id", "currency", "items"]),
    ...withoutEntry(order, lists),
    ...items.flatMap((item, place) =>
      lessOf(item, isCatalogued).map((less) => ({ ...order, items: items.with(place, less) })),
    ),
  ]
}

/** The least that is left of an order of which something is true, and remains true. */
export const pruned = (
  order: Order,
  isTrue: (order: Order) => boolean,
  options: { readonly isCatalogued: boolean },
): Order => {
  let least = order
  for (;;) {
    const less = lesserOrders(least, options.isCatalogued).find(isTrue)
    if (less === undefined) return least
    least = less
  }
}
