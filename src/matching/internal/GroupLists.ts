import type { CompiledGroup } from "./CompiledGroup.js"
import * as rankedLists from "./rankedLists.js"

/** Lists of groups by a value that they have or ask for, each with the most specific group first. */
export class GroupLists {
  private readonly lists = new Map<string, Array<CompiledGroup>>()

  get size(): number {
    return this.lists.size
  }

  get(value: string): rankedLists.Ranked | undefined {
    return this.lists.get(value)
  }

  /** Answers how many groups have the value then. */
  insert(value: string, group: CompiledGroup): number {
    const list = this.lists.get(value)
    if (list === undefined) {
      this.lists.set(value, [group])
      return 1
    }
    rankedLists.insert(list, group)
    return list.length
  }

  remove(value: string, group: CompiledGroup): void {
    const list = this.lists.get(value)
    if (list === undefined) return
    rankedLists.remove(list, group)
    if (list.length === 0) this.lists.delete(value)
  }

  /** Gives back the room that lists keep for growing. */
  trim(): void {
    for (const [value, list] of this.lists) this.lists.set(value, list.slice())
  }
}
