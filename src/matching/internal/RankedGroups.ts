import type { CompiledGroup } from "./CompiledGroup.js"
import { bySpecificity, type Placed, placed } from "./specificity.js"

/** A part may grow to this before it is cut in two; ranks leave room for as many in each part. */
const mostInPart = 512

/**
 * All groups of a rule set in the order of specificity, in parts, so that one more moves few others. A
 * group's rank is its place in its part, behind the ranks of all parts before; only the groups of one part
 * get new ranks when one comes, and of all later parts in the rare case that a part is cut.
 */
export class RankedGroups {
  private parts: Array<Array<CompiledGroup>> = []

  /** Takes groups that are in order. */
  fill(groups: ReadonlyArray<CompiledGroup>): void {
    const half = mostInPart / 2
    for (let from = 0; from < groups.length; from += half) {
      this.parts.push(groups.slice(from, from + half))
    }
    this.rankFrom(0)
  }

  insert(group: CompiledGroup): void {
    const at = placed(group.group)
    const index = this.partOf(at)
    const part = this.parts[index]
    if (part === undefined) {
      this.parts.push([group])
      return this.rankFrom(0)
    }
    part.splice(firstNotBefore(part, at), 0, group)
    if (part.length <= mostInPart) return this.rank(part, index)
    this.parts.splice(index + 1, 0, part.splice(mostInPart / 2))
    this.rankFrom(index)
  }

  remove(group: CompiledGroup): void {
    const index = this.partOf(placed(group.group))
    const part = this.parts[index]
    if (part === undefined) return
    const place = part.indexOf(group)
    if (place === -1) return
    part.splice(place, 1)
    if (part.length > 0) return
    this.parts.splice(index, 1)
    this.rankFrom(index)
  }

  /** All groups, the most specific one first. */
  toArray(): ReadonlyArray<CompiledGroup> {
    return this.parts.flat()
  }

  /** The last part that begins at or before a group's place. */
  private partOf(at: Placed): number {
    let [low, high] = [0, this.parts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      const first = this.parts[middle]?.[0]
      if (first !== undefined && bySpecificity(placed(first.group), at) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  private rankFrom(index: number): void {
    for (let next = index; next < this.parts.length; next += 1) {
      this.rank(this.parts[next] ?? [], next)
    }
  }

  private rank(part: ReadonlyArray<CompiledGroup>, index: number): void {
    let rank = index * (mostInPart + 1)
    for (const group of part) {
      group.rank = rank
      rank += 1
    }
  }
}

const firstNotBefore = (part: ReadonlyArray<CompiledGroup>, at: Placed): number => {
  let [low, high] = [0, part.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const group = part[middle]
    if (group !== undefined && bySpecificity(placed(group.group), at) < 0) low = middle + 1
    else high = middle
  }
  return low
}
