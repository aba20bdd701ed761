/** Orders that a platform sends again and again as a whole: what of them is recorded, and what is new. */
import * as Result from "effect/Result"
import type { Order, OrderItem } from "../../../orders/Order.js"
import type { Problem } from "../../../Problem.js"
import type { SoldOrder } from "../../../ports/Platform.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import { SaleChanged } from "../../ServiceError.js"

// Units that are added to a line later are an item of their own, named after the line.

const mark = "+"

/** The id of units added to a line; the first addition has the number 1. */
export const piece = (lineId: string, number: number): string => `${lineId}${mark}${number}`

/** The recorded items of each line of an order, the earliest first. */
export const linesOf = (
  parts: ReadonlyArray<Pick<RecordedSale, "order">>,
): ReadonlyMap<string, ReadonlyArray<OrderItem>> => {
  const lines = new Map<string, Array<OrderItem>>()
  for (const item of parts.flatMap(({ order }) => order.items)) {
    const end = item.id.lastIndexOf(mark)
    const line = end > 0 ? lines.get(item.id.slice(0, end)) : undefined
    if (line === undefined) lines.set(item.id, [item])
    else line.push(item)
  }
  return lines
}

const sumOf = (items: ReadonlyArray<OrderItem>, figure: (item: OrderItem) => number): number =>
  items.reduce((sum, item) => sum + figure(item), 0)

const figures = {
  quantity: (item: OrderItem) => item.quantity,
  amount: (item: OrderItem) => item.amount,
  discount: (item: OrderItem) => item.discount ?? 0,
  taxTotal: (item: OrderItem) => item.taxTotal ?? 0,
} as const

export const howToTakeBack =
  "units that went are a refund: refund them, and nothing else has to be recorded"

const fewer = (path: string, before: number, value: number): Problem => ({
  path,
  value,
  message: `has fewer units than the ${before} that were recorded, got ${value}; ${howToTakeBack}`,
})

/** The items of a line to record: known ones as they were recorded, and one for added units. */
const itemsOf = (line: OrderItem, known: ReadonlyArray<OrderItem>): ReadonlyArray<OrderItem> => {
  const [first] = known
  if (first === undefined) return [line]
  // A platform forgets the product of a line when it is deleted.
  const product = line.product.id === first.product.id ? line.product : first.product
  const more = {
    quantity: line.quantity - sumOf(known, figures.quantity),
    amount: line.amount - sumOf(known, figures.amount),
    discount: (line.discount ?? 0) - sumOf(known, figures.discount),
    taxTotal: (line.taxTotal ?? 0) - sumOf(known, figures.taxTotal),
  }
  if (more.quantity > 0) {
    return [...known, { ...line, ...more, product, id: piece(line.id, known.length) }]
  }
  const isSame = Object.values(more).every((figure) => figure === 0)
  // With other figures, the difference is the first item's, so that it is refused.
  const { amount, discount, taxTotal } = {
    amount: first.amount + more.amount,
    discount: (first.discount ?? 0) + more.discount,
    taxTotal: (first.taxTotal ?? 0) + more.taxTotal,
  }
  return isSame ? known : [{ ...first, amount, discount, taxTotal }, ...known.slice(1)]
}

/**
 * The order to record: known items as they were recorded, and the units and items that are new. Fewer units are
 * refused: they are a refund.
 */
export const toRecord = (
  order: Order,
  parts: ReadonlyArray<RecordedSale>,
): Result.Result<Order, SaleChanged> => {
  if (parts.length === 0) return Result.succeed(order)
  const lines = linesOf(parts)
  const now = new Map(order.items.map((item) => [item.id, item]))
  const problems = [...lines].flatMap(([id, items]) => {
    const before = sumOf(items, figures.quantity)
    const quantity = now.get(id)?.quantity ?? 0
    const index = order.items.findIndex((item) => item.id === id)
    const path = index < 0 ? "items" : `items[${index}].quantity`
    return quantity < before ? [fewer(path, before, quantity)] : []
  })
  if (problems.length > 0) return Result.fail(SaleChanged.of(order.id, problems))
  const items = order.items.flatMap((line) => itemsOf(line, lines.get(line.id) ?? []))
  return Result.succeed({ ...order, items })
}

/** A recorded order as one: its lines with all of their units, and the sums of all parts. */
export const asSold = (
  parts: ReadonlyArray<RecordedSale>,
  known: { readonly leftOut: SoldOrder["leftOut"]; readonly status: string | null },
): SoldOrder | undefined => {
  const [first] = parts
  if (first === undefined) return undefined
  const items = [...linesOf(parts)].map(([id, pieces]): OrderItem => {
    const [item = { id, product: { id }, quantity: 0, amount: 0 }] = pieces
    // The product as it was when units were added last.
    const { product } = pieces.at(-1) ?? item
    return {
      ...{ ...item, product, quantity: sumOf(pieces, figures.quantity) },
      ...{ amount: sumOf(pieces, figures.amount), discount: sumOf(pieces, figures.discount) },
      taxTotal: sumOf(pieces, figures.taxTotal),
    }
  })
  const sum = (figure: (order: Order) => number) =>
    parts.reduce((total, { order }) => total + figure(order), 0)
  const order: Order = {
    ...{ ...first.order, items },
    shippingAmount: sum(({ shippingAmount = 0 }) => shippingAmount),
    shippingTax: sum(({ shippingTax = 0 }) => shippingTax),
    details: { ...first.order.details, status: known.status },
  }
  return { order, leftOut: known.leftOut }
}

/** The recorded items of each line by the line's id. */
export const piecesOf = (
  parts: ReadonlyArray<RecordedSale>,
  lineId: string,
): ReadonlyArray<OrderItem> => linesOf(parts).get(lineId) ?? []
