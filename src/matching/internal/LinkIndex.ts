import type { CompiledGroup } from "./CompiledGroup.js"
import { ConditionIndex } from "./ConditionIndex.js"
import { GroupLists } from "./GroupLists.js"
import type { Ranked } from "./rankedLists.js"

/** So many groups of one value are asked about their conditions one by one. */
const fewGroups = 32

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0

/**
 * The groups of one kind of link by what their links ask for. Where one value leads to many groups, those
 * whose conditions ask for something are found by that too.
 */
export class LinkIndex {
  private readonly lists = new GroupLists()
  private readonly indexes = new Map<string, ConditionIndex>()

  insert(value: string, group: CompiledGroup): void {
    const count = this.lists.insert(value, group)
    const index = this.indexes.get(value)
    if (index !== undefined) return index.insert(group)
    // Looking when the list has doubled costs each group little.
    if (count >= fewGroups && isPowerOfTwo(count)) this.divide(value)
  }

  remove(value: string, group: CompiledGroup): void {
    this.lists.remove(value, group)
    if (this.lists.get(value) === undefined) this.indexes.delete(value)
    else this.indexes.get(value)?.remove(group)
  }

  /** All groups that a value leads to. */
  groupsOf(value: string): Ranked | undefined {
    return this.lists.get(value)
  }

  /** The same groups by their conditions, where there are many. */
  indexOf(value: string): ConditionIndex | undefined {
    return this.indexes.size === 0 ? undefined : this.indexes.get(value)
  }

  /** Gives back the room that lists keep for growing. */
  trim(): void {
    this.lists.trim()
  }

  private divide(value: string): void {
    const groups = this.lists.get(value) ?? []
    if (ConditionIndex.pays(groups)) this.indexes.set(value, new ConditionIndex(groups))
  }
}
