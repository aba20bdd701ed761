/** Values of rows: texts that others are searched in, and everything as it goes into columns and comes out of them. */
import { fromOrdered, toOrdered } from "../../internal/orderedText.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { type PayoutStatus, statuses } from "../../payouts/PayoutStatus.js"
import type { StoredPayout, WrongCopy } from "../../ports/PayoutStore.js"

const nul = String.fromCharCode(0)
/** Stands before what says which letter is meant. */
const sign = String.fromCharCode(1)

/**
 * The control characters with which others are written; they are written with themselves, so none of them
 * ever stands for itself, and a search can't begin or end within what stands for one character.
 */
const escapes = Array.from({ length: 16 }, (_, nibble) => String.fromCharCode(0x0e + nibble))

// Both halves of a pair are written so too: a search for one of them finds it.
const needsSearchForm = new RegExp(`[${nul}${sign}${escapes.join("")}\ud800-\udfff]`, "g")

const searchLetter = (character: string): string => {
  const unit = character.charCodeAt(0)
  const nibbles = [unit >> 12, (unit >> 8) & 15, (unit >> 4) & 15, unit & 15]
  return `${sign}${nibbles.map((nibble) => escapes[nibble] ?? "").join("")}`
}

/** A text in which others can be found: one is within another exactly if it is so of these. */
export const toSearchable = (text: string): string => text.replace(needsSearchForm, searchLetter)

// Values as they go into columns and come out of them.

/** A row as a client gives it. */
export interface Row {
  readonly [column: string]: unknown
}

/** What a statement can be given. */
export type Parameter = string | bigint | boolean | null | ReadonlyArray<string>

/** A whole number as a parameter: always of the same type, so that a statement is prepared once. */
export const whole = (value: number): bigint => BigInt(value)

/** The same where there may be none. */
export const wholeOrNull = (value: number | null | undefined): bigint | null =>
  value == null ? null : BigInt(value)

/** Whole numbers as one parameter: `$1::text[]::bigint[]` makes them numbers again. */
export const wholes = (values: ReadonlyArray<number>): ReadonlyArray<string> => values.map(String)

/** A text as a parameter. */
export const text = (value: string): string => toOrdered(value)

/** The same where there may be none. */
export const textOrNull = (value: string | null | undefined): string | null =>
  value == null ? null : toOrdered(value)

/** Texts as one parameter. */
export const texts = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.map(toOrdered)

/** The columns of lists, by their names. */
export type ListedColumns = Readonly<Record<string, "bigint" | "integer" | "text">>

/**
 * Lists as one row for each place, with the columns that are named and `nth`, the place itself; their parameters begin with the
 * number `first`. A planner can't see how long they are, so a plan of a few is as good as the one for these: it is kept after a
 * while, and must be right for lists of any length.
 */
export const listed = (name: string, columns: ListedColumns, first: number): string => {
  const names = Object.keys(columns)
  const lists = Object.values(columns).map((type, index) => {
    const given = `$${first + index}::text[]`
    return `${type === "text" ? given : `${given}::${type}[]`} AS ${names[index]}s`
  })
  const all = names.map((one) => `lists.${one}s`)
  return `(SELECT ${lists.join(", ")} OFFSET 0) AS lists
    CROSS JOIN unnest(${all.join(", ")}) WITH ORDINALITY AS ${name} (${names.join(", ")}, nth)`
}

/** Anything that JSON can hold, as a parameter of a column of type json. */
export const json = (value: unknown): string => JSON.stringify(value)

const unexpected = (column: string, value: unknown): TypeError =>
  new TypeError(`the column ${column} holds ${typeof value}, which it can't`)

/** A whole number that a column holds: clients give large ones as bigint. */
export const wholeOf = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "string") {
    return Number(value)
  }
  throw unexpected(column, value)
}

/** The same of a column that may hold none. */
export const wholeOrNullOf = (row: Row, column: string): number | null =>
  row[column] === null ? null : wholeOf(row, column)

/** A text that a column holds. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value === "string") return fromOrdered(value)
  throw unexpected(column, value)
}

/** The same of a column that may hold none. */
export const textOrNullOf = (row: Row, column: string): string | null =>
  row[column] === null ? null : textOf(row, column)

/** Whether a column of type boolean says so. */
export const isTrue = (row: Row, column: string): boolean => row[column] === true

/**
 * What a column of type json holds. Select it as text (`document::text as document`), because clients
 * don't agree on who reads JSON.
 */
export const documentOf = <A>(row: Row, column = "document"): A => {
  const value = row[column]
  if (typeof value !== "string") throw unexpected(column, value)
  return JSON.parse(value)
}

// Payouts and their items as they lie in rows.

const namesOfPayout = [
  ...["payout_id", "collaborator_id", "currency", "status", "opened_at", "to_be_paid_at"],
  ...["closed_at", "payable_at", "paid_at", "failure_reason", "total", "items_count"],
  "payment_id",
] as const

/** The columns of payouts but for the account and the version, in their order. */
export const payoutColumns: ReadonlyArray<string> = namesOfPayout

type PayoutColumn = (typeof namesOfPayout)[number] | "version"

/** The same with the version, of the table with a name. */
export const columnsOf = (table: string): string =>
  [...payoutColumns, "version"].map((name) => `${table}.${name}`).join(", ")

const statusOf = (row: Row): PayoutStatus => {
  const found = statuses.find((status) => status === row["status"])
  if (found === undefined) throw new TypeError(`there is no status ${String(row["status"])}`)
  return found
}

/** The payout in a row; or in what PostgreSQL makes of a row as JSON. */
export const payoutOf = (row: Row): StoredPayout => ({
  id: textOf(row, "payout_id"),
  collaboratorId: textOf(row, "collaborator_id"),
  currency: textOf(row, "currency"),
  status: statusOf(row),
  openedAt: wholeOf(row, "opened_at"),
  toBePaidAt: wholeOf(row, "to_be_paid_at"),
  closedAt: wholeOrNullOf(row, "closed_at"),
  payableAt: wholeOrNullOf(row, "payable_at"),
  paidAt: wholeOrNullOf(row, "paid_at"),
  failureReason: textOrNullOf(row, "failure_reason"),
  total: wholeOf(row, "total"),
  itemsCount: wholeOf(row, "items_count"),
  // What was noted before there were payments does not have it.
  paymentId: row["payment_id"] === undefined ? null : textOrNullOf(row, "payment_id"),
  version: wholeOf(row, "version"),
})

/** The row of a payout, as PostgreSQL makes JSON of it. */
export const rowOfPayout = (payout: StoredPayout): Readonly<Record<PayoutColumn, unknown>> => ({
  payout_id: text(payout.id),
  collaborator_id: text(payout.collaboratorId),
  currency: text(payout.currency),
  status: payout.status,
  opened_at: payout.openedAt,
  to_be_paid_at: payout.toBePaidAt,
  closed_at: payout.closedAt,
  payable_at: payout.payableAt,
  paid_at: payout.paidAt,
  failure_reason: textOrNull(payout.failureReason),
  total: payout.total,
  items_count: payout.itemsCount,
  payment_id: textOrNull(payout.paymentId),
  version: payout.version,
})

/** The columns in which an item stands beside its document, and what each of them must hold. */
const itemColumns: Readonly<
  Record<string, readonly [(row: Row, column: string) => unknown, keyof PayoutItem]>
> = {
  item_id: [textOf, "id"],
  kind: [textOf, "kind"],
  amount: [wholeOf, "amount"],
  original_amount: [wholeOf, "originalAmount"],
  original_currency: [textOf, "originalCurrency"],
  exchange_rate: [textOrNullOf, "currencyExchangeRate"],
  created_at: [wholeOf, "createdAt"],
}

/** What stands in the columns of an item otherwise than in its document. */
export const wrongCopiesOf = (row: Row): ReadonlyArray<WrongCopy> => {
  // What is packed is not kept twice.
  if (row["document"] === null) return []
  const item = documentOf<PayoutItem>(row)
  return Object.entries(itemColumns).flatMap(([column, [read, name]]) => {
    const [copy, original] = [read(row, column), item[name] ?? null]
    return copy === original ? [] : [{ itemId: item.id, place: `column ${column}`, copy, original }]
  })
}
