/** Lists of groups in the order of their ranks. */
import { numberAt } from "../../internal/at.js"
import type { NumberLists } from "./NumberLists.js"

/** A group, and the ranks by slot. */
interface Ranked {
  readonly slot: number
  readonly ranks: Int32Array
}

/** The place of the first group whose rank is not below the group's. */
const placeOf = (lists: NumberLists, list: number, { slot, ranks }: Ranked): number => {
  const rank = numberAt(ranks, slot)
  let [low, high] = [0, lists.lengthOf(list)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numberAt(ranks, lists.at(list, middle)) < rank) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts a group in its place; the most specific one comes first, which is where most new groups belong. */
export const insert = (lists: NumberLists, list: number, group: Ranked): void =>
  lists.insert(list, placeOf(lists, list, group), group.slot)

/** Takes a group out, which must be there. */
export const remove = (lists: NumberLists, list: number, group: Ranked): void => {
  lists.removeAt(list, placeOf(lists, list, group))
}
