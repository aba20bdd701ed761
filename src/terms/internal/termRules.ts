import * as Result from "effect/Result"
import { addProblems, guarded, isFields, refusal, show, within } from "../../internal/problems.js"
import * as Percent from "../../money/Percent.js"
import type { Problem } from "../../Problem.js"
import type { GroupInput, ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import * as Terms from "../Terms.js"
import { type CountedTerms, countedTermsOf, type TermCounters } from "./termCounters.js"

/**
 * A product group with its terms, every field present. With tiers it has no percentage of its own, and earns shipping
 * only where it has a `shippingPercent`.
 *
 * @since 0.6.0
 * @category models
 */
export interface CountedGroup extends ProductGroup {
  readonly terms: Terms.GroupTerms | null
}

/**
 * A product group with terms as hosts write it.
 *
 * @since 0.6.0
 * @category models
 */
export interface CountedGroupInput extends GroupInput {
  readonly terms?: Terms.TermsInput | null | undefined
}

/**
 * A valid rule set with terms, made by {@link make}. It is none for `Split`, which would pay without them.
 *
 * @since 0.6.0
 * @category models
 */
export interface CountedRules {
  readonly counted: ReadonlyArray<CountedGroup>
}

const { InvalidRuleSet } = RuleSet

/** What is split with: rules as if each group earned its highest percentage, and what there is to count. */
interface Compiled {
  readonly rules: RuleSet.RuleSet
  readonly terms: CountedTerms
}

const compiled = /* @__PURE__ */ new WeakMap<object, Compiled>()

const countersOfGroup = /* @__PURE__ */ new WeakMap<ProductGroup, TermCounters>()

/** What a group of compiled rules counts; `undefined`: nothing. */
export const countersOf = (group: ProductGroup): TermCounters | undefined =>
  countersOfGroup.get(group)

const get = (value: unknown, name: string): unknown =>
  isFields(value) ? Reflect.get(value, name) : undefined

/** The terms of a group; `undefined`: it has none, or wrong ones. */
const termsIn = (
  group: unknown,
  place: number,
  found: Array<Problem>,
): Terms.GroupTerms | undefined => {
  const terms = get(group, "terms")
  if (terms == null) return undefined
  const parsed = Terms.parse(terms)
  if (Result.isFailure(parsed)) {
    addProblems(
      found,
      parsed.failure.problems.map((problem) => within(`[${place}].terms`, problem)),
    )
    return undefined
  }
  const percent = get(group, "percent")
  if (parsed.success.tiers !== null && percent != null) {
    const message = `must be absent in a group with tiers, whose bands have the percentages, got ${show(percent)}`
    addProblems(found, [{ path: `[${place}].percent`, value: percent, message }])
  }
  return parsed.success
}

/** The group as a rule set without terms has it. */
const plainOf = (group: unknown, terms: Terms.GroupTerms | undefined): unknown => {
  if (!isFields(group)) return group
  const { terms: given, ...plain } = group
  // Wrong terms have their own problems.
  if (terms === undefined) return given == null ? plain : { percent: "0", ...plain }
  if (terms.tiers === null) return plain
  const points = terms.tiers.bands.map(({ percent }) => Math.round(Number(percent) * 100))
  const percent = Percent.format(Math.max(...points))
  return { ...plain, percent, shippingPercent: plain["shippingPercent"] ?? "0.00" }
}

const told = (
  group: ProductGroup,
  given: unknown,
  terms: Terms.GroupTerms | undefined,
): CountedGroup => {
  const own =
    terms?.tiers == null
      ? {}
      : { percent: null, ...(get(given, "shippingPercent") == null && { shippingPercent: null }) }
  return Object.freeze({ ...group, ...own, terms: terms ?? null })
}

/** Groups with their terms, checked. */
interface CheckedGroups {
  readonly rules: RuleSet.RuleSet
  readonly counted: ReadonlyArray<CountedGroup>
  readonly terms: ReadonlyArray<Terms.GroupTerms | undefined>
}

const check = (input: unknown): Result.Result<CheckedGroups, ReadonlyArray<Problem>> =>
  guarded(input, () => {
    // Going through a list with holes could take for ever.
    if (!Array.isArray(input) || Object.keys(input).length !== input.length) {
      const message = `must be a list of groups, without holes, got ${show(input)}`
      return Result.fail([{ path: "", value: input, message }])
    }
    const given: ReadonlyArray<unknown> = input
    const found: Array<Problem> = []
    const terms = given.map((group, place) => termsIn(group, place, found))
    const rules = RuleSet.parse(given.map((group, place) => plainOf(group, terms[place])))
    if (Result.isFailure(rules)) addProblems(found, rules.failure.problems)
    if (Result.isFailure(rules) || found.length > 0) return Result.fail(found)
    const { groups } = rules.success
    const counted = groups.map((group, place) => told(group, given[place], terms[place]))
    return Result.succeed({ rules: rules.success, counted, terms })
  })

/** Checks groups with terms and compiles them; throws {@link InvalidRuleSet}. */
export const made = (input: unknown): CountedRules => {
  const checked = check(input)
  if (Result.isFailure(checked)) throw refusal(InvalidRuleSet)(checked.failure)
  const { rules, counted, terms } = checked.success
  const termed = rules.groups.flatMap((group, place) => {
    const own = terms[place]
    return own === undefined ? [] : [[group, own] as const]
  })
  const set = Object.freeze({ counted: Object.freeze(counted) })
  const termsOfSet = countedTermsOf(termed)
  for (const [group, counters] of termsOfSet) countersOfGroup.set(group, counters)
  compiled.set(set, { rules, terms: termsOfSet })
  return set
}

const countedIn = (rules: unknown): unknown => {
  try {
    return get(rules, "counted")
  } catch {
    // Reading it says that it throws.
    return rules
  }
}

/**
 * What rules are split with. Rules that were not made by {@link made}, as a copy, are made again.
 */
export const compiledOf = (rules: CountedRules): Compiled => {
  const known = compiled.get(rules)
  if (known !== undefined) return known
  const again = compiled.get(made(countedIn(rules)))
  if (again === undefined) throw new TypeError("rules without a compiled form")
  compiled.set(rules, again)
  return again
}
