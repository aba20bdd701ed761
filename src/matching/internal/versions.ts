/**
 * Rule sets that came from one another, with one index between them.
 *
 * The index belongs to the version that was asked last. Each other version knows one step towards it: which
 * group stands there in the place of which. Whoever is asked goes back those steps, so a new version costs
 * what its change costs, an old one still answers, and no version can see what was done to another.
 */
import * as Result from "effect/Result"
import type { ProductGroup } from "../../groups/ProductGroup.js"
import * as groupList from "./groupList.js"
import { RuleIndex } from "./RuleIndex.js"

interface Rules {
  readonly groups: ReadonlyArray<ProductGroup>
}

/** One group in the place of another with the same id; either may be missing. */
interface Change {
  readonly id: string
  readonly before: ProductGroup | undefined
  readonly after: ProductGroup | undefined
}

/** The way to the index: it is at this version, or so many changes away. */
type Way = { readonly index: Shared } | Step

interface Step {
  readonly next: Version
  readonly change: Change
}

/** A step that leads away from a version. */
interface Taken {
  readonly version: Version
  readonly step: Step
}

/** An index, and how many steps it was moved since it was made. */
interface Shared {
  readonly index: RuleIndex
  steps: number
  /** How many changes were made since a version was last left without a way. */
  changes: number
}

/** What a version was made of, until its list of groups is asked for. */
interface Origin {
  readonly version: Version
  readonly change: Change
  readonly distance: number
}

interface Version {
  way: Way | undefined
  content: Rules | Origin
}

const versions = /* @__PURE__ */ new WeakMap<Rules, Version>()

/** The version that a rule set is; one that is asked for the first time is checked, for it may have been forged. */
const versionOf = (rules: Rules): Version => {
  const known = versions.get(rules)
  if (known !== undefined) return known
  const groups = Result.getOrThrow(groupList.adopt(rules))
  const made: Version = { way: undefined, content: { groups } }
  versions.set(rules, made)
  return made
}

/** The list with the changes made in it: a replaced group keeps its place, a new one comes last. */
const changed = (
  groups: ReadonlyArray<ProductGroup>,
  changes: ReadonlyArray<Change>,
): ReadonlyArray<ProductGroup> => {
  const byId = new Map(groups.map((group) => [group.id, group]))
  for (const { id, after } of changes) {
    if (after === undefined) byId.delete(id)
    else byId.set(id, after)
  }
  return [...byId.values()]
}

/** The groups of a version, in the order in which they came. */
const groupsOf = (version: Version): ReadonlyArray<ProductGroup> => {
  if ("groups" in version.content) return version.content.groups
  const changes: Array<Change> = []
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

const make = (version: Version): Shared => {
  const shared = { index: new RuleIndex(groupsOf(version)), steps: 0, changes: 0 }
  version.way = { index: shared }
  return shared
}

/** Moves the index along a way to its beginning, and turns the way round. */
const bringBack = (way: ReadonlyArray<Taken>, shared: Shared): void => {
  for (const { version, step } of way.toReversed()) {
    const { id, before, after } = step.change
    const change = { id, before: after, after: before }
    shared.index.change(change.before, change.after)
    step.next.way = { next: version, change }
    version.way = { index: shared }
  }
  shared.steps += way.length
}

/** A step takes about as long as making so many groups' part of an index. */
const costOfStep = 8

/** The index, moved to a version. */
const reach = (version: Version): Shared => {
  const way: Array<Taken> = []
  let at = version
  while (at.way !== undefined && "next" in at.way) {
    way.push({ version: at, step: at.way })
    at = at.way.next
  }
  const shared = at.way?.index ?? make(at)
  if (way.length === 0) return shared
  // Two versions that are asked in turn and lie far apart are better off with an index each.
  if ((shared.steps + way.length) * costOfStep > shared.index.size) {
    shared.steps = 0
    return make(version)
  }
  bringBack(way, shared)
  return shared
}

/** The index of a rule set, made when it is first asked for. */
export const indexOf = (rules: Rules): RuleIndex => reach(versionOf(rules)).index

/** A list of groups is made at the latest when so many changes have piled up, for a part of all groups. */
const mostDistance = (index: RuleIndex): number => Math.max(64, index.size >> 3)

/**
 * Now and then a version is left without a way, and makes an index of its own when it is asked: else the
 * first of a million versions would hold all that came after it.
 */
const leave = (version: Version, shared: Shared): void => {
  shared.changes += 1
  if (shared.changes <= Math.max(64, shared.index.size)) return
  groupsOf(version)
  version.way = undefined
  shared.changes = 0
}

/** The rule set with one group in the place of another. */
export const change = (rules: Rules, step: Change): Rules => {
  const old = versionOf(rules)
  const shared = reach(old)
  // Of the given version, for it may be changed in many ways: then each of them finds the list.
  if (distanceOf(old) >= mostDistance(shared.index)) groupsOf(old)
  const made: Version = {
    way: { index: shared },
    content: { version: old, change: step, distance: distanceOf(old) + 1 },
  }
  shared.index.change(step.before, step.after)
  old.way = { next: made, change: step }
  leave(old, shared)
  const changedRules = {
    /** An own field to whoever copies or writes the rule set; it is made when it is read. */
    get groups() {
      return groupsOf(made)
    },
  }
  versions.set(changedRules, made)
  return changedRules
}
