/**
 * One page of a list as JSON, in the envelope that all lists share.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type * as Core from "../pagination/Page.js"
import type * as Schemas from "./Schemas.js"

/**
 * The position of a page in its list.
 *
 * @since 0.1.0
 * @category models
 */
export interface MetaView extends Schema.Schema.Type<typeof Schemas.MetaView> {}

/**
 * A page: its entries, and its position.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageView<A> {
  readonly data: ReadonlyArray<A>
  readonly meta: MetaView
}

/**
 * Writes a page, each entry by the given writer.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Page as CorePage } from "apportion"
 * import { Page, Product } from "apportion/wire"
 *
 * const page = CorePage.of([{ id: "p1" }], { page: 1, perPage: 15 }, { path: "/api/v1/products" })
 * const view = Page.write(page, Product.write)
 * view.data.map((product) => product.id) // => ["p1"]
 * view.meta.last_page // => 1
 * ```
 */
export const write = <A, B>(page: Core.Page<A>, writeEntry: (entry: A) => B): PageView<B> => ({
  data: page.data.map((entry) => writeEntry(entry)),
  meta: {
    current_page: page.meta.currentPage,
    from: page.meta.from,
    last_page: page.meta.lastPage,
    path: page.meta.path,
    per_page: page.meta.perPage,
    to: page.meta.to,
    total: page.meta.total,
  },
})
