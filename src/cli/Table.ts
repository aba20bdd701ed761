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

/** Control characters would let a product's name steer the terminal. */
const shown = (text: string): string => text.replace(/\p{Cc}/gu, " ")

/** Columns stand side by side without lines between them. */
const bare = {
  ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
  ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
  ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "" },
  middle: "  ",
}

/** Rows under their titles, as wide as they need to be. A column in which nothing stands is left out. */
export const table = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const used = columns.flatMap((column, at) =>
    rows.some((row) => (row[at] ?? "") !== "") ? [{ ...column, at }] : [],
  )
  const laidOut = new CliTable({
    chars: bare,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: used.map(({ isNumber = false }) => (isNumber ? "right" : "left")),
    head: used.map(({ title }) => title),
  })
  laidOut.push(...rows.map((row) => used.map(({ at }) => shown(row[at] ?? ""))))
  const lines = laidOut.toString().split("\n")
  return lines.map((line) => `${line.trimEnd()}\n`).join("")
}
