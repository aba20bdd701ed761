/**
 * A product group as JSON: the create request of the service, and the object in its answers.
 *
 * @since 0.1.0
 */

import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import * as Attribute from "../orders/Attribute.js"
import type { Product } from "../orders/Product.js"
import type { Page } from "../pagination/Page.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type * as Core from "../rules/ProductGroup.js"
import type { GroupTerms } from "../terms/Terms.js"
import type { Unreadable } from "../Unreadable.js"
import { write as writeCollaborator } from "./Collaborator.js"
import { overlay } from "./internal/groupChange.js"
import type { TermedGroup } from "./internal/groupFields.js"
import * as groupFields from "./internal/groupFields.js"
import { write as writePage } from "./Page.js"
import { write as writeProduct } from "./Product.js"
import type * as Schemas from "./Schemas.js"

export type { TermedGroup }

/**
 * Options for reading a group.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  /** The group's id, when the JSON does not name one. */
  readonly id?: string | undefined
  /** The collaborator's id, when the JSON does not name one. */
  readonly collaboratorId?: string | undefined
  /** When the group was created, in Unix seconds, when the JSON does not say. */
  readonly createdAt?: number | undefined
  /** Refuse a link or condition that needs values and has none, and blank values. Off by default. */
  readonly requireValues?: boolean | undefined
  /** The path of the group in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

const readCollaboratorId = (node: reader.Node, options: ReadOptions): string => {
  if (reader.field(node, "collaborator_id") !== undefined) {
    return reader.neededId(node, "collaborator_id")
  }
  const embedded = reader.child(node, "collaborator")
  if (embedded !== undefined) return reader.neededId(embedded, "id")
  return options.collaboratorId ?? reader.neededId(node, "collaborator_id")
}

const readId = (node: reader.Node, options: ReadOptions): string =>
  reader.field(node, "id") === undefined && options.id !== undefined
    ? options.id
    : reader.neededId(node, "id")

const readLimits = (node: reader.Node) => {
  const minAmount = groupFields.readAmount(node, "min_amount")
  const maxAmount = groupFields.readAmount(node, "max_amount")
  if (minAmount !== null && maxAmount !== null && minAmount > maxAmount) {
    reader.note(node, "max_amount", `must be at least min_amount (${minAmount}), got ${maxAmount}`)
  }
  return { minAmount, maxAmount }
}

const readDates = (node: reader.Node) => {
  const startsAt = reader.time(node, "starts_at") ?? null
  const endsAt = reader.time(node, "ends_at") ?? null
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt) {
    const given = reader.describe(node.fields.ends_at)
    reader.note(node, "ends_at", `must be later than starts_at, got ${given}`)
  }
  return { startsAt, endsAt }
}

const readPay = (node: reader.Node, shape: groupFields.Shape): groupFields.Pay =>
  groupFields.isView(shape) ? groupFields.readViewPay(node) : groupFields.readRequestPay(node)

const readGroup = (node: reader.Node, options: ReadOptions): TermedGroup => {
  const shape = groupFields.shapeOf(node)
  const requireValues = options.requireValues ?? false
  groupFields.noteOtherShape(node, shape)
  const condition = groupFields.readCondition(node, shape, requireValues)
  const deduct = reader.flag(node, "deduct_for_other_splits") ?? false
  return {
    id: readId(node, options),
    collaboratorId: readCollaboratorId(node, options),
    link: groupFields.readLink(node, shape, requireValues),
    condition,
    ...readPay(node, shape),
    shippingPercent: groupFields.readPercent(node, "shipping_percent"),
    shippingAmount: groupFields.readAmount(node, "shipping_amount"),
    deductForOtherSplits: deduct && Attribute.isDeductible(condition?.type),
    ...readLimits(node),
    ...readDates(node),
    createdAt: reader.time(node, "created_at") ?? options.createdAt ?? null,
  }
}

/**
 * Reads a product group, from either of two shapes. The create request has its link in `itemType` and
 * `items` and its condition in `splitConditionType` and `splitConditions`; `type` (`percentage`,
 * `flat` or `both`) says which of `percent` and `amount` counts, and the other is ignored. The object that the
 * service answers with is recognised by `type_values`, or by a link type in `type`; there both count
 * when both are set. `type_modifier` and `condition_modifier` are read in both (answers leave them out,
 * which means `WITH`). Both can have `terms`, since 0.6.0 and beyond the specification: tiers and a cap, in the fields of
 * `Terms`; tiers take the place of a percentage.
 *
 * Tolerated: both spellings of each link type (`product.tag`, `products.tag`), `percent` or
 * `percentage`, as a number or a text, modifiers as a text or a list of one and in any case, product ids
 * as numbers, times as Unix seconds or ISO 8601 with an offset, null for absent, `deduct_for_other_splits`
 * where it has no effect. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Group } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const group = Group.read({
 *   id: "g1",
 *   collaborator_id: "ada",
 *   itemType: "product.tag",
 *   items: ["art"],
 *   type: "percentage",
 *   percentage: 12.5,
 * })
 * Result.getOrThrow(group).percent // => "12.50"
 * ```
 */
export const read = (
  input: unknown,
  options: ReadOptions = {},
): Result.Result<TermedGroup, Unreadable> =>
  reader.read(input, {
    what: "product group",
    path: options.path,
    read: (node) => readGroup(node, options),
  })

const mergeGroup = (node: reader.Node, group: TermedGroup): TermedGroup => {
  const shape = groupFields.shapeOf(node)
  groupFields.noteOtherShape(node, shape)
  const { id, collaboratorId } = group
  const createdAt = group.createdAt ?? undefined
  return readGroup(overlay(node, group, shape), {
    ...{ id, collaboratorId, createdAt, requireValues: true },
  })
}

/**
 * Reads a request to change a group: absent fields stay as they are, and the resulting group is checked as a whole, as
 * {@link read} does with `requireValues`. `null` removes what can be removed: the condition, its modifier, limits,
 * dates, the shipping fields, the terms. Terms are replaced as a whole, and new tiers take the place of a percentage. Id, collaborator and time of creation always stay.
 *
 * Refused, because it can't be intended: another link type or condition type without its values; a percentage alone for
 * a group that pays a flat amount, and the reverse, without `type`. Fails with `Unreadable`, which lists every problem
 * with its path.
 *
 * @since 0.2.0
 * @category decoding
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 * import { Group } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const link = { type: "products.tag", values: ["art"] } as const
 * const group = ProductGroup.make({ id: "g1", collaboratorId: "ada", link, percent: "12.50" })
 * const merged = Result.getOrThrow(Group.merge(group, { type: "flat", amount: 500 }))
 * merged.percent // => null
 * merged.amount // => 500
 * merged.link.values // => ["art"]
 * ```
 */
export const merge = (group: TermedGroup, input: unknown): Result.Result<TermedGroup, Unreadable> =>
  reader.read(input, { what: "product group", read: (node) => mergeGroup(node, group) })

/**
 * The create request of the service, with the additions a file of groups needs. Amounts are cents,
 * times Unix seconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface GroupRequest {
  readonly id: string
  readonly collaborator_id: string
  readonly itemType: Core.LinkType
  readonly items: ReadonlyArray<string>
  readonly type_modifier: Core.Modifier
  readonly splitConditionType: Core.ConditionType | null
  readonly splitConditions: ReadonlyArray<string>
  readonly condition_modifier: Core.Modifier | null
  /** `both` goes beyond the specification: the group pays a percentage and a flat amount. */
  readonly type: "percentage" | "flat" | "both"
  readonly percent: string | null
  readonly amount: number | null
  readonly deduct_for_other_splits: boolean
  readonly shipping_percent: string | null
  readonly shipping_amount: number | null
  readonly min_amount: number | null
  readonly max_amount: number | null
  readonly starts_at: number | null
  readonly ends_at: number | null
  readonly created_at: number | null
  /** Beyond the specification, and only where the group has terms. */
  readonly terms?: GroupTerms
}

/**
 * Writes a group as a create request from which {@link read} reads the same group.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { ProductGroup } from "apportion"
 * import { Group } from "apportion/wire"
 *
 * const link = { type: "products.all" } as const
 * const group = ProductGroup.make({ id: "g1", collaboratorId: "ada", link, amount: 500 })
 * Group.writeRequest(group).type // => "flat"
 * ```
 */
export const writeRequest = (group: TermedGroup): GroupRequest => ({
  id: group.id,
  collaborator_id: group.collaboratorId,
  itemType: group.link.type,
  items: group.link.values,
  type_modifier: group.link.modifier,
  splitConditionType: group.condition?.type ?? null,
  splitConditions: group.condition?.values ?? [],
  condition_modifier: group.condition?.modifier ?? null,
  type: groupFields.kindOf(group),
  percent: group.percent,
  amount: group.amount,
  deduct_for_other_splits: group.deductForOtherSplits,
  shipping_percent: group.shippingPercent,
  shipping_amount: group.shippingAmount,
  min_amount: group.minAmount,
  max_amount: group.maxAmount,
  starts_at: group.startsAt,
  ends_at: group.endsAt,
  created_at: group.createdAt,
  ...(group.terms == null ? undefined : { terms: group.terms }),
})

/**
 * A group in a list: percentages are texts with two decimals.
 *
 * @since 0.1.0
 * @category models
 */
export interface ListedGroup extends Schema.Schema.Type<typeof Schemas.ListedGroup> {}

/**
 * The fields that every answer of the service has for a group. Modifiers, limits and dates are not among
 * them: to keep a group, write it with {@link writeRequest}. Amounts are cents, times Unix seconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface GroupView<P>
  extends Omit<ListedGroup, "percent" | "shipping_percent" | "products_count"> {
  readonly percent: P | null
  readonly shipping_percent: P | null
}

/**
 * A group on its own, with a page of its products: percentages are texts with two decimals.
 *
 * @since 0.1.0
 * @category models
 */
export interface ViewedGroup extends Schema.Schema.Type<typeof Schemas.ViewedGroup> {}

/**
 * A group that was just created or updated: percentages are numbers.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChangedGroup extends Schema.Schema.Type<typeof Schemas.ChangedGroup> {}

/**
 * Every field that a group's JSON can have, in requests, answers and files. Others have no effect: hosts can use this
 * list to report misspelt fields in groups written by hand.
 *
 * @since 0.1.0
 * @category constants
 */
export const fields: ReadonlyArray<string> = [
  ...["id", "collaborator_id", "collaborator", "created_at", "updated_at"],
  ...["itemType", "items", "type_modifier"],
  ...["splitConditionType", "splitConditions", "condition_modifier"],
  ...["type", "percentage", "percent", "amount", "deduct_for_other_splits"],
  ...["type_values", "condition", "condition_values", "products", "products_count"],
  ...["shipping_percent", "shipping_amount", "min_amount", "max_amount", "starts_at", "ends_at"],
  "terms",
]

/**
 * The parts of an answer besides the group itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface Surroundings {
  readonly collaborator: Collaborator
  /** Unix seconds. A group without a time of creation counts as created then. */
  readonly updatedAt: number
}

const writeGroup = <P>(
  group: Core.ProductGroup,
  { collaborator, updatedAt }: Surroundings,
  writePercent: (percent: string) => P,
): GroupView<P> => ({
  id: group.id,
  type: group.link.type === "products.tag" ? "product.tag" : group.link.type,
  type_values: group.link.values,
  condition: group.condition?.type ?? null,
  condition_values: group.condition?.values ?? null,
  amount: group.amount,
  shipping_amount: group.shippingAmount,
  percent: group.percent === null ? null : writePercent(group.percent),
  shipping_percent: group.shippingPercent === null ? null : writePercent(group.shippingPercent),
  created_at: group.createdAt ?? updatedAt,
  updated_at: updatedAt,
  collaborator: writeCollaborator(collaborator),
})

const asText = (percent: string): string => percent

/**
 * Writes a group as an entry of a list.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, ProductGroup } from "apportion"
 * import { Group } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const collaborator = Collaborator.make({ id: "ada", currency: "USD" })
 * const link = { type: "products.tag", values: ["art"] }
 * const group = ProductGroup.parse({ id: "g1", collaboratorId: "ada", link, percent: 12.5 })
 * const view = Group.writeListed(Result.getOrThrow(group), {
 *   collaborator,
 *   updatedAt: 1_700_000_000,
 *   productsCount: 3,
 * })
 * view.type // => "product.tag"
 * view.percent // => "12.50"
 * ```
 */
export const writeListed = (
  group: Core.ProductGroup,
  surroundings: Surroundings & { readonly productsCount: number },
): ListedGroup => ({
  ...writeGroup(group, surroundings, asText),
  products_count: surroundings.productsCount,
})

/**
 * Writes a group on its own, with a page of its products.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, Page, PageRequest, ProductGroup } from "apportion"
 * import { Group } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const collaborator = Collaborator.make({ id: "ada", currency: "USD" })
 * const link = { type: "products.all" }
 * const group = ProductGroup.parse({ id: "g1", collaboratorId: "ada", link, percent: 12.5 })
 * const products = Page.of([{ id: "p1" }], PageRequest.first, { path: "/products" })
 * const view = Group.writeView(Result.getOrThrow(group), {
 *   collaborator,
 *   updatedAt: 1_700_000_000,
 *   products,
 * })
 * view.percent // => "12.50"
 * view.products.meta.total // => 1
 * ```
 */
export const writeView = (
  group: Core.ProductGroup,
  surroundings: Surroundings & { readonly products: Page<Product> },
): ViewedGroup => ({
  ...writeGroup(group, surroundings, asText),
  products: writePage(surroundings.products, writeProduct),
})

/**
 * Writes a group that was just created or updated: as {@link writeView}, but percentages are numbers.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, Page, PageRequest, ProductGroup } from "apportion"
 * import { Group } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const collaborator = Collaborator.make({ id: "ada", currency: "USD" })
 * const link = { type: "products.all" }
 * const group = ProductGroup.parse({ id: "g1", collaboratorId: "ada", link, percent: 12.5 })
 * const products = Page.of([], PageRequest.first, { path: "/products" })
 * const view = Group.writeChanged(Result.getOrThrow(group), {
 *   collaborator,
 *   updatedAt: 1_700_000_000,
 *   products,
 * })
 * view.percent // => 12.5
 * ```
 */
export const writeChanged = (
  group: Core.ProductGroup,
  surroundings: Surroundings & { readonly products: Page<Product> },
): ChangedGroup => ({
  ...writeGroup(group, surroundings, Number),
  products: writePage(surroundings.products, writeProduct),
})
