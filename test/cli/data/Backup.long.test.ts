import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Migrations } from "apportion/sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { isAll } from "../../generators/Runs.js"
import { migratedFolder } from "../DataFolders.js"
import { filledFolder, folderAt, recordMore, serverAt } from "../FilledStore.js"
import { Folder, run } from "../world.js"

const world = new Folder()
afterAll(() => world.remove(), 60_000)
const pathOf = (name: string): string => join(world.path, name)

/** The address of a new database on the server of the test run. */
const newDatabase = async (name: string): Promise<string> => {
  const url = new URL(inject("postgresUrl"))
  const make = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    // Neither the encoding's order nor the language is the one of PGlite.
    yield* sql.unsafe(`CREATE DATABASE ${name} LOCALE 'C' TEMPLATE template0`)
  })
  await Effect.runPromise(Effect.provide(make, PgClient.layer({ url: Redacted.make(url.href) })))
  url.pathname = `/${name}`
  return url.href
}

/** Everything that a file holds: of each table the rows, in one order. */
const contentsOf = (file: string) => {
  const tables = new Map<string, Array<string>>()
  let rows: Array<string> = []
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").slice(1, -1)
  for (const line of lines) {
    if (line.startsWith("[")) {
      rows.push(line)
    } else {
      rows = []
      tables.set(line, rows)
    }
  }
  return new Map([...tables].map(([name, lines]) => [name, lines.toSorted()]))
}

const auditOf = async (...place: ReadonlyArray<string>) => {
  const { code, out } = await run(["audit", ...place, "--format", "json"])
  return { code, audit: JSON.parse(out) }
}

const first = pathOf("first")
const backup = pathOf("first.ndjson")
let lines: ReadonlyArray<string> = []

const emptyFolder = (name: string): Promise<string> => migratedFolder(pathOf(name))

beforeAll(async () => {
  await filledFolder(first)
  const { code, err } = await run(["backup", "--data", first, "--to", backup])
  expect(code, err).toBe(0)
  lines = readFileSync(backup, "utf8").trimEnd().split("\n")
}, 120_000)

describe("a backup", () => {
  it("holds every row of every table, and only its owner may read it", async () => {
    const { err } = await run(["backup", "--data", first, "--to", pathOf("again.ndjson")])
    const rows = lines.filter((line) => line.startsWith("[")).length
    expect(err).toBe(`apportion: ${first}: ${rows} rows are in ${pathOf("again.ndjson")}\n`)
    expect(contentsOf(pathOf("again.ndjson"))).toEqual(contentsOf(backup))
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const tables = [...contentsOf(backup)].map(([line, { length }]) => [JSON.parse(line), length])
    const names = tables.map(([{ table, sequence }]) => table ?? sequence)
    for (const name of ["accounts", "collaborators", "payouts", "payout_ledger", "payout_states"]) {
      expect(names).toContain(name)
    }
    const empty = tables.filter(([{ table }, count]) => table !== undefined && count === 0)
    // Nothing was agreed, paid over a rail or split again in these accounts, no webhook was set aside, and nothing came
    // from a platform; all was recorded by this version, each order in one part.
    expect(empty.map(([{ table }]) => table)).toEqual([
      "agreement_bookings",
      "agreement_entries",
      "agreement_held",
      "agreement_totals",
      "agreements",
      "counters",
      "inbox_entries",
      "inbox_notes",
      "resplit_runs",
      "settings_changes",
      "adjustments",
      "dead_letters",
      "passes",
      "placements",
      "resplit_batches",
      "sale_items",
      "payments",
      "payout_history",
      "payout_items",
    ])
  })

  it("goes from a folder to a server and back into a folder: the same rows, the same totals", async () => {
    const url = await newDatabase("restored_from_folder")
    const server = ["--database-url", url]
    const intoServer = await run(["restore", "--from", backup, ...server])
    expect(intoServer).toMatchObject({ code: 0, err: "" })
    const fromServer = pathOf("server.ndjson")
    expect(await run(["backup", ...server, "--to", fromServer])).toMatchObject({ code: 0, out: "" })
    expect(contentsOf(fromServer)).toEqual(contentsOf(backup))
    const second = await emptyFolder("second")
    const intoFolder = await run(["restore", "--from", fromServer, "--data", second])
    expect(intoFolder).toMatchObject({ code: 0, err: "" })
    const fromFolder = pathOf("second.ndjson")
    await run(["backup", "--data", second, "--to", fromFolder])
    expect(contentsOf(fromFolder)).toEqual(contentsOf(backup))
    const audits = [
      await auditOf("--data", first),
      await auditOf(...server),
      await auditOf("--data", second),
    ]
    expect(audits[0]?.code).toBe(0)
    expect(audits[0]?.audit.accounts.map(({ checked }: { checked: number }) => checked)).toEqual([
      ...[3, 3],
    ])
    expect(audits.slice(1)).toEqual([audits[0], audits[0]])
    // They go on alike, too.
    const shares = await Promise.all([
      recordMore(folderAt(first), "more"),
      recordMore(serverAt(url), "more"),
      recordMore(folderAt(second), "more"),
    ])
    expect(shares[0]).toHaveLength(6)
    expect(shares.slice(1)).toEqual([shares[0], shares[0]])
  })

  it("can be written to standard output and read from standard input", async () => {
    const { out, err } = await run(["backup", "--data", first, "--to", "-"])
    expect(err).toBe("")
    const place = ["--data", await emptyFolder("piped")]
    const { code } = await run(["restore", "--from", "-", ...place], { stdin: out })
    expect(code).toBe(0)
    expect((await auditOf(...place)).audit.accounts).toHaveLength(2)
  })

  it("is never written over, and leaves no half of a file", async () => {
    const before = readFileSync(backup)
    const refused = await run(["backup", "--data", first, "--to", backup])
    expect(refused).toEqual({
      ...{ code: 2, out: "" },
      err: `apportion: ${backup}: is there already: a backup is never written over\n`,
    })
    expect(readFileSync(backup)).toEqual(before)
    const nowhere = join(world.path, "no", "folder.ndjson")
    expect(await run(["backup", "--data", first, "--to", nowhere])).toMatchObject({
      ...{ code: 2, err: `apportion: ${nowhere}: can't be written: there is no such folder\n` },
    })
    expect(existsSync(`${backup}.unfinished`)).toBe(false)
  })
})

/** A version of the schema that nobody knows yet. */
const later = Migrations.latest + 1

/** What was done to a backup, and what is said of it. */
const broken: ReadonlyArray<{
  readonly title: string
  readonly change: (lines: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly says: RegExp
}> = [
  { title: "is empty", change: () => [], says: /is no backup of apportion/ },
  { title: "is something else", change: () => ['{"orders": []}'], says: /is no backup/ },
  {
    title: "has another format",
    change: ([, ...rest]) => ['{"apportion":"backup","format":2,"schema":1}', ...rest],
    says: /is a backup in format 2, which this apportion does not know/,
  },
  {
    title: "has another version of the schema",
    change: ([, ...rest]) => [`{"apportion":"backup","format":1,"schema":${later}}`, ...rest],
    says: /holds version \d+ of the schema, and this apportion works with version \d+/,
  },
  {
    title: "ends in the middle",
    change: (all) => all.slice(0, all.length >> 1),
    says: /:\d+: the backup is incomplete; nothing of it was restored/,
  },
  {
    title: "has a line that is cut off",
    change: (all) => all.with(20, (all[20] ?? "").slice(0, -3)),
    says: /:21: is no line of a backup; nothing/,
  },
  {
    title: "has an amount that somebody changed",
    change: (all) => all.map((line) => line.replace('"1000"', '"1001"')),
    says: /the backup was changed since it was made/,
  },
  {
    title: "lacks a row",
    change: (all) =>
      all.toSpliced(
        all.findLastIndex((line) => line.startsWith("[")),
        1,
      ),
    says: /the backup was changed since it was made/,
  },
  {
    title: "has something behind its end",
    change: (all) => [...all, ...all.slice(-1)],
    says: /there is more after the end/,
  },
  {
    title: "has a table that nobody knows",
    change: (all) => all.map((line) => line.replace('"table":"payouts"', '"table":"pay; outs"')),
    says: /there is no such table "pay; outs"/,
  },
  {
    title: "has a row of nothing",
    change: ([header = "", ...rest]) => [header, '["a"]', ...rest],
    says: /:2: a row belongs to no table/,
  },
]

describe("a backup that can't be restored", () => {
  const target = ["--data", pathOf("target")]
  beforeAll(() => emptyFolder("target"))

  // Each opens the folder, which takes seconds.
  const some = broken.filter((_, place) => isAll || place % 3 === 0)

  it.each(some)("$title: is refused", async ({ change, says }) => {
    const file = pathOf("broken.ndjson")
    writeFileSync(
      file,
      change(lines)
        .map((line) => `${line}\n`)
        .join(""),
    )
    const { code, err, out } = await run(["restore", "--from", file, ...target])
    expect(err).toMatch(says)
    expect(err.startsWith(`apportion: ${file}:`)).toBe(true)
    expect({ code, out }).toEqual({ code: 2, out: "" })
  })

  it("leaves nothing behind", async () => {
    expect((await auditOf(...target)).audit).toEqual({ accounts: [] })
  })

  it("is refused where something is already, which stays as it is", async () => {
    const { code, err } = await run(["restore", "--from", backup, "--data", first])
    expect(err).toContain(`${first}: has rows already (in accounts)`)
    expect(code).toBe(2)
    expect((await auditOf("--data", first)).code).toBe(0)
  })

  it("is restored when it is whole again", async () => {
    expect(await run(["restore", "--from", backup, ...target])).toMatchObject({ code: 0 })
  })
})
