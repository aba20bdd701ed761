import { Html, html } from "../../documents/Html.js"
import * as Explanation from "../../shares/Explanation.js"
import * as Table from "../output/Table.js"
import type { Backtest, ChangedOrder, CollaboratorRow, Total } from "./Backtest.js"
import * as BacktestView from "./BacktestView.js"

// A chart of one collaborator's months: bars before and after side by side, and their differences below.

/** The data of a chart. A month without a row has no bars. */
export interface Chart {
  /** Distinguishes it from the other charts of its page. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly currency: string
  readonly months: ReadonlyArray<string>
  readonly rows: ReadonlyArray<CollaboratorRow>
}

/** Part of the drawing, with its own scale. */
interface Panel {
  readonly top: number
  readonly height: number
  readonly most: bigint
  readonly least: bigint
}

const seriesTop = 14
const seriesHeight = 150
const differenceTop = 196
const differenceHeight = 84
const totalHeight = 316
const wholeWidth = 640
const labelGap = 46
const digitWidth = 6.5

const panelOf = (
  { top, height }: Pick<Panel, "top" | "height">,
  values: ReadonlyArray<bigint>,
): Panel => {
  let [most, least] = [0n, 0n]
  for (const value of values) {
    if (value > most) most = value
    if (value < least) least = value
  }
  return { top, height, most, least }
}

const rounded = (place: number): number => Math.round(place * 100) / 100

/** How far from the top a value is. */
const heightOf = ({ top, height, most, least }: Panel, value: bigint): number => {
  const range = Number(most - least)
  return rounded(top + (range === 0 ? height : (height * Number(most - value)) / range))
}

const bar = (
  panel: Panel,
  value: bigint,
  at: { readonly x: number; readonly width: number; readonly kind: string; readonly said: string },
): Html => {
  const [zero, end] = [heightOf(panel, 0n), heightOf(panel, value)]
  const [top, height] = [Math.min(zero, end), rounded(Math.abs(zero - end))]
  return html`<rect class="${at.kind}" x="${rounded(at.x)}" y="${top}" width="${rounded(at.width)}" height="${height}"><title>${at.said}</title></rect>`
}

/** The columns of the drawing: where each month begins, how wide it is, how many show their names. */
interface Columns {
  readonly left: number
  readonly step: number
  readonly width: number
  readonly every: number
}

const columnsOf = ({ months }: Chart, labels: ReadonlyArray<string>): Columns => {
  const longest = labels.reduce((most, label) => Math.max(most, label.length), 0)
  const left = rounded(longest * digitWidth + 10)
  const step = Math.max(14, Math.min(72, (wholeWidth - left) / Math.max(1, months.length)))
  const width = rounded(left + step * months.length + 12)
  return { left, step: rounded(step), width, every: Math.ceil(labelGap / step) }
}

/** The grid lines of a panel, with their amounts; lines too near to the zero line are left out. */
const scale = (panel: Panel, { left, width }: Columns, figure: (value: bigint) => string) => {
  const zero = heightOf(panel, 0n)
  const edges = [panel.most, panel.least].filter(
    (value) => Math.abs(heightOf(panel, value) - zero) > 12,
  )
  return [...edges, 0n].map((value) => {
    const y = heightOf(panel, value)
    const kind = value === 0n ? "zero" : "line"
    return html`
    <line class="${kind}" x1="${left}" x2="${width}" y1="${y}" y2="${y}"/><text x="${left - 6}" y="${rounded(y + 4)}" text-anchor="end">${figure(value)}</text>`
  })
}

const monthBars = (
  chart: Chart,
  { left, step }: Columns,
  { series, differences }: { readonly series: Panel; readonly differences: Panel },
): ReadonlyArray<Html> => {
  const places = new Map(chart.months.map((month, index) => [month, left + index * step]))
  const width = step * 0.36
  return chart.rows.map((row) => {
    const month = BacktestView.monthOf(row)
    const x = (places.get(month) ?? left) + step * 0.12
    const { before, after, difference } = row
    const money = (amount: bigint) => Table.money(amount, chart.currency)
    const signed = `${BacktestView.signed(difference, chart.currency)} ${chart.currency}`
    return html`
    ${bar(series, before, { x, width, kind: "before", said: `${month} before: ${money(before)}` })}${bar(
      series,
      after,
      { x: x + step * 0.4, width, kind: "after", said: `${month} after: ${money(after)}` },
    )}${bar(differences, difference, {
      x: x + step * 0.2,
      width,
      kind: difference < 0n ? "less" : "more",
      said: `${month} difference: ${signed}`,
    })}`
  })
}

const monthNames = ({ months }: Chart, { left, step, every }: Columns): ReadonlyArray<Html> =>
  months
    .map((month, index) => ({ month, x: rounded(left + (index + 0.5) * step), index }))
    .filter(({ index }) => index % every === 0)
    .map(
      ({ month, x }) => html`
    <text x="${x}" y="${totalHeight - 16}" text-anchor="middle">${month}</text>`,
    )

/** The chart as SVG, for embedding in a page. */
export const svg = (chart: Chart): Html => {
  const { currency, rows, id } = chart
  const series = panelOf(
    { top: seriesTop, height: seriesHeight },
    rows.flatMap(({ before, after }) => [before, after]),
  )
  const differences = panelOf(
    { top: differenceTop, height: differenceHeight },
    rows.map(({ difference }) => difference),
  )
  const figure = (value: bigint) => Table.figure(value, currency)
  const signed = (value: bigint) => BacktestView.signed(value, currency)
  const labels = [series, differences].flatMap(({ most, least }) => [signed(most), signed(least)])
  const columns = columnsOf(chart, labels)
  return html`<svg viewBox="0 0 ${columns.width} ${totalHeight}" width="${columns.width}" height="${totalHeight}" role="img" aria-labelledby="${id}-title ${id}-description">
    <title id="${id}-title">${chart.title}</title>
    <desc id="${id}-description">${chart.description}</desc>${scale(series, columns, figure)}${scale(differences, columns, signed)}${monthBars(chart, columns, { series, differences })}${monthNames(chart, columns)}
  </svg>`
}

// The styles of the page of a backtest: on light and dark screens, and in print.

/** Bars before are outlined and bars after are filled, so that they differ without colours. */
export const style = new Html(`
  :root { color-scheme: light dark; --text: #1b1f24; --quiet: #4b5563; --page: #f3f4f6; --sheet: #fff; --line: #d1d5db; --before: #6b7280; --after: #1d4ed8; --more: #15803d; --less: #b91c1c; }
  @media screen and (prefers-color-scheme: dark) {
    :root { --text: #e5e7eb; --quiet: #a3adba; --page: #0f1318; --sheet: #1a2027; --line: #3b4551; --before: #a3adba; --after: #7aa2ff; --more: #4ade80; --less: #f87171; }
  }
  * { box-sizing: border-box; }
  body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--text); background: var(--page); margin: 0; padding: 2rem 1rem; }
  main { background: var(--sheet); max-width: 76rem; margin: 0 auto; padding: 2.5rem; border-radius: 6px; box-shadow: 0 1px 3px rgb(0 0 0 / 15%); }
  header { border-bottom: 2px solid var(--text); padding-bottom: 1rem; }
  h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
  h2 { font-size: 1.3rem; margin: 2.5rem 0 .25rem; border-bottom: 1px solid var(--line); }
  h3 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
  h4 { font-size: .9rem; margin: .75rem 0 0; color: var(--quiet); }
  h1, h2, h3, li, p, td, th { overflow-wrap: anywhere; }
  p, ul { margin: .25rem 0; }
  dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
  dt { color: var(--quiet); }
  dd { margin: 0; }
  .wide { overflow-x: auto; }
  .beside { display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }
  .beside > .wide { flex: 1 1 20rem; }
  table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-variant-numeric: tabular-nums; }
  caption { text-align: left; font-size: .8rem; color: var(--quiet); padding-bottom: .25rem; }
  th { text-align: left; font-size: .8rem; font-weight: 600; color: var(--quiet); border-bottom: 1px solid var(--line); }
  th, td { padding: .25rem .6rem .25rem 0; vertical-align: top; }
  th:last-child, td:last-child { padding-right: 0; }
  tbody th { font-size: inherit; font-weight: inherit; color: inherit; border-bottom: none; }
  tbody tr + tr > * { border-top: 1px solid var(--line); }
  tfoot > tr > * { border: none; border-top: 1px solid var(--text); font-size: inherit; font-weight: 600; color: inherit; }
  .number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
  .legend { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; padding: 0; color: var(--quiet); font-size: .85rem; }
  .legend svg { vertical-align: -2px; }
  svg { max-width: 100%; height: auto; }
  svg text { font-size: 11px; fill: var(--quiet); font-variant-numeric: tabular-nums; }
  rect.before { fill: var(--sheet); stroke: var(--before); stroke-width: 1.5; }
  rect.after { fill: var(--after); }
  rect.more { fill: var(--more); }
  rect.less { fill: var(--less); }
  line.line { stroke: var(--line); stroke-dasharray: 2 3; }
  line.zero { stroke: var(--quiet); }
  pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; }
  @page { margin: 18mm 15mm; }
  @media print {
    body { background: #fff; padding: 0; font-size: 10pt; }
    main { box-shadow: none; border-radius: 0; max-width: none; padding: 0; }
    h2, h3, h4, header { break-after: avoid; }
    tr, svg { break-inside: avoid; }
    thead { display: table-header-group; }
    tfoot { display: table-row-group; break-before: avoid; }
    .wide { overflow: visible; }
  }
`)

// A backtest as one self-contained page: charts with their figures, for screens and paper.

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
    <dt>Before</dt><dd>${BacktestView.rulesOf(backtest.before)}</dd>
    <dt>After</dt><dd>${BacktestView.rulesOf(backtest.after)}</dd>
    <dt>Months</dt><dd>of the orders, in ${backtest.timeZone}</dd>
    <dt>Orders</dt><dd>${BacktestView.countsOf(backtest).join(" ")}</dd>
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
  html`<td class="number">${Table.figure(before, currency)}</td><td class="number">${Table.figure(after, currency)}</td><td class="number">${BacktestView.signed(difference, currency)}</td>`

const totalsTable = (lines: ReadonlyArray<BacktestView.TotalLine>, currency: string): Html => html`
<div class="wide"><table>
  <caption>In all, ${currency}</caption>
  <thead><tr><th scope="col">Who</th>${amountHeads}<th scope="col" class="number">Change</th></tr></thead>
  <tbody>${lines.map(
    ({ name, total }) => html`
    <tr><th scope="row">${name}</th>${amountCells(total)}<td class="number">${BacktestView.percentOf(total)}</td></tr>`,
  )}
  </tbody>
</table></div>`

const monthsTable = ({
  name,
  rows,
  total,
}: BacktestView.TotalLine): Html => html`<div class="wide"><table>
    <caption>${name}, ${total.currency}, by month</caption>
    <thead><tr><th scope="col">Month</th>${amountHeads}</tr></thead>
    <tbody>${rows.map(
      (row) => html`
      <tr><th scope="row">${BacktestView.monthOf(row)}</th>${amountCells(row)}</tr>`,
    )}
    </tbody>
    <tfoot><tr><th scope="row">In all</th>${amountCells(total)}</tr></tfoot>
  </table></div>`

const describe = ({ before, after, difference, currency }: Total): string => {
  const money = (amount: bigint) => Table.money(amount, currency)
  return `Bars by month. In all ${money(before)} before and ${money(after)} after: ${BacktestView.signed(difference, currency)} ${currency}. The table beside has the figures of each month.`
}

const section = (
  line: BacktestView.TotalLine,
  { id, months }: Pick<Chart, "id" | "months">,
): Html => {
  const { name, total, rows } = line
  const { currency } = total
  const title = `${name}, ${currency}: before, after and difference by month`
  const chart = { id, title, description: describe(total), currency, months, rows }
  return html`
<section>
  <h3>${name}</h3>
  <div class="beside">
  ${svg(chart)}
  ${monthsTable(line)}
  </div>
</section>`
}

/** The months in which anything was sold in a currency; those without a time last. */
const monthsOf = (rows: ReadonlyArray<CollaboratorRow>): ReadonlyArray<string> => {
  const named = new Set(rows.flatMap(({ month }) => month ?? []))
  const undated = rows.find(({ month }) => month === null)
  return [...[...named].sort(), ...(undated === undefined ? [] : [BacktestView.monthOf(undated)])]
}

/** How many collaborators have a chart in each currency, and a line in the totals, unless `--all` is given. */
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

/** Several lines. Each is escaped separately, because HTML treats a line break in a text as a space. */
const lines = (text: string): Html =>
  html`${text.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`\n${line}`))}`

const orderSection = (order: ChangedOrder, { names }: Backtest): Html => {
  const collaborator = (id: string) => names?.get(id)
  const story = (side: Explanation.Explanation) =>
    lines(Explanation.toText(side, { names: { collaborator } }))
  return html`
<section>
  <h3>${BacktestView.placeOf(order)}</h3>
  <ul>${BacktestView.changesOf(order, names).map((change) => html`<li>${change}</li>`)}</ul>
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
  <li>Order ${order.orderId} (line ${order.line}): ${BacktestView.refusalOf(order)}</li>`
  }
  const more = BacktestView.unlisted(backtest)
  if (more > 0)
    yield html`
  <li>and ${BacktestView.counted(more, "more", "more")}</li>`
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
