import type { ProductGroup } from "../../groups/ProductGroup.js"
import { basisPointsOf } from "../../money/internal/basisPoints.js"
import type { CompiledCondition } from "./Conditions.js"

/** Whose groups compete. Only one line is looked at at a time, so the best group of it is noted here. */
export interface CompiledCollaborator {
  /** How many groups of the rule set are theirs. */
  groupCount: number
  /** Number of the line for which `best` was found. */
  line: number
  best: CompiledGroup | null
}

/**
 * A group with everything worked out that does not depend on the order. There may be a hundred thousand,
 * so what is seldom needed is not here.
 */
export interface CompiledGroup {
  readonly group: ProductGroup
  /** Orders the groups of a rule set: the most specific one has the lowest. Changes when others come. */
  rank: number
  readonly condition: CompiledCondition | null
  readonly collaborator: CompiledCollaborator
  /** Hundredths of a percent; 0 for a group without a percentage. */
  readonly basisPoints: number
  readonly shippingBasisPoints: number
  readonly isDated: boolean
  readonly deducting: boolean
  /** Nothing in the group can ever pay anything. */
  readonly zero: boolean
}

/** Flat amount of the group, 0 without one. */
export const flatOf = ({ group }: CompiledGroup): number => group.amount ?? 0

/** Flat amount for shipping, which only flat groups earn. */
export const shippingFlatOf = ({ group }: CompiledGroup): number =>
  group.amount === null ? 0 : (group.shippingAmount ?? 0)

const isZero = (group: ProductGroup, basisPoints: number, shippingBasisPoints: number): boolean =>
  basisPoints === 0 &&
  shippingBasisPoints === 0 &&
  (group.amount ?? 0) === 0 &&
  (group.shippingAmount ?? 0) === 0

/** Works a group out; its rank is given when it is placed among the others. */
export const compileGroup = (
  group: ProductGroup,
  condition: CompiledCondition | null,
  collaborator: CompiledCollaborator,
): CompiledGroup => {
  const basisPoints = basisPointsOf(group.percent)
  const shippingBasisPoints = basisPointsOf(group.shippingPercent ?? group.percent)
  return {
    group,
    rank: 0,
    condition,
    collaborator,
    basisPoints,
    shippingBasisPoints,
    isDated: group.startsAt !== null || group.endsAt !== null,
    deducting: group.deductForOtherSplits && group.condition?.type === "referer",
    zero: isZero(group, basisPoints, shippingBasisPoints),
  }
}
