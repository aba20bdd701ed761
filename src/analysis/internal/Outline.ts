import type { Attribute } from "../../orders/Attribute.js"
import type { Steps } from "../Options.js"
import type { Budget } from "./Budget.js"
import type { Asking, GroupRow, Values } from "./Predicate.js"
import { isInForce, type Predicate } from "./Predicate.js"

/** The goal of a search: an order to which some groups apply, and none of some others. */
export interface Wanted {
  readonly apply: ReadonlyArray<Asking>
  readonly not: ReadonlyArray<{
    readonly row: GroupRow
    /** Only the groups before this index. */
    readonly before: number
  }>
  /** Groups among those that must not apply that still may. */
  readonly except?: ReadonlySet<Asking> | undefined
}

/** The product and the time of the orders searched. */
export interface Scene {
  readonly values: Values
  /** The kind of product; `undefined`: any product is possible. */
  readonly kind: number | undefined
  readonly at: number | null
}

/** A demand: one of the values has to be present. */
interface Demand {
  readonly values: ReadonlyArray<number>
  /** The group that they exclude; `undefined`: a group that must apply needs one of them. */
  readonly by: Asking | undefined
}

/** Values that are tried one after another. */
interface Branch {
  readonly choices: ReadonlyArray<number>
  next: number
  /** The lengths of the trail and of the list of demands before any was tried, and before the next is. */
  readonly start: number
  mark: number
  readonly demands: number
}

/** The result of checking all demands; when nothing else is left, the values of the demand to meet next. */
type Look = "met" | "changed" | "impossible" | Open

const isFor = (predicate: Predicate, { kind, at }: Scene): boolean =>
  !predicate.isNever &&
  isInForce(predicate, at) &&
  (kind === undefined || predicate.kinds?.has(kind) !== false)

/**
 * A partial order for one kind of product and one time, to which values are added and removed until groups apply as
 * required. It is empty until there is a demand: that one of some values is present. A demand with only one value left
 * is met at once; for others each value is tried. A value that was tried is excluded afterwards, because every order
 * with it has been covered.
 */
export class Outline {
  /** If there is no such order, the groups that prove it: together with those that must apply, they allow none. */
  readonly because = new Set<Asking>()
  /** The least number of values of an order that was left out only because it has too many. */
  cut = Number.POSITIVE_INFINITY
  private readonly wanted: Wanted
  private readonly scene: Scene
  private readonly budget: Budget
  private readonly most: number
  private readonly present = new Set<number>()
  private readonly out = new Set<number>()
  private readonly taken = new Map<Attribute, number>()
  private readonly demands: Array<Demand> = []
  /** Values that demands without a choice need. */
  private readonly forced: Array<number> = []
  private readonly branches: Array<Branch> = []
  /** The values that were added, and, as numbers below 0, those that were excluded, in this order. */
  private readonly trail: Array<number> = []

  /** `most`: how many values the order may have. */
  constructor(wanted: Wanted, scene: Scene, budget: Budget, most: number) {
    this.wanted = wanted
    this.scene = scene
    this.budget = budget
    this.most = most
  }

  /** The values of a fitting order; as few as possible when `most` allows no fewer. */
  *search(): Steps<ReadonlyArray<number> | "none" | "undecided"> {
    const { budget } = this
    let look: Look = (yield* this.begin()) ? "changed" : "impossible"
    for (;;) {
      if (budget.isSpent) return "undecided"
      if (look === "met") return [...this.present].sort((one, other) => one - other)
      if (look === "impossible" && !this.tryNext()) return "none"
      if (typeof look === "object") {
        const start = this.trail.length
        const { choices } = look
        this.branches.push({ choices, next: 0, start, mark: start, demands: this.demands.length })
        if (!this.tryNext()) return "none"
      }
      look = yield* this.look()
    }
  }

  /** The demands on an empty order. */
  private *begin(): Steps<boolean> {
    const { wanted, scene, budget, demands } = this
    for (const { predicate } of wanted.apply) {
      for (const { isWith, values } of predicate.clauses) {
        budget.take(isWith ? 1 : values.length)
        if (isWith) demands.push({ values, by: undefined })
        else for (const value of values) this.out.add(value)
      }
    }
    for (const { row, before } of wanted.not) {
      for (const place of row.applyingToNothing(scene.kind)) {
        if (place >= before) break
        if (budget.work.isDue) yield budget.work.turn()
        if (budget.isSpent || !this.keepAway(row.list[place])) return false
      }
    }
    return true
  }

  /** Demands a value that excludes a group that would apply; false when no value can. */
  private keepAway(asking: Asking | undefined): boolean {
    if (asking === undefined || this.wanted.except?.has(asking) === true) return true
    if (!isFor(asking.predicate, this.scene)) return true
    const values: Array<number> = []
    for (const clause of asking.predicate.clauses) {
      const isThere = clause.values.some((value) => this.present.has(value))
      if (isThere !== clause.isWith) return true
      if (!clause.isWith) values.push(...clause.values)
    }
    this.budget.take(1 + values.length)
    const [first, second] = this.firstTwo(values)
    if (second !== undefined) {
      this.demands.push({ values, by: asking })
      return true
    }
    this.because.add(asking)
    if (first !== undefined) this.forced.push(first)
    return first !== undefined
  }

  /** The first values of a demand that can meet it. */
  private firstTwo(values: ReadonlyArray<number>): ReadonlyArray<number> {
    const found: Array<number> = []
    for (const value of values) {
      if (!this.canCome(value)) continue
      found.push(value)
      if (found.length === 2) break
    }
    return found
  }

  private readonly canCome = (value: number): boolean => {
    if (this.out.has(value) || this.present.has(value)) return false
    const { values } = this.scene
    const { attribute } = values.at(value)
    return (this.taken.get(attribute) ?? 0) < values.mostAt(attribute)
  }

  /** Adds a value; false when a group then applies that nothing can exclude. */
  private put(value: number): boolean {
    const { attribute } = this.scene.values.at(value)
    this.present.add(value)
    this.trail.push(value)
    this.taken.set(attribute, (this.taken.get(attribute) ?? 0) + 1)
    for (const { row, before } of this.wanted.not) {
      for (const each of row.asking(value)) {
        if (each >= before) break
        this.budget.take(1)
        if (!this.keepAway(row.list[each])) return false
      }
    }
    return true
  }

  private undo(mark: number): void {
    for (const entry of this.trail.splice(mark)) {
      if (entry < 0) {
        this.out.delete(-1 - entry)
        continue
      }
      const { attribute } = this.scene.values.at(entry)
      this.present.delete(entry)
      this.taken.set(attribute, (this.taken.get(attribute) ?? 0) - 1)
    }
  }

  /** Backtracks to the last value tried and replaces it by the next one; false when there is none. */
  private tryNext(): boolean {
    for (;;) {
      const branch = this.branches.at(-1)
      if (branch === undefined) return false
      this.undo(branch.mark)
      this.forced.length = 0
      this.demands.length = branch.demands
      const tried = branch.choices[branch.next - 1]
      if (tried !== undefined) {
        this.out.add(tried)
        this.trail.push(-1 - tried)
        branch.mark = this.trail.length
      }
      const value = branch.choices[branch.next]
      branch.next += 1
      this.budget.take(1)
      if (value !== undefined && this.put(value)) return true
      if (value !== undefined) continue
      this.undo(branch.start)
      this.branches.pop()
    }
  }

  /** Whether adding a value does no harm, whatever other values are present. */
  private readonly isHarmless = (value: number): boolean =>
    this.scene.values.mostAt(this.scene.values.at(value).attribute) === Number.POSITIVE_INFINITY &&
    this.wanted.not.every(({ row, before }) => (row.asking(value)[0] ?? before) >= before)

  /** The value that meets a demand without a choice. */
  private onlyOne(choices: ReadonlyArray<number>): number | undefined {
    if (choices.length === 1) return choices[0]
    return this.most === Number.POSITIVE_INFINITY ? choices.find(this.isHarmless) : undefined
  }

  /** Whether there are more values than an order may have; the least size cut off is noted. */
  private isTooLarge(size: number): boolean {
    if (size <= this.most) return false
    this.cut = Math.min(this.cut, size)
    return true
  }

  /** Adds a value without an alternative; false when it can't be added. */
  private *putForced(): Steps<boolean> {
    const { budget, present } = this
    for (let value = this.forced.pop(); value !== undefined; value = this.forced.pop()) {
      if (budget.work.isDue) yield budget.work.turn()
      if (!budget.take(1)) return false
      if (present.has(value)) continue
      if (!this.canCome(value) || !this.put(value) || this.isTooLarge(present.size)) return false
    }
    return true
  }

  /** Checks every demand once: meets those that leave no choice, and finds the one with the fewest choices. */
  private *look(): Steps<Look> {
    const { budget, demands, because, present } = this
    if (!(yield* this.putForced())) return "impossible"
    const apart = new Apart()
    let isChanged = false
    let fewest: Open | undefined
    for (let index = 0; index < demands.length; index += 1) {
      const demand = demands[index]
      if (demand === undefined) break
      if (budget.work.isDue) yield budget.work.turn()
      if (!budget.take(1)) return "impossible"
      if (demand.values.some((value) => present.has(value))) continue
      budget.take(demand.values.length)
      const open: Open = { by: demand.by, choices: demand.values.filter(this.canCome) }
      const only = this.onlyOne(open.choices)
      if (only === undefined && open.choices.length > 0) {
        if (this.most !== Number.POSITIVE_INFINITY) apart.add(open)
        if (open.choices.length < (fewest?.choices.length ?? Number.POSITIVE_INFINITY))
          fewest = open
        continue
      }
      if (open.by !== undefined) because.add(open.by)
      if (only === undefined || !this.put(only) || this.isTooLarge(present.size))
        return "impossible"
      isChanged = true
    }
    if (isChanged || this.forced.length > 0) return "changed"
    if (fewest === undefined) return this.isTooLarge(present.size) ? "impossible" : "met"
    const blamed = this.isTooLarge(present.size + apart.count) ? apart.by : [fewest.by]
    for (const by of blamed) if (by !== undefined) because.add(by)
    return blamed === apart.by ? "impossible" : fewest
  }
}

/** A demand that is not met yet, with the values that would meet it. */
interface Open {
  readonly by: Asking | undefined
  readonly choices: ReadonlyArray<number>
}

/** Demands of which no two can be met by one value, so that each needs a value of its own. */
class Apart {
  count = 0
  readonly by: Array<Asking | undefined> = []
  private readonly values = new Set<number>()

  add({ by, choices }: Open): void {
    if (choices.some((value) => this.values.has(value))) return
    for (const value of choices) this.values.add(value)
    this.by.push(by)
    this.count += 1
  }
}
