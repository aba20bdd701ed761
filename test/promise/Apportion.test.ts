import { MemoryStorage } from "apportion/memory"
import { type PlainStorage, type StorageService, Tokens } from "apportion/ports"
import {
  type Apportion,
  type ApportionOptions,
  type LogEntry,
  makeApportion,
} from "apportion/promise"
import { Effect } from "effect"
import { afterEach, describe, expect, test, vi } from "vitest"
import { plainHost } from "./PlainHost.js"

const shop = "my-shop"
const january = 1_767_225_600
const day = 86_400

const open: Array<Apportion> = []

const start = async (options: ApportionOptions = {}): Promise<Apportion> => {
  const apportion = await makeApportion(options)
  open.push(apportion)
  return apportion
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((apportion) => apportion.close()))
})

const collect = async <A>(values: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const value of values) found.push(value)
  return found
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`fulfilled with ${JSON.stringify(value)}`)),
    (error) => error,
  )

const order = (id: string, tag = "art") => ({
  id,
  currency: "USD",
  items: [{ id: "i1", amount: 10_000, quantity: 1, product: { id: "p1", tags: [tag] } }],
})

const ada = { id: "ada", currency: "USD" } as const
const artGroup = {
  link: { type: "products.tag", values: ["art"] },
  percent: "12.50",
} as const

/** A shop with one collaborator, who gets an eighth of what is art. */
const openShop = async (options: ApportionOptions = {}) => {
  const apportion = await start({ now: () => january, ...options })
  await apportion.collaborators.create(shop, ada)
  const { group } = await apportion.groups.create(shop, "ada", artGroup)
  return { apportion, group }
}

const activePayout = async (apportion: Apportion) => {
  const { entries } = await apportion.payouts.list(shop, { status: "active" })
  return entries[0]?.payout.id ?? "none"
}

const memory = () => Effect.runPromise(MemoryStorage.make)
const storages: Record<string, () => Promise<StorageService | PlainStorage | undefined>> = {
  "the default storage": async () => undefined,
  "a storage of Effect": memory,
  "a storage of plain functions": async () => plainHost(await memory()),
}

describe.each(Object.entries(storages))("with %s", (_name, makeStorage) => {
  test("a collaborator earns, has expenses, is paid, and gives back what is refunded", async () => {
    let now = january
    const apportion = await start({ storage: await makeStorage(), now: () => now })
    await apportion.collaborators.create(shop, ada)
    await apportion.products.put(shop, [
      { id: "p1", name: "Print", tags: ["art"] },
      { id: "p2", name: "Mug", tags: ["kitchen"] },
      { id: "p3", name: "Poster", tags: ["Art"] },
    ])
    const { group } = await apportion.groups.create(shop, "ada", artGroup)
    const progress = await collect(apportion.groups.watch(shop, group.id))
    expect(progress.at(-1)).toMatchObject({ status: "done", scanned: 3, productsCount: 2 })
    const view = await apportion.groups.get(shop, "ada", group.id, { perPage: 1 })
    expect(view.products).toMatchObject({ total: 2, entries: [{ id: "p3" }] })

    const { parts, newItemIds } = await apportion.sales.record(shop, order("o1"))
    expect(newItemIds).toEqual(["i1"])
    expect(parts[0]?.split.shares).toMatchObject([{ collaboratorId: "ada", amount: 1_250 }])
    const payoutId = await activePayout(apportion)
    const withExpense = await apportion.payouts.addExpense(shop, payoutId, {
      amount: 250,
      name: "Frames",
    })
    expect(withExpense.total).toBe(1_000)

    expect(await apportion.payouts.closeDue(shop)).toEqual({ closed: [], rolled: [] })
    now += 31 * day
    expect(await apportion.payouts.closeDue(shop)).toEqual({ closed: [payoutId], rolled: [] })
    const payable = await apportion.payouts.listPayable(shop, 10)
    expect(payable.map(({ payout }) => payout.id)).toEqual([payoutId])
    const paid = await apportion.payouts.pay(shop, payoutId)
    expect(paid.payout).toMatchObject({ status: "paid", paidAt: now })

    const { reversal } = await apportion.sales.refund(shop, {
      id: "r1",
      itemId: "i1",
      amount: 4_000,
      orderId: "o1",
    })
    expect(reversal.shares).toMatchObject([{ amount: 500 }])
    const next = await apportion.payouts.get(shop, await activePayout(apportion))
    expect(next).toMatchObject({ total: -500, payout: { currency: "USD" } })
    expect((await apportion.sales.replay(shop, "o1"))[0]?.shares[0]?.amount).toBe(1_250)
  })
})

test("what is asked for and is not there rejects with the error itself", async () => {
  const apportion = await start()
  const error = await rejection(apportion.collaborators.get(shop, "bob"))
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    _tag: "NotFound",
    what: "collaborator",
    id: "bob",
    message: "there is no collaborator with the id bob",
  })
})

test("what is wrong with an input is told with its fields", async () => {
  const { apportion } = await openShop()
  const error = await rejection(
    apportion.groups.create(shop, "ada", { link: { type: "products.all" }, percent: "120.00" }),
  )
  expect(error).toMatchObject({ _tag: "InvalidProductGroup", problems: [{ path: "percent" }] })
})

test("pages are read as they are on the wire", async () => {
  const apportion = await start()
  const ids = Array.from({ length: 20 }, (_, index) => `c${String(index).padStart(2, "0")}`)
  for (const id of ids) await apportion.collaborators.create(shop, { id, currency: "USD" })
  const shown = async (page?: { page?: number; perPage?: number }) =>
    (await apportion.collaborators.list(shop, page)).entries.map((entry) => entry.collaborator.id)
  expect(await shown()).toEqual(ids.slice(0, 15))
  expect(await shown({ page: 2 })).toEqual(ids.slice(15))
  expect(await shown({ perPage: 1_000 })).toEqual(ids)
  expect(await rejection(apportion.collaborators.list(shop, { page: 1.5 }))).toMatchObject({
    _tag: "InvalidPageRequest",
    problems: [{ path: "page" }],
  })
})

test("a group keeps what a change leaves out, and can lose its condition", async () => {
  const { apportion, group } = await openShop()
  const condition = { type: "country.code", values: ["DE"] } as const
  const changed = await apportion.groups.update(shop, "ada", group.id, {
    condition,
    percent: undefined,
  })
  expect(changed.group).toMatchObject({ percent: "12.50", condition })
  const back = await apportion.groups.update(shop, "ada", group.id, { condition: null })
  expect(back).toMatchObject({ version: 3, group })
  await apportion.groups.remove(shop, "ada", group.id)
  expect(await rejection(apportion.groups.get(shop, "ada", group.id))).toMatchObject({
    _tag: "NotFound",
  })
})

test("a collaborator keeps what a change leaves out", async () => {
  const { apportion } = await openShop()
  const changed = await apportion.collaborators.update(shop, "ada", { notes: "prints" })
  expect(changed).toMatchObject({ version: 2, collaborator: { currency: "USD", notes: "prints" } })
})

test("exchange rates are a function, a table or a service of Effect", async () => {
  const sell = async (exchangeRates: ApportionOptions["exchangeRates"]) => {
    const apportion = await start({ exchangeRates })
    await apportion.collaborators.create(shop, { id: "ada", currency: "EUR" })
    await apportion.groups.create(shop, "ada", artGroup)
    const { parts } = await apportion.sales.record(shop, order("o1"))
    return parts[0]?.postings[0]?.rate
  }
  expect(await sell(async ({ from }) => (from === "USD" ? "0.5" : undefined))).toBe("0.5")
  expect(await sell({ "USD/EUR": "0.25" })).toBe("0.25")
  expect(await sell({ rate: () => Effect.succeed("0.75") })).toBe("0.75")
  expect(await rejection(sell(undefined))).toMatchObject({ _tag: "MissingExchangeRate" })
})

test("tokens are a function, a list or a service of Effect", async () => {
  const known = { token: "secret", accountId: shop }
  const service = await Effect.runPromise(
    Effect.provide(
      Effect.map(Tokens, (tokens) => tokens),
      Tokens.fixed([known]),
    ),
  )
  const lookUp = (hash: string) => Effect.runPromise(service.find(hash))
  for (const tokens of [lookUp, [known], service]) {
    const apportion = await start({ tokens })
    expect(await apportion.authenticate("secret")).toBe(shop)
    expect(await apportion.authenticate("guess")).toBe(undefined)
  }
  expect(await (await start()).authenticate("secret")).toBe(undefined)
})

test("settings hold for all accounts, or for each its own", async () => {
  const dueAt = async (settings: ApportionOptions["settings"], accountId: string) => {
    const apportion = await start({ settings, now: () => january })
    await apportion.collaborators.create(accountId, ada)
    await apportion.groups.create(accountId, "ada", artGroup)
    await apportion.sales.record(accountId, order("o1"))
    const { entries } = await apportion.payouts.list(accountId, {})
    return entries[0]?.payout.toBePaidAt
  }
  const timeZone = "Pacific/Kiritimati"
  const [inUtc, inKiribati] = [await dueAt(undefined, shop), await dueAt({ timeZone }, shop)]
  expect(inUtc).toBe(january + 31 * day)
  expect(inKiribati).not.toBe(inUtc)
  const ofAccount = async (accountId: string) => (accountId === shop ? { timeZone } : {})
  expect(await dueAt(ofAccount, shop)).toBe(inKiribati)
  expect(await dueAt(ofAccount, "another")).toBe(inUtc)
})

test("settings that can't be used are refused at the start", async () => {
  expect(await rejection(makeApportion({ settings: { linkBatchSize: 0 } }))).toMatchObject({
    _tag: "InvalidSettings",
    problems: [{ path: "linkBatchSize", value: 0 }],
  })
  const apportion = await start({ settings: () => ({ timeZone: "Mars/Olympus" }) })
  expect(await rejection(apportion.collaborators.create(shop, ada))).toMatchObject({
    _tag: "InvalidSettings",
    problems: [{ path: "timeZone" }],
  })
})

test("the log gets each change with what it happened to, and nothing goes to the console", async () => {
  const lines = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
    vi.spyOn(console, name),
  )
  const entries: Array<LogEntry> = []
  const { apportion } = await openShop({ log: (entry) => entries.push(entry) })
  const quiet = await start()
  await quiet.collaborators.create(shop, ada)
  await apportion.close()
  expect(entries[0]).toEqual({
    level: "Info",
    message: "collaborator created",
    annotations: { accountId: shop, collaboratorId: "ada" },
    timeMillis: january * 1_000,
  })
  for (const line of lines) {
    expect(line).not.toHaveBeenCalled()
    line.mockRestore()
  }
})

test("a log that throws changes nothing", async () => {
  const apportion = await start({
    log: () => {
      throw new Error("disk full")
    },
  })
  expect((await apportion.collaborators.create(shop, ada)).version).toBe(1)
})

test("what goes wrong in the background is in the log with its cause", async () => {
  const entries: Array<LogEntry> = []
  const storage = await memory()
  let isBroken = false
  const breaking = plainHost(storage, {
    log: [],
    around: ({ products: { selected: _none, ...products }, ...stores }) => ({
      ...stores,
      products: {
        ...products,
        batch: (options) =>
          isBroken ? Promise.reject(new Error("the connection is gone")) : products.batch(options),
      },
    }),
  })
  isBroken = true
  await openShop({ storage: breaking, log: (entry) => entries.push(entry) })
  await vi.waitFor(() => expect(entries.some(({ cause }) => cause !== undefined)).toBe(true), {
    timeout: 10_000,
  })
  const failed = entries.find(({ cause }) => cause !== undefined)
  expect(failed?.level).not.toBe("Info")
  expect(failed?.cause).toContain("read the next products")
})

test("a storage that fails rejects with what was being done", async () => {
  const apportion = await start({
    storage: {
      transaction: () => Promise.reject(new Error("no connection")),
      accounts: async () => [],
    },
  })
  expect(await rejection(apportion.collaborators.get(shop, "ada"))).toMatchObject({
    _tag: "StorageFailure",
    cause: new Error("no connection"),
  })
})

test("a conflict is tried again, and comes out when it does not cease", async () => {
  let conflicts = 3
  let commits = 0
  const storage = plainHost(await memory(), {
    log: [],
    beforeCommit: async () => {
      commits += 1
      conflicts -= 1
      if (conflicts >= 0) throw { _tag: "Conflict" }
    },
  })
  const apportion = await start({ storage, settings: { conflictRetries: 5 } })
  expect((await apportion.collaborators.create(shop, ada)).version).toBe(1)
  expect(commits).toBe(4)
  conflicts = Number.POSITIVE_INFINITY
  commits = 0
  expect(
    await rejection(apportion.collaborators.create(shop, { id: "bob", currency: "USD" })),
  ).toMatchObject({ _tag: "Conflict" })
  expect(commits).toBe(6)
})

test("something unexpected rejects as a defect with what was thrown", async () => {
  const cause = new TypeError("not a function")
  const apportion = await start({
    settings: () => {
      throw cause
    },
  })
  expect(await rejection(apportion.collaborators.create(shop, ada))).toMatchObject({
    _tag: "Defect",
    cause,
    message: "something unexpected was thrown: not a function",
  })
})
