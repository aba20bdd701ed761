/** Ids that are longer than what every storage has room for: rows are looked up by them, so they are indexed. */
import { orderedBytes } from "../../internal/orderedText.js"
import type { Problem } from "../../Problem.js"

const mostBytes = 500

/** Six bytes a unit are the most, so those of short ids are not counted. */
export const isLong = (id: string): boolean =>
  id.length * 6 > mostBytes && (id.length > mostBytes || orderedBytes(id) > mostBytes)

const expected = `must be at most ${mostBytes} bytes long in UTF-8, where a character beyond U+FFFF counts as 12`

/** Ids that are too long, with their paths. */
export const longIds = (
  ids: Iterable<readonly [path: string, id: string]>,
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  for (const [path, id] of ids) {
    if (!isLong(id)) continue
    problems.push({ path, value: id, message: expected })
  }
  return problems
}
