/** Of the endpoints of collaborators and of the catalogue. */
import { ProductGroups } from "apportion/service"
import { Effect, Result } from "effect"
import { type Ids, idsOf, type Samples, type Stocked } from "./Sample.js"

const permissions = {
  ...{ see_product_price: true, see_product_quantity: true, see_product_discount: true },
  ...{ see_product_tax: true, see_customer_email: false, see_customer_name: false },
  ...{ see_order_status: true, see_order_payment_gateway: true, see_product_stock: true },
  ...{ see_order_shipping_address: true, see_order_billing_address: true, see_product_cost: true },
}

const measurements = ["monthly_date", "month_day", "week", "day", "month"]

const terms = (payout_measurement: string) => ({
  ...{ currency: "EUR", payout_measurement, payout_frequency: 2, payout_threshold: 100 },
  ...{ payout_holding_days: 5, should_pay_automatically: false, notes: "by post", permissions },
  account: { name: "Theo", paypal_email: "theo@example.com", is_managed: true },
})

/** A product with all that it can have. */
export const wholeProduct = {
  ...{ id: "p9", external_id: "x9", external_variant_id: 9, name: "Ninth", sku: 9 },
  ...{ vendor: "North", price: 2_500, cost: 900, tags: ["art"], inventory_quantity: 3 },
  other_ids: ["sku:9", 9],
}

/** With each documented value. */
const settings = [
  ...[{ discount: "deduct", tax: "remove", cost: "ignore", gateway_fee: "ignore" }],
  ...[{ discount: "ignore", tax: "keep", cost: "deduct", gateway_fee: "deduct" }],
  { tax: "share", flat_scope: "unit", stacking: "most-specific", rounding: "largest-remainder" },
  { flat_scope: "item", stacking: "all", rounding: "floor", over_allocation: "reject" },
  { flat_scope: "order", shipping: "store", over_allocation: "scale", time_zone: "UTC" },
  { shipping: "share", over_allocation: "rank", time_zone: null },
  ...[{ rounding: "carry" }, { rounding: "floor" }],
  ...[{ shipping: "charge", over_allocation: "allow" }, { shipping: "all" }],
  {
    ...{ discount: null, tax: null, cost: null, gateway_fee: null, flat_scope: null },
    ...{ shipping: null, stacking: null, rounding: null, over_allocation: null },
  },
]

/** Takes all terms off groups: an account with any can't carry. */
const withoutTerms = async (shop: Stocked): Promise<Ids> => {
  await shop.run(
    Effect.gen(function* () {
      const groups = yield* ProductGroups
      for (let page = 1; ; page += 1) {
        const { entries } = yield* groups.list("store", "ada", { page, perPage: 100 })
        for (const { group } of entries) {
          if (group.terms === undefined) continue
          const plain = { ...group, percent: "5", terms: null }
          yield* groups.update("store", "ada", group.id, () => Result.succeed(plain))
        }
        if (entries.length < 100) return
      }
    }),
  )
  return idsOf(shop)
}

export const accountSamples: Samples = {
  createCollaborator: {
    body: { id: "theo", currency: "EUR" },
    bodies: measurements.map((each) => ({ ...terms(each), id: `by ${each}` })),
  },
  updateCollaborator: { body: { notes: "x" }, bodies: measurements.map(terms) },
  changeSettings: {
    body: { maturity_days: 3 },
    bodies: [
      ...settings.map((policy) => ({ policy, maturity_days: 0 })),
      ...[{ policy: null, maturity_days: null }, {}],
    ],
    ready: withoutTerms,
    // No other field is taken.
    besideField: () => ({ splitConditionType: undefined, splitConditions: undefined }),
  },
  viewProduct: { ready: async (shop) => ({ ...idsOf(shop), product_key: "p1/v-p1" }) },
  putProducts: {
    body: { products: [{ id: "p9" }] },
    bodies: [{ products: [wholeProduct, { external_id: 4 }] }],
  },
}
