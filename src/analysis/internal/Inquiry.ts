import { at } from "../../internal/at.js"
import type { Product } from "../../orders/Product.js"
import { bySpecificity, placed } from "../../rules/engine/Precedence.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import { CountedOrders, plainOf } from "../CountedOrders.js"
import type { AnyRules, Options, Steps, Witness } from "../Options.js"
import { type Assortment, assortmentOf, KindSet, type Selected } from "./Assortment.js"
import { Budget, Work } from "./Budget.js"
import { orderOf, sizeOf } from "./OrderShape.js"
import * as predicates from "./Predicate.js"
import { type Asking, GroupRow, type Predicate, type ValueLimits, Values } from "./Predicate.js"
import { plainOptions, type ResolvedOptions, readCatalogue, settingOf } from "./ResolvedOptions.js"
import type { FoundOrder, Premises } from "./smallest.js"

/** Some groups, such as those of one collaborator, and the orders that they can distinguish. */
export interface GroupsPart {
  /** The collaborator whose groups they are; empty for the groups of all. */
  readonly collaboratorId: string
  /** For each rule set in question, the most specific group first. */
  readonly rows: ReadonlyArray<GroupRow>
  readonly world: Premises
  /** A product of each kind that the groups distinguish; empty where the products are not known. */
  readonly products: ReadonlyArray<Product>
}

/** A rule set's groups, the most specific one first. */
export const ranked = (groups: ReadonlyArray<ProductGroup>): ReadonlyArray<ProductGroup> =>
  groups
    .map(placed)
    .sort(bySpecificity)
    .map(({ group }) => group)

/** The kinds of product that some groups distinguish. */
interface Kinds {
  readonly products: ReadonlyArray<Product>
  /** For each list of kinds that a link selects, its new kinds. */
  readonly ofLink: ReadonlyMap<Selected, KindSet>
}

/**
 * A number for each kind that is in any of some lists; kinds that are in the same lists have the same number. Each list
 * separates its kinds from the others.
 */
function* classesOf(
  lists: Iterable<ReadonlyArray<number>>,
  budget: Budget,
): Steps<ReadonlyMap<number, number>> {
  const classes = new Map<number, number>()
  let last = 0
  for (const list of lists) {
    if (budget.work.isDue) yield budget.work.turn()
    if (!budget.take(1 + list.length)) break
    const parted = new Map<number, number>()
    for (const kind of list) {
      const before = classes.get(kind) ?? 0
      const known = parted.get(before)
      if (known === undefined) last += 1
      const now = known ?? last
      parted.set(before, now)
      classes.set(kind, now)
    }
  }
  return classes
}

/** Merges kinds that are selected by the same links; `undefined`: the budget was spent. */
function* kindsOf(
  links: ReadonlySet<Selected>,
  { kinds }: Assortment,
  budget: Budget,
): Steps<Kinds | undefined> {
  const lists = [...links].map((link) => (link === "all" ? [] : link))
  const classes = yield* classesOf(lists, budget)
  if (budget.isSpent) return undefined
  // One product that none of them selects represents all such products.
  const other = kinds.findIndex((_, kind) => !classes.has(kind))
  const all = other === -1 ? [...classes.keys()] : [...classes.keys(), other]
  const numbers = new Map<number, number>()
  const products: Array<Product> = []
  for (const kind of all.sort((one, next) => one - next)) {
    const key = classes.get(kind) ?? 0
    if (numbers.has(key)) continue
    numbers.set(key, products.length)
    products.push(...(kinds[kind]?.products.slice(0, 1) ?? []))
  }
  const numberOf = (kind: number) => numbers.get(classes.get(kind) ?? 0) ?? 0
  const sets: Array<KindSet> = []
  for (const list of lists) {
    if (budget.work.isDue) yield budget.work.turn()
    budget.take(list.length / 4)
    sets.push(KindSet.of(list.map(numberOf), products.length))
  }
  return {
    products,
    ofLink: new Map([...links].map((link, index) => [link, at(sets, index)])),
  }
}

/** The predicate of a group, where products are known. */
const predicateAmong = (
  group: ProductGroup,
  { products, ofLink }: Kinds,
  link: Selected,
  values: Values,
): predicates.Predicate => {
  const kinds = ofLink.get(link) ?? KindSet.of([], products.length)
  const isForAll = link === "all" || (kinds.size === products.length && products.length > 0)
  return predicates.ofGroup(group, values, isForAll ? "all" : kinds)
}

/** The input of a question: rule sets, and the products of a catalogue if there is one. */
export interface Matter {
  readonly ruleSets: ReadonlyArray<RuleSet>
  readonly assortment: Assortment | undefined
  readonly from: number | undefined
  readonly limits: ValueLimits
}

/** The number of steps for reading a group's link and condition. */
export const costOf = ({ link, condition }: ProductGroup): number =>
  1 + link.values.length + (condition?.values.length ?? 0)

/** Makes a part of the groups of one owner, most specific first, in each rule set. */
function* partOf(
  collaboratorId: string,
  sides: ReadonlyArray<ReadonlyArray<ProductGroup>>,
  { assortment, from, limits }: Matter,
  budget: Budget,
): Steps<GroupsPart | undefined> {
  const groups = sides.flat()
  const links = groups.map((group): Selected => assortment?.selectedBy(group) ?? [])
  const distinct = new Set(links)
  const kinds = assortment && (yield* kindsOf(distinct, assortment, budget))
  if (budget.isSpent) return undefined
  const values = new Values(limits)
  const asking: Array<Asking> = []
  for (const [index, group] of groups.entries()) {
    if (budget.work.isDue) yield budget.work.turn()
    if (!budget.take(costOf(group))) return undefined
    const predicate =
      kinds === undefined
        ? predicates.ofGroup(group, values)
        : predicateAmong(group, kinds, links[index] ?? [], values)
    asking.push({ group, predicate })
  }
  const different = withoutTwins(asking)
  let start = 0
  const rows = sides.map(({ length }) => {
    start += length
    return new GroupRow(different.slice(start - length, start))
  })
  const world = { values, kinds: kinds?.products.length, from }
  return { collaboratorId, rows, world, products: kinds?.products ?? [] }
}

/** Divides rule sets by collaborator: matching one's groups does not depend on another's. */
export function* partsOf(
  matter: Matter,
  budget: Budget,
): Steps<ReadonlyArray<GroupsPart> | undefined> {
  const sides = matter.ruleSets.map(({ groups }) =>
    Map.groupBy(ranked(groups), ({ collaboratorId }) => collaboratorId),
  )
  const owners = new Set(
    matter.ruleSets.flatMap(({ groups }) => groups.map(({ collaboratorId }) => collaboratorId)),
  )
  const parts: Array<GroupsPart> = []
  for (const owner of owners) {
    const own = sides.map((side) => side.get(owner) ?? [])
    const part = yield* partOf(owner, own, matter, budget)
    if (part === undefined) return undefined
    parts.push(part)
  }
  return parts
}

/** All groups of rule sets in one part; `undefined`: the budget was spent. */
export const wholeOf = (matter: Matter, budget: Budget): Steps<GroupsPart | undefined> =>
  partOf(
    "",
    matter.ruleSets.map(({ groups }) => ranked(groups)),
    matter,
    budget,
  )

/** A group that needs values. */
interface Asker {
  readonly predicate: Predicate
}

/** For each value, the clauses that name it. */
const namingOf = (all: ReadonlyArray<Asker>): ReadonlyMap<number, string> => {
  const naming = new Map<number, string>()
  all.forEach(({ predicate }, index) => {
    predicate.clauses.forEach(({ attribute, values }) => {
      for (const value of values) {
        naming.set(value, `${naming.get(value) ?? attribute} ${index}`)
      }
    })
  })
  return naming
}

/**
 * The same with one value for all values named by the same clauses: an order with one of them has the same result as
 * with another, and two of them add nothing.
 */
export const withoutTwins = <Kind extends Asker>(all: ReadonlyArray<Kind>): ReadonlyArray<Kind> => {
  const first = new Map<string, number>()
  const kept = new Set<number>()
  for (const [value, naming] of namingOf(all)) {
    if (first.has(naming)) continue
    first.set(naming, value)
    kept.add(value)
  }
  return all.map((each) => {
    const clauses = each.predicate.clauses.map((clause) => ({
      ...clause,
      values: clause.values.filter((value) => kept.has(value)),
    }))
    return { ...each, predicate: { ...each.predicate, clauses } }
  })
}

/** A witness as an order: one unit of a product, at its price if it has one. */
export const exampleOf = (
  { sketch, isSmallest }: FoundOrder,
  part: GroupsPart,
  { catalogue }: ResolvedOptions,
): Witness => {
  const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
  const figures = { amount: product?.price ?? 10_000, currency: catalogue?.currency }
  const order = orderOf(sketch, part.world.values, { figures, product })
  return { order, attributeCount: sizeOf(sketch), isSmallest }
}

/** A value that was computed once; `undefined`: the budget was spent before. */
interface Remembered<A> {
  readonly value: A | undefined
}

/**
 * The rule sets of a question, and data shared by several answers: the products by their links, and the groups by
 * collaborator.
 */
export class Inquiry {
  /** The rule sets without their terms: tiers are their highest percentage. */
  readonly ruleSets: ReadonlyArray<RuleSet>
  /** The rules as they were given. */
  readonly given: ReadonlyArray<AnyRules>
  readonly counted: CountedOrders
  readonly setting: ResolvedOptions
  readonly work: Work
  private assorted: Remembered<Assortment> | undefined
  private parted: Remembered<ReadonlyArray<GroupsPart>> | undefined
  private gathered: Remembered<GroupsPart> | undefined

  constructor(given: ReadonlyArray<AnyRules>, setting: ResolvedOptions, work: Work = new Work()) {
    this.given = given
    this.ruleSets = given.map(plainOf)
    this.counted = new CountedOrders(this.ruleSets, setting.from)
    this.setting = setting
    this.work = work
  }

  /** All steps that a question may take. */
  budget(): Budget {
    return Budget.of(this.setting.budget, this.work)
  }

  /** The products of the catalogue by the links that select them. */
  *assortment(budget: Budget): Steps<Assortment | undefined> {
    const products = this.setting.catalogue?.products ?? []
    const groups = this.ruleSets.flatMap((rules) => rules.groups)
    this.assorted ??= { value: yield* assortmentOf(groups, products, budget) }
    return this.assorted.value
  }

  private *matter(budget: Budget): Steps<Matter | undefined> {
    const { ruleSets, setting } = this
    const { from, limits, catalogue } = setting
    if (catalogue === undefined) return { ruleSets, from, limits, assortment: undefined }
    const assortment = yield* this.assortment(budget)
    return assortment && { ruleSets, from, limits, assortment }
  }

  /** The groups by collaborator. */
  *parts(budget: Budget): Steps<ReadonlyArray<GroupsPart> | undefined> {
    if (this.parted === undefined) {
      const matter = yield* this.matter(budget)
      this.parted = { value: matter && (yield* partsOf(matter, budget)) }
    }
    return this.parted.value
  }

  /** A witness as an order, with a time and with counters at 0 where terms need them. */
  example(found: FoundOrder, part: GroupsPart): Witness {
    const example = exampleOf(found, part, this.setting)
    if (this.counted.termsOn(example.order).length === 0) return example
    return { ...example, order: this.counted.dated(example.order), counters: {} }
  }

  /** All groups together. */
  *whole(budget: Budget): Steps<GroupsPart | undefined> {
    if (this.gathered === undefined) {
      const matter = yield* this.matter(budget)
      this.gathered = { value: matter && (yield* wholeOf(matter, budget)) }
    }
    return this.gathered.value
  }
}

/** Answers a question about rule sets under some options; throws `InvalidOptions`. */
export function* ask<Answer>(
  question: (inquiry: Inquiry) => Steps<Answer>,
  options: Options,
  ...ruleSets: ReadonlyArray<AnyRules>
): Steps<Answer> {
  const work = new Work()
  const plain = plainOptions(options)
  yield* readCatalogue(plain, work)
  return yield* question(new Inquiry(ruleSets, settingOf(plain, ...ruleSets), work))
}
