/**
 * A payout as its collaborator sees it: what their permissions hide is left out.
 *
 * @since 0.1.0
 */
import { frozen } from "../internal/frozen.js"
import type { OrderDetails } from "../orders/Order.js"
import type { Collaborator } from "./Collaborator.js"
import type { Payout } from "./Payout.js"
import type { AgreementLine, Entry, PayoutItem, Refund, Sale } from "./PayoutItem.js"
import type { Permission, Permissions } from "./Permissions.js"
import type { SoldItem, SoldProduct } from "./SoldItem.js"

/**
 * The fields that one permission hides unless it is granted: fields of the order item, such as `product.price`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Row {
  readonly permission: Permission
  readonly hides: ReadonlyArray<string>
}

/**
 * The fields that each of the twelve permissions hides unless it is granted.
 *
 * @since 0.1.0
 * @category constants
 * @example
 * ```ts
 * import { Visibility } from "apportion"
 *
 * const price = Visibility.table.find(({ permission }) => permission === "seeProductPrice")
 * price?.hides // => ["product.price", "amount"]
 * ```
 */
export const table: ReadonlyArray<Row> = /* @__PURE__ */ frozen<ReadonlyArray<Row>>([
  { permission: "seeProductPrice", hides: ["product.price", "amount"] },
  { permission: "seeProductQuantity", hides: ["quantity"] },
  { permission: "seeProductDiscount", hides: ["discount"] },
  { permission: "seeProductTax", hides: ["taxPercent", "taxName", "taxTotal"] },
  { permission: "seeCustomerEmail", hides: ["details.customerEmail"] },
  { permission: "seeCustomerName", hides: ["details.customerName"] },
  { permission: "seeOrderStatus", hides: ["details.status"] },
  { permission: "seeOrderPaymentGateway", hides: ["details.paymentGateway"] },
  { permission: "seeOrderShippingAddress", hides: ["details.shippingAddress"] },
  { permission: "seeOrderBillingAddress", hides: ["details.billingAddress"] },
  { permission: "seeProductCost", hides: ["product.cost"] },
  { permission: "seeProductStock", hides: ["product.inventoryQuantity"] },
])

/**
 * A product with its visible fields only.
 *
 * @since 0.1.0
 * @category models
 */
export type SeenProduct = Omit<SoldProduct, "price" | "cost" | "inventoryQuantity"> &
  Partial<Pick<SoldProduct, "price" | "cost" | "inventoryQuantity">>

type HiddenItemField = "amount" | "quantity" | "discount" | "taxPercent" | "taxName" | "taxTotal"

/**
 * An order item with its visible fields only.
 *
 * @since 0.1.0
 * @category models
 */
export type SeenSoldItem = Omit<SoldItem, HiddenItemField | "product" | "details"> &
  Partial<Pick<SoldItem, HiddenItemField>> & {
    readonly product: SeenProduct
    readonly details?: OrderDetails | undefined
  }

/**
 * An entry as its collaborator sees it: of an agreement without the group and item, which can be another's.
 *
 * @since 0.6.0
 * @category models
 */
export type SeenEntry = Omit<Entry, "agreement"> & {
  readonly agreement?: Omit<AgreementLine, "itemId" | "groupId"> | undefined
}

/**
 * A payout item with its visible fields only. Expenses and incomes are always fully visible.
 *
 * @since 0.1.0
 * @category models
 */
export type SeenItem =
  | SeenEntry
  | (Omit<Sale, "orderItem"> & { readonly orderItem: SeenSoldItem })
  | (Omit<Refund, "orderItem"> & { readonly orderItem: SeenSoldItem })

/**
 * A payout with its visible fields only. The reason of a failed payment is left out: it is the store's note, and a
 * bank's words may name others than the collaborator.
 *
 * @since 0.1.0
 * @category models
 */
export type SeenPayout = Omit<Payout, "items" | "failureReason"> & {
  readonly items: ReadonlyArray<SeenItem>
}

const detailNames = [
  ...(["customerEmail", "customerName", "status", "paymentGateway"] as const),
  ...(["shippingAddress", "billingAddress", "orderName"] as const),
] satisfies ReadonlyArray<keyof OrderDetails>

const hiddenBy = (permissions: Permissions): ReadonlySet<string> =>
  new Set(table.filter(({ permission }) => !permissions[permission]).flatMap(({ hides }) => hides))

// Visible fields are listed by name, so that a field that a storage or a host added is never shown.

/** The fields that are not hidden; `place` is the path of the object, such as `product.`. */
const without = <A extends object>(
  value: A,
  hidden: ReadonlySet<string>,
  place: string,
): Partial<A> => {
  const copy: Partial<A> = { ...value }
  for (const key in value) if (hidden.has(`${place}${key}`)) delete copy[key]
  return copy
}

const seenProduct = (product: SoldProduct, hidden: ReadonlySet<string>): SeenProduct => {
  const { id, externalId, externalVariantId, name, sku, vendor, tags, ...rest } = product
  const { price, cost, inventoryQuantity } = rest
  return {
    ...{ id, externalId, externalVariantId, name, sku, vendor, tags },
    ...without({ price, cost, inventoryQuantity }, hidden, "product."),
  }
}

const seenDetails = (details: OrderDetails, hidden: ReadonlySet<string>): OrderDetails => {
  const shown: { -readonly [Name in keyof OrderDetails]: OrderDetails[Name] } = {}
  for (const name of detailNames) {
    if (name in details && !hidden.has(`details.${name}`)) shown[name] = details[name]
  }
  return shown
}

const seenOrderItem = (item: SoldItem, hidden: ReadonlySet<string>): SeenSoldItem => {
  const { orderId, itemId, groupId, grams, externalId, splitAt, refundedAt } = item
  const { amount, quantity, discount, taxPercent, taxName, taxTotal, details } = item
  const figures = { amount, quantity, discount, taxPercent, taxName, taxTotal }
  return {
    ...{ orderId, itemId, groupId, grams, externalId, splitAt, refundedAt },
    ...without(figures, hidden, ""),
    product: seenProduct(item.product, hidden),
    ...(details === undefined ? {} : { details: seenDetails(details, hidden) }),
  }
}

const seenMoney = (item: PayoutItem) => {
  const { id, createdAt, amount, originalAmount, originalCurrency, currencyExchangeRate } = item
  return { id, createdAt, amount, originalAmount, originalCurrency, currencyExchangeRate }
}

const seenAgreement = ({ kind, event, agreementId, orderId }: AgreementLine) => ({
  ...{ kind, event, agreementId, orderId },
})

const seenEntry = (item: Entry): SeenEntry => {
  const { kind, name, purpose, asked, agreement } = item
  return {
    ...seenMoney(item),
    ...{ kind, name },
    ...(purpose === undefined ? {} : { purpose }),
    ...(asked === undefined ? {} : { asked }),
    ...(agreement === undefined ? {} : { agreement: seenAgreement(agreement) }),
  }
}

const seenItem = (item: PayoutItem, hidden: ReadonlySet<string>): SeenItem => {
  switch (item.kind) {
    case "expense":
    case "income":
      return seenEntry(item)
    case "sale": {
      const { kind, adjustment } = item
      const orderItem = seenOrderItem(item.orderItem, hidden)
      const sale = { ...seenMoney(item), kind, orderItem }
      if (adjustment === undefined) return sale
      const { runId, before, after } = adjustment
      return { ...sale, adjustment: { runId, before, after } }
    }
    case "refund": {
      const { kind } = item
      return { ...seenMoney(item), kind, orderItem: seenOrderItem(item.orderItem, hidden) }
    }
  }
}

/**
 * A payout item as a collaborator with these permissions sees it. Hidden fields are absent, not `null`; the
 * collaborator's own money is never hidden.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutItem, Permissions, Visibility } from "apportion"
 * import { Result } from "effect"
 *
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 3, amount: 10_000 }],
 * }
 * const sale = PayoutItem.fromShare(
 *   { itemId: "1", groupId: "g1", amount: 1_000 },
 *   { order, currency: "USD", at: 1_700_000_000 },
 * )
 * const seen = Visibility.itemAsSeenBy(Result.getOrThrow(sale), Permissions.none)
 * seen.amount // => 1000
 * "orderItem" in seen && "quantity" in seen.orderItem // => false
 * ```
 */
export const itemAsSeenBy = (item: PayoutItem, permissions: Permissions): SeenItem =>
  seenItem(item, hiddenBy(permissions))

/**
 * A payout as a collaborator with these permissions sees it. Hidden fields are absent, not `null`.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Payout, Permissions, Visibility } from "apportion"
 *
 * const payout = Payout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * Visibility.asSeenBy(payout, Permissions.none).status // => "active"
 * ```
 */
export const asSeenBy = (payout: Payout, permissions: Permissions): SeenPayout => {
  const hidden = hiddenBy(permissions)
  const { id, collaboratorId, currency, status, openedAt, toBePaidAt } = payout
  const { closedAt, payableAt, paidAt, items } = payout
  return {
    ...{ id, collaboratorId, currency, status, openedAt, toBePaidAt, closedAt, payableAt, paidAt },
    items: items.map((item) => seenItem(item, hidden)),
  }
}

/**
 * A collaborator as they see themselves: without the store's notes on them, and without whether the store keeps
 * their account.
 *
 * @since 0.6.0
 * @category models
 */
export type SeenCollaborator = Omit<Collaborator, "notes" | "account"> & {
  readonly account: Omit<Collaborator["account"], "isManaged">
}

/**
 * A collaborator as they see themselves: without the store's notes on them, and without whether the store keeps
 * their account. No permission shows these.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Collaborator, Visibility } from "apportion"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD", notes: "pays late" })
 * const seen = Visibility.collaboratorAsSeen(ada)
 * "notes" in seen || "isManaged" in seen.account // => false
 * ```
 */
export const collaboratorAsSeen = (collaborator: Collaborator): SeenCollaborator => {
  const { id, currency, payoutMeasurement, payoutFrequency, payoutThreshold } = collaborator
  const { payoutHoldingDays, shouldPayAutomatically, permissions, account } = collaborator
  return {
    ...{ id, currency, payoutMeasurement, payoutFrequency, payoutThreshold, payoutHoldingDays },
    ...{ shouldPayAutomatically, permissions },
    account: { name: account.name, paypalEmail: account.paypalEmail },
  }
}

/**
 * Whether a collaborator may see how far terms have counted: units tell quantities, and bases tell prices. What was paid
 * to them is theirs to know.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Permissions, Visibility } from "apportion"
 *
 * const permissions = { ...Permissions.none, seeProductQuantity: true }
 * Visibility.isCountSeen("units", permissions) // => true
 * Visibility.isCountSeen("base", permissions) // => false
 * Visibility.isCountSeen("share", permissions) // => true
 * ```
 */
export const isCountSeen = (
  counted: "units" | "base" | "share",
  { seeProductQuantity, seeProductPrice }: Permissions,
): boolean => {
  if (counted === "share") return true
  return counted === "units" ? seeProductQuantity : seeProductPrice
}
