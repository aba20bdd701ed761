import type { Values } from "./Values.js"

/** What one more value may add to what is claimed, and of how many values that is true: of a crowd the next one stands for all. */
export interface Gain {
  readonly value: number
  readonly most: number
  readonly count: number
}

/** How many values can add something. */
export const countOf = (gains: ReadonlyArray<Gain>): number =>
  gains.reduce((sum, { count }) => sum + count, 0)

const byMost = (left: Gain, right: Gain) => right.most - left.most || left.value - right.value

/** How many of which gains are asked for: those from a place on. */
interface Choice {
  readonly from: number
  readonly most: number
}

/**
 * Goes through the largest gains that can come together: so many values at most, and of each place no more than
 * an item can have.
 */
export const pick = (
  gains: ReadonlyArray<Gain>,
  values: Values,
  { from, most }: Choice,
  each: (gain: Gain, count: number) => void,
): void => {
  const taken = new Map<string, number>()
  let picked = 0
  for (let at = from; picked < most; at += 1) {
    const gain = gains[at]
    if (gain === undefined) return
    const { place } = values.at(gain.value)
    const before = taken.get(place) ?? 0
    const count = Math.min(gain.count, most - picked, values.mostAt(place) - before)
    if (count <= 0) continue
    taken.set(place, before + count)
    each(gain, count)
    picked += count
  }
}

/** The sum of the largest gains that can come together. */
export const sumOfGains = (gains: ReadonlyArray<Gain>, values: Values, choice: Choice): number => {
  let sum = 0
  pick(gains, values, choice, ({ most }, count) => {
    sum += most * count
  })
  return sum
}

export const listOf = (
  gains: ReadonlyMap<number, number>,
  counts: ReadonlyMap<number, number>,
): ReadonlyArray<Gain> =>
  [...gains].map(([value, most]) => ({ value, most, count: counts.get(value) ?? 1 })).sort(byMost)

const raise = (gains: Map<number, number>, value: number, most: number): void => {
  if (most > (gains.get(value) ?? 0)) gains.set(value, most)
}

export const addAll = (to: Map<number, number>, gains: ReadonlyMap<number, number>): void => {
  for (const [value, most] of gains) to.set(value, (to.get(value) ?? 0) + most)
}

/** A position with what is claimed in it. */
interface Chance {
  readonly claimed: number
  readonly open: ReadonlyArray<ReadonlyArray<number>>
  readonly breaking: ReadonlyArray<number>
}

/** What one collaborator claims and can gain: what one group of theirs gives. */
export interface Share {
  readonly claimed: number
  /** What can be claimed where values are free to come together. */
  readonly free: number
  /** What values add to that of which an item can have one or two only. */
  readonly exclusive: ReadonlyMap<number, number>
  /** What each value can add to what is claimed. */
  readonly gains: ReadonlyMap<number, number>
  /** For how many values one of these stands, where it stands for more than itself. */
  readonly counts: ReadonlyMap<number, number>
}

export const none: ReadonlyMap<number, number> = new Map()
export const nothing: Share = { claimed: 0, free: 0, exclusive: none, gains: none, counts: none }

const gainsOf = (chances: ReadonlyArray<Chance>, now: number): ReadonlyMap<number, number> => {
  const gains = new Map<number, number>()
  let below = 0
  for (const { claimed, open, breaking } of [...chances].reverse()) {
    const part = Math.ceil((claimed - now) / open.length)
    if (part > 0) for (const value of open.flat()) raise(gains, value, part)
    // Without this group, one below it may count.
    const isInTheWay = open.length === 0 && below > now
    if (isInTheWay) for (const value of breaking) raise(gains, value, below - now)
    below = Math.max(below, claimed)
  }
  return gains
}

export const shareOf = (
  chances: ReadonlyArray<Chance>,
  isExclusive: (value: number) => boolean,
): Share => {
  const claimed = chances.find(({ open }) => open.length === 0)?.claimed ?? 0
  const isBound = (list: ReadonlyArray<number>) => list.every(isExclusive)
  const unbound = chances.filter(({ open }) => !open.some(isBound))
  const free = Math.max(0, ...unbound.map((chance) => chance.claimed))
  const exclusive = new Map<number, number>()
  for (const chance of chances) {
    if (chance.claimed <= free) continue
    const bound = chance.open.filter(isBound)
    // Whoever needs two values gains half by each: with both, that is the whole.
    const part = Math.ceil((chance.claimed - free) / bound.length)
    for (const value of bound.flat()) raise(exclusive, value, part)
  }
  return { claimed, free, exclusive, gains: gainsOf(chances, claimed), counts: none }
}
