import type { Product } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { Storage, StorageFailure } from "apportion/ports"
import {
  Collaborators,
  InvalidProducts,
  ProductGroups,
  type ProductQuery,
  Products,
} from "apportion/service"
import { Effect, Result } from "effect"
import { expect, test } from "vitest"
import {
  inStorefront,
  type Logged,
  linked,
  linkedKeys,
  runTest,
  startProcess,
} from "./Storefront.js"

const firstPage = { page: 1, perPage: 15 }

/** Ada has what is art, Ben everything, and Cy what is not from North. */
const opened = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const groups = yield* ProductGroups
  for (const id of ["ada", "ben", "cy"]) {
    yield* collaborators.create("shop", { id, currency: "EUR" })
  }
  const links = [
    ["ada", { type: "products.tag", values: ["art"] }],
    ["ben", { type: "products.all" }],
    ["cy", { type: "products.vendor", modifier: "NOT", values: ["North"] }],
  ] as const
  for (const [id, link] of links) yield* groups.create("shop", id, { id, link, percent: 10 })
  const storage = yield* Storage
  yield* linked(storage, "shop")
  return yield* Products
})

const groupsOf = (key: string) =>
  Effect.flatMap(Storage, (storage) =>
    storage.transaction("shop", ({ links }) =>
      Effect.map(links.groupsOf([key]), ([ids = []]) => [...ids].sort()),
    ),
  )

const names = (query: ProductQuery) =>
  Effect.flatMap(Products, (products) =>
    Effect.map(products.list("shop", query, firstPage), ({ entries }) =>
      entries.map(({ product }) => product.name),
    ),
  )

test("a product is linked to the groups that select it as soon as it is put", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [
        { id: "p1", tags: ["ART"], vendor: "north" },
        { id: "p2", vendor: "South" },
      ])
      expect(yield* groupsOf("p1")).toEqual(["ada", "ben"])
      expect(yield* groupsOf("p2")).toEqual(["ben", "cy"])
    }),
  ))

test("a product that changes is linked to just those that select it now", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [{ id: "p1", tags: ["art"], vendor: "North" }])
      yield* products.put("shop", [{ id: "p1", tags: ["music"], vendor: "West" }])
      expect(yield* groupsOf("p1")).toEqual(["ben", "cy"])
    }),
  ))

test("each variant of a product is an entry of its own", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [
        { id: "p1", externalVariantId: "red", name: "Red", tags: ["art"] },
        { id: "p1", externalVariantId: "blue", name: "Blue" },
      ])
      expect(yield* groupsOf("p1/red")).toEqual(["ada", "ben", "cy"])
      expect(yield* groupsOf("p1/blue")).toEqual(["ben", "cy"])
      yield* products.remove("shop", ["p1/red"])
      expect(yield* groupsOf("p1/red")).toEqual([])
      expect(yield* names({})).toEqual(["Blue"])
    }),
  ))

test("of two entries with the same key in one list the later one counts", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [
        { id: "p1", name: "First", tags: ["art"] },
        { id: "p1", name: "Second" },
      ])
      expect(yield* names({})).toEqual(["Second"])
      expect(yield* groupsOf("p1")).toEqual(["ben", "cy"])
    }),
  ))

test("when one product can't be used none is taken, and every problem is told with its place", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      const list: ReadonlyArray<Product.Product> = JSON.parse(
        '[{"id":"p1"},{"id":""},{"id":"p3","price":1.5,"tags":["x",7]},null]',
      )
      const error = yield* Effect.flip(products.put("shop", list))
      const problems = error instanceof InvalidProducts ? error.problems : []
      expect(problems.map(({ path }) => path)).toEqual([
        "[1].id",
        "[2].price",
        "[2].tags[1]",
        "[3]",
      ])
      expect(yield* names({})).toEqual([])
    }),
  ))

test("what is no list of products is refused", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      const error = yield* Effect.flip(products.put("shop", JSON.parse('{"id":"p1"}')))
      expect(error).toMatchObject({
        _tag: "InvalidProducts",
        problems: [{ path: "", message: "must be a list of products" }],
      })
    }),
  ))

test("what becomes of the caller's objects later does not change what is stored", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      const tags = ["art"]
      const product = { id: "p1", name: "Print", tags }
      yield* products.put("shop", [product])
      product.name = "Changed"
      tags.push("changed")
      const { entries } = yield* products.list("shop", {}, firstPage)
      expect(entries[0]?.product).toEqual({ id: "p1", name: "Print", tags: ["art"] })
    }),
  ))

test("a removed product is gone with its links; keys of no product have no effect", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [
        { id: "p1", name: "One" },
        { id: "p2", name: "Two" },
      ])
      yield* products.remove("shop", ["p1", "p1", "p9"])
      expect(yield* names({})).toEqual(["Two"])
      expect(yield* groupsOf("p1")).toEqual([])
      const groups = yield* ProductGroups
      expect((yield* groups.get("shop", "ben", "ben")).products.total).toBe(1)
    }),
  ))

test("products are listed by name, with their collaborators when they are asked for", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [
        { id: "p1", name: "Print", tags: ["art"], vendor: "North" },
        { id: "p2", name: "Mug", vendor: "South" },
      ])
      const listed = (query: ProductQuery) =>
        Effect.map(products.list("shop", query, firstPage), ({ entries, total }) => ({
          total,
          entries: entries.map(({ product, collaborators }) => [
            product.name,
            collaborators.map(({ id }) => id),
          ]),
        }))
      expect(yield* listed({ includeCollaborators: true })).toEqual({
        total: 2,
        entries: [
          ["Mug", ["ben", "cy"]],
          ["Print", ["ada", "ben"]],
        ],
      })
      expect(yield* listed({})).toEqual({
        total: 2,
        entries: [
          ["Mug", []],
          ["Print", []],
        ],
      })
    }),
  ))

test("a collaborator with several groups is told once with a product", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      const groups = yield* ProductGroups
      yield* groups.create("shop", "ben", { id: "more", link: { type: "products.all" }, amount: 1 })
      yield* products.put("shop", [{ id: "p1", vendor: "North" }])
      const query = { includeCollaborators: true }
      const { entries } = yield* products.list("shop", query, firstPage)
      expect(entries[0]?.collaborators.map(({ id }) => id)).toEqual(["ben"])
    }),
  ))

test("a list can be narrowed by a search and by a collaborator", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("shop", [
        { id: "p1", name: "Art print", tags: ["art"], vendor: "North" },
        { id: "p2", name: "Art book", vendor: "South" },
        { id: "p3", name: "Mug", tags: ["art"], vendor: "North" },
      ])
      expect(yield* names({ search: " PRINT " })).toEqual(["Art print"])
      expect(yield* names({ collaboratorId: "ada" })).toEqual(["Art print", "Mug"])
      expect(yield* names({ collaboratorId: "cy", search: "art" })).toEqual(["Art book"])
      expect(yield* names({ collaboratorId: "eve" })).toEqual([])
    }),
  ))

test("products of another account are neither listed nor linked", () =>
  inStorefront(
    Effect.gen(function* () {
      const products = yield* opened
      yield* products.put("rival", [{ id: "p1", name: "Print", tags: ["art"] }])
      expect(yield* names({})).toEqual([])
      expect(yield* groupsOf("p1")).toEqual([])
    }),
  ))

test("a product is linked by the groups as they are now, whichever process changed them", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* MemoryStorage.make
      const one = yield* startProcess(storage)
      const two = yield* startProcess(storage)
      const putPrint = Effect.flatMap(Products, (products) =>
        products.put("shop", [{ id: "p1", tags: ["art"] }]),
      )
      yield* one.run(Effect.provideService(opened, Storage, storage))
      yield* one.run(putPrint)
      yield* two.run(
        Effect.flatMap(ProductGroups, (groups) =>
          groups.update("shop", "ada", "ada", (group) =>
            Result.succeed({ ...group, link: { type: "products.tag", values: ["music"] } }),
          ),
        ),
      )
      yield* linked(storage, "shop")
      yield* one.run(putPrint)
      expect(yield* linkedKeys(storage, "shop", "ada")).toEqual([])
      yield* one.stop
      yield* two.stop
    }),
  ))

test("groups that a store gives and that are none are a failure of the store", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* MemoryStorage.make
      const broken = {
        ...storage,
        transaction: ((accountId, work, options) =>
          storage.transaction(
            accountId,
            (stores) => {
              const groups = { ...stores.groups, all: Effect.succeed(JSON.parse('[{"id":"g1"}]')) }
              return work({ ...stores, groups })
            },
            options,
          )) satisfies typeof storage.transaction,
      }
      const process = yield* startProcess(broken)
      const put = Effect.flatMap(Products, (products) => products.put("shop", [{ id: "p1" }]))
      const error = yield* Effect.flip(process.run(put))
      expect(error).toBeInstanceOf(StorageFailure)
      yield* process.stop
    }),
  ))

test("changes of the catalogue are logged with how many entries they were", () => {
  const log: Array<Logged> = []
  return inStorefront(
    Effect.gen(function* () {
      const products = yield* Products
      yield* products.put("shop", [])
      yield* products.remove("shop", [])
      yield* products.put("shop", [{ id: "p1" }, { id: "p2" }])
      yield* products.list("shop", {}, firstPage)
      yield* products.remove("shop", ["p1"])
      expect(log).toEqual([
        { level: "Info", message: "products put", about: { accountId: "shop", count: 2 } },
        { level: "Info", message: "products removed", about: { accountId: "shop", count: 1 } },
      ])
    }),
    { log },
  )
})
