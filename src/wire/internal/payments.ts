/** Limits and readers for payments: texts from people or rails, and the number of outcomes in a request. */
import * as reader from "../../internal/reader.js"
import type { OutcomeType } from "../../rails/Outcome.js"

/** In characters, counted as code points. */
export const longestNote = 500

export const aNote = `a text of 1 to ${longestNote} characters`

const parse = (value: unknown): string | undefined => {
  const note = typeof value === "string" ? value.trim() : ""
  return note !== "" && [...note].length <= longestNote ? note : undefined
}

/** An optional reason or reference; blanks around it are dropped. */
export const optionalNote = (node: reader.Node, key: string): string | undefined =>
  reader.parsed(node, key, { parse, expected: aNote })

/** The outcomes of a payment, as rails report them. */
export const outcomeTypes: ReadonlyArray<OutcomeType> = [
  ...(["accepted", "confirmed", "rejected", "returned", "unknown"] as const),
]

/** How many outcomes one request has at most. */
export const mostOutcomes = 500
