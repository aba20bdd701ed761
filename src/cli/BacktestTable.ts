/** A backtest as tables, for the terminal. */
import * as Explanation from "../shares/Explanation.js"
import type { Backtest, ChangedOrder, Row, Total } from "./Backtest.js"
import * as BacktestWords from "./BacktestWords.js"
import { oneLine } from "./Printable.js"
import * as Table from "./Table.js"

const who: ReadonlyArray<Table.Column> = [{ title: "who" }, { title: "currency" }]

const amounts: ReadonlyArray<Table.Column> = [
  { title: "before", isNumber: true },
  { title: "after", isNumber: true },
  { title: "difference", isNumber: true },
]

const figures = ({ before, after, difference, currency }: Total): ReadonlyArray<string> => [
  Table.figure(before, currency),
  Table.figure(after, currency),
  BacktestWords.signed(difference, currency),
]

const monthRow = (row: Row): ReadonlyArray<string> => [
  BacktestWords.nameOf(row.collaboratorId),
  row.currency,
  BacktestWords.monthOf(row),
  ...figures(row),
]

const totalRow = (total: Total): ReadonlyArray<string> => [
  BacktestWords.nameOf(total.collaboratorId),
  total.currency,
  ...figures(total),
  BacktestWords.percentOf(total),
]

const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ")

const explanation = (title: string, side: Explanation.Explanation): string =>
  `  ${title}\n${indented(Explanation.toText(side))}\n`

const orderText = (order: ChangedOrder): string => {
  const changes = BacktestWords.changesOf(order).map((change) => `  ${oneLine(change)}\n`)
  return [
    `${oneLine(BacktestWords.placeOf(order))}\n`,
    ...changes,
    order.isRefunded ? "  Refunds are taken off these amounts, and not in what follows.\n" : "",
    explanation("Before:", order.before),
    explanation("After:", order.after),
    "\n",
  ].join("")
}

function* refusedTexts(backtest: Backtest): Generator<string> {
  const { refused } = backtest
  if (refused.length === 0) return
  yield "Orders that only one side refuses\n"
  for (const order of refused) {
    const said = `Order ${order.orderId} (line ${order.line}): ${BacktestWords.refusalOf(order)}`
    yield `  ${oneLine(said)}\n`
  }
  const more = BacktestWords.unlisted(backtest)
  if (more > 0) yield `  and ${BacktestWords.count(more, "more", "more")}\n`
  yield "\n"
}

/** The sums by month, the totals, the biggest differences, the orders that one side refuses. */
export function* texts(backtest: Backtest): Generator<string> {
  const { rows, totals, biggest, timeZone } = backtest
  yield `Before: ${oneLine(BacktestWords.rulesOf(backtest.before))}\n`
  yield `After: ${oneLine(BacktestWords.rulesOf(backtest.after))}\n\n`
  if (rows.length > 0) {
    const monthly = [...who, { title: "month" }, ...amounts]
    yield `By month (${timeZone})\n${Table.table(monthly, rows.map(monthRow))}\n`
    const columns = [...who, ...amounts, { title: "change", isNumber: true }]
    yield `In all\n${Table.table(columns, totals.map(totalRow))}\n`
  }
  if (biggest.length > 0) yield "The biggest differences\n\n"
  for (const order of biggest) yield orderText(order)
  yield* refusedTexts(backtest)
  for (const sentence of BacktestWords.countsOf(backtest)) yield `${sentence}\n`
}
