/**
 * Documents of WooCommerce read by topic, and reckoned again by something that shares nothing with the readers.
 *
 * `APPORTION_WOO_DOCUMENTS=<folder>` reads every JSON file of a folder, and prints how many of which kind came out how.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Json } from "apportion/wire"
import { Webhook } from "apportion/woocommerce"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { wooCommerce as readTwice } from "../platforms/Comparison.js"
import type { Json as Document } from "../platforms/SecondReading.js"
import {
  wooLine,
  wooLineBack,
  wooOrder,
  wooProduct,
  wooRefund,
  wooShop,
  wooSum,
  wooVariation,
} from "./WooShop.js"

const options = { currency: "USD" }

const isObject = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<Document> =>
  Array.isArray(value) ? value.filter(isObject) : []

const decimalText = /^(-?)(\d*)(?:\.(\d*))?$/

/** Cents of a decimal text, half away from zero. */
const centsOf = (value: unknown): number => {
  const [, sign = "", whole = "0", part = ""] = decimalText.exec(String(value ?? "")) ?? []
  const digits = Number(`${whole}${part.padEnd(2, "0").slice(0, 2)}`)
  const isUp = Number(part.charAt(2) || "0") >= 5
  return (sign === "-" ? -1 : 1) * (digits + (isUp ? 1 : 0))
}

type Kind = "order" | "refund" | "product" | "variation"

const kindOf = (body: Document): Kind | undefined => {
  if ("refunded_by" in body) return "refund"
  if (Array.isArray(body.line_items) && "billing" in body) return "order"
  if ("regular_price" in body && "variations" in body) return "product"
  return "regular_price" in body && "parent_id" in body ? "variation" : undefined
}

/** What a document says by itself; `undefined`: nothing is wrong with how it was read. */
type Reckoned = string | undefined

const unpaid = new Set(["pending", "on-hold", "failed", "checkout-draft", "auto-draft"])

/** What an order comes to, by its status alone. */
const expectedKinds = (body: Document): string => {
  const status = String(body.status)
  if ("billing_period" in body || unpaid.has(status)) return "order passed over"
  if (status === "trash") return "order deleted"
  const wasPaid = (body.date_paid_gmt ?? body.date_paid ?? "") !== ""
  if (status === "cancelled" && !wasPaid) return "order cancelled"
  const isBack = status === "cancelled" || status === "refunded"
  return `order recorded${isBack ? ", order cancelled" : ""}, refunds listed`
}

const ofOrder = (body: Document): Reckoned => {
  const told = Result.getOrThrow(Webhook.read("order.updated", body, options))
  const kinds = told.map(({ kind }) => kind).join(", ")
  if (kinds !== expectedKinds(body)) return `is ${kinds}, and ${expectedKinds(body)} by its status`
  const listed = told.find((one) => one.kind === "refunds listed")
  if (listed !== undefined && listed.refunds.length !== listOf(body.refunds).length) {
    return "has other refunds"
  }
  const { kind, says } = readTwice(body)
  return kind === "differs" ? says : undefined
}

/** An order of which the refund is all: each line as it went back, or one line of its amount. */
const orderOf = (body: Document): object => {
  const back = listOf(body.line_items)
  const lines = back.map((line, index) => ({
    ...wooLine(index + 1, Number(line.product_id)),
    ...{ variation_id: line.variation_id, quantity: Math.max(1, Math.abs(Number(line.quantity))) },
    ...{
      total: String(line.total).replace("-", ""),
      subtotal: String(line.total).replace("-", ""),
    },
    ...{ total_tax: "0", subtotal_tax: "0" },
  }))
  const amount = String(body.amount ?? body.total).replace("-", "")
  const one = wooLine(1, 7, { quantity: 1, subtotal: amount, total: amount, total_tax: "0" })
  const line_items = lines.length === 0 ? [one] : lines
  return wooOrder(1, { line_items, shipping_total: "0", shipping_tax: "0" })
}

/** The refund with its lines named as those of the order are. */
const named = (body: Document): Document => ({
  ...body,
  order_id: 1,
  line_items: listOf(body.line_items).map((line, index) => ({
    ...line,
    meta_data: [{ key: "_refunded_item_id", value: String(index + 1) }],
  })),
})

const ofRefund = (body: Document): Reckoned => {
  const [sold] = Result.getOrThrow(Webhook.read("order.updated", orderOf(body), options))
  const [told] = Result.getOrThrow(Webhook.read("refund.created", named(body), options))
  if (sold?.kind !== "order recorded" || told?.kind !== "refund") return "is no refund"
  const back = wooShop.readRefund(told.document, sold, 0)
  if (Result.isFailure(back)) return `refused: ${back.failure.message}`
  const { refunds } = back.success
  for (const item of sold.order.items) {
    const of = refunds.find(({ itemId }) => itemId === item.id)
    const net = item.amount - (item.discount ?? 0)
    const money = of?.amount ?? ((of?.quantity ?? 0) * net) / item.quantity
    if (Math.abs(money - net) > item.quantity) return `${money} of ${net} went back`
  }
  return undefined
}

const ofProduct = (body: Document): Reckoned => {
  const read = Webhook.read("product.updated", body, { ...options, tagsFrom: ["category"] })
  const [told] = Result.getOrThrow(read)
  if (told?.kind !== "product put") return "is no product"
  const variations = Array.isArray(body.variations) ? body.variations.length : 0
  if (told.products.length !== 1 + variations) return "has other variations"
  const [base] = told.products
  const price = String(body.price ?? "") === "" ? undefined : centsOf(body.price)
  if (base?.price !== price) return `price ${String(body.price)}`
  const terms = listOf(body.tags).length + listOf(body.categories).length
  return base?.tags?.length === terms ? undefined : "has other tags"
}

const ofVariation = (body: Document): Reckoned => {
  const [told] = Result.getOrThrow(Webhook.read("product.updated", body, options))
  if (told?.kind !== "variant put") return "is no variation"
  const price = String(body.price ?? "") === "" ? undefined : centsOf(body.price)
  return told.product.price === price ? undefined : `price ${String(body.price)}`
}

const reckon: Readonly<Record<Kind, (body: Document) => Reckoned>> = {
  ...{ order: ofOrder, refund: ofRefund, product: ofProduct, variation: ofVariation },
}

const topics = { order: "order.updated", refund: "refund.created" } as const

const says = (kind: Kind, body: Document): string => {
  const isSale = kind === "order" || kind === "refund"
  const topic = isSale ? topics[kind] : "product.updated"
  const read = Webhook.read(topic, kind === "refund" ? named(body) : body, options)
  if (Result.isFailure(read)) return `refused: ${read.failure.message}`
  const wrong = reckon[kind](body)
  if (wrong?.startsWith("refused")) return wrong
  return wrong === undefined ? "agrees" : `WRONG: ${wrong}`
}

/** The documents of a file, wherever they are in it. */
const documentsIn = (value: unknown): ReadonlyArray<Document> => {
  if (Array.isArray(value)) return value.flatMap(documentsIn)
  if (!isObject(value)) return []
  return kindOf(value) === undefined ? Object.values(value).flatMap(documentsIn) : [value]
}

describe("documents of WooCommerce are read to the cent", () => {
  test("as its API and its webhooks have them", () => {
    const bodies = [
      wooOrder(1, { total: "49.50" }),
      wooOrder(1, { status: "refunded", total: "49.50", refunds: [wooSum(5, "-49.50")] }),
      wooOrder(1, { status: "cancelled", date_paid_gmt: null, total: "49.50" }),
      wooRefund(5, 1),
      wooRefund(5, 1, { line_items: [], amount: "3.33" }),
      wooRefund(5, 1, {
        ...{ amount: "10.01" },
        line_items: [wooLineBack(1, 7, { quantity: -3, total: "-10.01", total_tax: "0" })],
      }),
      { ...wooProduct(7), regular_price: "20.00" },
      { ...wooProduct(7, { variations: [70, { id: 71 }] }), regular_price: "20.00" },
      { ...wooVariation(70, 7), regular_price: "25.00" },
    ]
    const found = bodies.map((body) => says(kindOf(body) ?? "product", body))
    expect(found).toEqual(bodies.map(() => "agrees"))
  })

  test("and what can't be read is refused with its path", () => {
    const bodies = [
      wooOrder(1, { line_items: [wooLine(1, 7, { total: "ten" })] }),
      wooOrder(1, { date_modified_gmt: "yesterday" }),
      wooRefund(5, 1, { id: null }),
      { ...wooProduct(7, { price: "example" }), regular_price: "" },
      { ...wooProduct(7, { variations: [true] }), regular_price: "" },
    ]
    const paths = ["line_items[0].total", "date_modified_gmt", "id", "price", "variations[0]"]
    const found = bodies.map((body) => says(kindOf(body) ?? "product", body))
    expect(found).toEqual(paths.map((path) => expect.stringContaining(`${path}: `)))
  })

  test("in the files of a folder, if one is given", () => {
    const folder = process.env.APPORTION_WOO_DOCUMENTS
    const names = folder === undefined ? [] : readdirSync(folder)
    const counts = new Map<string, number>()
    const wrong: Array<string> = []
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      const value = Result.getOrUndefined(
        Json.parse(readFileSync(join(folder ?? "", name), "utf8")),
      )
      for (const body of documentsIn(value)) {
        const kind = kindOf(body) ?? "product"
        const said = says(kind, body)
        const key = `${kind} ${said.replace(/:.*/s, "")}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
        if (said.startsWith("WRONG")) wrong.push(`${name}: ${said}`)
        if (said.startsWith("refused")) process.stdout.write(`${name}: ${said.slice(0, 200)}\n`)
      }
    }
    if (counts.size > 0) process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`)
    expect(wrong).toEqual([])
  })
})
