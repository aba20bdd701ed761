import * as problems from "../../internal/problems.js"
import { repeats } from "../../internal/problems.js"
import { sameData } from "../../internal/sameData.js"
import { TaggedError } from "../../internal/TaggedError.js"
import type { Problem } from "../../Problem.js"
import * as ProductGroup from "../ProductGroup.js"
import { RuleIndex } from "./RuleIndex.js"

// Lists of groups from any source: their problems, and which of them can be used as a rule set unchanged.

type GroupList = ReadonlyArray<ProductGroup.ProductGroup>

/**
 * Groups that can't be one rule set, with all their problems; paths start with the group's index in the list, such as
 * `[3].percent`.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidRuleSet extends TaggedError("InvalidRuleSet")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const invalid = problems.refusal(InvalidRuleSet)

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

/** The fields of a group that differ from what `RuleSet.make` would make of them. */
const changesOf = (input: unknown, made: ProductGroup.ProductGroup): ReadonlyArray<Problem> =>
  problems.reading(input, () =>
    Object.entries(made).flatMap(([path, value]) => {
      const found: unknown = Reflect.get(Object(input), path)
      if (sameData(found, value)) return []
      const message =
        found === undefined
          ? "is missing; a rule set must have complete groups, as RuleSet.make returns them"
          : `must be ${problems.show(value)}, as RuleSet.make makes it, got ${problems.show(found)}`
      return [{ path, value: found, message }]
    }),
  )

const groupOrError = (
  input: ProductGroup.GroupInput,
): ProductGroup.ProductGroup | ProductGroup.InvalidProductGroup => {
  try {
    return ProductGroup.make(input)
  } catch (error) {
    if (error instanceof ProductGroup.InvalidProductGroup) return error
    throw error
  }
}

/** Groups that were read; of no use with any problems. */
interface GroupReading {
  readonly made: GroupList
  readonly problems: ReadonlyArray<Problem>
}

/** Reads groups; `asMade`: as in a rule set, where nothing is left out or spelt differently. */
const read = (groups: ReadonlyArray<ProductGroup.GroupInput>, asMade: boolean): GroupReading => {
  const made: Array<ProductGroup.ProductGroup> = []
  const found: Array<Problem> = []
  const ids: Array<unknown> = []
  for (let place = 0; place < groups.length && found.length < problems.mostProblems; place += 1) {
    const input: ProductGroup.GroupInput = Reflect.get(groups, place)
    const group = groupOrError(input)
    const isWrong = group instanceof ProductGroup.InvalidProductGroup
    const wrong = isWrong
      ? group.problems
      : asMade && group !== input
        ? changesOf(input, group)
        : []
    problems.addProblems(
      found,
      wrong.map((problem) => problems.within(`[${place}]`, problem)),
    )
    if (!isWrong) made.push(group)
    ids.push(isWrong ? idOf(input) : group.id)
  }
  problems.addProblems(found, duplicates(ids))
  return { made, problems: found }
}

/** The groups that are read of a value; throws their problems. */
const groupsOrThrow = (value: unknown, readGroups: (value: unknown) => GroupReading): GroupList => {
  let groups: GroupList = []
  const found = problems.reading(value, () => {
    const { made, problems } = readGroups(value)
    groups = made
    return problems
  })
  if (found.length > 0) throw invalid(found)
  return groups
}

/** Makes groups of what hosts write, and throws {@link InvalidRuleSet}. */
export const listGroups = (input: unknown): GroupList =>
  groupsOrThrow(input, () => {
    if (Array.isArray(input)) return read(input, false)
    const message = `must be a list of groups, got ${problems.show(input)}`
    return { made: [], problems: [{ path: "", value: input, message }] }
  })

const groupsIn = (rules: unknown): GroupReading => {
  const groups: unknown =
    typeof rules === "object" && rules !== null ? Reflect.get(rules, "groups") : undefined
  if (Array.isArray(groups)) return read(groups, true)
  // A list of groups is not a rule set; this mistake is easily made without a type checker.
  const message = `a rule set is made of groups by RuleSet.make, got ${problems.show(rules)}`
  return { made: [], problems: [{ path: "groups", value: rules, message }] }
}

/**
 * The groups of a rule set that was not made here, such as one read from a storage. Groups that were not made here
 * either are made again, so that later changes of the given objects have no effect. Throws {@link InvalidRuleSet}.
 */
export const adopt = (rules: unknown): GroupList => groupsOrThrow(rules, groupsIn)

// Rule sets derived from one another share one index.
//
// The index belongs to the version that was used last. Each other version knows one step towards it: which group
// replaces which. A version that is used follows these steps, so a new version costs as much as its change, an old one
// still works, and no version is affected by changes of another.

interface Rules {
  readonly groups: ReadonlyArray<ProductGroup.ProductGroup>
}

/** The replacement of a group by another with the same id; either may be missing. */
interface GroupChange {
  readonly id: string
  readonly before: ProductGroup.ProductGroup | undefined
  readonly after: ProductGroup.ProductGroup | undefined
}

/** The path to the index: it is at this version, or some steps away. */
type IndexWay = { readonly index: SharedIndex } | VersionStep

interface VersionStep {
  readonly next: Version
  readonly change: GroupChange
}

/** A step that leads away from a version. */
interface Taken {
  readonly version: Version
  readonly step: VersionStep
}

/** An index, and the number of steps it was moved since it was made. */
interface SharedIndex {
  readonly index: RuleIndex
  steps: number
  /** The number of changes since a version was last detached. */
  changes: number
}

/** What a version was made of, until its list of groups is asked for. */
interface Origin {
  readonly version: Version
  readonly change: GroupChange
  readonly distance: number
}

interface Version {
  way: IndexWay | undefined
  content: Rules | Origin
}

const versions = /* @__PURE__ */ new WeakMap<Rules, Version>()

/** The version of a rule set; an unknown one is checked, because it may have been put together by hand. */
const versionOf = (rules: Rules): Version => {
  const known = versions.get(rules)
  if (known !== undefined) return known
  const groups = adopt(rules)
  const made: Version = { way: undefined, content: { groups } }
  versions.set(rules, made)
  return made
}

/** The list with the changes made in it: a replaced group keeps its place, a new one comes last. */
const changed = (
  groups: ReadonlyArray<ProductGroup.ProductGroup>,
  changes: ReadonlyArray<GroupChange>,
): ReadonlyArray<ProductGroup.ProductGroup> => {
  const byId = new Map(groups.map((group) => [group.id, group]))
  for (const { id, after } of changes) {
    if (after === undefined) byId.delete(id)
    else byId.set(id, after)
  }
  return [...byId.values()]
}

/** The groups of a version, in the order in which they came. */
const groupsOf = (version: Version): ReadonlyArray<ProductGroup.ProductGroup> => {
  if ("groups" in version.content) return version.content.groups
  const changes: Array<GroupChange> = []
  let content: Rules | Origin = version.content
  while ("change" in content) {
    changes.push(content.change)
    content = content.version.content
  }
  const groups = changed(content.groups, changes.reverse())
  version.content = { groups }
  return groups
}

/** How many changes ago there was a list of groups. */
const distanceOf = ({ content }: Version): number => ("change" in content ? content.distance : 0)

const make = (version: Version): SharedIndex => {
  const shared = { index: new RuleIndex(groupsOf(version)), steps: 0, changes: 0 }
  version.way = { index: shared }
  return shared
}

/** Moves the index along a path to its beginning, and reverses the path. */
const bringBack = (way: ReadonlyArray<Taken>, shared: SharedIndex): void => {
  for (const { version, step } of way.toReversed()) {
    const { id, before, after } = step.change
    const change = { id, before: after, after: before }
    shared.index.change(change.before, change.after)
    step.next.way = { next: version, change }
    version.way = { index: shared }
  }
  shared.steps += way.length
}

/** A step takes about as long as indexing this many groups. */
const costOfStep = 8

/** The index, moved to a version. */
const reach = (version: Version): SharedIndex => {
  const way: Array<Taken> = []
  let at = version
  while (at.way !== undefined && "next" in at.way) {
    way.push({ version: at, step: at.way })
    at = at.way.next
  }
  const shared = at.way?.index ?? make(at)
  if (way.length === 0) return shared
  // Two versions that are used alternately and are far apart are faster with an index each.
  if ((shared.steps + way.length) * costOfStep > shared.index.size) {
    shared.steps = 0
    return make(version)
  }
  bringBack(way, shared)
  return shared
}

/** The index of a rule set, made when it is first asked for. */
export const indexOf = (rules: Rules): RuleIndex => reach(versionOf(rules)).index

/** The list of groups is made when this many changes have accumulated, a fraction of all groups. */
const mostDistance = (index: RuleIndex): number => Math.max(64, index.size >> 3)

/**
 * From time to time a version is detached, and makes its own index when it is used: otherwise the first of a million
 * versions would keep all later ones in memory.
 */
const leave = (version: Version, shared: SharedIndex): void => {
  shared.changes += 1
  if (shared.changes <= Math.max(64, shared.index.size)) return
  groupsOf(version)
  version.way = undefined
  shared.changes = 0
}

/** The rule set with one group replaced by another. */
export const change = (rules: Rules, step: GroupChange): Rules => {
  const old = versionOf(rules)
  const shared = reach(old)
  // On the given version, because it may be changed in many ways, each of which then finds the list.
  if (distanceOf(old) >= mostDistance(shared.index)) groupsOf(old)
  const made: Version = {
    way: { index: shared },
    content: { version: old, change: step, distance: distanceOf(old) + 1 },
  }
  shared.index.change(step.before, step.after)
  old.way = { next: made, change: step }
  leave(old, shared)
  const changedRules = {
    /** An own field for copies and serialisation; it is made when it is read. */
    get groups() {
      return groupsOf(made)
    },
  }
  versions.set(changedRules, made)
  return changedRules
}
