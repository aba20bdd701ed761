// The records of an ACH file, each 94 characters long, column by column as the operating rules of Nacha list them.

/** A column with its width: `text` begins at the left, `number` ends at the right after zeros. */
export type Column = readonly [name: string, width: number, kind: "text" | "number"]

const text = (name: string, width: number): Column => [name, width, "text"]
const number = (name: string, width: number): Column => [name, width, "number"]

/** A blank column. */
const blank = (width: number): Column => text("", width)

export const recordLength = 94

export const fileHeader: ReadonlyArray<Column> = [
  ...[text("type", 1), text("priority", 2), text("destination", 10), text("origin", 10)],
  ...[text("date", 6), text("time", 4), text("modifier", 1), text("recordSize", 3)],
  ...[text("blocking", 2), text("format", 1), text("destinationName", 23), text("originName", 23)],
  blank(8),
]

export const batchHeader: ReadonlyArray<Column> = [
  ...[
    text("type", 1),
    text("service", 3),
    text("companyName", 16),
    blank(20),
    text("companyId", 10),
  ],
  ...[text("entryClass", 3), text("description", 10), blank(6), text("effectiveOn", 6), blank(3)],
  ...[text("status", 1), text("bank", 8), number("batch", 7)],
]

export const entryDetail: ReadonlyArray<Column> = [
  ...[
    text("type", 1),
    text("code", 2),
    text("routing", 9),
    text("account", 17),
    number("amount", 10),
  ],
  ...[text("id", 15), text("name", 22), blank(2), text("hasAddenda", 1), text("trace", 15)],
]

export const addenda: ReadonlyArray<Column> = [
  ...[text("type", 1), text("kind", 2), text("information", 80), number("place", 4)],
  number("entry", 7),
]

/** An addenda record of a return (kind 99). */
export const returnAddenda: ReadonlyArray<Column> = [
  ...[text("type", 1), text("kind", 2), text("reason", 3), text("originalTrace", 15)],
  ...[text("deathOn", 6), text("bank", 8), text("information", 44), text("trace", 15)],
]

/** An addenda record of a notification of change (kind 98). */
export const changeAddenda: ReadonlyArray<Column> = [
  ...[text("type", 1), text("kind", 2), text("reason", 3), text("originalTrace", 15), blank(6)],
  ...[text("bank", 8), text("information", 29), blank(15), text("trace", 15)],
]

export const batchControl: ReadonlyArray<Column> = [
  ...[text("type", 1), text("service", 3), number("entries", 6), number("hash", 10)],
  ...[number("debits", 12), number("credits", 12), text("companyId", 10), blank(25)],
  ...[text("bank", 8), number("batch", 7)],
]

export const fileControl: ReadonlyArray<Column> = [
  ...[text("type", 1), number("batches", 6), number("blocks", 6), number("entries", 8)],
  ...[number("hash", 10), number("debits", 12), number("credits", 12), blank(39)],
]

/** Writes a record from the values of its columns. A value wider than its column is a bug of the caller, and is cut. */
export const write = (
  columns: ReadonlyArray<Column>,
  values: Readonly<Record<string, string | number>>,
): string =>
  columns
    .map(([name, width, kind]) => {
      const value = String(values[name] ?? "")
      return kind === "number"
        ? value.padStart(width, "0").slice(-width)
        : value.padEnd(width).slice(0, width)
    })
    .join("")

/** The columns of a record by name, trimmed. */
export const read = (
  columns: ReadonlyArray<Column>,
  line: string,
): Readonly<Record<string, string>> => {
  const values: Record<string, string> = {}
  let from = 0
  for (const [name, width] of columns) {
    if (name !== "") values[name] = line.slice(from, from + width).trim()
    from += width
  }
  return values
}

/** The sum of the first eight digits of all routing numbers; its last ten digits are written. */
export const entryHash = (banks: ReadonlyArray<string>): string =>
  String(banks.reduce((sum, bank) => sum + BigInt(bank.slice(0, 8)), 0n))
    .padStart(10, "0")
    .slice(-10)
