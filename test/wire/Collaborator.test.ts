import { Permissions } from "apportion"
import { Collaborator } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const permissions = {
  see_product_price: true,
  see_product_quantity: true,
  see_product_discount: false,
  see_product_tax: true,
  see_customer_email: true,
  see_customer_name: true,
  see_order_status: true,
  see_order_payment_gateway: true,
  see_order_shipping_address: true,
  see_order_billing_address: true,
  see_product_cost: true,
  see_product_stock: true,
}

const collaborator = {
  id: "ada",
  currency: "EUR",
  payout_measurement: "monthly_date",
  payout_frequency: -1,
  payout_threshold: 5_000,
  should_pay_automatically: false,
  payout_holding_days: 14,
  notes: "paints",
  permissions,
  account: { name: "Ada", paypal_email: "ada@example.com", is_managed: true },
}

const read = (input: unknown) => Result.getOrThrow(Collaborator.read(input))
const problemsOf = (input: unknown) => {
  const result = Collaborator.read(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("a collaborator", () => {
  it("is read with every field", () => {
    expect(read(collaborator)).toEqual({
      id: "ada",
      currency: "EUR",
      payoutMeasurement: "monthly_date",
      payoutFrequency: -1,
      payoutThreshold: 5_000,
      shouldPayAutomatically: false,
      payoutHoldingDays: 14,
      notes: "paints",
      permissions: { ...Permissions.all, seeProductDiscount: false },
      account: { name: "Ada", paypalEmail: "ada@example.com", isManaged: true },
    })
  })

  it("is written with every field as it was read", () => {
    expect(Collaborator.write(read(collaborator))).toEqual(collaborator)
  })

  it("needs only an id and a currency; null is the same as absent", () => {
    const names = Object.keys(collaborator)
    const nothing = Object.fromEntries(names.map((name) => [name, null]))
    const least = read({ id: 7, currency: "usd" })
    expect(least).toMatchObject({
      id: "7",
      currency: "USD",
      payoutMeasurement: "month",
      permissions: Permissions.none,
      account: { name: "7" },
    })
    expect(read({ ...nothing, id: 7, currency: "usd" })).toEqual(least)
  })

  it("reads month_day as monthly_date", () => {
    expect(read({ ...collaborator, payout_measurement: "month_day" }).payoutMeasurement).toBe(
      "monthly_date",
    )
  })

  it("leaves out inside a payout what payouts leave out", () => {
    const view = Collaborator.writeForPayout(read(collaborator))
    expect(view).toEqual({
      id: "ada",
      currency: "EUR",
      payout_measurement: "monthly_date",
      payout_frequency: -1,
      payout_threshold: 5_000,
      permissions,
      account: { name: "Ada", paypal_email: "ada@example.com" },
    })
  })

  it("tells every problem at once, in the wire's own names", () => {
    const broken = {
      ...collaborator,
      id: null,
      currency: "EURO",
      payout_frequency: 29,
      payout_threshold: -1,
      should_pay_automatically: "no",
      permissions: { see_product_price: 1 },
      account: { paypal_email: 5 },
    }
    expect(problemsOf(broken)).toEqual([
      ["id", null],
      ["currency", "EURO"],
      ["payout_threshold", -1],
      ["should_pay_automatically", "no"],
      ["permissions.see_product_price", 1],
      ["account.paypal_email", 5],
      ["payout_frequency", 29],
    ])
    expect(problemsOf({ ...collaborator, permissions: [], account: "Ada" })).toEqual([
      ["account", "Ada"],
      ["permissions", []],
    ])
  })
})
