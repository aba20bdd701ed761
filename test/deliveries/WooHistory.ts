/** What happens in a shop on WooCommerce, drawn from a seed. */
import { randomOf } from "./History.js"
import type { Sent } from "./Shop.js"
import type { Scene } from "./Simulation.js"
import {
  wooDeliveryOf,
  wooLine,
  wooLineBack,
  wooOrder,
  wooProduct,
  wooRefund,
  wooShop,
  wooSum,
  wooVariation,
} from "./WooShop.js"

type Random = ReturnType<typeof randomOf>

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

const decimal = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const timeOf = (step: number): string =>
  new Date((1_714_550_400 + step) * 1_000).toISOString().slice(0, 19)

interface Happened {
  readonly step: number
  readonly sent: Sent
}

interface Bought {
  readonly id: number
  readonly productId: number
  readonly variation: number
  readonly quantity: number
  readonly subtotal: number
  readonly total: number
}

const taxOf = (cents: number): number => Math.round(cents / 10)

const drawLine = (random: Random, id: number, products: number): Bought => {
  const [quantity, price] = [between(random, 1, 3), between(random, 99, 9_999)]
  const subtotal = quantity * price
  const discount = random() < 0.3 ? between(random, 0, Math.floor(subtotal / 2)) : 0
  const productId = between(random, 1, products)
  const variation = productId % 2 === 0 ? productId * 1_000 + between(random, 1, 2) : 0
  return { id, productId, variation, quantity, subtotal, total: subtotal - discount }
}

const lineOf = ({ id, productId, variation, quantity, subtotal, total }: Bought) =>
  wooLine(id, productId, {
    ...{ quantity, variation_id: variation },
    ...{ subtotal: decimal(subtotal), subtotal_tax: decimal(taxOf(subtotal)) },
    ...{ total: decimal(total), total_tax: decimal(taxOf(total)) },
  })

interface RefundDraft {
  readonly id: number
  readonly orderId: number
  readonly step: number
  readonly shipping: number
}

/** A refund of one line, by units or by money, or of shipping, and its sum in cents. */
const refundOf = (random: Random, bought: Bought, draft: RefundDraft) => {
  const { id, orderId, step, shipping } = draft
  const date_created_gmt = timeOf(step)
  if (random() < 0.25 && shipping > 0) {
    const [total, tax] = [-shipping, -taxOf(shipping)]
    const shipping_lines = [{ id: 5, total: decimal(total), total_tax: decimal(tax) }]
    const amount = decimal(-total - tax)
    const facts = { date_created_gmt, amount, line_items: [], shipping_lines }
    return { sum: total + tax, document: wooRefund(id, orderId, facts) }
  }
  const units = between(random, 1, bought.quantity)
  const isUnits = random() < 0.6
  const money = isUnits
    ? Math.round((bought.total * units) / bought.quantity)
    : between(random, 1, Math.max(1, bought.total))
  const tax = taxOf(money)
  const back = wooLineBack(bought.id, bought.productId, {
    ...{ quantity: isUnits ? -units : 0, variation_id: bought.variation },
    ...{ total: decimal(-money), total_tax: decimal(-tax) },
  })
  const facts = { date_created_gmt, amount: decimal(money + tax), line_items: [back] }
  return { sum: -money - tax, document: wooRefund(id, orderId, facts) }
}

/** Everything that happens to one order. */
const orderHistory = (random: Random, id: number, products: number): ReadonlyArray<Happened> => {
  let step = id * 40
  const bought = Array.from({ length: between(random, 1, 3) }, (_, index) =>
    drawLine(random, index + 1, products),
  )
  const shipping = random() < 0.5 ? between(random, 100, 1_500) : 0
  const [isPaidLater, isCash] = [random() < 0.4, random() < 0.2]
  const facts = {
    ...{ date_created_gmt: timeOf(step), prices_include_tax: random() < 0.5 },
    ...{ shipping_total: decimal(shipping), shipping_tax: decimal(taxOf(shipping)) },
    coupon_lines: random() < 0.2 ? [{ id: 1, code: "spring" }] : [],
    fee_lines: random() < 0.2 ? [{ id: 2, total: "1.50", total_tax: "0.15" }] : [],
  }
  let [status, line_items] = ["processing", bought.map(lineOf)]
  let [refunds, wasPaid]: [ReadonlyArray<object>, boolean] = [[], false]
  const happened: Array<Happened> = []
  const tell = (topic: string) => {
    step += 1
    wasPaid = wasPaid || (status === "processing" && !isCash)
    const date_paid_gmt = wasPaid ? timeOf(step) : null
    const state = { status, line_items, refunds, date_paid_gmt, date_modified_gmt: timeOf(step) }
    happened.push({ step, sent: { topic, body: wooOrder(id, { ...facts, ...state }) } })
  }
  const remove = () => {
    step += 1
    happened.push({ step, sent: { topic: "order.deleted", body: { id } } })
  }
  if (isPaidLater) {
    // As long as it is not paid, its lines may change.
    status = random() < 0.5 ? "pending" : "on-hold"
    line_items = [...line_items, wooLine(50, 1)]
    tell("order.created")
    const kind = random()
    if (kind < 0.3) {
      status = kind < 0.15 ? "cancelled" : "failed"
      tell("order.updated")
    }
    if (random() < 0.2) {
      remove()
      return happened
    }
    line_items = bought.map(lineOf)
  }
  status = "processing"
  tell(isPaidLater ? "order.updated" : "order.created")
  const end = random()
  if (end < 0.1) {
    status = "cancelled"
    tell("order.updated")
    return happened
  }
  const most = Math.min(bought.length, between(random, 0, 2))
  for (let count = most; count > 0 && random() < 0.7; count -= 1) {
    step += 1
    const [line] = bought.slice(count - 1, count)
    if (line === undefined) continue
    const back = refunds.length > 0 ? 0 : shipping
    const draft = { id: id * 10 + count, orderId: id, step, shipping: back }
    const { sum, document } = refundOf(random, line, draft)
    refunds = [...refunds, wooSum(draft.id, decimal(sum))]
    // Some hosts never fetch it.
    if (random() < 0.8) happened.push({ step, sent: { topic: "refund.created", body: document } })
    tell("order.updated")
  }
  if (end < 0.25) {
    status = "refunded"
    refunds = [...refunds, wooSum(id * 10 + 9, "-1.00")]
    tell("order.updated")
    return happened
  }
  status = "completed"
  if (random() < 0.6) tell("order.updated")
  if (random() < 0.08) {
    remove()
    if (random() < 0.5) tell("order.restored")
  }
  return happened
}

const productHistory = (random: Random, id: number, last: number): ReadonlyArray<Happened> => {
  const hasVariants = id % 2 === 0
  const ids = hasVariants ? [id * 1_000 + 1, id * 1_000 + 2] : []
  const facts = {
    ...{ brands: [{ id: 1, name: id % 3 === 0 ? "South" : "North" }], variations: ids },
    tags: random() < 0.6 ? [{ id: 1, name: "art" }] : [{ id: 2, name: "craft" }],
  }
  const put = (step: number, topic: string, changes: object = {}): Happened => ({
    step,
    sent: {
      topic,
      body: wooProduct(id, { ...facts, date_modified_gmt: timeOf(step), ...changes }),
    },
  })
  const later = between(random, 10, last)
  const variation = (variant: number, step: number, changes: object = {}): Happened => {
    const body = wooVariation(variant, id, { date_modified_gmt: timeOf(step), ...changes })
    return { step, sent: { topic: "product.updated", body } }
  }
  const isRemoved = random() < 0.15
  return [
    put(0, "product.created"),
    ...ids.map((variant, index) => variation(variant, 1 + index)),
    ...(random() < 0.6 ? [put(later, "product.updated", { name: "Renamed", sku: "NEW" })] : []),
    ...(random() < 0.5 && ids[0] !== undefined
      ? [variation(ids[0], later + 1, { price: "30.00", sku: "NEWER" })]
      : []),
    ...(isRemoved ? [{ step: later + 2, sent: { topic: "product.deleted", body: { id } } }] : []),
  ]
}

/** The deliveries of a history with so many orders, each with an id of its own, in the order of events. */
export const historyOf = (seed: number, orders: number): ReadonlyArray<Sent> => {
  const random = randomOf(seed)
  const products = Math.max(4, Math.floor(orders / 4))
  const all: Array<Happened> = []
  for (let id = 1; id <= products; id += 1) all.push(...productHistory(random, id, orders * 40))
  for (let id = 1; id <= orders; id += 1) all.push(...orderHistory(random, id, products))
  const coupon = { id: 3, code: "spring" }
  all.push({ step: 50, sent: { topic: "coupon.created", body: coupon } })
  all.push({ step: 60, sent: { topic: "coupon.updated", body: coupon } })
  return all
    .sort((one, other) => one.step - other.step)
    .map(({ sent }, index) => ({ ...sent, id: `seed-${seed}-${index}` }))
}

/** Refunds are fetched by the host. */
export const woocommerce: Scene = {
  ...{ shop: wooShop, historyOf, deliveryOf: wooDeliveryOf },
  isFetched: ({ topic }) => topic === "refund.created",
}
