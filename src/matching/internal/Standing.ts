import { numberAt } from "../../internal/at.js"
import type { GroupTable } from "./GroupTable.js"

/** The groups that count for an item, and those that lost to a more specific one of their collaborator. */
export interface Standing {
  readonly counting: ReadonlyArray<number>
  readonly outranked: ReadonlyArray<number>
  /** Which group each of the outranked ones lost to. */
  readonly winners: ReadonlyArray<number>
}

const noGroups: ReadonlyArray<number> = []

/** Everyone's groups count. */
export const all = (matching: ReadonlyArray<number>): Standing => ({
  counting: matching,
  outranked: noGroups,
  winners: noGroups,
})

/** Leaves each collaborator their most specific group. */
export class Contest {
  private readonly table: GroupTable
  /** For each collaborator the slot of their best group plus one, while an item is looked at; else 0. */
  private best = new Int32Array(0)

  constructor(table: GroupTable) {
    this.table = table
  }

  /** Of the first groups of a list, most specific first. */
  of(matching: Int32Array, count: number): Standing {
    const { collaborators } = this.table
    if (this.best.length < collaborators.length) this.best = new Int32Array(collaborators.length)
    const { best } = this
    const counting: Array<number> = []
    const outranked: Array<number> = []
    const winners: Array<number> = []
    for (let at = 0; at < count; at += 1) {
      const slot = numberAt(matching, at)
      const collaborator = numberAt(collaborators, slot)
      const winner = numberAt(best, collaborator)
      if (winner === 0) {
        best[collaborator] = slot + 1
        counting.push(slot)
      } else {
        outranked.push(slot)
        winners.push(winner - 1)
      }
    }
    for (const slot of counting) best[numberAt(collaborators, slot)] = 0
    return { counting, outranked, winners }
  }
}
