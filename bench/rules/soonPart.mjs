// A part: one contender in a process of its own that has matched nothing before: what its first lines take, and the
// next ones, until it is warm.
import { answerPart, partArguments } from "../parts.mjs"
import { countLines, freshBatches, makeWorkload } from "../workload.mjs"
import { makers } from "./contenders.mjs"

const { name, kind, groups, sold, seed, stages } = partArguments()
const lines = stages.at(-1)
const workload = makeWorkload({ kind, groups, sold, lines: Math.min(lines, 60_000), seed })
const matcher = makers[name](workload.groups)
const batch = freshBatches(workload.orderTexts, 100)

let [done, spent] = [0, 0]
const microseconds = []
for (const stage of stages) {
  const [before, spentBefore] = [done, spent]
  while (done < stage) {
    batch.next()
    const began = performance.now()
    matcher.matchOrders(batch.orders)
    spent += performance.now() - began
    done += countLines(batch.orders)
  }
  microseconds.push(((spent - spentBefore) * 1000) / (done - before))
}
answerPart({ microseconds })
