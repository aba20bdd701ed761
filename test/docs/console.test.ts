import { describe, expect, it } from "vitest"
import { blocks } from "./Example.js"
import { expectShown, runWords, stepsOf, wordsOf } from "./Session.js"

// Sessions that need a shell are in console.built.test.ts, which runs them all in the long run.
const sessions = blocks()
  .filter(({ info }) => info[0] === "console")
  .map((block) => ({ block, steps: stepsOf(block) }))
  .filter(({ steps }) => steps.every((step) => wordsOf(step) !== undefined))

describe("the command lines shown in the pages", () => {
  it("are mostly those that need no shell", () => {
    expect(sessions.length).toBeGreaterThan(20)
  })

  for (const { block, steps } of sessions) {
    it(`${block.file}:${block.line} prints what the page shows`, async () => {
      for (const step of steps) expectShown(step, await runWords(wordsOf(step) ?? []))
    })
  }
})
