import { compareTexts } from "../../internal/compare.js"
import * as exact from "../../money/internal/exact.js"
import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"

/** Whether a group applies only to some orders. */
export const isDemanding = ({ condition, startsAt, endsAt }: ProductGroup): boolean =>
  condition !== null || startsAt !== null || endsAt !== null

/** The groups of a rule set in columns, by their place in it. */
export class GroupColumns {
  readonly rules: RuleSet
  readonly groups: ReadonlyArray<ProductGroup>
  readonly placeOf: ReadonlyMap<string, number>
  readonly basisPoints: Float64Array
  readonly shippingBasisPoints: Float64Array
  readonly flats: Float64Array
  readonly shippingFlats: Float64Array
  /** Below all sums where there is none. */
  readonly least: Float64Array
  /** Above all sums where there is none. */
  readonly most: Float64Array
  readonly deducting: Uint8Array
  readonly paysNothing: Uint8Array
  readonly collaborators: Int32Array
  readonly collaboratorIds: ReadonlyArray<string>
  /** The place of each group among the ids in order. */
  readonly idRanks: Int32Array

  constructor(rules: RuleSet) {
    const { groups } = rules
    const doubles = (of: (group: ProductGroup) => number) => Float64Array.from(groups, of)
    this.rules = rules
    this.groups = groups
    this.placeOf = new Map(groups.map(({ id }, place) => [id, place]))
    this.basisPoints = doubles(({ percent }) => exact.basisPointsOf(percent))
    this.shippingBasisPoints = doubles((group) =>
      exact.basisPointsOf(group.shippingPercent ?? group.percent),
    )
    this.flats = doubles(({ amount }) => amount ?? 0)
    this.shippingFlats = doubles(({ amount, shippingAmount }) =>
      amount === null ? 0 : (shippingAmount ?? 0),
    )
    this.least = doubles(({ minAmount }) => minAmount ?? Number.NEGATIVE_INFINITY)
    this.most = doubles(({ maxAmount }) => maxAmount ?? Number.POSITIVE_INFINITY)
    this.deducting = Uint8Array.from(groups, (group) =>
      Number(group.deductForOtherSplits && Attribute.isDeductible(group.condition?.type)),
    )
    this.paysNothing = Uint8Array.from(groups, (group, place) =>
      Number(
        this.basisPoints[place] === 0 &&
          this.shippingBasisPoints[place] === 0 &&
          (group.amount ?? 0) === 0 &&
          (group.shippingAmount ?? 0) === 0,
      ),
    )
    const collaboratorIds = [...new Set(groups.map(({ collaboratorId }) => collaboratorId))]
    const numbers = new Map(collaboratorIds.map((id, number) => [id, number]))
    this.collaboratorIds = collaboratorIds
    this.collaborators = Int32Array.from(groups, (group) => numbers.get(group.collaboratorId) ?? 0)
    this.idRanks = new Int32Array(groups.length)
    groups
      .map(({ id }, place) => ({ id, place }))
      .sort((one, other) => compareTexts(one.id, other.id))
      .forEach(({ place }, rank) => {
        this.idRanks[place] = rank
      })
  }
}
