/** Tables for people: amounts in their currency, at the right. */
import CliTable from "cli-table3"
import * as Result from "effect/Result"
import * as Cents from "../money/Cents.js"
import * as Currency from "../money/Currency.js"

/** A column: its title, and whether it holds numbers. */
export interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

/** An amount in the decimals of its currency, as `19.99`. Sums of many orders may be beyond safe integers. */
export const figure = (amount: number | bigint, currency: string): string => {
  const safe = Number(amount)
  if (Cents.isCents(safe)) {
    return Result.getOrElse(Currency.formatAmount(safe, currency), () => String(amount))
  }
  return `${amount} (in the lowest unit)`
}

/** An amount with its currency, as `19.99 USD`. */
export const money = (amount: number | bigint, currency: string): string =>
  `${figure(amount, currency)} ${currency}`

const plain = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
}

/** Control characters would let a product's name steer the terminal. */
const shown = (text: string): string => text.replace(/\p{Cc}/gu, " ")

/** Rows under their titles, as wide as they need to be. A column in which nothing stands is left out. */
export const table = (
  allColumns: ReadonlyArray<Column>,
  allRows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const isUsed = allColumns.map((_, at) => allRows.some((row) => (row[at] ?? "") !== ""))
  const columns = allColumns.filter((_, at) => isUsed[at])
  const rows = allRows.map((row) => row.filter((_, at) => isUsed[at]))
  const grid = new CliTable({
    head: columns.map((column) => column.title),
    chars: plain,
    colAligns: columns.map((column) => (column.isNumber === true ? "right" : "left")),
    style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 },
  })
  grid.push(...rows.map((row) => row.map(shown)))
  return `${grid
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")}\n`
}
