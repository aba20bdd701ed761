/** Objects without what is implied, made plainly: one object from another. */
import { sameData } from "../../../src/internal/sameData.js"
import type { Fields } from "./packedJson.js"

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const only = (fields: Fields, isKept: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)))

export const without = (fields: Fields, ...names: ReadonlyArray<string>): Fields =>
  only(fields, (name) => !names.includes(name))

export const leaveOut = (fields: Fields, implied: Fields): Fields =>
  only(fields, (name) => !Object.hasOwn(implied, name) || !sameData(fields[name], implied[name]))

/** Whether no field lacks that would be implied. */
export const hasAll = (fields: Fields, implied: Fields): boolean =>
  Object.keys(implied).every((name) => implied[name] === undefined || fields[name] !== undefined)

/** The number of something, or another one. */
export const numberOr = (value: unknown, other: number): number =>
  typeof value === "number" ? value : other
