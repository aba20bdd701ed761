/** Which groups differ between two rule sets, field by field. */

import { snakeCase } from "../../internal/names.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"

/** A field of a group that is not what it was. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A group that only one side has, or that has other fields. */
export interface GroupChange {
  readonly groupId: string
  readonly collaboratorId: string
  readonly kind: "added" | "removed" | "changed"
  readonly fields: ReadonlyArray<FieldChange>
}

const fieldChanges = (before: ProductGroup, after: ProductGroup): ReadonlyArray<FieldChange> => {
  const others = new Map<string, unknown>(Object.entries(after))
  return Object.entries(before).flatMap(([name, value]): ReadonlyArray<FieldChange> => {
    const other = others.get(name)
    if (JSON.stringify(value) === JSON.stringify(other)) return []
    return [{ field: snakeCase(name), before: value, after: other }]
  })
}

const changeOf = (
  group: ProductGroup,
  kind: GroupChange["kind"],
  fields: ReadonlyArray<FieldChange> = [],
): GroupChange => ({ groupId: group.id, collaboratorId: group.collaboratorId, kind, fields })

/** The changes from one rule set to another: those of groups that were there, then new groups. */
export const between = (one: RuleSet, other: RuleSet): ReadonlyArray<GroupChange> => {
  const [before, after] = [one, other].map(
    (rules) => new Map(rules.groups.map((group) => [group.id, group])),
  )
  const kept = one.groups.flatMap((group): ReadonlyArray<GroupChange> => {
    const next = after?.get(group.id)
    if (next === undefined) return [changeOf(group, "removed")]
    const fields = fieldChanges(group, next)
    return fields.length === 0 ? [] : [changeOf(next, "changed", fields)]
  })
  const added = other.groups.filter(({ id }) => before?.has(id) === false)
  return [...kept, ...added.map((group) => changeOf(group, "added"))]
}

const isAsked = (
  value: unknown,
): value is {
  readonly type: string
  readonly modifier: string
  readonly values: ReadonlyArray<string>
} => typeof value === "object" && value !== null && "values" in value

const mostValues = 20

const listOf = (values: ReadonlyArray<string>): string => {
  const shown = values.slice(0, mostValues).map((each) => JSON.stringify(each))
  const more = values.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** A field's value in a few words: `products.tag WITH "art"`. */
export const show = (value: unknown): string => {
  if (value === null) return "none"
  if (!isAsked(value)) return String(value)
  const { type, modifier, values } = value
  return [type, modifier, listOf(values)].join(" ").trimEnd()
}
