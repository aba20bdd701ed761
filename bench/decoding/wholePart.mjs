// A part: the whole way of an order, from its text to the text of its split, and each step of it alone.
import { RuleSet, Split } from "../../dist/index.js"
import * as Wire from "../../dist/wire/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { makeWorkload } from "../workload.mjs"
import { batchContender } from "./batches.mjs"

const { groups, collaborators, seed, rounds, seconds } = partArguments()
const workload = makeWorkload({ kind: "selective", groups, collaborators, lines: 4_000, seed })
const rules = RuleSet.make(workload.groups)
const texts = workload.orders.map((order) => JSON.stringify(Wire.Order.write(order)))

const read = (json) => {
  const result = Wire.Order.read(json)
  if (result._tag === "Failure") throw result.failure
  return result.success
}
const split = (order) => Split.order(rules, order)
const write = (done) => JSON.stringify(Wire.Split.write(done))

await compareAnswers([
  { name: "split as it is", answers: () => workload.orders.map((order) => write(split(order))) },
  {
    name: "read, then split",
    answers: () => texts.map((text) => write(split(read(JSON.parse(text))))),
  },
])

const stages = [
  ["JSON.parse", (text) => text, (text) => JSON.parse(text)],
  ["Order.read", (text) => JSON.parse(text), read],
  ["Split.order", (text) => read(JSON.parse(text)), split],
  ["Split.write, JSON.stringify", (text) => split(read(JSON.parse(text))), write],
  ["the whole way", (text) => text, (text) => write(split(read(JSON.parse(text))))],
]

const contenders = stages.map(([name, before, work]) => batchContender(name, texts, before, work))

const answers = workload.orders.map(split)
const lines = workload.orders.reduce((sum, { items }) => sum + items.length, 0)
answerPart({
  lines: lines / workload.orders.length,
  payees: answers.reduce((sum, { shares }) => sum + shares.length, 0) / lines,
  results: await race(contenders, { rounds, seconds }),
})
