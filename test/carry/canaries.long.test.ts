import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { faults } from "./faults.mjs"

const run = promisify(execFile)

/** What the comparison says of ten thousand histories with a fault in the library. */
const historiesWith = (fault: number) =>
  run(process.execPath, ["test/carry/histories.mjs", "10000", "1", String(fault)]).then(
    () => "no difference",
    ({ stdout }) => String(stdout),
  )

describe("a fault in what is carried is noticed by ten thousand histories", () => {
  for (const [place, { name }] of faults.entries()) {
    test(name, async () => {
      expect(await historiesWith(place)).toMatch(/^history \d+ of seed 1: /)
    })
  }
})
