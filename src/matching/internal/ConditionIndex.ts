import type { ConditionType } from "../../groups/ProductGroup.js"
import type { CompiledGroup } from "./CompiledGroup.js"
import { GroupLists } from "./GroupLists.js"
import { inForce, type OrderView } from "./OrderView.js"
import * as rankedLists from "./rankedLists.js"

/** Whether the condition is only satisfied by an order that has something; NOT is satisfied by most orders. */
const asksForValues = ({ condition }: CompiledGroup): boolean =>
  condition !== null && !condition.not

/**
 * Groups by what their conditions ask for. Ten thousand affiliates with a discount code each are one look
 * at the codes of an order, not ten thousand conditions.
 */
export class ConditionIndex {
  private readonly byType = new Map<ConditionType, GroupLists>()
  private readonly others: Array<CompiledGroup> = []

  constructor(groups: rankedLists.Ranked) {
    for (const group of groups) this.insert(group)
  }

  /** Whether there are enough groups to find by their conditions. */
  static pays(groups: rankedLists.Ranked): boolean {
    return groups.filter(asksForValues).length * 2 >= groups.length
  }

  insert(group: CompiledGroup): void {
    const { condition } = group
    if (condition === null || condition.not) return rankedLists.insert(this.others, group)
    const lists = this.byType.get(condition.type) ?? new GroupLists()
    this.byType.set(condition.type, lists)
    for (const value of condition.values) lists.insert(value, group)
  }

  remove(group: CompiledGroup): void {
    const { condition } = group
    if (condition === null || condition.not) return rankedLists.remove(this.others, group)
    const lists = this.byType.get(condition.type)
    if (lists === undefined) return
    for (const value of condition.values) lists.remove(value, group)
    if (lists.size === 0) this.byType.delete(condition.type)
  }

  /** The groups that no value of an order leads to: their conditions are still to be asked. */
  get unasked(): rankedLists.Ranked {
    return this.others
  }

  /** Adds lists of groups that apply to the order, which are those whose condition its values lead to. */
  collect(view: OrderView, found: Array<rankedLists.Ranked>): void {
    for (const [type, lists] of this.byType) {
      for (const value of view.attribute(type)) {
        const list = lists.get(value)?.filter((group) => inForce(view, group))
        if (list !== undefined && list.length > 0) found.push(list)
      }
    }
  }
}
