import { join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Database from "../../../src/cli/data/Database.js"
import { filledFolder, folderAt } from "../FilledStore.js"
import { Folder, run } from "../world.js"

const world = new Folder()
const data = join(world.path, "data")

/** Notes of deliveries of long ago and of now. */
const seed = (path: string) =>
  Database.use(
    folderAt(path),
    { create: false, note: () => undefined },
    Effect.orDie(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.unsafe(`INSERT INTO apportion.inbox_notes (account_id, note_key, kind, at, document)
          SELECT 'default', 'x/delivery/' || n, 'delivery',
            CASE WHEN n = 7 THEN extract(epoch FROM now())::bigint ELSE 1000 END, '{}'
          FROM generate_series(1, 7) AS n`),
      ),
    ),
  )

beforeAll(async () => {
  await filledFolder(data)
  await seed(data)
}, 120_000)
afterAll(() => world.remove(), 60_000)

const purge = (...args: ReadonlyArray<string>) =>
  run(["purge", "--data", data, "--older-than", "24", ...args])

const accountOf = (out: string) => {
  const { accounts } = JSON.parse(out)
  return accounts.find(({ account_id: id }: { account_id: string }) => id === "default")
}

describe("a purge", () => {
  it("says with --dry-run what would go, removes it without, and then has nothing to do", async () => {
    const dry = await purge("--dry-run")
    expect({ code: dry.code, err: dry.err }).toEqual({ code: 0, err: "" })
    expect(dry.out).toContain("notes of deliveries")
    expect(dry.out).toMatch(/^6 would go that are older than 24 months; nothing was removed$/m)
    const again = await purge("--dry-run", "--format", "json", "--account", "default")
    expect(JSON.parse(again.out).is_dry_run).toBe(true)
    expect(accountOf(again.out)).toEqual({
      ...{ account_id: "default", events: 0, answers: 0, deliveries: 6 },
      ...{ refund_documents: 0, resplit_batches: 0 },
    })
    expect((await purge()).out).toMatch(/^6 removed that were older than 24 months$/m)
    expect((await purge()).out).toMatch(/^nothing that is older than 24 months has to go$/m)
    expect((await run(["audit", "--data", data])).code).toBe(0)
  })

  it("is known to a backup: what is gone does not come back", async () => {
    const [file, other] = [join(world.path, "shop.ndjson"), join(world.path, "other")]
    expect((await run(["backup", "--data", data, "--to", file])).code).toBe(0)
    expect((await run(["restore", "--data", other, "--from", file])).code).toBe(0)
    const { out } = await run(["purge", "--data", other, "--older-than", "1", "--dry-run"])
    expect(out).toMatch(/^nothing that is older than 1 month has to go$/m)
    expect((await run(["audit", "--data", other])).code).toBe(0)
  })

  it("refuses months that are none, and accounts that there are not", async () => {
    const none = await run(["purge", "--data", data, "--older-than", "0"])
    expect(none.code).toBe(2)
    expect(none.err).toContain("--older-than: must be a whole number from 1 to 1200")
    const stranger = await purge("--account", "nobody")
    expect(stranger.code).toBe(2)
    expect(stranger.err).toContain('has nothing of an account "nobody"')
  })
})
