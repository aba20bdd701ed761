/** Lists of groups by rank, the most specific one first, each group once. */
import type { CompiledGroup } from "./CompiledGroup.js"

export type Ranked = ReadonlyArray<CompiledGroup>

const none: Ranked = []

/** The place of the first group whose rank is not below. */
const placeOf = (list: Ranked, rank: number): number => {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.rank ?? rank) < rank) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts a group in its place. */
export const insert = (list: Array<CompiledGroup>, group: CompiledGroup): void => {
  const last = list.at(-1)
  if (last === undefined || last.rank < group.rank) list.push(group)
  else list.splice(placeOf(list, group.rank), 0, group)
}

/** Takes a group out. */
export const remove = (list: Array<CompiledGroup>, group: CompiledGroup): void => {
  const place = placeOf(list, group.rank)
  if (list[place] === group) list.splice(place, 1)
}

/** Both lists as one. */
export const merge = (left: Ranked, right: Ranked): Ranked => {
  const merged: Array<CompiledGroup> = []
  let [onLeft, onRight] = [0, 0]
  for (;;) {
    const one = left[onLeft]
    const other = right[onRight]
    if (one === undefined || other === undefined) break
    if (one.rank <= other.rank) {
      merged.push(one)
      onLeft += 1
      if (one === other) onRight += 1
    } else {
      merged.push(other)
      onRight += 1
    }
  }
  for (; onLeft < left.length; onLeft += 1) pushFrom(merged, left, onLeft)
  for (; onRight < right.length; onRight += 1) pushFrom(merged, right, onRight)
  return merged
}

const pushFrom = (merged: Array<CompiledGroup>, list: Ranked, index: number): void => {
  const group = list[index]
  if (group !== undefined) merged.push(group)
}

/** All lists as one, each pair of neighbours together, so that no group is moved often. */
export const mergeAll = (lists: ReadonlyArray<Ranked>): Ranked => {
  let left = lists
  while (left.length > 1) {
    const merged: Array<Ranked> = []
    for (let index = 0; index < left.length; index += 2) {
      const [one = none, other] = [left[index], left[index + 1]]
      merged.push(other === undefined ? one : merge(one, other))
    }
    left = merged
  }
  return left[0] ?? none
}
