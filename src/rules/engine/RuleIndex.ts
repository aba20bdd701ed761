import { at, numberAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import { type ProductAttribute, productAttributes } from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../ProductGroup.js"
import { Conditions, type OrderView, timeOf } from "./Conditions.js"
import { GroupTable } from "./GroupTable.js"
import { type ConditionIndex, LinkIndex, valuesOf } from "./LinkIndex.js"
import * as Standing from "./Precedence.js"
import { bySpecificity, listOf, placed, RankedGroups, RankOrder } from "./Precedence.js"
import { ProductMemory, type SlotRange } from "./ProductMemory.js"

/** The groups that are not found by a value are all listed under this one. */
const anything = ""

const isWide = ({ link: { type, modifier } }: ProductGroup): boolean =>
  modifier === (type === "products.all" ? "WITH" : "NOT")

/** How many wide groups are cached with each product. */
const mostWide = 16

const noGroups: ReadonlyArray<number> = []

/**
 * A product as links read it, each field read once. What is remembered must be of what was looked up, though fields are
 * worked out when they are read, and may use these rules for that.
 */
const copyOf = ({ id, externalId, vendor, tags, otherIds }: Product): Product => ({
  id,
  externalId,
  vendor,
  tags: tags?.slice(),
  otherIds: otherIds?.slice(),
})

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
  /** An index for each attribute that links name. */
  private readonly byAttribute: ReadonlyMap<ProductAttribute, LinkIndex>
  private readonly links: ReadonlyArray<LinkIndex>
  private readonly wide: LinkIndex
  private wideCount = 0
  private readonly memory: ProductMemory

  constructor(groups: ReadonlyArray<ProductGroup>) {
    const { conditions } = this
    const table = new GroupTable(groups.length, conditions)
    this.table = table
    this.ranked = new RankedGroups(table)
    this.order = new RankOrder(this.ranked)
    this.contest = new Standing.Contest(table)
    this.links = productAttributes.map(
      (attribute) => new LinkIndex(table, { attribute, conditions }),
    )
    this.byAttribute = new Map(
      productAttributes.map((attribute, place) => [attribute, at(this.links, place)]),
    )
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
    const { memory, order } = this
    const wide = this.isWideApart ? this.wideOf(view) : noGroups
    const unknown = memory.recall(product) ? undefined : copyOf(product)
    order.begin()
    const barred = unknown === undefined ? noGroups : this.look(unknown)
    if (order.isMany || wide.length > 0 || memory.indexes.length > 0) {
      this.addMemory(view.order)
      this.addWide(wide, barred)
      const count = order.take()
      return this.keepApplying({ numbers: order.slots, first: 0, count }, view.order)
    }
    return this.keepApplying(memory, view.order)
  }

  /** The groups whose link selects a product, the most specific one first, whatever the order. */
  linked(product: Product): ReadonlyArray<number> {
    const { order } = this
    order.begin()
    this.addWide(this.allWide(), this.addLinked(product))
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
    return this.table.takes(slot) === 1
  }

  /** Adds the groups of the product that is looked at, also those that are found by what the order has. */
  private addMemory(order: Order): void {
    const { numbers, first, count, indexes } = this.memory
    for (let at = first; at < first + count; at += 1) this.order.add(numberAt(numbers, at))
    for (const index of indexes) index.addAsked(order, this.order)
  }

  /** Puts those of some groups that apply to an order into {@link matches}, and returns how many they are. */
  private keepApplying({ numbers, first, count }: SlotRange, order: Order): number {
    const { table } = this
    const matches = this.order.makeRoom(count)
    const at = timeOf(order)
    let kept = 0
    for (let place = first; place < first + count; place += 1) {
      const slot = numberAt(numbers, place)
      // Written whatever the answer is: a branch on it could not be foreseen, and takes longer.
      matches[kept] = slot
      kept += table.applies(slot, at)
    }
    return kept
  }

  /**
   * Finds what the links say of a product, and returns the groups whose NOT is about it. What is found is remembered when
   * it is little, as finding much takes no longer, and when there is nothing to leave out of the wide groups of an order.
   */
  private look(product: Product): ReadonlyArray<number> {
    const indexes: Array<ConditionIndex> = []
    const { order, memory, isWideApart } = this
    const barred = this.addLinked(product, indexes)
    if (!isWideApart) this.addWide(this.allWide(), barred)
    const linked = { slots: order.slots, count: order.isMany ? 0 : order.take(), indexes }
    if (order.isMany || (isWideApart && barred.length > 0)) memory.hold(linked)
    else memory.remember(product, linked)
    return barred
  }

  /**
   * Adds the groups that the links lead to from a product, and returns those whose NOT is about it. Groups that are
   * indexed by their conditions are only added by `indexes`, where it is given.
   */
  private addLinked(product: Product, indexes?: Array<ConditionIndex>): ReadonlyArray<number> {
    const { order } = this
    const barred: Array<number> = []
    for (const links of this.links) {
      if (links.isEmpty) continue
      links.read(product).forEach((value) => {
        const list = links.listOf(value)
        if (list === -1) return
        for (const slot of links.barredBy(list)) barred.push(slot)
        const index = indexes === undefined ? undefined : links.indexOf(list)
        if (index === undefined) order.addList(links.lists, list)
        else {
          index.addUnasked(order)
          indexes?.push(index)
        }
      })
    }
    return barred
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
    const at = timeOf(order)
    const { table } = this
    const isFor = (slot: number) => table.applies(slot, at) === 1
    if (index === undefined) return this.allWide().filter(isFor)
    const found = this.order
    found.begin()
    index.addUnasked(found)
    const unasked = found.toArray()
    for (const slot of unasked) if (isFor(slot)) found.add(slot)
    index.addAsked(order, found)
    return found.toArray()
  }

  /** Adds wide groups, but for those whose NOT is about the product. */
  private addWide(wide: ReadonlyArray<number>, barred: ReadonlyArray<number>): void {
    for (const slot of wide) this.order.add(slot)
    for (const slot of barred) this.order.remove(slot)
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
    for (const links of this.links) links.compact()
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
    this.byValue(group, (links, value) => {
      if (group.link.modifier === "WITH") links.insert(value, slot)
      else links.bar(value, slot)
    })
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
    this.byValue(group, (links, value) => {
      if (group.link.modifier === "WITH") links.remove(value, slot)
      else links.unbar(value, slot)
    })
  }

  /** Calls a function with each value of a group's link and where it stands; a link to all products has none. */
  private byValue(group: ProductGroup, take: (links: LinkIndex, value: string) => void): void {
    const { type } = group.link
    const links = type === "products.all" ? undefined : this.byAttribute.get(type)
    if (links !== undefined) for (const value of valuesOf(group)) take(links, value)
  }
}
