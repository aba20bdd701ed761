import { type Fields, isFields, parseJson } from "../../internal/reader.js"
import type { ApiAnswer } from "../Api.js"
import type { Outcome, OutcomeType } from "../Outcome.js"

// Answers of APIs, whose shape is not guaranteed: missing values are `null`.

/** Reads a body in JSON as an object; `undefined` if it is not one. */
export const jsonOf = (body: string): Fields | undefined => {
  try {
    const value = parseJson(body)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The object in a field. */
export const objectIn = (fields: Fields | undefined, name: string): Fields | undefined => {
  const value = fields?.[name]
  return isFields(value) ? value : undefined
}

/** The objects in a list in a field. */
export const objectsIn = (fields: Fields | undefined, name: string): ReadonlyArray<Fields> => {
  const value = fields?.[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** The text in a field that is not empty. */
export const textIn = (fields: Fields | undefined, name: string): string | null => {
  const value = fields?.[name]
  return typeof value === "string" && value !== "" ? value : null
}

/** Joins a code and its words into one text, without missing parts. */
export const wordsOf = (...parts: ReadonlyArray<string | null>): string | null => {
  const there = parts.filter((part) => part !== null)
  return there.length === 0 ? null : there.join(": ")
}

/** An outcome of which only some fields are known. */
export const outcomeOf = (type: OutcomeType, known: Partial<Outcome>): Outcome => ({
  key: null,
  railReference: null,
  at: null,
  amount: null,
  currency: null,
  fee: null,
  reason: null,
  ...known,
  type,
})

/**
 * Whether an answer clearly says that nothing was done and nothing will be. It does not when the server failed, was
 * busy or did not accept the credentials: then the outcome of the same request, sent earlier, stays unknown.
 */
export const isRefusal = ({ status }: ApiAnswer): boolean =>
  status >= 400 && status < 500 && ![401, 408, 409, 425, 429].includes(status)
