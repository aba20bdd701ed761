import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { faults } from "./faults.mjs"

const run = promisify(execFile)

/** What the comparison says of four thousand inputs with a fault in the program. */
const linesWith = (fault: number) =>
  run(process.execPath, ["test/cli/split/lines.mjs", "4000", "1", String(fault)]).then(
    () => "no difference",
    ({ stdout }) => String(stdout),
  )

describe("a fault in the reader of bytes is noticed by random lines", () => {
  for (const [place, { name }] of faults.entries()) {
    test(name, async () => {
      expect(await linesWith(place)).toMatch(/^input \d+ of seed 1: /)
    })
  }
})
