/** Charts with every figure in a table beside or below them: the drawing itself is for the eyes alone. */
import { scaleBand, scaleLinear } from "d3-scale"
import { useEffect, useRef, useState } from "preact/hooks"
import { digitsOf, money } from "./Amount.js"
import { monthName } from "./Time.js"

const height = 220
const edge = { top: 10, right: 4, bottom: 24, left: 64 }

/** The width that an element has by now. */
const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(600)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(200, Math.floor(entry.contentRect.width)))
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

/** What a month came to: a part for the collaborators and one for the store. */
export interface MonthFigures {
  readonly month: string
  readonly shares: number
  readonly store: number
}

const compact = (amount: number, currency: string): string => {
  const whole = new Intl.NumberFormat(undefined, {
    notation: "compact",
    style: "currency",
    currency,
    maximumSignificantDigits: 3,
  })
  return whole.format(amount / 10 ** digitsOf(currency))
}

const shortMonth = new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" })

const tickOf = (month: string): string => {
  const name = shortMonth.format(Date.parse(`${month}-01T00:00:00Z`))
  return month.endsWith("-01") ? `${name} ’${month.slice(2, 4)}` : name
}

/** The heights of a column: what is below zero hangs below the line. */
const partsOf = ({ shares, store }: MonthFigures) => {
  const above = Math.max(0, shares)
  const below = Math.min(0, shares)
  return [
    { part: "shares", from: Math.min(0, shares), to: above },
    {
      part: "store",
      from: store >= 0 ? above : below + store,
      to: store >= 0 ? above + store : below,
    },
  ]
}

/** How came in what collaborators and the store have got, month by month. */
export const MonthChart = (given: { months: ReadonlyArray<MonthFigures>; currency: string }) => {
  const { months, currency } = given
  const { element, width } = useWidth()
  const parts = months.flatMap(partsOf)
  const x = scaleBand(
    months.map(({ month }) => month),
    [edge.left, width - edge.right],
  ).padding(0.25)
  const most = Math.max(1, ...parts.map(({ to }) => to))
  const least = Math.min(0, ...parts.map(({ from }) => from))
  const y = scaleLinear([least, most], [height - edge.bottom, edge.top]).nice(4)
  const step = Math.ceil(months.length / Math.max(1, Math.floor((width - edge.left) / 52)))
  return (
    <div ref={element} class="chart">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Columns for what came in by month, in ${currency}. The table below has the figures.`}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={edge.left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={edge.left - 8} y={y(tick)} class="value">
              {compact(tick, currency)}
            </text>
          </g>
        ))}
        {months.map((figures, index) => (
          <g key={figures.month}>
            <title>{`${monthName(figures.month)}: collaborators ${money(figures.shares, currency)}, store ${money(figures.store, currency)}`}</title>
            {partsOf(figures).map(({ part, from, to }) => (
              <rect
                key={part}
                class={part}
                x={x(figures.month) ?? 0}
                width={x.bandwidth()}
                y={y(to)}
                height={Math.max(0, y(from) - y(to))}
              />
            ))}
            {index % step === 0 && (
              <text x={(x(figures.month) ?? 0) + x.bandwidth() / 2} y={height - 6} class="month">
                {tickOf(figures.month)}
              </text>
            )}
          </g>
        ))}
        <line class="zero" x1={edge.left} x2={width} y1={y(0)} y2={y(0)} />
      </svg>
    </div>
  )
}

/** A bar in a row of a table, as long as the figure beside it. */
export const Bar = ({ of, most }: { of: number; most: number }) => (
  <span class={of < 0 ? "bar below" : "bar"} aria-hidden="true">
    <span style={{ width: `${most <= 0 ? 0 : (Math.abs(of) / most) * 100}%` }} />
  </span>
)
