import { firstSecond } from "../../internal/seconds.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { KindSet } from "./KindSet.js"
import type { ValuePlace, Values } from "./Values.js"

/** One question to an order: has it any of the values, or none of them? */
export interface Clause {
  readonly place: ValuePlace
  readonly isWith: boolean
  /** Numbers of values, each once, in order. */
  readonly values: ReadonlyArray<number>
}

/**
 * When a group applies: all its clauses hold, and the order's time is within its dates. Clauses that always
 * hold are left out.
 */
export interface Predicate {
  /** Whether no order can have what it asks for. */
  readonly isNever: boolean
  readonly clauses: ReadonlyArray<Clause>
  /**
   * The kinds of product that its link selects, in order, where the products are known; then no clause is about
   * them. `undefined`: products are not known, or it selects them all.
   */
  readonly kinds: KindSet | undefined
  readonly startsAt: number
  readonly endsAt: number
}

/** Applies to every order. */
export const always: Predicate = {
  isNever: false,
  clauses: [],
  kinds: undefined,
  startsAt: Number.NEGATIVE_INFINITY,
  endsAt: Number.POSITIVE_INFINITY,
}

const clauseOf = (
  { modifier, values }: { readonly modifier: string; readonly values: ReadonlyArray<string> },
  place: ValuePlace,
  table: Values,
): Clause => {
  const numbers = new Set(values.map((value) => table.numberOf(place, value)))
  return { place, isWith: modifier === "WITH", values: [...numbers].sort((a, b) => a - b) }
}

const linkClause = ({ link }: ProductGroup, table: Values): Clause | boolean => {
  if (link.type === "products.all") return link.modifier === "WITH"
  return simple(clauseOf(link, link.type, table))
}

/** WITH no values is never true, NOT with none always. */
const simple = (clause: Clause): Clause | boolean =>
  clause.values.length === 0 ? !clause.isWith : clause

const conditionClause = ({ condition }: ProductGroup, table: Values): Clause | boolean =>
  condition === null ? true : simple(clauseOf(condition, condition.type, table))

/**
 * What a group asks of a product and an order. `linked`: where the products are known, the kinds of product to which
 * it is linked.
 */
export const ofGroup = (
  group: ProductGroup,
  table: Values,
  linked?: KindSet | "all" | undefined,
): Predicate => {
  const isKnown = linked === "all" || linked?.isEmpty === false
  const link = linked === undefined ? linkClause(group, table) : isKnown
  const both = [link, conditionClause(group, table)]
  return {
    isNever: both.includes(false),
    clauses: both.filter((clause) => typeof clause === "object"),
    kinds: linked === "all" ? undefined : linked,
    startsAt: group.startsAt ?? Number.NEGATIVE_INFINITY,
    endsAt: group.endsAt ?? Number.POSITIVE_INFINITY,
  }
}

/** Whether the predicate asks for the order's time. */
export const isDated = ({ startsAt, endsAt }: Predicate): boolean =>
  startsAt !== Number.NEGATIVE_INFINITY || endsAt !== Number.POSITIVE_INFINITY

/** Whether the dates allow a time; `null` is an order without one. */
export const isInForce = (predicate: Predicate, at: number | null): boolean =>
  at === null ? !isDated(predicate) : predicate.startsAt <= at && at < predicate.endsAt

/** Whether the values that an order has are what the clause asks for. */
export const holds = (clause: Clause, present: ReadonlySet<number>): boolean =>
  clause.values.some((value) => present.has(value)) === clause.isWith

/** Whether an order with some values, of a product that is linked or asked for by them, is one that it applies to. */
export const applies = (
  predicate: Predicate,
  present: ReadonlySet<number>,
  at: number | null,
): boolean =>
  !predicate.isNever &&
  isInForce(predicate, at) &&
  predicate.clauses.every((clause) => holds(clause, present))

/** Equal for two predicates that apply to the same orders, and only for those. */
export const keyOf = (predicate: Predicate): string => {
  if (predicate.isNever) return "never"
  const clauses = predicate.clauses.map(
    ({ place, isWith, values }) => `${place} ${isWith} ${values.join(" ")}`,
  )
  const kinds = [...(predicate.kinds ?? [])].join(" ")
  return `${clauses.join("|")}|${kinds}|${predicate.startsAt}|${predicate.endsAt}`
}

/** The predicate with only those of its times that are asked about, written in one way. */
export const since = (predicate: Predicate, from: number = firstSecond): Predicate =>
  isDated(predicate) ? { ...predicate, startsAt: Math.max(predicate.startsAt, from) } : predicate

/** What a group asks of an order whose product is known to be one that it is linked to. */
export const ofLinkedGroup = (group: ProductGroup, table: Values): Predicate =>
  ofGroup(group, table, "all")
