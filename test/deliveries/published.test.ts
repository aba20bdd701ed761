/**
 * Payloads read by topic, and reckoned again by something that shares nothing with the readers.
 *
 * `APPORTION_WEBHOOKS=<folder>` reads every JSON file of a folder, and prints how many of which kind came out how.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "apportion/shopify"
import { Json } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { shopify as readTwice } from "../platforms/Comparison.js"
import type { Json as Document } from "../platforms/SecondReading.js"
import { line, order, product, refund, shop } from "./Shop.js"

const isObject = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<Document> =>
  Array.isArray(value) ? value.filter(isObject) : []

const decimalText = /^(-?)(\d+)(?:\.(\d*))?$/

/** Digits of a decimal text with two decimals. */
const centsOf = (value: unknown): number => {
  const [, sign = "", whole = "0", part = ""] = decimalText.exec(String(value)) ?? []
  return Number(`${sign}${whole}${part.padEnd(2, "0").slice(0, 2)}`)
}

const topicOf = (body: Document): string | undefined => {
  if (Array.isArray(body.refund_line_items)) return "refunds/create"
  if (Array.isArray(body.line_items) && "financial_status" in body) return "orders/create"
  if (Array.isArray(body.variants)) return "products/create"
  if ("orders_requested" in body) return "customers/data_request"
  if ("orders_to_redact" in body) return "customers/redact"
  return undefined
}

/** What a payload says by itself; `undefined`: nothing is wrong with how it was read. */
type Reckoned = string | undefined

const ofProduct = (body: Document): Reckoned => {
  const [told] = Result.getOrThrow(Webhook.read("products/create", body, { currency: "USD" }))
  if (told?.kind !== "product put") return "is no product"
  const variants = listOf(body.variants)
  if (told.products.length !== Math.max(1, variants.length)) return "has other variants"
  const wrong = variants.find(
    ({ price }, index) =>
      told.products[index]?.price !==
      (decimalText.test(String(price)) ? centsOf(price) : undefined),
  )
  return wrong && `price ${String(wrong.price)}`
}

const ofOrder = (body: Document): Reckoned => {
  const { kind, says } = readTwice(body)
  return kind === "differs" ? says : undefined
}

/** The order of a refund, as far as the lines inside it tell of it. */
const orderOf = (body: Document): object => {
  const lines = listOf(body.refund_line_items).map(({ line_item }) => line_item)
  return { ...order(1), id: body.order_id, line_items: lines }
}

const ofRefund = (body: Document): Reckoned => {
  const read = Webhook.read("orders/create", orderOf(body), { currency: "USD" })
  // The lines inside it have no prices, so that nothing can be reckoned.
  if (Result.isFailure(read)) return undefined
  const [sold] = read.success
  const told = Result.getOrThrow(Webhook.read("refunds/create", body, { currency: "USD" }))[0]
  if (sold?.kind !== "order recorded" || told?.kind !== "refund") return "is no refund"
  const back = shop.readRefund(told.document, sold, 0)
  if (Result.isFailure(back)) return `refused: ${back.failure.message}`
  const { refunds } = back.success
  // Money beside that of the lines is divided over them.
  const isOfMoney = listOf(body.refund_line_items).every(({ subtotal }) => Number(subtotal) === 0)
  const others = listOf(body.order_adjustments).filter(({ kind }) => kind !== "shipping_refund")
  if (isOfMoney || others.length > 0) {
    return undefined
  }
  for (const said of listOf(body.refund_line_items)) {
    const of = refunds.find(({ itemId }) => itemId === String(said.line_item_id))
    const item = sold.order.items.find(({ id }) => id === String(said.line_item_id))
    if (item === undefined) continue
    const unit = (item.amount - (item.discount ?? 0)) / item.quantity
    const money = of?.amount ?? (of?.quantity ?? 0) * unit
    // Without money it is of units.
    const isOfUnits = (said.subtotal ?? null) === null
    const moneySaid = isOfUnits ? unit * Number(said.quantity) : centsOf(said.subtotal)
    const most = Math.min(moneySaid, unit * item.quantity)
    if (Math.abs(money - most) > Number(said.quantity)) return `${money} of ${most} went back`
  }
  return undefined
}

const ofRequest =
  (topic: string, field: string) =>
  (body: Document): Reckoned => {
    const [told] = Result.getOrThrow(Webhook.read(topic, body, { currency: "USD" }))
    const ids = Array.isArray(body[field]) ? body[field].map(String) : []
    const isSame = told?.kind === "privacy request" && told.orderIds.join() === ids.join()
    return isSame ? undefined : "has other orders"
  }

const reckon: Readonly<Record<string, (body: Document) => Reckoned>> = {
  "products/create": ofProduct,
  "orders/create": ofOrder,
  "refunds/create": ofRefund,
  "customers/data_request": ofRequest("customers/data_request", "orders_requested"),
  "customers/redact": ofRequest("customers/redact", "orders_to_redact"),
}

interface Read {
  readonly topic: string
  readonly says: string
}

const readPayload = (body: Document): Read => {
  const topic = topicOf(body)
  if (topic === undefined) return { topic: "other", says: "is of no topic that is read" }
  const read = Webhook.read(topic, body, { currency: "USD" })
  if (Result.isFailure(read)) return { topic, says: `refused: ${read.failure.message}` }
  const wrong = reckon[topic]?.(body)
  if (wrong?.startsWith("refused")) return { topic, says: wrong }
  return { topic, says: wrong === undefined ? "agrees" : `WRONG: ${wrong}` }
}

/** The objects of a file: one, wrapped or in a list. */
const payloadsIn = (text: string): ReadonlyArray<Document> => {
  const value: unknown = Result.getOrUndefined(Json.parse(text))
  const list = Array.isArray(value) ? value : [value]
  return list.filter(isObject).flatMap((body) => {
    const wrapped = [body.order, body.product, body.refund].filter(isObject)
    const many = [body.orders, body.products, body.refunds].flatMap(listOf)
    const isWrapped = !("id" in body) && (wrapped.length > 0 || many.length > 0)
    return isWrapped ? [...wrapped, ...many] : [body]
  })
}

describe("payloads are read to the cent", () => {
  test("as Shopify sends them", () => {
    const bought = { ...line(1, 7), discount_allocations: [{ amount: "3.33" }] }
    const back = { id: 1, line_item_id: 1, quantity: 1, subtotal: "18.33", line_item: bought }
    const bodies = [
      order(1, { line_items: [bought], total_price: "36.67", subtotal_price: "36.67" }),
      product(7),
      refund(5, 1, { refund_line_items: [back] }),
      { customer: { id: 1 }, orders_requested: [1, 2] },
      { customer: { id: 1 }, orders_to_redact: [3] },
    ]
    expect(bodies.map((body) => readPayload(body).says)).toEqual(bodies.map(() => "agrees"))
  })

  test("and what can't be read is refused with its path", () => {
    const bodies = [
      order(1, { line_items: [line(1, 7, { price: "example string" })] }),
      product(7, { updated_at: "yesterday" }),
      refund(5, 1, { id: null }),
    ]
    expect(bodies.map((body) => readPayload(body).says)).toEqual([
      expect.stringContaining("line_items[0].price"),
      expect.stringContaining("updated_at"),
      expect.stringContaining("id"),
    ])
  })

  test("in the files of a folder, if one is given", () => {
    const folder = process.env.APPORTION_WEBHOOKS
    const names = folder === undefined ? [] : readdirSync(folder)
    const counts = new Map<string, number>()
    const wrong: Array<string> = []
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      for (const body of payloadsIn(readFileSync(join(folder ?? "", name), "utf8"))) {
        const { topic, says } = readPayload(body)
        const key = `${topic} ${says.replace(/:.*/s, "")}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
        if (says.startsWith("WRONG")) wrong.push(`${name}: ${says}`)
        if (says.startsWith("refused")) process.stdout.write(`${name}: ${says.slice(0, 160)}\n`)
      }
    }
    if (counts.size > 0) process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`)
    expect(wrong).toEqual([])
  })
})
