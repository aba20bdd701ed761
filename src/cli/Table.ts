/** Tables for people: amounts in their currency, at the right. */
import CliTable from "cli-table3"
import * as Result from "effect/Result"
import * as Currency from "../money/Currency.js"

/** A column: its title, and whether it holds numbers. */
export interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

/** An amount with its currency, as `19.99 USD`. */
export const money = (amount: number, currency: string): string =>
  `${figure(amount, currency)} ${currency}`

/** An amount in the decimals of its currency, as `19.99`. */
export const figure = (amount: number, currency: string): string =>
  Result.getOrElse(Currency.formatAmount(amount, currency), () => String(amount))

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

/** Rows under their titles, as wide as they need to be. */
export const table = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
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
