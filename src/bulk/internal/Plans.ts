import { byteAt, doubleAt, numberAt } from "../../internal/at.js"
import type { GroupColumns } from "./GroupColumns.js"

export const withDeducting = 1
export const withFlats = 2
export const withLimits = 4
export const withShippingFlats = 8

/**
 * Plans of lines by number. A plan is a stretch of {@link groups}: those that count and pay something, in the order of
 * their ids.
 */
export class Plans {
  readonly columns: GroupColumns
  count = 0
  groups: Int32Array = new Int32Array(1 << 12)
  /** The percentages of these groups, in basis points. */
  points: Float64Array = new Float64Array(1 << 12)
  private ends: Int32Array = new Int32Array(1 << 10)
  private deductingPoints: Float64Array = new Float64Array(1 << 10)
  private sharingPoints: Float64Array = new Float64Array(1 << 10)
  private flags: Uint8Array = new Uint8Array(1 << 10)

  constructor(columns: GroupColumns) {
    this.columns = columns
  }

  /** How many groups all plans have together. */
  get groupCount(): number {
    return this.startOf(this.count)
  }

  startOf(plan: number): number {
    return plan === 0 ? 0 : numberAt(this.ends, plan - 1)
  }

  endOf(plan: number): number {
    return numberAt(this.ends, plan)
  }

  flagsOf(plan: number): number {
    return byteAt(this.flags, plan)
  }

  /** The sum of the percentages of the groups that deduct, in basis points. */
  deductingPointsOf(plan: number): number {
    return doubleAt(this.deductingPoints, plan)
  }

  /** The same of the others. */
  sharingPointsOf(plan: number): number {
    return doubleAt(this.sharingPoints, plan)
  }

  /** Adds a plan of some groups, and gives its number. */
  add(counting: ReadonlyArray<number>): number {
    const plan = this.count
    const start = this.groupCount
    if (start + counting.length > this.groups.length) {
      const larger = new Int32Array((start + counting.length) * 2)
      larger.set(this.groups)
      this.groups = larger
      const more = new Float64Array(larger.length)
      more.set(this.points)
      this.points = more
    }
    if (plan === this.ends.length) this.makeRoom(plan * 2)
    const { columns } = this
    let [flags, deducting, sharing] = [0, 0, 0]
    counting.forEach((group, at) => {
      this.groups[start + at] = group
      const points = columns.basisPoints[group] ?? 0
      this.points[start + at] = points
      if (columns.deducting[group] === 1) {
        flags |= withDeducting
        deducting += points
      } else sharing += points
      if (columns.flats[group] !== 0) flags |= withFlats
      if (columns.shippingFlats[group] !== 0) flags |= withShippingFlats
      const { minAmount, maxAmount } = columns.groups[group] ?? { minAmount: null, maxAmount: null }
      if (minAmount !== null || maxAmount !== null) flags |= withLimits
    })
    this.ends[plan] = start + counting.length
    this.deductingPoints[plan] = deducting
    this.sharingPoints[plan] = sharing
    this.flags[plan] = flags
    this.count += 1
    return plan
  }

  private makeRoom(plans: number): void {
    const ends = new Int32Array(plans)
    ends.set(this.ends)
    this.ends = ends
    const deducting = new Float64Array(plans)
    deducting.set(this.deductingPoints)
    this.deductingPoints = deducting
    const sharing = new Float64Array(plans)
    sharing.set(this.sharingPoints)
    this.sharingPoints = sharing
    const flags = new Uint8Array(plans)
    flags.set(this.flags)
    this.flags = flags
  }
}
