import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { PgliteClient } from "apportion/sql"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { clientFor, postgres } from "../databases.js"
import { disturbedProblems, makeScripts, undisturbed } from "./Checked.js"
import { bundleChild, type Killing, workAndKill } from "./KilledProcess.js"
import { lasting, seed, tell, timeout } from "./Length.js"
import type { Orders } from "./Orders.js"

/** Where scripts are taken without anything happening. */
const reference = clientFor(() => postgres("crash_reference"))

let program = ""

beforeAll(async () => {
  program = await bundleChild()
}, 60_000)

afterAll(() => rm(program, { force: true }))

/** A database of its own for each round. */
interface Place {
  readonly database: Orders["database"]
  readonly client: () => Layer.Layer<SqlClient.SqlClient, unknown>
  readonly close: () => Promise<void>
}

const onServer = async (round: number): Promise<Place> => {
  const name = `crash_${round}`
  await Effect.runPromise(
    Effect.gen(function* () {
      yield* reference().unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      yield* reference().unsafe(`CREATE DATABASE ${name} LOCALE 'C' TEMPLATE template0`)
    }),
  )
  const own = new URL(inject("postgresUrl"))
  own.pathname = `/${name}`
  return {
    database: { url: own.href },
    client: () => PgClient.layer({ url: Redacted.make(own.href) }),
    close: () =>
      Effect.runPromise(Effect.asVoid(reference().unsafe(`DROP DATABASE ${name} WITH (FORCE)`))),
  }
}

const inFolder = async (): Promise<Place> => {
  const parent = await mkdtemp(join(tmpdir(), "apportion-folder-"))
  const folder = join(parent, "data")
  return {
    database: { folder },
    client: () =>
      PgliteClient.layer(
        Effect.acquireRelease(
          Effect.promise(() => PGlite.create(folder)),
          (pglite) => Effect.promise(() => pglite.close()),
        ),
      ),
    close: () => rm(parent, { recursive: true, force: true }),
  }
}

const places = {
  "a server": { open: onServer, lanes: 3, millis: 900, kills: lasting(5, 500), steps: 24 },
  "a folder": { open: inFolder, lanes: 2, millis: 2_500, kills: lasting(3, 500), steps: 12 },
} as const

const add = (sum: Record<string, number>, { moments }: Killing): void => {
  for (const [moment, count] of Object.entries(moments)) sum[moment] = (sum[moment] ?? 0) + count
}

describe.each(Object.entries(places))(
  "a process that works on %s and is killed again and again",
  (name, place) => {
    test(
      "leaves what it leaves when nobody kills it, when it asks again with the same keys",
      async () => {
        const moments: Record<string, number> = {}
        let kills = 0
        for (let round = 0; kills < place.kills; round += 1) {
          const isRepeatable = round % 2 === 1
          const { lanes, steps, millis } = place
          const scripts = await makeScripts({
            name,
            seed: seed * 1_000 + round,
            lanes,
            steps: lasting(steps, 60),
            isRepeatable,
          })
          const { database, client, close } = await place.open(round)
          const killing = await workAndKill({
            program,
            database,
            concurrency: round % 4 === 2 ? "optimistic" : "queue",
            scripts,
            asksAgain: isRepeatable,
            seed: seed * 1_000 + round,
            mostKills: Math.min(place.kills - kills, lasting(10, 40)),
            most: { millis, statements: 400 },
          })
          kills += killing.kills
          add(moments, killing)
          const must = await Effect.runPromise(
            Effect.provideService(undisturbed(scripts), SqlClient.SqlClient, reference()),
          )
          const checked = disturbedProblems(scripts, must)
          const problems = await Effect.runPromise(Effect.provide(checked, client()))
          if (round % 5 === 0) tell({ name, round, kills, moments })
          expect([...killing.problems, ...problems]).toEqual([])
          await close()
        }
        tell({ name, kills, moments })
        expect(kills).toBeGreaterThanOrEqual(place.kills)
      },
      timeout,
    )
  },
)
