/** A small part of what `npm run verify:long` looks at, with the numbers at which faults that were there once show. */
import { expect, test } from "vitest"
import { isWhole } from "../../generators/Runs.js"
import { pairAt, ruleSetAt, run } from "./Run.js"

const told = () => undefined
const count = isWhole ? 120 : 60

test("what is said of rule sets is so on all orders", () => {
  const { complaints, counts } = run(ruleSetAt, { first: 1, count, told })
  expect(complaints).toEqual([])
  for (const answer of ["possible", "impossible"]) {
    expect(counts.get(`over-allocation ${answer}`)).toBeGreaterThan(count / 6)
  }
})

test("and what is said of pairs of them", () => {
  const { complaints, counts } = run(pairAt, { first: 1, count, told })
  expect(complaints).toEqual([])
  for (const answer of ["equivalent", "different"]) {
    expect(counts.get(answer)).toBeGreaterThan(count / 6)
  }
})

test.each([84, 131, 2_526, 49_703, 50_622])(
  "of the rule set %i, which was answered wrongly once",
  (seed) => {
    expect(ruleSetAt(seed)?.complaints).toEqual([])
  },
)

test.each([732, 844, 2_432])("of the pair %i, which was answered wrongly once", (seed) => {
  expect(pairAt(seed)?.complaints).toEqual([])
})
