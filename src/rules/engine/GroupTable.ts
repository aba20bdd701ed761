import { nothingAt, numberAt, shortAt } from "../../internal/at.js"
import { basisPointsOf } from "../../money/internal/exact.js"
import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../ProductGroup.js"
import type { Conditions } from "./Conditions.js"
import { Slots, TextNumbers } from "./Conditions.js"
import { enlarged } from "./NumberLists.js"

const dated = 1
const deducting = 2
const zero = 4
const not = 8
const demanding = 16

const flagsOf = (
  group: ProductGroup,
  percents: { readonly basisPoints: number; readonly shippingBasisPoints: number },
): number => {
  const paysNothing =
    percents.basisPoints === 0 &&
    percents.shippingBasisPoints === 0 &&
    (group.amount ?? 0) === 0 &&
    (group.shippingAmount ?? 0) === 0
  const isDated = group.startsAt !== null || group.endsAt !== null
  return (
    (isDated ? dated : 0) |
    (group.deductForOtherSplits && Attribute.isDeductible(group.condition?.type) ? deducting : 0) |
    (paysNothing ? zero : 0) |
    (group.condition?.modifier === "NOT" ? not : 0) |
    (isDated || group.condition !== null ? demanding : 0)
  )
}

const wider = (numbers: Uint16Array): Uint16Array<ArrayBuffer> => {
  const larger = new Uint16Array(numbers.length + (numbers.length >> 1) + 4)
  larger.set(numbers)
  return larger
}

/**
 * The groups of a rule set with everything precomputed that does not depend on the order, one column per property:
 * there may be a hundred thousand groups, and an object for each would take more memory than the group. Groups are
 * identified by their slot, their row in the table.
 */
export class GroupTable {
  groups: Array<ProductGroup | undefined> = []
  /** The most specific group has the lowest; changes when groups are added. */
  ranks: Int32Array
  /** The same in the order of ids; empty until it is asked for. */
  idRanks: Int32Array = new Int32Array(0)
  /** What {@link Conditions} made of the group's condition. */
  conditions: Int32Array
  /** Numbers of collaborators. */
  collaborators: Int32Array
  private percents: Uint16Array
  private shippingPercents: Uint16Array
  private flags: Uint16Array
  private readonly slots = new Slots()
  private readonly collaboratorIds = new TextNumbers()
  private readonly asked: Conditions

  constructor(room: number, asked: Conditions) {
    this.ranks = new Int32Array(room)
    this.conditions = new Int32Array(room)
    this.collaborators = new Int32Array(room)
    this.percents = new Uint16Array(room)
    this.shippingPercents = new Uint16Array(room)
    this.flags = new Uint16Array(room)
    this.asked = asked
  }

  /** Adds a group and returns its slot; its rank is assigned later. */
  add(group: ProductGroup): number {
    const slot = this.slots.take()
    if (slot >= this.ranks.length) this.grow(slot)
    const basisPoints = basisPointsOf(group.percent)
    const shippingBasisPoints = basisPointsOf(group.shippingPercent ?? group.percent)
    this.groups[slot] = group
    this.conditions[slot] = this.asked.use(group.condition)
    this.collaborators[slot] = this.collaboratorIds.use(group.collaboratorId)
    this.percents[slot] = basisPoints
    this.shippingPercents[slot] = shippingBasisPoints
    this.flags[slot] = flagsOf(group, { basisPoints, shippingBasisPoints })
    return slot
  }

  /** The group in a slot, which must be in use. */
  groupAt(slot: number): ProductGroup {
    const group = this.groups[slot]
    if (group === undefined) throw nothingAt(this.groups, slot)
    return group
  }

  remove(slot: number): void {
    const group = this.groupAt(slot)
    this.asked.release(group.condition, numberAt(this.conditions, slot))
    this.collaboratorIds.release(group.collaboratorId)
    this.groups[slot] = undefined
    this.slots.giveBack(slot)
  }

  /** Hundredths of a percent; 0 for a group without a percentage. */
  basisPointsOf(slot: number): number {
    return shortAt(this.percents, slot)
  }

  /** Hundredths of a percent of shipping. */
  shippingBasisPointsOf(slot: number): number {
    return shortAt(this.shippingPercents, slot)
  }

  /** Whether the group's share is deducted from the base of the others. */
  isDeducting(slot: number): boolean {
    return (shortAt(this.flags, slot) & deducting) !== 0
  }

  /** Whether the group can never pay anything. */
  isZero(slot: number): boolean {
    return (shortAt(this.flags, slot) & zero) !== 0
  }

  /** Whether the group applies only to some orders. */
  isDemanding(slot: number): boolean {
    return (shortAt(this.flags, slot) & demanding) !== 0
  }

  /** Whether the group is in force only for a time. */
  isDated(slot: number): boolean {
    return (shortAt(this.flags, slot) & dated) !== 0
  }

  /** Whether the group's condition has the modifier NOT. */
  isNot(slot: number): boolean {
    return (shortAt(this.flags, slot) & not) !== 0
  }

  /** Releases unused room. */
  compact(): void {
    this.groups = this.groups.slice()
  }

  private grow(length: number): void {
    this.ranks = enlarged(this.ranks, length + 4)
    if (this.idRanks.length > 0) this.idRanks = enlarged(this.idRanks, this.ranks.length)
    this.conditions = enlarged(this.conditions, length + 4)
    this.collaborators = enlarged(this.collaborators, length + 4)
    this.percents = wider(this.percents)
    this.shippingPercents = wider(this.shippingPercents)
    this.flags = wider(this.flags)
  }
}
