import * as Result from "effect/Result"
import { unknownFields } from "../../internal/fieldNames.js"
import { listOf, objectOf, read } from "../../internal/fields.js"
import * as problems from "../../internal/problems.js"
import { expected as expectedSeconds, isSeconds } from "../../internal/seconds.js"
import { attempt } from "../../internal/TaggedError.js"
import * as Currency from "../../money/Currency.js"
import * as Percent from "../../money/Percent.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Catalogue } from "../../orders/Catalogue.js"
import { productShape } from "../../orders/internal/shapes.js"
import type { Problem } from "../../Problem.js"
import * as groupList from "../../rules/engine/versions.js"
import * as SplitPolicy from "../../shares/SplitPolicy.js"
import { plainOf } from "../CountedOrders.js"
import type { Steps } from "../Options.js"
import { type AnyRules, defaultBudget, InvalidOptions, type Options } from "../Options.js"
import type { Work } from "./Budget.js"
import type { ValueLimits } from "./Predicate.js"

/** Checked options, every field present. */
export interface ResolvedOptions {
  readonly policy: SplitPolicy.SplitPolicy
  readonly catalogue: Catalogue | undefined
  readonly from: number | undefined
  /** `undefined`: not given. */
  readonly mostDiscount: Percent.BasisPoints | undefined
  readonly mostTax: Percent.BasisPoints | undefined
  /** How many values an order can have of each attribute, where given. */
  readonly limits: ValueLimits
  readonly budget: number
}

const names = [
  "policy",
  "catalogue",
  "from",
  "mostDiscount",
  "mostTax",
  "idsOfProduct",
  "atMost",
  "budget",
]

const products = /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(productShape))

const isCatalogue = (value: Catalogue | null): boolean => Array.isArray(value?.products)

/** Each catalogue is checked once: its products are immutable. */
const checked = new WeakSet<Catalogue>()

/** How many products are checked without a pause. */
const productsOfTurn = 500

/** How many products a catalogue has; 0 for an invalid one. */
const countOf = (catalogue: Catalogue) =>
  problems.guarded(catalogue, () =>
    Result.succeed(isCatalogue(catalogue) ? catalogue.products.length : 0),
  )

/**
 * Checks the products of a given catalogue in batches; {@link settingOf} reports their problems.
 */
export function* readCatalogue(options: Options, work: Work): Steps<void> {
  const { catalogue } = options
  if (catalogue === undefined || checked.has(catalogue)) return
  const count = Result.getOrElse(countOf(catalogue), () => 0)
  work.begin("products", count)
  for (let from = 0; from < count; from += productsOfTurn) {
    const some = problems.guarded(catalogue, () =>
      read(catalogue.products.slice(from, from + productsOfTurn), products),
    )
    if (Result.isFailure(some)) return
    work.next(some.success.length)
    yield work.turn()
  }
  if (count > 0) checked.add(catalogue)
}

const productProblems = (catalogue: Catalogue): ReadonlyArray<Problem> => {
  if (checked.has(catalogue)) return []
  const found = read(catalogue.products, products)
  if (Result.isFailure(found)) {
    return found.failure.map(({ path, ...problem }) => ({
      ...problem,
      path: `catalogue.products${path}`,
    }))
  }
  checked.add(catalogue)
  return []
}

const catalogueProblems = (catalogue: Catalogue): ReadonlyArray<Problem> => {
  const report = (path: string, value: unknown, what: string): ReadonlyArray<Problem> => [
    { path, value, message: `must be ${what}, got ${problems.show(value)}` },
  ]
  if (!isCatalogue(catalogue)) {
    return report("catalogue", catalogue, "a catalogue, as Catalogue.make makes it")
  }
  const { currency } = catalogue
  if (currency !== undefined && !Currency.isCurrency(currency)) {
    return report("catalogue.currency", currency, "an ISO 4217 currency code in capital letters")
  }
  return productProblems(catalogue)
}

const isRecord = (options: unknown): boolean =>
  typeof options === "object" && options !== null && !Array.isArray(options)

const limitProblems = (atMost: Options["atMost"]): ReadonlyArray<Problem> => {
  if (atMost === undefined) return []
  const path = "atMost"
  if (!isRecord(atMost)) {
    const message = `must be an object with numbers by place, got ${problems.show(atMost)}`
    return [{ path, value: atMost, message }]
  }
  const wrong = Object.entries(atMost).filter(
    ([, most]) => most !== undefined && !(Number.isSafeInteger(most) && most > 0),
  )
  return [
    ...unknownFields(atMost, Attribute.unboundedAttributes, {
      isNone: "is no place that can be limited; the places are",
      place: path,
    }),
    ...wrong.map(([place, value]) => ({
      path: `${path}.${place}`,
      value,
      message: `must be a whole number above 0, got ${problems.show(value)}`,
    })),
  ]
}

const problemsIn = (options: Options): ReadonlyArray<Problem> => {
  const { catalogue, from, idsOfProduct, budget } = options
  const found: Array<Problem> = [
    ...unknownFields(options, names, { isNone: "is no option; the options are" }),
    ...limitProblems(options.atMost),
  ]
  const report = (path: string, value: unknown, what: string) =>
    found.push({ path, value, message: `must be ${what}, got ${problems.show(value)}` })
  if (catalogue !== undefined) found.push(...catalogueProblems(catalogue))
  if (from !== undefined && !isSeconds(from)) report("from", from, expectedSeconds)
  for (const name of ["mostDiscount", "mostTax"] as const) {
    const value = options[name]
    if (value !== undefined && Result.isFailure(Percent.parse(value))) {
      report(name, value, Percent.expected)
    }
  }
  if (idsOfProduct !== undefined && idsOfProduct !== 1 && idsOfProduct !== 2) {
    report("idsOfProduct", idsOfProduct, "1 or 2")
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

const invalid = (found: ReadonlyArray<Problem>): InvalidOptions =>
  new InvalidOptions({ problems: found, message: problems.summarize(found) })

/** The problems of rule sets that were not made by this library. */
const ruleProblems = (ruleSets: ReadonlyArray<AnyRules>): ReadonlyArray<Problem> =>
  ruleSets.flatMap((rules) =>
    Result.match(
      attempt([groupList.InvalidRuleSet], () => groupList.adopt(plainOf(rules))),
      {
        onFailure: ({ problems: found }) => found.map((each) => problems.within("rules", each)),
        onSuccess: () => [],
      },
    ),
  )

const pointsOf = (percent: string | number | undefined): Percent.BasisPoints | undefined =>
  percent === undefined ? undefined : Result.getOrThrow(Percent.parse(percent))

/**
 * A plain copy of the options, so that every read returns the same; throws {@link InvalidOptions}.
 */
export const plainOptions = <A extends Options>(options: A): A =>
  Result.getOrThrow(
    Result.mapError(
      problems.guarded(options, () => {
        if (isRecord(options)) return Result.succeed({ ...options })
        const message = `must be an object, got ${problems.show(options)}`
        return Result.fail([{ path: "", value: options, message }])
      }),
      invalid,
    ),
  )

/** Checks and completes options, and checks the rules; throws {@link InvalidOptions}. */
export const settingOf = (
  options: Options,
  ...ruleSets: ReadonlyArray<AnyRules>
): ResolvedOptions => {
  const policy = SplitPolicy.parse(options.policy)
  const found = [
    ...ruleProblems(ruleSets),
    ...problems.reading(options, () => problemsIn(options)),
    ...(Result.isFailure(policy) ? policyProblems(policy.failure) : []),
  ]
  if (Result.isFailure(policy) || found.length > 0) {
    throw invalid(found)
  }
  return {
    policy: policy.success,
    catalogue: options.catalogue,
    from: options.from,
    mostDiscount: pointsOf(options.mostDiscount),
    mostTax: pointsOf(options.mostTax),
    limits: { ...options.atMost, products: options.idsOfProduct },
    budget: options.budget ?? defaultBudget,
  }
}
