/** Objects without the fields that follow from what is known beside them: what is stored of every sale lacks those. */
import { sameData } from "../../internal/sameData.js"

/** The fields of an object that anybody may have given. */
export interface StoredFields {
  readonly [name: string]: unknown
}

export const isFields = (value: unknown): value is StoredFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The fields that are to be kept. A hot path: it runs several times for each share that is recorded, and objects that get
 * one field after the other in the same order are made quickest.
 */
const only = (
  fields: StoredFields,
  isKept: (name: string, value: unknown) => boolean,
): StoredFields => {
  const kept: { [name: string]: unknown } = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (!isKept(name, value)) continue
    if (name === "__proto__") Object.defineProperty(kept, name, { ...plainField, value })
    else kept[name] = value
  }
  return kept
}

/** A field of that name is data like any other, which an assignment would not make it. */
const plainField = { configurable: true, enumerable: true, writable: true }

export const without = (fields: StoredFields, names: ReadonlyArray<string>): StoredFields =>
  only(fields, (name) => !names.includes(name))

/** Leaves out what is as it is implied. A field that is not there is not the same as one that is implied. */
export const leaveOut = (fields: StoredFields, implied: StoredFields): StoredFields =>
  only(fields, (name, value) => !Object.hasOwn(implied, name) || !sameData(value, implied[name]))

/** Whether no field lacks that would be implied. */
export const hasAll = (fields: StoredFields, implied: StoredFields): boolean => {
  for (const name of Object.keys(implied)) {
    if (implied[name] !== undefined && fields[name] === undefined) return false
  }
  return true
}
