/** What is written of payments: texts that people or rails add, and how many outcomes at once. */
import * as reader from "../../internal/reader.js"
import type { OutcomeType } from "../../rails/Outcome.js"

/** In characters, as people see them in a list of code points. */
export const longestNote = 500

export const aNote = `a text of 1 to ${longestNote} characters`

const parse = (value: unknown): string | undefined => {
  const note = typeof value === "string" ? value.trim() : ""
  return note !== "" && [...note].length <= longestNote ? note : undefined
}

/** A reason or a reference that need not be there; blanks around it are dropped. */
export const optionalNote = (node: reader.Node, key: string): string | undefined =>
  reader.parsed(node, key, { parse, expected: aNote })

/** How far a payment can be, as rails say it. */
export const outcomeTypes: ReadonlyArray<OutcomeType> = [
  ...(["accepted", "confirmed", "rejected", "returned", "unknown"] as const),
]

/** At most how many outcomes one request tells. */
export const mostOutcomes = 500
