import type { Problem } from "../Problem.js"
import { entryAt } from "./at.js"

/** How many letters have to be put in, left out or changed to make one name of another. */
const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const here = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const changed = entryAt(above, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1)
      here.push(Math.min(changed, entryAt(above, column) + 1, entryAt(here, column - 1) + 1))
    }
    above = here
  }
  return entryAt(above, other.length)
}

/** Longer names are none of ours, and would take long to compare. */
const longestName = 40

/** `discount_code` and `discountCode` are one name to whoever writes them. */
const folded = (name: string): string => name.replaceAll("_", "").toLowerCase()

/** The known name that an unknown one was probably meant to be. */
export const meant = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length < 3 || name.length > longestName) return undefined
  const most = name.length <= 4 ? 1 : 2
  return known.find((each) => distance(folded(name), folded(each)) <= most)
}

/**
 * Fields of an object that are a known one misspelt: they would have no effect, and someone would be paid
 * otherwise than their writer meant. Fields that are no known one at all are left alone.
 */
export const misspelt = (
  value: unknown,
  known: ReadonlyArray<string>,
  place = "",
): ReadonlyArray<Problem> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const right = known.includes(name) || field === undefined ? undefined : meant(name, known)
    if (right === undefined) return []
    const message = `is no field and would have no effect, did you mean ${right}?`
    return [{ path: place === "" ? name : `${place}.${name}`, value: field, message }]
  })
}
