import { at } from "../../internal/at.js"
import type { Steps } from "../Options.js"
import type { Budget } from "./Budget.js"
import type { Candidate } from "./candidates.js"
import { isInForce, type Values } from "./Predicate.js"

/**
 * How much one more value may add to the claims, and for how many values that holds: in a crowd, the next value
 * represents all.
 */
export interface Gain {
  readonly value: number
  readonly most: number
  readonly count: number
}

/** How many values can add something. */
export const countOf = (gains: ReadonlyArray<Gain>): number =>
  gains.reduce((sum, { count }) => sum + count, 0)

const byMost = (left: Gain, right: Gain) => right.most - left.most || left.value - right.value

/** The gains to pick: from an index on, and at most how many. */
interface Choice {
  readonly from: number
  readonly most: number
}

/**
 * Goes through the largest gains that can occur together: a limited number of values, and of each attribute no more
 * than an item can have.
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
    const { attribute } = values.at(gain.value)
    const before = taken.get(attribute) ?? 0
    const count = Math.min(gain.count, most - picked, values.mostAt(attribute) - before)
    if (count <= 0) continue
    taken.set(attribute, before + count)
    each(gain, count)
    picked += count
  }
}

/** The sum of the largest gains that can occur together. */
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

/** A group's position, and its claim there. */
interface Chance {
  readonly claimed: number
  readonly open: ReadonlyArray<ReadonlyArray<number>>
  readonly breaking: ReadonlyArray<number>
}

/** The claims of one collaborator and their possible growth: those of a single group of theirs. */
export interface Share {
  readonly claimed: number
  /** The largest claim when values can be combined freely. */
  readonly free: number
  /** The gains by values of attributes of which an item can have only one or two. */
  readonly exclusive: ReadonlyMap<number, number>
  /** The gain by each value. */
  readonly gains: ReadonlyMap<number, number>
  /** The number of values that an entry represents, if more than one. */
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
    // Without this group, a less specific one may count.
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
    // A group that needs two values gains half by each, so that both together give the whole.
    const part = Math.ceil((chance.claimed - free) / bound.length)
    for (const value of bound.flat()) raise(exclusive, value, part)
  }
  return { claimed, free, exclusive, gains: gainsOf(chances, claimed), counts: none }
}

/** A candidate and its largest claim; of a crowd, that of each group. */
export interface Claimant extends Candidate {
  readonly claimed: number
}

/** The claims on a partial order, and those on its extensions. */
export interface Outlook {
  readonly claimed: number
  /** No extension of this order claims more than this. */
  readonly most: number
  /** The values that can add to it, those that can add most first. */
  readonly gains: ReadonlyArray<Gain>
}

/** How many groups of a crowd apply, and how many more may. */
interface Coming {
  readonly there: number
  /** The next value of the crowd that can be added, if there is one. */
  readonly next: number | undefined
  readonly left: number
}

/** A claimant's position, as far as a partial order decides it. */
interface Position {
  readonly claimant: Claimant
  /** For each clause that is not met yet, the values that would meet it. Empty: the group applies. */
  readonly open: ReadonlyArray<ReadonlyArray<number>>
  /** Values that would keep it from applying. */
  readonly breaking: ReadonlyArray<number>
}

/** Claimants of which one counts, and what is known of them since a value that they name last changed. */
interface List {
  readonly claimants: ReadonlyArray<Claimant>
  /** The only one of them, if it is a crowd. */
  readonly crowd: Claimant | undefined
  positions: ReadonlyArray<Position> | undefined
  share: Share | undefined
}

const isCrowd = (list: List): list is List & { readonly crowd: Claimant } =>
  list.crowd !== undefined

const byCollaborator = (claimants: ReadonlyArray<Claimant>): ReadonlyArray<List> => {
  const lists = new Map<number, Array<Claimant>>()
  for (const claimant of claimants) {
    const list = lists.get(claimant.collaborator)
    if (list === undefined) lists.set(claimant.collaborator, [claimant])
    else list.push(claimant)
  }
  return [...lists.values()].map((list) => ({
    claimants: list,
    crowd: list.find(({ members }) => members.length > 0),
    positions: undefined,
    share: undefined,
  }))
}

const valuesNamedBy = ({ predicate }: Claimant): ReadonlyArray<number> =>
  predicate.clauses.flatMap(({ values }) => values)

type Lists<Key> = ReadonlyMap<Key, ReadonlySet<List>>

/** Each list, once for each key of its claimants. */
const listsBy = <Key>(
  lists: ReadonlyArray<List>,
  keysOf: (claimant: Claimant) => ReadonlyArray<Key>,
): Lists<Key> => {
  const found = new Map<Key, Set<List>>()
  for (const list of lists) {
    for (const claimant of list.claimants) {
      for (const key of keysOf(claimant)) {
        const known = found.get(key)
        if (known === undefined) found.set(key, new Set([list]))
        else known.add(list)
      }
    }
  }
  return found
}

/**
 * A partial order to which values are added, with its claimants. A value is in it, may still be added, or is excluded.
 */
export class Claims {
  private readonly present = new Set<number>()
  private readonly out = new Set<number>()
  private readonly taken = new Map<string, number>()
  private readonly lists: ReadonlyArray<List>
  private readonly crowds: ReadonlyArray<List & { readonly crowd: Claimant }>
  /**
   * The lists that name a value, and those that need a value of an attribute; computed when something first changes.
   */
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
    budget.take(2 * claimants.length)
    this.lists = byCollaborator(
      claimants.filter(({ predicate }) => !predicate.isNever && isInForce(predicate, at)),
    )
    this.crowds = this.lists.filter(isCrowd)
  }

  /** Notes which changes concern which lists; the values of a crowd are named by nobody else. */
  private indexed(): { readonly naming: Lists<number>; readonly asking: Lists<string> } {
    if (this.index !== undefined) return this.index
    const lists = this.lists.filter((list) => !isCrowd(list))
    this.index = {
      naming: listsBy(lists, valuesNamedBy),
      asking: listsBy(lists, ({ predicate }) =>
        predicate.clauses.map(({ attribute }) => attribute),
      ),
    }
    this.budget.take(4 * (this.lists.length + this.index.naming.size))
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
    const { attribute } = this.values.at(value)
    const before = this.taken.get(attribute) ?? 0
    const most = this.values.mostAt(attribute)
    this.taken.set(attribute, before + more)
    const isFullNowOnly = before >= most !== before + more >= most
    // When no more values of an attribute can be added, all groups that need one of them are concerned.
    const { naming, asking } = this.indexed()
    forget(isFullNowOnly ? asking.get(attribute) : naming.get(value))
  }

  valuesThere(): ReadonlyArray<number> {
    return [...this.present].sort((left, right) => left - right)
  }

  canCome = (value: number): boolean => {
    if (this.present.has(value) || this.out.has(value)) return false
    const { attribute } = this.values.at(value)
    return (this.taken.get(attribute) ?? 0) < this.values.mostAt(attribute)
  }

  /** Every value that could still change the claims; of a crowd, the next one. */
  all(): ReadonlyArray<number> {
    const next = this.crowds.flatMap(({ crowd }) => this.comingOf(crowd).next ?? [])
    return [...[...this.indexed().naming.keys()].filter(this.canCome), ...next]
  }

  /** The values of the largest gains that can occur together, up to a maximum. */
  largest(gains: ReadonlyArray<Gain>, most: number): ReadonlyArray<number> {
    const found: Array<number> = []
    pick(gains, this.values, { from: 0, most }, ({ value }, count) => {
      const members = this.crowds.map(({ crowd }) => crowd.members)
      const crowd = count === 1 ? undefined : members.find((list) => list.includes(value))
      const from = crowd?.indexOf(value) ?? 0
      found.push(...(crowd ?? [value]).slice(from, from + count))
    })
    return found
  }

  /** How many values of a crowd are present, the next one, and how many can be added. They are only added in order. */
  private comingOf({ members }: Claimant): Coming {
    this.budget.take(1)
    let there = 0
    while (there < members.length && this.present.has(at(members, there))) there += 1
    const next = members[there]
    if (next === undefined || !this.canCome(next)) return { there, next: undefined, left: 0 }
    // Values that others of the same attribute have taken are ignored: the crowd is not notified when that changes.
    const most = this.values.mostAt(this.values.at(next).attribute)
    return { there, next, left: Math.min(members.length - there, most) }
  }

  private positionOf(claimant: Claimant): Position | undefined {
    const open: Array<ReadonlyArray<number>> = []
    let breaking: ReadonlyArray<number> = []
    for (const { isWith, values } of claimant.predicate.clauses) {
      this.budget.take(2 * values.length)
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

  /** The groups of one collaborator that apply or may apply, down to the first one that certainly will. */
  private inQuestion(list: List): ReadonlyArray<Position> {
    if (list.positions !== undefined) return list.positions
    const found: Array<Position> = []
    for (const claimant of list.claimants) {
      this.budget.take(4)
      const position = this.positionOf(claimant)
      if (position === undefined) continue
      found.push(position)
      if (position.open.length === 0 && position.breaking.length === 0) break
    }
    list.positions = found
    return found
  }

  private readonly isExclusive = (value: number): boolean =>
    this.values.mostAt(this.values.at(value).attribute) !== Number.POSITIVE_INFINITY

  private shareOfCrowd(crowd: Claimant, claimed: number): Share {
    const { there, next, left } = this.comingOf(crowd)
    const now = there * claimed
    if (next === undefined || claimed === 0) return { ...nothing, claimed: now, free: now }
    const gains = new Map([[next, claimed]])
    const counts = new Map([[next, left]])
    return this.isExclusive(next)
      ? { claimed: now, free: now, exclusive: gains, gains, counts }
      : { claimed: now, free: now + left * claimed, exclusive: none, gains, counts }
  }

  private shareOf(list: List, weigh: ((claimant: Claimant) => number) | undefined): Share {
    if (weigh === undefined && list.share !== undefined) return list.share
    const { crowd } = list
    if (crowd !== undefined) {
      // That is faster than noting whom a value concerns.
      return this.shareOfCrowd(crowd, weigh === undefined ? crowd.claimed : weigh(crowd))
    }
    const chances = this.inQuestion(list).map(({ claimant, open, breaking }) => ({
      claimed: weigh === undefined ? claimant.claimed : weigh(claimant),
      open,
      breaking,
    }))
    const share = shareOf(chances, this.isExclusive)
    if (weigh === undefined) list.share = share
    return share
  }

  /** The claims, and an upper bound of how much they can grow; `weigh`: replaces the actual claims. */
  *outlook(weigh?: (claimant: Claimant) => number): Steps<Outlook> {
    const { budget } = this
    let [claimed, free] = [0, 0]
    const [exclusive, gains] = [new Map<number, number>(), new Map<number, number>()]
    const counts = new Map<number, number>()
    for (const list of this.lists) {
      if (budget.work.isDue) yield budget.work.turn()
      const share = this.shareOf(list, weigh)
      claimed += share.claimed
      free += share.free
      addAll(exclusive, share.exclusive)
      addAll(gains, share.gains)
      addAll(counts, share.counts)
      budget.take(2 + share.exclusive.size + share.gains.size)
    }
    budget.take(4 * (exclusive.size + gains.size))
    const bound = listOf(exclusive, counts)
    const all = { from: 0, most: Number.POSITIVE_INFINITY }
    const most = free + sumOfGains(bound, this.values, all)
    return { claimed, most, gains: listOf(gains, counts) }
  }
}

const forget = (lists: ReadonlySet<List> = new Set()): void => {
  for (const list of lists) {
    list.positions = undefined
    list.share = undefined
  }
}
