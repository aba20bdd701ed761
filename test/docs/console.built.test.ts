import { describe, expect, it } from "vitest"
import { isAll, isWhole } from "../generators/Runs.js"
import { type Block, blocks } from "./Example.js"
import { expectShown, runStep, stepsOf, wordsOf } from "./Session.js"

const all = blocks()
const sessions = all.filter((block) => block.info[0] === "console")
const shells = new Set(["sh", "bash", "shell", "zsh"])
const runsTheCommandLine = (block: Block) => /^\s*(?:\$ )?(?:npx )?apportion\s/m.test(block.code)

describe("the command lines shown in the pages", () => {
  it("stand in console blocks, which are run, and not in shell blocks, which are not", () => {
    const astray = all.filter(
      (block) => shells.has(block.info[0] ?? "") && runsTheCommandLine(block),
    )
    expect(astray.map((block) => `${block.file}:${block.line}`)).toEqual([])
  })

  // A session that opens a folder's database several times is one for the long run, and it alone.
  const isSlow = (session: Block) => session.code.includes("--data $")

  it("are nearly all run each time", () => {
    expect(sessions.filter(isSlow).length).toBeLessThan(3)
  })

  // Those that need no shell are run by console.test.ts, within its process.
  const needsShell = (session: Block) =>
    stepsOf(session).some((step) => wordsOf(step) === undefined)
  const some = sessions.filter((one) => needsShell(one) && isSlow(one) === isWhole)

  for (const session of isAll ? sessions : some) {
    it(`${session.file}:${session.line} prints what the page shows`, () => {
      for (const step of stepsOf(session)) expectShown(step, runStep(step))
    })
  }
})
