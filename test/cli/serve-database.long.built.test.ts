import { execFile, spawnSync } from "node:child_process"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { Migrations } from "apportion/sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CrashingServer, startServer } from "../sql/crash/CrashingServer.js"
import * as Deeds from "./Deeds.js"
import { ask, program, type Served } from "./Served.js"
import { ServedPrograms } from "./ServedPrograms.js"

const programs = new ServedPrograms()
let server: CrashingServer

beforeAll(async () => {
  server = await startServer()
}, 120_000)
afterAll(() => server.stop(), 60_000)

const serve = (url: string, ...flags: ReadonlyArray<string>): Served =>
  programs.serve(flags, { APPORTION_DATABASE_URL: url })

const execute = promisify(execFile)
const run = (...args: ReadonlyArray<string>) =>
  execute(process.execPath, [program, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({
      code: Number(code),
      stdout: `${stdout}`,
      stderr: `${stderr}`,
    }),
  )

/** Asks the database itself. */
const query = (url: string, statement: string) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)),
      PgClient.layer({ url: Redacted.make(url) }),
    ),
  )

/** The address as it is shown: the password is in no output. */
const shown = (url: string): string => url.replace(/:[^:@/]+@/, "@")
const password = (url: string): string => new URL(url).password

describe("a program that keeps its data on a server", () => {
  it("refuses a database without the tables, says what to run, and runs when that is done", async () => {
    const url = await server.newDatabase("to_be_migrated")
    const early = serve(url)
    expect(await early.ended()).toBe(2)
    expect(early.err).toBe(
      `apportion: ${shown(url)}: has no tables of apportion, and version ${Migrations.latest} is needed: run \`apportion migrate\` first, or start with --migrate\n`,
    )
    const runs = await Promise.all([1, 2, 3].map(() => run("migrate", "--database-url", url)))
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      runs.map(() => ({ code: 0, stderr: "" })),
    )
    const brought = `${shown(url)}: the schema was brought from version 0 to version ${Migrations.latest}\n`
    const stayed = `${shown(url)}: the schema is up to date: version ${Migrations.latest}\n`
    const told = runs.map(({ stdout }) => stdout)
    expect(told.filter((one) => one === brought)).toHaveLength(1)
    expect(told.filter((one) => one === stayed)).toHaveLength(2)
    const served = serve(url)
    expect(await Deeds.seen(await served.url())).toEqual(Deeds.expected([]))
    expect(served.err).toContain(`${shown(url)}: was empty and is filled from ${programs.seed}\n`)
    expect(served.err).not.toContain(password(url))
  })

  it("brings the tables up to date itself when it is told to, and shares them with others", async () => {
    const url = await server.newDatabase("shared")
    const both = [serve(url, "--migrate"), serve(url, "--migrate")]
    const bases = await Promise.all(both.map((served) => served.url()))
    const deeds = Array.from({ length: 40 }, () => Deeds.anyDeed())
    // Each is asked of both, under one key.
    const answers = await Promise.all(
      deeds.flatMap((deed) => bases.map((base) => Deeds.doDeed(base, deed))),
    )
    expect(answers.filter((answer) => !Deeds.isDone(answer))).toEqual([])
    for (const base of bases) expect(await Deeds.seen(base)).toEqual(Deeds.expected(deeds))
    const audited = await run("audit", "--database-url", url, "--format", "json")
    expect(JSON.parse(audited.stdout)).toEqual({
      accounts: [
        {
          ...{ account_id: "default", checked: 3, differences: [] },
          sales: { checked: 0, differences: [], counters: [] },
        },
      ],
    })
  })

  it("refuses tables of a later version", async () => {
    const url = await server.newDatabase("from_the_future")
    await run("migrate", "--database-url", url)
    await query(
      url,
      "INSERT INTO apportion.migrations (migration_id, name) VALUES (99, 'from_the_future')",
    )
    const message = `apportion: ${shown(url)}: the database has version 99 of the schema, and this version of apportion knows ${Migrations.latest}: use a newer apportion\n`
    const served = serve(url, "--migrate")
    expect(await served.ended()).toBe(2)
    expect(served.err).toBe(message)
    for (const command of [["migrate"], ["audit"], ["backup", "--to", "-"]]) {
      const { code, stdout, stderr } = await run(...command, "--database-url", url)
      expect({ code, stdout, stderr }, command[0]).toEqual({ code: 2, stdout: "", stderr: message })
    }
  })

  it("answers 503 while the server is away, and goes on by itself when it is back", async () => {
    const url = await server.newDatabase("away")
    const served = serve(url, "--migrate")
    const base = await served.url()
    const before = Array.from({ length: 10 }, () => Deeds.anyDeed())
    for (const deed of before) expect(Deeds.isDone(await Deeds.doDeed(base, deed))).toBe(true)
    await server.kill()
    const during = Deeds.anyDeed()
    for (let count = 0; count < 12; count += 1) {
      const { status, text } = await Deeds.doDeed(base, during)
      expect({ status, text }).toEqual({
        status: 503,
        text: '{"message":"not available, try again"}',
      })
    }
    expect((await ask(base, { method: "GET", path: "/v1/payouts" })).status).toBe(503)
    await server.restart()
    let answer = await Deeds.doDeed(base, during)
    for (let tries = 0; tries < 600 && answer.status === 503; tries += 1) {
      await wait(50)
      answer = await Deeds.doDeed(base, during)
    }
    expect(Deeds.isDone(answer), answer.text).toBe(true)
    expect(await Deeds.seen(base)).toEqual(Deeds.expected([...before, during]))
    expect(served.err).not.toContain(password(url))
    expect(await served.end("SIGTERM")).toBe(0)
  })
})

describe("a server that can't be used", () => {
  it("is told of in words, and never with the password", async () => {
    const url = await server.newDatabase("there")
    const other = (change: (address: URL) => void): string => {
      const address = new URL(url)
      change(address)
      return address.href
    }
    const wrongPassword = other((address) => {
      address.password = "wrong-otter"
    })
    const noDatabase = other((address) => {
      address.pathname = "/nowhere"
    })
    const noServer = other((address) => {
      address.port = "1"
    })
    const cases = [
      [wrongPassword, 2, 'password authentication failed for user "postgres"'],
      [noDatabase, 2, 'database "nowhere" does not exist'],
      [noServer, 1, "nothing listens there"],
    ] as const
    for (const [address, code, reason] of cases) {
      const served = serve(address)
      expect(await served.ended()).toBe(code)
      expect(served.err).toBe(
        `apportion: ${shown(address)}: the database can't be reached: ${reason}\n`,
      )
      expect(served.out).toBe("")
    }
  })

  it("is not asked when the address is none", () => {
    const told = (address: string) =>
      spawnSync(process.execPath, [program, "migrate", "--database-url", address], {
        encoding: "utf8",
      }).stderr
    for (const address of [
      "secret-otter",
      "https://me:secret-otter@host/shop",
      "postgres://me:secret-otter@host",
    ]) {
      expect(told(address)).toMatch(/^apportion: --database-url: /)
      expect(told(address)).toContain("postgres://user:password@host:5432/database")
      expect(told(address)).not.toContain("otter")
    }
  })
})
