import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const script = fileURLToPath(new URL("kill.mjs", import.meta.url))

test("an import that is killed twice has each sale once, and its statements are right", async () => {
  const sizes = { HISTORY_ORDERS: "600", HISTORY_KILLS: "2" }
  const env = { ...process.env, ...sizes, HISTORY_DATES: "2024-06-15" }
  const { stdout } = await promisify(execFile)(process.execPath, [script, "postgres"], { env })
  expect(stdout).toMatch(/each sale is there once, the statements are right/)
}, 120_000)
