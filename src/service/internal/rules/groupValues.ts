/** What the services require of a group beyond the core: values wherever a link or a condition needs them. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { refusal, show } from "../../../internal/problems.js"
import * as Attribute from "../../../orders/Attribute.js"
import type { Problem } from "../../../Problem.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import * as ProductGroup from "../../../rules/ProductGroup.js"
import { longIds } from "../longIds.js"
import { countedRulesOf, groupsOf } from "./saleRules.js"

const fieldOf = (input: unknown, name: string): unknown =>
  Predicate.isObject(input) ? Reflect.get(input, name) : undefined

/** The rules for the values of a link or a condition. */
interface ValueRules {
  readonly most: number
  readonly attribute: Attribute.Attribute
}

const problemsOf = (
  attribute: Attribute.Attribute,
  path: string,
  value: string,
): ReadonlyArray<Problem> => {
  if (Attribute.isAskable(attribute, value)) return []
  const expected = Attribute.expectedOf(attribute)
  const message =
    expected === undefined ? "must not be blank" : `must be ${expected}, got ${show(value)}`
  return [{ path, value, message }]
}

/** Problems of the values; the core reports values that are not texts. */
const valueProblems = (
  path: string,
  values: unknown,
  { most, attribute }: ValueRules,
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
    Predicate.isString(value) ? problemsOf(attribute, `${path}[${index}]`, value) : [],
  )
}

const linkProblems = (link: unknown, most: number): ReadonlyArray<Problem> => {
  const attribute = Attribute.productAttributes.find((each) => each === fieldOf(link, "type"))
  return attribute === undefined
    ? []
    : valueProblems("link.values", fieldOf(link, "values"), { most, attribute })
}

const conditionProblems = (condition: unknown, most: number): ReadonlyArray<Problem> => {
  const attribute = Attribute.orderAttributes.find((each) => each === fieldOf(condition, "type"))
  if (attribute === undefined) return []
  const values = fieldOf(condition, "values")
  const found = valueProblems("condition.values", values, { most, attribute })
  // The core reports a condition without a list of values.
  return values === undefined ? [] : found
}

/** A link to all products has no use for values. */
const withoutIdleValues = (group: AccountGroup): AccountGroup =>
  group.link.type === "products.all" ? { ...group, link: { ...group.link, values: [] } } : group

/** A group with terms, whose problems are not those of a list. */
const parseCounted = (
  input: Readonly<Record<string, unknown>>,
): Result.Result<AccountGroup, ProductGroup.InvalidProductGroup> => {
  const rules = countedRulesOf([input])
  if (Result.isSuccess(rules)) {
    const [group] = groupsOf(rules.success)
    if (group !== undefined) return Result.succeed(group)
  }
  const found = Result.isFailure(rules) ? rules.failure.problems : []
  const problems = found.map((problem) => ({
    ...problem,
    path: problem.path.replace(/^\[0\]\.?/u, ""),
  }))
  return Result.fail(refusal(ProductGroup.InvalidProductGroup)(problems))
}

const parse = ({
  terms,
  ...input
}: Readonly<Record<string, unknown>>): Result.Result<
  AccountGroup,
  ProductGroup.InvalidProductGroup
> => (terms == null ? ProductGroup.parse(input) : parseCounted({ ...input, terms }))

const idProblems = ({ id }: Readonly<Record<string, unknown>>): ReadonlyArray<Problem> =>
  Predicate.isString(id) ? longIds([["id", id]]) : []

/** Checks a group by the rules of the service and reports all problems at once. `most`: how many values it may have. */
export const checkGroup = (
  input: Readonly<Record<string, unknown>>,
  most: number,
): Result.Result<AccountGroup, ProductGroup.InvalidProductGroup> => {
  const made = parse(input)
  const own = [
    ...idProblems(input),
    ...linkProblems(input.link, most),
    ...conditionProblems(input.condition, most),
  ]
  if (own.length === 0) return Result.map(made, withoutIdleValues)
  const problems = [...(Result.isFailure(made) ? made.failure.problems : []), ...own]
  return Result.fail(refusal(ProductGroup.InvalidProductGroup)(problems))
}
