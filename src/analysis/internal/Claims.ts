import { isInForce, type Predicate } from "./Predicate.js"
import type { Terms } from "./terms.js"
import { mostAt, type Values } from "./Values.js"

/** A group that may claim something: whose it is, when it applies, and how much it claims at most. */
export interface Claimant {
  readonly claimed: number
  readonly terms: Terms
  /** Of claimants with the same number only the first one that applies counts. */
  readonly collaborator: number
  readonly predicate: Predicate
}

/** What one more value may add to what is claimed. */
export interface Gain {
  readonly value: number
  readonly most: number
}

/** What is claimed of an order in outline, and what could be claimed of those that have more. */
export interface Outlook {
  readonly claimed: number
  /** No order that has all of this and anything more claims above it. */
  readonly most: number
  /** The values that can add to it, those that can add most first. */
  readonly gains: ReadonlyArray<Gain>
}

const byMost = (left: Gain, right: Gain) => right.most - left.most || left.value - right.value

/**
 * The sum of the largest gains that can come together: so many values at most, and of each place no more than
 * an item can have.
 */
export const sumOfGains = (
  gains: ReadonlyArray<Gain>,
  values: Values,
  { from, most }: { readonly from: number; readonly most: number },
): number => {
  const taken = new Map<string, number>()
  let sum = 0
  let picked = 0
  for (let at = from; at < gains.length && picked < most; at += 1) {
    const gain = gains[at]
    if (gain === undefined) break
    const { place } = values.at(gain.value)
    const before = taken.get(place) ?? 0
    if (before >= mostAt[place]) continue
    taken.set(place, before + 1)
    sum += gain.most
    picked += 1
  }
  return sum
}

/** Where a claimant stands, as far as an order in outline decides it. */
interface Position {
  readonly claimant: Claimant
  /** For each of its clauses that are not met yet, the values that would. Empty: it applies. */
  readonly open: ReadonlyArray<ReadonlyArray<number>>
  /** Values that would keep it from applying. */
  readonly breaking: ReadonlyArray<number>
}

/**
 * An order in outline while more and more is put into it, before the eyes of those who claim something of it.
 * A value is in it, or may still come, or is left out for good.
 */
export class Claims {
  private readonly present = new Set<number>()
  private readonly out = new Set<number>()
  private readonly taken = new Map<string, number>()
  private readonly lists: ReadonlyArray<ReadonlyArray<Claimant>>
  private readonly values: Values

  /** `claimants` come most specific first. */
  constructor(claimants: ReadonlyArray<Claimant>, at: number | null, values: Values) {
    this.values = values
    const lists = new Map<number, Array<Claimant>>()
    for (const claimant of claimants) {
      if (claimant.predicate.isNever || !isInForce(claimant.predicate, at)) continue
      const list = lists.get(claimant.collaborator)
      if (list === undefined) lists.set(claimant.collaborator, [claimant])
      else list.push(claimant)
    }
    this.lists = [...lists.values()]
  }

  put(value: number): void {
    const { place } = this.values.at(value)
    this.present.add(value)
    this.taken.set(place, (this.taken.get(place) ?? 0) + 1)
  }

  take(value: number): void {
    const { place } = this.values.at(value)
    this.present.delete(value)
    this.taken.set(place, (this.taken.get(place) ?? 0) - 1)
  }

  leaveOut(value: number): void {
    this.out.add(value)
  }

  allow(value: number): void {
    this.out.delete(value)
  }

  valuesThere(): ReadonlyArray<number> {
    return [...this.present].sort((left, right) => left - right)
  }

  canCome = (value: number): boolean => {
    if (this.present.has(value) || this.out.has(value)) return false
    const { place } = this.values.at(value)
    return (this.taken.get(place) ?? 0) < mostAt[place]
  }

  /** Every value that could still change something. */
  all(): ReadonlyArray<number> {
    const clauses = this.lists.flat().flatMap(({ predicate }) => predicate.clauses)
    return [...new Set(clauses.flatMap(({ values }) => values))].filter(this.canCome)
  }

  private positionOf(claimant: Claimant): Position | undefined {
    const open: Array<ReadonlyArray<number>> = []
    let breaking: ReadonlyArray<number> = []
    for (const { isWith, values } of claimant.predicate.clauses) {
      const isThere = values.some((value) => this.present.has(value))
      if (isThere === isWith) {
        if (!isWith) breaking = [...breaking, ...values.filter(this.canCome)]
        continue
      }
      const closing = isWith ? values.filter(this.canCome) : []
      if (closing.length === 0) return undefined
      open.push(closing)
    }
    return { claimant, open, breaking }
  }

  /** Those of one collaborator's groups that apply or may come to, down to the first one that will in any case. */
  private inQuestion(list: ReadonlyArray<Claimant>): ReadonlyArray<Position> {
    const found: Array<Position> = []
    for (const claimant of list) {
      const position = this.positionOf(claimant)
      if (position === undefined) continue
      found.push(position)
      if (position.open.length === 0 && position.breaking.length === 0) break
    }
    return found
  }

  private isExclusive(value: number): boolean {
    return mostAt[this.values.at(value).place] !== Number.POSITIVE_INFINITY
  }

  /** What is claimed, and how much more it can become. */
  outlook(weigh: (claimant: Claimant) => number = ({ claimed }) => claimed): Outlook {
    const sum = new Summing()
    for (const list of this.lists) {
      const chances = this.inQuestion(list).map(({ claimant, open, breaking }) => ({
        claimed: weigh(claimant),
        open,
        breaking,
      }))
      if (chances.length > 0) sum.add(chances, (value) => this.isExclusive(value))
    }
    const exclusive = listOf(sum.exclusive)
    const most = sum.free + sumOfGains(exclusive, this.values, { from: 0, most: exclusive.length })
    return { claimed: sum.claimed, most, gains: listOf(sum.gains) }
  }
}

const listOf = (gains: ReadonlyMap<number, number>): ReadonlyArray<Gain> =>
  [...gains].map(([value, most]) => ({ value, most })).sort(byMost)

const raise = (gains: Map<number, number>, value: number, most: number): void => {
  if (most > (gains.get(value) ?? 0)) gains.set(value, most)
}

const addAll = (to: Map<number, number>, gains: ReadonlyMap<number, number>): void => {
  for (const [value, most] of gains) to.set(value, (to.get(value) ?? 0) + most)
}

/** A position with what is claimed in it. */
interface Chance {
  readonly claimed: number
  readonly open: ReadonlyArray<ReadonlyArray<number>>
  readonly breaking: ReadonlyArray<number>
}

/** Adds up what the collaborators claim and can gain. Each one gets what one group of theirs gives. */
class Summing {
  claimed = 0
  /** What can be claimed where values are free to come together. */
  free = 0
  /** What values add to that of which an item can have one or two only. */
  readonly exclusive = new Map<number, number>()
  /** What each value can add to what is claimed. */
  readonly gains = new Map<number, number>()

  add(chances: ReadonlyArray<Chance>, isExclusive: (value: number) => boolean): void {
    const now = chances.find(({ open }) => open.length === 0)?.claimed ?? 0
    this.claimed += now
    this.addGains(chances, now)
    const isBound = (list: ReadonlyArray<number>) => list.every(isExclusive)
    const free = chances.filter(({ open }) => !open.some(isBound))
    const most = Math.max(0, ...free.map(({ claimed }) => claimed))
    this.free += most
    const gains = new Map<number, number>()
    for (const { claimed, open } of chances) {
      const bound = open.filter(isBound)
      // Whoever needs two values gains half by each: with both, that is the whole.
      const part = Math.ceil((claimed - most) / bound.length)
      for (const value of bound.flat()) raise(gains, value, part)
    }
    addAll(this.exclusive, gains)
  }

  private addGains(chances: ReadonlyArray<Chance>, now: number): void {
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
    addAll(this.gains, gains)
  }
}
