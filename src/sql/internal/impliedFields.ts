/** Objects without the fields that follow from what is known beside them: what is stored of every sale lacks those. */
import { sameData } from "../../internal/sameData.js"

/** The fields of an object that anybody may have given. */
export interface StoredFields {
  readonly [name: string]: unknown
}

export const isFields = (value: unknown): value is StoredFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const without = (fields: StoredFields, names: ReadonlyArray<string>): StoredFields =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((name) => !names.includes(name))
      .map((name) => [name, fields[name]]),
  )

/**
 * Leaves out what is as it is implied. A field that is not there is not the same as one that is implied. A hot path: it
 * runs several times for each share that is recorded.
 */
export const leaveOut = (fields: StoredFields, implied: StoredFields): StoredFields => {
  const others: Array<readonly [string, unknown]> = []
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (!Object.hasOwn(implied, name) || !sameData(value, implied[name])) others.push([name, value])
  }
  return Object.fromEntries(others)
}

/** Whether no field lacks that would be implied. */
export const hasAll = (fields: StoredFields, implied: StoredFields): boolean =>
  Object.keys(implied).every((name) => implied[name] === undefined || fields[name] !== undefined)
