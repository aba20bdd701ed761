import { PgliteClient } from "apportion/sql"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as upkeep from "../../../src/sql/folder/internal/upkeep.js"
import { newPglite } from "../databases.js"

const database = await newPglite()
const layer = PgliteClient.layer(Effect.succeed(database))

const one = async (statement: string): Promise<unknown> => {
  const { rows } = await database.query<{ value: unknown }>(statement)
  return rows[0]?.value
}

/** From where the log would be read after an end without warning. */
const redo = () => one("SELECT redo_lsn::text AS value FROM pg_control_checkpoint()")
const written = () =>
  one("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS value").then(Number)
/** How many rows the planner takes a table to have; -1: it was never told. */
const known = () => one("SELECT reltuples::int AS value FROM pg_class WHERE relname = 'filling'")
const fill = (rows: number) =>
  database.exec(`INSERT INTO filling SELECT repeat('x', 1000) FROM generate_series(1, ${rows})`)
const keepUp = (done: upkeep.Done) => Effect.runPromise(Effect.provide(upkeep.keepUp(done), layer))

describe("keeping a folder up", () => {
  it("does nothing while little was written, and begins the log anew when it is long", async () => {
    await database.exec("CREATE TABLE filling (text text)")
    const start = await written()
    const done = { checkpoint: start, vacuum: start }
    const before = await redo()
    await fill(1_000)
    expect(await keepUp(done)).toEqual(done)
    expect(await redo()).toBe(before)
    await fill(40_000)
    const then = await keepUp(done)
    expect(then.checkpoint).toBeGreaterThan(start + 40_000_000)
    expect(then.vacuum).toBe(start)
    expect(await redo()).not.toBe(before)
    expect(await known()).toBe(-1)
  })

  it("makes room and looks at the tables when much was written", async () => {
    const done = { checkpoint: 0, vacuum: (await written()) - 64 * 2 ** 20 }
    const then = await keepUp(done)
    expect(then.vacuum).toBe(then.checkpoint)
    expect(await known()).toBe(41_000)
  })

  it("is done a minute after the beginning, whatever was done before", async () => {
    await database.exec("CREATE TABLE other (text text); INSERT INTO other VALUES ('x')")
    const program = Effect.gen(function* () {
      yield* Effect.forkChild(upkeep.run)
      yield* TestClock.adjust("59 seconds")
      const early = yield* Effect.promise(() => redo())
      yield* TestClock.adjust("1 second")
      return early
    })
    const early = await Effect.runPromise(
      program.pipe(
        Effect.tap((before) =>
          Effect.promise(() => expect.poll(redo, { timeout: 20_000 }).not.toBe(before)),
        ),
        Effect.provide([layer, TestClock.layer()]),
      ),
    )
    expect(early).not.toBe(await redo())
    await database.close()
  })
})
