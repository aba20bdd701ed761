import * as Effect from "effect/Effect"
import type { Product } from "../../orders/Product.js"
import { type ProductFilter, productKeyOf } from "../../ports/ProductStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext } from "./ContractContext.js"
import { type ContractCheck, expectSame, expectSlices } from "./check.js"
import { largest, oddIds, product } from "./samples.js"

const put = (context: ContractContext, given: ReadonlyArray<Product>) =>
  context.write(({ products }) => products.put(given))

const byKey = (one: Product, other: Product) => (productKeyOf(one) < productKeyOf(other) ? -1 : 1)

const get = (context: ContractContext, keys: ReadonlyArray<string>) =>
  Effect.map(
    context.read(({ products }) => products.get(keys)),
    (found) => found.toSorted(byKey),
  )

const find = (context: ContractContext, ids: ReadonlyArray<string>) =>
  Effect.map(
    context.read(({ products }) => products.find(ids)),
    (found) => found.map(productKeyOf).sort(),
  )

const list = (context: ContractContext, filter: ProductFilter = {}) =>
  Effect.map(
    context.read(({ products }) => products.list(filter, { offset: 0, limit: 1_000 })),
    ({ entries, total }) => ({ keys: entries.map(productKeyOf), total }),
  )

const variant = (id: string, externalVariantId: string): Product =>
  product(id, { externalVariantId, name: `Product ${id}` })

const storing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "products are read as they were put, with all fields or with none but the id",
    Effect.fnUntraced(function* (context) {
      const all = product("a", { externalVariantId: "v", name: "Größe 🎨", tags: ["b", "a", ""] })
      const given = [all, { id: "b" }, product("c", { price: largest, cost: -largest, name: "" })]
      yield* put(context, given)
      yield* expectSame("the products", yield* get(context, given.map(productKeyOf)), given)
    }),
  ),
  inContext(
    "a product that is put again takes the place of the one with its key",
    Effect.fnUntraced(function* (context) {
      yield* put(context, [product("a"), product("b")])
      yield* put(context, [{ id: "a", name: "New" }])
      yield* put(context, [
        { id: "b", name: "Newer" },
        { id: "b", name: "Newest" },
      ])
      const expected = [
        { id: "a", name: "New" },
        { id: "b", name: "Newest" },
      ]
      yield* expectSame("the products", yield* get(context, ["a", "b"]), expected)
      yield* expectSame("the list", yield* list(context), { keys: ["a", "b"], total: 2 })
      yield* expectSame("found by what it was", yield* find(context, ["external-a"]), [])
    }),
  ),
  inContext(
    "variants of a product are entries of their own",
    Effect.fnUntraced(function* (context) {
      const given = [product("a"), variant("a", ""), variant("a", "blue"), variant("a", "red")]
      yield* put(context, given)
      yield* expectSame("the products", yield* get(context, given.map(productKeyOf)), given)
      yield* context.write(({ products }) => products.remove(["a/blue"]))
      yield* expectSame("those left", (yield* list(context)).keys, ["a", "a/", "a/red"])
    }),
  ),
  inContext(
    "products are got by their keys, each once, without those that are not there",
    Effect.fnUntraced(function* (context) {
      yield* put(context, [product("a"), product("b"), variant("c", "1")])
      const found = yield* get(context, ["b", "c/1", "b", "c", "external-a", "z"])
      yield* expectSame("the products", found.map(productKeyOf), ["b", "c/1"])
      yield* expectSame("got by no keys", yield* get(context, []), [])
    }),
  ),
  inContext(
    "products are found by id, external id and variant id, each once",
    Effect.fnUntraced(function* (context) {
      const external = { externalId: "7", externalVariantId: "8" }
      yield* put(context, [
        product("a", external),
        product("b", { externalId: "7" }),
        product("7"),
        product("c", { externalVariantId: "c" }),
        { id: "d" },
        { id: "e", otherIds: ["sku:E", "7"] },
      ])
      const found = yield* find(context, ["7", "8", "c", "z", "8"])
      yield* expectSame("found by many", found, ["7", "a/8", "b", "c/c"])
      yield* expectSame("found by the variant", yield* find(context, ["8"]), ["a/8"])
      yield* expectSame("found by the id", yield* find(context, ["d"]), ["d"])
      yield* expectSame("found by an id that groups name", yield* find(context, ["sku:E"]), [])
      yield* expectSame("found by no ids", yield* find(context, []), [])
    }),
  ),
  inContext(
    "removed products are gone, and keys of no product have no effect",
    Effect.fnUntraced(function* (context) {
      yield* put(context, [product("a"), product("b"), product("c")])
      yield* context.write(({ products }) => products.remove(["a", "z", "c", "a", "external-b"]))
      yield* expectSame("the list", yield* list(context), { keys: ["b"], total: 1 })
      yield* expectSame("got", yield* get(context, ["a", "c"]), [])
      yield* expectSame("found", yield* find(context, ["external-a"]), [])
    }),
  ),
  inContext(
    "products whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      yield* put(
        context,
        oddIds.map((id) => product(id)),
      )
      for (const id of oddIds) {
        const [found] = yield* get(context, [productKeyOf({ id })])
        yield* expectSame(`the product ${id}`, found, product(id))
      }
    }),
  ),
]

const listing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "products are listed by name, then id, then variant, whatever part is asked for",
    Effect.fnUntraced(function* (context) {
      const named = (id: string, name: string) => product(id, { name })
      const expected = [
        ...[{ id: "x" }, named("y", ""), named("10", "Cap"), named("9", "Cap")],
        ...[product("m", { name: "Mug" }), { ...named("m", "Mug"), externalVariantId: "" }],
        ...["10", "9", "a"].map((id) => ({ ...named("m", "Mug"), externalVariantId: id })),
        ...[named("q", "Zebra"), named("p", "mug"), named("o", "Äpfel")],
        ...[named("n", "🎨"), named("l", "ｚ")],
      ]
      yield* put(context, expected.toReversed())
      const part = (slice: Slice) => context.read(({ products }) => products.list({}, slice))
      yield* expectSlices("the products", part, expected)
    }),
  ),
  inContext(
    "a product that gets another name moves in the list",
    Effect.fnUntraced(function* (context) {
      yield* put(context, [product("a"), product("b"), product("c")])
      yield* expectSame("the list before", (yield* list(context)).keys, ["a", "b", "c"])
      yield* put(context, [product("a", { name: "Z" })])
      yield* expectSame("the list after", (yield* list(context)).keys, ["b", "c", "a"])
    }),
  ),
  inContext(
    "the catalogue is gone through batch by batch, by key, wherever it starts",
    Effect.fnUntraced(function* (context) {
      const keys = [...oddIds, "k/1"].map((id) => productKeyOf({ id })).sort()
      yield* put(
        context,
        [...oddIds, "k/1"].toReversed().map((id) => product(id)),
      )
      const batch = (after: string | undefined, limit: number) =>
        Effect.map(
          context.read(({ products }) => products.batch({ after, limit })),
          (found) => found.map(productKeyOf),
        )
      const seen: Array<string> = []
      for (let size = 5; size === 5; ) {
        const found = yield* batch(seen.at(-1), 5)
        seen.push(...found)
        size = found.length
      }
      yield* expectSame("all batches", seen, keys)
      const after = yield* batch("Aa", 2)
      yield* expectSame(
        "after a key of no product",
        after,
        keys.filter((key) => key > "Aa").slice(0, 2),
      )
      yield* expectSame("after the last", yield* batch(keys.at(-1), 5), [])
      yield* expectSame("the whole", yield* batch(undefined, keys.length + 1), keys)
    }),
  ),
  inContext(
    "a thousand products are put at once",
    Effect.fnUntraced(function* (context) {
      const ids = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(4, "0"))
      yield* put(
        context,
        ids.map((id) => product(id)),
      )
      yield* expectSame("the list", yield* list(context), { keys: ids, total: 1_000 })
    }),
  ),
]

const searchable: ReadonlyArray<Product> = [
  { id: "P-1", name: "Blue Mug", vendor: "North", tags: ["Kitchen", "Café"] },
  { id: "p2", name: "100% Cotton_Shirt", sku: "SH\\1", externalId: "ext-77" },
  { id: "p3", name: "Größe", externalVariantId: "Var-9", price: 100 },
  { id: "p4", name: "ÖL", vendor: "ΟΔΟΣ", sku: null },
]

const searching: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a search looks in name, sku, vendor, tags and ids, and in nothing else",
    Effect.fnUntraced(function* (context) {
      yield* put(context, searchable)
      const searches: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["ue mu", ["P-1"]],
        ["sh\\1", ["p2"]],
        ["nort", ["P-1"]],
        ["kitchen", ["P-1"]],
        ["p-1", ["P-1"]],
        ["ext-77", ["p2"]],
        ["var-9", ["p3/Var-9"]],
        ["100", ["p2"]],
        ["kitchencaf", []],
        ["nothing", []],
      ]
      for (const [search, keys] of searches) {
        const expected = { keys, total: keys.length }
        yield* expectSame(`found by ${search}`, yield* list(context, { search }), expected)
      }
    }),
  ),
  inContext(
    "a search looks away from case and surrounding spaces, as rules do",
    Effect.fnUntraced(function* (context) {
      yield* put(context, searchable)
      for (const search of [" blue MUG\n", "CAFÉ", "cafe\u0301", "NORTH"]) {
        yield* expectSame(`found by ${search}`, (yield* list(context, { search })).keys, ["P-1"])
      }
      for (const search of ["größe", "GRÖSSE", "öl", "οδος"]) {
        yield* expectSame(`found by ${search}`, (yield* list(context, { search })).total, 1)
      }
      for (const search of ["blue  mug", "grose"]) {
        yield* expectSame(`found by ${search}`, (yield* list(context, { search })).keys, [])
      }
    }),
  ),
  inContext(
    "a search takes no character for a wildcard",
    Effect.fnUntraced(function* (context) {
      yield* put(context, searchable)
      for (const search of ["%", "_", "\\", "100%", "n_s"]) {
        yield* expectSame(`found by ${search}`, (yield* list(context, { search })).keys, ["p2"])
      }
      for (const search of ["b%g", "bl_e", "b.*", "[a-z]", "'"]) {
        yield* expectSame(`found by ${search}`, (yield* list(context, { search })).keys, [])
      }
    }),
  ),
  inContext(
    "a blank search finds all products",
    Effect.fnUntraced(function* (context) {
      yield* put(context, searchable)
      const all = yield* list(context)
      for (const search of ["", " ", "\t\n", undefined]) {
        yield* expectSame("found by a blank search", yield* list(context, { search }), all)
      }
    }),
  ),
  inContext(
    "what a search finds comes in parts, in order, with the number of all that is found",
    Effect.fnUntraced(function* (context) {
      const ids = ["1", "2", "3", "4", "5", "6", "7"]
      const given = ids.map((id) => product(id, { name: id < "6" ? `Mug ${id}` : "Cap" }))
      yield* put(context, given.toReversed())
      const part = (slice: Slice) =>
        context.read(({ products }) => products.list({ search: "MUG" }, slice))
      yield* expectSlices("the mugs", part, given.slice(0, 5))
      yield* put(context, [product("3", { name: "Cap" })])
      yield* context.write(({ products }) => products.remove(["1"]))
      const left = given.filter(({ id }) => ["2", "4", "5"].includes(id))
      yield* expectSlices("the mugs that are left", part, left)
    }),
  ),
]

/** The contract of the store of products. */
export const productChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...storing,
  ...listing,
  ...searching,
]
