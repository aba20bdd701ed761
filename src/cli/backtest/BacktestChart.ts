/** A chart of one collaborator's months: bars before and after side by side, and their differences below. */

import { type Html, html } from "../output/Html.js"
import * as Table from "../output/Table.js"
import type { CollaboratorRow } from "./Backtest.js"
import * as BacktestWords from "./BacktestView.js"

/** What a chart shows. A month without a row has nothing. */
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

/** The columns of the drawing: where each month begins, how wide it is, how many have their names written. */
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

/** The lines of a panel, with the amounts they stand for; lines too near to the zero line are left out. */
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
    const month = BacktestWords.monthOf(row)
    const x = (places.get(month) ?? left) + step * 0.12
    const { before, after, difference } = row
    const money = (amount: bigint) => Table.money(amount, chart.currency)
    const signed = `${BacktestWords.signed(difference, chart.currency)} ${chart.currency}`
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

/** The chart as SVG, which a page holds as it is. */
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
  const signed = (value: bigint) => BacktestWords.signed(value, currency)
  const labels = [series, differences].flatMap(({ most, least }) => [signed(most), signed(least)])
  const columns = columnsOf(chart, labels)
  return html`<svg viewBox="0 0 ${columns.width} ${totalHeight}" width="${columns.width}" height="${totalHeight}" role="img" aria-labelledby="${id}-title ${id}-description">
    <title id="${id}-title">${chart.title}</title>
    <desc id="${id}-description">${chart.description}</desc>${scale(series, columns, figure)}${scale(differences, columns, signed)}${monthBars(chart, columns, { series, differences })}${monthNames(chart, columns)}
  </svg>`
}
