import { Collaborator, Payout as CorePayout, PayoutItem, Permissions, Visibility } from "apportion"
import { Payout } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const ada = Collaborator.make({ id: "ada", currency: "USD" })
const at = 1_700_000_000
const empty = CorePayout.open({
  id: "p1",
  collaboratorId: "ada",
  currency: "USD",
  openedAt: at,
  toBePaidAt: 1_702_598_400,
})

const order = {
  id: "1001",
  currency: "EUR",
  items: [
    {
      id: "1",
      quantity: 2,
      amount: 10_000,
      discount: 500,
      taxTotal: 90,
      grams: 20,
      product: {
        id: "p1",
        externalId: "x1",
        vendor: "North",
        price: 5_000,
        cost: 7,
        tags: ["art"],
      },
    },
  ],
  details: { customerEmail: "ann@example.com" },
}

const sale = Result.getOrThrow(
  PayoutItem.fromShare(
    { itemId: "1", groupId: "g1", amount: 1_000 },
    { order, currency: "USD", at, rate: "1.1" },
  ),
)
const payout = Result.getOrThrow(
  Result.gen(function* () {
    const sold = yield* CorePayout.addItems(empty, [sale])
    const charged = yield* CorePayout.addExpense(sold, { id: "e", amount: 300, name: "Frames", at })
    return yield* CorePayout.addIncome(charged, { id: "i", amount: 50, name: "Workshop", at })
  }),
)

describe("a payout in a list", () => {
  it("has exactly the fields of a list entry", () => {
    const entry = Payout.writeEntry(payout, ada)
    expect(Object.keys(entry)).toEqual([
      "id",
      "currency",
      "collaborator",
      "status",
      "to_be_paid_at",
      "paid_at",
    ])
    expect(entry).toMatchObject({ id: "p1", status: "active", paid_at: null })
    expect("notes" in entry.collaborator).toBe(false)
  })
})

describe("the view of a payout", () => {
  const view = Result.getOrThrow(Payout.writeView(payout, ada))

  it("adds the items and their total", () => {
    expect(view.total).toBe(1_100 - 300 + 50)
    expect(view.items).toHaveLength(3)
  })

  it("shows a sale with exactly the fields of an order item", () => {
    expect(view.items[0]).toEqual({
      amount: 1_100,
      original_amount: 1_000,
      original_currency: "EUR",
      currency_exchange_rate: "1.1",
      is_expenses: false,
      expense_name: null,
      orderItem: {
        amount: 10_000,
        discount: 500,
        quantity: 2,
        tax_percent: null,
        tax_name: null,
        tax_total: 90,
        grams: 20,
        product: {
          id: "p1",
          external_id: "x1",
          external_variant_id: "",
          name: "",
          sku: null,
          vendor: "North",
          price: 5_000,
          cost: 7,
          tags: ["art"],
          inventory_quantity: null,
        },
        external_id: "1",
        split_at: at,
        refunded_at: null,
      },
    })
  })

  it("shows an expense as negative, an income as positive, both by their name", () => {
    expect(view.items.slice(1)).toEqual([
      {
        amount: -300,
        original_amount: -300,
        original_currency: "USD",
        currency_exchange_rate: null,
        is_expenses: true,
        expense_name: "Frames",
        orderItem: null,
      },
      {
        amount: 50,
        original_amount: 50,
        original_currency: "USD",
        currency_exchange_rate: null,
        is_expenses: false,
        expense_name: "Workshop",
        orderItem: null,
      },
    ])
  })

  it("leaves out what the collaborator may not see, without putting null there", () => {
    const seen = Visibility.asSeenBy(payout, Permissions.none)
    const item = Result.getOrThrow(Payout.writeView(seen, ada)).items[0]?.orderItem
    expect(item && Object.keys(item)).toEqual([
      "grams",
      "product",
      "external_id",
      "split_at",
      "refunded_at",
    ])
    expect(item && Object.keys(item.product)).not.toContain("price")
    expect(item && Object.keys(item.product)).toContain("vendor")
  })

  it("fails when the total is no safe integer", () => {
    const huge = { ...sale, id: "x", amount: Number.MAX_SAFE_INTEGER }
    const items = [huge, { ...huge, id: "y" }]
    const result = Payout.writeView({ ...empty, items }, ada)
    expect(Result.isFailure(result) && result.failure._tag).toBe("AmountOutOfRange")
  })
})
