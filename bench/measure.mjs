// How contenders are timed: interleaved rounds, medians, ranges, and answers compared beforehand.
import { cpus, totalmem } from "node:os"
import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

// Collecting between contenders must not make V8 forget the code of those that wait for their turn.
setFlagsFromString("--no-flush-bytecode")
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")

/** How many times its budget a contender gets to warm up. */
const warming = 3

/** A contender whose one batch takes longer than its budget joins this many rounds and no more. */
const fewestRounds = 3

/** Frees all memory that nobody holds any more. */
export const collectGarbage = () => collect()

const number = (name, fallback) => {
  const value = Number(process.env[name] ?? fallback)
  if (Number.isFinite(value) && value > 0) return value
  console.error(`${name} must be a number above 0, got ${process.env[name]}`)
  process.exit(2)
}

/** What a run is asked to do by `BENCH_ROUNDS`, `BENCH_SECONDS` and `BENCH_SEED`. */
export const settings = ({ rounds = 7, seconds = 0.3, seed = 20 } = {}) => ({
  rounds: Math.max(fewestRounds, Math.round(number("BENCH_ROUNDS", rounds))),
  seconds: number("BENCH_SECONDS", seconds),
  seed: Math.round(number("BENCH_SEED", seed)),
})

export const median = (values) => {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The figures of one contender, from what it needed for a unit in each of its rounds. */
export const summary = (name, values, unit = "us") => ({
  name,
  unit,
  median: median(values),
  lowest: Math.min(...values),
  highest: Math.max(...values),
  rounds: values.length,
  values,
})

/** Batches until the budget is spent, at least one; microseconds for a unit of work. */
const roundOf = async ({ lines, prepare, run }, seconds) => {
  const began = performance.now()
  let spent = 0
  let units = 0
  do {
    await prepare?.()
    const start = performance.now()
    const running = run()
    // Only those that answer later are waited for: waiting costs something by itself.
    if (running instanceof Promise) await running
    spent += performance.now() - start
    units += typeof lines === "function" ? lines() : lines
    // What is prepared counts for nobody, but must not make a round last for ever.
  } while (spent < seconds * 1000 && performance.now() - began < seconds * 4000)
  if (units === 0) throw new Error("a contender did no work, so there is nothing to divide by")
  return { microseconds: (spent * 1000) / units, spent }
}

const rotated = (list, by) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

/**
 * Races contenders against each other: one round to warm up, three times as long, then `rounds` in which each has its turn once,
 * each time in another order. A turn repeats the contender's batch until `seconds` are spent, and is once
 * through the batch at least; a contender that needs longer than that joins three rounds only.
 *
 * A contender is `{ name, lines, run, prepare? }`: `run` does a batch of `lines` units of work (a number, or a
 * function asked after each batch) and may return a promise; `prepare` comes before each batch and is not timed.
 *
 * `collects: false` leaves the garbage to V8, for what is measured warm: where all garbage is collected between rounds, nothing
 * has the form of what was computed for a moment, and V8 throws away the code that knows it.
 *
 * Resolves to `[{ name, unit: "us", median, lowest, highest, rounds, values }]`, microseconds for one unit of
 * work; `values` has one figure for each round.
 */
export const race = async (contenders, { rounds, seconds, collects = true }) => {
  const found = new Map(contenders.map(({ name }) => [name, []]))
  if (found.size !== contenders.length) throw new Error("two contenders have the same name")
  const slow = new Set()
  for (let round = 0; round <= rounds; round += 1) {
    if (collects) collect()
    for (const contender of rotated(contenders, round)) {
      if (slow.has(contender.name) && round > fewestRounds) continue
      // Nobody pays for the garbage of the one before.
      if (collects) collect({ type: "minor" })
      const budget = round === 0 ? seconds * warming : seconds
      const { microseconds, spent } = await roundOf(contender, budget)
      if (round === 0 && spent > budget * 1000 + seconds * 1000) slow.add(contender.name)
      if (round > 0) found.get(contender.name).push(microseconds)
    }
  }
  return contenders.map(({ name }) => summary(name, found.get(name)))
}

/**
 * Ends the run with exit code 1 when two contenders don't agree. `contenders` are `{ name, answers }` with
 * `answers()` a list (or a promise of one), one entry a question, that says the same thing in JSON where the
 * answers are the same. A slow contender may answer fewer questions, the first ones, but not none.
 */
export const compareAnswers = async (contenders) => {
  const [first, ...others] = contenders
  const expected = (await first.answers()).map((answer) => JSON.stringify(answer))
  if (expected.length === 0) fail(`${first.name} answered nothing`)
  for (const { name, answers } of others) {
    const given = await answers()
    if (given.length === 0 || given.length > expected.length) {
      fail(`${name} answered ${given.length} questions, ${first.name} ${expected.length}`)
    }
    for (const [index, answer] of given.entries()) {
      const text = JSON.stringify(answer)
      if (text === expected[index]) continue
      fail(`question ${index}: ${name} says ${text}, ${first.name} says ${expected[index]}`)
    }
  }
  return expected.length
}

const fail = (message) => {
  console.error(`The contenders don't agree, so there is nothing to measure: ${message}`)
  process.exit(1)
}

/** Where the figures come from, in a line. */
export const environment = () => {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const model = cpus()[0]?.model.trim() ?? "unknown processor"
  return `Node ${process.versions.node}, ${cpus().length} cores (${model}), ${gibibytes} GiB of memory`
}
