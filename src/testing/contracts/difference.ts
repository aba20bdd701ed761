import { formatPath, show } from "../../internal/problems.js"
import { sameData } from "../../internal/sameData.js"

type Path = ReadonlyArray<string | number>

/** Two values that differ, and where they are in what was compared. */
interface Difference {
  readonly path: Path
  readonly expected: unknown
  readonly actual: unknown
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The places of both: the indices of two lists, the fields of two objects; none of a list and an object. */
const placesOf = (expected: object, actual: object): ReadonlyArray<string | number> => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => index)
  }
  if (Array.isArray(expected) || Array.isArray(actual)) return []
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
}

const valueAt = (value: object, place: string | number): unknown =>
  Object.hasOwn(value, place) ? Reflect.get(value, place) : undefined

/** The first place, as deep as can be told, where two values that are not the same differ. */
const firstDifference = (path: Path, expected: unknown, actual: unknown): Difference => {
  const here = { path, expected, actual }
  if (!isObject(expected) || !isObject(actual)) return here
  const place = placesOf(expected, actual).find(
    (one) => !sameData(valueAt(expected, one), valueAt(actual, one)),
  )
  if (place === undefined) return here
  return firstDifference([...path, place], valueAt(expected, place), valueAt(actual, place))
}

/** How much is shown of what two long texts have in common before they differ. */
const lead = 20

/** Two texts from shortly before they differ, so that the difference is not cut off. */
const fromDifference = (expected: string, actual: string): readonly [string, string] => {
  const same = expected.split("").findIndex((unit, index) => unit !== actual[index])
  const first = same === -1 ? expected.length : same
  const start = Math.max(first - lead, 0)
  return [`…${show(expected.slice(start))}`, `…${show(actual.slice(start))}`]
}

const showBoth = (expected: unknown, actual: unknown): readonly [string, string] => {
  const shown = [show(expected), show(actual)] as const
  const isCut = shown[0] === shown[1] && typeof expected === "string" && typeof actual === "string"
  return isCut ? fromDifference(expected, actual) : shown
}

/** What two values that are not the same differ in: `expected [3].id to be "a", got "b"`. */
export const tellDifference = (expected: unknown, actual: unknown): string => {
  const found = firstDifference([], expected, actual)
  const [wanted, got] = showBoth(found.expected, found.actual)
  return found.path.length === 0
    ? `expected ${wanted}, got ${got}`
    : `expected ${formatPath(found.path)} to be ${wanted}, got ${got}`
}
