// A part: 10,000 groups and products of more and less even popularity, some of which are sold for the first time.
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { freshBatches, makeWorkload } from "../workload.mjs"
import { makers, names } from "./contenders.mjs"

const { kind, groups, sold, popularity, lines, ordersOfBatch, seed, rounds, seconds, isCheck } =
  partArguments()
const contending = [
  names.apportion,
  names.limit,
  names.remembering,
  names.lists,
  names.rememberingLists,
]
const workload = makeWorkload({ kind, groups, sold, popularity, lines, seed })

const contenderOf = (name) => {
  const matcher = makers[name](workload.groups)
  const batch = freshBatches(workload.orderTexts, ordersOfBatch)
  return {
    name,
    lines: () => batch.lines,
    prepare: batch.next,
    run: () => matcher.matchOrders(batch.orders),
    answers: () => matcher.idsOf(workload.orders.slice(0, kind === "dense" ? 50 : 500)),
  }
}

const contenders = contending.map(contenderOf)

const check = async () => {
  await compareAnswers(contenders)
  const answers = contenders[0].answers()
  const products = new Set(
    workload.orders.flatMap(({ items }) => items.map(({ product }) => product.id)),
  )
  return {
    matching: answers.reduce((sum, ids) => sum + ids.length, 0) / answers.length,
    products: products.size,
  }
}

answerPart(isCheck ? await check() : { results: await race(contenders, { rounds, seconds }) })
