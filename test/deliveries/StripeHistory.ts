/** What happens in a shop that sells with Stripe, drawn from a seed, and the events that tell of it in their order. */
import {
  creditLine,
  creditNote,
  event,
  invoice,
  invoiceLine,
  product,
  refund,
  session,
  sessionLine,
  withoutLines,
} from "../stripe/Documents.js"
import { randomOf } from "./History.js"
import type { Sent } from "./Shop.js"
import type { Scene } from "./Simulation.js"
import { signed, stripe } from "./StripeShop.js"

type Random = ReturnType<typeof randomOf>

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

const secondOf = (step: number): number => 1_714_550_400 + step

/** What Stripe sends, and what its API answers with when the lines of a session are asked for. */
export interface StripeHistory {
  readonly events: ReadonlyArray<object>
  readonly sessions: ReadonlyMap<string, object>
}

interface Happened {
  readonly step: number
  readonly event: object
}

const chargesOf = (random: Random) => {
  const price = between(random, 0, 9_999)
  const discount = random() < 0.3 ? Math.floor(price * random()) : 0
  const taxed = random()
  const tax = taxed < 0.5 ? Math.floor((price - discount) / 11) : 0
  return { price, discount, tax, isOnTop: taxed < 0.25 }
}

/** Parts of what was paid: all of it, or some. */
const partsOf = (random: Random, paid: number): ReadonlyArray<number> => {
  const parts: Array<number> = []
  let left = paid
  for (let count = between(random, 0, 3); count > 0 && left > 0; count -= 1) {
    const part = random() < 0.3 ? left : between(random, 1, left)
    parts.push(part)
    left -= part
  }
  return parts
}

/** The events of a refund, which succeeds at once, later or never. */
const refundEvents = (random: Random, id: string, payment: string, amount: number) => {
  const kind = random()
  const told = refund(id, payment, amount)
  if (kind < 0.5) return [event("refund.created", told)]
  const pending = event("refund.created", { ...told, status: "pending" })
  if (kind < 0.8) return [pending, event("refund.updated", told)]
  return [pending, event("refund.failed", { ...told, status: "failed" })]
}

const sessionHistory = (
  random: Random,
  id: string,
  products: number,
): { readonly events: ReadonlyArray<object>; readonly whole: object } => {
  const lines = Array.from({ length: between(random, 1, 4) }, (_, index) => {
    const { price, discount, tax, isOnTop } = chargesOf(random)
    return sessionLine(`li_${id}_${index}`, {
      ...{ amount_subtotal: price, amount_discount: discount, amount_tax: tax },
      amount_total: price - discount + (isOnTop ? tax : 0),
      price: { id: "price_1", product: `prod_${between(random, 1, products)}` },
    })
  })
  const shipping = random() < 0.4 ? between(random, 1, 1_500) : 0
  const shipping_cost = { amount_subtotal: shipping, amount_tax: 0, amount_total: shipping }
  const amount_total = lines.reduce((sum, line) => sum + line.amount_total, shipping)
  const isLater = random() < 0.3
  const whole = session(id, lines, { shipping_cost, amount_total })
  const told = withoutLines(whole)
  const completed = { ...told, payment_status: isLater ? "unpaid" : "paid" }
  const events: Array<object> = [event("checkout.session.completed", completed)]
  if (isLater) events.push(event("checkout.session.async_payment_succeeded", told))
  partsOf(random, amount_total).forEach((part, index) => {
    events.push(...refundEvents(random, `re_${id}_${index}`, `pi_${id}`, part))
  })
  return { events, whole }
}

const invoiceHistory = (random: Random, id: string, products: number): ReadonlyArray<object> => {
  const lines = Array.from({ length: between(random, 1, 4) }, (_, index) =>
    invoiceLine(`il_${id}_${index}`, {
      amount: between(random, 100, 9_999) * (index > 0 && random() < 0.2 ? -1 : 1),
      pricing: undefined,
      price: { id: "price_1", product: `prod_${between(random, 1, products)}` },
    }),
  )
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const isOlder = random() < 0.5
  const paid = invoice(id, lines, isOlder ? { payment_intent: `pi_${id}` } : {})
  const events = [
    event("invoice.created", { ...paid, status: "draft" }),
    event("invoice.payment_succeeded", paid),
    event("invoice.paid", paid),
  ]
  if (!isOlder) {
    const payment = { type: "payment_intent", payment_intent: `pi_${id}` }
    const named = { id: `inpay_${id}`, object: "invoice_payment", invoice: id, payment }
    events.push(event("invoice_payment.paid", named))
  }
  const [first] = lines
  if (random() < 0.4 && first !== undefined) {
    const credited = between(random, 1, first.amount)
    const lineBack = [creditLine(`cnli_${id}`, first.id, credited)]
    const note = creditNote(`cn_${id}`, id, lineBack, { refunds: [{ refund: `re_${id}` }] })
    events.push(event("refund.created", refund(`re_${id}`, `pi_${id}`, credited)))
    events.push(event("credit_note.created", note))
    return events
  }
  if (total <= 0) return events
  partsOf(random, total).forEach((part, index) => {
    events.push(...refundEvents(random, `re_${id}_${index}`, `pi_${id}`, part))
  })
  return events
}

/** The history of a shop with so many sales; each event has an id of its own. */
export const stripeHistory = (seed: number, sales: number): StripeHistory => {
  const random = randomOf(seed)
  const products = Math.max(3, Math.floor(sales / 4))
  const all: Array<Happened> = []
  const sessions = new Map<string, object>()
  const tell = (from: number, events: ReadonlyArray<object>) => {
    events.forEach((one, index) => {
      all.push({ step: from + index, event: { ...one, created: secondOf(from + index) } })
    })
  }
  for (let number = 1; number <= products; number += 1) {
    const id = `prod_${number}`
    const metadata = { tags: random() < 0.6 ? "art" : "craft", vendor: "North" }
    const told = product(id, { metadata, updated: secondOf(0) })
    const renamed = { ...told, name: "Renamed", updated: secondOf(number + 1) }
    tell(0, [event("product.created", told)])
    if (random() < 0.5) tell(number + 1, [event("product.updated", renamed)])
  }
  for (let number = 1; number <= sales; number += 1) {
    if (random() < 0.6) {
      const id = `cs_${number}`
      const { events, whole } = sessionHistory(random, id, products)
      sessions.set(id, whole)
      tell(number * 20, events)
    } else tell(number * 20, invoiceHistory(random, `in_${number}`, products))
  }
  const events = all.sort((one, other) => one.step - other.step).map((one) => one.event)
  return { events, sessions }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** What an event is about. */
const objectIdOf = (event: object): string => {
  const data: unknown = Reflect.get(event, "data")
  const object: unknown = typeof data === "object" && data !== null && Reflect.get(data, "object")
  return typeof object === "object" && object !== null ? textOf(Reflect.get(object, "id")) : ""
}

/** Events, with the sessions that the host fetches because theirs have no lines. */
const historyOf: Scene["historyOf"] = (seed, sales) => {
  const { events, sessions } = stripeHistory(seed, sales)
  return events.map((body): Sent => {
    const document = sessions.get(objectIdOf(body))
    const topic = textOf(Reflect.get(body, "type"))
    if (document === undefined) return { topic, body }
    return { topic, body, fetched: { topic: "checkout.session.completed", document } }
  })
}

/** A refund of an invoice waits an hour for a credit note. */
export const stripeScene: Scene = {
  ...{ shop: stripe, historyOf, patience: "61 minutes" },
  deliveryOf: ({ body }, at) => signed(Object(body), { at }),
}
