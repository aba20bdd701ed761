/**
 * The initial data of an account as one JSON document.
 *
 * @since 0.2.0
 */
import * as Result from "effect/Result"
import { repeats } from "../internal/problems.js"
import * as reader from "../internal/reader.js"
import type { Product } from "../orders/Product.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Payout } from "../payouts/Payout.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import type { Unreadable } from "../Unreadable.js"
import { read as readCollaborator } from "./Collaborator.js"
import { read as readGroup } from "./Group.js"
import { readProduct } from "./internal/items.js"
import { readPayout } from "./internal/payouts.js"

/**
 * A product group of a store.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoreGroup {
  readonly group: ProductGroup
  /** Unix seconds; `null`: the JSON does not say. */
  readonly updatedAt: number | null
}

/**
 * The initial data of an account. Every collaborator that a group or a payout names is among the collaborators.
 *
 * @since 0.2.0
 * @category models
 */
export interface Store {
  readonly collaborators: ReadonlyArray<Collaborator>
  readonly products: ReadonlyArray<Product>
  readonly groups: ReadonlyArray<StoreGroup>
  readonly payouts: ReadonlyArray<Payout>
}

/**
 * Every field that a store's JSON can have. Unlike elsewhere, unknown fields are refused: under a misspelt name a whole
 * list would be lost.
 *
 * @since 0.2.0
 * @category constants
 */
export const fields: ReadonlyArray<string> = ["collaborators", "products", "groups", "payouts"]

/** An entry of a list as it was read, and its path. */
interface PlacedItem<A> {
  readonly value: A
  readonly node: reader.Node
}

/** The value, or `undefined` after noting its problems. */
const orNote = <A>(node: reader.Node, result: Result.Result<A, Unreadable>): A | undefined => {
  if (Result.isSuccess(result)) return result.success
  node.problems.push(...result.failure.problems)
  return undefined
}

/** The readable entries of a list; all problems of the others are noted. */
const readList = <A>(
  store: reader.Node,
  key: string,
  read: (node: reader.Node) => A | undefined,
): ReadonlyArray<PlacedItem<A>> =>
  (reader.children(store, key) ?? []).flatMap((node) => {
    const before = node.problems.length
    const value = read(node)
    return value === undefined || node.problems.length > before ? [] : [{ value, node }]
  })

const noteRepeats = <A>(
  placed: ReadonlyArray<PlacedItem<A>>,
  options: { readonly keyOf: (value: A) => string; readonly words: (value: A) => string },
): void => {
  for (const { index, first } of repeats(placed.map(({ value }) => options.keyOf(value)))) {
    const [here, earlier] = [placed[index], placed[first]]
    if (here === undefined || earlier === undefined) continue
    const message = `must be unique, ${earlier.node.path} has ${options.words(here.value)} too`
    reader.note(here.node, "id", message)
  }
}

const byId = {
  keyOf: ({ id }: { readonly id: string }) => id,
  words: ({ id }: { readonly id: string }) => `the id ${reader.describe(id)}`,
}

const byVariant = {
  keyOf: ({ id, externalVariantId }: Product) => JSON.stringify([id, externalVariantId ?? null]),
  words: ({ id, externalVariantId }: Product) =>
    externalVariantId === undefined
      ? byId.words({ id })
      : `${byId.words({ id })} and the variant ${reader.describe(externalVariantId)}`,
}

const nameOf = (collaboratorId: string): string =>
  `${reader.describe(collaboratorId)} is not among the collaborators`

/** The collaborators of the list, and those included in groups and payouts. */
class CollaboratorsById {
  readonly byId = new Map<string, Collaborator>()
  /** Unreadable collaborators of the list are not also reported as missing. */
  private readonly broken: ReadonlySet<string>

  constructor(store: reader.Node, listed: ReadonlyArray<PlacedItem<Collaborator>>) {
    for (const { value } of listed) if (!this.byId.has(value.id)) this.byId.set(value.id, value)
    const nodes = reader.children(store, "collaborators") ?? []
    this.broken = new Set(nodes.map(({ fields }) => String(fields.id)))
  }

  private has(collaboratorId: string): boolean {
    return this.byId.has(collaboratorId) || this.broken.has(collaboratorId)
  }

  /** Makes sure that the collaborator of a group is known. */
  addOfGroup({ value: { group }, node }: PlacedItem<StoreGroup>): void {
    if (this.has(group.collaboratorId)) return
    const embedded = node.fields.collaborator
    if (!reader.isFields(embedded) || String(embedded.id) !== group.collaboratorId) {
      const key = "collaborator_id" in node.fields ? "collaborator_id" : "collaborator"
      reader.note(node, key, nameOf(group.collaboratorId))
      return
    }
    const path = reader.pathOf(node, "collaborator")
    const collaborator = orNote(node, readCollaborator(embedded, { path }))
    if (collaborator !== undefined) this.byId.set(collaborator.id, collaborator)
  }

  /** Makes sure that the collaborator of a payout is known. */
  addOfPayout(node: reader.Node, collaboratorId: string, own: Collaborator | null): void {
    if (collaboratorId === "" || this.has(collaboratorId)) return
    if (own === null) reader.note(node, "collaborator", nameOf(collaboratorId))
    else this.byId.set(collaboratorId, own)
  }
}

const readStoreGroup = (node: reader.Node): StoreGroup | undefined => {
  const options = { path: node.path, requireValues: true }
  const group: ProductGroup | undefined = orNote(node, readGroup(node.fields, options))
  const updatedAt = reader.time(node, "updated_at") ?? null
  return group && { group, updatedAt }
}

const noteSecondActive = (payouts: ReadonlyArray<PlacedItem<Payout>>): void => {
  const active = payouts.filter(({ value }) => value.status === "active")
  const keys = active.map(({ value }) => JSON.stringify([value.collaboratorId, value.currency]))
  for (const { index, first } of repeats(keys)) {
    const [here, earlier] = [active[index], active[first]]
    if (here === undefined || earlier === undefined) continue
    const { collaboratorId, currency } = here.value
    const whose = `of ${reader.describe(collaboratorId)} in ${currency}`
    const message = `must not be active: ${earlier.node.path} is the active payout ${whose} already`
    reader.note(here.node, "status", message)
  }
}

const noteUnknownFields = (node: reader.Node): void => {
  for (const name of Object.keys(node.fields)) {
    if (!fields.includes(name)) {
      reader.note(node, name, `is no list of a store: those are ${fields.join(", ")}`)
    }
  }
}

const readStore = (node: reader.Node): Store => {
  noteUnknownFields(node)
  const listed = readList(node, "collaborators", (one) =>
    orNote(one, readCollaborator(one.fields, { path: one.path })),
  )
  const products = readList(node, "products", readProduct)
  const groups = readList(node, "groups", readStoreGroup)
  const collaborators = new CollaboratorsById(node, listed)
  for (const group of groups) collaborators.addOfGroup(group)
  const payouts = readList(node, "payouts", (one) => {
    const { payout, collaborator } = readPayout(one, undefined)
    collaborators.addOfPayout(one, payout.collaboratorId, collaborator)
    return payout
  })
  noteRepeats(listed, byId)
  noteRepeats(products, byVariant)
  noteRepeats(
    groups.map(({ value, node }) => ({ value: value.group, node })),
    byId,
  )
  noteRepeats(payouts, byId)
  noteSecondActive(payouts)
  return {
    collaborators: [...collaborators.byId.values()],
    products: products.map(({ value }) => value),
    groups: groups.map(({ value }) => value),
    payouts: payouts.map(({ value }) => value),
  }
}

/**
 * Reads a store: `collaborators`, `products`, `groups` and `payouts`, each a list that may be absent, each
 * entry as its own reader reads it. Links and conditions of groups need values.
 *
 * The collaborator of a group or a payout is one of the list, or an object with all required fields; if both exist, the
 * list counts, and of several objects the first, groups before payouts. Ids must not repeat (products: id and variant
 * together), and a collaborator has at most one active payout per currency. Fails with `Unreadable`, which lists every
 * problem with its path, such as `groups[3].percentage`.
 *
 * @since 0.2.0
 * @category decoding
 * @example
 * ```ts
 * import { Store } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const store = Store.read({
 *   collaborators: [{ id: "ada", currency: "EUR" }],
 *   products: [{ id: "p1", tags: ["art"] }],
 *   groups: [
 *     {
 *       id: "g1",
 *       collaborator_id: "ada",
 *       itemType: "products.tag",
 *       items: ["art"],
 *       type: "percentage",
 *       percentage: 12.5,
 *     },
 *   ],
 * })
 * Result.getOrThrow(store).groups[0]?.group.percent // => "12.50"
 * Result.getOrThrow(store).payouts // => []
 * Result.getOrThrow(Result.flip(Store.read({ payout: [] }))).problems[0]?.path // => "payout"
 * ```
 */
export const read = (input: unknown): Result.Result<Store, Unreadable> =>
  reader.read(input, { what: "store", read: readStore })
