/** Values that links ask for as numbers: each spelling of a text is folded once. */
import { fold } from "../../orders/internal/attributeText.js"

/** Texts that are compared as people read them. */
interface Words {
  readonly spelled: Map<string, number>
  readonly folded: Map<string, number>
}

/**
 * The numbers of all tags and vendors of a catalogue and its rules, and of the ids that rules name. It
 * only grows, so that what was numbered before stays as it is.
 */
export interface Vocabulary {
  readonly tags: Words
  readonly vendors: Words
  readonly ids: Map<string, number>
  /** The largest number of an id, or -1. */
  lastId: number
  /** How many numbers are given: the next one. */
  size: number
  /** For whoever works with numbers for a moment: -1 for each number, and left like that. */
  scratch: Int32Array
}

export const makeVocabulary = (): Vocabulary => ({
  tags: { spelled: new Map(), folded: new Map() },
  vendors: { spelled: new Map(), folded: new Map() },
  ids: new Map(),
  lastId: -1,
  size: 0,
  scratch: new Int32Array(0),
})

const learn = (vocabulary: Vocabulary, words: Words, text: string): number => {
  const folded = fold(text)
  const number = words.folded.get(folded) ?? vocabulary.size++
  words.folded.set(folded, number)
  words.spelled.set(text, number)
  return number
}

export const tagNumber = (vocabulary: Vocabulary, tag: string): number =>
  vocabulary.tags.spelled.get(tag) ?? learn(vocabulary, vocabulary.tags, tag)

export const vendorNumber = (vocabulary: Vocabulary, vendor: string): number =>
  vocabulary.vendors.spelled.get(vendor) ?? learn(vocabulary, vocabulary.vendors, vendor)

/** The number of an id that a rule names. Ids of products alone get none: they are nearly all different. */
export const namedIdNumber = (vocabulary: Vocabulary, id: string): number => {
  const known = vocabulary.ids.get(id)
  if (known !== undefined) return known
  const number = vocabulary.size++
  vocabulary.ids.set(id, number)
  vocabulary.lastId = number
  return number
}

/** The scratch with room for every number there is. */
export const scratchOf = (vocabulary: Vocabulary): Int32Array => {
  if (vocabulary.scratch.length < vocabulary.size) {
    vocabulary.scratch = new Int32Array(vocabulary.size * 2).fill(-1)
  }
  return vocabulary.scratch
}
