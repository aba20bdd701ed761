import { at, numberAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import { type ProductAttribute, productAttributes } from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../ProductGroup.js"
import { Conditions, inForce, type OrderView } from "./Conditions.js"
import { GroupTable } from "./GroupTable.js"
import { type ConditionIndex, LinkIndex, valuesOf } from "./LinkIndex.js"
import * as Standing from "./Precedence.js"
import { bySpecificity, listOf, placed, RankedGroups, RankOrder } from "./Precedence.js"

/** The groups whose links may take a product. */
interface LinkedGroups {
  /** The groups that may apply; `undefined`: they are many, and were only added to what is to be put in order. */
  readonly groups: ReadonlyArray<number> | undefined
  /** Indexes in which more of them are found by the order's values. */
  readonly indexes: ReadonlyArray<ConditionIndex>
}

/** The same with few groups, the most specific one first. */
export interface Linked extends LinkedGroups {
  readonly groups: ReadonlyArray<number>
}

/** A product as it was when it was looked up; its lists are copied, because a host may change them. */
interface Remembered {
  readonly externalId: string | undefined
  readonly vendor: string | undefined
  readonly otherIds: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly linked: Linked
}

/** How many products are cached for the smallest rule set; more groups allow more products. */
const leastProducts = 2_048

/** A product with more characters than this is looked up each time. */
const mostText = 4_096

const noTexts: ReadonlyArray<string> = []

const textLength = (texts: ReadonlyArray<string> | undefined): number => {
  let length = 0
  if (texts !== undefined) for (const text of texts) length += text.length + 1
  return length
}

const copyOf = (texts: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  texts === undefined || texts.length === 0 ? noTexts : texts.slice()

const areSame = (known: ReadonlyArray<string>, texts: ReadonlyArray<string>): boolean => {
  if (known === texts) return true
  if (known.length !== texts.length || !Array.isArray(texts)) return false
  for (let index = 0; index < texts.length; index += 1) {
    if (texts[index] !== known[index]) return false
  }
  return true
}

const isSame = (known: Remembered, product: Product): boolean => {
  const { externalId, vendor, tags = noTexts, otherIds = noTexts } = product
  if (known.externalId !== externalId || known.vendor !== vendor) return false
  return areSame(known.tags, tags) && areSame(known.otherIds, otherIds)
}

/**
 * Caches the matches of products, because shops sell the same ones again and again. The number of products and groups
 * is limited; at the limit the older half of the products is dropped.
 */
export class ProductMemory {
  private readonly mostProducts: number
  private readonly mostGroups: number
  private newer = new Map<string, Remembered>()
  private older = new Map<string, Remembered>()
  private held = 0

  constructor(groupCount: number) {
    this.mostProducts = leastProducts + groupCount
    this.mostGroups = 32 * this.mostProducts
  }

  recall(product: Product): Linked | undefined {
    const recent = this.newer.get(product.id)
    if (recent !== undefined) return isSame(recent, product) ? recent.linked : undefined
    const known = this.older.get(product.id)
    if (known === undefined || !isSame(known, product)) return undefined
    this.keep(product.id, known)
    return known.linked
  }

  remember(product: Product, linked: Linked): void {
    const { id, externalId, vendor } = product
    const [tags, otherIds] = [copyOf(product.tags), copyOf(product.otherIds)]
    const length = id.length + (externalId?.length ?? 0) + (vendor?.length ?? 0)
    if (length + textLength(tags) + textLength(otherIds) > mostText) return
    this.keep(id, { externalId, vendor, otherIds, tags, linked })
  }

  /** The rules have changed. */
  forget(): void {
    if (this.newer.size > 0) this.newer = new Map()
    if (this.older.size > 0) this.older = new Map()
    this.held = 0
  }

  private keep(id: string, remembered: Remembered): void {
    this.newer.set(id, remembered)
    this.held += remembered.linked.groups.length
    if (this.newer.size < this.mostProducts && this.held < this.mostGroups) return
    this.older = this.newer
    this.newer = new Map()
    this.held = 0
  }
}

/** An index for each attribute that links name. */
type LinkIndexes = ReadonlyMap<ProductAttribute, LinkIndex>

const indexesBy = (make: (attribute: ProductAttribute) => LinkIndex): LinkIndexes =>
  new Map(productAttributes.map((attribute) => [attribute, make(attribute)]))

/** The groups that are not found by a value are all listed under this one. */
const anything = ""

const isWide = ({ link: { type, modifier } }: ProductGroup): boolean =>
  modifier === (type === "products.all" ? "WITH" : "NOT")

/** How many wide groups are cached with each product. */
const mostWide = 16

const noIndexes: ReadonlyArray<ConditionIndex> = []
const noGroups: ReadonlyArray<number> = []

/**
 * A rule set indexed by the values of its groups, so that the work for an item depends on the groups that match it, not
 * on all groups. Adding or removing a group costs only as much as that group.
 *
 * A group is listed under each value of its link. Those not found by a value (for all products, and links with NOT) are
 * wide: they are tested once per order, not per item; an item then leaves out those whose NOT names a value of its
 * product.
 */
export class RuleIndex {
  readonly table: GroupTable
  private readonly conditions = new Conditions()
  private readonly slots = new Map<string, number>()
  private readonly ranked: RankedGroups
  /** Puts the groups in order that are found for an item. */
  private readonly order: RankOrder
  private idOrder: RankOrder | undefined
  private rankedById: RankedGroups | undefined
  private readonly contest: Standing.Contest
  private readonly asking: LinkIndexes
  private readonly excluding: LinkIndexes
  private readonly asked: ReadonlyArray<LinkIndex>
  private readonly barring: ReadonlyArray<LinkIndex>
  private readonly wide: LinkIndex
  private wideCount = 0
  private readonly memory: ProductMemory
  /** 1 for each group whose NOT is about the product that is looked at. */
  private excluded = new Uint8Array(0)

  constructor(groups: ReadonlyArray<ProductGroup>) {
    const { conditions } = this
    const table = new GroupTable(groups.length, conditions)
    this.table = table
    this.ranked = new RankedGroups(table)
    this.order = new RankOrder(this.ranked)
    this.contest = new Standing.Contest(table)
    this.asking = indexesBy((attribute) => new LinkIndex(table, { attribute, conditions }))
    this.excluding = indexesBy((attribute) => new LinkIndex(table, { attribute }))
    this.asked = [...this.asking.values()]
    this.barring = [...this.excluding.values()]
    this.wide = new LinkIndex(table, { conditions })
    this.memory = new ProductMemory(groups.length)
    this.fill(groups)
  }

  /** How many groups there are. */
  get size(): number {
    return this.slots.size
  }

  get(id: string): ProductGroup | undefined {
    return this.table.groups[this.slotOf(id)]
  }

  /** All groups, the most specific one first. */
  all(): ReadonlyArray<number> {
    return this.ranked.toArray()
  }

  /** Replaces one group by another; either may be missing. */
  change(before: ProductGroup | undefined, after: ProductGroup | undefined): void {
    this.memory.forget()
    if (before !== undefined) this.remove(before)
    if (after === undefined) return
    const slot = this.add(after)
    this.ranked.insert(slot, after)
    this.rankedById?.insert(slot, after)
    this.link(slot, after)
  }

  /** The slots of the groups that matched the last item. */
  get matches(): Int32Array {
    return this.order.slots
  }

  /**
   * Finds the groups that match an item of an order, the most specific one first, and returns their number. They are in
   * {@link matches} until the next item, which avoids a new list for each item.
   */
  match(view: OrderView, product: Product): number {
    this.conditions.look(view)
    const wide = this.isWideApart ? this.wideOf(view) : noGroups
    const found = this.memory.recall(product) ?? this.look(product)
    const isAlone = wide.length === 0 && found.indexes.length === 0
    const count =
      isAlone && found.groups !== undefined
        ? this.takeKnown(found.groups)
        : this.takeAll(found, { view, product, wide })
    return this.keepApplying(count, view.order)
  }

  /** The groups whose link selects a product, the most specific one first, whatever the order. */
  linked(product: Product): ReadonlyArray<number> {
    const { order } = this
    order.begin()
    for (const asking of this.asked) {
      asking.read(product).forEach((value) => {
        order.addList(asking.lists, asking.listOf(value))
      })
    }
    this.addNotExcluded(this.allWide(), product)
    return order.toArray()
  }

  /** Groups in the order of their ids. */
  inOrderOfIds(slots: ReadonlyArray<number>): ReadonlyArray<number> {
    const order = this.idOrder ?? this.orderIds()
    order.begin()
    for (const slot of slots) order.add(slot)
    return order.toArray()
  }

  /** The groups that count among those that match an item, under the policy's `stacking`. */
  standing(
    view: OrderView,
    product: Product,
    stacking: "most-specific" | "all",
  ): Standing.Precedence {
    const count = this.match(view, product)
    if (stacking === "all") return Standing.all(listOf(this.matches, count))
    return this.contest.of(this.matches, count)
  }

  /** Whether the group's condition is met by the order that was matched last. */
  isConditionMet(slot: number): boolean {
    const condition = numberAt(this.table.conditions, slot)
    return condition === 0 || this.conditions.isMet(condition) !== this.table.isNot(slot)
  }

  /** Takes the groups of a product that is known, which are in order. */
  private takeKnown(groups: ReadonlyArray<number>): number {
    const matches = this.order.makeRoom(groups.length)
    let count = 0
    for (const slot of groups) {
      matches[count] = slot
      count += 1
    }
    return count
  }

  /** Takes the groups too that are found by what the order has, and the wide ones that stand apart. */
  private takeAll(
    { groups, indexes }: LinkedGroups,
    {
      view,
      product,
      wide,
    }: {
      readonly view: OrderView
      readonly product: Product
      readonly wide: ReadonlyArray<number>
    },
  ): number {
    const { order } = this
    if (groups !== undefined) {
      order.begin()
      for (const slot of groups) order.add(slot)
    }
    for (const index of indexes) index.addAsked(view.order, order)
    this.addNotExcluded(wide, product)
    return order.take()
  }

  /** Keeps those of the first matches that apply to the order; most have no condition. */
  private keepApplying(count: number, order: Order): number {
    const { matches, table } = this
    let kept = 0
    for (let place = 0; place < count; place += 1) {
      const slot = numberAt(matches, place)
      if (table.isDemanding(slot) && !this.applies(order, slot)) continue
      matches[kept] = slot
      kept += 1
    }
    return kept
  }

  private applies(order: Order, slot: number): boolean {
    const { table } = this
    if (table.isDated(slot) && !inForce(order, table.groupAt(slot))) return false
    return this.isConditionMet(slot)
  }

  /** Finds what the links say of a product; it is remembered when it is little, as finding much takes no longer. */
  private look(product: Product): LinkedGroups {
    const found: Array<ConditionIndex> = []
    const { order } = this
    order.begin()
    for (const asking of this.asked) {
      if (asking.isEmpty) continue
      asking.read(product).forEach((value) => {
        const list = asking.listOf(value)
        const index = asking.indexOf(list)
        if (index === undefined) order.addList(asking.lists, list)
        else {
          index.addUnasked(order)
          found.push(index)
        }
      })
    }
    if (!this.isWideApart) this.addNotExcluded(this.allWide(), product)
    const indexes = found.length === 0 ? noIndexes : found
    if (order.isMany) return { groups: undefined, indexes }
    const linked = { groups: order.toArray(), indexes }
    this.memory.remember(product, linked)
    return linked
  }

  /** A few wide groups are cached with each product; many are tested once per order. */
  private get isWideApart(): boolean {
    return this.wideCount > mostWide
  }

  /** All wide groups, whatever the order. */
  private allWide(): ReadonlyArray<number> {
    const found: Array<number> = []
    this.wide.lists.addTo(found, this.wide.listOf(anything))
    return found
  }

  /** The wide groups that apply to an order. */
  private wideOf(view: OrderView): ReadonlyArray<number> {
    view.wide ??= this.lookWide(view.order)
    return view.wide
  }

  private lookWide(order: Order): ReadonlyArray<number> {
    const index = this.wide.indexOf(this.wide.listOf(anything))
    const { table } = this
    const isFor = (slot: number) => !table.isDemanding(slot) || this.applies(order, slot)
    if (index === undefined) return this.allWide().filter(isFor)
    const found = this.order
    found.begin()
    index.addUnasked(found)
    const unasked = found.toArray()
    for (const slot of unasked) if (isFor(slot)) found.add(slot)
    index.addAsked(order, found)
    return found.toArray()
  }

  /** Adds groups, but for those whose NOT is about the product. */
  private addNotExcluded(slots: ReadonlyArray<number>, product: Product): void {
    if (slots.length === 0) return
    const left = this.excludedBy(product)
    if (left.length > 0 && this.excluded.length < this.table.ranks.length) {
      this.excluded = new Uint8Array(this.table.ranks.length)
    }
    for (const slot of left) this.excluded[slot] = 1
    for (const slot of slots) if (this.excluded[slot] !== 1) this.order.add(slot)
    for (const slot of left) this.excluded[slot] = 0
  }

  private excludedBy(product: Product): ReadonlyArray<number> {
    const found: Array<number> = []
    for (const excluding of this.barring) {
      if (excluding.isEmpty) continue
      excluding.read(product).forEach((value) => {
        excluding.lists.addTo(found, excluding.listOf(value))
      })
    }
    return found
  }

  /** Splits need it, and matching does not: it is made with the first split, and kept up from then on. */
  private orderIds(): RankOrder {
    const { table } = this
    table.idRanks = new Int32Array(table.ranks.length + 1)
    const ranked = new RankedGroups(table, Standing.byId)
    const slots = [...this.slots].sort(([one], [other]) => compareTexts(one, other))
    ranked.fill(slots.map(([, slot]) => slot))
    this.rankedById = ranked
    this.idOrder = new RankOrder(ranked)
    return this.idOrder
  }

  private fill(groups: ReadonlyArray<ProductGroup>): void {
    const sorted = groups.map(placed).sort(bySpecificity)
    const compiled = sorted.map(({ group }) => this.add(group))
    this.ranked.fill(compiled)
    sorted.forEach(({ group }, place) => {
      this.link(at(compiled, place), group)
    })
    this.table.compact()
    this.conditions.compact()
    this.wide.compact()
    for (const index of [...this.asked, ...this.barring]) index.compact()
  }

  /** The slot of a group's id, -1 for none. */
  private slotOf(id: string): number {
    return this.slots.get(id) ?? -1
  }

  private add(group: ProductGroup): number {
    const slot = this.table.add(group)
    this.slots.set(group.id, slot)
    return slot
  }

  /** Lists a group under the values of its link. It must have its rank. */
  private link(slot: number, group: ProductGroup): void {
    if (isWide(group)) {
      this.wide.insert(anything, slot)
      this.wideCount += 1
    }
    const index = this.indexOf(group)
    if (index !== undefined) for (const value of valuesOf(group)) index.insert(value, slot)
  }

  private remove(group: ProductGroup): void {
    const slot = this.slotOf(group.id)
    this.unlink(slot, group)
    this.ranked.remove(slot)
    this.rankedById?.remove(slot)
    this.table.remove(slot)
    this.slots.delete(group.id)
  }

  private unlink(slot: number, group: ProductGroup): void {
    if (isWide(group)) {
      this.wide.remove(anything, slot)
      this.wideCount -= 1
    }
    const index = this.indexOf(group)
    if (index !== undefined) for (const value of valuesOf(group)) index.remove(value, slot)
  }

  /** Where the values of a group's link stand; a link to all products has none. */
  private indexOf({ link: { type, modifier } }: ProductGroup): LinkIndex | undefined {
    if (type === "products.all") return undefined
    return (modifier === "WITH" ? this.asking : this.excluding).get(type)
  }
}
