/** What the core calls a field, in the names of a request. */
import { snakeCase } from "../internal/names.js"

const groupNames: ReadonlyArray<readonly [string, string]> = [
  ["link.type", "itemType"],
  ["link.values", "items"],
  ["link.modifier", "type_modifier"],
  ["condition.type", "splitConditionType"],
  ["condition.values", "splitConditions"],
  ["condition.modifier", "condition_modifier"],
  ["link", "itemType"],
  ["condition", "splitConditionType"],
]

const filterNames: ReadonlyArray<readonly [string, string]> = [
  ["paid.from", "paidDate[start_date]"],
  ["paid.to", "paidDate[end_date]"],
  ["expected.from", "expectedPaymentDate[start_date]"],
  ["expected.to", "expectedPaymentDate[end_date]"],
]

const rename = (path: string, names: ReadonlyArray<readonly [string, string]>): string => {
  const found = names.find(([name]) => path === name || path.startsWith(`${name}[`))
  return found === undefined ? snakeCase(path) : `${found[1]}${path.slice(found[0].length)}`
}

/** `link.values[0]` as `items[0]`, `minAmount` as `min_amount`. */
export const ofGroup = (path: string): string => rename(path, groupNames)

/** `paid.from` as `paidDate[start_date]`. */
export const ofFilter = (path: string): string => rename(path, filterNames)
