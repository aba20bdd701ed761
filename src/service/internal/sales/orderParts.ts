/**
 * The parts of an order: which items are new, and what is left of the order's sums for them. An order is recorded in one
 * part; items that are added later are a part of their own.
 */
import * as Result from "effect/Result"
import { show } from "../../../internal/problems.js"
import * as Cents from "../../../money/Cents.js"
import type * as Order from "../../../orders/Order.js"
import type { Problem } from "../../../Problem.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import { SaleChanged } from "../../ServiceError.js"
import { howToTakeBack, linesOf, piece } from "./orderStates.js"

type OrderPart = Pick<RecordedSale, "order" | "split">

/** A part of an order that was not recorded yet. */
export interface NewPart {
  /** The order with its new items alone, and with what the earlier parts left of its sums. */
  readonly order: Order.Order
  readonly newItemIds: ReadonlyArray<string>
  readonly knownItemIds: ReadonlyArray<string>
  /** Sums of the order that differ from those of its parts, and of which nothing is recorded now. */
  readonly notes: ReadonlyArray<Problem>
}

const figures = {
  amount: (item: Order.OrderItem) => item.amount,
  quantity: (item: Order.OrderItem) => item.quantity,
  discount: (item: Order.OrderItem) => item.discount ?? 0,
  taxTotal: (item: Order.OrderItem) => item.taxTotal ?? 0,
  "product.id": (item: Order.OrderItem) => item.product.id,
}

const changed = (path: string, before: unknown, value: unknown): Problem => ({
  path,
  value,
  message: `was recorded as ${show(before)}, got ${show(value)}`,
})

const itemChanges = (
  index: number,
  before: Order.OrderItem,
  item: Order.OrderItem,
): ReadonlyArray<Problem> =>
  Object.entries(figures).flatMap(([field, figureOf]) => {
    const [recorded, value] = [figureOf(before), figureOf(item)]
    if (recorded === value) return []
    const problem = changed(`items[${index}].${field}`, recorded, value)
    const isFewer = field === "quantity" && value < recorded
    return [isFewer ? { ...problem, message: `${problem.message}; ${howToTakeBack}` } : problem]
  })

const added = ["quantity", "amount", "discount", "taxTotal"] as const

/** All that was recorded of a line, as one item. */
const wholeOf = (first: Order.OrderItem, pieces: ReadonlyArray<Order.OrderItem>) => {
  const sum = (name: (typeof added)[number]) =>
    pieces.reduce((total, item) => total + figures[name](item), 0)
  const [quantity, amount] = [sum("quantity"), sum("amount")]
  return { ...first, quantity, amount, discount: sum("discount"), taxTotal: sum("taxTotal") }
}

/** Whether an item is a line, or units added to it: in a later part, of the same product, by number. */
const isPieceOf =
  (lineId: string, first: Order.OrderItem, parts: ReadonlyArray<OrderPart>) =>
  (item: Order.OrderItem): boolean => {
    if (item.id === lineId) return true
    const isBeside = parts.some(
      ({ order: { items } }) => items.includes(first) && items.includes(item),
    )
    const number = item.id.slice(lineId.length + 1)
    return !isBeside && /^\d+$/.test(number) && item.product.id === first.product.id
  }

/** Units added to a recorded line; `undefined`: there are none, or other figures changed too. */
const unitsAdded = (
  before: Order.OrderItem,
  item: Order.OrderItem,
): Partial<Order.OrderItem> | undefined => {
  if (before.product.id !== item.product.id || item.quantity <= before.quantity) return undefined
  const more = (name: (typeof added)[number]) => figures[name](item) - figures[name](before)
  const [quantity, amount] = [more("quantity"), more("amount")]
  const [discount, taxTotal] = [more("discount"), more("taxTotal")]
  const sign = Math.sign(item.amount)
  const isMore = [amount, discount, taxTotal].every((by) => by === 0 || Math.sign(by) === sign)
  // More units for the same money would be another price.
  const isPaidFor = amount !== 0 || item.amount === 0
  return isMore && isPaidFor ? { quantity, amount, discount, taxTotal } : undefined
}

const currencyChange = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): ReadonlyArray<Problem> => {
  const recorded = parts[0]?.order.currency ?? order.currency
  return recorded === order.currency ? [] : [changed("currency", recorded, order.currency)]
}

/**
 * What is left of a sum of the whole order. Earlier parts divided theirs over their items to the last
 * cent; a sum that is lower by now is used up, for what was recorded stays.
 */
const restOf = (
  total: number,
  used: ReadonlyArray<number>,
  what: string,
): Result.Result<number, Cents.AmountOutOfRange> =>
  Result.map(Cents.sum([total, ...used.map((amount) => 0 - amount)], { what }), (rest) =>
    Math.sign(rest) === Math.sign(total) ? rest : 0,
  )

const reduced = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): Result.Result<Order.Order, Cents.AmountOutOfRange> =>
  Result.gen(function* () {
    if (parts.length === 0) return order
    const rest = (sum: "shippingAmount" | "shippingTax" | "gatewayFee") => {
      const used = parts.map((part) => part.order[sum] ?? 0)
      return restOf(order[sum] ?? 0, used, `what is left of ${sum} of order ${order.id}`)
    }
    const shippingAmount = yield* rest("shippingAmount")
    const gatewayFee = yield* rest("gatewayFee")
    if (order.shippingTax === undefined) return { ...order, shippingAmount, gatewayFee }
    return { ...order, shippingAmount, shippingTax: yield* rest("shippingTax"), gatewayFee }
  })

const sums = ["shippingAmount", "shippingTax", "gatewayFee"] as const

/** Notes about sums of the order that its parts did not record in full: shipping and fees come with items. */
const unusedSums = (
  order: Order.Order,
  parts: ReadonlyArray<Pick<OrderPart, "order">>,
): ReadonlyArray<Problem> =>
  sums.flatMap((path) => {
    const value = order[path]
    const before = parts.reduce((total, part) => total + (part.order[path] ?? 0), 0)
    if (value === undefined || value === before) return []
    const message = `stays as it was recorded, as ${before}, got ${value}: only new items bring more of it, and what went back is a refund`
    return [{ path, value, message }]
  })

const hasNoFigure = ({ amount, discount = 0, taxTotal }: Order.OrderItem): boolean =>
  amount === 0 && discount === 0 && (taxTotal ?? 0) === 0

/** Whether new items of a return have no figure that says if they came back or were given. */
const isOfNoDirection = (
  items: ReadonlyArray<Order.OrderItem>,
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): boolean => {
  const earlier = parts.flatMap((part) => part.order.items)
  const total = earlier.reduce((sum, { amount }) => sum + amount, 0)
  return items.length > 0 && total < 0 && items.every(hasNoFigure) && !bringsSums(order, parts)
}

/** Whether an order has more shipping or a higher fee than its parts, in either direction. */
const bringsSums = (order: Order.Order, parts: ReadonlyArray<OrderPart>): boolean =>
  sums.some((name) => {
    const total = order[name] ?? 0
    const left = parts.reduce((rest, part) => rest - (part.order[name] ?? 0), total)
    return left !== 0 && Math.sign(left) === Math.sign(total)
  })

const noDirection = (order: Order.Order, items: ReadonlyArray<Order.OrderItem>): Problem => {
  const index = order.items.findIndex(({ id }) => id === items[0]?.id)
  const message =
    "is 0, and the order is a return: nothing says whether the item came back or was given, so record it in an order of its own"
  return { path: `items[${Math.max(0, index)}].amount`, value: 0, message }
}

const nothingRecorded = { knownItemIds: [], notes: [] } as const

/**
 * The new part of an order, given its recorded parts. Recorded items with changed figures are refused, all of them at
 * once.
 */
export const newPart = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): Result.Result<NewPart, SaleChanged | Cents.AmountOutOfRange> => {
  const isWhole = parts.length === 0 && order.items.length > 0
  if (!isWhole) return laterPart(order, parts)
  return Result.succeed({ order, newItemIds: order.items.map(({ id }) => id), ...nothingRecorded })
}

const laterPart = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): Result.Result<NewPart, SaleChanged | Cents.AmountOutOfRange> =>
  Result.gen(function* () {
    const recorded = new Map(parts.flatMap((part) => part.order.items).map((it) => [it.id, it]))
    const lines = linesOf(parts)
    const sent = new Set(order.items.map(({ id }) => id))
    const unused = (lineId: string, number: number): string => {
      const id = piece(lineId, number)
      return recorded.has(id) || sent.has(id) ? unused(lineId, number + 1) : id
    }
    const problems = [...currencyChange(order, parts)]
    const items: Array<Order.OrderItem> = []
    const knownItemIds: Array<string> = []
    order.items.forEach((item, index) => {
      const own = recorded.get(item.id)
      if (own === undefined) {
        items.push(item)
        return
      }
      const pieces = (lines.get(item.id) ?? [own]).filter(isPieceOf(item.id, own, parts))
      // A caller that names added units by their own id means each item separately.
      const isWhole = !pieces.some(({ id }) => id !== item.id && sent.has(id))
      const before = isWhole ? wholeOf(own, pieces) : own
      const more = isWhole ? unitsAdded(before, item) : undefined
      knownItemIds.push(item.id)
      if (more === undefined) problems.push(...itemChanges(index, before, item))
      else items.push({ ...item, ...more, id: unused(item.id, pieces.length) })
    })
    if (isOfNoDirection(items, order, parts)) problems.push(noDirection(order, items))
    if (problems.length > 0) return yield* Result.fail(SaleChanged.of(order.id, problems))
    const rest = yield* reduced({ ...order, items }, parts)
    const newItemIds = items.map(({ id }) => id)
    const notes = unusedSums(order, newItemIds.length === 0 ? parts : [...parts, { order: rest }])
    return { order: rest, newItemIds, knownItemIds, notes }
  })
