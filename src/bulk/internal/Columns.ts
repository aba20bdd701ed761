import { byteAt, doubleAt, numberAt } from "../../internal/at.js"
import { UnusableColumn } from "../ColumnBatch.js"
import { type ColumnData, textColumn, typeIds } from "./ColumnData.js"
import type { WordNumbers } from "./KeyNumbers.js"

const unusable = (column: string, expected: string): UnusableColumn =>
  new UnusableColumn({ column, message: `the column ${column} must have ${expected}` })

const offsetsOf = (data: ColumnData): Int32Array => {
  const { valueOffsets } = data
  if (valueOffsets instanceof Int32Array) return valueOffsets
  return valueOffsets === undefined ? new Int32Array(1) : Int32Array.from(valueOffsets, Number)
}

const noBytes = new Uint8Array(0)

const bytesOf = ({ values }: ColumnData): Uint8Array =>
  values instanceof Uint8Array ? values : noBytes

/** Which rows of a column have a value. */
class Presence {
  private readonly bits: Uint8Array | undefined
  private readonly offset: number

  constructor({ nullCount, nullBitmap, offset }: ColumnData) {
    const isWhole = nullCount === 0 || nullBitmap == null || nullBitmap.length === 0
    this.bits = isWhole ? undefined : nullBitmap
    this.offset = offset
  }

  get isWhole(): boolean {
    return this.bits === undefined
  }

  has(row: number): boolean {
    const { bits, offset } = this
    if (bits === undefined) return true
    const place = offset + row
    return ((byteAt(bits, place >> 3) >> (place & 7)) & 1) === 1
  }
}

const noNumbers = new Int32Array(0)

/** The word of a row without a text. */
export const noWord = -1
const unread = -2

/** The words of a dictionary's entries, each looked up when it is first met. */
class CodedWords {
  readonly known: Int32Array
  readonly source: unknown
  private readonly parts: ReadonlyArray<ColumnData>

  constructor(source: { readonly data: ReadonlyArray<ColumnData> }) {
    this.source = source.data[0]?.values
    this.parts = source.data
    this.known = new Int32Array(this.parts.reduce((sum, { length }) => sum + length, 0)).fill(
      unread,
    )
  }

  get isWhole(): boolean {
    return this.parts.every((part) => new Presence(part).isWhole)
  }

  isOf(dictionary: { readonly data: ReadonlyArray<ColumnData> }): boolean {
    if (dictionary.data[0]?.values !== this.source) return false
    return dictionary.data.reduce((sum, { length }) => sum + length, 0) === this.known.length
  }

  learn(code: number, words: WordNumbers): number {
    let place = code
    for (const part of this.parts) {
      if (place < part.length) {
        const offsets = offsetsOf(part)
        const [from, to] = [numberAt(offsets, place), numberAt(offsets, place + 1)]
        const isThere = new Presence(part).has(place)
        const word = isThere ? words.numberOf(bytesOf(part), from, to) : noWord
        this.known[code] = word
        return word
      }
      place -= part.length
    }
    return noWord
  }
}

/** A column of texts; one that is absent has none. */
export class TextColumn {
  private readonly words: WordNumbers
  private offsets: Int32Array = noNumbers
  private ownBytes: Uint8Array = noBytes
  private presence: Presence | undefined
  private codes: Int32Array | undefined
  private coded: CodedWords | undefined

  constructor(words: WordNumbers) {
    this.words = words
  }

  read(column: string, data: ColumnData | undefined): void {
    this.codes = undefined
    this.presence = undefined
    if (data === undefined) return
    this.presence = new Presence(data)
    const { typeId } = data.type
    if (typeId === typeIds.text || typeId === typeIds.largeText) {
      this.offsets = offsetsOf(data)
      this.ownBytes = bytesOf(data)
      return
    }
    const { dictionary, values } = data
    const isOfTexts = dictionary?.data.every(
      ({ type }) => type.typeId === typeIds.text || type.typeId === typeIds.largeText,
    )
    if (typeId !== typeIds.coded || dictionary === undefined || isOfTexts !== true) {
      throw unusable(column, "texts (Utf8), or codes of them (Dictionary)")
    }
    if (this.coded?.isOf(dictionary) !== true) this.coded = new CodedWords(dictionary)
    this.codes = values instanceof Int32Array ? values : Int32Array.from(values ?? [], Number)
  }

  /** Whether every row surely has a text. */
  get isWhole(): boolean {
    if (this.presence?.isWhole !== true) return false
    return this.codes === undefined || this.coded?.isWhole === true
  }

  has(row: number): boolean {
    return this.presence?.has(row) === true
  }

  /** The number of a row's text, -1 without one. */
  word(row: number): number {
    const { presence, codes, offsets } = this
    if (presence?.has(row) !== true) return noWord
    if (codes === undefined) {
      return this.words.numberOf(this.ownBytes, numberAt(offsets, row), numberAt(offsets, row + 1))
    }
    const code = numberAt(codes, row)
    const word = this.coded?.known[code] ?? noWord
    return word === unread ? (this.coded?.learn(code, this.words) ?? noWord) : word
  }

  /** Where the bytes of a row's text stand in {@link bytes}. */
  startOf(row: number): number {
    return this.codes === undefined
      ? numberAt(this.offsets, row)
      : this.words.startOf(this.word(row))
  }

  endOf(row: number): number {
    return this.codes === undefined
      ? numberAt(this.offsets, row + 1)
      : this.words.endOf(this.word(row))
  }

  get bytes(): Uint8Array {
    return this.codes === undefined ? this.ownBytes : this.words.bytes
  }

  /** Whether two rows have the same text, or none. */
  areSame(one: number, other: number): boolean {
    if (this.presence === undefined) return true
    if (this.codes !== undefined) return this.word(one) === this.word(other)
    if (this.has(one) !== this.has(other)) return false
    if (!this.has(one)) return true
    return areSameBytes(this.ownBytes, this.offsets, one, other)
  }

  /** Below 0 when the text of one row comes before that of another, as strings are compared. */
  compare(one: number, other: number): number {
    const { bytes } = this
    const [start, end] = [this.startOf(one), this.endOf(one)]
    const [otherStart, otherEnd] = [this.startOf(other), this.endOf(other)]
    const length = Math.min(end - start, otherEnd - otherStart)
    for (let at = 0; at < length; at += 1) {
      const [byte, otherByte] = [byteAt(bytes, start + at), byteAt(bytes, otherStart + at)]
      if (byte === otherByte) continue
      // Code units are in the order of bytes where one of the two is ASCII.
      if (byte < 0x80 || otherByte < 0x80) return byte - otherByte
      return (this.text(one) ?? "") < (this.text(other) ?? "") ? -1 : 1
    }
    return end - start - (otherEnd - otherStart)
  }

  /** The texts of some rows as a column of their own; one that is not there is empty. */
  slice(from: number, to: number): ColumnData {
    const column = { type: { typeId: typeIds.text }, length: to - from, offset: 0, nullCount: 0 }
    const { codes, offsets, ownBytes } = this
    if (codes === undefined) {
      const valueOffsets = offsets.subarray(from, to + 1)
      return { ...column, values: ownBytes, valueOffsets, children: [] }
    }
    return textColumn(Array.from({ length: to - from }, (_, at) => this.text(from + at) ?? ""))
  }

  /** Texts that stand in the column are not remembered for that. */
  text(row: number): string | null {
    const isThere = this.has(row) && (this.codes === undefined || this.word(row) !== noWord)
    if (!isThere) return null
    return decoder.decode(this.bytes.subarray(this.startOf(row), this.endOf(row)))
  }
}

const decoder = new TextDecoder()

const areSameBytes = (
  bytes: Uint8Array,
  offsets: Int32Array,
  one: number,
  other: number,
): boolean => {
  const [start, end] = [numberAt(offsets, one), numberAt(offsets, one + 1)]
  const otherStart = numberAt(offsets, other)
  if (numberAt(offsets, other + 1) - otherStart !== end - start) return false
  // Ids mostly differ at their ends.
  for (let back = end - start - 1; back >= 0; back -= 1) {
    if (bytes[start + back] !== bytes[otherStart + back]) return false
  }
  return true
}

/** A column of lists of texts; a plain column of texts is one of lists with one text each. */
export class TextListColumn {
  readonly texts: TextColumn
  private offsets: Int32Array | undefined
  private presence: Presence | undefined

  constructor(words: WordNumbers) {
    this.texts = new TextColumn(words)
  }

  read(column: string, data: ColumnData | undefined): void {
    this.offsets = undefined
    this.presence = undefined
    const isList = data?.type.typeId === typeIds.list || data?.type.typeId === typeIds.largeList
    if (data === undefined || !isList) {
      this.texts.read(column, data)
      return
    }
    this.presence = new Presence(data)
    this.offsets = offsetsOf(data)
    this.texts.read(column, data.children[0])
  }

  /** Whether every entry of every list is a text. */
  get isWhole(): boolean {
    return this.offsets === undefined || this.texts.isWhole
  }

  /** Where a row's texts begin in {@link texts}. */
  startOf(row: number): number {
    const { offsets } = this
    return offsets === undefined ? row : numberAt(offsets, row)
  }

  endOf(row: number): number {
    const { offsets, presence } = this
    if (offsets === undefined) return this.texts.has(row) ? row + 1 : row
    return presence?.has(row) === true ? numberAt(offsets, row + 1) : numberAt(offsets, row)
  }

  areSame(one: number, other: number): boolean {
    const [start, end] = [this.startOf(one), this.endOf(one)]
    const otherStart = this.startOf(other)
    if (this.endOf(other) - otherStart !== end - start) return false
    for (let at = 0; at < end - start; at += 1) {
      if (!this.texts.areSame(start + at, otherStart + at)) return false
    }
    return true
  }

  /** The texts of a row; an entry without a text is `null`. */
  list(row: number): ReadonlyArray<string | null> {
    const [start, end] = [this.startOf(row), this.endOf(row)]
    return Array.from({ length: end - start }, (_, at) => this.texts.text(start + at))
  }
}

/** A column of numbers; where a row has none stands what is said for an absent one. */
export class NumberColumn {
  private values: Float64Array = new Float64Array(0)
  private readonly absent: number
  /** So many of the first values are known to be those of absent ones. */
  private filled = 0

  constructor(absent: number) {
    this.absent = absent
  }

  at(row: number): number {
    return doubleAt(this.values, row)
  }

  /** Whether two rows have the same number, or none. */
  areSame(one: number, other: number): boolean {
    const [value, otherValue] = [doubleAt(this.values, one), doubleAt(this.values, other)]
    return value === otherValue || (Number.isNaN(value) && Number.isNaN(otherValue))
  }

  read(column: string, data: ColumnData | undefined, rows: number): void {
    if (this.values.length < rows) {
      this.values = new Float64Array(rows)
      this.filled = 0
    }
    if (data === undefined) {
      if (this.filled < rows) this.values.fill(this.absent, 0, rows)
      this.filled = Math.max(this.filled, rows)
      return
    }
    this.filled = 0
    this.fill(column, data)
    const presence = new Presence(data)
    if (presence.isWhole) return
    for (let row = 0; row < rows; row += 1) if (!presence.has(row)) this.values[row] = this.absent
  }

  private fill(column: string, { type, values, length, offset }: ColumnData): void {
    const into = this.values
    const isNumeric = type.typeId === typeIds.int || type.typeId === typeIds.float
    if (type.typeId === typeIds.flag && values instanceof Uint8Array) {
      for (let row = 0; row < length; row += 1) {
        const place = offset + row
        into[row] = (byteAt(values, place >> 3) >> (place & 7)) & 1
      }
    } else if (!isNumeric || values === undefined) throw unusable(column, "whole numbers (Int)")
    else if (values instanceof BigInt64Array) fillWhole(into, values, length)
    else if (values instanceof Int32Array || values instanceof Float64Array) into.set(values)
    else for (let row = 0; row < length; row += 1) into[row] = Number(values[row])
  }
}

/** Numbers of 64 bits from their halves; those beyond the safe integers stay beyond them. */
const fillWhole = (into: Float64Array, values: BigInt64Array, length: number): void => {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  for (let row = 0; row < length; row += 1) {
    const low = numberAt(halves, row * 2)
    const high = numberAt(halves, row * 2 + 1)
    into[row] = high === low >> 31 ? low : high * 0x1_0000_0000 + (low >>> 0)
  }
}

/** The same the other way round. */
export const wholeNumbers = (numbers: Float64Array): BigInt64Array<ArrayBuffer> => {
  const whole = new BigInt64Array(numbers.length)
  const halves = new Int32Array(whole.buffer)
  for (let at = 0; at < numbers.length; at += 1) {
    const number = doubleAt(numbers, at)
    const low = number | 0
    halves[at * 2] = low
    halves[at * 2 + 1] = low === number ? low >> 31 : Math.floor(number / 0x1_0000_0000)
  }
  return whole
}
