// A part: making a rule set of many groups, compiling it, and changing one group of it. Every change is followed
// by a question, so that nothing is put off until later.
import { RuleSet } from "../../dist/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { makeWorkload } from "../workload.mjs"

const { groups, seed, rounds, seconds } = partArguments()
const workload = makeWorkload({ kind: "selective", groups, lines: 3_000, seed })
const others = makeWorkload({ kind: "selective", groups, lines: 10, seed: seed + 1 }).groups
const base = RuleSet.make(workload.groups)

let asked = 0
/** Asks about one line, another one each time. */
const ask = (rules) => {
  const order = workload.orders[asked % workload.orders.length]
  asked += 1
  return RuleSet.matchingGroups(rules, order, order.items[0])
}

const idsOf = (rules) =>
  workload.orders
    .slice(0, 300)
    .flatMap((order) =>
      order.items.map((item) => RuleSet.matchingGroups(rules, order, item).map(({ id }) => id)),
    )

/** Repeats a change for a millisecond or once, whichever takes longer: a clock is too coarse for one. */
const repeating = (name, change) => {
  let done = 0
  const run = () => {
    done = 0
    const end = performance.now() + 1
    do {
      change()
      done += 1
    } while (performance.now() < end)
  }
  return { name, lines: () => done, run }
}

// Changes go on from the rule set that the one before made, as they do in a shop.
let changing = base
let next = 0
/** A place in the rule set: all over it, and far from the one before. */
const somewhere = () => {
  next = (next + 7_919) % groups
  return next
}
const replacement = () => {
  const place = somewhere()
  return { ...others[place], id: workload.groups[place].id }
}

const contenders = [
  repeating("compile anew", () => ask({ groups: [...base.groups] })),
  repeating("put: replace a group", () => {
    changing = RuleSet.put(changing, replacement())
    ask(changing)
  }),
  repeating("remove a group, put it again", () => {
    const group = RuleSet.get(changing, workload.groups[somewhere()].id)
    changing = RuleSet.remove(changing, group.id)
    ask(changing)
    changing = RuleSet.put(changing, group)
    ask(changing)
  }),
  repeating("RuleSet.make: check the groups", () => RuleSet.make(workload.groups)),
]

let changed = base
for (let count = 0; count < 20; count += 1) changed = RuleSet.put(changed, replacement())
for (let count = 0; count < 20; count += 1) {
  changed = RuleSet.remove(changed, changed.groups[count * 31].id)
}
changed = RuleSet.put(changed, { ...others[0], id: "one more" })
await compareAnswers([
  { name: "compiled anew", answers: () => idsOf(RuleSet.make([...changed.groups])) },
  { name: "changed", answers: () => idsOf(changed) },
])
answerPart({ results: await race(contenders, { rounds, seconds }) })
