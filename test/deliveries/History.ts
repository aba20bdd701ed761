/** What happens in a shop, drawn from a seed, and the deliveries that tell of it in the order of events. */
import { line, order, product, type Sent } from "./Shop.js"

/** Numbers from 0 to below 1, the same for the same seed. */
export const randomOf = (seed: number) => {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = ReturnType<typeof randomOf>

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

const pick = <A>(random: Random, all: ReadonlyArray<A>): A => {
  const found = all[Math.floor(random() * all.length)]
  if (found === undefined) throw new RangeError("there is nothing to pick from")
  return found
}

/** In another order. */
const shuffled = <A>(random: Random, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ one }) => one)

const decimal = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

const firstSecond = 1_714_550_400

const timeOf = (step: number): string =>
  new Date((firstSecond + step) * 1_000).toISOString().replace(".000", "")

interface Bought {
  readonly id: number
  readonly productId: number
  readonly quantity: number
  readonly price: number
  readonly discount: number
}

interface Happened {
  readonly step: number
  readonly sent: Sent
}

const lineOf = ({ id, productId, quantity, price, discount }: Bought) =>
  line(id, productId, {
    ...{ quantity, price: decimal(price), vendor: pick(randomOf(productId), ["North", "South"]) },
    discount_allocations: discount === 0 ? [] : [{ amount: decimal(discount) }],
    tax_lines: [{ price: decimal(Math.floor((price * quantity - discount) / 11)), rate: 0.1 }],
  })

/** Units of a line that went back, with the money for them. */
const linesBack = (random: Random, line: Bought, refundId: number) => {
  const { id, quantity, price, discount } = line
  const units = between(random, 1, quantity)
  const isUnits = random() < 0.6
  const paid = price * quantity - discount
  const subtotal = isUnits ? Math.round((paid * units) / quantity) : between(random, 1, paid)
  const inside = { line_item_id: id, line_item: lineOf(line) }
  const back = { id: refundId * 10, ...inside, quantity: isUnits ? units : 0 }
  return [{ ...back, subtotal: decimal(subtotal) }]
}

interface RefundDraft {
  readonly id: number
  readonly orderId: number
  readonly step: number
  readonly shipping: number
}

const refundOf = (
  random: Random,
  bought: Bought,
  { id, orderId, step, shipping }: RefundDraft,
): object => {
  const kind = random()
  const facts = { id, order_id: orderId, created_at: timeOf(step), note: "from the buyer" }
  const status = kind > 0.9 ? "failure" : "success"
  const transactions = [{ id, kind: "refund", status, amount: "1.00", currency: "USD" }]
  if (kind < 0.2 && shipping > 0) {
    const adjustment = {
      kind: "shipping_refund",
      amount: `-${decimal(shipping)}`,
      tax_amount: "0.00",
    }
    return { ...facts, refund_line_items: [], order_adjustments: [adjustment], transactions }
  }
  return { ...facts, refund_line_items: linesBack(random, bought, id), transactions }
}

/** Everything that happens to one order. */
const orderHistory = (random: Random, id: number, products: number): ReadonlyArray<Happened> => {
  let step = id * 40
  const bought: ReadonlyArray<Bought> = Array.from(
    { length: between(random, 1, 3) },
    (_, index) => {
      const [quantity, price] = [between(random, 1, 3), between(random, 99, 9_999)]
      const discount = random() < 0.3 ? between(random, 0, Math.floor((price * quantity) / 2)) : 0
      return {
        ...{ id: index + 1, productId: between(random, 1, products) },
        quantity,
        price,
        discount,
      }
    },
  )
  let shipping = random() < 0.5 ? between(random, 100, 1_500) : 0
  const kind = random()
  const isPending = kind < 0.2
  const facts = {
    ...{ created_at: timeOf(step), taxes_included: true, test: kind > 0.97 },
    landing_site: random() < 0.2 ? "/?ref=blog" : null,
  }
  const others = random() < 0.15 ? [line(90, 1, { gift_card: true, price: "25.00" })] : []
  let lines = bought
  let [financial_status, refunds]: [string, ReadonlyArray<object>] = [
    isPending ? "pending" : "paid",
    [],
  ]
  const happened: Array<Happened> = []
  const tell = (topic: string, changes: object = {}) => {
    step += 1
    const state = {
      ...{ financial_status, refunds, updated_at: timeOf(step) },
      line_items: [...lines.map(lineOf), ...others],
      shipping_lines: shipping === 0 ? [] : [{ id: 1, price: decimal(shipping) }],
    }
    happened.push({ step, sent: { topic, body: order(id, { ...facts, ...state, ...changes }) } })
  }
  tell("orders/create")
  if (isPending) {
    financial_status = "paid"
    tell("orders/paid")
    if (random() < 0.5) tell("orders/updated")
  }
  // Each line is refunded at most once, so that no refund is of more than is left.
  const refundable = new Set(bought.map((one) => one.id))
  const refund = (count: number) => {
    const line = lines.find((one) => refundable.has(one.id))
    if (line === undefined) return
    refundable.delete(line.id)
    step += 1
    const back = refunds.length > 0 ? 0 : shipping
    const draft = { id: id * 10 + count, orderId: id, step, shipping: back }
    const document = refundOf(random, line, draft)
    refunds = [...refunds, document]
    happened.push({ step, sent: { topic: "refunds/create", body: document } })
    tell("orders/updated")
  }
  const edits = random() < 0.5 ? between(random, 1, 3) : 0
  for (let count = 1; count <= edits; count += 1) {
    const one = pick(random, lines)
    const isMore = random() < 0.5
    lines = isMore
      ? lines.map((known) => (known === one ? { ...one, quantity: one.quantity + 1 } : known))
      : [...lines, { ...one, id: 50 + count, quantity: 1, discount: 0 }]
    if (random() < 0.4) shipping += between(random, 50, 500)
    tell("orders/updated")
    if (random() < 0.3) refund(count + 4)
  }
  for (let count = between(random, 0, 2); count > 0 && random() < 0.6; count -= 1) refund(count)
  if (random() < 0.5) tell("orders/fulfilled")
  if (random() < 0.1) tell("orders/cancelled", { cancelled_at: timeOf(step) })
  return happened
}

const productHistory = (random: Random, id: number, last: number): ReadonlyArray<Happened> => {
  const tags = pick(random, ["art", "craft", "art, craft", ""])
  const vendor = pick(randomOf(id), ["North", "South"])
  const state = (step: number, topic: string, changes: object = {}): Happened => ({
    step,
    sent: { topic, body: product(id, { tags, vendor, updated_at: timeOf(step), ...changes }) },
  })
  const later = between(random, 1, last)
  const drawn = between(random, 1, last)
  const retagged = (step: number) =>
    state(step, "products/update", { tags: pick(random, ["art", "craft", "art, old"]) })
  const variants = [
    { id: id * 10, price: "30.00" },
    { id: id * 10 + 1, price: "40.00" },
  ]
  return [
    state(0, "products/create"),
    ...(random() < 0.7 ? [state(later, "products/update", { title: "Renamed", variants })] : []),
    ...(random() < 0.5 ? [retagged(drawn === later ? later + 2 : drawn)] : []),
    ...(random() < 0.2
      ? [{ step: later + 1, sent: { topic: "products/delete", body: { id } } }]
      : []),
  ]
}

/** The deliveries of a history with so many orders, each with an id of its own, in the order of events. */
export const historyOf = (seed: number, orders: number): ReadonlyArray<Sent> => {
  const random = randomOf(seed)
  const products = Math.max(3, Math.floor(orders / 4))
  const all: Array<Happened> = []
  for (let id = 1; id <= products; id += 1) all.push(...productHistory(random, id, orders * 40))
  for (let id = 1; id <= orders; id += 1) all.push(...orderHistory(random, id, products))
  const privacy = { customer: { id: 1 }, orders_requested: [1], orders_to_redact: [1] }
  all.push({ step: 100, sent: { topic: "customers/data_request", body: privacy } })
  all.push({ step: 200, sent: { topic: "customers/redact", body: privacy } })
  all.push({ step: orders * 40 + 100, sent: { topic: "app/uninstalled", body: { id: 1 } } })
  return all
    .sort((one, other) => one.step - other.step)
    .map(({ sent }, index) => ({ ...sent, id: `seed-${seed}-${index}` }))
}

/** As a network delivers them: some twice or three times, in another order. */
export const asDelivered = <A>(seed: number, all: ReadonlyArray<A>): ReadonlyArray<A> => {
  const random = randomOf(seed + 7)
  return shuffled(
    random,
    all.flatMap((one) =>
      Array.from({ length: random() < 0.3 ? between(random, 2, 3) : 1 }, () => one),
    ),
  )
}
