/**
 * The sort order of each kind of list. Each is total: two entries with different ids (products: different ids or
 * variants) are never equal, so that no entry is skipped or repeated between the pages of an unchanged list. Texts
 * compare by their UTF-16 code units, the same on every machine.
 *
 * @since 0.1.0
 */
import type * as Order from "effect/Order"
import { compareBy, compareNumbers, compareTexts } from "../internal/compare.js"

interface Identified {
  readonly id: string
}

const byId: Order.Order<Identified> = (one, other) => compareTexts(one.id, other.id)

interface ListedProduct extends Identified {
  readonly name?: string | undefined
  readonly externalVariantId?: string | undefined
}

/** A product as a whole comes before its variants, even before one whose id is the empty text. */
const variantOf = ({ externalVariantId: id }: ListedProduct): string =>
  id === undefined ? "" : `/${id}`

/**
 * Payouts: the latest due date first, then by id.
 *
 * @since 0.1.0
 * @category instances
 * @example
 * ```ts
 * import { ListOrder } from "apportion"
 *
 * const listed = [
 *   { id: "b", toBePaidAt: 10 },
 *   { id: "a", toBePaidAt: 10 },
 *   { id: "c", toBePaidAt: 20 },
 * ].sort(ListOrder.payouts)
 * listed.map(({ id }) => id) // => ["c", "a", "b"]
 * ```
 */
export const payouts: Order.Order<{ readonly id: string; readonly toBePaidAt: number }> = compareBy<
  Identified & { readonly toBePaidAt: number }
>((one, other) => compareNumbers(other.toBePaidAt, one.toBePaidAt), byId)

/**
 * Product groups: the newest first, those without a time of creation last, then by id.
 *
 * @since 0.1.0
 * @category instances
 * @example
 * ```ts
 * import { ListOrder } from "apportion"
 *
 * const listed = [
 *   { id: "a", createdAt: null },
 *   { id: "b", createdAt: 10 },
 *   { id: "c", createdAt: 20 },
 * ].sort(ListOrder.productGroups)
 * listed.map(({ id }) => id) // => ["c", "b", "a"]
 * ```
 */
export const productGroups: Order.Order<{
  readonly id: string
  readonly createdAt: number | null
}> = compareBy<Identified & { readonly createdAt: number | null }>(
  (one, other) =>
    compareNumbers(
      other.createdAt ?? Number.NEGATIVE_INFINITY,
      one.createdAt ?? Number.NEGATIVE_INFINITY,
    ),
  byId,
)

/**
 * Products: by name, those without one first, then by id, then by the id of the variant, a product
 * without one first.
 *
 * @since 0.1.0
 * @category instances
 * @example
 * ```ts
 * import { ListOrder } from "apportion"
 *
 * const listed = [
 *   { id: "2", name: "Mug" },
 *   { id: "1", name: "Mug" },
 *   { id: "3", name: "Cap" },
 * ].sort(ListOrder.products)
 * listed.map(({ id }) => id) // => ["3", "1", "2"]
 * ```
 */
export const products: Order.Order<{
  readonly id: string
  readonly name?: string | undefined
  readonly externalVariantId?: string | undefined
}> = compareBy<ListedProduct>(
  (one, other) => compareTexts(one.name ?? "", other.name ?? ""),
  byId,
  (one, other) => compareTexts(variantOf(one), variantOf(other)),
)
