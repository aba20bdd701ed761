import * as text from "../../orders/internal/attributeText.js"
import type { Product } from "../../orders/Product.js"
import type { LinkType, ProductGroup } from "../ProductGroup.js"
import { ConditionIndex, type Conditions, Spellings } from "./Conditions.js"
import type { GroupTable } from "./GroupTable.js"
import * as rankedLists from "./NumberLists.js"
import { NumberLists } from "./NumberLists.js"

// What links ask for, and what products have of it.

/** The kinds of link that ask for something; a group for all products asks for nothing. */
export type AskingLink = Exclude<LinkType, "products.all">

/** In the order of specificity. */
export const askingLinks: ReadonlyArray<AskingLink> = [
  "products",
  "products.tag",
  "products.vendor",
]

/** How values of a kind of link are made to be compared; ids are compared as they are. */
export const foldOf = (type: AskingLink): ((value: string) => string) | undefined =>
  type === "products" ? undefined : text.fold

const noTexts: ReadonlyArray<string> = []

/** What a product has of what a kind of link asks for, as it is written there. */
export const attributeOf = (product: Product, type: AskingLink): ReadonlyArray<string> => {
  const { id, externalId, tags, vendor } = product
  switch (type) {
    case "products":
      return externalId === undefined || externalId === id ? [id] : [id, externalId]
    case "products.tag":
      return tags ?? noTexts
    case "products.vendor":
      return vendor === undefined ? noTexts : [vendor]
  }
}

/** What a group's link asks for, as products are asked for it, each once. */
export const valuesOf = ({ link }: ProductGroup): ReadonlyArray<string> => {
  const { type, values } = link
  const fold = type === "products.all" ? undefined : foldOf(type)
  const folded = fold === undefined ? values : values.map(fold)
  return folded.length < 2 ? folded : [...new Set(folded)]
}

/** Whether the group's link selects the product. */
export const selects = (product: Product, group: ProductGroup): boolean => {
  const { type, modifier } = group.link
  const isWith = modifier === "WITH"
  if (type === "products.all") return isWith
  const values = new Set(valuesOf(group))
  const fold = foldOf(type) ?? ((value: string) => value)
  return attributeOf(product, type).some((value) => values.has(fold(value))) === isWith
}

/** So many groups of one value are asked about their conditions one by one. */
const fewGroups = 32

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0

/**
 * The groups of one kind of link by what their links ask for: a list for each value. Where a value leads to
 * many groups, those whose conditions ask for something are found by that too.
 */
export class LinkIndex {
  readonly lists = new NumberLists()
  private readonly table: GroupTable
  private readonly conditions: Conditions | undefined
  private readonly byValue = new Map<string, number>()
  private readonly spellings: Spellings | undefined
  private readonly indexes = new Map<number, ConditionIndex>()

  /**
   * @param options - `fold`: how products' values are made to be compared, if they are not compared as they
   * are; `conditions`: given where groups are to be found by their conditions too
   */
  constructor(
    table: GroupTable,
    options: {
      readonly fold?: ((text: string) => string) | undefined
      readonly conditions?: Conditions | undefined
    },
  ) {
    const { fold, conditions } = options
    this.table = table
    this.conditions = conditions
    this.spellings = fold && new Spellings((value) => this.byValue.get(fold(value)) ?? -1)
  }

  get isEmpty(): boolean {
    return this.byValue.size === 0
  }

  /** The list of groups that a product's value leads to, as it is written there; -1 without any. */
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
    // Looking when the list has doubled costs each group little.
    else if (count >= fewGroups && isPowerOfTwo(count)) this.divide(list, count)
  }

  remove(value: string, slot: number): void {
    const list = this.listUnder(value)
    rankedLists.remove(this.lists, list, { slot, ranks: this.table.ranks })
    this.indexes.get(list)?.remove(slot)
    if (this.lists.lengthOf(list) > 0) return
    this.lists.drop(list)
    this.byValue.delete(value)
    this.indexes.delete(list)
    this.spellings?.forget()
  }

  /** Gives back the room that was kept for more. */
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
