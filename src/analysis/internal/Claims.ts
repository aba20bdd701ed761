import { at } from "../../internal/at.js"
import type { Steps } from "../Steps.js"
import type { Budget } from "./Budget.js"
import type { Candidate } from "./candidates.js"
import {
  addAll,
  type Gain,
  listOf,
  none,
  nothing,
  pick,
  type Share,
  shareOf,
  sumOfGains,
} from "./gains.js"
import { isInForce } from "./Predicate.js"
import type { Values } from "./Values.js"

/** A candidate, and how much it claims at most; of a crowd each of the groups. */
export interface Claimant extends Candidate {
  readonly claimed: number
}

/** What is claimed of an order in outline, and what could be claimed of those that have more. */
export interface Outlook {
  readonly claimed: number
  /** No order that has all of this and anything more claims above it. */
  readonly most: number
  /** The values that can add to it, those that can add most first. */
  readonly gains: ReadonlyArray<Gain>
}

/** How much of a crowd is there, and may come. */
interface Coming {
  readonly there: number
  /** The value of the next of them that can come, if one can. */
  readonly next: number | undefined
  readonly left: number
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
  /** The only one of them, where it is a crowd. */
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

/** Each list once for each key of its claimants. */
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
 * An order in outline while more and more is put into it, before the eyes of those who claim something of it.
 * A value is in it, or may still come, or is left out for good.
 */
export class Claims {
  private readonly present = new Set<number>()
  private readonly out = new Set<number>()
  private readonly taken = new Map<string, number>()
  private readonly lists: ReadonlyArray<List>
  private readonly crowds: ReadonlyArray<List & { readonly crowd: Claimant }>
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
    budget.take(2 * claimants.length)
    this.lists = byCollaborator(
      claimants.filter(({ predicate }) => !predicate.isNever && isInForce(predicate, at)),
    )
    this.crowds = this.lists.filter(isCrowd)
  }

  /** Notes which lists are concerned by what; a crowd names values that nobody else does. */
  private indexed(): { readonly naming: Lists<number>; readonly asking: Lists<string> } {
    if (this.index !== undefined) return this.index
    const lists = this.lists.filter((list) => !isCrowd(list))
    this.index = {
      naming: listsBy(lists, valuesNamedBy),
      asking: listsBy(lists, ({ predicate }) => predicate.clauses.map(({ place }) => place)),
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

  /** Every value that could still change something; of a crowd the next one. */
  all(): ReadonlyArray<number> {
    const next = this.crowds.flatMap(({ crowd }) => this.comingOf(crowd).next ?? [])
    return [...[...this.indexed().naming.keys()].filter(this.canCome), ...next]
  }

  /** The values of the largest gains that can come together, so many at most. */
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

  /** How many of a crowd are there, which one is the next, and how many can come. They come one after the other only. */
  private comingOf({ members }: Claimant): Coming {
    this.budget.take(1)
    let there = 0
    while (there < members.length && this.present.has(at(members, there))) there += 1
    const next = members[there]
    if (next === undefined || !this.canCome(next)) return { there, next: undefined, left: 0 }
    // What others of the same place have taken is left out: they don't tell the crowd when that changes.
    const most = this.values.mostAt(this.values.at(next).place)
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

  /** Those of one collaborator's groups that apply or may come to, down to the first one that will in any case. */
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
    this.values.mostAt(this.values.at(value).place) !== Number.POSITIVE_INFINITY

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
      // That is quicker than to note whom a value concerns.
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

  /** What is claimed, and how much more it can become; `weigh`: other claims than those that are made. */
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
