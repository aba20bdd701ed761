import { doubleAt, nothingAt, numberAt, shortAt } from "../../internal/at.js"
import { basisPointsOf } from "../../money/internal/exact.js"
import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../ProductGroup.js"
import type { Conditions } from "./Conditions.js"
import { Slots, TextNumbers } from "./Conditions.js"

// What a group asks of an order, as a number: its condition, whether that has NOT, and whether the group has dates.
const demandBits = 2
const not = 2
const dated = 1

const deducting = 1
const zero = 2

const demandOf = (group: ProductGroup, condition: number): number =>
  (condition << demandBits) |
  (group.condition?.modifier === "NOT" ? not : 0) |
  (group.startsAt !== null || group.endsAt !== null ? dated : 0)

const flagsOf = (
  group: ProductGroup,
  percents: { readonly basisPoints: number; readonly shippingBasisPoints: number },
): number => {
  const paysNothing =
    percents.basisPoints === 0 &&
    percents.shippingBasisPoints === 0 &&
    (group.amount ?? 0) === 0 &&
    (group.shippingAmount ?? 0) === 0
  return (
    (group.deductForOtherSplits && Attribute.isDeductible(group.condition?.type) ? deducting : 0) |
    (paysNothing ? zero : 0)
  )
}

/** A column with what stands in a smaller one. */
const filled = <A extends Int32Array | Uint16Array | Float64Array>(larger: A, numbers: A): A => {
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
  /** What the group asks of an order. */
  demands: Int32Array
  /** Numbers of collaborators. */
  collaborators: Int32Array
  /** The times from which and until which groups are in force; empty until there is one with dates. */
  private starts = new Float64Array(0)
  private ends = new Float64Array(0)
  private percents: Uint16Array
  private shippingPercents: Uint16Array
  private flags: Uint16Array
  private readonly slots = new Slots()
  private readonly collaboratorIds = new TextNumbers()
  private readonly asked: Conditions

  constructor(room: number, asked: Conditions) {
    this.ranks = new Int32Array(room)
    this.demands = new Int32Array(room)
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
    this.demands[slot] = demandOf(group, this.asked.use(group.condition))
    if (group.startsAt !== null || group.endsAt !== null) this.keepDates(slot, group)
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
    this.asked.release(group.condition, this.conditionOf(slot))
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

  /** The number of the group's condition, 0 for none. */
  conditionOf(slot: number): number {
    return numberAt(this.demands, slot) >> demandBits
  }

  /** Whether the group's condition has the modifier NOT. */
  isNot(slot: number): boolean {
    return (numberAt(this.demands, slot) & not) !== 0
  }

  /** Whether the group is in force at a time; not a number is within no dates. */
  isInForce(slot: number, at: number): boolean {
    return (
      (numberAt(this.demands, slot) & dated) === 0 ||
      (doubleAt(this.starts, slot) <= at && at < doubleAt(this.ends, slot))
    )
  }

  /** 1 where the current order is one that the group's condition takes, else 0. */
  takes(slot: number): number {
    const demand = numberAt(this.demands, slot)
    return this.asked.answerTo(demand >> demandBits) ^ ((demand & not) >> 1)
  }

  /** 1 where the group applies to the current order, as far as that depends on the order and its time; else 0. */
  applies(slot: number, at: number): number {
    return this.isInForce(slot, at) ? this.takes(slot) : 0
  }

  /** Releases unused room. */
  compact(): void {
    this.groups = this.groups.slice()
  }

  private keepDates(slot: number, { startsAt, endsAt }: ProductGroup): void {
    const { length } = this.demands
    if (this.starts.length < length) {
      this.starts = filled(new Float64Array(length), this.starts)
      this.ends = filled(new Float64Array(length), this.ends)
    }
    this.starts[slot] = startsAt ?? Number.NEGATIVE_INFINITY
    this.ends[slot] = endsAt ?? Number.POSITIVE_INFINITY
  }

  private grow(slot: number): void {
    const length = slot + (slot >> 1) + 4
    this.ranks = filled(new Int32Array(length), this.ranks)
    if (this.idRanks.length > 0) this.idRanks = filled(new Int32Array(length), this.idRanks)
    this.demands = filled(new Int32Array(length), this.demands)
    this.collaborators = filled(new Int32Array(length), this.collaborators)
    this.percents = filled(new Uint16Array(length), this.percents)
    this.shippingPercents = filled(new Uint16Array(length), this.shippingPercents)
    this.flags = filled(new Uint16Array(length), this.flags)
  }
}
