// A part: dividing amounts over four ratios and the rest.
import { allocate, dinero, toSnapshot } from "dinero.js"
import { allocate as allocateBigints, dinero as bigintDinero } from "dinero.js/bigint"
import { USD as bigintUsd } from "dinero.js/bigint/currencies"
import { USD } from "dinero.js/currencies"
import { Allocation } from "../../dist/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { makeDice } from "../workload.mjs"
import { allocateBig, allocateBigInt } from "./byHand.mjs"

const { seed, rounds, seconds } = partArguments()
const { below, next } = makeDice(seed)

const questions = (largest) =>
  Array.from({ length: 500 }, () => {
    const ratios = Array.from({ length: 4 }, () => 1 + below(2_400))
    const rest = ratios.reduce((left, ratio) => left - ratio, 10_000)
    return { amount: 1 + Math.floor(next() * largest), ratios: [...ratios, rest] }
  })

const sum = (values) => values.reduce((total, value) => total + value, 0)

const withDinero = ({ amount, ratios }) => allocate(dinero({ amount, currency: USD }), ratios)

const ways = {
  apportion: ({ amount, ratios }) => Allocation.allocate(amount, ratios),
  "BigInt by hand": ({ amount, ratios }) => allocateBigInt(amount, ratios),
  "big.js by hand": ({ amount, ratios }) => allocateBig(amount, ratios),
}

const contender = (name, allocateOne, asked) => ({
  name,
  lines: asked.length,
  run: () => {
    let parts = 0
    for (const question of asked) parts += allocateOne(question).length
    return parts
  },
})

const contendersFor = async (asked) => {
  const exact = Object.entries(ways)
  await compareAnswers(
    exact.map(([name, way]) => ({ name, answers: () => asked.map((question) => way(question)) })),
  )
  return exact.map(([name, way]) => contender(name, way, asked))
}

// dinero.js gives the left cents to the first ones instead of those with the largest remainders, so its parts
// are others; but they too must add up to the amount.
const ordinary = questions(1_000_000)
await compareAnswers([
  { name: "the amount", answers: () => ordinary.map(({ amount }) => amount) },
  {
    name: "dinero.js",
    answers: () =>
      ordinary.map((question) => sum(withDinero(question).map((part) => toSnapshot(part).amount))),
  },
])
const huge = questions(Number.MAX_SAFE_INTEGER - 1)
/** Whether a part is neither the floor nor the ceiling of what it exactly is. */
const isOff = (part, ratio, { amount, ratios }) => {
  const total = ratios.reduce((all, each) => all + BigInt(each), 0n)
  const left = BigInt(part) * total - BigInt(amount) * BigInt(ratio)
  return left >= total || left <= -total
}
const inexact = huge.filter((question) =>
  withDinero(question).some((part, index) =>
    isOff(toSnapshot(part).amount, question.ratios[index], question),
  ),
).length

const bigints = huge.map(({ amount, ratios }) => ({
  amount: BigInt(amount),
  ratios: ratios.map(BigInt),
}))
const withBigints = ({ amount, ratios }) =>
  allocateBigints(bigintDinero({ amount, currency: bigintUsd }), ratios)

answerPart({
  ordinary: await race(
    [...(await contendersFor(ordinary)), contender("dinero.js", withDinero, ordinary)],
    { rounds, seconds },
  ),
  huge: await race(
    [...(await contendersFor(huge)), contender("dinero.js/bigint", withBigints, bigints)],
    { rounds, seconds },
  ),
  inexact,
  askedHuge: huge.length,
})
