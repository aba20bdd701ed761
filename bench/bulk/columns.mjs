// Splits a file of Arrow's record batches into another one: groups, orders, output.
import { readFileSync } from "node:fs"
import { BulkSplit } from "../../dist/node/bulk.js"
import { RuleSet } from "../../dist/node/index.js"
import { lineBatches, readBatches, writeBatches } from "./arrow.mjs"

const [groups, orders, output] = process.argv.slice(2)
const rules = RuleSet.make(JSON.parse(readFileSync(groups, "utf8")))
const bulk = new BulkSplit(rules)
const batchOf = lineBatches(rules.groups)

const split = async function* () {
  for await (const batch of readBatches(orders)) yield* bulk.split(batch).map(batchOf)
  yield* bulk.end().map(batchOf)
}
await writeBatches(output, split())
