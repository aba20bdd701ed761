// What a linking takes in memory, in a process of its own: heap and typed arrays, in bytes.
import { ProductLinks, RuleSet } from "../../dist/index.js"
import { makeWorkload } from "./workload.mjs"

const [kind, products, groups, seed] = process.argv.slice(2)

const used = () => {
  for (let round = 0; round < 4; round += 1) globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const before = used()
const workload = makeWorkload({
  kind,
  products: Number(products),
  groups: Number(groups),
  seed: Number(seed),
})
const rules = RuleSet.make(workload.groups)
// The first one is let go: what it leaves behind in the strings, as their hashes, is no linking's.
ProductLinks.make(rules, workload.products)
const given = used()
const links = ProductLinks.make(rules, workload.products)
ProductLinks.productsOf(links, "g0")
const linked = used()
if (ProductLinks.count(links) === 0) throw new Error("nothing is linked")
console.log(JSON.stringify({ given: given - before, linked: linked - given }))
