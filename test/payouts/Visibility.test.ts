import { Payout, PayoutItem, Permissions, Visibility } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { payout, sale, soldAt } from "./Samples.js"

/** What each permission alone hides, written down once more, by hand. */
const hidden: { readonly [Name in Permissions.Permission]: ReadonlyArray<string> } = {
  seeProductPrice: ["amount", "product.price"],
  seeProductQuantity: ["quantity"],
  seeProductDiscount: ["discount"],
  seeProductTax: ["taxName", "taxPercent", "taxTotal"],
  seeCustomerEmail: ["details.customerEmail"],
  seeCustomerName: ["details.customerName"],
  seeOrderStatus: ["details.status"],
  seeOrderPaymentGateway: ["details.paymentGateway"],
  seeOrderShippingAddress: ["details.shippingAddress"],
  seeOrderBillingAddress: ["details.billingAddress"],
  seeProductCost: ["product.cost"],
  seeProductStock: ["product.inventoryQuantity"],
}

/** Every field of a value by its path, lists taken whole. */
const pathsOf = (value: unknown, place = ""): ReadonlyArray<string> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => [
        ...(typeof inner === "object" && inner !== null && !Array.isArray(inner)
          ? []
          : [`${place}${key}`]),
        ...pathsOf(inner, `${place}${key}.`),
      ])
    : []

const item = () => sale(1_000)
const seen = (permissions: Permissions.Permissions) => Visibility.itemAsSeenBy(item(), permissions)
const missing = (permissions: Permissions.Permissions) => {
  const left = new Set(pathsOf(seen(permissions)))
  return pathsOf(item())
    .filter((path) => !left.has(path))
    .map((path) => path.replace("orderItem.", ""))
    .sort()
}

describe("Entries, as a collaborator sees them", () => {
  it("are whole, with what they are for and what is asked", () => {
    const given = { id: "q1", amount: 700, name: "Letter", at: soldAt }
    for (const make of [PayoutItem.expense, PayoutItem.writeOff, PayoutItem.request]) {
      const entry = Result.getOrThrow(make(given, { currency: "USD" }))
      expect(Visibility.itemAsSeenBy(entry, Permissions.none)).toStrictEqual(entry)
    }
  })
})

describe("Payouts, as a collaborator sees them", () => {
  it.each(Permissions.names)("without %s alone", (name) => {
    expect(missing({ ...Permissions.all, [name]: false })).toEqual(hidden[name])
    const row = Visibility.table.find(({ permission }) => permission === name)
    expect([...(row?.hides ?? [])].sort()).toEqual(hidden[name])
  })

  it.each(Permissions.names)("with %s alone", (name) => {
    const others = Permissions.names.filter((other) => other !== name)
    expect(missing({ ...Permissions.none, [name]: true })).toEqual(
      others.flatMap((other) => hidden[other]).sort(),
    )
  })

  it("show everything when everything is allowed", () => {
    expect(seen(Permissions.all)).toEqual(item())
    const whole = payout([item()])
    const { failureReason: _, ...shown } = whole
    expect(Visibility.asSeenBy(whole, Permissions.all)).toEqual(shown)
  })

  it("leave hidden fields out, and do not set them to null or undefined", () => {
    const text = JSON.stringify(seen(Permissions.none))
    for (const path of Object.values(hidden).flat()) {
      expect(text).not.toContain(`"${path.split(".").at(-1)}":null`)
    }
    const hiding = seen(Permissions.none)
    expect("orderItem" in hiding && Object.keys(hiding.orderItem).sort()).toEqual([
      "details",
      "externalId",
      "grams",
      "groupId",
      "itemId",
      "orderId",
      "product",
      "refundedAt",
      "splitAt",
    ])
  })

  it("never hide the collaborator's own money, nor expenses and incomes", () => {
    const income = Result.getOrThrow(
      PayoutItem.income({ id: "i1", amount: 5, name: "Bonus", at: soldAt }, { currency: "USD" }),
    )
    const expense = Result.getOrThrow(
      PayoutItem.expense({ id: "e1", amount: 7, name: "Booth", at: soldAt }, { currency: "USD" }),
    )
    const { items } = Visibility.asSeenBy(payout([item(), income, expense]), Permissions.none)
    expect(items.map(({ amount }) => amount)).toEqual([1_000, 5, -7])
    expect(items.slice(1)).toEqual([income, expense])
  })

  it("have no details of an order that told none", () => {
    const { details: _none, ...plain } = item().orderItem
    const told = { ...item(), orderItem: plain }
    expect(Visibility.itemAsSeenBy(told, Permissions.all)).toStrictEqual(told)
  })

  it("hide in what refunds took back too, and change nothing in the payout itself", () => {
    const settled = payout([item()], { status: "paid" })
    const before = structuredClone(settled)
    const { reversed } = Result.getOrThrow(
      Payout.refund(settled, { itemId: item().id, amount: 1, at: soldAt, id: "r1" }),
    )
    const refund = Visibility.itemAsSeenBy(reversed ?? item(), Permissions.none)
    expect(refund).toMatchObject({ kind: "refund", amount: -1 })
    expect(pathsOf(refund)).not.toContain("orderItem.product.price")
    Visibility.asSeenBy(settled, Permissions.none)
    expect(settled).toEqual(before)
  })
})
