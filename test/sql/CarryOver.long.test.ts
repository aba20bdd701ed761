/** What versions before 0.6.0 stored of payouts and sales is carried over: what is read is the same before, meanwhile and after. */

import { PayoutStatus } from "apportion"
import { Storage, type StorageService } from "apportion/ports"
import { Audit } from "apportion/service"
import { Migrations } from "apportion/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { expect, test } from "vitest"
import { adjustment, income, refund, sale } from "../../src/testing/contracts/samples.js"
import { liveIn, steps } from "../service/PayoutLives.js"
import { clientFor, emptyStorage, pglite } from "./databases.js"
import { toEarlierForm } from "./EarlierForm.js"

const client = clientFor(() => pglite)

const run = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(Effect.provideService(work, SqlClient.SqlClient, client()))

/** All that is read of a payout. */
const read = (storage: StorageService, accountId: string) =>
  run(
    storage.transaction(
      accountId,
      ({ payouts }) =>
        Effect.all({
          payout: payouts.get("p1"),
          items: payouts.items("p1"),
          part: payouts.someItems("p1", { offset: 1, limit: 2 }),
          item: payouts.item("p1", "e1"),
          history: payouts.history({ payoutId: "p1", after: 0, limit: 100 }),
          late: payouts.history({ payoutId: "p1", after: 2, limit: 2 }),
          ids: payouts.historyIds({ after: undefined, limit: 5 }),
          lastHash: payouts.lastHash("p1"),
        }),
      { mode: "read" },
    ),
  )

const audit = (storage: StorageService, accountId: string) =>
  Effect.flatMap(Audit, ({ payouts }) => payouts(accountId)).pipe(
    Effect.provide(Layer.provide(Audit.layer, Layer.succeed(Storage)(storage))),
    Effect.runPromise,
  )

/** Puts an item in the place of one that there was from the beginning, and another one beside it. */
const change = (storage: StorageService, accountId: string) =>
  run(
    storage.transaction(accountId, ({ payouts }) =>
      Effect.gen(function* () {
        const payout = yield* payouts.get("p1")
        const items = yield* payouts.items("p1")
        const [first] = items
        if (payout === undefined || first === undefined || PayoutStatus.isSettled(payout.status))
          return
        const put = [{ ...first, amount: first.amount + 1 }, income("new", 7)]
        const total = payout.total + 8
        yield* payouts.update({
          payout: { ...payout, total, itemsCount: payout.itemsCount + 1 },
          put,
        })
      }),
    ),
  )

const lives = fc.array(fc.tuple(steps, fc.boolean()), { minLength: 8, maxLength: 8 })

test("what was stored before is read as it was, changed, and carried over as it is", async () => {
  const all = fc.asyncProperty(lives, async (given) => {
    const storage = await run(emptyStorage(client()))
    const ids = given.map((_, index) => `life ${index}`)
    for (const [index, [life]] of given.entries()) await liveIn(storage, `life ${index}`, life)
    const readAll = () => Promise.all(ids.map((id) => read(storage, id)))
    const written = await readAll()
    await run(toEarlierForm(client(), storage))
    expect(await readAll()).toEqual(written)
    for (const [index, [, isChanged]] of given.entries()) {
      if (isChanged) await change(storage, `life ${index}`)
    }
    const before = await readAll()
    expect(await run(Migrations.carryOver)).toMatchObject({ left: 0 })
    expect(await readAll()).toEqual(before)
    for (const id of ids) {
      expect(await audit(storage, id)).toEqual({ checked: 1, differences: [] })
    }
    const [rest] = await run(
      client().unsafe(`SELECT (SELECT count(*) FROM apportion.payout_history)::text AS entries,
        (SELECT count(*) FROM apportion.payout_items)::text AS items`),
    )
    expect(rest).toEqual({ entries: "0", items: "0" })
  })
  await fc.assert(all, { numRuns: 1, endOnFailure: true })
})

test("an entry that was changed behind the back of the services, and the one after it, stay where they are", async () => {
  const storage = await run(emptyStorage(client()))
  await liveIn(storage, "shop", [
    { put: [[1, 5]], remove: [], event: undefined },
    { put: [[1, 7]], remove: [], event: undefined },
    { put: [[2, 9]], remove: [0], event: undefined },
  ])
  await run(toEarlierForm(client(), storage))
  const tamper = [
    "ALTER TABLE apportion.payout_history DISABLE TRIGGER USER",
    `UPDATE apportion.payout_history SET after = jsonb_set(after::jsonb, '{total}', '1')::json
      WHERE version = 2`,
    "ALTER TABLE apportion.payout_history ENABLE TRIGGER USER",
  ]
  for (const statement of tamper) await run(client().unsafe(statement))
  const found = (await audit(storage, "shop")).differences
  expect(found.length).toBeGreaterThan(0)
  expect(await run(Migrations.carryOver)).toEqual({ carried: 2, left: 2 })
  const after = (await audit(storage, "shop")).differences
  expect(after.map(({ kind }) => kind)).toContain("hash")
  expect(await run(Migrations.carryOver)).toEqual({ carried: 0, left: 2 })
})

test("an entry is taken away from where it was by nobody else", async () => {
  const storage = await run(emptyStorage(client()))
  await liveIn(storage, "shop", [])
  await run(toEarlierForm(client(), storage))
  const refused = await run(Effect.flip(client().unsafe("DELETE FROM apportion.payout_history")))
  expect(String(Reflect.get(Object(refused.reason.cause), "message"))).toContain("never changes")
})

/** Sales of every kind: in two parts, with refunds, with an adjustment, moved, with more to be found by than columns. */
const recordAll = (storage: StorageService, accountId: string) =>
  run(
    storage.transaction(accountId, ({ sales }) =>
      Effect.gen(function* () {
        const many = sale("many", { itemIds: ["1", "2", "3", "4", "5", "6"] })
        yield* sales.insertAll([sale("1"), sale("2"), sale("3"), many])
        yield* sales.insert(sale("1", { part: 2, itemIds: ["3", "4"], recordedAt: 5 }))
        const [given] = yield* sales.ofOrder("2")
        if (given === undefined) return
        const refunded = yield* sales.addRefund({ ...given, refund: refund("r1", given) })
        const raised = given.postings.map((posting) => ({ ...posting, runId: "raise" }))
        const postings = [...given.postings, ...raised]
        const added = { adjustment: adjustment("raise", refunded), postings }
        yield* sales.addAdjustment({ ...refunded, ...added })
        const items = [{ orderId: "3", payoutItemId: "3/1/g1" }]
        yield* sales.move({ fromPayoutId: "payout", toPayoutId: "next", items })
      }),
    ),
  )

const readSales = (storage: StorageService, accountId: string) =>
  run(
    storage.transaction(
      accountId,
      ({ sales }) => {
        const part = { offset: 0, limit: 100 }
        return Effect.all([
          sales.list({}, part),
          sales.list({ collaboratorId: "ada" }, part),
          sales.list({ collaboratorId: "ada", productId: "p5" }, part),
          sales.list({ productId: "external-p1" }, part),
          sales.ofOrders(["1", "2", "3", "many"]),
        ])
      },
      { mode: "read" },
    ),
  )

const rowsOf = (tables: ReadonlyArray<string>) =>
  Effect.map(
    client().unsafe<Record<string, string>>(
      `SELECT ${tables.map((table) => `(SELECT count(*) FROM apportion.${table})::text AS ${table}`).join(", ")}`,
    ),
    ([row]) => row,
  )

test("sales of before are read, changed and carried over as they were", async () => {
  const storage = await run(emptyStorage(client()))
  for (const shop of ["one", "two"]) await recordAll(storage, shop)
  const written = [await readSales(storage, "one"), await readSales(storage, "two")]
  const tables = ["placements", "sale_items", "sale_subjects", "recorded_rules"]
  const before = await run(rowsOf(tables))
  await run(toEarlierForm(client(), storage))
  expect([await readSales(storage, "one"), await readSales(storage, "two")]).toEqual(written)
  // What is changed of one that is not carried over yet is carried over with it.
  const change = storage.transaction("two", ({ sales }) =>
    Effect.gen(function* () {
      const [first] = yield* sales.ofOrder("1")
      if (first !== undefined) yield* sales.addRefund({ ...first, refund: refund("r2", first) })
      const items = [{ orderId: "many", payoutItemId: "many/1/g1" }]
      yield* sales.move({ fromPayoutId: "payout", toPayoutId: "next", items })
      yield* sales.insert(sale("3", { part: 2, itemIds: ["9"] }))
    }),
  )
  await run(change)
  const twice = storage.transaction("one", ({ sales }) =>
    sales.insert(sale("1", { part: 3, itemIds: ["4"] })),
  )
  expect(await run(Effect.flip(twice))).toMatchObject({ _tag: "Conflict" })
  const changed = await readSales(storage, "two")
  expect(await run(Migrations.carryOver)).toEqual({ carried: 10, left: 0 })
  expect([await readSales(storage, "one"), await readSales(storage, "two")]).toEqual([
    written[0],
    changed,
  ])
  // A part that was recorded since brought the items of its order with it.
  const items = Number(before?.["sale_items"]) + 3
  expect(await run(rowsOf(tables))).toEqual({ ...before, sale_items: String(items) })
  expect(await run(Migrations.carryOver)).toEqual({ carried: 0, left: 0 })
  expect(await run(Effect.flip(twice))).toMatchObject({ _tag: "Conflict" })
})
