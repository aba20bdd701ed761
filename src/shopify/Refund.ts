/**
 * Shopify's refunds: the admin API's JSON, the webhooks, and the refunds inside an order.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import * as Currency from "../money/Currency.js"
import type { Problem } from "../Problem.js"
import type * as Core from "../shares/Refund.js"
import type { Unreadable } from "../Unreadable.js"
import * as documents from "./internal/documents.js"
import type * as money from "./internal/money.js"
import { readLineRefund } from "./internal/refundLines.js"

/**
 * What one Shopify refund says.
 *
 * @since 0.1.0
 * @category models
 */
export interface RefundReading {
  /** One for each refunded line. */
  readonly refunds: ReadonlyArray<Core.Refund>
  /** Money that belongs to no line, as adjustments of the whole order do, and was therefore not read. */
  readonly notRead: ReadonlyArray<Problem>
}

/**
 * Choices for reading Shopify's refunds.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  /** The shop's currency, when the refund does not name it. */
  readonly currency?: string | undefined
  /** Where the document stands in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

const shopCurrencyOf = (value: unknown): unknown => {
  const shop = reader.isFields(value) ? value.shop_money : undefined
  return reader.isFields(shop) ? shop.currency_code : undefined
}

/** The refund does not name its currency at one place: the first place that has it counts. */
const currencyOf = (node: reader.Node, given: string | undefined): money.ShopCurrency => {
  const objects = (key: string) => {
    const values = reader.field(node, key)
    return Array.isArray(values) ? values.filter(reader.isFields) : []
  }
  const named: ReadonlyArray<unknown> = [
    given,
    ...objects("refund_line_items").map((line) => shopCurrencyOf(line.subtotal_set)),
    ...objects("transactions").map((transaction) => transaction.currency),
  ]
  return named.find(Currency.isCurrency)
}

const unattributed = [
  ["order_adjustments", "an adjustment of the whole order"],
  ["refund_shipping_lines", "a refund of shipping"],
  ["refund_duties", "a refund of duties"],
  ["duties", "a refund of duties"],
  ["additional_fees", "a refund of fees"],
] as const

const notReadIn = (node: reader.Node, key: string, what: string): ReadonlyArray<Problem> =>
  (reader.list(node, key) ?? []).map((value, index) => ({
    path: `${reader.pathOf(node, key)}[${index}]`,
    value,
    message: `${what} belongs to no line of the order and was not read`,
  }))

/** With lines, the transactions are how their money went back; without, they are money of their own. */
const findNotRead = (node: reader.Node, hasLines: boolean): ReadonlyArray<Problem> => [
  ...unattributed.flatMap(([key, what]) => notReadIn(node, key, what)),
  ...(hasLines ? [] : notReadIn(node, "transactions", "a payment back without lines")),
]

const readTime = (node: reader.Node): number =>
  reader.field(node, "created_at") === undefined && reader.field(node, "processed_at") !== undefined
    ? reader.neededTime(node, "processed_at")
    : reader.neededTime(node, "created_at")

const readRefund = (
  node: reader.Node,
  options: ReadOptions & { readonly orderId?: unknown },
): RefundReading => {
  const currency = currencyOf(node, options.currency)
  const isOrderKnown =
    reader.field(node, "order_id") === undefined && typeof options.orderId === "string"
  const orderId = isOrderKnown ? String(options.orderId) : reader.neededId(node, "order_id")
  const refundedAt = readTime(node)
  const lines = reader.children(node, "refund_line_items") ?? []
  const refunds: Array<Core.Refund> = []
  const notRead = [...findNotRead(node, lines.length > 0)]
  for (const line of lines) {
    const { itemId, part } = readLineRefund(line, currency)
    if (part !== undefined) refunds.push({ orderId, itemId, ...part, refundedAt })
    else notRead.push({ path: line.path, value: line.fields, message: "refunds nothing" })
  }
  return { refunds, notRead }
}

const wrappers = { one: "refund", many: "refunds" }

interface Found extends documents.Found {
  readonly orderId?: string | undefined
  readonly currency?: string | undefined
}

const isOrder = (value: unknown): value is reader.Fields =>
  reader.isFields(value) && Object.hasOwn(value, "line_items") && Object.hasOwn(value, "id")

/** The refunds inside an order have its id and its currency. */
const insideOrder = ({ path, value }: documents.Found): ReadonlyArray<Found> => {
  if (!isOrder(value)) return []
  const { id, currency } = value
  return documents.find({ refunds: value.refunds ?? [] }, wrappers, path).map((found) => ({
    ...found,
    orderId: id === undefined || id === null ? undefined : String(id),
    currency: Currency.isCurrency(currency) ? currency : undefined,
  }))
}

const findRefunds = (input: unknown, prefix: string | undefined): ReadonlyArray<Found> => {
  const orders = documents.find(input, { one: "order", many: "orders" }, prefix)
  return orders.some(({ value }) => isOrder(value))
    ? orders.flatMap(insideOrder)
    : documents.find(input, wrappers, prefix)
}

const readFound = (
  found: Found,
  options: ReadOptions,
): Result.Result<RefundReading, Unreadable> => {
  const { orderId, currency = options.currency } = found
  return reader.read(found.value, {
    what: "Shopify refund",
    path: found.path,
    read: (node) => readRefund(node, { orderId, currency }),
  })
}

/**
 * Reads every refund of a document: a bare refund as in a webhook, `{ refund }`, `{ refunds: [...] }`, a
 * list, or the refunds inside orders in any of the same shapes. One that can't be read does not stop the
 * others.
 *
 * Each refunded line becomes one refund. It goes by quantity when `subtotal` is absent, or when it is
 * what that many units of the line cost after discount (with or without the tax, within a cent);
 * otherwise it goes by amount, which is `subtotal` in cents. Whether goods are restocked plays no part.
 * Adjustments of the whole order, refunded shipping, duties and fees, and payments back without any
 * lines belong to no item: they are told in `notRead`, for a person to decide about.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const [first] = Refund.readEach({
 *   refunds: [
 *     {
 *       order_id: 450789469,
 *       created_at: "2016-06-20T13:35:06-04:00",
 *       refund_line_items: [{ line_item_id: 703073504, quantity: 1 }],
 *     },
 *   ],
 * })
 * const reading = first === undefined ? undefined : Result.getOrThrow(first)
 * reading?.refunds // => [{ orderId: "450789469", itemId: "703073504", quantity: 1, refundedAt: 1466444106 }]
 * ```
 */
export const readEach = (
  input: unknown,
  options: ReadOptions = {},
): ReadonlyArray<Result.Result<RefundReading, Unreadable>> =>
  findRefunds(input, options.path).map((found) => readFound(found, options))

/**
 * Reads the refunds of a document together, as {@link readEach} does, and fails when any of them can't
 * be read: with `Unreadable`, which tells every problem of all of them with its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const reading = Refund.read({
 *   refund: {
 *     order_id: 450789469,
 *     created_at: "2016-06-20T13:35:06-04:00",
 *     refund_line_items: [{ line_item_id: 703073504, quantity: 1 }],
 *     order_adjustments: [{ kind: "shipping_refund", amount: "-5.00" }],
 *   },
 * })
 * Result.getOrThrow(reading).refunds.length // => 1
 * Result.getOrThrow(reading).notRead[0]?.path // => "refund.order_adjustments[0]"
 * ```
 */
export const read = (
  input: unknown,
  options: ReadOptions = {},
): Result.Result<RefundReading, Unreadable> => {
  const readings = readEach(input, options)
  const problems = readings.flatMap((reading) =>
    Result.isFailure(reading) ? reading.failure.problems : [],
  )
  if (problems.length > 0) return Result.fail(reader.unreadable("Shopify refund", problems))
  const successes = readings.flatMap((reading) =>
    Result.isSuccess(reading) ? [reading.success] : [],
  )
  return Result.succeed({
    refunds: successes.flatMap((reading) => reading.refunds),
    notRead: successes.flatMap((reading) => reading.notRead),
  })
}
