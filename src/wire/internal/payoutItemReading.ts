/** Reads the items of a payout as its view writes them, and decides what the view does not say. */
import * as Schema from "effect/Schema"
import { readCurrency } from "../../internal/currency.js"
import * as reader from "../../internal/reader.js"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import { productOf, type SoldItem, type SoldProduct } from "../../payouts/SoldItem.js"
import { readProduct } from "./product.js"
import { taxPercent } from "./taxPercent.js"

/** What an item takes over from the payout it stands in. */
export interface Surroundings {
  readonly payoutId: string
  readonly currency: string
  /** When entries came up, which the view does not say; Unix seconds. */
  readonly enteredAt: number
}

const isRate = Schema.is(ExchangeRate.ExchangeRate)

const rate = {
  parse: (value: unknown) => {
    const text = typeof value === "number" ? String(value) : value
    return isRate(text) ? text : undefined
  },
  expected: ExchangeRate.expected,
}

const noProduct: SoldProduct = {
  ...{ id: "", externalId: "", externalVariantId: "", name: "", sku: null, vendor: "" },
  ...{ price: 0, cost: 0, tags: [], inventoryQuantity: null },
}

const readOrderItem = (node: reader.Node): SoldItem => {
  const externalId = reader.neededId(node, "external_id")
  const product = reader.neededChild(node, "product")
  return {
    orderId: reader.id(node, "order_id") ?? externalId,
    itemId: externalId,
    groupId: reader.id(node, "group_id") ?? "",
    amount: reader.neededWhole(node, "amount"),
    discount: reader.whole(node, "discount") ?? 0,
    quantity: reader.whole(node, "quantity", 0) ?? 1,
    taxPercent: reader.parsed(node, "tax_percent", taxPercent) ?? null,
    taxName: reader.text(node, "tax_name") ?? null,
    taxTotal: reader.whole(node, "tax_total") ?? null,
    grams: reader.whole(node, "grams") ?? 0,
    product: product === undefined ? noProduct : productOf(readProduct(product)),
    externalId,
    splitAt: reader.neededTime(node, "split_at"),
    refundedAt: reader.time(node, "refunded_at") ?? null,
  }
}

/**
 * The view does not tell sales from what was taken back of them. What was taken back says when, and has
 * the other sign than what was sold.
 */
const kindOf = (originalAmount: number, orderItem: SoldItem): "sale" | "refund" => {
  const isOpposite = originalAmount !== 0 && originalAmount < 0 !== orderItem.amount < 0
  return orderItem.refundedAt !== null && isOpposite ? "refund" : "sale"
}

const anEntryName = `a text of 1 to ${PayoutItem.longestName} characters`

const readEntryName = (node: reader.Node): string => {
  const name = reader.text(node, "expense_name")
  const { length } = [...(name ?? "").trim()]
  if (length < 1 || length > PayoutItem.longestName) {
    reader.refuse(node, "expense_name", anEntryName)
  }
  return name ?? ""
}

const checkSign = (node: reader.Node, kind: "expense" | "income", amount: number): void => {
  const isRight = kind === "expense" ? amount < 0 : amount > 0
  if (isRight || !Number.isSafeInteger(node.fields.amount)) return
  reader.refuse(node, "amount", kind === "expense" ? "below 0 for an expense" : "above 0")
}

const readMoney = (node: reader.Node, { currency }: Surroundings) => {
  const amount = reader.neededWhole(node, "amount")
  const hasOriginal = reader.field(node, "original_currency") !== undefined
  return {
    amount,
    originalAmount: reader.whole(node, "original_amount") ?? amount,
    originalCurrency: hasOriginal ? readCurrency(node, "original_currency") : currency,
    currencyExchangeRate: reader.parsed(node, "currency_exchange_rate", rate) ?? null,
  }
}

/** Reads one item, the n-th of its payout. */
export const readItem = (
  node: reader.Node,
  number: number,
  surroundings: Surroundings,
): PayoutItem.PayoutItem => {
  const { payoutId, enteredAt } = surroundings
  const isExpense = reader.flag(node, "is_expenses") ?? false
  const money = { id: `${payoutId}/${number}`, ...readMoney(node, surroundings) }
  const child = reader.child(node, "orderItem")
  if (child === undefined) {
    const kind = isExpense ? "expense" : "income"
    if (reader.field(node, "orderItem") === undefined) checkSign(node, kind, money.amount)
    return { ...money, kind, createdAt: enteredAt, name: readEntryName(node) }
  }
  if (isExpense) reader.refuse(node, "is_expenses", "false beside an orderItem")
  const orderItem = readOrderItem(child)
  const kind = kindOf(money.originalAmount, orderItem)
  const createdAt = kind === "refund" ? orderItem.refundedAt : null
  return { ...money, kind, createdAt: createdAt ?? orderItem.splitAt, orderItem }
}
