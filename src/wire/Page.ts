/**
 * One page of a list as JSON, in the envelope that all lists share.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as Core from "../pagination/Page.js"
import { Count, Position } from "./internal/scalars.js"

/**
 * Where a page stands in its list.
 *
 * @since 0.6.0
 * @category schemas
 */
export const MetaView = Schema.Struct({
  current_page: Position.annotate({ description: "As it was asked for" }),
  from: Schema.NullOr(Position).annotate({
    description: "Number of the page's first entry; null when the page is empty",
  }),
  last_page: Position,
  path: Schema.String.annotate({ description: "The list's URL, without its query" }),
  per_page: Position,
  to: Schema.NullOr(Position).annotate({
    description: "Number of the page's last entry; null when the page is empty",
  }),
  total: Count.annotate({ description: "Entries of the whole list" }),
}).annotate({ identifier: "PageMeta", description: "Where a page stands in its list" })

/**
 * Where a page stands in its list.
 *
 * @since 0.1.0
 * @category models
 */
export interface MetaView extends Schema.Schema.Type<typeof MetaView> {}

/**
 * A page of entries that have a schema.
 *
 * @since 0.6.0
 * @category schemas
 * @example
 * ```ts
 * import { Page, Product } from "apportion/wire"
 * import { Schema } from "effect"
 *
 * const isPage = Schema.is(Page.PageOf(Product.ProductView))
 * isPage({ data: [], meta: {} }) // => false
 * ```
 */
export const PageOf = <S extends Schema.Top>(entry: S) =>
  Schema.Struct({ data: Schema.Array(entry), meta: MetaView })

/**
 * A page: its entries, and where it stands.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageView<A> {
  readonly data: ReadonlyArray<A>
  readonly meta: MetaView
}

/**
 * Writes a page, each entry by a writer of its own.
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
