import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import { readCurrency } from "../../internal/reader.js"
import * as Cents from "../../money/Cents.js"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import type { Payout } from "../../payouts/Payout.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import { productOf, type SoldItem, type SoldProduct } from "../../payouts/SoldItem.js"
import { read as readCollaborator } from "../Collaborator.js"
import { readProduct, taxPercent } from "./items.js"

// Reads the items of a payout as its view writes them, and decides what the view does not contain.

/** Values that an item takes over from its payout. */
interface Surroundings {
  readonly payoutId: string
  readonly currency: string
  /** When entries occurred, which the view does not contain; Unix seconds. */
  readonly enteredAt: number
}

const rate = {
  parse: (value: unknown) => {
    const text = typeof value === "number" ? String(value) : value
    return ExchangeRate.isExchangeRate(text) ? text : undefined
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

/** The view does not distinguish sales from refunds. A refund has a time, and the opposite sign of what was sold. */
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
  // A line that asks for money back moves none.
  const isRight = kind === "expense" ? amount <= 0 : amount > 0
  if (isRight || !Number.isSafeInteger(node.fields.amount)) return
  reader.refuse(node, "amount", kind === "expense" ? "0 or below for an expense" : "above 0")
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
const readItem = (
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

// Reads a payout as its view writes it, and decides what the view does not contain.

/**
 * A payout as it was read.
 *
 * @since 0.2.0
 * @category models
 */
export interface Reading {
  readonly payout: Payout
  /** The collaborator, if the input has it; `null`: it has only the id. */
  readonly collaborator: Collaborator | null
}

type KnownCollaborators = ReadonlyMap<string, Collaborator> | undefined

interface ViewOwner {
  readonly id: string
  readonly collaborator: Collaborator | null
}

const readObject = (node: reader.Node, known: KnownCollaborators): ViewOwner => {
  const value = node.fields.collaborator
  const read = readCollaborator(value, { path: reader.pathOf(node, "collaborator") })
  if (Result.isFailure(read)) {
    node.problems.push(...read.failure.problems)
    return { id: "", collaborator: null }
  }
  const { id } = read.success
  return { id, collaborator: known?.get(id) ?? read.success }
}

const readOwner = (node: reader.Node, known: KnownCollaborators): ViewOwner => {
  if (reader.isFields(node.fields.collaborator)) return readObject(node, known)
  const id = reader.neededId(node, "collaborator")
  const collaborator = known?.get(id) ?? null
  if (known !== undefined && id !== "" && collaborator === null) {
    reader.note(node, "collaborator", `"${id}" is not among the collaborators`)
  }
  return { id, collaborator }
}

const readStatus = (node: reader.Node): PayoutStatus.PayoutStatus => {
  const status = reader.choice(node, "status", PayoutStatus.statuses)
  if (status === undefined && reader.field(node, "status") === undefined) {
    reader.refuse(node, "status", reader.oneOf(PayoutStatus.statuses))
  }
  return status ?? "active"
}

/** A successful payment has its time. For a payout set as paid by hand, it may be unknown. */
const readPaidAt = (node: reader.Node, status: PayoutStatus.PayoutStatus): number | null => {
  if (status === "paid") return reader.neededTime(node, "paid_at")
  const paidAt = reader.time(node, "paid_at") ?? null
  if (paidAt !== null && !PayoutStatus.isSettled(status)) {
    reader.refuse(node, "paid_at", `null on a payout that is ${status}`)
  }
  return paidAt
}

/** When the payout was opened: as given, or with its first sale. */
const readOpenedAt = (
  node: reader.Node,
  nodes: ReadonlyArray<reader.Node>,
  toBePaidAt: number,
): number => {
  const given = reader.time(node, "opened_at")
  if (given !== undefined) return given
  let earliest = toBePaidAt
  for (const item of nodes) {
    const orderItem = reader.child(item, "orderItem")
    const splitAt = orderItem && reader.time(orderItem, "split_at")
    if (splitAt !== undefined && splitAt < earliest) earliest = splitAt
  }
  return earliest
}

const checkTotal = (node: reader.Node, items: ReadonlyArray<PayoutItem.PayoutItem>): void => {
  const given = reader.whole(node, "total")
  const amounts = items.map(({ amount }) => amount)
  const sum = Cents.sum(amounts, { what: "the total of the items" })
  if (Result.isFailure(sum)) reader.note(node, "items", sum.failure.message)
  else if (given !== undefined && given !== sum.success) {
    reader.refuse(node, "total", `the sum of its items, ${sum.success}`)
  }
}

const closing = (status: PayoutStatus.PayoutStatus, toBePaidAt: number) => {
  const isClosed = status === "pending" || status === "paid" || status === "failed"
  const closedAt = isClosed ? toBePaidAt : null
  return { closedAt, payableAt: closedAt }
}

const readFailureReason = (node: reader.Node, status: PayoutStatus.PayoutStatus): string | null => {
  const reason = reader.text(node, "failure_reason")
  return status === "failed" ? (reason ?? "unknown") : null
}

/** Reads a payout. With collaborators, it must be one of theirs, or hold its own. */
export const readPayout = (node: reader.Node, known: KnownCollaborators): Reading => {
  const found = node.problems.length
  const { id: collaboratorId, collaborator } = readOwner(node, known)
  const id = reader.neededId(node, "id")
  const currency = readCurrency(node, "currency")
  const status = readStatus(node)
  const toBePaidAt = reader.neededTime(node, "to_be_paid_at")
  const nodes = reader.children(node, "items") ?? []
  const openedAt = readOpenedAt(node, nodes, toBePaidAt)
  const surroundings = { payoutId: id, currency, enteredAt: openedAt }
  const items = nodes.map((item, index) => readItem(item, index + 1, surroundings))
  // The sum of unreadable items would only repeat that they are unreadable.
  if (node.problems.length === found) checkTotal(node, items)
  const payout = {
    ...{ id, collaboratorId, currency, status, openedAt, toBePaidAt },
    ...closing(status, toBePaidAt),
    paidAt: readPaidAt(node, status),
    failureReason: readFailureReason(node, status),
    items,
  }
  return { payout, collaborator }
}
