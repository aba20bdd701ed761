/**
 * Runs analyses interleaved with other work, with progress and cancellation.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import * as problems from "../internal/problems.js"
import type { Catalogue } from "../orders/Catalogue.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import { askCheck, type Check, type CheckOptions } from "./Check.js"
import {
  type DeadGroups,
  deadGroupsIn,
  type RedundantGroups,
  redundantGroupsIn,
} from "./DeadGroups.js"
import { askImplies, type Equivalence, equivalentIn, type Implication } from "./Equivalence.js"
import { finish } from "./internal/Budget.js"
import { ask } from "./internal/Inquiry.js"
import type { Progress, Steps } from "./Options.js"
import { type AnyRules, InvalidOptions, type Options } from "./Options.js"
import { type OverAllocation, overAllocationIn } from "./OverAllocation.js"
import { allTogetherGroups, type Overlaps, overlapsIn } from "./Overlaps.js"
import { askUnpaidProducts, type UnpaidProducts } from "./UnpaidProducts.js"

/**
 * The analyses as generators: each takes the same arguments as its namesake, and gives the same answer. They are for
 * {@link inTurns}, or for your own loop.
 *
 * @since 0.6.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
 * ])
 * const steps = Analysis.steps.deadGroups(rules)
 * let next = steps.next()
 * while (next.done !== true) next = steps.next()
 * next.value // => { dead: [], undecided: [] }
 * ```
 */
export const steps = {
  check: (rules: AnyRules, options: CheckOptions = {}): Steps<Check> => askCheck(rules, options),
  deadGroups: (rules: AnyRules, options: Options = {}): Steps<DeadGroups> =>
    ask(deadGroupsIn, options, rules),
  equivalent: (one: AnyRules, other: AnyRules, options: Options = {}): Steps<Equivalence> =>
    ask(equivalentIn, options, one, other),
  implies: (one: ProductGroup, other: ProductGroup, options: Options = {}): Steps<Implication> =>
    askImplies(one, other, options),
  overAllocation: (rules: AnyRules, options: Options = {}): Steps<OverAllocation> =>
    ask(overAllocationIn, options, rules),
  overlaps: (rules: AnyRules, options: Options = {}): Steps<Overlaps> =>
    ask(overlapsIn, options, rules),
  redundantGroups: (rules: AnyRules, options: Options = {}): Steps<RedundantGroups> =>
    ask(redundantGroupsIn, options, rules),
  togetherGroups: (
    rules: AnyRules,
    options: Options = {},
  ): Steps<ReadonlyArray<ReadonlyArray<string>>> => ask(allTogetherGroups, options, rules),
  unpaidProducts: (
    rules: AnyRules,
    catalogue: Catalogue,
    options: Options = {},
  ): Steps<UnpaidProducts> => askUnpaidProducts(rules, catalogue, options),
}

/**
 * Runs an analysis without a pause, and returns {@link InvalidOptions} as a value where its namesake throws it.
 *
 * @since 0.6.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([])
 * Result.getOrThrow(Analysis.result(Analysis.steps.check(rules))).findings // => []
 * const refused = Analysis.result(Analysis.steps.check(rules, { budget: 0 }))
 * Result.isFailure(refused) && refused.failure.problems[0]?.path // => "budget"
 * ```
 */
export const result = <Answer>(analysis: Steps<Answer>): Result.Result<Answer, InvalidOptions> => {
  try {
    return Result.succeed(finish(analysis))
  } catch (error) {
    if (error instanceof InvalidOptions) return Result.fail(error)
    throw error
  }
}

/**
 * Cancels an analysis: an `AbortSignal`, for example.
 *
 * @since 0.6.0
 * @category models
 */
export interface Signal {
  readonly throwIfAborted: () => void
}

/**
 * How an analysis is interleaved with other work.
 *
 * @since 0.6.0
 * @category models
 */
export interface Turns {
  /**
   * Lets other work run, and resolves when the analysis may continue: in a new task of the event loop, as with
   * `setImmediate` of `node:timers/promises` or a browser's `scheduler.yield`. Awaiting a fulfilled promise would let
   * nothing else run. The core has no timers, so the host supplies this.
   */
  readonly pause: () => PromiseLike<unknown>
  /** Checked before each turn. When it throws, the promise rejects with that. */
  readonly signal?: Signal | undefined
  /** Called with the progress before each pause. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * Runs an analysis interleaved with other work. Between two pauses it takes about 25,000 steps, some hundredths of a
 * second; the answer is the same as without pauses. The promise rejects with {@link InvalidOptions}, which the analysis
 * would throw, or with what the signal throws.
 *
 * @since 0.6.0
 * @category analyses
 * @example
 * ```ts
 * import { setImmediate } from "node:timers/promises"
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
 * ])
 * const cancelled = new AbortController()
 * const { findings } = await Analysis.inTurns(Analysis.steps.check(rules), {
 *   pause: () => setImmediate(),
 *   signal: cancelled.signal,
 * })
 * findings // => []
 * ```
 */
export const inTurns = async <Answer>(analysis: Steps<Answer>, turns: Turns): Promise<Answer> => {
  const { pause, signal, onProgress } = turns ?? { pause: turns }
  if (typeof pause !== "function") {
    const message = `must be a function that lets other work go on, got ${problems.show(pause)}`
    throw new InvalidOptions({ problems: [{ path: "pause", value: pause, message }], message })
  }
  for (;;) {
    signal?.throwIfAborted()
    const next = analysis.next()
    if (next.done === true) return next.value
    onProgress?.(next.value)
    await pause()
  }
}
