import type { ColumnBatch, ColumnData } from "../../bulk/ColumnBatch.js"
import type { Utf8 } from "../output/Utf8.js"

// Columns that are filled row by row with texts that stand in the bytes of lines, and with numbers.

/** Of the types that columns of `ColumnBatch` may have. */
const [ofNumbers, ofTexts, ofLists] = [3, 5, 12]

const wider = (numbers: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(length, numbers.length * 2))
  larger.set(numbers)
  return larger
}

/** Where a text stands in some bytes. An absent text begins at -1. */
export const absent = -1

/** A column of texts; some rows may have none. */
class TextCells {
  private bytes = new Uint8Array(1 << 14)
  private ends = new Int32Array(1 << 10)
  private bits = new Uint8Array(1 << 7)
  private end = 0
  count = 0
  private missing = 0

  /** Adds a row with the bytes of a text; `from` may be {@link absent}. */
  add(source: Uint8Array, from: number, to: number): void {
    const row = this.count
    this.count += 1
    if (this.count >= this.ends.length) this.grow()
    const place = row >> 3
    const bit = 1 << (row & 7)
    const before = (row & 7) === 0 ? 0 : (this.bits[place] ?? 0)
    this.bits[place] = from === absent ? before : before | bit
    if (from === absent) this.missing += 1
    else this.copy(source, from, to)
    this.ends[row + 1] = this.end
  }

  get isEmpty(): boolean {
    return this.missing === this.count
  }

  /** Writes the text of a row. */
  writeTo(output: Utf8, row: number): void {
    output.addBytes(this.bytes, this.ends[row] ?? 0, this.ends[row + 1] ?? 0)
  }

  /** The column; none when no row has a text. It is of use until the next row is added. */
  get data(): ColumnData | undefined {
    if (this.isEmpty) return undefined
    return {
      ...{ type: { typeId: ofTexts }, length: this.count, offset: 0, nullCount: this.missing },
      ...{ values: this.bytes, valueOffsets: this.ends, nullBitmap: this.bits, children: [] },
    }
  }

  clear(): void {
    this.count = 0
    this.end = 0
    this.missing = 0
  }

  private copy(source: Uint8Array, from: number, to: number): void {
    let { bytes, end } = this
    if (end + to - from > bytes.length) {
      bytes = new Uint8Array((end + to - from) * 2)
      bytes.set(this.bytes)
      this.bytes = bytes
    }
    // Most texts are short, for which a call takes longer than a loop.
    for (let at = from; at < to; at += 1) {
      bytes[end] = source[at] ?? 0
      end += 1
    }
    this.end = end
  }

  private grow(): void {
    this.ends = wider(this.ends, this.count + 1)
    const bits = new Uint8Array(this.ends.length >> 3)
    bits.set(this.bits)
    this.bits = bits
  }
}

/** Where several texts stand in some bytes: a start and an end for each. */
export class Spans {
  places: Int32Array = new Int32Array(64)
  count = 0

  add(from: number, to: number): void {
    const at = this.count * 2
    if (at + 2 > this.places.length) this.places = wider(this.places, at + 2)
    this.places[at] = from
    this.places[at + 1] = to
    this.count += 1
  }

  clear(): void {
    this.count = 0
  }
}

/** A column of lists of texts. */
class ListCells {
  private readonly texts = new TextCells()
  private ends = new Int32Array(1 << 10)
  private count = 0

  /** Adds a row with some of the texts of spans. */
  add(source: Uint8Array, { places }: Spans, first: number, last: number): void {
    for (let span = first; span < last; span += 1) {
      this.texts.add(source, places[span * 2] ?? absent, places[span * 2 + 1] ?? 0)
    }
    this.count += 1
    if (this.count >= this.ends.length) this.ends = wider(this.ends, this.count + 1)
    this.ends[this.count] = this.texts.count
  }

  /** The column; none when all lists are empty. */
  get data(): ColumnData | undefined {
    const { data } = this.texts
    if (data === undefined) return undefined
    return {
      ...{ type: { typeId: ofLists }, length: this.count, offset: 0, nullCount: 0 },
      ...{ valueOffsets: this.ends, children: [data] },
    }
  }

  clear(): void {
    this.count = 0
    this.texts.clear()
  }
}

/** A column of numbers; those that are absent are written as what they count as. */
class NumberCells {
  private values = new Float64Array(1 << 10)
  private count = 0
  /** Whether any number is another one than what an absent one counts as. */
  private isNeeded = false
  private readonly otherwise: number

  constructor(otherwise = 0) {
    this.otherwise = otherwise
  }

  add(value: number): void {
    if (this.count === this.values.length) {
      const values = new Float64Array(this.count * 2)
      values.set(this.values)
      this.values = values
    }
    this.values[this.count] = value
    this.count += 1
    if (value !== this.otherwise) this.isNeeded = true
  }

  get data(): ColumnData | undefined {
    if (!this.isNeeded) return undefined
    return {
      ...{ type: { typeId: ofNumbers }, length: this.count, offset: 0, nullCount: 0 },
      ...{ values: this.values.subarray(0, this.count), children: [] },
    }
  }

  clear(): void {
    this.count = 0
    this.isNeeded = false
  }
}

type ColumnCells = TextCells | ListCells | NumberCells

/** The rows of orders in the columns of `ColumnBatch`, which are filled and used up again and again. */
export class OrderColumns {
  readonly orderId = new TextCells()
  readonly currency = new TextCells()
  readonly createdAt = new NumberCells(Number.NaN)
  readonly tags = new ListCells()
  readonly customerTags = new ListCells()
  readonly discountCodes = new ListCells()
  readonly billingCountry = new TextCells()
  readonly referers = new ListCells()
  readonly taxesIncluded = new NumberCells()
  readonly shippingAmount = new NumberCells()
  readonly shippingTax = new NumberCells()
  readonly gatewayFee = new NumberCells()
  readonly itemId = new TextCells()
  readonly quantity = new NumberCells(1)
  readonly amount = new NumberCells(Number.NaN)
  readonly discount = new NumberCells()
  readonly taxTotal = new NumberCells()
  readonly productId = new TextCells()
  readonly externalId = new TextCells()
  readonly vendor = new TextCells()
  readonly productTags = new ListCells()
  readonly cost = new NumberCells()

  private readonly named: ReadonlyArray<readonly [string, ColumnCells]> = [
    ...([
      ["order_id", this.orderId],
      ["currency", this.currency],
    ] as const),
    ...([
      ["created_at", this.createdAt],
      ["tags", this.tags],
    ] as const),
    ...([
      ["customer_tags", this.customerTags],
      ["discount_codes", this.discountCodes],
    ] as const),
    ...([
      ["billing_country", this.billingCountry],
      ["referer", this.referers],
    ] as const),
    ...([
      ["taxes_included", this.taxesIncluded],
      ["shipping_amount", this.shippingAmount],
    ] as const),
    ...([
      ["shipping_tax", this.shippingTax],
      ["gateway_fee", this.gatewayFee],
    ] as const),
    ...([
      ["item_id", this.itemId],
      ["quantity", this.quantity],
      ["amount", this.amount],
    ] as const),
    ...([
      ["discount", this.discount],
      ["tax_total", this.taxTotal],
    ] as const),
    ...([
      ["product_id", this.productId],
      ["product_external_id", this.externalId],
    ] as const),
    ...([
      ["product_vendor", this.vendor],
      ["product_tags", this.productTags],
    ] as const),
    ...([["product_cost", this.cost]] as const),
  ]

  /** The rows as a batch, which is of use until the columns are filled again. */
  get batch(): ColumnBatch {
    const columns = this.named.flatMap(([name, { data }]) =>
      data === undefined ? [] : [{ name, data }],
    )
    return {
      numRows: this.orderId.count,
      schema: { fields: columns.map(({ name }) => ({ name })) },
      data: { children: columns.map(({ data }) => data) },
    }
  }

  clear(): void {
    for (const [, cells] of this.named) cells.clear()
  }
}
