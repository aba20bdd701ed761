/** The questions that take longer than a key stroke: asked when typing stops, in slices, and not for ever. */
import { effect, signal } from "@preact/signals"
import * as Result from "effect/Result"
import {
  type Check,
  type Equivalence,
  inTurns,
  type Steps,
  steps,
} from "../../analysis/Analysis.js"
import type { AnyRules } from "../../analysis/Options.js"
import { InvalidOptions } from "../../analysis/Options.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { readGroups, readPolicy, type ScenarioRules } from "./Scenario.js"
import * as State from "./State.js"

/** A question and how far it is. */
export type AnalysisState<Value> =
  | { readonly state: "waiting" }
  | { readonly state: "running"; readonly task: string; readonly done: number; readonly of: number }
  | { readonly state: "answered"; readonly value: Value }
  /** What was asked about can't be read. */
  | { readonly state: "unreadable" }
  | { readonly state: "stopped"; readonly why: string }

/**
 * How long it has been quiet when typing has stopped. The first slices over many groups take longer than a key stroke
 * should wait.
 */
const quietMilliseconds = (groups: number): number => Math.min(350 + 1.5 * groups, 2_000)

/** The longest that one question is worked on. */
const mostMilliseconds = 10_000

/** Steps for each part of a question. */
const budget = 4_000_000

class TooLong {}

/** Other work of the page goes first: a message of its own is behind everything that waits. */
const pause = (): Promise<void> =>
  new Promise((resume) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resume()
    }
    port2.postMessage(null)
  })

const ask = async <Value>(
  question: Steps<Value>,
  signalOf: AbortSignal,
  tell: (asked: AnalysisState<Value>) => void,
): Promise<void> => {
  const until = performance.now() + mostMilliseconds
  const throwIfAborted = () => {
    signalOf.throwIfAborted()
    if (performance.now() > until) throw new TooLong()
  }
  let told = 0
  try {
    const value = await inTurns(question, {
      pause,
      signal: { throwIfAborted },
      onProgress: ({ task, done, of }) => {
        if (performance.now() - told < 200) return
        told = performance.now()
        tell({ state: "running", task, done, of })
      },
    })
    tell({ state: "answered", value })
  } catch (cause) {
    if (signalOf.aborted) return
    if (cause instanceof TooLong) {
      const why = `No answer within ${mostMilliseconds / 1000} seconds. The command line has more time: apportion check.`
      tell({ state: "stopped", why })
      return
    }
    if (!(cause instanceof InvalidOptions)) throw cause
    tell({ state: "stopped", why: cause.message })
  }
}

export const check = signal<AnalysisState<Check>>({ state: "waiting" })
export const comparison = signal<AnalysisState<Equivalence>>({ state: "waiting" })

const checked = (
  rules: AnyRules | undefined,
  policy: SplitPolicy | undefined,
  stop: AbortSignal,
): void => {
  if (rules === undefined || policy === undefined) {
    check.value = { state: "unreadable" }
    return
  }
  void ask(steps.check(rules, { policy, budget }), stop, (asked) => {
    check.value = asked
  })
}

const compared = (
  rules: AnyRules | undefined,
  before: AnyRules | undefined,
  policy: SplitPolicy | undefined,
  stop: AbortSignal,
): void => {
  if (rules === undefined || policy === undefined || before === undefined) {
    comparison.value = { state: "unreadable" }
    return
  }
  void ask(steps.equivalent(before, rules, { policy, budget }), stop, (asked) => {
    comparison.value = asked
  })
}

const rulesOf = (rules: ScenarioRules | undefined): AnyRules | undefined =>
  rules?.counted ?? rules?.plain

const run = (stop: AbortSignal): void => {
  const { groups, policy, other } = State.inputs.peek()
  const outcome = State.outcome.peek()
  const rules = rulesOf(
    Result.isSuccess(outcome) ? outcome.success.rules : readGroups(groups).value,
  )
  const chosen = readPolicy(policy).value?.policy
  checked(rules, chosen, stop)
  if (other !== null) compared(rules, rulesOf(readGroups(other).value), chosen, stop)
}

/** Asks again whenever groups or policy change and typing has stopped. */
export const watch = (): (() => void) => {
  let running = new AbortController()
  return effect(() => {
    // Read here, so that this runs again when they change; an order changes no answer.
    const { length } = State.groups.value
    void [State.policy.value, State.other.value]
    running.abort()
    const next = new AbortController()
    running = next
    const timer = setTimeout(() => run(next.signal), quietMilliseconds(length))
    return () => clearTimeout(timer)
  })
}
