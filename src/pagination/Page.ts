/**
 * One page of a list, and its position in the list.
 *
 * @since 0.1.0
 */
import type { PageRequest } from "./PageRequest.js"

/** The position of a page in its list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Meta {
  /** The requested page, even if it is beyond the last one. */
  readonly currentPage: number
  /** Number of the page's first entry, counted from 1; `null` when the page is empty. */
  readonly from: number | null
  /** At least 1. */
  readonly lastPage: number
  /** The list's URL, without its query. */
  readonly path: string
  readonly perPage: number
  /** Number of the page's last entry; `null` when the page is empty. */
  readonly to: number | null
  /** How many entries the whole list has. */
  readonly total: number
}

/**
 * One page of a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly meta: Meta
}

const lastPageOf = (total: number, perPage: number): number => {
  const rest = total % perPage
  return Math.max(1, (total - rest) / perPage + (rest > 0 ? 1 : 0))
}

/**
 * The position of a page in a list of which only the length is known.
 *
 * @param total - entries of the whole list, 0 or more
 * @param options.path - the list's URL; its query, if it has one, is cut off
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Page } from "apportion"
 *
 * const { from, to, lastPage, path } = Page.meta(
 *   31,
 *   { page: 3, perPage: 15 },
 *   { path: "/api/v1/payouts?page=3" },
 * )
 * from // => 31
 * to // => 31
 * lastPage // => 3
 * path // => "/api/v1/payouts"
 * ```
 */
export const meta = (
  total: number,
  request: PageRequest,
  options: { readonly path: string },
): Meta => {
  const { page, perPage } = request
  const lastPage = lastPageOf(total, perPage)
  const isEmpty = total === 0 || page > lastPage
  // The product stays below the total, so it is exact even for the longest list.
  const before = isEmpty ? 0 : (page - 1) * perPage
  return {
    currentPage: page,
    from: isEmpty ? null : before + 1,
    lastPage,
    path: options.path.replace(/[?#].*/s, ""),
    perPage,
    to: isEmpty ? null : before + Math.min(perPage, total - before),
    total,
  }
}

/**
 * A page of a list that is already sorted.
 *
 * @param options.path - the list's URL; its query, if it has one, is cut off
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Page } from "apportion"
 *
 * const page = Page.of(["a", "b", "c"], { page: 2, perPage: 2 }, { path: "/api/v1/products" })
 * page.data // => ["c"]
 * page.meta.total // => 3
 * ```
 */
export const of = <A>(
  sorted: ReadonlyArray<A>,
  request: PageRequest,
  options: { readonly path: string },
): Page<A> => {
  const place = meta(sorted.length, request, options)
  return { data: sorted.slice((place.from ?? 1) - 1, place.to ?? 0), meta: place }
}
