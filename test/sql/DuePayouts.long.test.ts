import { PgClient } from "@effect/sql-pg"
import { Collaborator, Payout, PayoutItem } from "apportion"
import { ExchangeRates, Storage } from "apportion/ports"
import {
  Actor,
  Audit,
  type Closing,
  DuePayouts,
  Payouts,
  type Services,
  servicesLayer,
  settingsLayer,
} from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Context, Effect, Layer, Logger, ManagedRuntime, Redacted, Result } from "effect"
import { afterAll, describe, expect, inject, test } from "vitest"
import { clientFor, emptyStorage, postgres } from "./databases.js"

type Concurrency = NonNullable<SqlStorage.SqlStorageOptions["concurrency"]>

const accounts = ["apples", "books", "cards"]
const payoutsOfEach = 100
const due = 1_709_164_800

/** Every fifth payout earned too little to be closed. */
const isSmall = (number: number) => number % 5 === 0

const nameOf = (number: number) => `p${String(number).padStart(3, "0")}`

const numbers = Array.from({ length: payoutsOfEach }, (_, number) => number)
const closable = numbers.filter((number) => !isSmall(number)).map(nameOf)
const small = numbers.filter(isSmall).map(nameOf)

/** An account in which each of a hundred collaborators has a payout that is due. */
const openAccount = (accountId: string) =>
  Effect.flatMap(Storage, (storage) =>
    storage.transaction(accountId, ({ collaborators, payouts }) =>
      Effect.gen(function* () {
        for (const number of numbers) {
          const id = nameOf(number)
          const collaborator = Collaborator.make({ id, currency: "USD", payoutThreshold: 1_000 })
          yield* collaborators.insert({ collaborator, createdAt: due, updatedAt: due })
          const { items: _none, ...opened } = Payout.open({
            ...{ id, collaboratorId: id, currency: "USD" },
            ...{ openedAt: due - 86_400 * 20, toBePaidAt: due + number },
          })
          const total = isSmall(number) ? 999 : 5_000
          const earned = { id: "earned", amount: total, name: "Earned", at: due - 86_400 }
          const put = [Result.getOrThrow(PayoutItem.income(earned, { currency: "USD" }))]
          yield* payouts.insert({
            payout: { ...opened, total, itemsCount: 1, paymentId: null },
            put,
          })
        }
      }),
    ),
  )

/** How long anything takes is the machine's business: nobody gives up because of that. */
const patient = settingsLayer({ conflictRetries: 1_000, waitSeconds: 3_600 })

/** A process of its own, with connections of its own. */
const openWorker = (database: string, concurrency: Concurrency) => {
  const url = new URL(inject("postgresUrl"))
  url.pathname = `/${database}`
  const client = PgClient.layer({ url: Redacted.make(url.href), maxConnections: 6 })
  const storage = Layer.provide(SqlStorage.layer({ concurrency, waiting: "1 hour" }), client)
  const services = Layer.provide(servicesLayer, ExchangeRates.none)
  return ManagedRuntime.make(
    Layer.provideMerge(services, storage).pipe(
      Layer.provide(patient),
      Layer.provideMerge(Logger.layer([])),
    ),
  )
}

type Worker = ManagedRuntime.ManagedRuntime<Services | Storage, unknown>

interface Closed extends Closing {
  readonly worker: string
  readonly accountId: string
}

/** Lets each worker close each account, all of them at once. */
const closeSideBySide = (workers: ReadonlyArray<Worker>): Promise<ReadonlyArray<Closed>> =>
  Promise.all(
    workers.flatMap((runtime, number) =>
      accounts.map(async (accountId) => {
        const worker = `worker ${number}`
        const closing = Effect.flatMap(Payouts, ({ closeDue }) => closeDue(accountId))
        const done = await runtime.runPromise(Effect.provideService(closing, Actor, worker))
        return { ...done, worker, accountId }
      }),
    ),
  )

/** Who brought each payout of an account to its second version, as its history tells it. */
const authorsOf = (accountId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    return yield* storage.transaction(accountId, ({ payouts }) =>
      Effect.forEach(numbers.map(nameOf), (payoutId) =>
        Effect.map(payouts.history({ payoutId, after: 1, limit: 10 }), (entries) => ({
          payoutId,
          changes: entries.map(({ before, after }) => `${before?.status} ${after.status}`),
          actors: entries.map(({ actor }) => actor),
        })),
      ),
    )
  })

const modes: ReadonlyArray<Concurrency> = ["queue", "optimistic"]

describe.each(modes)("workers that close what is due at once, %s", (concurrency) => {
  const database = `due_${concurrency}`
  const client = clientFor(() => postgres(database))
  const workers: Array<Worker> = []
  afterAll(() => Promise.all(workers.splice(0).map((worker) => worker.dispose())))

  const start = async (count: number): Promise<ReadonlyArray<Worker>> => {
    const storage = await Effect.runPromise(emptyStorage(client(), { concurrency }))
    const opening = Effect.forEach(accounts, openAccount, { discard: true })
    await Effect.runPromise(Effect.provideService(opening, Storage, storage))
    const started = Array.from({ length: count }, () => openWorker(database, concurrency))
    workers.push(...started)
    // All of them are ready before one begins, however long that takes.
    const ready = Effect.flatMap(Storage, (storage) => storage.accounts)
    await Promise.all(started.map((worker) => worker.runPromise(ready)))
    return started
  }

  test("close or roll each payout once, and each of them tells of its own", async () => {
    const all = await start(6)
    const done = await closeSideBySide(all)
    const [first] = all
    if (first === undefined) throw new TypeError("there is no worker")
    for (const accountId of accounts) {
      const own = done.filter((one) => one.accountId === accountId)
      expect(own.flatMap(({ closed }) => closed).sort()).toEqual(closable)
      expect(own.flatMap(({ rolled }) => rolled).sort()).toEqual(small)
      const teller = new Map(
        own.flatMap(({ worker, closed, rolled }) =>
          [...closed, ...rolled].map((id) => [id, worker] as const),
        ),
      )
      for (const { payoutId, changes, actors } of await first.runPromise(authorsOf(accountId))) {
        const change = small.includes(payoutId) ? "active active" : "active pending"
        expect([payoutId, changes]).toEqual([payoutId, [change]])
        expect([payoutId, actors]).toEqual([payoutId, [teller.get(payoutId)]])
      }
      const audit = Effect.flatMap(Audit, ({ payouts }) => payouts(accountId))
      expect(await first.runPromise(audit)).toEqual({ checked: payoutsOfEach, differences: [] })
    }
    // No worker did all of it while the others looked on.
    const shares = new Map<string, number>()
    for (const { worker, closed } of done) {
      shares.set(worker, (shares.get(worker) ?? 0) + closed.length)
    }
    expect([...shares.values()].every((share) => share < closable.length * 3)).toBe(true)
    expect(await closeSideBySide(all)).toEqual(
      done.map(({ worker, accountId }) => ({ worker, accountId, closed: [], rolled: [] })),
    )
  })

  test("the same by the clock, in all accounts", async () => {
    const all = await start(4)
    const closings = await Promise.all(
      all.map((runtime) =>
        runtime.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const built = yield* Layer.build(DuePayouts.layer({ every: "1 hour" }))
              return yield* Context.get(built, DuePayouts).closeAll
            }),
          ),
        ),
      ),
    )
    expect(closings.flatMap(({ failed }) => failed)).toEqual([])
    const [first] = all
    for (const accountId of accounts) {
      const authors = await first?.runPromise(authorsOf(accountId))
      expect(authors?.map(({ changes }) => changes.length)).toEqual(numbers.map(() => 1))
    }
    const sql = client()
    const left = await Effect.runPromise(
      sql.unsafe<{ count: string }>(
        `SELECT count(*) AS count FROM apportion.payouts WHERE status = 'active' AND to_be_paid_at < ${due + payoutsOfEach}`,
      ),
    )
    expect(left.map(({ count }) => Number(count))).toEqual([0])
  })
})
