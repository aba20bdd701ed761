/** What the service asks of a group beyond the core: values wherever a link or a condition needs them. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as ProductGroup from "../../groups/ProductGroup.js"
import { show, summarize } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"

const fieldOf = (input: unknown, name: string): unknown =>
  Predicate.isObject(input) ? Reflect.get(input, name) : undefined

const blank = (path: string, value: string): ReadonlyArray<Problem> =>
  value.trim() === "" ? [{ path, value, message: "must not be blank" }] : []

const noCountry = (path: string, value: string): ReadonlyArray<Problem> => {
  const message = `must be a country code of two letters, as US, got ${show(value)}`
  return /^[A-Za-z]{2}$/.test(value.trim()) ? [] : [{ path, value, message }]
}

/** What the values of a link or a condition are checked for. */
interface ValueRules {
  readonly most: number
  readonly check: (path: string, value: string) => ReadonlyArray<Problem>
}

/** Problems of the values; those that are no texts are left to the core. */
const valueProblems = (
  path: string,
  values: unknown,
  { most, check }: ValueRules,
): ReadonlyArray<Problem> => {
  if (values === undefined || (Array.isArray(values) && values.length === 0)) {
    const given = values === undefined ? "nothing" : "an empty list"
    return [{ path, value: values, message: `must be a list of at least one value, got ${given}` }]
  }
  if (!Array.isArray(values)) return []
  if (values.length > most) {
    const message = `must be a list of at most ${most} values, got ${values.length}`
    return [{ path, value: values.length, message }]
  }
  return values.flatMap((value: unknown, index) =>
    Predicate.isString(value) ? check(`${path}[${index}]`, value) : [],
  )
}

const linkProblems = (link: unknown, most: number): ReadonlyArray<Problem> => {
  const needsValues = ProductGroup.linkTypes.some(
    (type) => type !== "products.all" && type === fieldOf(link, "type"),
  )
  return needsValues
    ? valueProblems("link.values", fieldOf(link, "values"), { most, check: blank })
    : []
}

const conditionProblems = (condition: unknown, most: number): ReadonlyArray<Problem> => {
  const type = ProductGroup.conditionTypes.find((each) => each === fieldOf(condition, "type"))
  if (type === undefined) return []
  const check = type === "country.code" ? noCountry : blank
  const values = fieldOf(condition, "values")
  const found = valueProblems("condition.values", values, { most, check })
  // The core says itself that a condition has no list of values at all.
  return values === undefined ? [] : found
}

/** A link to all products has no use for values. */
const withoutIdleValues = (group: ProductGroup.ProductGroup): ProductGroup.ProductGroup =>
  group.link.type === "products.all" ? { ...group, link: { ...group.link, values: [] } } : group

/** Checks a group as the service takes it; every problem is told at once. `most` values it may have. */
export const checkGroup = (
  input: Readonly<Record<string, unknown>>,
  most: number,
): Result.Result<ProductGroup.ProductGroup, ProductGroup.InvalidProductGroup> => {
  const made = ProductGroup.makeResult(input)
  const ofValues = [...linkProblems(input.link, most), ...conditionProblems(input.condition, most)]
  if (ofValues.length === 0) return Result.map(made, withoutIdleValues)
  const problems = [...(Result.isFailure(made) ? made.failure.problems : []), ...ofValues]
  const message = summarize(problems)
  return Result.fail(new ProductGroup.InvalidProductGroup({ problems, message }))
}

/** Whether two links are written the same; then they select the same products. */
export const isSameLink = (left: ProductGroup.Link, right: ProductGroup.Link): boolean =>
  left.type === right.type &&
  left.modifier === right.modifier &&
  left.values.length === right.values.length &&
  left.values.every((value, index) => value === right.values[index])
