/**
 * Many generated lines, answered by the library and by the oracle.
 */
import { Coverage } from "./Coverage.js"
import { type Engine, library } from "./Engine.js"
import { type Failure, play } from "./Play.js"
import { roundOf, type Step } from "./Script.js"
import { shrink } from "./Shrink.js"

export interface Finding {
  readonly seed: number
  readonly round: number
  readonly steps: ReadonlyArray<Step>
  readonly failure: Failure
}

export interface Report {
  readonly lines: number
  readonly orders: number
  readonly rounds: number
  readonly counts: ReadonlyMap<string, number>
  /** How often each policy was asked about. */
  readonly policies: ReadonlyArray<number>
  readonly finding?: Finding
}

export interface RunOptions {
  readonly lines: number
  readonly seed: number
  readonly engine?: Engine
  /** How often a smaller case may be tried when there is a difference. */
  readonly shrinks?: number
  readonly onRound?: (coverage: Coverage) => void
}

const findingOf = (
  place: { readonly seed: number; readonly round: number },
  steps: ReadonlyArray<Step>,
  first: Failure,
  engine: Engine,
  shrinks: number,
): Finding => {
  const again = (some: ReadonlyArray<Step>) => play(some, engine)
  const smaller = shrink(steps, first, again, shrinks)
  return { ...place, steps: smaller, failure: again(smaller) ?? first }
}

/** Plays rounds until so many lines agreed, or until a difference is found, which is shrunk. */
export const run = (options: RunOptions): Report => {
  const { lines, seed, engine = library, shrinks = 6_000, onRound } = options
  const coverage = new Coverage()
  let asked = 0
  let finding: Finding | undefined
  for (let round = 0; coverage.lines < lines && finding === undefined; round += 1) {
    const one = roundOf(seed, round, asked)
    coverage.begin(one)
    const failure = play(one.steps, engine, coverage.onAnswer)
    if (failure !== undefined) {
      finding = findingOf({ seed, round }, one.steps, failure, engine, shrinks)
    }
    asked += one.steps.filter((step) => step.do === "ask").length
    onRound?.(coverage)
  }
  const { lines: seen, orders, rounds, counts } = coverage
  const told = { lines: seen, orders, rounds, counts, policies: [...coverage.policies] }
  return finding === undefined ? told : { ...told, finding }
}

/** A finding to read, and to keep: its steps are what a regression is made of. */
export const tellFinding = ({ seed, round, steps, failure }: Finding): string =>
  [
    `seed ${seed}, round ${round}: ${failure.what} differs`,
    `library: ${JSON.stringify(failure.library, null, 1)}`,
    `oracle: ${JSON.stringify(failure.oracle, null, 1)}`,
    `steps: ${JSON.stringify(steps)}`,
  ].join("\n")
