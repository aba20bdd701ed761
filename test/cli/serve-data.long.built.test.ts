import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { Migrations } from "apportion/sql"
import { describe, expect, it } from "vitest"
import * as Deeds from "./Deeds.js"
import { programEnvironment } from "./Environment.js"
import { ask, type Served } from "./Served.js"
import { run, ServedPrograms } from "./ServedPrograms.js"

const programs = new ServedPrograms()
const { folder, seed } = programs

const isRefused = (served: Served) => served.child.exitCode === 1

describe("a folder in use", () => {
  it("is refused to every other command, with the number of the process that has it", async () => {
    const data = await programs.emptyData("in-use")
    const first = programs.serveFolder(data)
    const base = await first.url()
    const second = programs.serveFolder(data)
    expect(await second.ended()).toBe(1)
    const refusal = `apportion: ${data}: is in use by process ${first.child.pid}: a folder is for one process at a time`
    expect(second.err).toContain(refusal)
    expect(second.out).toBe("")
    const other = join(folder.path, "other.ndjson")
    const commands = [["migrate"], ["audit"], ["backup", "--to", other]]
    for (const command of commands) {
      const { status, stderr } = run(...command, "--data", data)
      expect({ status, told: stderr.includes(refusal) }, command[0]).toEqual({
        status: 1,
        told: true,
      })
    }
    expect((await ask(base, { method: "GET", path: "/v1/payouts/ada-1" })).status).toBe(200)
    expect(await first.end("SIGTERM")).toBe(0)
    expect(readdirSync(data)).toEqual(["database"])
    expect(run("migrate", "--data", data).stdout).toBe(
      `${data}: the schema is up to date: version ${Migrations.latest}\n`,
    )
  })

  it("goes to one of two programs that are started at the same moment", async () => {
    const data = await programs.emptyData("at-once")
    const both = [programs.serveFolder(data), programs.serveFolder(data)]
    await Promise.race(both.map((served) => once(served.child, "exit")))
    const [refused] = both.filter((served) => served.isOver)
    const [serving] = both.filter((served) => !served.isOver)
    expect(refused && isRefused(refused), refused?.err).toBe(true)
    expect(await serving?.url()).toMatch(/^http/)
  })
})

describe("what a program that keeps its data says", () => {
  it("is whether the seed was put there: only where there is nothing yet", async () => {
    const data = await programs.emptyData("seeded")
    const first = programs.serveFolder(data)
    await first.url()
    expect(first.err).toContain(`apportion: ${data}: was empty and is filled from ${seed}\n`)
    await first.end("SIGTERM")
    const second = programs.serveFolder(data)
    const base = await second.url()
    expect(second.err).toContain(`apportion: ${data}: has data already, so ${seed} is not used\n`)
    expect(await Deeds.seen(base)).toEqual(Deeds.expected([]))
  })

  it("is what to install when PGlite is not there", () => {
    // Far from everything that is installed.
    const alone = join(folder.path, "alone")
    mkdirSync(alone)
    cpSync("dist/cli", join(alone, "cli"), { recursive: true })
    folder.file("alone/package.json", { type: "module" })
    const { status, stderr } = spawnSync(
      process.execPath,
      ["cli/main.js", "serve", "--port", "0", "--token", "token-of-these-tests", "--data", "kept"],
      { cwd: resolve(alone), encoding: "utf8", env: programEnvironment },
    )
    expect(stderr).toContain(
      "apportion: kept: needs PGlite, which is not installed: npm install @electric-sql/pglite",
    )
    expect(status).toBe(2)
  })
})
