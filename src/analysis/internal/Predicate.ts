import { firstSecond } from "../../internal/seconds.js"
import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { KindSet } from "./Assortment.js"

/** How many values of an attribute an order of one item can have, where there is a limit. */
export type ValueLimits = { readonly [A in Attribute.Attribute]?: number | undefined }

/** A value that some rule names. */
export interface Value {
  readonly attribute: Attribute.Attribute
  /** In the spelling of the first rule that names it. */
  readonly written: string
}

const valueKey = (attribute: Attribute.Attribute, written: string): string =>
  `${attribute} ${Attribute.foldOf(attribute)(written)}`

/** The values that rules name, each a number: two spellings of one value are one number. */
export class Values {
  private readonly known: Array<Value> = []
  private readonly numbers = new Map<string, number>()
  private readonly most: ReadonlyMap<Attribute.Attribute, number>
  /** Products may have any number of ids once a rule names one that products bring. */
  private hasBroughtIds = false
  private readonly isIdLimited: boolean

  /** `limits`: how many of the values that rules name an order can have. */
  constructor(limits: ValueLimits = {}) {
    const most = (attribute: Attribute.Attribute) =>
      limits[attribute] ?? Attribute.mostOf(attribute)
    this.isIdLimited = limits.products !== undefined
    this.most = new Map(Attribute.all.map((attribute) => [attribute, most(attribute)]))
  }

  /** The number of a value; a new one where no rule named it before. */
  numberOf(attribute: Attribute.Attribute, written: string): number {
    const key = valueKey(attribute, written)
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    if (attribute === "products" && Attribute.isBroughtId(written)) this.hasBroughtIds = true
    const number = this.known.length
    this.known.push({ attribute, written })
    this.numbers.set(key, number)
    return number
  }

  /** How many values of an attribute an order of one item can have. */
  mostAt(attribute: Attribute.Attribute): number {
    if (attribute === "products" && this.hasBroughtIds && !this.isIdLimited) {
      return Number.POSITIVE_INFINITY
    }
    return this.most.get(attribute) ?? Number.POSITIVE_INFINITY
  }

  at(number: number): Value {
    const value = this.known[number]
    if (value === undefined) throw new RangeError(`no value has the number ${number}`)
    return value
  }

  /** Whether a rule names the value. */
  has(attribute: Attribute.Attribute, written: string): boolean {
    return this.numbers.has(valueKey(attribute, written))
  }
}

/** A clause: an order has any of the values, or none of them. */
export interface Clause {
  readonly attribute: Attribute.Attribute
  readonly isWith: boolean
  /** Numbers of values, each once, in order. */
  readonly values: ReadonlyArray<number>
}

/**
 * When a group applies: all its clauses hold, and the order's time is within its dates. Clauses that always
 * hold are left out.
 */
export interface Predicate {
  /** Whether no order can meet it. */
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
  attribute: Attribute.Attribute,
  table: Values,
): Clause => {
  const numbers = new Set(values.map((value) => table.numberOf(attribute, value)))
  return { attribute, isWith: modifier === "WITH", values: [...numbers].sort((a, b) => a - b) }
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
 * The predicate of a group. `linked`: where the products are known, the kinds of product to which it is linked.
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

/** Whether the values of an order meet the clause. */
export const holds = (clause: Clause, present: ReadonlySet<number>): boolean =>
  clause.values.some((value) => present.has(value)) === clause.isWith

/**
 * Whether the predicate applies to an order with some values, of a product that is linked to it or has values that it
 * needs.
 */
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
    ({ attribute, isWith, values }) => `${attribute} ${isWith} ${values.join(" ")}`,
  )
  const kinds = [...(predicate.kinds ?? [])].join(" ")
  return `${clauses.join("|")}|${kinds}|${predicate.startsAt}|${predicate.endsAt}`
}

/** The predicate with only the times in question, in a normal form. */
export const since = (predicate: Predicate, from: number = firstSecond): Predicate =>
  isDated(predicate) ? { ...predicate, startsAt: Math.max(predicate.startsAt, from) } : predicate

/** The predicate of a group for an order whose product is known to be linked to it. */
export const ofLinkedGroup = (group: ProductGroup, table: Values): Predicate =>
  ofGroup(group, table, "all")

/** A group with its predicate. */
export interface Asking {
  readonly group: ProductGroup
  readonly predicate: Predicate
}

const none: ReadonlyArray<number> = []

/** Groups ordered by rank, the most specific first, and indexed by the values that make them apply. */
export class GroupRow {
  readonly list: ReadonlyArray<Asking>
  /** The times at which dates of the groups begin or end, in order; computed when they are first needed. */
  private times: ReadonlyArray<number> | undefined
  private readonly bare: ReadonlyArray<number>
  private readonly bareOfKind = new Map<number, ReadonlyArray<number>>()
  private readonly ofValue = new Map<number, Array<number>>()

  constructor(list: ReadonlyArray<Asking>) {
    this.list = list
    const bare: Array<number> = []
    for (const [place, { predicate }] of list.entries()) {
      if (predicate.isNever) continue
      const asked = predicate.clauses.filter(({ isWith }) => isWith)
      if (asked.length === 0) bare.push(place)
      for (const { values } of asked) for (const value of values) this.add(value, place)
    }
    this.bare = bare
  }

  private add(value: number, place: number): void {
    const known = this.ofValue.get(value)
    if (known === undefined) this.ofValue.set(value, [place])
    else known.push(place)
  }

  /** The indexes of the groups that need a value, in order. */
  asking(value: number): ReadonlyArray<number> {
    return this.ofValue.get(value) ?? none
  }

  /** The indexes of the groups that apply to an order without any value, of a kind of product, at some time. */
  applyingToNothing(kind: number | undefined): ReadonlyArray<number> {
    if (kind === undefined) return this.bare
    const known = this.bareOfKind.get(kind)
    if (known !== undefined) return known
    const found = this.bare.filter(
      (place) => this.list[place]?.predicate.kinds?.has(kind) !== false,
    )
    this.bareOfKind.set(kind, found)
    return found
  }

  /** The first time after another one at which dates of any of the groups begin or end. */
  changeAfter(time: number): number {
    this.times ??= this.list
      .flatMap(({ predicate }) => [predicate.startsAt, predicate.endsAt])
      .sort((one, other) => one - other)
    return this.times.find((each) => each > time) ?? Number.POSITIVE_INFINITY
  }
}
