/** The way of an item's money, as a picture: from its price through what is paid first to the shares and the store. */
import type { JSX } from "preact"
import { money } from "../../orders/Words.js"
import type { ItemExplanation, ShareExplanation } from "../../shares/Explanation.js"
import { Scroll } from "../parts/Table.js"
import { partsOf } from "../parts/UnseenCharacters.js"
import { type Band, type Bar, barWidth, flowOf } from "./FlowLayout.js"

/** As many characters of a name are seen in the picture. */
const mostLetters = 18

const short = (text: string): string => {
  const seen = partsOf(text.slice(0, 4 * mostLetters))
    .map((part) => (part.isUnseen ? `[${part.text}]` : part.text))
    .join("")
  const letters = [...seen]
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters).join("")}…` : seen
}

const classOf = ({ kind, colour }: Pick<Bar, "kind" | "colour">): string =>
  kind === "share" ? `fill-${colour}` : `fill-${kind}`

const pathOf = ({ fromX, fromY, toX, toY, height }: Band): string => {
  const middle = (fromX + toX) / 2
  return [
    `M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`,
    `V${toY + height}C${middle} ${toY + height} ${middle} ${fromY + height} ${fromX} ${fromY + height}Z`,
  ].join("")
}

/** Lines across a bar, between the bands of its tiers. */
const marksOf = ({ x, y, marks }: Bar): string =>
  marks.map((mark) => `M${x} ${y + mark}h${barWidth}`).join("")

const nameOf = ({ share, name }: Bar): string => (share === undefined ? name : share.collaboratorId)

/** As `10.00 %, then 15.00 %`. */
const bandsOf = (percents: ReadonlyArray<string>): string => {
  const [first = "", second = ""] = percents
  return percents.length === 2
    ? `${first} %, then ${second} %`
    : `${first} % to ${percents.at(-1)} %`
}

const ofWhat = ({ percent, base, terms, steps }: ShareExplanation, currency: string): string => {
  const bands = terms?.tiers?.bands ?? []
  if (bands.length > 1) return bandsOf(bands.map((band) => band.percent))
  if (percent === null) return "flat amount"
  const isCapped = steps.some(({ what }) => what === "cap")
  return isCapped ? `${percent} %` : `${percent} % of ${money(base, currency)}`
}

const howOf = ({ share }: Bar, currency: string): string =>
  share === undefined
    ? ""
    : [
        ofWhat(share, currency),
        ...(share.steps.some(({ what }) => what === "cap") ? ["capped"] : []),
        ...(share.steps.some(({ what }) => what === "shipping") ? ["shipping"] : []),
      ].join(", ")

const Label = ({
  bar,
  currency,
}: {
  readonly bar: Bar
  readonly currency: string
}): JSX.Element => (
  <text class="flow-text" x={bar.x + barWidth + 6} y={bar.y + 13}>
    <tspan class="flow-name">{short(nameOf(bar))}</tspan>
    <tspan x={bar.x + barWidth + 6} dy="15">
      {money(bar.amount, currency)}
    </tspan>
    <tspan class="flow-how" x={bar.x + barWidth + 6} dy="14">
      {howOf(bar, currency)}
    </tspan>
  </text>
)

/** The picture of an item. What it says is said in words as well, beside it. */
export const FlowPicture = ({
  item,
  currency,
  colours,
}: {
  readonly item: ItemExplanation
  readonly currency: string
  readonly colours: ReadonlyMap<string, number>
}): JSX.Element => {
  const { width, height, bars, bands } = flowOf(item, colours)
  const ends = bars.filter(({ kind }) => kind === "share" || kind === "store")
  const said = ends.map((bar) => `${short(nameOf(bar))} ${money(bar.amount, currency)}`).join(", ")
  const label = `${money(item.distributable, currency)} of item ${short(item.itemId)} go to: ${said}`
  return (
    <Scroll label={`Picture of item ${short(item.itemId)}`}>
      <svg class="flow" viewBox={`0 -2 ${width} ${height + 4}`} role="img" aria-label={label}>
        {bands.map((band) => (
          <path key={band.id} class={`band ${classOf(band)}`} d={pathOf(band)} />
        ))}
        {bars.map((bar) => (
          <rect
            key={bar.id}
            class={classOf(bar)}
            x={bar.x}
            y={bar.y}
            width={barWidth}
            height={bar.height}
          />
        ))}
        {bars.map((bar) => (
          <path key={bar.id} class="flow-mark" d={marksOf(bar)} />
        ))}
        {bars.map((bar) => (
          <Label key={bar.id} bar={bar} currency={currency} />
        ))}
      </svg>
    </Scroll>
  )
}
