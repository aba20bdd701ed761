/** Writes values packed. A hot path: it runs several times for each share that is recorded. */
import { ByNames } from "../../internal/ByNames.js"
import {
  begins,
  earlyTexts,
  hexadecimal,
  hexOf,
  isWorthANumber,
  shapes,
  words,
} from "./packedJson.js"

/** An object as those of its fields that are to be packed, in their order. None of them is `undefined`. */
export class KeptFields {
  readonly names: Array<string>
  readonly values: Array<unknown>

  constructor(names: Array<string> = [], values: Array<unknown> = []) {
    this.names = names
    this.values = values
  }

  /** All fields of an object. */
  static of(value: object): KeptFields {
    const names = Object.keys(value)
    const values: Array<unknown> = Object.values(value)
    if (!values.includes(undefined)) return new KeptFields(names, values)
    const all = new KeptFields()
    for (const [index, name] of names.entries()) all.keep(name, values[index])
    return all
  }

  keep(name: string, value: unknown): void {
    if (value === undefined) return
    this.names.push(name)
    this.values.push(value)
  }

  /** Puts something in the place of a field that is kept. */
  replace(name: string, value: unknown): void {
    const at = this.names.indexOf(name)
    if (at !== -1) this.values[at] = value
  }

  /** Lets go of a field; gives whether it was kept. */
  drop(name: string): boolean {
    const at = this.names.indexOf(name)
    if (at === -1) return false
    this.names.splice(at, 1)
    this.values.splice(at, 1)
    return true
  }
}

const hexOfByte = (byte: number): string => hexadecimal[byte] ?? ""

/** Whole numbers up to here are divided quickest by bits. */
const mostBits = 2 ** 31 - 1

/** Seven bits to a byte, the lowest first. */
const hexOfWhole = (value: number): string => {
  let hex = ""
  let rest = value
  while (rest > mostBits) {
    hex += hexOfByte((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  while (rest >= 0x80) {
    hex += hexOfByte((rest & 0x7f) | 0x80)
    rest >>= 7
  }
  return hex + hexOfByte(rest)
}

// Which shape an object has.

/** How the fields of an object are packed that has these names. */
interface Layout {
  /** What comes first. */
  readonly hex: string
  /** Which of the fields then come, by their places among the names; -1: the object lacks it. Absent: all, with their names. */
  readonly places?: ReadonlyArray<number>
}

/** How many fields may be lacking before it takes fewer bytes to say which are there. */
const mostAbsent = 3

/** The smallest of the shapes that have all these fields, or the first of those; -1: none has. */
const shapeOf = (names: ReadonlyArray<string>): number => {
  let found = -1
  for (const [index, shape] of shapes.entries()) {
    const isSmaller = shape.length < (shapes[found]?.length ?? Number.POSITIVE_INFINITY)
    if (isSmaller && names.every((name) => shape.includes(name))) found = index
  }
  return found
}

const layoutOf = (names: ReadonlyArray<string>): Layout => {
  const index = shapeOf(names)
  const shape = shapes[index]
  if (shape === undefined) return { hex: hexOfByte(begins.object) + hexOfWhole(names.length) }
  const places = shape.map((name) => names.indexOf(name))
  if (shape.length - names.length <= mostAbsent) {
    return { hex: hexOfByte(begins.shape + index), places }
  }
  const bits = places.reduce((sum, place, bit) => (place === -1 ? sum : sum + 2 ** bit), 0)
  return {
    hex: hexOfByte(begins.sparse) + hexOfByte(index) + hexOfWhole(bits),
    places: places.filter((place) => place !== -1),
  }
}

const layouts = new ByNames(layoutOf)

// Texts.

const wordOf = new Map(words.map((word, index) => [word, index]))

const encoder = new TextEncoder()

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const lengthOfUuid = 36
const digits = /^[1-9][0-9]{3,14}$/
const mostDigits = 15
const halfOfPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** The bytes of a text of letters that take one byte each, as most texts are; `undefined`: it has others. */
const hexOfAscii = (text: string): string | undefined => {
  let hex = ""
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) return undefined
    hex += hexOfByte(code)
  }
  return hex
}

const hexOfUtf8 = (hex: string): string => {
  const length = hex.length / 2
  const isShort = length < begins.word - begins.text
  return isShort
    ? hexOfByte(begins.text + length) + hex
    : hexOfByte(begins.longText) + hexOfWhole(length) + hex
}

const hexOfText = (text: string): string => {
  if (text.length <= mostDigits && digits.test(text)) {
    return hexOfByte(begins.digits) + hexOfWhole(Number(text))
  }
  if (text.length === lengthOfUuid && uuid.test(text)) {
    return hexOfByte(begins.uuid) + text.replaceAll("-", "")
  }
  const ascii = hexOfAscii(text)
  if (ascii !== undefined) return hexOfUtf8(ascii)
  if (!halfOfPair.test(text)) return hexOfUtf8(hexOf(encoder.encode(text)))
  let hex = hexOfByte(begins.units) + hexOfWhole(text.length)
  for (let index = 0; index < text.length; index += 1) hex += hexOfWhole(text.charCodeAt(index))
  return hex
}

/** A text that was packed: how it is when it comes first, and the value in which it last did, with its number there. */
interface KnownText {
  readonly hex: string
  readonly isNumbered: boolean
  value: number
  number: number
}

/** Packs values one after the other. What many of them have in common, such as texts, is made digits once. */
export class Packer {
  // Digits are added to a text: buffers for so many small values take several times as long.
  #hex = ""
  readonly #known = new Map<string, KnownText>()
  /** Which value is being packed, and how many texts of it have a number. */
  #value = 0
  #texts = 0

  /** A value, packed, in hexadecimal digits: `decode($1, 'hex')` makes them bytes. */
  pack(value: unknown): string {
    this.#hex = ""
    this.#value += 1
    this.#texts = 0
    this.#add(value)
    return this.#hex
  }

  #add(value: unknown): void {
    if (typeof value === "string") this.#text(value)
    else if (typeof value === "number") this.#number(value)
    else if (Array.isArray(value)) this.#list(value)
    else if (value instanceof KeptFields) this.#object(value)
    else if (typeof value === "object" && value !== null) this.#object(KeptFields.of(value))
    else if (typeof value === "boolean") this.#byte(value ? begins.true : begins.false)
    else this.#byte(begins.null)
  }

  #byte(byte: number): void {
    this.#hex += hexadecimal[byte] ?? ""
  }

  #number(value: number): void {
    const isWhole = Number.isSafeInteger(value) && !Object.is(value, -0)
    if (!isWhole) {
      this.#byte(begins.decimal)
      this.#text(JSON.stringify(value))
    } else if (value >= 0 && value < begins.text) this.#byte(value)
    else {
      this.#byte(value < 0 ? begins.negative : begins.whole)
      this.#hex += hexOfWhole(Math.abs(value))
    }
  }

  #text(text: string): void {
    const known = this.#known.get(text) ?? this.#note(text)
    if (known.value === this.#value) this.#again(known.number)
    else {
      this.#hex += known.hex
      if (!known.isNumbered) return
      known.value = this.#value
      known.number = this.#texts
      this.#texts += 1
    }
  }

  #note(text: string): KnownText {
    const word = wordOf.get(text)
    const isNumbered = word === undefined && isWorthANumber(text)
    const hex = word === undefined ? hexOfText(text) : hexOfByte(begins.word + word)
    const known = { hex, isNumbered, value: 0, number: 0 }
    this.#known.set(text, known)
    return known
  }

  #again(number: number): void {
    if (number < earlyTexts) this.#byte(begins.early + number)
    else {
      this.#byte(begins.again)
      this.#hex += hexOfWhole(number)
    }
  }

  #list(values: ReadonlyArray<unknown>): void {
    this.#byte(begins.list)
    this.#hex += hexOfWhole(values.length)
    for (const value of values) this.#add(value)
  }

  #object({ names, values }: KeptFields): void {
    const { hex, places } = layouts.of(names)
    this.#hex += hex
    if (places === undefined) {
      for (const [index, name] of names.entries()) {
        this.#text(name)
        this.#add(values[index])
      }
      return
    }
    for (const place of places) {
      if (place === -1) this.#byte(begins.absent)
      else this.#add(values[place])
    }
  }
}

/** A value alone, packed. */
export const pack = (value: unknown): string => new Packer().pack(value)
