/**
 * Sessions and invoices read, and reckoned again by something that shares nothing with the readers.
 *
 * `APPORTION_STRIPE=<folder>` reads every JSON file of a folder, whatever is around Stripe's objects in it, and prints how
 * many of which kind came out how.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Order, Refund, Unreadable } from "apportion/stripe"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import {
  creditLine,
  creditNote,
  invoice,
  invoiceLine,
  refund,
  session,
  sessionLine,
} from "./Documents.js"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter(isObject) : []

const linesOf = (value: unknown): ReadonlyArray<Json> => (isObject(value) ? listOf(value.data) : [])

const sumOf = (list: unknown, counts: (one: Json) => boolean = () => true): number =>
  listOf(list)
    .filter(counts)
    .reduce((sum, { amount }) => sum + Number(amount), 0)

/** What a line brings in without tax, in Stripe's units. */
const netOf = (line: Json): number => {
  if (line.object === "item") return Number(line.amount_total) - Number(line.amount_tax)
  const inPrice =
    sumOf(line.taxes, ({ tax_behavior }) => tax_behavior === "inclusive") +
    (listOf(line.taxes).length > 0
      ? 0
      : sumOf(line.tax_amounts, ({ inclusive }) => inclusive === true))
  const credits = sumOf(line.pretax_credit_amounts, ({ type }) => type !== "discount")
  return Number(line.amount) - sumOf(line.discount_amounts) - credits - inPrice
}

const factors: Readonly<Record<string, number>> = { isk: 0.01, ugx: 0.01, mga: 100 }

const read = (document: Json) =>
  Order.read(document, {
    include: ["test", "draft", "cancelled", "voided", "unpaid", "nothing to share"],
  })

/** What is wrong with how a session or an invoice was read. */
const reckon = (document: Json): string => {
  const result = read(document)
  if (Result.isFailure(result)) {
    const { failure } = result
    if (!(failure instanceof Unreadable)) return `WRONG: ${failure.message}`
    return `refused: ${failure.problems.map(({ path }) => path.replaceAll(/\d+/g, "0")).join(" ")}`
  }
  const { items, taxesIncluded = false } = result.success
  const lines = linesOf(document.object === "invoice" ? document.lines : document.line_items)
  const factor = factors[String(document.currency)] ?? 1
  const beside = lines.some(
    ({ object, discount_amounts }) => object !== "item" && !discount_amounts,
  )
  const discount = beside ? sumOf(document.total_discount_amounts) : 0
  const nets = items.map(
    ({ amount, discount: own = 0, taxTotal }) =>
      amount - own - (taxesIncluded ? (taxTotal ?? 0) : 0),
  )
  const said = lines.map((line) => netOf(line) * factor)
  const isSame =
    discount === 0
      ? String(nets) === String(said)
      : nets.reduce((sum, net) => sum + net, discount * factor) ===
        said.reduce((sum, net) => sum + net, 0)
  const units = lines.map(({ quantity }) => Number(quantity ?? 1))
  if (String(units) !== String(items.map(({ quantity }) => quantity))) return "WRONG: units"
  return isSame ? "agrees" : `WRONG: ${nets} for ${said}`
}

/** A refund of an order that cost as much takes back all of it. */
const reckonRefund = (document: Json): string => {
  const amount = Number(document.amount)
  const order = {
    id: "1",
    currency: String(document.currency).toUpperCase(),
    items: [{ id: "1", product: { id: "p" }, quantity: 1, amount }],
  }
  const result = Refund.read(document, { order })
  if (Result.isFailure(result)) return `refused: ${result.failure.message.slice(0, 80)}`
  const back = result.success.refunds.reduce((sum, one) => sum + (one.amount ?? 0), 0)
  const isSame = back === (document.status === "succeeded" ? amount : 0)
  return isSame ? "agrees" : `WRONG: ${back} of ${amount}`
}

/** A credit note of an invoice whose lines cost what it credits takes back all of them. */
const reckonCredit = (document: Json): string => {
  const lines = linesOf(document.lines)
  const of = lines.filter(({ type }) => type === "invoice_line_item")
  const items = of.map((line) => ({
    ...{ id: String(line.invoice_line_item), product: { id: "p" }, quantity: 1 },
    amount: Number(line.amount) - Number(line.discount_amount ?? 0),
  }))
  const order = { id: "in_1", currency: String(document.currency).toUpperCase(), items }
  const result = Refund.read(document, { order })
  if (Result.isFailure(result)) return `refused: ${result.failure.message.slice(0, 80)}`
  if (of.length < lines.length) return "has lines of its own"
  const back = result.success.refunds.map(({ amount, quantity }) => amount ?? quantity)
  const whole = items.map(({ amount }, index) => (of[index]?.quantity === 1 ? 1 : amount))
  return String(back) === String(whole) ? "agrees" : `WRONG: ${back} of ${whole}`
}

const reckoners: Readonly<Record<string, (document: Json) => string>> = {
  "checkout.session": reckon,
  invoice: reckon,
  refund: reckonRefund,
  credit_note: reckonCredit,
}

/** Every object of Stripe in a value, whatever is around it. */
const objectsIn = (value: unknown): ReadonlyArray<Json> => {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isObject(value)) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return reckoners[String(value.object)] === undefined ? inside : [value, ...inside]
}

const saysOf = (document: Json): string =>
  reckoners[String(document.object)]?.(document) ?? "is none"

describe("objects of Stripe are read to the cent", () => {
  test("as its API has them", () => {
    const taxed = {
      amount_subtotal: 4_000,
      amount_discount: 333,
      amount_tax: 293,
      amount_total: 3_960,
    }
    const inclusive = { ...taxed, amount_total: 3_667 }
    const older = { taxes: undefined, tax_amounts: [{ amount: 479, inclusive: true }] }
    const documents = [
      session("cs_1", [sessionLine("li_1", taxed), sessionLine("li_2")]),
      session("cs_2", [sessionLine("li_1", taxed), sessionLine("li_2", inclusive)]),
      invoice("in_1", [invoiceLine("il_1", older), invoiceLine("il_2", { amount: -500 })]),
      invoice("in_2", [invoiceLine("il_1", { discount_amounts: undefined })], {
        ...{ total_discount_amounts: [{ amount: 100 }], total: 2_900 },
      }),
      refund("re_1", "pi_1", 500),
      refund("re_2", "pi_1", 500, { status: "failed" }),
      creditNote("cn_1", "in_1", [creditLine("cnli_1", "il_1", 500, { discount_amount: 20 })]),
    ]
    expect(documents.map(saysOf)).toEqual(documents.map(() => "agrees"))
  })

  test("in the files of a folder, if one is given", () => {
    const folder = process.env.APPORTION_STRIPE
    const names = folder === undefined ? [] : readdirSync(folder)
    const counts = new Map<string, number>()
    const wrong: Array<string> = []
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      for (const document of objectsIn(
        JSON.parse(readFileSync(join(folder ?? "", name), "utf8")),
      )) {
        const says = saysOf(document)
        const key = `${String(document.object)} ${says}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
        if (says.startsWith("WRONG")) wrong.push(`${name}: ${says}`)
      }
    }
    for (const [key, count] of counts) process.stdout.write(`${count} ${key}\n`)
    expect(wrong).toEqual([])
  })
})
