import { misspelt } from "../../internal/fieldNames.js"
import { absent, type Spans } from "./OrderColumns.js"

// JSON in bytes of UTF-8, read without objects, as far as it is written as most JSON is. Whatever is not is `unusual`, and
// is for `JSON.parse`: among it is everything that is no JSON. The bytes have to be valid UTF-8.

/** What a line that is not read here is answered with, and a place in it. */
export const unusual = -1

const tab = 9
const carriageReturn = 13
export const space = 32
export const quote = 34
const plus = 43
export const comma = 44
export const minus = 45
const point = 46
const zero = 48
const nine = 57
const colon = 58
export const openBracket = 91
const backslash = 92
export const closeBracket = 93
const openBrace = 123
const closeBrace = 125
export const firstBeyondAscii = 0x80

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine

/** The escapes of JSON besides `\u`. */
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

const hexDigits = /^[0-9a-fA-F]{4}$/

/** So many digits are surely a safe integer. */
const mostDigits = 15
/** Objects with more fields are for the other reader, which refuses some of them. */
const mostFields = 64
/** Deeper values that have no effect are for the other reader too, which refuses some of them. */
const deepest = 8

/** A field that has no effect. */
export const ignored = 0

/** A field's name as it was met at a place of an object: with its quotes and the colon. */
interface MetName {
  readonly token: Uint8Array
  readonly field: number
}

/** The fields of one kind of object. */
export class FieldNames {
  /** The names that stood at each place of the object before: most objects have the same ones in the same order. */
  readonly met: Array<MetName> = []
  private readonly read: ReadonlyMap<string, number>
  private readonly known: ReadonlyArray<string>
  private readonly others = new Map<string, number>()

  constructor(read: Readonly<Record<string, number>>, known: ReadonlyArray<string>) {
    this.read = new Map(Object.entries(read))
    this.known = known
  }

  /** The number of a field; {@link unusual} for one that may be misspelt. */
  fieldOf(name: string): number {
    return this.read.get(name) ?? this.others.get(name) ?? this.learn(name)
  }

  private learn(name: string): number {
    // A known field that is not read here may have an effect.
    const isHarmless =
      !this.known.includes(name) &&
      /^[a-z]\w{0,38}$/i.test(name) &&
      misspelt({ [name]: true }, this.known).length === 0
    const field = isHarmless ? ignored : unusual
    if (this.others.size < mostFields) this.others.set(name, field)
    return field
  }
}

/** Where a text stands. */
export class Text {
  from = absent
  to = absent

  clear(): void {
    this.from = absent
    this.to = absent
  }
}

/** Reads one value after another. Each method begins at a value, and answers the place behind it or {@link unusual}. */
export abstract class JsonBytes {
  protected bytes: Uint8Array = new Uint8Array(0)
  /** The same as a text in which each byte is a character. */
  protected text = ""
  // What was read last.
  private field = 0
  protected from = 0
  protected to = 0
  protected number = 0

  /** Takes the bytes of the next lines. */
  take(bytes: Buffer): void {
    if (bytes === this.bytes) return
    this.bytes = bytes
    this.text = bytes.toString("latin1")
  }

  /** A byte; 0 behind the last one, which no JSON has. */
  protected byte(at: number): number {
    return this.bytes[at] ?? 0
  }

  /** The first place that is not blank. */
  protected blank(from: number): number {
    let at = from
    for (let byte = this.byte(at); byte <= space; byte = this.byte(at)) {
      if (byte !== space && byte !== tab && byte !== carriageReturn) break
      at += 1
    }
    return at
  }

  /** Reads the value of a field. */
  protected abstract value(at: number, field: number): number

  protected object(from: number, names: FieldNames): number {
    if (this.byte(from) !== openBrace) return unusual
    let at = this.blank(from + 1)
    if (this.byte(at) === closeBrace) return at + 1
    let seen = 0
    for (let place = 0; place < mostFields; place += 1) {
      at = this.name(at, names, place)
      if (at === unusual) return unusual
      const { field } = this
      if (field === ignored) at = this.skip(at, 0)
      else {
        // Of a name that stands there twice, the last one counts.
        if ((seen & (1 << (field & 31))) !== 0) return unusual
        seen |= 1 << (field & 31)
        at = this.isNull(at) ? at + 4 : this.value(at, field)
      }
      if (at === unusual) return unusual
      at = this.blank(at)
      const next = this.byte(at)
      if (next === closeBrace) return at + 1
      if (next !== comma) return unusual
      at = this.blank(at + 1)
    }
    return unusual
  }

  /** The name of a field, and its colon. */
  private name(from: number, names: FieldNames, place: number): number {
    const met = names.met[place]
    if (met === undefined) return this.otherName(from, names, place)
    const { bytes } = this
    const { token } = met
    for (let at = 0; at < token.length; at += 1) {
      if (bytes[from + at] !== token[at]) return this.otherName(from, names, place)
    }
    this.field = met.field
    return this.blank(from + token.length)
  }

  private otherName(from: number, names: FieldNames, place: number): number {
    const end = this.string(from)
    if (end === unusual) return unusual
    const field = names.fieldOf(this.text.slice(this.from, this.to))
    const at = this.blank(end)
    if (field === unusual || this.byte(at) !== colon) return unusual
    this.field = field
    if (at === end)
      names.met[place] = { token: Uint8Array.from(this.bytes.subarray(from, at + 1)), field }
    return this.blank(at + 1)
  }

  protected isNull(at: number): boolean {
    return this.byte(at) === 110 && this.text.startsWith("null", at)
  }

  /** A text without escapes. */
  protected string(from: number): number {
    if (this.byte(from) !== quote) return unusual
    const { bytes } = this
    for (let at = from + 1; ; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === quote) {
        this.from = from + 1
        this.to = at
        return at + 1
      }
      if (byte < space || byte === backslash) return unusual
    }
  }

  /** A text that is not empty. */
  protected stringInto(at: number, text: Text): number {
    const end = this.string(at)
    if (end === unusual || this.from === this.to) return unusual
    text.from = this.from
    text.to = this.to
    return end
  }

  /** Whether a text is there, and is the same in {@link text}. */
  protected isAscii({ from, to }: Text): boolean {
    if (from === absent) return false
    for (let at = from; at < to; at += 1) if (this.byte(at) >= firstBeyondAscii) return false
    return true
  }

  protected areSame(one: Text, other: Text): boolean {
    const { bytes } = this
    const length = one.to - one.from
    if (other.to - other.from !== length) return false
    // Ids mostly differ at their ends.
    for (let back = 1; back <= length; back += 1) {
      if (bytes[one.to - back] !== bytes[other.to - back]) return false
    }
    return true
  }

  protected strings(from: number, spans: Spans): number {
    if (this.byte(from) !== openBracket) return unusual
    let at = this.blank(from + 1)
    if (this.byte(at) === closeBracket) return at + 1
    for (;;) {
      at = this.string(at)
      if (at === unusual) return unusual
      spans.add(this.from, this.to)
      at = this.blank(at)
      const next = this.byte(at)
      if (next === closeBracket) return at + 1
      if (next !== comma) return unusual
      at = this.blank(at + 1)
    }
  }

  /** A whole number that is written as one. */
  protected whole(from: number): number {
    const isNegative = this.byte(from) === minus
    const start = isNegative ? from + 1 : from
    let number = 0
    let at = start
    for (let byte = this.byte(at); isDigit(byte); byte = this.byte(at)) {
      number = number * 10 + byte - zero
      at += 1
    }
    const next = this.byte(at)
    const hasLeadingZero = this.byte(start) === zero && (at - start > 1 || isNegative)
    if (at === start || at - start > mostDigits || hasLeadingZero) return unusual
    // A fraction or a power follows.
    if (next === point || next === 69 || next === 101) return unusual
    this.number = isNegative ? -number : number
    return at
  }

  // Values that have no effect, but have to be JSON.

  protected skip(at: number, depth: number): number {
    const first = this.byte(at)
    if (first === quote) return this.anyString(at)
    if (first === openBrace || first === openBracket) return this.skipInside(at, depth)
    if (this.isNull(at) || this.text.startsWith("true", at)) return at + 4
    if (this.text.startsWith("false", at)) return at + 5
    return this.skipNumber(at)
  }

  private skipInside(from: number, depth: number): number {
    if (depth === deepest) return unusual
    const isObject = this.byte(from) === openBrace
    const close = isObject ? closeBrace : closeBracket
    let at = this.blank(from + 1)
    if (this.byte(at) === close) return at + 1
    for (;;) {
      if (isObject) {
        const end = this.byte(at) === quote ? this.anyString(at) : unusual
        at = end === unusual ? unusual : this.blank(end)
        if (at === unusual || this.byte(at) !== colon) return unusual
        at = this.blank(at + 1)
      }
      at = this.skip(at, depth + 1)
      if (at === unusual) return unusual
      at = this.blank(at)
      const next = this.byte(at)
      if (next === close) return at + 1
      if (next !== comma) return unusual
      at = this.blank(at + 1)
    }
  }

  /** A text that may have escapes. */
  protected anyString(from: number): number {
    for (let at = from + 1; ; at += 1) {
      const byte = this.byte(at)
      if (byte === quote) return at + 1
      if (byte < space) return unusual
      if (byte !== backslash) continue
      at += 1
      if (escapes.has(this.byte(at))) continue
      if (this.byte(at) !== 117 || !hexDigits.test(this.text.slice(at + 1, at + 5))) return unusual
      at += 4
    }
  }

  protected skipNumber(from: number): number {
    const start = this.byte(from) === minus ? from + 1 : from
    let at = this.digits(start)
    if (at === start || (at - start > 1 && this.byte(start) === zero)) return unusual
    if (this.byte(at) === point) {
      const decimals = at + 1
      at = this.digits(decimals)
      if (at === decimals) return unusual
    }
    if (this.byte(at) !== 69 && this.byte(at) !== 101) return at
    const sign = this.byte(at + 1)
    const power = sign === plus || sign === minus ? at + 2 : at + 1
    at = this.digits(power)
    return at === power ? unusual : at
  }

  private digits(from: number): number {
    let at = from
    while (isDigit(this.byte(at))) at += 1
    return at
  }
}
