/**
 * JSON in few bytes: what is stored of every sale. Whole numbers, ids made of digits and UUIDs take as many bytes as they
 * need, the fields of objects that come again and again are not named each time, and a text that was there before is a
 * number. Whatever JSON can hold is packed, and comes out as it was.
 *
 * The lists of words and shapes are a part of what is stored: they are only ever added to, at their ends.
 */

/** Texts for which one byte stands, 32 at most. */
const words: ReadonlyArray<string> = [
  ...["", "sale", "refund", "expense", "income", "system", "USD", "EUR", "GBP", "sale.recorded"],
  ...["products.all", "products.tag", "products.vendor", "products", "refund.recorded"],
  ...["payout.opened", "payout.carried", "payout.closed", "WITH", "sale.imported"],
]

/** Fields of objects in the order in which they are packed, 32 objects at most. */
const shapes: ReadonlyArray<ReadonlyArray<string>> = [
  // An item of a payout.
  ["kind", "createdAt", "originalAmount", "originalCurrency", "currencyExchangeRate", "orderItem"],
  // The item of an order that it is of, its product, and what the order tells beside.
  [
    ...["orderId", "itemId", "groupId", "amount", "discount", "quantity", "taxPercent", "taxName"],
    ...["taxTotal", "grams", "product", "externalId", "splitAt", "refundedAt", "details"],
  ],
  [
    ...["id", "externalId", "externalVariantId", "name", "sku", "vendor", "price", "cost", "tags"],
    "inventoryQuantity",
  ],
  [
    ...["customerEmail", "customerName", "status", "paymentGateway", "shippingAddress"],
    ...["billingAddress", "orderName"],
  ],
  // An expense or income.
  ["kind", "createdAt", "originalCurrency", "currencyExchangeRate", "name", "originalAmount"],
  // An order, and an item of it.
  [
    ...["items", "currency", "createdAt", "details", "tags", "billingCountry", "customerTags"],
    ...[
      "shippingAmount",
      "taxesIncluded",
      "shippingTax",
      "gatewayFee",
      "discountCodes",
      "referers",
    ],
    "id",
  ],
  [
    ...["id", "product", "amount", "quantity", "discount", "taxTotal", "taxPercent", "taxName"],
    "grams",
  ],
  // How an item was split, a share of it, and the whole.
  [
    ...["distributable", "base", "itemId", "amount", "quantity", "discount", "tax", "cost"],
    ...["gatewayFee", "shipping", "deducted", "overAllocated"],
  ],
  [
    ...["percentTotal", "groupId", "itemId", "collaboratorId", "amount", "flatTotal", "base"],
    ...["shippingAmount", "beforeShipping", "claim", "percent", "flatAmount", "deducting"],
  ],
  ["shares", "store", "items", "outranked", "orderId", "currency", "createdAt", "policy"],
  // A group, what it is linked to, and how items are split.
  [
    ...["id", "collaboratorId", "link", "percent", "condition", "amount", "shippingPercent"],
    ...["shippingAmount", "deductForOtherSplits", "minAmount", "maxAmount", "startsAt", "endsAt"],
    "createdAt",
  ],
  ["type", "modifier", "values"],
  [
    ...["discount", "tax", "cost", "gatewayFee", "flatScope", "shipping", "stacking", "rounding"],
    "overAllocation",
  ],
  // Where a share was booked.
  [
    ...["payoutId", "currency", "rate", "reversed", "refunds", "runId", "payoutItemId", "itemId"],
    ...["groupId", "collaboratorId"],
  ],
  // What happened to an account, and what there is to tell of a sale.
  ["type", "data", "at", "actor"],
  [
    ...["orderId", "part", "currency", "items", "shares", "distributable", "sharesTotal"],
    ...["storeTotal", "payoutIds", "payoutAmounts", "soldAt"],
  ],
]

/** What a value begins with. A whole number below 64 is its own beginning; a short text begins with its length. */
const begins = {
  text: 0x40,
  word: 0x80,
  shape: 0xa0,
  null: 0xc0,
  false: 0xc1,
  true: 0xc2,
  /** In the place of a field that an object lacks. */
  absent: 0xc3,
  whole: 0xc4,
  negative: 0xc5,
  /** Any other number, as JSON writes it. */
  decimal: 0xc6,
  longText: 0xc7,
  /** A text that UTF-8 can't say, by its code units. */
  units: 0xc8,
  /** A text that is a whole number as JSON writes it. */
  digits: 0xc9,
  uuid: 0xca,
  list: 0xcb,
  object: 0xcc,
  /** An object with few of the fields of a shape: which ones, as bits, and those. */
  sparse: 0xcd,
  /** A text that was there before; those that were among the first have a byte of their own from `early` on. */
  again: 0xce,
  early: 0xd0,
} as const

const earlyTexts = 0x100 - begins.early

const wordOf = new Map(words.map((word, index) => [word, index]))

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const lengthOfUuid = 36
const digits = /^[1-9][0-9]{3,14}$/
const mostDigits = 15
const halfOfPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** The shapes by how many fields they have. */
const shapesBySize = shapes
  .map((fields, index) => ({ index, size: fields.length, names: new Set(fields) }))
  .toSorted((one, other) => one.size - other.size)

/** A shape, and its place among them. */
interface NumberedShape {
  readonly index: number
  readonly shape: ReadonlyArray<string>
}

/** The shapes that have a field, the smallest first. */
const shapesWith = new Map(
  shapes.flat().map((name) => [name, shapesBySize.filter(({ names }) => names.has(name))]),
)

/** The smallest shape that has all these fields; -1: none has. */
const shapeOf = (fields: ReadonlyArray<string>): number => {
  const [first] = fields
  const possible = first === undefined ? shapesBySize : (shapesWith.get(first) ?? [])
  for (const { index, size, names } of possible) {
    if (size >= fields.length && hasEach(names, fields)) return index
  }
  return -1
}

const hasEach = (names: ReadonlySet<string>, fields: ReadonlyArray<string>): boolean => {
  for (const field of fields) if (!names.has(field)) return false
  return true
}

/** How many fields may be lacking before it takes fewer bytes to say which are there. */
const mostAbsent = 3

/** Texts that are so short take no fewer bytes when they are a number. */
const isWorthANumber = (text: string): boolean => text.length > 1

const isThere = (value: object, field: string): boolean => Reflect.get(value, field) !== undefined

/** Two hexadecimal digits for each byte. */
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const hexOf = (bytes: Uint8Array): string => {
  let hex = ""
  for (const byte of bytes) hex += hexadecimal[byte] ?? ""
  return hex
}

/** The bytes of a text of letters that take one byte each, as most texts are; `undefined`: it has others. */
const hexOfAscii = (text: string): string | undefined => {
  let hex = ""
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) return undefined
    hex += hexadecimal[code] ?? ""
  }
  return hex
}

/** Digits are added to a text: buffers for so many small values take several times as long. */
class Packing {
  #hex = ""
  /** The texts so far, by their numbers. */
  readonly #texts = new Map<string, number>()

  get hex(): string {
    return this.#hex
  }

  value(value: unknown): void {
    if (typeof value === "string") this.#text(value)
    else if (typeof value === "number") this.#number(value)
    else if (Array.isArray(value)) this.#list(value)
    else if (typeof value === "object" && value !== null) this.#object(value)
    else if (typeof value === "boolean") this.#byte(value ? begins.true : begins.false)
    else this.#byte(begins.null)
  }

  #byte(byte: number): void {
    this.#hex += hexadecimal[byte] ?? ""
  }

  /** Seven bits to a byte, the lowest first. */
  #whole(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#byte((rest % 0x80) + 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.#byte(rest)
  }

  #number(value: number): void {
    const isWhole = Number.isSafeInteger(value) && !Object.is(value, -0)
    if (!isWhole) {
      this.#byte(begins.decimal)
      this.#text(JSON.stringify(value))
    } else if (value >= 0 && value < begins.text) this.#byte(value)
    else {
      this.#byte(value < 0 ? begins.negative : begins.whole)
      this.#whole(Math.abs(value))
    }
  }

  #text(value: string): void {
    const [word, number] = [wordOf.get(value), this.#texts.get(value)]
    if (word !== undefined) this.#byte(begins.word + word)
    else if (number !== undefined) this.#again(number)
    else {
      if (isWorthANumber(value)) this.#texts.set(value, this.#texts.size)
      this.#newText(value)
    }
  }

  #newText(value: string): void {
    if (value.length <= mostDigits && digits.test(value)) {
      this.#byte(begins.digits)
      this.#whole(Number(value))
    } else if (value.length === lengthOfUuid && uuid.test(value)) {
      this.#byte(begins.uuid)
      this.#hex += value.replaceAll("-", "")
    } else this.#otherText(value)
  }

  #otherText(value: string): void {
    const ascii = hexOfAscii(value)
    if (ascii !== undefined) this.#utf8(ascii)
    else if (halfOfPair.test(value)) {
      this.#byte(begins.units)
      this.#whole(value.length)
      for (let index = 0; index < value.length; index += 1) this.#whole(value.charCodeAt(index))
    } else this.#utf8(hexOf(encoder.encode(value)))
  }

  #again(number: number): void {
    if (number < earlyTexts) this.#byte(begins.early + number)
    else {
      this.#byte(begins.again)
      this.#whole(number)
    }
  }

  #utf8(hex: string): void {
    const length = hex.length / 2
    if (length < begins.word - begins.text) this.#byte(begins.text + length)
    else {
      this.#byte(begins.longText)
      this.#whole(length)
    }
    this.#hex += hex
  }

  #list(values: ReadonlyArray<unknown>): void {
    this.#byte(begins.list)
    this.#whole(values.length)
    for (const value of values) this.value(value)
  }

  #object(value: object): void {
    const fields: Array<string> = []
    for (const field of Object.keys(value)) if (isThere(value, field)) fields.push(field)
    const index = shapeOf(fields)
    const shape = shapes[index]
    if (shape === undefined) {
      this.#byte(begins.object)
      this.#whole(fields.length)
      for (const field of fields) {
        this.#text(field)
        this.value(Reflect.get(value, field))
      }
      return
    }
    const isSparse = shape.length - fields.length > mostAbsent
    if (isSparse) this.#sparse(value, fields, { index, shape })
    else this.#shaped(value, { index, shape })
  }

  #shaped(value: object, { index, shape }: NumberedShape): void {
    this.#byte(begins.shape + index)
    for (const field of shape) {
      const part: unknown = Reflect.get(value, field)
      if (part === undefined) this.#byte(begins.absent)
      else this.value(part)
    }
  }

  #sparse(value: object, fields: ReadonlyArray<string>, { index, shape }: NumberedShape): void {
    this.#byte(begins.sparse)
    this.#byte(index)
    let bits = 0
    for (const field of fields) bits += 2 ** shape.indexOf(field)
    this.#whole(bits)
    for (const field of shape) {
      const part: unknown = Reflect.get(value, field)
      if (part !== undefined) this.value(part)
    }
  }
}

class Unpacking {
  readonly #bytes: Uint8Array
  #at = 0
  readonly #texts: Array<string> = []

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  value(): unknown {
    return this.#valueOf(this.#byte())
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw broken(`${this.#bytes.length - this.#at} bytes more`)
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw broken("an end too early")
    this.#at += 1
    return byte
  }

  #take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    if (taken.length < length) throw broken("an end too early")
    this.#at += length
    return taken
  }

  #whole(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = this.#byte()
      value += (byte % 0x80) * factor
      if (byte < 0x80) return value
      factor *= 0x80
    }
  }

  #valueOf(begin: number): unknown {
    if (begin < begins.text) return begin
    if (begin < begins.word) return this.#noted(decoder.decode(this.#take(begin - begins.text)))
    if (begin < begins.shape) return words[begin - begins.word] ?? unknown(begin)
    if (begin < begins.null) return this.#shaped(begin)
    if (begin >= begins.early) return this.#texts[begin - begins.early] ?? unknown(begin)
    switch (begin) {
      case begins.null:
        return null
      case begins.false:
      case begins.true:
        return begin === begins.true
      case begins.whole:
        return this.#whole()
      case begins.negative:
        return -this.#whole()
      case begins.list:
        return Array.from({ length: this.#whole() }, () => this.value())
      case begins.object:
        return this.#object()
      case begins.sparse:
        return this.#sparse()
      case begins.decimal:
        return Number(this.value())
      case begins.again:
        return this.#texts[this.#whole()] ?? unknown(begin)
      default:
        return this.#noted(this.#rareText(begin))
    }
  }

  #noted(text: string): string {
    if (isWorthANumber(text)) this.#texts.push(text)
    return text
  }

  #rareText(begin: number): string {
    switch (begin) {
      case begins.longText:
        return decoder.decode(this.#take(this.#whole()))
      case begins.units:
        return Array.from({ length: this.#whole() }, () => String.fromCharCode(this.#whole())).join(
          "",
        )
      case begins.digits:
        return String(this.#whole())
      case begins.uuid:
        return hexOf(this.#take(16)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
      default:
        return unknown(begin)
    }
  }

  #object(): object {
    const entries = Array.from({ length: this.#whole() }, () => [
      String(this.value()),
      this.value(),
    ])
    return Object.fromEntries(entries)
  }

  #sparse(): object {
    const index = this.#byte()
    const fields = shapes[index] ?? unknown(index)
    const bits = this.#whole()
    const there = fields.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1)
    return Object.fromEntries(there.map((field) => [field, this.value()]))
  }

  #shaped(begin: number): object {
    const fields = shapes[begin - begins.shape] ?? unknown(begin)
    const entries: Array<readonly [string, unknown]> = []
    for (const field of fields) {
      const next = this.#byte()
      if (next !== begins.absent) entries.push([field, this.#valueOf(next)])
    }
    return Object.fromEntries(entries)
  }
}

const broken = (what: string): TypeError => new TypeError(`what is packed has ${what}`)

const unknown = (begin: number): never => {
  throw broken(`a value that begins with ${begin}, which a later version must have written`)
}

const bytesOf = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2)
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16)
  }
  return bytes
}

/** A value, packed, in hexadecimal digits: `decode($1, 'hex')` makes them bytes. */
export const pack = (value: unknown): string => {
  const packing = new Packing()
  packing.value(value)
  return packing.hex
}

/** The value that was packed; `encode(column, 'hex')` gives the digits. */
export const unpack = (hex: string): unknown => {
  const unpacking = new Unpacking(bytesOf(hex))
  const value = unpacking.value()
  unpacking.end()
  return value
}
