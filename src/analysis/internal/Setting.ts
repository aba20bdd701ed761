import * as Result from "effect/Result"
import * as problems from "../../internal/problems.js"
import { expected as expectedSeconds, isSeconds } from "../../internal/seconds.js"
import { unknownFields } from "../../internal/unknownFields.js"
import type { Catalogue } from "../../matching/Catalogue.js"
import * as Percent from "../../money/Percent.js"
import type { Problem } from "../../Problem.js"
import * as SplitPolicy from "../../shares/SplitPolicy.js"
import { defaultBudget, InvalidOptions, type Options } from "../Options.js"

/** Checked options, every field present. */
export interface Setting {
  readonly policy: SplitPolicy.SplitPolicy
  readonly catalogue: Catalogue | undefined
  readonly from: number | undefined
  readonly mostDiscount: Percent.BasisPoints
  readonly budget: number
}

const names = ["policy", "catalogue", "from", "mostDiscount", "budget"]

const isCatalogue = (value: Catalogue): boolean =>
  typeof value === "object" && value !== null && Array.isArray(value.products)

const problemsIn = (options: Options): ReadonlyArray<Problem> => {
  const { catalogue, from, mostDiscount, budget } = options
  const found: Array<Problem> = [
    ...unknownFields(options, names, { isNone: "is no option; the options are" }),
  ]
  const report = (path: string, value: unknown, what: string) =>
    found.push({ path, value, message: `must be ${what}, got ${problems.show(value)}` })
  if (catalogue !== undefined && !isCatalogue(catalogue)) {
    report("catalogue", catalogue, "a catalogue, as Catalogue.make makes it")
  }
  if (from !== undefined && !isSeconds(from)) report("from", from, expectedSeconds)
  if (mostDiscount !== undefined && Result.isFailure(Percent.parse(mostDiscount))) {
    report("mostDiscount", mostDiscount, Percent.expected)
  }
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget > 0)) {
    report("budget", budget, "a whole number above 0")
  }
  return found
}

const policyProblems = (error: SplitPolicy.InvalidPolicy): ReadonlyArray<Problem> =>
  error.problems.map((problem) => ({
    ...problem,
    path: problem.path === "" ? "policy" : `policy.${problem.path}`,
  }))

/** Checks options and completes them; throws {@link InvalidOptions}. */
export const settingOf = (options: Options): Setting => {
  const policy = SplitPolicy.makeResult(options.policy)
  const found = [
    ...problemsIn(options),
    ...(Result.isFailure(policy) ? policyProblems(policy.failure) : []),
  ]
  if (Result.isFailure(policy) || found.length > 0) {
    throw new InvalidOptions({ problems: found, message: problems.summarize(found) })
  }
  return {
    policy: policy.success,
    catalogue: options.catalogue,
    from: options.from,
    mostDiscount: Result.getOrElse(Percent.parse(options.mostDiscount ?? 0), () => 0),
    budget: options.budget ?? defaultBudget,
  }
}
