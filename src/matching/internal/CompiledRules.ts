import type { ConditionType, LinkType, ProductGroup } from "../../groups/ProductGroup.js"
import { linkTypes } from "../../groups/ProductGroup.js"
import { basisPointsOf } from "../../money/internal/basisPoints.js"
import * as text from "./text.js"

/** A condition in the form in which orders are asked; groups with the same condition share one. */
export interface CompiledCondition {
  /** Where its answer is kept while one order is looked at. */
  readonly slot: number
  readonly type: ConditionType
  readonly not: boolean
  readonly values: ReadonlySet<string>
}

/** A group with everything worked out that does not depend on the order. */
export interface CompiledGroup {
  readonly group: ProductGroup
  /** Place in the order of specificity, 0 for the most specific group of the rule set. */
  readonly rank: number
  readonly linkType: LinkType
  readonly linkNot: boolean
  readonly linkValues: ReadonlySet<string>
  readonly condition: CompiledCondition | null
  readonly deducting: boolean
  /** Hundredths of a percent; 0 for a group without a percentage. */
  readonly basisPoints: number
  readonly flat: number
  readonly shippingBasisPoints: number
  /** Flat amount for shipping, which only flat groups earn. */
  readonly shippingFlat: number
  /** Nothing in the group can ever pay anything. */
  readonly zero: boolean
}

/** The rule set by what its groups look for, each list in the order of specificity. */
export interface CompiledRules {
  readonly byRank: ReadonlyArray<CompiledGroup>
  readonly byProduct: ReadonlyMap<string, ReadonlyArray<CompiledGroup>>
  readonly byTag: ReadonlyMap<string, ReadonlyArray<CompiledGroup>>
  readonly byVendor: ReadonlyMap<string, ReadonlyArray<CompiledGroup>>
  /** Groups that must be asked about every item: all products, and links with NOT. */
  readonly always: ReadonlyArray<CompiledGroup>
  readonly conditionCount: number
}

/** Ids compare by their code units, so that no locale changes who comes first. */
export const compareIds = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0

/** More specific first: link, then condition, then the newer group, then the smaller id. */
const bySpecificity = (left: ProductGroup, right: ProductGroup): number => {
  const byLink = linkTypes.indexOf(left.link.type) - linkTypes.indexOf(right.link.type)
  if (byLink !== 0) return byLink
  const byCondition = Number(left.condition === null) - Number(right.condition === null)
  if (byCondition !== 0) return byCondition
  if (left.createdAt !== right.createdAt) {
    if (left.createdAt === null) return 1
    if (right.createdAt === null) return -1
    return left.createdAt > right.createdAt ? -1 : 1
  }
  return compareIds(left.id, right.id)
}

const linkValues = (group: ProductGroup): ReadonlySet<string> =>
  new Set(group.link.type === "products" ? group.link.values : group.link.values.map(text.fold))

/** Gives each distinct condition one compiled form. */
const makeConditions = () => {
  const known = new Map<string, CompiledCondition>()
  const compile = (condition: ProductGroup["condition"]): CompiledCondition | null => {
    if (condition === null) return null
    const fold = condition.type === "country.code" ? text.foldCountry : text.fold
    const values = [...new Set(condition.values.map(fold))].sort()
    const key = JSON.stringify([condition.type, condition.modifier, values])
    const found = known.get(key)
    if (found !== undefined) return found
    const made = {
      slot: known.size,
      type: condition.type,
      not: condition.modifier === "NOT",
      values: new Set(values),
    }
    known.set(key, made)
    return made
  }
  return { compile, count: () => known.size }
}

const compileGroup = (
  group: ProductGroup,
  rank: number,
  condition: CompiledCondition | null,
): CompiledGroup => {
  const percent = basisPointsOf(group.percent)
  const flat = group.amount ?? 0
  const shipping = basisPointsOf(group.shippingPercent ?? group.percent)
  const shippingFlat = group.shippingAmount ?? 0
  return {
    group,
    rank,
    linkType: group.link.type,
    linkNot: group.link.modifier === "NOT",
    linkValues: linkValues(group),
    condition,
    deducting: group.deductForOtherSplits && group.condition?.type === "referer",
    basisPoints: percent,
    flat,
    shippingBasisPoints: shipping,
    shippingFlat: group.amount === null ? 0 : shippingFlat,
    zero: percent === 0 && flat === 0 && shipping === 0 && shippingFlat === 0,
  }
}

const add = (
  index: Map<string, Array<CompiledGroup>>,
  keys: ReadonlySet<string>,
  group: CompiledGroup,
): void => {
  for (const key of keys) {
    const groups = index.get(key)
    if (groups === undefined) index.set(key, [group])
    else groups.push(group)
  }
}

/** Prepares groups for being asked about millions of items. */
export const compile = (groups: ReadonlyArray<ProductGroup>): CompiledRules => {
  const conditions = makeConditions()
  const byRank = [...groups]
    .sort(bySpecificity)
    .map((group, rank) => compileGroup(group, rank, conditions.compile(group.condition)))
  const byProduct = new Map<string, Array<CompiledGroup>>()
  const byTag = new Map<string, Array<CompiledGroup>>()
  const byVendor = new Map<string, Array<CompiledGroup>>()
  const always: Array<CompiledGroup> = []
  for (const group of byRank) {
    if (group.linkNot || group.linkType === "products.all") always.push(group)
    else if (group.linkType === "products") add(byProduct, group.linkValues, group)
    else if (group.linkType === "products.tag") add(byTag, group.linkValues, group)
    else add(byVendor, group.linkValues, group)
  }
  return { byRank, byProduct, byTag, byVendor, always, conditionCount: conditions.count() }
}

const compiled = /* @__PURE__ */ new WeakMap<object, CompiledRules>()

/** The compiled form of a rule set, made when it is first asked for. */
export const compiledOf = (rules: {
  readonly groups: ReadonlyArray<ProductGroup>
}): CompiledRules => {
  const known = compiled.get(rules)
  if (known !== undefined) return known
  const made = compile(rules.groups)
  compiled.set(rules, made)
  return made
}
