/** Fields that occur twice in one object of a JSON text: `JSON.parse` silently keeps the last one. */
import { placeOf } from "./Records.js"

/** A field that occurs twice in an object. */
export interface RepeatedName {
  /** The line of the second occurrence, from 1. */
  readonly line: number
  readonly name: string
}

/** Braces and strings of a JSON text; a string followed by a colon is a name. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

const nameOf = (written: string): string => {
  const name: unknown = JSON.parse(written)
  return String(name)
}

/** The fields of a JSON text that occur twice in their object. */
export const repeatedNames = (text: string): ReadonlyArray<RepeatedName> => {
  const open: Array<Set<string>> = []
  const found: Array<RepeatedName> = []
  for (const { 0: all, 1: written, 2: colon, index } of text.matchAll(token)) {
    if (all === "{") open.push(new Set())
    else if (all === "}") open.pop()
    else if (written !== undefined && colon !== undefined) {
      const names = open.at(-1)
      const name = nameOf(written)
      if (names?.has(name)) found.push({ line: placeOf(text, index + 1).line, name })
      names?.add(name)
    }
  }
  return found
}
