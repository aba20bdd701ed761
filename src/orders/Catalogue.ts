/**
 * The known products, to complete orders that name them but say little about them.
 *
 * @since 0.1.0
 */
import { ofAllVariants } from "./internal/broughtFacts.js"
import type { Order, OrderItem } from "./Order.js"
import type { Product } from "./Product.js"

/**
 * A list of products with an index. Made by {@link make}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Catalogue {
  readonly products: ReadonlyArray<Product>
  /** The currency of `price` and `cost`; `undefined`: that of each completed order. */
  readonly currency: string | undefined
  /** The variants with one variant id. */
  readonly byVariantId: ReadonlyMap<string, ReadonlyArray<Product>>
  /** For each product id, the values that its variants have in common. */
  readonly byId: ReadonlyMap<string, Product>
  /** For each external id, the values that its variants have in common. */
  readonly byExternalId: ReadonlyMap<string, Product>
}

const groupBy = (
  products: ReadonlyArray<Product>,
  key: (product: Product) => string | undefined,
): ReadonlyMap<string, ReadonlyArray<Product>> => {
  const groups = new Map<string, Array<Product>>()
  for (const product of products) {
    const value = key(product)
    if (value === undefined) continue
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [product])
    else group.push(product)
  }
  return groups
}

/** The value, if the two agree on it. */
const agreed = <A>(first: A, second: A): A | undefined =>
  JSON.stringify(first) === JSON.stringify(second) ? first : undefined

/** What two variants say alike, or would without what says which of them it is. */
const agreedOf = (
  first: ReadonlyArray<string> | undefined,
  second: ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined =>
  agreed(first, second) ?? agreed(ofAllVariants(first), ofAllVariants(second))

/** A product without a variant has no single price, stock or sku when its variants differ in them. */
const common = (first: Product, second: Product): Product => ({
  id: first.id,
  externalId: agreed(first.externalId, second.externalId),
  externalVariantId: agreed(first.externalVariantId, second.externalVariantId),
  name: agreed(first.name, second.name),
  sku: agreed(first.sku, second.sku),
  vendor: agreed(first.vendor, second.vendor),
  price: agreed(first.price, second.price),
  cost: agreed(first.cost, second.cost),
  tags: agreedOf(first.tags, second.tags),
  otherIds: agreedOf(first.otherIds, second.otherIds),
  inventoryQuantity: agreed(first.inventoryQuantity, second.inventoryQuantity),
})

const inCommon = (
  groups: ReadonlyMap<string, ReadonlyArray<Product>>,
): ReadonlyMap<string, Product> => {
  const products = new Map<string, Product>()
  for (const [key, group] of groups) products.set(key, group.reduce(common))
  return products
}

/**
 * Makes a catalogue of products, one entry for each variant.
 *
 * @param options - `currency`: what the products' `price` and `cost` are in; orders in another currency
 * are then completed without them
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Catalogue } from "apportion"
 *
 * const catalogue = Catalogue.make([{ id: "p1", vendor: "North" }], { currency: "USD" })
 * catalogue.products.length // => 1
 * ```
 */
export const make = (
  products: ReadonlyArray<Product>,
  options: { readonly currency?: string | undefined } = {},
): Catalogue => ({
  products,
  currency: options.currency,
  byVariantId: groupBy(products, (product) => product.externalVariantId),
  byId: inCommon(groupBy(products, (product) => product.id)),
  byExternalId: inCommon(groupBy(products, (product) => product.externalId)),
})

/**
 * The catalogue's entry for a product: by its variant id, else by its id, else by its external id. For a product named
 * without a variant, only the values that all its variants agree on.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Catalogue } from "apportion"
 *
 * const catalogue = Catalogue.make([
 *   { id: "p1", externalVariantId: "red", vendor: "North", price: 900 },
 *   { id: "p1", externalVariantId: "blue", vendor: "North", price: 1_000 },
 * ])
 * Catalogue.find(catalogue, { id: "p1", externalVariantId: "blue" })?.price // => 1000
 * Catalogue.find(catalogue, { id: "p1" })?.price // => undefined
 * ```
 */
export const find = (catalogue: Catalogue, product: Product): Product | undefined => {
  const { id, externalId, externalVariantId } = product
  const variants =
    externalVariantId === undefined ? [] : (catalogue.byVariantId.get(externalVariantId) ?? [])
  const variant = variants.find((one) => one.id === id) ?? variants[0]
  if (variant !== undefined) return variant
  const known =
    catalogue.byId.get(id) ??
    (externalId === undefined ? undefined : catalogue.byExternalId.get(externalId))
  // The only known variant of a product, for another one.
  const isOther = known?.externalVariantId !== undefined && externalVariantId !== undefined
  if (known === undefined || !isOther) return known
  const [tags, otherIds] = [ofAllVariants(known.tags), ofAllVariants(known.otherIds)]
  return tags === known.tags && otherIds === known.otherIds ? known : { ...known, tags, otherIds }
}

/** All ids that the order or the catalogue has: what a line says of itself is no denial of the rest. */
const joined = (
  own: ReadonlyArray<string> | undefined,
  known: ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined =>
  own === undefined || known === undefined ? (own ?? known) : [...new Set([...own, ...known])]

const completeItem = (item: OrderItem, known: Product, withMoney: boolean): OrderItem => {
  const own = item.product
  return {
    ...item,
    product: {
      id: own.id,
      externalId: own.externalId ?? known.externalId,
      externalVariantId: own.externalVariantId ?? known.externalVariantId,
      name: own.name ?? known.name,
      sku: own.sku ?? known.sku,
      vendor: own.vendor ?? known.vendor,
      price: own.price ?? (withMoney ? known.price : undefined),
      cost: own.cost ?? (withMoney ? known.cost : undefined),
      tags: own.tags ?? known.tags,
      otherIds: joined(own.otherIds, known.otherIds),
      inventoryQuantity: own.inventoryQuantity ?? known.inventoryQuantity,
    },
  }
}

/**
 * Fills in what an order leaves out about its products: name, vendor, tags, sku, price, cost, stock and external ids.
 * The order's own values win, even an empty list of tags; `otherIds` are those of both. Products that the catalogue does
 * not have stay as they are.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Catalogue } from "apportion"
 *
 * const catalogue = Catalogue.make([{ id: "p1", vendor: "North", tags: ["art"] }])
 * const order = Catalogue.complete(catalogue, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1", vendor: "South" }, quantity: 1, amount: 900 }],
 * })
 * order.items[0]?.product.tags // => ["art"]
 * order.items[0]?.product.vendor // => "South"
 * ```
 */
export const complete = (catalogue: Catalogue, order: Order): Order => {
  const withMoney = catalogue.currency === undefined || catalogue.currency === order.currency
  return {
    ...order,
    items: order.items.map((item) => {
      const known = find(catalogue, item.product)
      return known === undefined ? item : completeItem(item, known, withMoney)
    }),
  }
}
