/** What versions before 0.6.0 stored of payouts is carried over: what is read is the same before, meanwhile and after. */

import { PayoutStatus } from "apportion"
import { Storage, type StorageService } from "apportion/ports"
import { Audit } from "apportion/service"
import { Migrations } from "apportion/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { expect, test } from "vitest"
import { income } from "../../src/testing/contracts/samples.js"
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
