import { setTimeout as sleep } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { SqlStorage } from "apportion/sql"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Chance } from "../../generators/Chance.js"
import { makeScripts } from "./Checked.js"
import { type CrashingServer, startServer } from "./CrashingServer.js"
import { lasting, seed, tell, timeout } from "./Length.js"
import { endProblems, persist } from "./Persistence.js"

let started: CrashingServer | undefined

beforeAll(async () => {
  started = await startServer()
}, 60_000)
afterAll(() => started?.stop())

const wanted = lasting(3, 25)

/** Kills a server and starts it again, so often, but only as long as somebody works on it. */
const killAgainAndAgain = async (
  server: CrashingServer,
  chance: Chance,
  work: { isOver: boolean; readonly most: number },
): Promise<number> => {
  for (let kills = 0; kills < work.most; kills += 1) {
    await sleep(20 + chance.below(450))
    if (work.isOver) return kills
    await server.kill()
    await sleep(chance.below(150))
    await server.restart()
  }
  return work.most
}

test(
  "a process goes on when its server dies, and leaves what it leaves when none does",
  async () => {
    if (started === undefined) return expect.fail("there is no server")
    const server = started
    const chance = new Chance(seed)
    const url = await server.newDatabase("server_kill")
    const program = Effect.gen(function* () {
      // One client all the time: what it knows of lost connections must not stand in its way.
      const storage = yield* SqlStorage.make({ migrate: true })
      let [kills, unknown] = [0, 0]
      for (let round = 0; kills < wanted; round += 1) {
        const given = { name: "server", seed: seed * 1_000 + round, lanes: 4, steps: 40 }
        const scripts = yield* Effect.promise(() => makeScripts(given))
        const work = { isOver: false, most: Math.min(wanted - kills, 8) }
        const killing = Effect.promise(() => killAgainAndAgain(server, chance, work))
        const working = Effect.forEach(scripts, (script) => persist(storage, script), {
          concurrency: "unbounded",
        }).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              work.isOver = true
            }),
          ),
        )
        const [reports, count] = yield* Effect.all([working, killing], { concurrency: 2 })
        kills += count
        for (const report of reports) unknown += report.unknown
        const problems = [
          ...reports.flatMap((report) => report.problems),
          ...(yield* endProblems(storage, scripts)),
        ]
        tell({ round, kills, unknown, longest: Math.max(...reports.map(({ longest }) => longest)) })
        expect(problems).toEqual([])
      }
      return { kills, unknown }
    })
    const client = PgClient.layer({ url: Redacted.make(url), maxConnections: 6 })
    const { kills, unknown } = await Effect.runPromise(Effect.provide(program, client))
    expect(kills).toBeGreaterThanOrEqual(wanted)
    expect(unknown).toBeGreaterThan(0)
  },
  timeout,
)
