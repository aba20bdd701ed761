import { numberAt } from "../../internal/at.js"
import type { Order } from "../Order.js"
import type { Conditions } from "./Conditions.js"
import type { GroupTable } from "./GroupTable.js"
import { NumberLists } from "./NumberLists.js"
import { inForce } from "./OrderView.js"
import * as rankedLists from "./rankedLists.js"

/**
 * Groups by what their conditions ask for. Ten thousand affiliates with a discount code each are one look
 * at the codes of an order, not ten thousand conditions.
 */
export class ConditionIndex {
  private readonly table: GroupTable
  private readonly conditions: Conditions
  private readonly lists = new NumberLists()
  private readonly byValue = new Map<number, number>()
  private readonly others = this.lists.add()

  constructor(table: GroupTable, conditions: Conditions) {
    this.table = table
    this.conditions = conditions
  }

  /** Whether the group's condition is only met by an order that has something; NOT is met by most orders. */
  static asks(table: GroupTable, slot: number): boolean {
    return table.conditions[slot] !== 0 && !table.isNot(slot)
  }

  insert(slot: number): void {
    const { ranks } = this.table
    for (const list of this.listsFor(slot)) rankedLists.insert(this.lists, list, { slot, ranks })
  }

  remove(slot: number): void {
    const { ranks } = this.table
    for (const list of this.listsFor(slot)) rankedLists.remove(this.lists, list, { slot, ranks })
    for (const value of this.valuesOf(slot)) {
      const list = this.byValue.get(value)
      if (list === undefined || this.lists.lengthOf(list) > 0) continue
      this.lists.drop(list)
      this.byValue.delete(value)
    }
  }

  /** Adds the groups that must be asked about their conditions one by one. */
  addUnasked(found: Array<number>): void {
    this.lists.addTo(found, this.others)
  }

  /** Adds the groups that apply to the order that was looked at because it has what they ask for. */
  addAsked(order: Order, found: Array<number>): void {
    const { table } = this
    for (const value of this.conditions.present) {
      const list = this.byValue.get(value)
      if (list === undefined) continue
      for (let place = 0; place < this.lists.lengthOf(list); place += 1) {
        const slot = this.lists.at(list, place)
        if (inForce(order, table.groupAt(slot))) found.push(slot)
      }
    }
  }

  private valuesOf(slot: number): ReadonlyArray<number> {
    return ConditionIndex.asks(this.table, slot)
      ? this.conditions.valuesOf(numberAt(this.table.conditions, slot))
      : []
  }

  private listsFor(slot: number): ReadonlyArray<number> {
    if (!ConditionIndex.asks(this.table, slot)) return [this.others]
    return this.valuesOf(slot).flatMap((value) => {
      const known = this.byValue.get(value)
      if (known !== undefined) return known
      const list = this.lists.add()
      this.byValue.set(value, list)
      return list
    })
  }
}
