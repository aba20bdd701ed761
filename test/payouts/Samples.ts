import { Collaborator, type Order, Payout, PayoutItem } from "apportion"
import * as Result from "effect/Result"

/** A sale of everything that a permission could hide. */
export const order: Order.Order = {
  id: "1001",
  currency: "USD",
  createdAt: 1_700_000_000,
  items: [
    {
      id: "1",
      product: {
        id: "p1",
        externalId: "shop-1",
        externalVariantId: "shop-1-blue",
        name: "Blue print",
        sku: "BP",
        vendor: "North",
        price: 5_000,
        cost: 1_200,
        tags: ["art"],
        inventoryQuantity: 7,
      },
      quantity: 2,
      amount: 10_000,
      discount: 500,
      taxPercent: 19,
      taxName: "VAT",
      taxTotal: 1_517,
      grams: 300,
    },
    { id: "2", product: { id: "p2" }, quantity: 1, amount: 900 },
  ],
  details: {
    customerEmail: "kim@example.com",
    customerName: "Kim",
    status: "fulfilled",
    paymentGateway: "paypal",
    shippingAddress: "1 Main Street",
    billingAddress: "2 Main Street",
  },
}

export const soldAt = 1_700_000_000

/** The payout item of a share of the order's first item, in dollars unless a rate says otherwise. */
export const sale = (
  amount: number,
  options: { currency?: string; rate?: string; groupId?: string } = {},
): PayoutItem.Sale => {
  const { currency = "USD", rate, groupId = "g1" } = options
  const share = { itemId: "1", groupId, amount }
  return Result.getOrThrow(PayoutItem.fromShare(share, { order, currency, rate, at: soldAt }))
}

export const openedAt = 1_700_000_000
export const dueAt = 1_702_598_400

/** A payout with some items, active unless it says otherwise. */
export const payout = (
  items: ReadonlyArray<PayoutItem.PayoutItem> = [],
  changes: Partial<Payout.Payout> = {},
): Payout.Payout => ({
  ...Payout.open({
    id: "p1",
    collaboratorId: "ada",
    currency: "USD",
    openedAt,
    toBePaidAt: dueAt,
  }),
  items,
  ...changes,
})

export const collaborator = (
  input: Omit<Collaborator.CollaboratorInput, "id" | "currency"> & {
    id?: string
    currency?: string
  } = {},
): Collaborator.Collaborator => Collaborator.make({ id: "ada", currency: "USD", ...input })

/** What went wrong; fails when nothing did. */
export const failureOf = <E>(result: Result.Result<unknown, E>): E =>
  Result.getOrThrow(Result.flip(result))
