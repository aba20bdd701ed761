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

// Once on a small scale, so that code that is compiled meanwhile is not counted.
const { orders: fewOrders, groups: fewGroups } = makeWorkload({
  kind,
  groups: 200,
  lines: 500,
  seed,
})
ask(RuleSet.make(fewGroups), fewOrders)

const lines = 4_000
const workload = { current: makeWorkload({ kind, groups, lines, seed }) }
const { orders } = workload.current
const rules = RuleSet.make(workload.current.groups)
workload.current = null
const before = bytes()
ask(rules, orders.slice(0, 1))
const compiled = bytes()
ask(rules, orders)
const remembered = bytes()
// The rules and orders are used once more, so that neither can have been freed before.
ask(rules, orders.slice(0, 1))
answerPart({
  compiled: (compiled - before) / groups,
  remembered: remembered - compiled,
})
