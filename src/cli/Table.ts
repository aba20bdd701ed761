/** Tables for people: amounts in their currency, at the right. */
import * as CliOutput from "effect/cli/CliOutput"
import * as Result from "effect/Result"
import * as Cents from "../money/Cents.js"
import * as Currency from "../money/Currency.js"
import { oneLine } from "./Printable.js"

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

const isPlain = /^[\x20-\x7e]*$/

/** How many places of a terminal a text takes; Chinese characters, say, take two each. */
const widthOf = (text: string): number =>
  isPlain.test(text) ? text.length : CliOutput.displayWidth(text)

const gap = "  "

/** Rows under their titles, as wide as they need to be. A column in which nothing stands is left out. */
export const table = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => row.map(oneLine))]
  const used = columns.flatMap(({ isNumber = false }, at) => {
    const widths = lines.map((line) => widthOf(line[at] ?? ""))
    const isEmpty = widths.every((width, index) => index === 0 || width === 0)
    const widest = widths.reduce((most, width) => Math.max(most, width), 0)
    return isEmpty ? [] : [{ at, isNumber, widths, widest }]
  })
  return lines
    .map((line, index) => {
      const cells = used.map(({ at, isNumber, widths, widest }) => {
        const text = line[at] ?? ""
        const filling = " ".repeat(widest - (widths[index] ?? 0))
        return isNumber ? filling + text : text + filling
      })
      return `${cells.join(gap).trimEnd()}\n`
    })
    .join("")
}
