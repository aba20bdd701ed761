// A part: all contenders on one kind of workload with one number of groups.
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { freshBatches, makeWorkload } from "../workload.mjs"
import { makers, names } from "./contenders.mjs"
import { engines } from "./engines.mjs"
import { factsOfLines } from "./facts.mjs"

const { kind, groups, seed, rounds, seconds, withEngines, isCheck } = partArguments()
const lines = kind === "dense" && groups >= 10_000 ? 300 : 6_000
const ordersOfBatch = kind === "dense" && groups >= 1_000 ? 20 : 400
const mostFacts = 200
/** However slow a contender is, so many of its answers are compared. */
const fewestCompared = 3

const workload = makeWorkload({ kind, groups, lines, seed })

/** Slow ones get as many lines as fit into their budget, and one at least. */
const fitting = async (ask, facts) => {
  const start = performance.now()
  await ask(facts[0])
  const first = performance.now() - start
  if (first > seconds * 1000) return 1
  await ask(facts[1])
  const share = performance.now() - start
  return Math.max(1, Math.min(facts.length, Math.floor((seconds * 2000) / share)))
}

const byHandContender = ([name, make]) => {
  const matcher = make(workload.groups)
  // A shop that has been open for a while: each product was sold before.
  if (name !== names.scan) matcher.matchOrders(workload.orders)
  const batch = freshBatches(workload.orderTexts, name === names.scan ? 20 : ordersOfBatch)
  return {
    name,
    lines: () => batch.lines,
    prepare: batch.next,
    run: () => matcher.matchOrders(batch.orders),
    answers: () => matcher.idsOf(workload.orders.slice(0, kind === "dense" ? 100 : 500)),
  }
}

const engineContender = async (make) => {
  const { name, match } = make(workload.groups)
  const all = factsOfLines(workload.orders, mostFacts)
  const facts = all.slice(0, await fitting(match, all))
  const askAll = async () => {
    for (const each of facts) {
      const answer = match(each)
      if (answer instanceof Promise) await answer
    }
  }
  const answers = async () => {
    const found = []
    for (const each of all.slice(0, Math.max(fewestCompared, facts.length))) {
      found.push([...(await match(each))].sort())
    }
    return found
  }
  return { name, lines: facts.length, run: askAll, answers }
}

const byHand = Object.entries(makers).map(byHandContender)
const raced = []
if (withEngines) for (const make of engines) raced.push(await engineContender(make))

/**
 * Whether all agree, and how many groups match. In a process of its own: answers that are kept teach the
 * compiler to expect answers that are kept, which is not what is raced.
 */
const check = async () => {
  await compareAnswers(byHand)
  const [first] = byHand
  const asSets = {
    name: first.name,
    answers: () =>
      makers[first.name](workload.groups)
        .idsOf(workload.orders)
        .map((ids) => ids.toSorted()),
  }
  await compareAnswers([asSets, ...raced])
  const answers = first.answers()
  return { matching: answers.reduce((sum, ids) => sum + ids.length, 0) / answers.length }
}

answerPart(
  isCheck ? await check() : { results: await race([...byHand, ...raced], { rounds, seconds }) },
)
