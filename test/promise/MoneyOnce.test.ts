/** Everything that moves money, or says that it moved, can be asked for twice and happens once: by a key, or by an id of its own. */
import type { PlainPaymentRail } from "apportion/ports"
import { type Apportion, makeApportion } from "apportion/promise"
import { afterEach, describe, expect, test } from "vitest"

const shop = "my-shop"
const january = 1_767_225_600

/**
 * Why a call can be asked for twice. `key`: it takes an idempotency key. `id`: what it is about has an id, by which it is
 * recognised. `due`: it does what is due, and what it did is not due any more. `read`: it changes nothing.
 */
type Guard = "key" | "id" | "due" | "read"

/** Every call of every service that has to do with money. */
const guards = {
  payouts: {
    ...{ addExpense: "key", addIncome: "key", removeEntry: "key", setPaid: "key" },
    ...{
      closeDue: "key",
      closeNextDue: "due",
      pay: "key",
      fail: "key",
      retry: "key",
      return: "key",
    },
    ...{ list: "read", get: "read", getAsSeen: "read", history: "read" },
    ...{ listPayable: "read", outlook: "read" },
  },
  entries: {
    ...{ addExpense: "key", addIncome: "key", writeOff: "key", request: "key", repay: "key" },
  },
  payments: {
    claim: "key",
    ...{ send: "id", noteSent: "id", resolve: "id", confirm: "id", reject: "id", return: "id" },
    ...{ release: "id", answer: "id", settle: "id", run: "id" },
    ...{ get: "read", ofPayout: "read", list: "read", stuck: "read" },
  },
  sales: {
    ...{
      record: "id",
      recordAll: "id",
      refund: "id",
      preview: "read",
      previewRefund: "read",
      get: "read",
      list: "read",
      explain: "read",
    },
    replay: "read",
  },
  balances: { list: "read", of: "read", belowZero: "read" },
} as const satisfies Partial<Record<keyof Apportion, Record<string, Guard>>>

let apportion: Apportion
let now = january

/** A rail that is never asked: what is claimed for it is not sent. */
const wallet: PlainPaymentRail = {
  name: "wallet",
  terms: { currencies: null, mode: "single", lateSeconds: 60, knownSeconds: null },
  send: () => Promise.reject(new RangeError("nothing is sent")),
  find: () => Promise.reject(new RangeError("nothing is asked")),
}

const open = async (): Promise<string> => {
  now = january
  apportion = await makeApportion({ now: () => now, rails: [wallet] })
  const { collaborators, groups, sales } = apportion
  await collaborators.create(shop, { id: "ada", currency: "USD" })
  await groups.create(shop, "ada", { id: "g", link: { type: "products.all" }, percent: 50 })
  const { parts } = await sales.record(shop, order)
  return parts[0]?.postings[0]?.payoutId ?? "none"
}

const order = {
  ...{ id: "o1", currency: "USD" },
  items: [{ id: "i1", amount: 10_000, quantity: 1, product: { id: "p1" } }],
}

afterEach(() => apportion.close())

/** All that is stored of payouts and payments, with everything that was ever done to them. */
const everything = async () => {
  const { entries } = await apportion.payouts.list(shop, {}, { perPage: 100 })
  const ids = entries.map(({ payout }) => payout.id)
  return {
    histories: await Promise.all(ids.map((id) => apportion.payouts.history(shop, id))),
    payments: await apportion.payments.list(shop),
    sales: await apportion.sales.list(shop),
  }
}

test("of every call is said why it can be asked for twice", async () => {
  await open()
  for (const [service, calls] of Object.entries(guards)) {
    const face: object = Reflect.get(apportion, service)
    expect(Object.keys(calls).toSorted(), service).toEqual(Object.keys(face).toSorted())
  }
})

type Options = { readonly idempotencyKey: string }
type Change = (options: Options, payoutId: string) => Promise<unknown>

/** Closes the payout, and says that it failed, or was paid, before a change. */
const after = async (payoutId: string, ...steps: ReadonlyArray<"close" | "fail" | "pay">) => {
  const { payouts } = apportion
  for (const step of steps) {
    if (step === "fail") await payouts.fail(shop, payoutId, "no such account")
    if (step === "pay") await payouts.pay(shop, payoutId)
    if (step !== "close") continue
    now += 31 * 86_400
    await payouts.closeDue(shop)
  }
}

const entry = { amount: 100, name: "Frames" }

/** The calls that take a key, each in a shop in which it has an effect. */
const keyed: Readonly<
  Record<string, { readonly before?: (payoutId: string) => Promise<unknown>; readonly ask: Change }>
> = {
  "payouts.addExpense": { ask: (key, id) => apportion.payouts.addExpense(shop, id, entry, key) },
  "payouts.addIncome": { ask: (key, id) => apportion.payouts.addIncome(shop, id, entry, key) },
  "payouts.removeEntry": {
    before: (id) => apportion.payouts.addIncome(shop, id, { ...entry, id: "e1" }),
    ask: (key, id) => apportion.payouts.removeEntry(shop, id, "e1", key),
  },
  "payouts.setPaid": { ask: (key, id) => apportion.payouts.setPaid(shop, id, key) },
  "payouts.closeDue": {
    before: async () => {
      now += 31 * 86_400
    },
    ask: (key) => apportion.payouts.closeDue(shop, key),
  },
  "payouts.pay": {
    before: (id) => after(id, "close"),
    ask: (key, id) => apportion.payouts.pay(shop, id, { ...key, total: 5_000 }),
  },
  "payouts.fail": {
    before: (id) => after(id, "close"),
    ask: (key, id) => apportion.payouts.fail(shop, id, "no such account", key),
  },
  "payouts.retry": {
    before: (id) => after(id, "close", "fail"),
    ask: (key, id) => apportion.payouts.retry(shop, id, key),
  },
  "payouts.return": {
    before: (id) => after(id, "close", "pay"),
    ask: (key, id) => apportion.payouts.return(shop, id, "account closed", key),
  },
  "payments.claim": {
    before: (id) => after(id, "close"),
    ask: (key, id) => apportion.payments.claim(shop, id, "wallet", key),
  },
  "entries.addExpense": { ask: (key) => apportion.entries.addExpense(shop, "ada", entry, key) },
  "entries.addIncome": { ask: (key) => apportion.entries.addIncome(shop, "ada", entry, key) },
  ...Object.fromEntries(
    (["writeOff", "request", "repay"] as const).map((name) => [
      `entries.${name}`,
      {
        before: () => apportion.entries.addExpense(shop, "ada", { ...entry, amount: 9_000 }),
        ask: (key: Options) => apportion.entries[name](shop, "ada", entry, key),
      },
    ]),
  ),
}

describe("asked for twice under one key", () => {
  test.each(Object.entries(keyed))(
    "%s has one effect and one answer",
    async (name, { before, ask }) => {
      const payoutId = await open()
      await before?.(payoutId)
      const key = { idempotencyKey: name }
      const untouched = await everything()
      const first = await ask(key, payoutId)
      const once = await everything()
      expect(once).not.toEqual(untouched)
      expect(await ask(key, payoutId)).toEqual(first)
      expect(await everything()).toEqual(once)
    },
  )

  test("a claim is refused as another request for another payout, and under another key while it is open", async () => {
    const payoutId = await open()
    await after(payoutId, "close")
    const { claim } = apportion.payments
    const key = { idempotencyKey: "k" }
    const { id } = await claim(shop, payoutId, "wallet", key)
    await expect(claim(shop, "another", "wallet", key)).rejects.toMatchObject({
      _tag: "KeyReused",
    })
    const other = { idempotencyKey: "k2" }
    await expect(claim(shop, payoutId, "wallet", other)).rejects.toMatchObject({
      _tag: "PaymentUnderWay",
    })
    expect((await apportion.payments.list(shop)).map((payment) => payment.id)).toEqual([id])
  })

  test("all calls that take a key are asked", () => {
    const names = Object.entries(guards).flatMap(([service, calls]) =>
      Object.entries(calls).flatMap(([call, guard]) =>
        guard === "key" ? [`${service}.${call}`] : [],
      ),
    )
    expect(Object.keys(keyed).toSorted()).toEqual(names.toSorted())
  })
})

test("a sale and a refund that come twice are recognised by their ids", async () => {
  await open()
  const { sales } = apportion
  const refund = { id: "r1", orderId: "o1", itemId: "i1", amount: 1_000 }
  await sales.refund(shop, refund)
  const once = await everything()
  await sales.record(shop, order)
  await sales.refund(shop, refund)
  expect(await everything()).toEqual(once)
})
