import type { AccountEvent } from "apportion"
import { makeApportion } from "apportion/promise"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isWhole, runs } from "../generators/Runs.js"

// DOMAIN: every change writes its event. Who reads all of them, and nothing else, knows what each payout comes to.

const shop = "shop"
const owners = ["ada", "bo", "cy"]

interface Known {
  readonly status: string
  readonly total: number
}

const statusAfter: Readonly<Record<string, string>> = {
  "payout.opened": "active",
  "payout.closed": "pending",
  "payout.rolled": "active",
  "payout.paid": "paid",
  "payout.failed": "failed",
  "payout.retried": "pending",
  "payout.returned": "failed",
  "payout.set-paid": "manually paid",
}

/** How an event changes the totals of payouts. */
const movesOf = ({ type, data }: AccountEvent.AccountEvent): ReadonlyArray<[string, number]> => {
  if ("payoutAmounts" in data) {
    return data.payoutIds.map((payoutId, index) => [payoutId, data.payoutAmounts[index] ?? NaN])
  }
  if ("toPayoutId" in data) {
    return [
      [data.payoutId, -data.amount],
      [data.toPayoutId, data.amount],
    ]
  }
  if (!("itemId" in data) || !("amount" in data)) return []
  return [[data.payoutId, type === "entry.removed" ? -data.amount : data.amount]]
}

const rebuild = (events: ReadonlyArray<AccountEvent.AccountEvent>) => {
  const payouts = new Map<string, Known>()
  const at = (id: string) => payouts.get(id) ?? { status: "", total: 0 }
  for (const event of events) {
    for (const [id, amount] of movesOf(event)) {
      payouts.set(id, { ...at(id), total: at(id).total + amount })
    }
    const status = statusAfter[event.type]
    if (status !== undefined && "payoutId" in event.data) {
      payouts.set(event.data.payoutId, { ...at(event.data.payoutId), status })
    }
  }
  return payouts
}

const step = fc.record({
  kind: fc.constantFrom(
    ...(["sale", "sale", "refund", "refund", "expense", "income", "remove", "close"] as const),
    ...(["pay", "pay", "return", "retry", "setPaid", "repay"] as const),
  ),
  who: fc.nat(2),
  amount: fc.integer({ min: 1, max: 9_999 }),
  wait: fc.constantFrom(0, 0, 3_600, 8 * 86_400),
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const live = async (steps: ReadonlyArray<Step>, maturityDays: number) => {
  let now = 1_700_000_000
  const exchangeRates = { "EUR/USD": "1.0837", "USD/EUR": "0.9228" }
  const { close, ...services } = await makeApportion({
    now: () => now,
    exchangeRates,
    settings: { maturityDays },
  })
  const { collaborators, groups, sales, payouts, entries, events } = services
  for (const [index, id] of owners.entries()) {
    const currency = index === 1 ? "USD" : "EUR"
    await collaborators.create(shop, { id, currency, payoutMeasurement: "week" })
    const link = { type: "products.tag", values: [id, "all"] } as const
    await groups.create(shop, id, { link, percent: 7 + index })
  }
  const listed = async () =>
    (await payouts.list(shop, {}, { page: 1, perPage: 100 })).entries.map(({ payout }) => payout)
  const done = async ({ kind, who, amount }: Step, index: number) => {
    const id = `x${index}`
    const owner = owners[who] ?? "ada"
    const name = "by hand"
    if (kind === "sale") {
      const product = { id: `p${who}`, tags: [amount % 2 === 0 ? "all" : owner] }
      const item = { id: "1", product, quantity: 3, amount: amount * 3 }
      return sales.record(shop, { id, currency: "EUR", items: [item] })
    }
    if (kind === "refund") {
      const orderId = `x${amount % Math.max(1, index)}`
      return sales.refund(shop, { id, orderId, itemId: "1", quantity: 1 })
    }
    if (kind === "close") return payouts.closeDue(shop)
    if (kind === "repay") return entries.repay(shop, owner, { id, amount, name })
    const needed: Partial<Record<Step["kind"], string>> = {
      ...{ pay: "pending", return: "paid", retry: "failed" },
    }
    const all = (await listed()).filter(({ status }) => status === (needed[kind] ?? status))
    const payoutId = all[amount % Math.max(1, all.length)]?.id ?? "none"
    if (kind === "expense") return payouts.addExpense(shop, payoutId, { id, amount, name })
    if (kind === "income") return entries.addIncome(shop, owner, { id, amount, name })
    if (kind === "pay") return payouts.pay(shop, payoutId)
    if (kind === "return") return payouts.return(shop, payoutId, "account closed")
    if (kind === "retry") return payouts.retry(shop, payoutId)
    if (kind === "setPaid") return payouts.setPaid(shop, payoutId)
    const { payout } = await payouts.get(shop, payoutId)
    const entry = payout.items.find((one) => one.kind === "expense" || one.kind === "income")
    return payouts.removeEntry(shop, payoutId, entry?.id ?? "none")
  }
  const kinds = new Set<string>()
  for (const [index, one] of steps.entries()) {
    now += one.wait
    const isDone = await done(one, index).then(
      () => true,
      () => false,
    )
    if (isDone) kinds.add(one.kind)
  }
  const told = await events.after(shop, 0, 1_000)
  const stored = new Map((await listed()).map(({ id, status, total }) => [id, { status, total }]))
  await close()
  return { told, stored, kinds }
}

test("who reads the event of a sale or a refund knows what it brought in, and what is whose of it", async () => {
  const { close, collaborators, groups, sales, events } = await makeApportion()
  await collaborators.create(shop, { id: "ada", currency: "EUR" })
  await groups.create(shop, "ada", { link: { type: "products.all" }, percent: "12.50" })
  const amounts = fc.array(fc.integer({ min: 0, max: 999_999 }), { minLength: 1, maxLength: 4 })
  let count = 0
  await fc.assert(
    fc.asyncProperty(amounts, fc.integer({ min: 1, max: 3 }), async (prices, quantity) => {
      const orderId = `o${++count}`
      const items = prices.map((amount, index) => ({
        ...{ id: `${index}`, product: { id: "p1" }, quantity: 3, amount: amount * 3 },
      }))
      const { parts } = await sales.record(shop, { id: orderId, currency: "EUR", items })
      const refunded = { id: `r${count}`, orderId, itemId: "0", quantity }
      const { reversal } = await sales.refund(shop, refunded)
      const told = await events.after(shop, Math.max(0, (await events.last(shop)) - 4))
      const dataOf = (type: string) => told.findLast((event) => event.type === type)?.data
      const sumOf = (all: ReadonlyArray<{ readonly amount: number }>) =>
        all.reduce((sum, { amount }) => sum + amount, 0)
      const split = parts[0]?.split
      const sold = prices.reduce((sum, amount) => sum + amount * 3, 0)
      expect(dataOf("sale.recorded")).toMatchObject({
        ...{ currency: "EUR", distributable: sold, sharesTotal: sumOf(split?.shares ?? []) },
        storeTotal: sumOf(split?.store ?? []),
      })
      const back = sumOf(reversal.shares)
      expect(dataOf("refund.recorded")).toMatchObject({
        ...{ currency: "EUR", sharesTotal: back, storeTotal: reversal.store },
        distributable: (prices[0] ?? 0) * quantity,
      })
    }),
    { numRuns: 40 },
  )
  await close()
})

test("a sum beyond what is exact is not told", async () => {
  const { close, sales, events } = await makeApportion()
  const amount = Number.MAX_SAFE_INTEGER
  const items = ["1", "2"].map((id) => ({ id, product: { id: "p1" }, quantity: 1, amount }))
  await sales.record(shop, { id: "o1", currency: "EUR", items })
  const [told] = (await events.after(shop, 0)).filter(({ type }) => type === "sale.recorded")
  expect(told?.data).toMatchObject({ distributable: null, sharesTotal: 0, storeTotal: null })
  await close()
})

test("who reads every event knows the status and the total of each payout", async () => {
  const done = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 80 }),
      fc.constantFrom(0, 9),
      async (steps, maturityDays) => {
        const { told, stored, kinds } = await live(steps, maturityDays)
        for (const kind of kinds) done.add(kind)
        if (told.some(({ type }) => type === "payout.carried")) done.add("carried")
        expect(rebuild(told)).toEqual(stored)
      },
    ),
    runs(25, 8),
  )
  // A slice of the histories can miss what seldom comes.
  expect(done.size).toBeGreaterThanOrEqual(isWhole ? 12 : 10)
})
