import { expect, test } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { historyOf } from "./History.js"
import { shopify, simulate } from "./Simulation.js"
import * as Stripe from "./StripeHistory.js"
import * as Woo from "./WooHistory.js"

const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Math.random() * 1_000_000))

test("deliveries that are doubled, shuffled, cut off and sent again over four connections end as the tidy order does", async () => {
  for (const each of isWhole ? [seed, seed + 1] : [seed]) {
    const { tidy, shuffled } = await simulate(shopify, { seed: each, orders: 16 })
    expect({ seed: each, ...shuffled }).toEqual({ seed: each, ...tidy })
    expect(tidy.shares.length).toBeGreaterThan(4)
  }
})

test("edits and payments of an order that overtake each other are among them, and no cent is left in the inbox", async () => {
  const { tidy, shuffled, corrected } = await simulate(shopify, { seed: 3, orders: 15 })
  expect(shuffled).toEqual(tidy)
  expect(corrected).toBeGreaterThan(1)
  expect(tidy.waiting).toEqual([])
})

test("the deliveries are of twelve topics", () => {
  const topics = new Set(historyOf(1, 120).map(({ topic }) => topic))
  expect([...topics].sort()).toEqual([
    ...["app/uninstalled", "customers/data_request", "customers/redact", "orders/cancelled"],
    ...["orders/create", "orders/fulfilled", "orders/paid", "orders/updated", "products/create"],
    ...["products/delete", "products/update", "refunds/create"],
  ])
})

test("deliveries of WooCommerce, with refunds that are fetched or never come, end as the tidy order does", async () => {
  const { tidy, shuffled } = await simulate(Woo.woocommerce, { seed, orders: 25 })
  expect({ seed, ...shuffled }).toEqual({ seed, ...tidy })
  expect(tidy.shares.length).toBeGreaterThan(4)
})

test("the deliveries of WooCommerce are of ten topics", () => {
  const topics = new Set(Woo.historyOf(1, 120).map(({ topic }) => topic))
  expect([...topics].sort()).toEqual([
    ...["coupon.created", "coupon.updated", "order.created", "order.deleted", "order.restored"],
    ...["order.updated", "product.created", "product.deleted", "product.updated"],
    ...["refund.created"],
  ])
})

test("events of Stripe that are doubled, shuffled, cut off and sent again end as the tidy order does", {
  timeout: 300_000,
}, async () => {
  const seeds = Array.from({ length: isWhole ? 6 : 1 }, (_, index) => seed + index)
  const orders = Number(process.env.STRIPE_SALES ?? 12)
  for (const each of seeds) {
    const { tidy, shuffled } = await simulate(Stripe.stripeScene, { seed: each, orders })
    expect({ seed: each, ...shuffled }).toEqual({ seed: each, ...tidy })
    expect(tidy.shares.length).toBeGreaterThan(4)
    expect(tidy.waiting).toEqual([])
  }
})

test("the events are of twelve types", () => {
  const types = new Set(Stripe.stripeHistory(1, 200).events.map((one) => Reflect.get(one, "type")))
  expect([...types].sort()).toEqual([
    ...["checkout.session.async_payment_succeeded", "checkout.session.completed"],
    ...["credit_note.created", "invoice.created", "invoice.paid", "invoice.payment_succeeded"],
    ...["invoice_payment.paid", "product.created", "product.updated", "refund.created"],
    ...["refund.failed", "refund.updated"],
  ])
})
