/** Fields that stand twice in one object of a JSON text: `JSON.parse` takes the last of them without a word. */
import { placeOf } from "./Records.js"

/** A field that an object has twice. */
export interface RepeatedName {
  /** Where the second one stands, from 1. */
  readonly line: number
  readonly name: string
}

/** What gives a JSON text its shape, and its strings, of which a name has a colon behind it. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

const nameOf = (written: string): string => {
  const name: unknown = JSON.parse(written)
  return String(name)
}

/** The fields of a text, which is JSON, that stand twice in their object. */
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
