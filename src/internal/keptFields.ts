/** Documents without what is not needed of them: it may be about the buyer, and is not kept. */
import { isFields } from "./problems.js"

/** The fields of an object that are kept, each with those of the objects in it. */
export interface KeptFields {
  readonly [field: string]: KeptFields | true
}

/** A value without what is not kept; whatever is of another shape stays, so that it is refused when it is read. */
export const kept = (value: unknown, fields: KeptFields | true): unknown => {
  if (fields === true) return value
  if (Array.isArray(value)) {
    // A list with holes stays, and is refused: going through one could take for ever.
    const isWhole = Object.keys(value).length === value.length
    return isWhole ? value.map((each) => kept(each, fields)) : value
  }
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, inside]) =>
      Object.hasOwn(value, name) ? [[name, kept(value[name], inside)]] : [],
    ),
  )
}
