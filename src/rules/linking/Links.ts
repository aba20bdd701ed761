import { at, numberAt } from "../../internal/at.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Product } from "../../orders/Product.js"
import type { Link } from "../ProductGroup.js"

// The values of links as numbers: each spelling of a text is folded once.

/** The values of an attribute that are compared as people read them. */
interface Words {
  readonly read: (product: Product) => ReadonlyArray<string>
  readonly fold: (text: string) => string
  readonly spelled: Map<string, number>
  readonly folded: Map<string, number>
}

/**
 * The numbers of all values that the products of a catalogue and its rules have, but of ids only of those that rules
 * name. It only grows, so that what was numbered before stays as it is.
 */
export interface Vocabulary {
  readonly words: ReadonlyMap<Attribute.ProductAttribute, Words>
  readonly ids: Map<string, number>
  /** The largest number of an id, or -1. */
  lastId: number
  /** How many numbers are given: the next one. */
  size: number
  /** Temporary space with an entry for each number: -1 before and after each use. */
  scratch: Int32Array
}

export const makeVocabulary = (): Vocabulary => ({
  words: new Map(
    Attribute.productAttributes
      .filter((attribute) => Attribute.kindOf(attribute) !== "id")
      .map((attribute) => [
        attribute,
        {
          read: Attribute.ofProduct[attribute],
          fold: Attribute.foldOf(attribute),
          spelled: new Map(),
          folded: new Map(),
        },
      ]),
  ),
  ids: new Map(),
  lastId: -1,
  size: 0,
  scratch: new Int32Array(0),
})

const learn = (vocabulary: Vocabulary, words: Words, text: string): number => {
  const folded = words.fold(text)
  const number = words.folded.get(folded) ?? vocabulary.size++
  words.folded.set(folded, number)
  words.spelled.set(text, number)
  return number
}

/** The number of a text. */
export const wordNumber = (vocabulary: Vocabulary, words: Words, text: string): number =>
  words.spelled.get(text) ?? learn(vocabulary, words, text)

/** The number of an id that a rule names. Ids of products alone get none: they are nearly all different. */
const namedIdNumber = (vocabulary: Vocabulary, id: string): number => {
  const known = vocabulary.ids.get(id)
  if (known !== undefined) return known
  const number = vocabulary.size++
  vocabulary.ids.set(id, number)
  vocabulary.lastId = number
  return number
}

/** The number of a value that a rule names. */
export const namedNumber = (
  vocabulary: Vocabulary,
  attribute: Attribute.ProductAttribute,
  value: string,
): number => {
  const words = vocabulary.words.get(attribute)
  return words === undefined
    ? namedIdNumber(vocabulary, value)
    : wordNumber(vocabulary, words, value)
}

/** The scratch with room for every number there is. */
export const scratchOf = (vocabulary: Vocabulary): Int32Array => {
  if (vocabulary.scratch.length < vocabulary.size) {
    vocabulary.scratch = new Int32Array(vocabulary.size * 2).fill(-1)
  }
  return vocabulary.scratch
}

// The different links of all rules, as numbers. Groups with the same link share one.

/** The values of a link, without its modifier. */
export interface Selection {
  /** A link with these values; others may have the same values in another order or spelling. */
  readonly link: Link
  /** Another selection that is found in the same place, or -1. */
  readonly next: number
}

/**
 * A table of selections with their vocabulary. It only grows: linkings derived from one another share it, and the data
 * of a linking about a selection stays valid.
 */
export interface Links {
  readonly vocabulary: Vocabulary
  readonly selections: Array<Selection>
  /** Numbers of the values of all selections, each once and ascending, one selection after another. */
  values: Int32Array
  /** Where the values of each selection start; where those of the last one end. */
  starts: Int32Array
  /** By a number that is made of their values, the selection that came last. */
  readonly byHash: Map<number, number>
  /** For each value, the last one of these that is the same, counted from 1; 0: no selection has it. */
  heads: Int32Array
  /** For each of these, the one before that is the same, counted from 1, or 0. */
  nexts: Int32Array
  /** For each of these, the selection that it belongs to. */
  owners: Int32Array
  /** Selections that take every product: one at most. */
  readonly takers: Array<number>
  /** What was found for a link that was asked about. */
  readonly codes: WeakMap<Link, number>
}

export const makeLinks = (): Links => ({
  vocabulary: makeVocabulary(),
  selections: [],
  values: new Int32Array(64),
  starts: new Int32Array(64),
  byHash: new Map(),
  heads: new Int32Array(64),
  nexts: new Int32Array(64),
  owners: new Int32Array(64),
  takers: [],
  codes: new WeakMap(),
})

export const takesAll = ({ link }: Selection): boolean => link.type === "products.all"

const noValues = /* @__PURE__ */ new Int32Array(0)

const numbersOf = ({ vocabulary }: Links, { type, values }: Link): Int32Array => {
  if (type === "products.all") return noValues
  const numbers = new Int32Array(values.length)
  let at = 0
  for (const value of values) numbers[at++] = namedNumber(vocabulary, type, value)
  return numbers
}

/** Sorted by insertion, as there are few, and each once. */
const distinct = (numbers: Int32Array): Int32Array => {
  if (numbers.length > 32) numbers.sort()
  let size = 0
  for (const number of numbers) {
    let place = size
    while (place > 0 && numberAt(numbers, place - 1) > number) place -= 1
    if (place > 0 && numbers[place - 1] === number) continue
    if (place < size) numbers.copyWithin(place + 1, place, size)
    numbers[place] = number
    size += 1
  }
  return size === numbers.length ? numbers : numbers.slice(0, size)
}

const hashOf = (values: Int32Array): number => {
  let hash = values.length
  for (const value of values) hash = Math.imul(hash ^ value, 0x01000193) ^ (hash >>> 15)
  return hash
}

/** The numbers of a selection's values; none when it takes every product. */
export const valuesOf = ({ values, starts }: Links, index: number): Int32Array =>
  values.subarray(starts[index], starts[index + 1])

const sameValues = (links: Links, index: number, values: Int32Array): boolean => {
  const from = numberAt(links.starts, index)
  if (numberAt(links.starts, index + 1) - from !== values.length) return false
  for (let at = 0; at < values.length; at += 1) {
    if (links.values[from + at] !== values[at]) return false
  }
  return true
}

/** The same numbers with room for more; new entries are 0. */
export const roomFor = (numbers: Int32Array, size: number): Int32Array => {
  if (numbers.length >= size) return numbers
  const larger = new Int32Array(size * 2)
  larger.set(numbers)
  return larger
}

/** Puts the values where they are found: in the list of their selection, and each in the list of its own. */
const addValues = (links: Links, index: number, values: Int32Array): void => {
  const from = numberAt(links.starts, index)
  const end = from + values.length
  links.values = roomFor(links.values, end)
  links.nexts = roomFor(links.nexts, end)
  links.owners = roomFor(links.owners, end)
  links.heads = roomFor(links.heads, links.vocabulary.size)
  links.starts = roomFor(links.starts, index + 2)
  links.starts[index + 1] = end
  links.values.set(values, from)
  links.owners.fill(index, from, end)
  for (let at = from; at < end; at += 1) {
    const number = numberAt(links.values, at)
    links.nexts[at] = numberAt(links.heads, number)
    links.heads[number] = at + 1
  }
}

const addSelection = (links: Links, selection: Selection, values: Int32Array): number => {
  const index = links.selections.push(selection) - 1
  addValues(links, index, values)
  if (takesAll(selection)) links.takers.push(index)
  return index
}

const selectionOf = (links: Links, link: Link): number => {
  const isAll = link.type === "products.all"
  const values = distinct(numbersOf(links, link))
  const hash = hashOf(values)
  const last = links.byHash.get(hash) ?? -1
  for (let index = last; index >= 0; ) {
    const known = at(links.selections, index)
    if (takesAll(known) === isAll && sameValues(links, index, values)) return index
    index = known.next
  }
  const made = addSelection(links, { link, next: last }, values)
  links.byHash.set(hash, made)
  return made
}

/** A link as a number: its selection's index doubled, and one more for NOT. */
export const codeOf = (links: Links, link: Link): number =>
  selectionOf(links, link) * 2 + Number(link.modifier === "NOT")

/** The same, kept for the next time; making all codes at once is quicker without. */
export const keptCodeOf = (links: Links, link: Link): number => {
  const known = links.codes.get(link)
  if (known !== undefined) return known
  const code = codeOf(links, link)
  links.codes.set(link, code)
  return code
}
