/** Whatever breaks while the schema is made, it is there as a whole or not at all, and can be made again. */
import { Migrations } from "apportion/sql"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { expect, test } from "vitest"
import { clientFor, dropSchema, pglite } from "../databases.js"
import type { Fault } from "./Fault.js"
import { FaultyClient, type Plan } from "./FaultyClient.js"

const client = clientFor(() => pglite)

const tables = `SELECT count(*)::int AS count FROM pg_class
  WHERE relnamespace = to_regnamespace('apportion') AND relkind = 'r' AND relname <> 'migrations'`

const countTables = () =>
  Effect.map(client().unsafe<{ count: number }>(tables), ([row]) => row?.count)

const faults: ReadonlyArray<Fault> = ["error before", "dead after", "disk full"]

/** Makes the schema in a database without one. */
const migrate = (plan: Plan | undefined) =>
  Effect.gen(function* () {
    yield* dropSchema(client())
    const faulty = new FaultyClient(client())
    const breaking = yield* faulty.client
    const watch = faulty.arm({ plan })
    const exit = yield* Effect.exit(
      Effect.provideService(Migrations.run, SqlClient.SqlClient, breaking),
    )
    return { watch, exit }
  })

/** About so many places of a number of them, the first and the last ones among them. */
const some = (count: number): ReadonlyArray<number> => {
  const step = process.env.APPORTION_FAULTS === "all" ? 1 : 9
  const all = Array.from({ length: count }, (_, place) => place)
  return all.filter((place) => place % step === 0 || place >= count - 4)
}

test("a schema whose making broke is there or not, and is made when that is asked for again", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { watch } = yield* migrate(undefined)
      const whole = yield* countTables()
      expect(whole).toBeGreaterThan(10)
      for (const at of some(watch.boundaries.length)) {
        const fault = faults[at % faults.length] ?? "error before"
        const broken = yield* migrate({ at, fault })
        const about = `${fault} at step ${at}: ${watch.boundaries[at]?.statement}`
        expect(broken.watch.happened, about).toBe(true)
        expect([0, whole], about).toContain(yield* countTables())
        if (Exit.isSuccess(broken.exit)) expect(yield* countTables(), about).toBe(whole)
        expect([broken.watch.reserved, broken.watch.spoiled], about).toEqual([0, []])
        yield* Effect.provideService(Migrations.run, SqlClient.SqlClient, client())
        expect(yield* countTables(), about).toBe(whole)
        yield* Effect.provideService(Migrations.check, SqlClient.SqlClient, client())
      }
    }),
  ))
