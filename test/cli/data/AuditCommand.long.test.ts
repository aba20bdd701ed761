import { join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Database from "../../../src/cli/data/Database.js"
import { filledFolder, folderAt } from "../FilledStore.js"
import { Folder, run } from "../world.js"

const world = new Folder()
const data = join(world.path, "data")
beforeAll(() => filledFolder(data), 120_000)
afterAll(() => world.remove(), 60_000)

/** Changes something behind everybody's back. */
const meddle = (statement: string) =>
  Database.use(
    folderAt(data),
    { create: false, note: () => undefined },
    Effect.orDie(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))),
  )

describe("an audit", () => {
  it("says of each account how many payouts are what their histories make them", async () => {
    const { code, out, err } = await run(["audit", "--data", data])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const lines = out.split("\n")
    expect(lines[0]?.split(/ +/)).toEqual(["account", "payouts", "differences"])
    expect(out).toMatch(/^default +3 +0$/m)
    expect(out).toMatch(/^no difference: 6 payouts compared with the history$/m)
  })

  it("can be of one account", async () => {
    const { out } = await run(["audit", "--data", data, "--account", "default", "--format", "json"])
    expect(JSON.parse(out)).toEqual({
      accounts: [
        {
          ...{ account_id: "default", checked: 3, differences: [] },
          sales: { checked: expect.any(Number), differences: [], counters: [] },
        },
      ],
    })
  })

  it("ends with 1 when somebody changed an amount, and says where it is and what it was", async () => {
    await meddle(`UPDATE apportion.payouts SET total = total + 1
      WHERE account_id = 'default' AND status = 'active' AND collaborator_id = 'ada'`)
    const table = await run(["audit", "--data", data])
    expect(table.code).toBe(1)
    expect(table.out).toMatch(/^default +3 +1$/m)
    expect(table.out).toMatch(/^default +\S+ +payout .* total +-?\d+ +-?\d+$/m)
    expect(table.out).toMatch(
      /^1 difference in 6 payouts: the stored figures differ from the histories$/m,
    )
    const json = await run(["audit", "--data", data, "--format", "json", "--account", "default"])
    expect(json.code).toBe(1)
    const [account] = JSON.parse(json.out).accounts
    const [difference] = account.differences
    expect(difference).toMatchObject({ kind: "payout", field: "total", version: null })
    expect(difference.stored).toBe(difference.rebuilt + 1)
  })
})
