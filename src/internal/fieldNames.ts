import type { Problem } from "../Problem.js"
import { entryAt } from "./at.js"
import { mostProblems, show } from "./problems.js"

/**
 * Whether one name differs from another by at most so many inserted, removed or changed letters. Only positions within
 * that distance are compared, and the comparison ends once none can succeed.
 */
const isNear = (one: string, other: string, most: number): boolean => {
  if (Math.abs(one.length - other.length) > most) return false
  const tooMany = most + 1
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const here = new Array<number>(other.length + 1).fill(tooMany)
    here[0] = row
    const last = Math.min(other.length, row + most)
    let least = tooMany
    for (let column = Math.max(1, row - most); column <= last; column += 1) {
      const changed = entryAt(above, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const steps = Math.min(changed, entryAt(above, column) + 1, entryAt(here, column - 1) + 1)
      here[column] = steps
      least = Math.min(least, steps)
    }
    if (least > most) return false
    above = here
  }
  return entryAt(above, other.length) <= most
}

/** Longer names are never misspelt fields, and would take long to compare. */
const longestName = 40

/** `discount_code` and `discountCode` count as the same name. */
const folded = (name: string): string => name.replaceAll("_", "").toLowerCase()

/** A list of known names, folded, and the cached results for unknown ones: hosts send the same ones again and again. */
interface KnownNames {
  readonly names: ReadonlySet<string>
  /**
   * The names of earlier objects by position, none of them misspelt: objects of one kind mostly have the same fields in
   * the same order.
   */
  readonly before: Array<string>
  readonly folded: ReadonlyArray<string>
  readonly meanings: Map<string, string | undefined>
  /** Unknown names that are not misspelt: a host's own. */
  readonly others: Set<string>
}

const vocabularies = new WeakMap<ReadonlyArray<string>, KnownNames>()

const vocabularyOf = (known: ReadonlyArray<string>): KnownNames => {
  const before = vocabularies.get(known)
  if (before !== undefined) return before
  const vocabulary = {
    names: new Set(known),
    before: [],
    folded: known.map(folded),
    meanings: new Map<string, string | undefined>(),
    others: new Set<string>(),
  }
  vocabularies.set(known, vocabulary)
  return vocabulary
}

/** Senders may use any number of new names. */
const mostRemembered = 1_000

/** The known name that an unknown one was probably meant to be. */
export const meant = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length < 3 || name.length > longestName) return undefined
  const vocabulary = vocabularyOf(known)
  const { meanings } = vocabulary
  if (meanings.has(name)) return meanings.get(name)
  const most = name.length <= 4 ? 1 : 2
  const wanted = folded(name)
  const right = known[vocabulary.folded.findIndex((each) => isNear(wanted, each, most))]
  if (meanings.size < mostRemembered) meanings.set(name, right)
  return right
}

/** An object with more unknown fields is refused; comparing all of them would delay others. */
const mostUnknown = 1_000

/**
 * A rough guess is enough for a note; to refuse a field it has to be closer, because a host's own `taxes` is not
 * `tags`.
 */
const isMisspelt = (name: string, right: string): boolean =>
  name.length > 5 || isNear(folded(name), folded(right), 1)

const misspeltAmong = (
  value: object,
  known: ReadonlyArray<string>,
  place: string,
): ReadonlyArray<Problem> => {
  const { others } = vocabularyOf(known)
  const found: Array<Problem> = []
  let unknown = 0
  for (const [name, field] of Object.entries(value)) {
    if (known.includes(name) || field === undefined) continue
    unknown += 1
    if (unknown > mostUnknown) {
      const message = `has more than ${mostUnknown} fields that have no effect`
      return [...found, { path: place, value, message }]
    }
    if (found.length >= mostProblems) continue
    const right = meant(name, known)
    if (right === undefined || !isMisspelt(name, right)) {
      if (others.size < mostRemembered && name.length <= longestName) others.add(name)
      continue
    }
    const message = `is no field and would have no effect, did you mean ${right}?`
    found.push({ path: place === "" ? name : `${place}.${name}`, value: field, message })
  }
  return found
}

const none: ReadonlyArray<Problem> = []

const noNames = (value: object, place: string): ReadonlyArray<Problem> => [
  { path: place, value, message: `must be an object with named fields, got ${show(value)}` },
]

/**
 * Misspelt fields of an object: they would have no effect, and someone would be paid a wrong amount. Other unknown
 * fields are ignored, up to a thousand; an object with more is refused, because a misspelt one could hide among them.
 */
export const misspelt = (
  value: unknown,
  known: ReadonlyArray<string>,
  place = "",
): ReadonlyArray<Problem> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return none
  const { names, before, others } = vocabularyOf(known)
  // Most objects have only known fields, and some of the host's that were met before. This check runs for each item of
  // each order.
  let count = 0
  for (const name in value) {
    if (name !== before[count]) {
      const isKnown = names.has(name) || others.has(name)
      if (!isKnown || count >= mostUnknown) return misspeltAmong(value, known, place)
      before[count] = name
    }
    count += 1
  }
  return none
}

/**
 * The unknown fields of an object, at most the first hundred; a field that is `undefined` counts as absent.
 *
 * @param options - `isNone`: the words of the message before the names, as `is no field of a group; the
 * fields are`; `place`: where the object stands in a larger one
 */
export const unknownFields = (
  value: unknown,
  names: ReadonlyArray<string>,
  { isNone, place = "" }: { readonly isNone: string; readonly place?: string | undefined },
): ReadonlyArray<Problem> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  // It has a field for each of its characters.
  if (value instanceof String) return noNames(value, place)
  const message = `${isNone} ${names.join(", ")}`
  return Object.entries(value)
    .filter(([name, field]) => field !== undefined && !names.includes(name))
    .slice(0, mostProblems)
    .map(([name, field]) => ({
      path: place === "" ? name : `${place}.${name}`,
      value: field,
      message,
    }))
}
