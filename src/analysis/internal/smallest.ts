import { firstSecond, lastSecond } from "../../internal/seconds.js"
import type { Steps } from "../Options.js"
import { KindSet } from "./Assortment.js"
import type { Budget } from "./Budget.js"
import { type OrderShape, sizeOf } from "./OrderShape.js"
import { Outline, type Wanted } from "./Outline.js"
import type { Asking, Values } from "./Predicate.js"
import { isDated } from "./Predicate.js"

/** The premises of a search: the values that rules name, the products, and the earliest time. */
export interface Premises {
  readonly values: Values
  /** How many kinds of product there are; `undefined`: any product is possible. */
  readonly kinds: number | undefined
  /** Orders before it are excluded. */
  readonly from: number | undefined
}

/** An order that fits, and whether it is proved that none with fewer attributes does. */
export interface FoundOrder {
  readonly sketch: OrderShape
  readonly isSmallest: boolean
}

/** The proof that there is no such order: some of the groups that must not apply are enough for it. */
export interface NoOrder {
  readonly because: ReadonlySet<Asking>
}

/** `undecided`: the budget was spent before the search ended. */
export type SmallestAnswer = FoundOrder | NoOrder | "undecided"

/** Whether an order was found. */
export const isFound = (found: SmallestAnswer): found is FoundOrder =>
  typeof found === "object" && "sketch" in found

/** Whether it is proved that no order exists. */
export const isNone = (found: SmallestAnswer): found is NoOrder =>
  typeof found === "object" && "because" in found

/** A question and its premises. */
interface WorldQuestion {
  readonly wanted: Wanted
  readonly world: Premises
  readonly budget: Budget
  /** Whether the smallest order is required; otherwise any that fits. */
  readonly isSmall: boolean
}

/** A kind of product and a time. */
interface Scene {
  readonly kind: number | undefined
  readonly at: number | null
}

type TryAnswer =
  | { readonly values: ReadonlyArray<number>; readonly isSmallest: boolean }
  | NoOrder
  | "undecided"

/** The fewest values of an order, of so many at most, for one kind of product and one time. */
function* fewestValues(
  { wanted, world, budget, isSmall }: WorldQuestion,
  scene: Scene,
  most: number,
): Steps<TryAnswer> {
  const outlineOf = (limit: number) =>
    new Outline(wanted, { ...scene, values: world.values }, budget, limit)
  const any = outlineOf(Number.POSITIVE_INFINITY)
  const values = yield* any.search()
  if (values === "undecided") return values
  if (values === "none") return { because: any.because }
  if (!isSmall) return { values, isSmallest: values.length === 0 }
  let because: ReadonlySet<Asking> = new Set()
  for (let limit = 0; limit < values.length && limit <= most; ) {
    const outline = outlineOf(limit)
    const fewer = yield* outline.search()
    if (fewer === "undecided") {
      return values.length <= most ? { values, isSmallest: false } : fewer
    }
    if (fewer !== "none") return { values: fewer, isSmallest: true }
    because = outline.because
    limit = outline.cut
  }
  return values.length <= most ? { values, isSmallest: true } : { because }
}

/** The kinds of product to which all of some groups are linked; `undefined`: no group restricts them. */
const kindsOfAll = (groups: Iterable<Asking>, budget: Budget): KindSet | undefined => {
  let found: KindSet | undefined
  for (const { predicate } of groups) {
    budget.take(predicate.kinds?.steps ?? 0)
    found = predicate.kinds && found ? found.and(predicate.kinds) : (found ?? predicate.kinds)
  }
  return found
}

/** The first time at which all groups that must apply are in force, and the first at which they no longer are. */
interface TimeSpan {
  readonly start: number | null
  readonly end: number
}

const periodOf = ({ apply }: Wanted, { from }: Premises): TimeSpan => {
  const predicates = apply.map(({ predicate }) => predicate)
  if (!predicates.some(isDated)) return { start: null, end: Number.POSITIVE_INFINITY }
  return {
    start: Math.max(from ?? firstSecond, ...predicates.map(({ startsAt }) => startsAt)),
    end: Math.min(lastSecond + 1, ...predicates.map(({ endsAt }) => endsAt)),
  }
}

/** As long as all groups of the proof are in force, there is no order either. */
const whenOver = ({ because }: NoOrder): number => {
  let over = Number.POSITIVE_INFINITY
  for (const { predicate } of because) over = Math.min(over, predicate.endsAt)
  return over
}

/** The search through all kinds of product and all times. */
class Quest {
  best: FoundOrder | undefined
  readonly because = new Set<Asking>()
  isGivenUp = false
  private readonly asked: WorldQuestion
  private readonly period: TimeSpan
  /**
   * The kinds of which it is not known yet whether they have an order, or a smaller one; `undefined`: kinds are not
   * used.
   */
  private left: KindSet | undefined

  constructor(asked: WorldQuestion) {
    this.asked = asked
    const { wanted, world, budget } = asked
    this.period = periodOf(wanted, world)
    this.left =
      world.kinds === undefined
        ? undefined
        : (kindsOfAll(wanted.apply, budget) ?? KindSet.all(world.kinds))
  }

  *search(): Steps<void> {
    const { budget } = this.asked
    if (this.left === undefined) return yield* this.ofKind(undefined)
    for (;;) {
      if (budget.work.isDue) yield budget.work.turn()
      budget.take(1 + this.left.steps)
      const kind = this.left.first
      if (kind === undefined) return
      yield* this.ofKind(kind)
      if (this.isGivenUp || this.isEnough) return
    }
  }

  /** Whether no other order could be better. */
  private get isEnough(): boolean {
    if (this.best === undefined) return false
    return !this.asked.isSmall || sizeOf(this.best.sketch) === Number(this.period.start !== null)
  }

  /** Looks at times in sequence, each time up to the next at which a group of the proof ends. */
  private *ofKind(kind: number | undefined): Steps<void> {
    const { start, end } = this.period
    const together = new Set<Asking>()
    for (let at = start; at === null || at < end; ) {
      const fewer = this.best === undefined ? Number.POSITIVE_INFINITY : sizeOf(this.best.sketch)
      const most = fewer - 1 - Number(at !== null)
      const found = yield* fewestValues(this.asked, { kind, at }, most)
      if (found === "undecided") {
        this.isGivenUp = true
        return
      }
      if ("values" in found) {
        const sketch = { values: found.values, kind, at: this.shown(at) }
        this.best = { sketch, isSmallest: found.isSmallest }
        this.isGivenUp ||= !found.isSmallest && this.asked.isSmall
        if (this.isGivenUp || this.isEnough || (kind === undefined && at === null)) return
        continue
      }
      for (const asking of found.because) together.add(asking)
      if (at === null) break
      at = whenOver(found)
    }
    this.note(together)
  }

  /** Notes that other kinds of product with the same linked groups have no order, or no smaller one, either. */
  private note(together: ReadonlySet<Asking>): void {
    for (const asking of together) this.because.add(asking)
    if (this.left === undefined) return
    const { world, budget } = this.asked
    budget.take(together.size)
    this.left = this.left.without(kindsOfAll(together, budget) ?? KindSet.all(world.kinds ?? 0))
  }

  /** Avoids the very first second as an example of a time before another. */
  private shown(at: number | null): number | null {
    if (at !== firstSecond) return at
    const changes = this.asked.wanted.not.map(({ row }) => row.changeAfter(at))
    return Math.min(this.period.end, ...changes) - 1
  }
}

/**
 * An order to which every one of some groups applies and none of some others, or that there is none. Exact: every
 * possible order is represented by one that is checked.
 */
function* search(asked: WorldQuestion): Steps<SmallestAnswer> {
  if (asked.wanted.apply.some(({ predicate }) => predicate.isNever)) return { because: new Set() }
  const quest = new Quest(asked)
  yield* quest.search()
  if (quest.best !== undefined) {
    return { ...quest.best, isSmallest: quest.best.isSmallest && !quest.isGivenUp }
  }
  return quest.isGivenUp ? "undecided" : { because: quest.because }
}

/** Any order that fits: this is faster than finding the smallest one. */
export const anyOrder = (wanted: Wanted, world: Premises, budget: Budget): Steps<SmallestAnswer> =>
  search({ wanted, world, budget, isSmall: false })

/** The fitting order with the fewest attributes, or one that may not be the smallest. */
export const smallest = (wanted: Wanted, world: Premises, budget: Budget): Steps<SmallestAnswer> =>
  search({ wanted, world, budget, isSmall: true })
