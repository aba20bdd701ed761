/** Where everything stands in the picture of an item's money: bars whose heights are amounts, and bands between them. */
import type { ItemExplanation, ShareExplanation } from "../../shares/Explanation.js"

/** A bar. Its places are in units of the picture, which is `width` by `height`. */
export interface Bar {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly height: number
  /** In cents. */
  readonly amount: number
  readonly kind: "money" | "away" | "store" | "share"
  /** Which of the colours of collaborators. */
  readonly colour: number
  readonly share: ShareExplanation | undefined
  /** From its top, where one band of its tiers ends and the next one begins. */
  readonly marks: ReadonlyArray<number>
  /** What it is called, where it is no share. */
  readonly name: string
}

/** A band from one bar to another. */
export interface Band {
  readonly id: string
  readonly fromX: number
  readonly fromY: number
  readonly toX: number
  readonly toY: number
  readonly height: number
  readonly kind: Bar["kind"]
  readonly colour: number
}

export interface Flow {
  readonly width: number
  readonly height: number
  readonly bars: ReadonlyArray<Bar>
  readonly bands: ReadonlyArray<Band>
}

const width = 720
export const barWidth = 14

/** The height of the largest bar, and the least space from one label to the next. */
const tallest = 220
const labelHeight = 46

/** Bars beside one another, from above, with room for their labels. */
interface Stacked {
  readonly id: string
  readonly amount: number
  readonly kind: Bar["kind"]
  readonly name: string
  readonly share?: ShareExplanation | undefined
}

const columns = [0, 190, 380, 560] as const

/** The bands of a share by what each earns: its part of what was counted, times its percentage. */
const marksOf = (share: ShareExplanation | undefined, height: number): ReadonlyArray<number> => {
  const bands = share?.terms?.tiers?.bands ?? []
  const earned = bands.map(({ counted, percent }) => Math.abs(counted) * Number(percent))
  const whole = earned.reduce((sum, one) => sum + one, 0)
  let sum = 0
  return earned.slice(0, -1).map((one) => {
    sum += one
    return whole === 0 ? 0 : (sum / whole) * height
  })
}

const stack = (
  entries: ReadonlyArray<Stacked>,
  x: number,
  scale: number,
  colours: ReadonlyMap<string, number>,
  from = 0,
): ReadonlyArray<Bar> => {
  let y = from
  return entries.map(({ id, amount, kind, name, share }) => {
    const height = Math.max(1.5, amount * scale)
    const colour = colours.get(share?.collaboratorId ?? "") ?? 0
    const marks = marksOf(share, height)
    const bar: Bar = { id, x, y, height, amount, kind, colour, share, marks, name }
    y += Math.max(height, labelHeight) + 8
    return bar
  })
}

/** Bands from one bar to several, in their order from above. */
const fan = (from: Bar, to: ReadonlyArray<Bar>): ReadonlyArray<Band> => {
  let y = from.y
  return to.map((bar) => {
    const height = Math.min(bar.height, from.height)
    const band: Band = {
      ...{ id: `${from.id} ${bar.id}`, fromX: from.x + barWidth, fromY: y, toX: bar.x },
      ...{ toY: bar.y, height, kind: bar.kind, colour: bar.colour },
    }
    y += bar.height
    return band
  })
}

const sharesOf = (shares: ReadonlyArray<ShareExplanation>): ReadonlyArray<Stacked> =>
  shares.map((share) => ({
    ...{ id: `share ${share.groupId}`, amount: share.amount, kind: "share" as const },
    ...{ name: "", share },
  }))

/** Collaborators by a number each, the same one in all items. */
export const coloursOf = (
  items: ReadonlyArray<Pick<ItemExplanation, "shares">>,
): ReadonlyMap<string, number> => {
  const ids = items.flatMap(({ shares }) => shares.map(({ collaboratorId }) => collaboratorId))
  return new Map([...new Set(ids)].map((id, index) => [id, (index % 8) + 1]))
}

/** Whether amounts can be drawn as heights: all of them are 0 or more, and the item brought something in. */
export const isDrawable = (item: ItemExplanation): boolean =>
  item.distributable > 0 && item.store >= 0 && item.shares.every(({ amount }) => amount >= 0)

const priceOf = (item: ItemExplanation): number =>
  item.baseSteps.find(({ what }) => what === "price")?.amount ?? item.distributable

/** The picture of an item that {@link isDrawable}. */
export const flowOf = (item: ItemExplanation, colours: ReadonlyMap<string, number>): Flow => {
  const price = Math.max(priceOf(item), 0)
  const scale = tallest / Math.max(price, item.distributable)
  const sum = (shares: ReadonlyArray<ShareExplanation>) =>
    shares.reduce((total, { amount }) => total + amount, 0)
  const first = item.shares.filter(({ deducting }) => deducting)
  const rest = item.distributable - sum(first)
  const away = price - item.distributable
  const [priceX, broughtX, firstX, lastX] = columns
  const moneyBar = { kind: "money" as const }
  const start = stack(
    [{ id: "price", amount: price, name: "Price", ...moneyBar }],
    priceX,
    scale,
    colours,
  )
  const brought = stack(
    [
      { id: "brought", amount: item.distributable, name: "Brought in", ...moneyBar },
      ...(away > 0
        ? [{ id: "away", amount: away, name: "Not shared", kind: "away" as const }]
        : []),
    ],
    ...([broughtX, scale, colours] as const),
  )
  const remaining: Stacked = { id: "rest", amount: rest, name: "Rest", kind: "money" }
  const middle =
    first.length === 0 ? [] : stack([...sharesOf(first), remaining], firstX, scale, colours)
  const source = middle.at(-1) ?? brought[0]
  const last = stack(
    [
      ...sharesOf(item.shares.filter(({ deducting }) => !deducting)),
      { id: "store", amount: item.store, name: "Store", kind: "store" },
    ],
    ...([lastX, scale, colours, middle.length > 1 ? (source?.y ?? 0) : 0] as const),
  )
  const bars = [...start, ...brought, ...middle, ...last]
  const bands = [
    ...start.flatMap((bar) => fan(bar, brought)),
    ...brought.slice(0, 1).flatMap((bar) => fan(bar, middle)),
    ...(source === undefined ? [] : fan(source, last)),
  ]
  const ends = bars.map(({ y, height }) => y + Math.max(height, labelHeight))
  return { width, height: Math.max(...ends) + 4, bars, bands }
}
