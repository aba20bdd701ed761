/**
 * A sale: what was bought, and the attributes that rules match.
 *
 * @since 0.1.0
 */

import type * as Result from "effect/Result"
import * as spelling from "../internal/fieldNames.js"
import { look, objectOf, type Shape } from "../internal/fields.js"
import {
  addProblems,
  mostProblems,
  reading,
  repeats,
  show,
  summarize,
  withoutRepeats,
} from "../internal/problems.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import * as Currency from "../money/Currency.js"
import type { Problem } from "../Problem.js"
import { itemShape, orderShape } from "./internal/shapes.js"
import * as Product from "./Product.js"

/**
 * One line of an order.
 *
 * @since 0.1.0
 * @category models
 */
export interface OrderItem {
  /** Unique within the order. */
  readonly id: string
  readonly product: Product.Product
  /** How many units, a whole number of 0 or more. */
  readonly quantity: number
  /** Price of the whole line before its discount, in cents. Negative for a line that reverses a sale. */
  readonly amount: number
  /** Discount on the whole line, in cents; none when absent. Its sign is the amount's. */
  readonly discount?: number | undefined
  /** Tax of the whole line, in cents; it is part of the amount when the order's `taxesIncluded` is set. */
  readonly taxTotal?: number | null | undefined
  readonly taxPercent?: number | null | undefined
  readonly taxName?: string | null | undefined
  readonly grams?: number | undefined
}

/**
 * The fields of an order, besides its items, that a collaborator may be allowed to see. No rule matches them.
 *
 * @since 0.1.0
 * @category models
 */
export interface OrderDetails {
  readonly customerEmail?: string | null | undefined
  readonly customerName?: string | null | undefined
  readonly status?: string | null | undefined
  readonly paymentGateway?: string | null | undefined
  readonly shippingAddress?: string | null | undefined
  readonly billingAddress?: string | null | undefined
  /** The order's name in the shop, such as `#1001`; everyone who sees the order may see it. @since 0.6.0 */
  readonly orderName?: string | null | undefined
}

/**
 * A sale as the core reads it. Only `id`, `currency` and `items` are needed.
 *
 * @since 0.1.0
 * @category models
 * @example
 * ```ts
 * import type { Order } from "apportion"
 *
 * const order: Order.Order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1", tags: ["art"] }, quantity: 1, amount: 10_000 }],
 * }
 * ```
 */
export interface Order {
  readonly id: string
  /** ISO 4217 code. Every amount of the order is in its lowest unit. */
  readonly currency: string
  /** When the order was placed, in Unix seconds. Groups with effective dates need it. */
  readonly createdAt?: number | null | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly customerTags?: ReadonlyArray<string> | undefined
  readonly discountCodes?: ReadonlyArray<string> | undefined
  /** Two-letter country code of the billing address. */
  readonly billingCountry?: string | null | undefined
  /** Everything the order says about where the buyer came from; any of these satisfies a referer condition. */
  readonly referers?: ReadonlyArray<string> | undefined
  /** Whether tax is part of the items' amounts. */
  readonly taxesIncluded?: boolean | undefined
  /** Shipping paid for the whole order, in cents. */
  readonly shippingAmount?: number | undefined
  /**
   * Tax on the shipping, in cents; it is part of `shippingAmount` when `taxesIncluded` is set. The policy's `tax`
   * applies to it as to the tax on items. None when absent.
   *
   * @since 0.6.0
   */
  readonly shippingTax?: number | undefined
  /** What the payment gateway took for the whole order, in cents. */
  readonly gatewayFee?: number | undefined
  readonly items: ReadonlyArray<OrderItem>
  readonly details?: OrderDetails | undefined
}

const orderFields = /* @__PURE__ */ Object.keys(orderShape satisfies Shape<Order>)

const itemFields = /* @__PURE__ */ Object.keys(itemShape satisfies Shape<OrderItem>)

const none: ReadonlyArray<Problem> = []

const partOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const misspeltInItem = (item: unknown, index: number): ReadonlyArray<Problem> => {
  const found = spelling.misspelt(item, itemFields)
  const inProduct = Product.misspelt(partOf(item, "product"), "product")
  if (found.length === 0 && inProduct.length === 0) return none
  return [...found, ...inProduct].map((problem) => ({
    ...problem,
    path: `items[${index}].${problem.path}`,
  }))
}

const misspeltIn = (order: unknown): ReadonlyArray<Problem> => {
  const found = spelling.misspelt(order, orderFields)
  const items = partOf(order, "items")
  if (!Array.isArray(items)) return found
  let all: Array<Problem> | undefined
  let index = 0
  for (const item of items) {
    // A sparse list with a length of billions ends at its first hole.
    if (typeof item !== "object" || item === null) break
    const inItem = misspeltInItem(item, index)
    if (inItem.length > 0) {
      all ??= [...found]
      addProblems(all, inItem)
      if (all.length >= mostProblems) break
    }
    index += 1
  }
  return all ?? found
}

/**
 * Misspelt fields of an order, its items and their products, such as `discout`: they would have no effect, and somebody
 * would be paid a wrong amount. A split refuses them. A host's own fields are ignored, up to a thousand of them in each
 * object.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Order } from "apportion"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 900, discout: 100 }]
 * const [problem] = Order.misspelt({ id: "1001", currency: "USD", items, channel: "web" })
 * problem?.path // => "items[0].discout"
 * problem?.message // => "is no field and would have no effect, did you mean discount?"
 * ```
 */
export const misspelt = (order: unknown): ReadonlyArray<Problem> => reading(order, misspeltIn)

/**
 * An order that can't be split, with all its problems.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidOrder extends TaggedError("InvalidOrder")<{
  readonly orderId: unknown
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const duplicates = (items: ReadonlyArray<OrderItem>): ReadonlyArray<Problem> =>
  repeats(items.map(({ id }) => id))
    .slice(0, mostProblems)
    .map(({ value, index, first }) => ({
      path: `items[${index}].id`,
      value,
      message: `must be unique in the order, items[${first}] has ${show(value)} too`,
    }))

/** Problems between fields that are each valid. */
const problemsBetweenFields = ({ currency, items }: Order): ReadonlyArray<Problem> => {
  const nets = items.flatMap(({ amount, discount = 0 }, index) => {
    const message = `leaves an amount beyond ±9007199254740991, got ${show(discount)}`
    const path = `items[${index}].discount`
    return Number.isSafeInteger(amount - discount) ? [] : [{ path, value: discount, message }]
  })
  const unknown = `must be an ISO 4217 currency code in capital letters, got ${show(currency)}`
  return [
    ...(Currency.isCurrency(currency)
      ? []
      : [{ path: "currency", value: currency, message: unknown }]),
    ...nets.slice(0, mostProblems),
    ...duplicates(items),
  ]
}

const idOf = (order: unknown): unknown => {
  try {
    return partOf(order, "id")
  } catch {
    return undefined
  }
}

/**
 * Reads an order: every field of it, its items and their products has to be valid, none may be misspelt, and item ids
 * must be unique. All problems are reported at once. Unknown fields are left out.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Order } from "apportion"
 * import { Result } from "effect"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 9.99 }]
 * const result = Order.parse({ id: "1001", currency: "usd", items })
 * Result.isFailure(result) && result.failure.problems.map(({ path }) => path) // => ["items[0].amount"]
 * ```
 */
export const parse = (input: unknown): Result.Result<Order, InvalidOrder> =>
  attempt([InvalidOrder], () => make(input))

/**
 * Reads an order, and throws {@link InvalidOrder} when it is invalid. For orders from outside the program, {@link parse}
 * returns the error as a value.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Order } from "apportion"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 999 }]
 * Order.make({ id: "1001", currency: "USD", items, channel: "web" })
 * // => { id: "1001", currency: "USD", items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 999 }] }
 * ```
 */
export const make = (input: unknown): Order => {
  const { made, problems } = look<Order>(input, objectOf(orderShape))
  const found = withoutRepeats([
    ...misspelt(input),
    ...(made === undefined ? problems : problemsBetweenFields(made)),
  ])
  if (made !== undefined && found.length === 0) return made
  throw new InvalidOrder({ orderId: idOf(input), problems: found, message: summarize(found) })
}
