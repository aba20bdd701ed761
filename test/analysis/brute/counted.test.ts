/** What is said of rules with terms, on a part of all small rule sets. `npm run verify:long` looks at more of them. */
import { expect, test } from "vitest"
import { countedAt, countedPairAt } from "./Counted.js"
import { run } from "./Run.js"

const told = () => undefined

test("what is said of rules with terms is so on all orders at every counter", () => {
  const { complaints, counts } = run(countedAt, { first: 1, count: 40, told })
  expect(complaints).toEqual([])
  for (const answer of ["possible", "impossible"]) {
    expect(counts.get(`over-allocation ${answer}`)).toBeGreaterThan(10)
  }
})

test("and what is said of pairs of them", () => {
  const { complaints, counts } = run(countedPairAt, { first: 1, count: 150, told })
  expect(complaints).toEqual([])
  expect(counts.get("different")).toBeGreaterThan(50)
})
