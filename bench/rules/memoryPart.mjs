// A part: how many bytes the compiled form takes beyond the groups themselves.
import { RuleSet } from "../../dist/index.js"
import { collectGarbage } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { makeWorkload } from "../workload.mjs"

const { kind, groups, seed } = partArguments()

const bytes = () => {
  for (let time = 0; time < 4; time += 1) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const ask = (rules, orders) => {
  for (const order of orders) {
    for (const item of order.items) RuleSet.matchingGroups(rules, order, item)
  }
}

/** In a function of its own, so that nothing but what it returns is held. */
const makeRules = (count, lines) => {
  const workload = makeWorkload({ kind, groups: count, lines, seed })
  // The groups as plain data: whatever was kept beside them when they were checked is counted as well.
  const rules = { groups: [...RuleSet.make(workload.groups).groups] }
  return { rules, orders: workload.orders }
}

/** Once on a small scale, so that code that is compiled meanwhile is not counted. */
const warmUp = () => {
  const { rules, orders } = makeRules(200, 500)
  ask(rules, orders)
}

warmUp()
const { rules, orders } = makeRules(groups, 4_000)
const before = bytes()
ask(rules, orders.slice(0, 1))
const compiled = bytes()
ask(rules, orders)
const remembered = bytes()
// Both are used once more, so that neither can have been freed before.
ask(rules, orders.slice(0, 1))
answerPart({ compiled: (compiled - before) / groups, remembered: remembered - compiled })
