/**
 * Rule sets that came from one another, with one index between them.
 *
 * The index belongs to the version that was asked last. Each other version knows one step towards it: which
 * group stands there in the place of which. Whoever is asked goes back those steps, so a new version costs
 * what its change costs, an old one still answers, and no version can see what was done to another.
 */
import type { ProductGroup } from "../../groups/ProductGroup.js"
import { RuleIndex } from "./RuleIndex.js"

interface Rules {
  readonly groups: ReadonlyArray<ProductGroup>
}

/** One group in the place of another; either may be missing. */
interface Change {
  readonly before: ProductGroup | undefined
  readonly after: ProductGroup | undefined
}

/** The way to the index: it is at this version, or so many changes away. */
type Way = { readonly index: Shared } | { readonly next: Version; readonly change: Change }

/** An index, and how many steps it was moved since it was made. */
interface Shared {
  readonly index: RuleIndex
  steps: number
  /** How many changes were made since a version was last left without a way. */
  changes: number
}

interface Version {
  way: Way | undefined
  groups: ReadonlyArray<ProductGroup> | undefined
  /** What this version was made of, until its list of groups is asked for. */
  origin:
    | { readonly version: Version; readonly change: Change; readonly distance: number }
    | undefined
}

const versions = /* @__PURE__ */ new WeakMap<Rules, Version>()

const versionOf = (rules: Rules): Version => {
  const known = versions.get(rules)
  if (known !== undefined) return known
  const made: Version = { way: undefined, groups: rules.groups, origin: undefined }
  versions.set(rules, made)
  return made
}

/** The list with the changes made in it: a replaced group keeps its place, a new one comes last. */
const changed = (
  groups: ReadonlyArray<ProductGroup>,
  changes: ReadonlyArray<Change>,
): ReadonlyArray<ProductGroup> => {
  const byId = new Map(groups.map((group) => [group.id, group]))
  for (const { before, after } of changes) {
    if (after !== undefined) byId.set(after.id, after)
    else if (before !== undefined) byId.delete(before.id)
  }
  return [...byId.values()]
}

/** The groups of a version, in the order in which they came. */
const groupsOf = (version: Version): ReadonlyArray<ProductGroup> => {
  const changes: Array<Change> = []
  let at = version
  while (at.groups === undefined && at.origin !== undefined) {
    changes.push(at.origin.change)
    at = at.origin.version
  }
  version.groups ??= changed(at.groups ?? [], changes.reverse())
  version.origin = undefined
  return version.groups
}

const make = (version: Version): Shared => {
  const shared = { index: new RuleIndex(groupsOf(version)), steps: 0, changes: 0 }
  version.way = { index: shared }
  return shared
}

/** Moves the index along a way to its beginning, and turns the way round. */
const bringBack = (way: ReadonlyArray<Version>, shared: Shared): void => {
  for (const version of way.toReversed()) {
    const { way: step } = version
    if (step === undefined || !("next" in step)) continue
    const { before, after } = step.change
    shared.index.change(after, before)
    step.next.way = { next: version, change: { before: after, after: before } }
    version.way = { index: shared }
  }
  shared.steps += way.length
}

/** A step takes about as long as making so many groups' part of an index. */
const costOfStep = 8

/** The index, moved to a version. */
const reach = (version: Version): Shared => {
  const way: Array<Version> = []
  let at = version
  while (at.way !== undefined && "next" in at.way) {
    way.push(at)
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
export const change = (rules: Rules, { before, after }: Change): Rules => {
  const old = versionOf(rules)
  const shared = reach(old)
  // Of the given version, for it may be changed in many ways: then each of them finds the list.
  if ((old.origin?.distance ?? 0) >= mostDistance(shared.index)) groupsOf(old)
  const distance = (old.origin?.distance ?? 0) + 1
  const made: Version = {
    way: { index: shared },
    groups: undefined,
    origin: { version: old, change: { before, after }, distance },
  }
  shared.index.change(before, after)
  old.way = { next: made, change: { before, after } }
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
