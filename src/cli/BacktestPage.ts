/** A backtest as one page that needs nothing else: charts with their figures, made for screens and paper. */
import * as Explanation from "../shares/Explanation.js"
import type { Backtest, ChangedOrder, Row, Total } from "./Backtest.js"
import * as BacktestChart from "./BacktestChart.js"
import { style } from "./BacktestPageStyle.js"
import * as BacktestView from "./BacktestView.js"
import * as BacktestWords from "./BacktestWords.js"
import { type Html, html } from "./Html.js"
import * as Table from "./Table.js"

const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Backtest</title>
<style>${style}</style>
</head>
<body>
<main>`

const header = (backtest: Backtest): Html => html`
<header>
  <h1>What other rules would have given</h1>
  <dl>
    <dt>Before</dt><dd>${BacktestWords.rulesOf(backtest.before)}</dd>
    <dt>After</dt><dd>${BacktestWords.rulesOf(backtest.after)}</dd>
    <dt>Months</dt><dd>of the orders, in ${backtest.timeZone}</dd>
    <dt>Orders</dt><dd>${BacktestWords.countsOf(backtest).join(" ")}</dd>
  </dl>
</header>`

const swatch = (kind: string): Html =>
  html`<svg width="14" height="14" aria-hidden="true"><rect class="${kind}" x="1" y="1" width="12" height="12"/></svg>`

const legend = html`
<ul class="legend">
  <li>${swatch("before")} before</li>
  <li>${swatch("after")} after</li>
  <li>${swatch("more")} difference, more</li>
  <li>${swatch("less")} difference, less</li>
  <li>each chart has scales of its own</li>
</ul>`

const amountHeads = html`<th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col" class="number">Difference</th>`

const amountCells = ({ before, after, difference, currency }: Total): Html =>
  html`<td class="number">${Table.figure(before, currency)}</td><td class="number">${Table.figure(after, currency)}</td><td class="number">${BacktestWords.signed(difference, currency)}</td>`

const totalsTable = (lines: ReadonlyArray<BacktestView.Line>, currency: string): Html => html`
<div class="wide"><table>
  <caption>In all, ${currency}</caption>
  <thead><tr><th scope="col">Who</th>${amountHeads}<th scope="col" class="number">Change</th></tr></thead>
  <tbody>${lines.map(
    ({ name, total }) => html`
    <tr><th scope="row">${name}</th>${amountCells(total)}<td class="number">${BacktestWords.percentOf(total)}</td></tr>`,
  )}
  </tbody>
</table></div>`

const monthsTable = ({
  name,
  rows,
  total,
}: BacktestView.Line): Html => html`<div class="wide"><table>
    <caption>${name}, ${total.currency}, by month</caption>
    <thead><tr><th scope="col">Month</th>${amountHeads}</tr></thead>
    <tbody>${rows.map(
      (row) => html`
      <tr><th scope="row">${BacktestWords.monthOf(row)}</th>${amountCells(row)}</tr>`,
    )}
    </tbody>
    <tfoot><tr><th scope="row">In all</th>${amountCells(total)}</tr></tfoot>
  </table></div>`

const describe = ({ before, after, difference, currency }: Total): string => {
  const money = (amount: bigint) => Table.money(amount, currency)
  return `Bars by month. In all ${money(before)} before and ${money(after)} after: ${BacktestWords.signed(difference, currency)} ${currency}. The table beside has the figures of each month.`
}

const section = (
  line: BacktestView.Line,
  { id, months }: Pick<BacktestChart.Chart, "id" | "months">,
): Html => {
  const { name, total, rows } = line
  const { currency } = total
  const title = `${name}, ${currency}: before, after and difference by month`
  const chart = { id, title, description: describe(total), currency, months, rows }
  return html`
<section>
  <h3>${name}</h3>
  <div class="beside">
  ${BacktestChart.svg(chart)}
  ${monthsTable(line)}
  </div>
</section>`
}

/** The months in which anything was sold in a currency; those without a time last. */
const monthsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const named = new Set(rows.flatMap(({ month }) => month ?? []))
  const undated = rows.find(({ month }) => month === null)
  return [...[...named].sort(), ...(undated === undefined ? [] : [BacktestWords.monthOf(undated)])]
}

/** So many collaborators have a chart in each currency, and a line in the totals, unless all are asked for. */
const mostCharts = 10
const mostListed = 1_000

function* currencySections(backtest: Backtest): Generator<Html> {
  const rowsByCurrency = Map.groupBy(backtest.rows, ({ currency }) => currency)
  let charts = 0
  const most = backtest.isAll ? Number.POSITIVE_INFINITY : mostListed
  for (const view of BacktestView.of(backtest, most)) {
    const { currency, sums, changed } = view
    const months = monthsOf(rowsByCurrency.get(currency) ?? [])
    const leftOut = BacktestView.leftOut(view)
    yield html`
<h2>${currency}</h2>${totalsTable([...sums, ...changed], currency)}`
    if (leftOut !== undefined) yield html`<p>${leftOut}</p>`
    yield legend
    const drawn = backtest.isAll ? changed : changed.slice(0, mostCharts)
    for (const line of [...sums, ...drawn]) {
      charts += 1
      yield section(line, { id: `chart-${charts}`, months })
    }
  }
}

/** Several lines: each is escaped by itself, for on a page a line break within a text is a space. */
const lines = (text: string): Html =>
  html`${text.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`\n${line}`))}`

const orderSection = (order: ChangedOrder, { names }: Backtest): Html => {
  const collaborator = (id: string) => names?.get(id)
  const story = (side: Explanation.Explanation) =>
    lines(Explanation.toText(side, { names: { collaborator } }))
  return html`
<section>
  <h3>${BacktestWords.placeOf(order)}</h3>
  <ul>${BacktestWords.changesOf(order, names).map((change) => html`<li>${change}</li>`)}</ul>
  ${order.isRefunded ? html`<p>Refunds are taken off these amounts, and not in what follows.</p>` : html``}
  <h4>Before</h4>
  <pre>${story(order.before)}</pre>
  <h4>After</h4>
  <pre>${story(order.after)}</pre>
</section>`
}

function* refusedSection(backtest: Backtest): Generator<Html> {
  const { refused } = backtest
  if (refused.length === 0) return
  yield html`
<h2>Orders that only one side refuses</h2>
<ul>`
  for (const order of refused) {
    yield html`
  <li>Order ${order.orderId} (line ${order.line}): ${BacktestWords.refusalOf(order)}</li>`
  }
  const more = BacktestWords.unlisted(backtest)
  if (more > 0)
    yield html`
  <li>and ${BacktestWords.count(more, "more", "more")}</li>`
  yield html`
</ul>`
}

/** The whole page, a section at a time. */
export function* texts(backtest: Backtest): Generator<string> {
  yield head.text
  yield header(backtest).text
  for (const part of currencySections(backtest)) yield part.text
  if (backtest.biggest.length > 0) yield "\n<h2>The biggest differences</h2>"
  for (const order of backtest.biggest) yield orderSection(order, backtest).text
  for (const part of refusedSection(backtest)) yield part.text
  yield "\n</main>\n</body>\n</html>\n"
}
