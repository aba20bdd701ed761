/** Lists of groups from anywhere: what is wrong with them, and which of them can be a rule set as they are. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ProductGroup from "../../groups/ProductGroup.js"
import * as problems from "../../internal/problems.js"
import { repeats } from "../../internal/repeats.js"
import { sameData } from "../../internal/sameData.js"
import { Problem } from "../../Problem.js"

type Groups = ReadonlyArray<ProductGroup.ProductGroup>

/**
 * Groups that can't be one rule set, with every problem in all of them; paths start with the group's
 * place in the list, as `[3].percent`.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidRuleSet extends Schema.TaggedError<InvalidRuleSet>()("InvalidRuleSet", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

const invalid = (found: ReadonlyArray<Problem>): InvalidRuleSet =>
  new InvalidRuleSet({ problems: found, message: problems.summarize(found) })

const idOf = (group: unknown): unknown => {
  let id: unknown
  problems.reading(group, () => {
    id = typeof group === "object" && group !== null ? Reflect.get(group, "id") : undefined
    return []
  })
  return id
}

const duplicates = (ids: ReadonlyArray<unknown>): ReadonlyArray<Problem> =>
  repeats(ids)
    .filter(({ value }) => typeof value === "string")
    .slice(0, problems.mostProblems)
    .map(({ value, index, first }) => ({
      path: `[${index}].id`,
      value,
      message: `must be unique, group [${first}] has the id ${problems.show(value)} too`,
    }))

/** Where a value of a rule set is not as it was made, though it could be made one. */
const changesOf = (input: unknown, made: ProductGroup.ProductGroup): ReadonlyArray<Problem> =>
  problems.reading(input, () =>
    Object.entries(made).flatMap(([path, value]) => {
      const found: unknown = Reflect.get(Object(input), path)
      if (sameData(found, value)) return []
      const message =
        found === undefined
          ? "is missing; a rule set holds whole groups, as RuleSet.make makes them"
          : `must be ${problems.show(value)}, as RuleSet.make makes it, got ${problems.show(found)}`
      return [{ path, value: found, message }]
    }),
  )

/** Reads groups; `asMade`: as they stand in a rule set, where nothing is left out or spelt otherwise. */
const read = (
  groups: ReadonlyArray<unknown>,
  asMade: boolean,
): Result.Result<Groups, ReadonlyArray<Problem>> => {
  const made: Array<ProductGroup.ProductGroup> = []
  const found: Array<Problem> = []
  const ids: Array<unknown> = []
  for (let place = 0; place < groups.length && found.length < problems.mostProblems; place += 1) {
    const input = groups[place]
    const group = ProductGroup.makeResult(input)
    const wrong = Result.isFailure(group)
      ? group.failure.problems
      : asMade && group.success !== input
        ? changesOf(input, group.success)
        : []
    problems.addProblems(
      found,
      wrong.map((problem) => problems.within(`[${place}]`, problem)),
    )
    if (Result.isSuccess(group)) made.push(group.success)
    ids.push(Result.isSuccess(group) ? group.success.id : idOf(input))
  }
  problems.addProblems(found, duplicates(ids))
  return found.length === 0 ? Result.succeed(made) : Result.fail(found)
}

/** Makes groups of what hosts write. */
export const make = (input: unknown): Result.Result<Groups, InvalidRuleSet> => {
  const message = "must be a list of groups, got "
  const made = problems.guarded(input, () =>
    Array.isArray(input)
      ? read(input, false)
      : Result.fail([{ path: "", value: input, message: message + problems.show(input) }]),
  )
  return Result.mapError(made, invalid)
}

const groupsIn = (rules: unknown): Result.Result<Groups, ReadonlyArray<Problem>> => {
  const groups: unknown =
    typeof rules === "object" && rules !== null ? Reflect.get(rules, "groups") : undefined
  if (Array.isArray(groups)) return read(groups, true)
  // A list of groups is no rule set yet; the mistake is made easily where no compiler looks.
  const message = `a rule set is made of groups by RuleSet.make, got ${problems.show(rules)}`
  return Result.fail([{ path: "groups", value: rules, message }])
}

/**
 * The groups of a rule set that was not made here: one that comes back from a storage, say. They are made anew where
 * they were not made here either, so that nothing that is changed in them later is seen.
 */
export const adopt = (rules: unknown): Result.Result<Groups, InvalidRuleSet> =>
  Result.mapError(
    problems.guarded(rules, () => groupsIn(rules)),
    invalid,
  )
