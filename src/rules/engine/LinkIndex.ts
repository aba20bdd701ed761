import * as Attribute from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../ProductGroup.js"
import { type Conditions, Spellings, timeOf } from "./Conditions.js"
import type { GroupTable } from "./GroupTable.js"
import * as rankedLists from "./NumberLists.js"
import { NumberLists } from "./NumberLists.js"
import type { RankOrder } from "./Precedence.js"

/** The values of a group's link in the form used for look-ups, each once. */
export const valuesOf = ({ link: { type, values } }: ProductGroup): ReadonlyArray<string> => {
  const folded = type === "products.all" ? values : values.map(Attribute.foldOf(type))
  return folded.length < 2 ? folded : [...new Set(folded)]
}

/** Whether a group's link selects a product. */
export const selects = (product: Product, group: ProductGroup): boolean => {
  const { type, modifier } = group.link
  const isWith = modifier === "WITH"
  if (type === "products.all") return isWith
  const values = new Set(valuesOf(group))
  const fold = Attribute.foldOf(type)
  return Attribute.ofProduct[type](product).some((value) => values.has(fold(value))) === isWith
}

/**
 * Groups by the values of their conditions. Ten thousand affiliates with a discount code each take one look-up of an
 * order's codes, not ten thousand tests.
 */
export class ConditionIndex {
  private readonly table: GroupTable
  private readonly conditions: Conditions
  private readonly lists = new NumberLists()
  private readonly byValue = new Map<number, number>()
  private readonly others = this.lists.add()

  constructor(table: GroupTable, conditions: Conditions) {
    this.table = table
    this.conditions = conditions
  }

  /** Whether the group's condition needs a value in the order; NOT is met by most orders. */
  static asks(table: GroupTable, slot: number): boolean {
    return table.conditionOf(slot) !== 0 && !table.isNot(slot)
  }

  insert(slot: number): void {
    const { ranks } = this.table
    for (const list of this.listsFor(slot)) rankedLists.insert(this.lists, list, { slot, ranks })
  }

  remove(slot: number): void {
    const { ranks } = this.table
    for (const list of this.listsFor(slot)) rankedLists.remove(this.lists, list, { slot, ranks })
    for (const value of this.valuesOf(slot)) {
      const list = this.byValue.get(value)
      if (list === undefined || this.lists.lengthOf(list) > 0) continue
      this.lists.drop(list)
      this.byValue.delete(value)
    }
  }

  /** Adds the groups whose conditions must be tested one by one. */
  addUnasked(found: RankOrder): void {
    found.addList(this.lists, this.others)
  }

  /** Adds the groups whose conditions the current order meets. */
  addAsked(order: Order, found: RankOrder): void {
    const { table } = this
    const at = timeOf(order)
    for (const value of this.conditions.present) {
      const list = this.byValue.get(value)
      if (list === undefined) continue
      for (let place = 0; place < this.lists.lengthOf(list); place += 1) {
        const slot = this.lists.at(list, place)
        if (table.isInForce(slot, at)) found.add(slot)
      }
    }
  }

  private valuesOf(slot: number): ReadonlyArray<number> {
    return ConditionIndex.asks(this.table, slot)
      ? this.conditions.valuesOf(this.table.conditionOf(slot))
      : []
  }

  private listsFor(slot: number): ReadonlyArray<number> {
    if (!ConditionIndex.asks(this.table, slot)) return [this.others]
    return this.valuesOf(slot).flatMap((value) => {
      const known = this.byValue.get(value)
      if (known !== undefined) return known
      const list = this.lists.add()
      this.byValue.set(value, list)
      return list
    })
  }
}

const none: ReadonlyArray<number> = []

/** Up to this many groups of one value, conditions are tested one by one. */
const fewGroups = 32

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0

/**
 * The groups of one kind of link by the values of their links: for each value a list of the groups that it leads to, and
 * those whose NOT names it, which few values have. Where a value leads to many groups, those with conditions are also
 * indexed by these.
 */
export class LinkIndex {
  readonly lists = new NumberLists()
  private readonly table: GroupTable
  private readonly conditions: Conditions | undefined
  private readonly byValue = new Map<string, number>()
  private readonly spellings: Spellings | undefined
  private readonly indexes = new Map<number, ConditionIndex>()
  /** By the list of a value, the groups whose NOT names it. */
  private readonly barring = new Map<number, Array<number>>()
  /** The values of a product that are looked up. */
  readonly read: (product: Product) => ReadonlyArray<string>

  /**
   * @param options - `attribute`: the one that the links name, none where all groups are found under one value;
   * `conditions`: given where groups are to be found by their conditions too
   */
  constructor(
    table: GroupTable,
    options: {
      readonly attribute?: Attribute.ProductAttribute | undefined
      readonly conditions?: Conditions | undefined
    },
  ) {
    const { attribute, conditions } = options
    this.table = table
    this.conditions = conditions
    this.read = attribute === undefined ? () => [] : Attribute.ofProduct[attribute]
    // Ids are compared as they are.
    if (attribute === undefined || Attribute.kindOf(attribute) === "id") return
    const fold = Attribute.foldOf(attribute)
    this.spellings = new Spellings((value) => this.byValue.get(fold(value)) ?? -1)
  }

  get isEmpty(): boolean {
    return this.byValue.size === 0
  }

  /** The list of groups for a product's value as it is written there; -1 without any. */
  listOf(value: string): number {
    if (this.byValue.size === 0) return -1
    return this.spellings?.numberOf(value) ?? this.byValue.get(value) ?? -1
  }

  /** The groups of a list by their conditions, where there are many. */
  indexOf(list: number): ConditionIndex | undefined {
    return this.indexes.size === 0 ? undefined : this.indexes.get(list)
  }

  /** Puts a group under a folded value. */
  insert(value: string, slot: number): void {
    const list = this.listUnder(value)
    rankedLists.insert(this.lists, list, { slot, ranks: this.table.ranks })
    const index = this.indexes.get(list)
    const count = this.lists.lengthOf(list)
    if (index !== undefined) index.insert(slot)
    // Checking when the list has doubled costs little per group.
    else if (count >= fewGroups && isPowerOfTwo(count)) this.divide(list, count)
  }

  remove(value: string, slot: number): void {
    const list = this.listUnder(value)
    rankedLists.remove(this.lists, list, { slot, ranks: this.table.ranks })
    this.indexes.get(list)?.remove(slot)
    this.dropUnused(value, list)
  }

  /** Puts a group under a folded value that its NOT names. */
  bar(value: string, slot: number): void {
    const list = this.listUnder(value)
    const barred = this.barring.get(list)
    if (barred === undefined) this.barring.set(list, [slot])
    else barred.push(slot)
  }

  unbar(value: string, slot: number): void {
    const list = this.listUnder(value)
    const left = this.barredBy(list).filter((each) => each !== slot)
    if (left.length > 0) this.barring.set(list, left)
    else this.barring.delete(list)
    this.dropUnused(value, list)
  }

  /** The groups whose NOT names the value of a list. */
  barredBy(list: number): ReadonlyArray<number> {
    return this.barring.size === 0 ? none : (this.barring.get(list) ?? none)
  }

  /** Releases unused room. */
  compact(): void {
    this.lists.compact()
  }

  private listUnder(value: string): number {
    const known = this.byValue.get(value)
    if (known !== undefined) return known
    const list = this.lists.add()
    this.byValue.set(value, list)
    this.spellings?.forget()
    return list
  }

  private dropUnused(value: string, list: number): void {
    if (this.lists.lengthOf(list) > 0 || this.barring.has(list)) return
    this.lists.drop(list)
    this.byValue.delete(value)
    this.indexes.delete(list)
    this.spellings?.forget()
  }

  private divide(list: number, count: number): void {
    if (this.conditions === undefined) return
    const slots = Array.from({ length: count }, (_, at) => this.lists.at(list, at))
    const asking = slots.filter((slot) => ConditionIndex.asks(this.table, slot))
    if (asking.length * 2 < count) return
    const index = new ConditionIndex(this.table, this.conditions)
    for (const slot of slots) index.insert(slot)
    this.indexes.set(list, index)
  }
}
