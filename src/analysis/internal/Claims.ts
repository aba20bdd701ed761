import type { Steps } from "../Steps.js"
import type { Budget } from "./Budget.js"
import { type Clause, isInForce, type Predicate } from "./Predicate.js"
import type { Terms } from "./terms.js"
import type { Values } from "./Values.js"

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
  for (let at = from; picked < most; at += 1) {
    const gain = gains[at]
    if (gain === undefined) break
    const { place } = values.at(gain.value)
    const before = taken.get(place) ?? 0
    if (before >= values.mostAt(place)) continue
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

/** The claimants of which one counts, with what was found out of them since a value that they name changed. */
interface List {
  readonly claimants: ReadonlyArray<Claimant>
  positions: ReadonlyArray<Position> | undefined
  share: Share | undefined
}

const byCollaborator = (claimants: ReadonlyArray<Claimant>): ReadonlyArray<List> => {
  const lists = new Map<number, Array<Claimant>>()
  for (const claimant of claimants) {
    const list = lists.get(claimant.collaborator)
    if (list === undefined) lists.set(claimant.collaborator, [claimant])
    else list.push(claimant)
  }
  return [...lists.values()].map((list) => ({
    claimants: list,
    positions: undefined,
    share: undefined,
  }))
}

type Lists<Key> = ReadonlyMap<Key, ReadonlySet<List>>

/** Each list once for each key of its claimants' clauses. */
const listsBy = <Key>(
  lists: ReadonlyArray<List>,
  keysOf: (clause: Clause) => ReadonlyArray<Key>,
): Lists<Key> => {
  const found = new Map<Key, Set<List>>()
  for (const list of lists) {
    for (const { predicate } of list.claimants) {
      for (const key of predicate.clauses.flatMap(keysOf)) {
        const known = found.get(key)
        if (known === undefined) found.set(key, new Set([list]))
        else known.add(list)
      }
    }
  }
  return found
}

/**
 * An order in outline while more and more is put into it, before the eyes of those who claim something of it.
 * A value is in it, or may still come, or is left out for good.
 */
export class Claims {
  private readonly present = new Set<number>()
  private readonly out = new Set<number>()
  private readonly taken = new Map<string, number>()
  private readonly lists: ReadonlyArray<List>
  /** Which lists name a value, and which ask for anything of a place; not worked out before anything changes. */
  private index: { readonly naming: Lists<number>; readonly asking: Lists<string> } | undefined
  readonly at: number | null
  private readonly values: Values
  private readonly budget: Budget

  /** `claimants` come most specific first. */
  constructor(
    claimants: ReadonlyArray<Claimant>,
    { at, values, budget }: { at: number | null; values: Values; budget: Budget },
  ) {
    this.at = at
    this.values = values
    this.budget = budget
    budget.take(claimants.length)
    this.lists = byCollaborator(
      claimants.filter(({ predicate }) => !predicate.isNever && isInForce(predicate, at)),
    )
  }

  /** Notes which lists are concerned by what. */
  private indexed(): { readonly naming: Lists<number>; readonly asking: Lists<string> } {
    if (this.index !== undefined) return this.index
    this.index = {
      naming: listsBy(this.lists, (clause) => clause.values),
      asking: listsBy(this.lists, ({ place }) => [place]),
    }
    this.budget.take(this.lists.length + this.index.naming.size)
    return this.index
  }

  put(value: number): void {
    this.present.add(value)
    this.count(value, 1)
  }

  take(value: number): void {
    this.present.delete(value)
    this.count(value, -1)
  }

  leaveOut(value: number): void {
    this.out.add(value)
    forget(this.indexed().naming.get(value))
  }

  allow(value: number): void {
    this.out.delete(value)
    forget(this.indexed().naming.get(value))
  }

  private count(value: number, more: number): void {
    const { place } = this.values.at(value)
    const before = this.taken.get(place) ?? 0
    const most = this.values.mostAt(place)
    this.taken.set(place, before + more)
    const isFullNowOnly = before >= most !== before + more >= most
    // Where no more can come, that concerns all who ask for anything there.
    const { naming, asking } = this.indexed()
    forget(isFullNowOnly ? asking.get(place) : naming.get(value))
  }

  valuesThere(): ReadonlyArray<number> {
    return [...this.present].sort((left, right) => left - right)
  }

  canCome = (value: number): boolean => {
    if (this.present.has(value) || this.out.has(value)) return false
    const { place } = this.values.at(value)
    return (this.taken.get(place) ?? 0) < this.values.mostAt(place)
  }

  /** Every value that could still change something. */
  all(): ReadonlyArray<number> {
    return [...this.indexed().naming.keys()].filter(this.canCome)
  }

  private positionOf(claimant: Claimant): Position | undefined {
    const open: Array<ReadonlyArray<number>> = []
    let breaking: ReadonlyArray<number> = []
    for (const { isWith, values } of claimant.predicate.clauses) {
      this.budget.take(values.length)
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
  private inQuestion(list: List): ReadonlyArray<Position> {
    if (list.positions !== undefined) return list.positions
    const found: Array<Position> = []
    for (const claimant of list.claimants) {
      this.budget.take(2)
      const position = this.positionOf(claimant)
      if (position === undefined) continue
      found.push(position)
      if (position.open.length === 0 && position.breaking.length === 0) break
    }
    list.positions = found
    return found
  }

  private readonly isExclusive = (value: number): boolean =>
    this.values.mostAt(this.values.at(value).place) !== Number.POSITIVE_INFINITY

  private shareOf(list: List, weigh: ((claimant: Claimant) => number) | undefined): Share {
    if (weigh === undefined && list.share !== undefined) return list.share
    const chances = this.inQuestion(list).map(({ claimant, open, breaking }) => ({
      claimed: weigh === undefined ? claimant.claimed : weigh(claimant),
      open,
      breaking,
    }))
    const share = shareOf(chances, this.isExclusive)
    if (weigh === undefined) list.share = share
    return share
  }

  /** What is claimed, and how much more it can become; `weigh`: other claims than those that are made. */
  *outlook(weigh?: (claimant: Claimant) => number): Steps<Outlook> {
    const { budget } = this
    let [claimed, free] = [0, 0]
    const [exclusive, gains] = [new Map<number, number>(), new Map<number, number>()]
    for (const list of this.lists) {
      if (budget.work.isDue) yield budget.work.turn()
      const share = this.shareOf(list, weigh)
      claimed += share.claimed
      free += share.free
      addAll(exclusive, share.exclusive)
      addAll(gains, share.gains)
      budget.take(1 + share.exclusive.size + share.gains.size)
    }
    budget.take(exclusive.size + gains.size)
    const bound = listOf(exclusive)
    const most = free + sumOfGains(bound, this.values, { from: 0, most: bound.length })
    return { claimed, most, gains: listOf(gains) }
  }
}

const forget = (lists: ReadonlySet<List> = new Set()): void => {
  for (const list of lists) {
    list.positions = undefined
    list.share = undefined
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

/** What one collaborator claims and can gain: what one group of theirs gives. */
interface Share {
  readonly claimed: number
  /** What can be claimed where values are free to come together. */
  readonly free: number
  /** What values add to that of which an item can have one or two only. */
  readonly exclusive: ReadonlyMap<number, number>
  /** What each value can add to what is claimed. */
  readonly gains: ReadonlyMap<number, number>
}

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

const shareOf = (
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
  return { claimed, free, exclusive, gains: gainsOf(chances, claimed) }
}
