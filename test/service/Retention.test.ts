/** What is removed because it is old, and that nothing which anybody asks for depends on it. */
import { ProductGroup } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, type InboxNote, Storage, type Stores } from "apportion/ports"
import {
  Audit,
  Balances,
  Collaborators,
  Entries,
  Events,
  Idempotency,
  makeSettings,
  Payouts,
  ProductGroups,
  Resplits,
  Retention,
  Sales,
  type Services,
  type SettingsInput,
  Statements,
  servicesLayer,
  settingsLayer,
  Webhooks,
} from "apportion/service"
import { Effect, Layer, Logger, Result } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

const run = <A, E>(
  program: Effect.Effect<A, E, Services | Storage>,
  settings: SettingsInput = {},
): Promise<A> => {
  const layer = servicesLayer.pipe(
    Layer.provideMerge([MemoryStorage.layer, ExchangeRates.none]),
    Layer.provideMerge(settingsLayer({ webhookTargets: "any", ...settings })),
    Layer.provideMerge(Logger.layer([])),
  )
  return Effect.runPromise(program.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))
}

const shop = "shop"
const day = 86_400
const start = Date.UTC(2024, 0, 15) / 1_000
const at = (seconds: number) => TestClock.setTime(seconds * 1_000)
const none = { events: 0, answers: 0, deliveries: 0, refundDocuments: 0, resplitBatches: 0 }

const purge = (options?: { months: number }) =>
  Effect.flatMap(Retention, (retention) => retention.purge(shop, options))

const survey = (options?: { months: number }) =>
  Effect.flatMap(Retention, (retention) => retention.survey(shop, options))

const within = <A, E, R>(work: (stores: Stores) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Storage, (storage) => storage.transaction(shop, work))

const open = (account: string) =>
  Effect.gen(function* () {
    const terms = { payoutMeasurement: "month", payoutFrequency: 1 } as const
    for (const id of ["ada", "bo"]) {
      yield* (yield* Collaborators).create(account, { id, currency: "USD", ...terms })
      const link = { type: "products.all" } as const
      yield* (yield* ProductGroups).create(account, id, { id, link, percent: "12.5" })
    }
  })

const orderOf = (id: string, amount: number) => ({
  ...{ id, currency: "USD" },
  items: [{ id: "1", product: { id: "p1" }, quantity: 3, amount }],
})

type Step =
  | { readonly type: "sell"; readonly amount: number }
  | { readonly type: "refund"; readonly of: number; readonly percent: number }
  | { readonly type: "charge"; readonly amount: number }
  | { readonly type: "pay" }
  | { readonly type: "split again"; readonly percent: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("sell"),
      amount: fc.integer({ min: 1, max: 90_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("refund"),
      of: fc.nat(30),
      percent: fc.integer({ min: 1, max: 60 }),
    }),
  },
  fc.record({ type: fc.constant("charge"), amount: fc.integer({ min: 1, max: 5_000 }) }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant("pay") }) },
  fc.record({ type: fc.constant("split again"), percent: fc.integer({ min: 1, max: 40 }) }),
)

const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), step), {
  minLength: 4,
  maxLength: 12,
})

type History = ReadonlyArray<readonly [number, Step]>

const take = Effect.fnUntraced(function* (
  account: string,
  number: number,
  given: Step,
  sold: Array<number>,
) {
  const [payouts, sales] = [yield* Payouts, yield* Sales]
  if (given.type === "sell") {
    sold.push(given.amount)
    yield* sales.record(account, orderOf(`o${sold.length - 1}`, given.amount))
  } else if (given.type === "refund" && sold.length > 0) {
    const of = given.of % sold.length
    const amount = Math.ceil(((sold[of] ?? 0) * given.percent) / 100)
    const refund = { id: `r${number}`, orderId: `o${of}`, itemId: "1", amount }
    yield* Effect.ignore(sales.refund(account, refund))
  } else if (given.type === "charge") {
    const expense = { id: `e${number}`, amount: given.amount, name: "Samples" }
    yield* (yield* Entries).addExpense(account, "ada", expense)
  } else if (given.type === "pay") {
    const { closed } = yield* payouts.closeDue(account)
    for (const id of closed) yield* Effect.ignore(payouts.pay(account, id))
  } else if (given.type === "split again") {
    const groups = yield* ProductGroups
    const percent = `${given.percent}`
    yield* groups.update(account, "ada", "ada", (group) => Result.succeed({ ...group, percent }))
    const resplits = yield* Resplits
    const { id, digest, changed } = yield* resplits.propose(account, { id: `s${number}` })
    if (changed === 0) return
    yield* resplits.approve(account, id, { digest })
    yield* resplits.book(account, id)
  }
})

/** Lives the same in some accounts; gives the times at which something happened. */
const live = (accounts: ReadonlyArray<string>, all: History) =>
  Effect.gen(function* () {
    const times: Array<number> = [start]
    yield* at(start)
    for (const account of accounts) yield* open(account)
    const sold = new Map(accounts.map((account) => [account, [] as Array<number>]))
    let now = start
    for (const [number, [days, next]] of all.entries()) {
      now += days * day
      yield* at(now)
      for (const account of accounts) yield* take(account, number, next, sold.get(account) ?? [])
      times.push(now)
    }
    return { times, orders: sold.get(accounts[0] ?? "")?.length ?? 0 }
  })

/** All that anybody can ask of the money. */
const books = (account: string, times: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const [statements, balances, payouts] = [yield* Statements, yield* Balances, yield* Payouts]
    const page = { page: 1, perPage: 100 }
    const of = []
    for (const collaboratorId of ["ada", "bo"]) {
      of.push(yield* statements.of(account, collaboratorId))
      for (const [index, from] of times.entries()) {
        const until = times[index + 2] ?? from + day
        of.push(yield* statements.of(account, collaboratorId, { from, until }))
        of.push(yield* statements.lines(account, collaboratorId, { period: { from, until } }))
      }
      of.push(yield* balances.of(account, collaboratorId))
    }
    const { entries } = yield* payouts.list(account, {}, page)
    const views = yield* Effect.forEach(entries, ({ payout }) => payouts.get(account, payout.id))
    const histories = yield* Effect.forEach(entries, ({ payout }) =>
      payouts.history(account, payout.id),
    )
    const audit = yield* Audit
    const audits = [yield* audit.payouts(account), yield* audit.sales(account)]
    const debts = yield* balances.belowZero(account, page)
    const sales = yield* (yield* Sales).list(account, {}, page)
    return {
      of,
      views,
      histories,
      audits,
      debts,
      sales,
      runs: yield* (yield* Resplits).list(account, page),
    }
  })

/** What statements say in figures, whatever ids there are. */
const figures = (account: string) =>
  Effect.gen(function* () {
    const statements = yield* Statements
    const all = yield* Effect.forEach(["ada", "bo"], (id) => statements.of(account, id))
    return all.map((one) => one.statements)
  })

describe("a purge", () => {
  test("changes nothing of statements, balances, payouts, sales and audits, and later refunds are to the cent", async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 6 }), async (all, months) => {
        await run(
          Effect.gen(function* () {
            const { times, orders } = yield* live([shop, "kept"], all)
            yield* at((times.at(-1) ?? 0) + 200 * day)
            const before = yield* books(shop, times)
            const wouldGo = yield* survey({ months })
            expect(yield* books(shop, times)).toEqual(before)
            expect(yield* purge({ months })).toEqual(wouldGo)
            expect(yield* books(shop, times)).toEqual(before)
            expect(before.audits.map(({ differences }) => differences)).toEqual([[], []])
            expect(yield* purge({ months })).toEqual(none)
            for (const account of [shop, "kept"]) {
              for (let order = 0; order < orders; order += 1) {
                const rest = { id: `rest of ${order}`, orderId: `o${order}`, itemId: "1" }
                yield* Effect.ignore((yield* Sales).refund(account, { ...rest, remaining: true }))
              }
            }
            expect(yield* figures(shop)).toEqual(yield* figures("kept"))
            expect((yield* (yield* Audit).sales(shop)).differences).toEqual([])
          }),
        )
      }),
      runs(60, 8),
    )
  })

  test("takes what happened before a month as a whole, and nothing younger", async () => {
    await run(
      Effect.gen(function* () {
        const note = (key: string, noted: number): InboxNote => ({
          ...{ key, at: noted, kind: "delivery", topic: "orders/create" },
        })
        const october = Date.UTC(2025, 9, 1) / 1_000
        yield* within(({ inbox }) =>
          inbox.putNotes([note("september", october - 1), note("october", october)]),
        )
        yield* at(Date.UTC(2025, 11, 31) / 1_000)
        expect(yield* survey({ months: 3 })).toEqual(none)
        expect(yield* survey({ months: 2 })).toEqual({ ...none, deliveries: 1 })
        expect(yield* purge({ months: 2 })).toEqual({ ...none, deliveries: 1 })
        const left = yield* within(({ inbox }) => inbox.notes(["september", "october"]))
        expect(left.map(({ key }) => key)).toEqual(["october"])
      }),
    )
  })

  test("takes nothing by months unless the setting says so", async () => {
    const old: InboxNote = { key: "d", at: 0, kind: "delivery", topic: "orders/create" }
    const program = Effect.gen(function* () {
      yield* within(({ inbox }) => inbox.putNotes([old]))
      yield* at(start)
      return yield* purge()
    })
    expect(await run(program)).toEqual(none)
    expect(await run(program, { historyMonths: 24 })).toEqual({ ...none, deliveries: 1 })
    expect(Result.isFailure(makeSettings({ historyMonths: 1_201 }))).toBe(true)
  })

  test.each([0, -1, 1.5, 1_201, Number.NaN])("is refused with %s months", async (months) => {
    const refused = await run(Effect.flip(purge({ months })))
    expect(refused).toMatchObject({ _tag: "InvalidSettings", problems: [{ path: "months" }] })
  })

  test("leaves the events that an endpoint did not get, however old they are", async () => {
    await run(
      Effect.gen(function* () {
        yield* at(start)
        const webhooks = yield* Webhooks
        yield* open(shop)
        const { id } = yield* webhooks.create(shop, { url: "http://localhost/hooks", after: 2 })
        yield* at(start + 2_000 * day)
        expect(yield* purge({ months: 24 })).toEqual({ ...none, events: 2 })
        const left = yield* (yield* Events).after(shop, 0)
        expect(left.map(({ number }) => number)[0]).toBe(3)
        yield* webhooks.update(shop, id, { isActive: false })
        expect((yield* purge({ months: 24 })).events).toBe(left.length)
      }),
    )
  })

  test("leaves webhooks from a position whose events are gone with a clear answer", async () => {
    await run(
      Effect.gen(function* () {
        yield* at(start)
        const webhooks = yield* Webhooks
        yield* open(shop)
        const { id } = yield* webhooks.create(shop, { url: "http://localhost/hooks" })
        yield* webhooks.update(shop, id, { isActive: false })
        yield* at(start + 100 * day)
        const last = (yield* purge()).events
        expect(last).toBeGreaterThan(4)
        for (const asked of [
          webhooks.replay(shop, id, 1),
          webhooks.create(shop, { url: "http://localhost/other", after: 1 }),
        ]) {
          const refused = yield* Effect.flip(asked)
          expect(refused).toMatchObject({ _tag: "InvalidEndpoint", problems: [{ path: "after" }] })
          expect(refused.message).toContain(`must be ${last} or more, or 0 for all events`)
        }
        expect((yield* webhooks.replay(shop, id, last)).delivered).toBeLessThanOrEqual(last)
        expect((yield* webhooks.replay(shop, id, 0)).delivered).toBe(0)
      }),
    )
  })

  test("keeps an answer as long as any setting may, when it knows only the months", async () => {
    await run(
      Effect.gen(function* () {
        const request = { key: "k", request: "r" }
        const once = Effect.flatMap(Idempotency, (keys) =>
          keys.once(shop, request, Effect.succeed(1)),
        )
        yield* at(start)
        yield* once
        yield* at(start + 365 * day)
        expect(yield* purge({ months: 1 })).toEqual(none)
        yield* at(start + 366 * day)
        expect(yield* purge({ months: 1 })).toEqual({ ...none, answers: 1 })
        yield* once
        yield* at(start + 368 * day)
        expect(yield* purge()).toEqual({ ...none, answers: 1 })
      }),
    )
  })

  test("removes the batches of re-splits that were booked, and the run is as booked as before", async () => {
    await run(
      Effect.gen(function* () {
        yield* at(start)
        yield* open(shop)
        yield* take(shop, 0, { type: "sell", amount: 10_000 }, [])
        yield* take(shop, 1, { type: "split again", percent: 20 }, [])
        const resplits = yield* Resplits
        const link = { type: "products.all" } as const
        const groups = [ProductGroup.make({ id: "x", collaboratorId: "bo", link, percent: "1" })]
        yield* resplits.propose(shop, { id: "open", groups })
        yield* at(start + 400 * day)
        const gone = yield* purge({ months: 6 })
        expect(gone.resplitBatches).toBe(1)
        const again = yield* resplits.book(shop, "s1")
        expect(again.status).toBe("booked")
        const proposed = yield* resplits.get(shop, "open")
        yield* resplits.approve(shop, "open", { digest: proposed.digest })
        expect((yield* resplits.book(shop, "open")).status).toBe("booked")
      }),
    )
  })
})

describe("documents of refunds", () => {
  const refund = (orderId: string, noted = start): InboxNote => ({
    ...{ key: `shopify/refund/of ${orderId}`, at: noted, kind: "refund", orderId },
    document: { id: 1, note: '"document":' },
  })
  const order = (orderId: string, fields: Partial<Extract<InboxNote, { kind: "order" }>> = {}) => ({
    ...{ key: `shopify/order/${orderId}`, at: start, kind: "order" as const, isBegun: true },
    ...{ state: "recorded" as const, updatedAt: start, leftOut: [], status: null },
    ...fields,
  })
  const documents = within(({ inbox }) =>
    Effect.map(
      inbox.notes(["quiet", "late", "told since", "again", "young"].map((id) => refund(id).key)),
      (notes) =>
        notes.flatMap((note) => (note.kind === "refund" && note.document ? note.orderId : [])),
    ),
  )

  test("go once an order is quiet; those of orders that may be worked out again stay", async () => {
    await run(
      Effect.gen(function* () {
        yield* at(start)
        yield* open(shop)
        for (const id of ["quiet", "late", "told since", "again", "young"]) {
          yield* (yield* Sales).record(shop, orderOf(id, 10_000))
        }
        const request = { id: "run", orderIds: ["again"] }
        yield* (yield* ProductGroups).update(shop, "ada", "ada", (group) =>
          Result.succeed({ ...group, percent: "1" }),
        )
        const { digest } = yield* (yield* Resplits).propose(shop, request)
        yield* (yield* Resplits).approve(shop, "run", { digest })
        yield* (yield* Resplits).book(shop, "run")
        const now = start + 800 * day
        const late = [{ updatedAt: start, order: orderOf("late", 9) }]
        yield* within(({ inbox }) =>
          inbox.putNotes([
            ...[refund("quiet"), refund("late"), refund("told since"), refund("again")],
            ...[refund("young", now - 5), order("quiet"), order("again"), order("young")],
            ...[order("late", { late }), order("told since", { at: now - 5 })],
          ]),
        )
        yield* at(now)
        const gone = { ...none, refundDocuments: 1 }
        expect(yield* survey({ months: 12 })).toMatchObject({ refundDocuments: 1 })
        expect(yield* purge({ months: 12 })).toMatchObject({ refundDocuments: 1 })
        expect([...(yield* documents)].sort()).toEqual(["again", "late", "told since", "young"])
        const [note] = yield* within(({ inbox }) => inbox.notes([refund("quiet").key]))
        expect(note).toEqual({
          ...{ key: refund("quiet").key, at: start, kind: "refund" },
          orderId: "quiet",
        })
        expect(yield* purge({ months: 12 })).not.toMatchObject(gone)
      }),
    )
  })
})
