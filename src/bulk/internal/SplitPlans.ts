import { numberAt } from "../../internal/at.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { TextListColumn } from "./Columns.js"
import { type GroupColumns, isDemanding } from "./GroupColumns.js"
import { KeyNumbers, type WordNumbers } from "./KeyNumbers.js"
import type { OrderRows } from "./OrderRows.js"
import { OrderValues } from "./OrderValues.js"
import { Plans } from "./Plans.js"

/** The groups whose links select some products, without those that can't count. */
interface ProductClass {
  /** The most specific one first. */
  readonly groups: Int32Array
  /** Places in `groups` of those that apply only to some orders, and are tested one by one. */
  readonly tested: Int32Array
  /** The same of those that are found by a value of the order. */
  readonly asked: ReadonlyMap<number, ReadonlyArray<number>> | undefined
}

/** A test in numbers: what it is of, how many values it names, the group, and then these values. */
const testHead = 3
const isDated = 1
const isConditional = 2
const isNegated = 4

const testsOfWord = 31

/** With so many tests at most, each of their outcomes has its place in a table. */
const mostBits = 6

const noDemands = { condition: null, startsAt: null, endsAt: null }

/** Sets an entry, in a larger array where there is no room for it. */
const setAt = (numbers: Int32Array, place: number, value: number): Int32Array => {
  if (place < numbers.length) {
    numbers[place] = value
    return numbers
  }
  const larger = new Int32Array(place * 2 + 64)
  larger.set(numbers)
  larger[place] = value
  return larger
}

/** From this many groups with conditions on, those that ask for a value are found by it. */
const manyDemands = 62

/** At so many products, plans and entries of plans all is forgotten, so that memory stays bounded. */
const mostKeys = 1 << 20
const mostEntries = 1 << 23

/**
 * Which groups count for a row: remembered by what the row's product and order have, so that a row costs a look-up.
 */
export class SplitPlans {
  readonly values: OrderValues
  readonly plans: Plans
  private readonly columns: GroupColumns
  private readonly rules: RuleSet.RuleSet
  private readonly policy: SplitPolicy
  private readonly words: WordNumbers
  private readonly wanted: ReadonlyArray<Int32Array>
  private readonly isNot: Uint8Array
  private readonly startsAt: Float64Array
  private readonly endsAt: Float64Array
  private readonly products = new KeyNumbers()
  private classOfProduct: Int32Array = new Int32Array(64)
  /** How many products have a class. */
  private known = 0
  private readonly classKeys = new KeyNumbers()
  private readonly classes: Array<ProductClass> = []
  private tests: Int32Array = new Int32Array(64)
  private testEnd = 0
  private testStarts: Int32Array = new Int32Array(64)
  private testCounts: Int32Array = new Int32Array(64)
  /** Where the outcomes of a class begin in the table of plans; -1: they are many, and have keys. */
  private planTables: Int32Array = new Int32Array(64)
  /** Plans plus one; 0: not made yet. */
  private planTable: Int32Array = new Int32Array(64)
  private planTableEnd = 0
  private readonly keys = new KeyNumbers()
  private readonly keyPlans: Array<number> = []
  private key: Int32Array = new Int32Array(1 << 10)
  private readonly best: Int32Array
  private stamp = 0
  private isLearntEnough = false

  constructor(columns: GroupColumns, policy: SplitPolicy, words: WordNumbers) {
    const { groups, rules } = columns
    this.rules = rules
    this.policy = policy
    this.words = words
    this.columns = columns
    this.plans = new Plans(columns)
    this.values = new OrderValues(groups, words)
    this.wanted = groups.map(({ condition }) =>
      condition === null
        ? new Int32Array(0)
        : Int32Array.from(condition.values, (value) => this.values.numberOf(condition.type, value)),
    )
    this.isNot = Uint8Array.from(groups, ({ condition }) =>
      condition === null ? 2 : Number(condition.modifier === "NOT"),
    )
    this.startsAt = Float64Array.from(groups, ({ startsAt }) => startsAt ?? Number.NaN)
    this.endsAt = Float64Array.from(groups, ({ endsAt }) => endsAt ?? Number.NaN)
    this.best = new Int32Array(this.columns.collaboratorIds.length)
  }

  /** Whether so much is remembered that it is time to begin anew. */
  get isFull(): boolean {
    return this.isLearntEnough || this.words.isFull
  }

  /** What is learnt is seldom. */
  private noteSize(): void {
    const { products, keys, classKeys } = this
    const { count, groupCount } = this.plans
    const entries = Math.max(keys.length, classKeys.length, products.length, groupCount)
    const most = Math.max(keys.size, products.size, count)
    this.isLearntEnough = most > mostKeys || Math.max(entries, this.planTableEnd) > mostEntries
  }

  /** The plan of a row. The order's values must have been looked at. */
  planOf(rows: OrderRows, row: number, createdAt: number): number {
    const number = this.classOf(rows, row)
    const table = numberAt(this.planTables, number)
    if (table < 0) return this.planByKey(number, createdAt)
    const { tests } = this
    const count = numberAt(this.testCounts, number)
    let place = numberAt(this.testStarts, number)
    let bits = 0
    for (let test = 0; test < count; test += 1) {
      if (this.isMet(place, createdAt)) bits |= 1 << test
      place += testHead + numberAt(tests, place + 1)
    }
    const plan = numberAt(this.planTable, table + bits)
    return plan > 0 ? plan - 1 : this.learnPlan(number, table + bits, bits)
  }

  private learnPlan(number: number, place: number, bits: number): number {
    const product = this.classes[number]
    if (product === undefined) throw new RangeError("there is no such class of products")
    this.key[1] = bits
    const plan = this.make(product, 2, 2)
    this.planTable[place] = plan + 1
    return plan
  }

  /** Of products on which many groups have demands. */
  private planByKey(number: number, createdAt: number): number {
    const product = this.classes[number]
    if (product === undefined) throw new RangeError("there is no such class of products")
    const { tests } = this
    const count = numberAt(this.testCounts, number)
    this.makeKeyRoom(3 + count / testsOfWord)
    const { key } = this
    key[0] = number
    let length = 1
    let bits = 0
    let test = 0
    let place = numberAt(this.testStarts, number)
    for (let left = count; left > 0; left -= 1) {
      if (this.isMet(place, createdAt)) bits |= 1 << test
      place += testHead + numberAt(tests, place + 1)
      test += 1
      if (test < testsOfWord) continue
      key[length] = bits
      length += 1
      bits = 0
      test = 0
    }
    key[length] = bits
    length += 1
    const testedLength = length
    if (product.asked !== undefined) {
      const found = this.askedBy(product, product.asked, createdAt)
      this.makeKeyRoom(length + found.length)
      for (const each of found) {
        this.key[length] = each
        length += 1
      }
    }
    const known = this.keys.numberOf(this.key, length)
    if (known < this.keyPlans.length) return this.keyPlans[known] ?? 0
    const plan = this.make(product, testedLength, length)
    this.keyPlans.push(plan)
    return plan
  }

  /** Whether the order meets a test. */
  private isMet(place: number, createdAt: number): boolean {
    const { tests } = this
    const kind = numberAt(tests, place)
    if ((kind & isDated) !== 0 && !this.isInForce(numberAt(tests, place + 2), createdAt))
      return false
    if ((kind & isConditional) === 0) return true
    const { marks, order } = this.values
    const end = place + testHead + numberAt(tests, place + 1)
    for (let at = place + testHead; at < end; at += 1) {
      if (numberAt(marks, numberAt(tests, at)) === order) return (kind & isNegated) === 0
    }
    return (kind & isNegated) !== 0
  }

  private isInForce(group: number, createdAt: number): boolean {
    const startsAt = this.startsAt[group] ?? Number.NaN
    const endsAt = this.endsAt[group] ?? Number.NaN
    // No comparison holds with a time that is not there.
    if (!Number.isNaN(startsAt) && !(startsAt <= createdAt)) return false
    return Number.isNaN(endsAt) || createdAt < endsAt
  }

  private askedBy(
    { groups }: ProductClass,
    asked: ReadonlyMap<number, ReadonlyArray<number>>,
    createdAt: number,
  ): ReadonlyArray<number> {
    const found: Array<number> = []
    const { present, presentCount } = this.values
    for (let at = 0; at < presentCount; at += 1) {
      for (const place of asked.get(numberAt(present, at)) ?? []) {
        if (this.isInForce(numberAt(groups, place), createdAt)) found.push(place)
      }
    }
    return found.length < 2 ? found : [...new Set(found)].sort((one, other) => one - other)
  }

  private classOf(rows: OrderRows, row: number): number {
    const { key } = this
    key[0] = rows.productIds.word(row)
    key[1] = rows.externalIds.word(row)
    key[2] = rows.vendors.word(row)
    let length = this.addWords(4, rows.productTags, row)
    this.key[3] = length
    length = this.addWords(length, rows.otherIds, row)
    const product = this.products.numberOf(this.key, length)
    return product < this.known
      ? numberAt(this.classOfProduct, product)
      : this.learnProduct(product, rows, row)
  }

  private addWords(from: number, lists: TextListColumn, row: number): number {
    const end = lists.endOf(row)
    let length = from
    for (let at = lists.startOf(row); at < end; at += 1) {
      this.makeKeyRoom(length + 1)
      this.key[length] = lists.texts.word(at)
      length += 1
    }
    return length
  }

  private makeKeyRoom(length: number): void {
    if (length <= this.key.length) return
    const larger = new Int32Array(Math.ceil(length) * 2)
    larger.set(this.key)
    this.key = larger
  }

  private learnProduct(product: number, rows: OrderRows, row: number): number {
    const number = this.classFor(rows.rowAt(row).item.product)
    this.classOfProduct = setAt(this.classOfProduct, product, number)
    this.known = product + 1
    this.noteSize()
    return number
  }

  private classFor(product: Product): number {
    const linked = this.withoutOutranked(RuleSet.linkedGroups(this.rules, product))
    const key = Int32Array.from(linked)
    const number = this.classKeys.numberOf(key, key.length)
    if (number < this.classes.length) return number
    const demanding = linked.flatMap((group, place) => (this.isDemanding(group) ? [place] : []))
    const isMany = demanding.length > manyDemands
    const isFound = (place: number) => isMany && this.isNot[linked[place] ?? 0] === 0
    const asked = new Map<number, Array<number>>()
    for (const place of demanding.filter(isFound)) {
      for (const value of this.wanted[linked[place] ?? 0] ?? []) {
        const places = asked.get(value)
        if (places === undefined) asked.set(value, [place])
        else places.push(place)
      }
    }
    const tested = Int32Array.from(demanding.filter((place) => !isFound(place)))
    this.classes.push({ groups: key, tested, asked: isMany ? asked : undefined })
    this.addTests(number, key, tested)
    const isByTable = !isMany && tested.length <= mostBits
    this.planTables = setAt(this.planTables, number, isByTable ? this.planTableEnd : -1)
    if (!isByTable) return number
    this.planTableEnd += 1 << tested.length
    if (this.planTableEnd > this.planTable.length) {
      const larger = new Int32Array(this.planTableEnd * 2)
      larger.set(this.planTable)
      this.planTable = larger
    }
    return number
  }

  /** Writes down what has to be tested, one behind the other. */
  private addTests(number: number, groups: Int32Array, tested: Int32Array): void {
    this.testStarts = setAt(this.testStarts, number, this.testEnd)
    this.testCounts = setAt(this.testCounts, number, tested.length)
    for (const place of tested) {
      const group = numberAt(groups, place)
      const wanted = (this.wanted[group] ?? new Int32Array(0)).filter((value) => value >= 0)
      const { condition, startsAt, endsAt } = this.columns.groups[group] ?? noDemands
      const kind =
        (startsAt !== null || endsAt !== null ? isDated : 0) |
        (condition === null ? 0 : isConditional) |
        (condition?.modifier === "NOT" ? isNegated : 0)
      for (const entry of [kind, wanted.length, group, ...wanted]) {
        this.tests = setAt(this.tests, this.testEnd, entry)
        this.testEnd += 1
      }
    }
  }

  private isDemanding(group: number): boolean {
    const found = this.columns.groups[group]
    return found !== undefined && isDemanding(found)
  }

  /** Leaves out groups that lose to one of their collaborator's which always applies. */
  private withoutOutranked(linked: ReadonlyArray<ProductGroup>): ReadonlyArray<number> {
    const settled = new Set<string>()
    const left: Array<number> = []
    for (const group of linked) {
      if (settled.has(group.collaboratorId)) continue
      left.push(this.columns.placeOf.get(group.id) ?? -1)
      if (this.policy.stacking === "most-specific" && !isDemanding(group)) {
        settled.add(group.collaboratorId)
      }
    }
    return left
  }

  /** Makes the plan of the key: the groups that apply, of each collaborator the first one or all of them, by id. */
  private make({ groups, tested }: ProductClass, testedLength: number, length: number): number {
    const applies = Uint8Array.from(groups, (group) => Number(!this.isDemanding(group)))
    for (let at = testedLength; at < length; at += 1) applies[numberAt(this.key, at)] = 1
    for (let at = 0; at < tested.length; at += 1) {
      const isSet = (numberAt(this.key, 1 + Math.floor(at / testsOfWord)) >> (at % testsOfWord)) & 1
      applies[numberAt(tested, at)] = isSet
    }
    const counting: Array<number> = []
    const { columns, policy } = this
    this.stamp += 1
    for (let place = 0; place < groups.length; place += 1) {
      if (applies[place] === 0) continue
      const group = numberAt(groups, place)
      const collaborator = numberAt(columns.collaborators, group)
      if (policy.stacking === "most-specific") {
        if (this.best[collaborator] === this.stamp) continue
        this.best[collaborator] = this.stamp
      }
      if (columns.paysNothing[group] === 0) counting.push(group)
    }
    counting.sort((one, other) => numberAt(columns.idRanks, one) - numberAt(columns.idRanks, other))
    const plan = this.plans.add(counting)
    this.noteSize()
    return plan
  }
}
