// The same as columns.mjs, as a host would write it who has nothing but `Split.order`: objects from columns, and columns
// from splits.
import { readFileSync } from "node:fs"
import { RuleSet, Split } from "../../dist/node/index.js"
import { lineBatches, readBatches, writeBatches } from "./arrow.mjs"
import { linesOf, ordersOf } from "./orders.mjs"

const [groups, input, output] = process.argv.slice(2)
const rules = RuleSet.make(JSON.parse(readFileSync(groups, "utf8")))
const places = new Map(rules.groups.map(({ id }, place) => [id, place]))
const batchOf = lineBatches(rules.groups)
const splitAll = (orders) =>
  batchOf(
    linesOf(
      orders.map((order) => Split.order(rules, order)),
      places,
    ),
  )

const split = async function* () {
  let held = []
  for await (const batch of readBatches(input)) {
    const orders = ordersOf(batch)
    const [last] = held
    if (last?.id === orders[0]?.id) last?.items.push(...orders.shift().items)
    const complete = orders.length === 0 ? [] : [...held, ...orders]
    if (complete.length === 0) continue
    held = [complete.pop()]
    yield splitAll(complete)
  }
  yield splitAll(held)
}
await writeBatches(output, split())
