/** A backtest as tables, for the terminal. */
import * as Explanation from "../../shares/Explanation.js"
import { oneLine } from "../output/Printable.js"
import * as Table from "../output/Table.js"
import type { Backtest, ChangedOrder, CollaboratorRow, Total } from "./Backtest.js"
import * as BacktestView from "./BacktestView.js"
import * as BacktestWords from "./BacktestView.js"

const who: ReadonlyArray<Table.TableColumn> = [{ title: "who" }, { title: "currency" }]

const amounts: ReadonlyArray<Table.TableColumn> = [
  { title: "before", isNumber: true },
  { title: "after", isNumber: true },
  { title: "difference", isNumber: true },
]

const figures = ({ before, after, difference, currency }: Total): ReadonlyArray<string> => [
  Table.figure(before, currency),
  Table.figure(after, currency),
  BacktestWords.signed(difference, currency),
]

const monthRow = (name: string, row: CollaboratorRow): ReadonlyArray<string> => [
  name,
  row.currency,
  BacktestWords.monthOf(row),
  ...figures(row),
]

const totalRow = ({ name, total }: BacktestView.TotalLine): ReadonlyArray<string> => [
  name,
  total.currency,
  ...figures(total),
  BacktestWords.percentOf(total),
]

/** So many collaborators are listed in each currency, unless all are asked for. */
const mostListed = 50

function* sumTexts(backtest: Backtest): Generator<string> {
  const views = BacktestView.of(backtest, backtest.isAll ? Number.POSITIVE_INFINITY : mostListed)
  const lines = views.flatMap(({ sums, changed }) => [...sums, ...changed])
  const columns = [...who, ...amounts, { title: "change", isNumber: true }]
  yield `In all\n${Table.table(columns, lines.map(totalRow))}`
  for (const sentence of views.flatMap((view) => BacktestView.leftOut(view) ?? [])) {
    yield `${sentence}\n`
  }
  const monthly = [...who, { title: "month" }, ...amounts]
  const rows = views.flatMap(({ sums, changed }) => [
    ...sums.flatMap(({ name, rows: months }) => months.map((row) => monthRow(name, row))),
    ...changed.flatMap(({ name, rows: months }) =>
      months.filter(({ difference }) => difference !== 0n).map((row) => monthRow(name, row)),
    ),
  ])
  yield `\nBy month (${backtest.timeZone})\n${Table.table(monthly, rows)}\n`
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ")

const explanation = (title: string, side: Explanation.Explanation, { names }: Backtest): string => {
  const collaborator = (id: string) => names?.get(id)
  return `  ${title}\n${indented(Explanation.toText(side, { names: { collaborator } }))}\n`
}

const orderText = (order: ChangedOrder, backtest: Backtest): string => {
  const changes = BacktestWords.changesOf(order, backtest.names).map(
    (change) => `  ${oneLine(change)}\n`,
  )
  return [
    `${oneLine(BacktestWords.placeOf(order))}\n`,
    ...changes,
    order.isRefunded ? "  Refunds are taken off these amounts, and not in what follows.\n" : "",
    explanation("Before:", order.before, backtest),
    explanation("After:", order.after, backtest),
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
  if (more > 0) yield `  and ${BacktestWords.counted(more, "more", "more")}\n`
  yield "\n"
}

/** The totals, the sums by month, the biggest differences, the orders that one side refuses. */
export function* texts(backtest: Backtest): Generator<string> {
  const { rows, biggest } = backtest
  yield `Before: ${oneLine(BacktestWords.rulesOf(backtest.before))}\n`
  yield `After: ${oneLine(BacktestWords.rulesOf(backtest.after))}\n\n`
  if (rows.length > 0) yield* sumTexts(backtest)
  if (biggest.length > 0) yield "The biggest differences\n\n"
  for (const order of biggest) yield orderText(order, backtest)
  yield* refusedTexts(backtest)
  for (const sentence of BacktestWords.countsOf(backtest)) yield `${sentence}\n`
}
