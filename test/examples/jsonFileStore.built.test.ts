import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { folder, withFolder } from "./JsonFileStore.js"

const run = promisify(execFile)

test("the script records a sale once, however often it is run", () =>
  withFolder(async (path) => {
    const script = [join(folder, "record-a-sale.mjs"), path]
    const first = await run(process.execPath, script)
    expect(first).toEqual({
      stdout: [
        "linked: 1 of 2 products",
        "recorded: 2 items, known before: 0",
        "Ada: 1500 cents in EUR",
        "",
      ].join("\n"),
      stderr: "",
    })
    const second = await run(process.execPath, script)
    expect(second.stdout).toBe("recorded: 0 items, known before: 2\nAda: 1500 cents in EUR\n")
  }))
