/**
 * A part of the small scope; all of it with `APPORTION_SCOPE=all`.
 */
import { expect, test } from "vitest"
import { isWhole as isLongRun } from "../generators/Runs.js"
import { check } from "./brute/Checks.js"
import type { Group } from "./brute/Orders.js"
import { checkPair } from "./brute/Pairs.js"
import { ruleSetAt, scopeSize, threeAt } from "./Shapes.js"
import { isLittle, isWhole, Tally } from "./Tally.js"

/** A prime, so that no kind of rule set is always left out. */
const step = isWhole ? 1 : isLittle ? 1_201 : isLongRun ? 41 : 331
const long = 3 * 60 * 60 * 1_000

test("what is said of each rule set of the small scope is so on all orders", {
  timeout: long,
}, () => {
  const tally = new Tally()
  for (let number = 0; number < scopeSize; number += step) {
    const groups = ruleSetAt(number)
    const { answers, complaints } = check({ groups })
    tally.add(answers, complaints, groups)
  }
  tally.report("one and two groups")
  expect(tally.complaints).toEqual([])
  tally.expectEach(isLongRun ? 6 : 1, [
    "over-allocation possible",
    "over-allocation impossible",
    "living",
    "dead link",
    "dead condition",
    "dead outranked",
    "redundant",
    "needed",
    "overlap always",
    "overlap sometimes",
    "together true",
    "implied",
    "not implied",
  ])
})

test("and of three groups", { timeout: long }, () => {
  const tally = new Tally()
  const count = isWhole ? 30_000 : isLittle ? 20 : isLongRun ? 300 : 40
  for (let number = 0; number < count; number += 1) {
    const groups = threeAt(number)
    const { answers, complaints } = check({ groups })
    tally.add(answers, complaints, groups)
  }
  tally.report("three groups")
  expect(tally.complaints).toEqual([])
})

/** The rule set with one thing changed that may matter, or not. */
const changed = (number: number, groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const [first, ...rest] = groups
  if (first === undefined) return groups
  const second = rest[0]
  switch (number % 6) {
    case 0:
      return rest
    case 1:
      return [{ ...first, percent: 59 }, ...rest]
    case 2:
      return [{ ...first, id: "e" }, ...rest]
    case 3:
      return [{ ...first, deductForOtherSplits: false }, ...rest]
    case 4:
      return second === undefined ? [] : [{ ...first, link: second.link }, ...rest]
    default:
      return second === undefined ? groups : [first]
  }
}

test("rule sets with a change are told apart as all orders tell them", { timeout: long }, () => {
  const tally = new Tally()
  for (let number = 0; number < scopeSize; number += step * (isWhole ? 1 : 2)) {
    const groups = number % 2 === 0 ? ruleSetAt(number) : threeAt(number)
    const others = changed(number, groups)
    const policies = [{}, { stacking: "all" }, { overAllocation: "scale" }] as const
    const policy = policies[number % 3]
    const { answers, complaints } = checkPair({ groups, others, policy })
    tally.add(answers, complaints, { groups, others, policy })
  }
  tally.report("changed rule sets")
  expect(tally.complaints).toEqual([])
  tally.expectEach(isLongRun ? 5 : 2, ["equivalent", "different"])
})
