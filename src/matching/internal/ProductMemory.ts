import type { Product } from "../Product.js"
import type { ConditionIndex } from "./ConditionIndex.js"

/** What the links of a rule set say of a product. */
export interface Linked {
  /** The groups that may apply, each as its slot and whether it asks anything of the order; in order. */
  readonly groups: ReadonlyArray<number>
  /** Where more of them are found by what the order has. */
  readonly indexes: ReadonlyArray<ConditionIndex>
}

/** A product as it was when it was looked up; its tags are copied, for a host may change its list. */
interface Remembered {
  readonly externalId: string | undefined
  readonly vendor: string | undefined
  readonly tags: ReadonlyArray<string>
  readonly linked: Linked
}

/** So many products are remembered of the smallest rule set; more groups are for more products. */
const leastProducts = 2_048

/** A product that says more than this many characters is looked up each time. */
const mostText = 4_096

const noTags: ReadonlyArray<string> = []

const textLength = (tags: ReadonlyArray<string> | undefined): number => {
  let length = 0
  if (tags !== undefined) for (const tag of tags) length += tag.length + 1
  return length
}

const isSame = (known: Remembered, product: Product): boolean => {
  const { tags = noTags } = product
  if (known.externalId !== product.externalId || known.vendor !== product.vendor) return false
  if (known.tags.length !== tags.length || !Array.isArray(tags)) return false
  for (let index = 0; index < tags.length; index += 1) {
    if (tags[index] !== known.tags[index]) return false
  }
  return true
}

/**
 * Remembers what products matched, because shops sell the same ones again and again. How many products and
 * groups it holds is limited; then the older half of the products goes.
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
    const { id, externalId, vendor, tags } = product
    const length = id.length + (externalId?.length ?? 0) + (vendor?.length ?? 0) + textLength(tags)
    if (length > mostText) return
    const copied = tags === undefined || tags.length === 0 ? noTags : tags.slice()
    this.keep(id, { externalId, vendor, tags: copied, linked })
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
