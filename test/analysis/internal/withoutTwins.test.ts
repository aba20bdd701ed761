import { expect, test } from "vitest"
import { withoutTwins } from "../../../src/analysis/internal/Inquiry.js"
import { claimant, clause, referers, tags, vendors } from "./Claimants.js"

const [a = 0, b = 0, c = 0] = tags
const [vendor = 0] = vendors
const [referer = 0] = referers

const listsOf = (...claimants: ReadonlyArray<ReturnType<typeof claimant>>) =>
  withoutTwins(claimants).map(({ predicate }) => predicate.clauses.map(({ values }) => values))

test("of values that are always named together one is left", () => {
  expect(
    listsOf(claimant(1, 0, [clause(true, a, b)]), claimant(2, 1, [clause(false, a, b)])),
  ).toEqual([[[a]], [[a]]])
})

test("values that one group names and another does not are both left", () => {
  expect(
    listsOf(claimant(1, 0, [clause(true, a, b, c)]), claimant(2, 1, [clause(true, b)])),
  ).toEqual([[[a, b]], [[b]]])
})

test("values of two places are never twins, though one group names both", () => {
  expect(
    listsOf(claimant(1, 0, [clause(true, a), clause(true, vendor), clause(true, referer)])),
  ).toEqual([[[a], [vendor], [referer]]])
})

test("what else there is of the claimants stays as it is", () => {
  const given = claimant(7, 3, [clause(false, a)], { startsAt: 5 })
  expect(withoutTwins([given])).toEqual([given])
})
