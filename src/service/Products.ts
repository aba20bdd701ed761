import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { mostIds } from "../events/EventType.js"
import { addProblems, refusal, within } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import * as Product from "../orders/Product.js"
import type { Problem } from "../Problem.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import { type ProductFilter, productKeyOf } from "../ports/ProductStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import { type StorageError, StorageFailure } from "../ports/StorageError.js"
import { linkedGroups, type RuleSet } from "../rules/RuleSet.js"
import { sliceOf } from "./internal/lookups.js"
import { makeRulesCache, matchingRules, type RulesCache } from "./internal/rules/rules.js"
import { emit, makeTransactor, type Transactor } from "./internal/transactions.js"
import { InvalidProducts, NotFound } from "./ServiceError.js"

/**
 * A product in a list, with the collaborators whose groups it is linked to.
 *
 * @since 0.2.0
 * @category models
 */
export interface ListedProduct {
  readonly product: Product.Product
  /** By id; empty when they were not requested. */
  readonly collaborators: ReadonlyArray<Collaborator>
}

/**
 * Which products to list.
 *
 * @since 0.2.0
 * @category models
 */
export interface ProductQuery extends ProductFilter {
  /** Whether each product includes its collaborators; `false` when absent. */
  readonly includeCollaborators?: boolean | undefined
}

/**
 * The product catalogue of an account.
 *
 * @since 0.2.0
 * @category services
 */
export interface ProductsService {
  /**
   * Adds or replaces products, and links just those again. Each variant is an entry, identified by `productKeyOf`. When
   * one is invalid, none is stored.
   */
  readonly put: (
    accountId: string,
    products: ReadonlyArray<Product.Product>,
  ) => Effect.Effect<void, InvalidProducts | StorageError>
  /** Removes entries by their keys, with their links. Unknown keys have no effect. */
  readonly remove: (
    accountId: string,
    keys: ReadonlyArray<string>,
  ) => Effect.Effect<void, StorageError>
  /**
   * The entry with a key.
   *
   * @since 0.6.0
   */
  readonly get: (
    accountId: string,
    key: string,
  ) => Effect.Effect<Product.Product, NotFound | StorageError>
  /** A page of the catalogue, by name. */
  readonly list: (
    accountId: string,
    query: ProductQuery,
    page: PageRequest,
  ) => Effect.Effect<Sliced<ListedProduct>, StorageError>
}

/** What the methods share. */
interface ProductTools {
  readonly transactor: Transactor
  readonly rules: RulesCache
}

type ByKey = ReadonlyMap<string, Product.Product>

const invalid = refusal(InvalidProducts)

/** Reads all products; of two with the same key the later one counts, as if it had been put later. */
const readProducts = (input: unknown): Result.Result<ByKey, InvalidProducts> => {
  if (!Array.isArray(input)) {
    return Result.fail(invalid([{ path: "", value: input, message: "must be a list of products" }]))
  }
  const products = new Map<string, Product.Product>()
  const found: Array<Problem> = []
  input.forEach((each: unknown, index) => {
    const product = Product.parse(each)
    if (Result.isSuccess(product)) products.set(productKeyOf(product.success), product.success)
    else {
      const { problems } = product.failure
      addProblems(
        found,
        problems.map((problem) => within(`[${index}]`, problem)),
      )
    }
  })
  return found.length === 0 ? Result.succeed(products) : Result.fail(invalid(found))
}

/** Groups are checked when they are created, so invalid ones are a failure of the store. */
const rulesWithin = (
  { rules }: ProductTools,
  accountId: string,
  stores: Stores,
): Effect.Effect<RuleSet, StorageError> =>
  Effect.catchTag(matchingRules(rules, accountId, stores), "InvalidRuleSet", (error) =>
    Effect.fail(StorageFailure.of("read the product groups", error)),
  )

/** The products to link, by group. */
type Additions = Map<string, Array<string>>

const noteAdditions = (
  additions: Additions,
  key: string,
  {
    linked,
    groupIds,
  }: { readonly linked: ReadonlySet<string>; readonly groupIds: Iterable<string> },
): void => {
  for (const groupId of groupIds) {
    if (linked.has(groupId)) continue
    const keys = additions.get(groupId)
    if (keys === undefined) additions.set(groupId, [key])
    else keys.push(key)
  }
}

/**
 * Links products to exactly the groups whose link selects them, including groups whose jobs still run. For products
 * that lose no link, such as new ones, there is one call for each group.
 */
const linkProducts = Effect.fnUntraced(function* (
  { links }: Stores,
  rules: RuleSet,
  products: ByKey,
) {
  const known = yield* links.groupsOf([...products.keys()])
  const additions: Additions = new Map()
  for (const [index, [key, product]] of [...products].entries()) {
    const linked = new Set(known[index])
    const groupIds = new Set(linkedGroups(rules, product).map(({ id }) => id))
    const isLosing = [...linked].some((groupId) => !groupIds.has(groupId))
    if (isLosing) yield* links.setOfProduct(key, [...groupIds])
    else noteAdditions(additions, key, { linked, groupIds })
  }
  yield* Effect.forEach(additions, ([groupId, keys]) => links.add(groupId, keys), { discard: true })
})

/** The products that are not stored as they are given: only these change. */
const changedOf = Effect.fnUntraced(function* (
  { products: store }: Stores,
  products: ReadonlyMap<string, Product.Product>,
): Effect.fn.Return<ReadonlyArray<Product.Product>, StorageError> {
  const known = new Map(
    (yield* store.get([...products.keys()])).map((product) => [productKeyOf(product), product]),
  )
  return [...products].flatMap(([key, product]) =>
    sameData(known.get(key), product) ? [] : [product],
  )
})

const put = (tools: ProductTools): ProductsService["put"] =>
  Effect.fn("Products.put")(function* (accountId: string, input: ReadonlyArray<Product.Product>) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const products = yield* Effect.fromResult(readProducts(input))
    const count = products.size
    yield* Effect.annotateCurrentSpan({ count })
    if (count === 0) return
    yield* tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const all = [...products.values()]
        const changed = yield* changedOf(stores, products)
        yield* stores.products.put(all)
        const rules = yield* rulesWithin(tools, accountId, stores)
        yield* linkProducts(stores, rules, products)
        if (changed.length === 0) return
        const productIds = [...new Set(changed.map(({ id }) => id))].slice(0, mostIds)
        yield* emit({ type: "product.put", data: { count: changed.length, productIds } })
      }),
    )
  })

const remove = ({ transactor }: ProductTools): ProductsService["remove"] =>
  Effect.fn("Products.remove")(function* (accountId: string, keys: ReadonlyArray<string>) {
    const distinct = [...new Set(keys)]
    const count = distinct.length
    yield* Effect.annotateCurrentSpan({ accountId, count })
    if (count === 0) return
    yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* ({ products }) {
        const there = new Set((yield* products.get(distinct)).map(productKeyOf))
        const removed = distinct.filter((key) => there.has(key))
        yield* products.remove(distinct)
        if (removed.length === 0) return
        const productKeys = removed.slice(0, mostIds)
        yield* emit({ type: "product.removed", data: { count: removed.length, productKeys } })
      }),
    )
  })

const byId = <A extends { readonly id: string }>(all: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(all.map((each) => [each.id, each]))

const sortedIds = (ids: Iterable<string>): ReadonlyArray<string> => [...new Set(ids)].sort()

/** For each product, the collaborators whose groups it is linked to. */
const collaboratorsOf = Effect.fnUntraced(function* (
  stores: Stores,
  products: ReadonlyArray<Product.Product>,
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<Collaborator>>, StorageError> {
  const linked = yield* stores.links.groupsOf(products.map(productKeyOf))
  const groups = yield* stores.groups.find(sortedIds(linked.flat()))
  const groupsById = byId(groups.map(({ group }) => group))
  const ids = sortedIds(groups.map(({ group }) => group.collaboratorId))
  const found = yield* stores.collaborators.find(ids)
  const collaborators = byId(found.map(({ collaborator }) => collaborator))
  return products.map((_, index) => {
    const owners = (linked[index] ?? []).flatMap((id) => groupsById.get(id)?.collaboratorId ?? [])
    return sortedIds(owners).flatMap((id) => collaborators.get(id) ?? [])
  })
})

const list = ({ transactor }: ProductTools): ProductsService["list"] =>
  Effect.fn("Products.list")(function* (accountId: string, query: ProductQuery, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { includeCollaborators = false, ...filter } = query
    return yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { entries, total } = yield* stores.products.list(filter, sliceOf(page))
        const owners = includeCollaborators ? yield* collaboratorsOf(stores, entries) : []
        const listed = (product: Product.Product, index: number): ListedProduct => ({
          product,
          collaborators: owners[index] ?? [],
        })
        return { entries: entries.map(listed), total }
      }),
    )
  })

const get = ({ transactor }: ProductTools): ProductsService["get"] =>
  Effect.fn("Products.get")(function* (accountId: string, key: string) {
    yield* Effect.annotateCurrentSpan({ accountId, key })
    const [found] = yield* transactor.read(accountId, ({ products }) => products.get([key]))
    return found ?? (yield* NotFound.of("product", key))
  })

const makeProducts = (tools: ProductTools): ProductsService => ({
  put: put(tools),
  remove: remove(tools),
  get: get(tools),
  list: list(tools),
})

/**
 * The product catalogue of an account, as an Effect service.
 *
 * @since 0.2.0
 * @category services
 */
export class Products extends Context.Service<Products, ProductsService>()(
  "apportion/service/Products",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Products, never, Storage> = Layer.effect(
    Products,
    Effect.map(makeTransactor, (transactor) =>
      makeProducts({ transactor, rules: makeRulesCache() }),
    ),
  )
}
