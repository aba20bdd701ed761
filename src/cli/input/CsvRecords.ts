import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import { permissionFields } from "../../wire/Collaborator.js"
import { brokenLine, type InputEntry, type Record } from "./Records.js"

// Which columns a CSV file can have, and where each one's value goes in the JSON form of the input.

/** How a cell is read. An empty cell is absent, whatever its column. */
export type CellKind =
  | "text"
  | "number"
  | "amount"
  | "decimal"
  | "flag"
  | "tags"
  | "values"
  | "bands"

/** One column: where its value goes, and how it is read. */
export interface CsvColumn {
  readonly path: ReadonlyArray<string>
  readonly kind: CellKind
}

export type Columns = { readonly [name: string]: CsvColumn }

const column = (kind: CellKind, ...path: ReadonlyArray<string>): CsvColumn => ({ path, kind })

const columnsOf = (kinds: { readonly [name: string]: CellKind }): Columns =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, column(kind, name)]))

/** A product group for each line. Bands are written as bounds and percentages: `0:10; 1000:15`. */
export const groups: Columns = {
  ...columnsOf({
    id: "text",
    collaborator_id: "text",
    itemType: "text",
    items: "values",
    type_modifier: "text",
    splitConditionType: "text",
    splitConditions: "values",
    condition_modifier: "text",
    type: "text",
    percentage: "text",
    percent: "text",
    amount: "number",
    shipping_percent: "text",
    shipping_amount: "number",
    deduct_for_other_splits: "flag",
    min_amount: "number",
    max_amount: "number",
    starts_at: "number",
    ends_at: "number",
    created_at: "number",
  }),
  tiers_counted: column("text", "terms", "tiers", "counted"),
  tiers_per: column("text", "terms", "tiers", "per"),
  tiers_period: column("text", "terms", "tiers", "period"),
  tiers_bands: column("bands", "terms", "tiers", "bands"),
  cap_amount: column("number", "terms", "cap", "amount"),
  cap_per: column("text", "terms", "cap", "per"),
  cap_period: column("text", "terms", "cap", "period"),
}

/**
 * Whether a line's amounts are in the lowest unit or in decimals of the line's currency. The value itself is not part
 * of the entry.
 */
const amountsIn: Columns = { amounts_in: column("text") }

/** The columns that the lines of one order repeat. */
export const orders: Columns = {
  ...columnsOf({
    currency: "text",
    created_at: "number",
    tags: "tags",
    discount_codes: "tags",
    billing_country: "text",
    referer: "text",
    taxes_included: "flag",
    shipping_amount: "amount",
    shipping_tax: "amount",
    gateway_fee: "amount",
  }),
  ...amountsIn,
  order_id: column("text", "id"),
  customer_tags: column("tags", "customer", "tags"),
}

/** The item's columns in each line of an order. */
export const orderItems: Columns = {
  item_id: column("text", "external_id"),
  quantity: column("number", "quantity"),
  amount: column("amount", "amount"),
  discount: column("amount", "discount"),
  tax_total: column("amount", "tax_total"),
  tax_percent: column("decimal", "tax_percent"),
  tax_name: column("text", "tax_name"),
  grams: column("number", "grams"),
  product_id: column("text", "product", "id"),
  product_external_id: column("text", "product", "external_id"),
  product_external_variant_id: column("text", "product", "external_variant_id"),
  product_other_ids: column("tags", "product", "other_ids"),
  product_name: column("text", "product", "name"),
  product_sku: column("text", "product", "sku"),
  product_vendor: column("text", "product", "vendor"),
  product_tags: column("tags", "product", "tags"),
  product_price: column("amount", "product", "price"),
  product_cost: column("amount", "product", "cost"),
}

/** A refund for each line. */
export const refunds: Columns = {
  ...columnsOf({
    id: "text",
    order_id: "text",
    item_id: "text",
    amount: "amount",
    quantity: "number",
    remaining: "flag",
    shipping_amount: "amount",
    shipping_total: "amount",
    refunded_at: "number",
  }),
  ...amountsIn,
  currency: column("text"),
}

/** An expense or an extra income for each line. */
export const entries: Columns = {
  ...columnsOf({
    collaborator_id: "text",
    kind: "text",
    amount: "amount",
    name: "text",
    at: "number",
  }),
  ...amountsIn,
  currency: column("text"),
}

/** A collaborator for each line. */
export const collaborators: Columns = {
  ...columnsOf({
    id: "text",
    currency: "text",
    payout_measurement: "text",
    payout_frequency: "number",
    payout_threshold: "number",
    payout_holding_days: "number",
    should_pay_automatically: "flag",
    notes: "text",
  }),
  name: column("text", "account", "name"),
  paypal_email: column("text", "account", "paypal_email"),
  ...Object.fromEntries(
    permissionFields.map((name) => [name, column("flag", "permissions", name)]),
  ),
}

/** An exchange rate for each line. */
export const rates: Columns = columnsOf({
  from: "text",
  to: "text",
  rate: "text",
  from_date: "text",
})

const whole = /^[+-]?\d+$/
const decimal = /^[+-]?\d+(\.\d+)?$/

/** Separated thousands, and decimals after a different separator. */
const separated = /^([+-]?\d{1,3}(?:([.,' ])\d{3})(?:\2\d{3})*)([.,])(\d+)$/

/** The amount in the form that `Currency.parseAmount` reads; `undefined` where it is ambiguous. */
const plainDecimal = (text: string): string | undefined => {
  if (decimal.test(text)) return text
  if (/^[+-]?\d+,\d+$/.test(text)) return /,\d{3}$/.test(text) ? undefined : text.replace(",", ".")
  const [, whole = "", thousands, point, decimals] = separated.exec(text) ?? []
  return point === undefined || thousands === point
    ? undefined
    : `${whole.replaceAll(thousands ?? "", "")}.${decimals}`
}

/** An amount in decimals of a currency; a text that is no such amount stays a text. */
const decimalAmount = (text: string, currency: string): number | string => {
  const plain = plainDecimal(text)
  const amount = plain === undefined ? undefined : Currency.parseAmount(plain, currency)
  return amount !== undefined && Result.isSuccess(amount) ? amount.success : text
}

const band = /^([+-]?\d+)\s*:\s*(\S+)$/

/** The bands of tiers; a text that has none stays a text. */
const bandsOf = (text: string): unknown => {
  const parts = text.split(";").map((part) => part.trim())
  const bands = parts.flatMap((part) => {
    const [, from, percent] = band.exec(part) ?? []
    return percent === undefined ? [] : [{ from: Number(from), percent }]
  })
  return bands.length === parts.length ? bands : text
}

/**
 * The value of a cell. Amounts are in the lowest unit, unless `decimalsOf` names the currency in whose decimals they
 * are. A value that does not fit its column stays a text, so that the reader reports the problem.
 */
export const cellValue = (text: string, kind: CellKind, decimalsOf?: string): unknown => {
  const trimmed = text.trim()
  if (kind === "amount" && decimalsOf !== undefined) return decimalAmount(trimmed, decimalsOf)
  // `60.00` is not 60: an amount in cents with a decimal point is probably in dollars by mistake.
  if (kind === "number" || kind === "amount") return whole.test(trimmed) ? Number(trimmed) : trimmed
  if (kind === "decimal") return decimal.test(trimmed) ? Number(trimmed) : trimmed
  if (kind === "flag") return /^true$/i.test(trimmed) || (!/^false$/i.test(trimmed) && trimmed)
  if (kind === "text") return trimmed
  if (kind === "bands") return bandsOf(trimmed)
  return trimmed
    .split(kind === "tags" ? /[;,]/ : ";")
    .map((value) => value.trim())
    .filter((value) => value !== "")
}

// CSV with a header line, turned into the JSON form of the input.

/** One line (a quoted cell may hold line breaks: then the line on which it begins). */
export interface CsvRow {
  readonly cells: ReadonlyArray<string>
  readonly line: number
}

/** Which columns a kind of input has; with `lines`, neighbouring lines of the same id are one entry. */
export interface CsvShape {
  readonly columns: Columns
  readonly lines?: {
    /** The column by which lines belong together. */
    readonly by: string
    /** The field that collects them. */
    readonly into: string
    readonly columns: Columns
  }
}

type CellValues = { [key: string]: unknown }

/** The column whose value went to a path. */
const columnOf = (columns: Columns, path: string): string => {
  const field = path.replace(/\[\d+\](\.\w+)?$/, "")
  const found = Object.entries(columns).find(([, column]) => column.path.join(".") === field)
  return found?.[0] ?? path
}

class CsvRecord implements Record {
  readonly _tag = "Record"
  readonly path = ""
  readonly line: number
  readonly value: CellValues
  private readonly lines: Array<number> = []
  private readonly shape: CsvShape

  constructor(shape: CsvShape, line: number, value: CellValues) {
    this.shape = shape
    this.line = line
    this.value = value
  }

  addLine(line: number): void {
    this.lines.push(line)
  }

  locate(path: string) {
    const [prefix, index] = /^[a-z_]+\[(\d+)\]\.?/.exec(path) ?? []
    const { columns, lines } = this.shape
    return prefix === undefined || lines === undefined
      ? { line: this.line, field: columnOf(columns, path) }
      : {
          line: this.lines[Number(index)] ?? this.line,
          field: columnOf(lines.columns, path.slice(prefix.length)),
        }
  }
}

const isKnown = (shape: CsvShape, name: string): boolean =>
  Object.hasOwn(shape.columns, name) || Object.hasOwn(shape.lines?.columns ?? {}, name)

/** Whether a line can be the header of this kind of input: at least one column is known. */
export const isHeader = (shape: CsvShape, line: string): boolean =>
  line.split(/[,;\t]/).some((cell) => isKnown(shape, cell.replace(/["\s]/g, "")))

/** All possible columns, for messages. */
export const columnNames = (shape: CsvShape): ReadonlyArray<string> => [
  ...(shape.lines === undefined ? [] : [shape.lines.by]),
  ...Object.keys({ ...shape.columns, ...shape.lines?.columns }).filter(
    (name) => name !== shape.lines?.by,
  ),
]

/** Puts a value into nested objects: `product`, `tags`. */
const put = (target: CellValues, path: ReadonlyArray<string>, value: unknown): void => {
  const [key, ...rest] = path
  if (key === undefined) return
  if (rest.length === 0) {
    target[key] = value
    return
  }
  const inner = target[key]
  const nested: CellValues = typeof inner === "object" && inner !== null ? { ...inner } : {}
  put(nested, rest, value)
  target[key] = nested
}

/** An entry of several lines that is still being read. */
interface OpenEntry {
  readonly id: string
  readonly record: CsvRecord
  readonly items: Array<unknown>
  /** The cells that its lines share, from the first line. */
  readonly shared: Map<string, string>
  /** A contradiction in a later line. */
  conflict: string | undefined
}

const finished = ({ record, conflict }: OpenEntry): InputEntry =>
  conflict === undefined ? record : brokenLine(record.line, conflict)

/** The entries of one CSV input, given line by line. */
export class CsvRecords {
  /** Unknown columns of the file. */
  readonly ignored: ReadonlyArray<string>
  /** Columns that occur more than once: it is not clear which of them counts. */
  readonly repeated: ReadonlyArray<string>
  /** A cell of several values with commas, which don't separate here. */
  commas: { readonly name: string; readonly text: string; readonly line: number } | undefined
  private readonly shape: CsvShape
  private readonly names: ReadonlyArray<string>
  private batch: Array<InputEntry> = []
  private open: OpenEntry | undefined

  constructor(shape: CsvShape, header: CsvRow) {
    this.shape = shape
    this.names = header.cells.map((cell) => cell.trim())
    this.ignored = this.names.filter((name) => name !== "" && !isKnown(shape, name))
    this.repeated = this.names.filter(
      (name, at) => isKnown(shape, name) && this.names.indexOf(name) < at,
    )
  }

  /** Takes a line. */
  push(row: CsvRow): void {
    const { lines, columns } = this.shape
    if (lines === undefined) {
      const values = this.valuesOf(row, columns)
      const wrong = this.wrongAmounts(row)
      this.batch.push(
        wrong === undefined
          ? new CsvRecord(this.shape, row.line, values)
          : brokenLine(row.line, wrong),
      )
      return
    }
    const id = (row.cells[this.names.indexOf(lines.by)] ?? "").trim()
    const open = this.open?.id === id && id !== "" ? this.open : this.begin(row, id)
    this.compareShared(row, open)
    open.items.push(this.valuesOf(row, lines.columns))
    open.record.addLine(row.line)
  }

  /** How many complete entries are waiting. */
  get size(): number {
    return this.batch.length
  }

  /** Removes and returns the complete entries. */
  take(): ReadonlyArray<InputEntry> {
    const { batch } = this
    this.batch = []
    return batch
  }

  /** Ends the input: the entry that was still open is complete. */
  end(): ReadonlyArray<InputEntry> {
    if (this.open !== undefined) this.batch.push(finished(this.open))
    this.open = undefined
    return this.take()
  }

  private cell(row: CsvRow, name: string): string {
    return (row.cells[this.names.indexOf(name)] ?? "").trim()
  }

  /** The value of a shared column in the line, or else in the first line of the same entry. */
  private said(row: CsvRow, name: "amounts_in" | "currency"): string {
    return this.cell(row, name) || (this.open?.shared.get(name) ?? "")
  }

  /** The currency in whose decimals the line's amounts are; `undefined`: they are in the lowest unit. */
  private decimalsOf(row: CsvRow): string | undefined {
    return this.said(row, "amounts_in") === "decimals" ? this.said(row, "currency") : undefined
  }

  private wrongAmounts(row: CsvRow): string | undefined {
    const said = this.cell(row, "amounts_in")
    if (said !== "" && said !== "cents" && said !== "decimals") {
      return `amounts_in: must be cents (the lowest unit of the currency) or decimals, got "${said}"`
    }
    return said === "decimals" && !Currency.isCurrency(this.cell(row, "currency"))
      ? "currency: is needed where amounts_in says decimals, as USD"
      : undefined
  }

  private begin(row: CsvRow, id: string) {
    if (this.open !== undefined) this.batch.push(finished(this.open))
    this.open = undefined
    const items: Array<unknown> = []
    const values = this.valuesOf(row, this.shape.columns)
    values[this.shape.lines?.into ?? "items"] = items
    const record = new CsvRecord(this.shape, row.line, values)
    this.open = { id, record, items, shared: new Map(), conflict: this.wrongAmounts(row) }
    return this.open
  }

  /** The lines of one entry repeat the shared cells or leave them empty; a different value is a conflict. */
  private compareShared(row: CsvRow, open: OpenEntry): void {
    this.names.forEach((name, index) => {
      const text = (row.cells[index] ?? "").trim()
      if (text === "" || !Object.hasOwn(this.shape.columns, name)) return
      const earlier = open.shared.get(name)
      if (earlier === text) return
      if (open.items.length === 0) open.shared.set(name, text)
      else {
        const first = earlier === undefined ? "nothing" : `"${earlier}"`
        open.conflict ??= `${name}: line ${row.line} says "${text}" of ${open.id}, and its first line ${first}`
      }
    })
  }

  private valuesOf(row: CsvRow, columns: Columns): CellValues {
    const values: CellValues = {}
    const decimalsOf = this.decimalsOf(row)
    this.names.forEach((name, index) => {
      const cell = row.cells[index] ?? ""
      const column = Object.hasOwn(columns, name) ? columns[name] : undefined
      if (column === undefined || cell.trim() === "") return
      if (column.kind === "values" && /^[^;]*,[^;]*$/.test(cell)) {
        this.commas ??= { name, text: cell.trim(), line: row.line }
      }
      put(values, column.path, cellValue(cell, column.kind, decimalsOf))
    })
    return values
  }
}
