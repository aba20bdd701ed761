// A part: one analysis of one rule set. Its time is that of the processor, so that other work beside it does not count.
import { Analysis, Catalogue, RuleSet } from "../../dist/index.js"
import { answerPart, partArguments } from "../parts.mjs"
import { workloads } from "./workload.mjs"

const { analysis, workload, size, options = {} } = partArguments()
const { groups, products, others } = workloads[workload](...size)
const rules = RuleSet.make(groups)
const catalogue = products === undefined ? undefined : Catalogue.make(products)
const taken = catalogue === undefined ? options : { ...options, catalogue }

const stepsOf = () => {
  const { steps } = Analysis
  if (analysis === "unpaidProducts") return steps.unpaidProducts(rules, catalogue, options)
  if (analysis === "equivalent") return steps.equivalent(rules, RuleSet.make(others), taken)
  return steps[analysis](rules, taken)
}

const named = (count, what) => `${count} ${what}`

const told = (found) => {
  if (found.verdict !== undefined) return found.verdict
  if (found.findings === undefined) {
    return Object.entries(found).map(([name, value]) =>
      Array.isArray(value) ? named(value.length, name) : `${name}: ${value}`,
    )
  }
  const byRule = Object.entries(Object.groupBy(found.findings, ({ rule }) => rule))
  return [
    ...byRule.map(([rule, list]) => named(list.length, rule)),
    ...found.proved.map(({ rule }) => `proved ${rule}`),
  ]
}

const begun = process.cpuUsage()
const steps = stepsOf()
let [longestMs, taskOfLongest, before, done, turns] = [
  0,
  "",
  (begun.user + begun.system) / 1e3,
  0,
  0,
]
let next = steps.next()
for (;;) {
  const { user, system } = process.cpuUsage()
  const now = (user + system) / 1e3
  if (now - before > longestMs)
    [longestMs, taskOfLongest] = [now - before, next.value.task ?? "end"]
  before = now
  if (next.done === true) break
  done = next.value.steps
  turns += 1
  next = steps.next()
}
const { user, system } = process.cpuUsage(begun)
answerPart({
  seconds: (user + system) / 1e6,
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  longestMs: Math.round(longestMs),
  taskOfLongest,
  turns,
  steps: done,
  told: [told(next.value)].flat().join(", "),
})
