// A part: does the time for a line follow what matches, or how many groups there are? The same contenders at all
// sizes in one race. With `freshProducts` each line's product is one that nobody has seen before, so the rules
// are compiled anew before each batch, which is not timed.
import { collectGarbage, compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { freshBatches, makeWorkload } from "../workload.mjs"
import { makers, names } from "./contenders.mjs"

const { sizes, seed, rounds, seconds, freshProducts } = partArguments()
const contending = [names.apportion, names.limit, names.remembering]
// Asked before the clock starts, so that nothing is left to be prepared: its product is nobody's.
const stranger = {
  id: "stranger",
  currency: "USD",
  items: [{ id: "1", product: { id: "stranger" }, quantity: 1, amount: 1 }],
}

const contendersOf = async (groups) => {
  const lines = freshProducts ? 2_000 : 6_000
  const workload = makeWorkload({ kind: "selective", groups, lines, seed, freshProducts })
  const matchers = contending.map((name) => {
    const make = () => {
      const matcher = makers[name](workload.groups)
      matcher.matchOrders([stranger])
      return matcher
    }
    return { name, make, matcher: make() }
  })
  await compareAnswers(
    matchers.map(({ name, matcher }) => ({
      name,
      answers: () => matcher.idsOf(workload.orders.slice(0, 500)),
    })),
  )
  return matchers.map((each) => {
    // Otherwise a shop that has been open for a while: each product was sold before.
    if (!freshProducts) each.matcher.matchOrders(workload.orders)
    const size = freshProducts ? workload.orderTexts.length : 400
    const batch = freshBatches(workload.orderTexts, size)
    const prepare = () => {
      if (freshProducts) each.matcher = each.make()
      batch.next()
      // What was thrown away by now is not to be cleared up on the clock.
      if (freshProducts) collectGarbage()
    }
    const run = () => each.matcher.matchOrders(batch.orders)
    return { name: `${each.name} ${groups}`, lines: () => batch.lines, prepare, run }
  })
}

const contenders = []
for (const groups of sizes) contenders.push(...(await contendersOf(groups)))
answerPart({ contending, results: await race(contenders, { rounds, seconds }) })
