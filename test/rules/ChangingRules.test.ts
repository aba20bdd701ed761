import { type ProductGroup, RuleSet, Split } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { groupOf, idsOf } from "../oracle/long/Groups.js"
import { orderOf, productOf } from "../oracle/long/Orders.js"
import { Random } from "../oracle/long/Random.js"
import { type Scene, sceneOf } from "../oracle/long/Scene.js"
import { type Event, historyOf, mistake } from "./RuleSetHistory.js"

type Group = ProductGroup.GroupInput

/** How much of a history is played in `npm test`. */
const part = isWhole ? 1 : 1 / 4

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("a rule set that changes answers like one made anew", () => {
  test.each(["small", "medium", "bucket", "wide", "dense"] as const)(
    "in long random histories of %s rule sets, every version of them, in any order",
    (shape) => {
      const events = { small: 600, medium: 400, bucket: 160, wide: 160, dense: 80 }[shape]
      const whole = shape === "small" ? 6 : 2
      for (const seed of seeds(isWhole ? whole : 1)) {
        const history = historyOf({ seed, shape, events: Math.ceil(events * part), asks: 30 })
        const changes = history.events.filter(
          (event) => event.do === "put" || event.do === "remove",
        )
        expect(changes.length).toBeGreaterThan((events * part) / 3)
        expect(mistake(history), `seed ${seed}`).toBeUndefined()
      }
    },
  )

  test("when it begins with nothing and everything is put into it", () => {
    const groups = () => []
    const history = historyOf({ seed: 12, shape: "medium", events: 400, asks: 30, groups })
    expect(mistake(history)).toBeUndefined()
  })
})

const sharedLinks: ReadonlyArray<Group["link"]> = [
  { type: "products.all" },
  { type: "products.tag", values: ["t1", "T2 "] },
  { type: "products.tag", modifier: "NOT", values: ["t1"] },
  { type: "products.vendor", values: ["north"] },
  { type: "products", values: ["p1"] },
]

const product = { id: "p1", vendor: "North", tags: ["T1", "t3"] }
const otherProduct = { id: "p2", vendor: "south", tags: ["t4"] }

/** A bucket that grows to many groups, shrinks to a few, and grows again. */
const tides = (scene: Scene, link: Group["link"]): ReadonlyArray<Event> => {
  const groups = idsOf(scene.random, isWhole ? 100 : 50).map((id) => groupOf(scene, id, link))
  const ask = (at: number, policy: number): Event => {
    const next = () => scene.random.pick([product, otherProduct, productOf(scene)])
    return { do: "ask", at, order: orderOf(scene, "1", next), policy }
  }
  const grow = groups.map((group): Event => ({ do: "put", at: -1, group }))
  const ebb = scene.random
    .shuffled(groups)
    .slice(0, -7)
    .map(({ id }): Event => ({ do: "remove", at: -1, id }))
  const changes = [...grow, ...ebb, ...scene.random.shuffled(grow).slice(0, groups.length * 0.7)]
  // After each change the newest version is asked, and now and then one from before the turn of the tide.
  return changes.flatMap(
    (change, index): ReadonlyArray<Event> => [
      { ...change, at: index },
      ask(index + 1, scene.random.below(4_608)),
      ...(index % 5 === 0 ? [ask(scene.random.below(index + 1), 0)] : []),
    ],
  )
}

describe("a crowd of groups behind one link", () => {
  test.each(sharedLinks)("%j grows and shrinks, and each version goes on to answer", (link) => {
    const scene = sceneOf(new Random(21), "bucket")
    const events = tides(scene, link)
    expect(mistake({ groups: [], events })).toBeUndefined()
  })
})

describe("versions", () => {
  const link = { type: "products.tag", values: ["art"] } as const
  const group = (id: string, percent: number): Group => ({ id, collaboratorId: id, link, percent })
  const item = { id: "1", product: { id: "p1", tags: ["Art"] }, quantity: 1, amount: 1_000 }
  const order = { id: "1001", currency: "USD", items: [item] }
  const idsMatching = (rules: RuleSet.RuleSet) =>
    RuleSet.matchingGroups(rules, order, item).map(({ id, percent }) => `${id} ${percent}`)

  test("a rule set without a group is itself when it was without it before", () => {
    const rules = RuleSet.make([group("a", 1)])
    expect(RuleSet.remove(rules, "b")).toBe(rules)
    expect(RuleSet.remove(rules, "a")).not.toBe(rules)
  })

  test("two futures of one rule set know nothing of each other", () => {
    const first = RuleSet.make([group("a", 1)])
    const left = RuleSet.put(first, group("b", 2))
    const right = RuleSet.put(first, group("b", 3))
    const without = RuleSet.remove(left, "a")
    const asked = [first, left, right, without, left, first, right]
    expect(asked.map(idsMatching)).toEqual([
      ["a 1.00"],
      ["a 1.00", "b 2.00"],
      ["a 1.00", "b 3.00"],
      ["b 2.00"],
      ["a 1.00", "b 2.00"],
      ["a 1.00"],
      ["a 1.00", "b 3.00"],
    ])
  })

  test("a thousand of them are alive at once, and each has its own answer", () => {
    const versions = [RuleSet.make([])]
    for (let count = 1; count <= 1_000; count += 1) {
      const last = versions.at(-1) ?? RuleSet.make([])
      versions.push(RuleSet.put(last, group("a", (count % 100) + 1)))
    }
    const places = new Random(31).shuffled([...versions.keys()])
    for (const place of places) {
      const version = versions[place] ?? RuleSet.make([])
      const wanted = place === 0 ? [] : [`a ${((place % 100) + 1).toFixed(2)}`]
      expect(idsMatching(version)).toEqual(wanted)
    }
  })

  test("the first of twenty thousand still answers, and so does the last", () => {
    const first = RuleSet.make([group("a", 1)])
    let last = first
    for (let count = 0; count < 20_000; count += 1) {
      last = RuleSet.put(last, group(`${count % 300}`, (count % 100) + 1))
    }
    expect(idsMatching(first)).toEqual(["a 1.00"])
    expect(idsMatching(last)).toHaveLength(301)
    expect(first.groups).toHaveLength(1)
    expect(last.groups).toHaveLength(301)
    expect(idsMatching(first)).toEqual(["a 1.00"])
  })

  test("a batch that is under way goes on with the rule set that it began with", () => {
    const rules = RuleSet.make([group("a", 1)])
    const sharesOf = (answer: Result.Result<Split.Split, Split.SplitError>) =>
      Result.getOrThrow(answer).shares.map(({ groupId }) => groupId)
    const seen: Array<ReadonlyArray<string>> = []
    const comingIn = function* () {
      for (const id of ["b", "c", "d"]) {
        const other = RuleSet.put(rules, group(id, 2))
        expect(idsMatching(other)).toHaveLength(2)
        yield order
      }
    }
    for (const answer of Split.orders(rules, comingIn())) {
      seen.push(sharesOf(answer))
      const other = RuleSet.remove(rules, "a")
      expect(sharesOf(Split.orderResult(other, order))).toEqual([])
    }
    expect(seen).toEqual([["a"], ["a"], ["a"]])
  })

  test("groups that go between others, ever narrower, match in their order", () => {
    let rules = RuleSet.make([group("a", 1), group("b", 1)])
    const all = ["a", "b"]
    const put = (id: string) => {
      rules = RuleSet.put(rules, group(id, 1))
      all.push(id)
    }
    let narrow = "a"
    for (let count = 0; count < 400; count += 1) {
      put(`${narrow}z`)
      narrow = count % 3 === 0 ? `${narrow}m` : `${narrow}a`
      put(narrow)
    }
    const matching = RuleSet.matchingGroups(rules, order, item).map(({ id }) => id)
    expect(matching).toEqual(all.sort((one, other) => (one < other ? -1 : 1)))
  })

  test("a group that is taken out and put back is last, and matches as before", () => {
    const rules = RuleSet.make([group("a", 1), group("b", 2)])
    const again = RuleSet.put(RuleSet.remove(rules, "a"), group("a", 1))
    expect(again.groups.map(({ id }) => id)).toEqual(["b", "a"])
    expect(idsMatching(again)).toEqual(idsMatching(rules))
  })

  test("a group given to a rule set may be changed by its owner afterwards", () => {
    const values = ["art"]
    const input = {
      id: "a",
      collaboratorId: "a",
      link: { type: "products.tag", values },
      percent: 1,
    }
    const made = RuleSet.make([input as Group])
    const changed = RuleSet.put(RuleSet.make([]), input as Group)
    values.push("toy")
    values[0] = "mug"
    expect(idsMatching(made)).toEqual(["a 1.00"])
    expect(idsMatching(changed)).toEqual(["a 1.00"])
    expect(made.groups[0]?.link.values).toEqual(["art"])
    expect(changed.groups[0]?.link.values).toEqual(["art"])
  })
})
