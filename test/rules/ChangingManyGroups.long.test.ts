/** Long histories of large rule sets, and that histories find the mistakes that are planted in them. */
import { RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import { groupOf, idsOf } from "../oracle/long/Groups.js"
import type { Scene } from "../oracle/long/Scene.js"
import { type Changes, historyOf, mistake } from "./RuleSetHistory.js"

test("a rule set that changes answers like one made anew with two thousand groups and hundreds of changes", () => {
  const groups = (scene: Scene) => idsOf(scene.random, 2_000).map((id) => groupOf(scene, id))
  const history = historyOf({ seed: 11, shape: "wide", events: 500, asks: 4, groups })
  expect(mistake(history)).toBeUndefined()
})

const mixingFutures = (): Changes => {
  const futures = new WeakMap<RuleSet.RuleSet, RuleSet.RuleSet>()
  return {
    put: (rules, group) => {
      const next = RuleSet.put(futures.get(rules) ?? rules, group)
      futures.set(rules, next)
      return next
    },
    remove: RuleSet.remove,
  }
}

/** Mistakes in changing a rule set, planted to see that the histories find them. */
const faults: ReadonlyArray<readonly [string, Changes]> = [
  ["nothing is removed", { put: RuleSet.put, remove: (rules) => ({ ...rules }) }],
  [
    "a replaced group goes to the end",
    {
      put: (rules, group) => RuleSet.put(RuleSet.remove(rules, group.id), group),
      remove: RuleSet.remove,
    },
  ],
  ["the second future of a rule set begins where the first one went", mixingFutures()],
  [
    "a condition is not changed with its group",
    {
      put: (rules, group) => {
        const old = RuleSet.get(rules, group.id)
        const isSame = old?.condition != null && group.condition != null
        return RuleSet.put(rules, isSame ? { ...group, condition: old.condition } : group)
      },
      remove: RuleSet.remove,
    },
  ],
]

describe("the histories find it when", () => {
  test.each(faults)("%s", (_, changes) => {
    const history = historyOf({ seed: 5, shape: "small", events: 300, asks: 30 })
    expect(mistake(history)).toBeUndefined()
    expect(mistake(history, changes)).toBeDefined()
  })
})
