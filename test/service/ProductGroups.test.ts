import { type Product, ProductGroup } from "apportion"
import { Storage } from "apportion/ports"
import {
  Collaborators,
  type NewGroup,
  ProductGroups,
  Products,
  UnitOfWork,
} from "apportion/service"
import { Effect, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { inStorefront, type Logged, linked } from "./Storefront.js"

const art: NewGroup = { link: { type: "products.tag", values: ["art"] }, percent: "12.50" }

const catalogue: ReadonlyArray<Product.Product> = [
  { id: "p1", name: "Print", tags: ["Art"] },
  { id: "p2", name: "Mug", vendor: "North" },
  { id: "p3", name: "Canvas", tags: ["art", "wall"] },
]

/** Ada and Ben, and three products. */
const opened = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const products = yield* Products
  yield* collaborators.create("shop", { id: "ada", currency: "EUR" })
  yield* collaborators.create("shop", { id: "ben", currency: "USD" })
  yield* products.put("shop", catalogue)
  return yield* ProductGroups
})

const allLinked = Effect.flatMap(Storage, (storage) => linked(storage, "shop"))

const asIs = (group: ProductGroup.ProductGroup): Result.Result<ProductGroup.GroupInput, never> =>
  Result.succeed(group)

const problemsOf = (error: unknown): ReadonlyArray<{ readonly path: string }> =>
  error instanceof ProductGroup.InvalidProductGroup ? error.problems : []

test("a new group gets an id, the time, and no products yet", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const made = yield* groups.create("shop", "ada", art)
      expect(made.group.id).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(made).toMatchObject({
        group: { collaboratorId: "ada", percent: "12.50", createdAt: 1_700_000_000 },
        updatedAt: 1_700_000_000,
        version: 1,
        collaborator: { id: "ada", currency: "EUR" },
        products: { entries: [], total: 0 },
      })
    }),
  ))

test("an id that no storage has room for is refused by name", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const refused = yield* Effect.flip(
        groups.create("shop", "ada", { ...art, id: "g".repeat(501) }),
      )
      expect(problemsOf(refused)).toMatchObject([{ path: "id" }])
      yield* groups.create("shop", "ada", { ...art, id: "g".repeat(500) })
    }),
  ))

test("a group may come with an id of its own, but not with one that is taken", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      expect((yield* groups.create("shop", "ada", { ...art, id: "g1" })).group.id).toBe("g1")
      const error = yield* Effect.flip(groups.create("shop", "ben", { ...art, id: "g1" }))
      expect(error).toMatchObject({ _tag: "AlreadyExists", what: "product group", id: "g1" })
      expect((yield* groups.get("shop", "ada", "g1")).group.collaboratorId).toBe("ada")
    }),
  ))

test("collaborator and time of creation are for the service to say", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const sneaky = { ...art, collaboratorId: "ben", createdAt: 5 }
      const { group } = yield* groups.create("shop", "ada", sneaky)
      expect(group).toMatchObject({ collaboratorId: "ada", createdAt: 1_700_000_000 })
    }),
  ))

test("a group for a collaborator that does not exist is refused", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const error = yield* Effect.flip(groups.create("shop", "eve", art))
      expect(error).toMatchObject({ _tag: "NotFound", what: "collaborator", id: "eve" })
    }),
  ))

test("a group has no more values than are set, and one that has them already can be changed", () => {
  const tags = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`)
  const ofTags = (count: number): NewGroup => ({
    ...{ id: "g1", link: { type: "products.tag", values: tags(count) }, percent: 5 },
    condition: { type: "referer", values: tags(count) },
  })
  return inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const error = yield* Effect.flip(groups.create("shop", "ada", ofTags(10_001)))
      expect(problemsOf(error)).toMatchObject([
        { path: "link.values", value: 10_001 },
        { path: "condition.values", message: "must be a list of at most 10000 values, got 10001" },
      ])
      const before = yield* groups.create("shop", "ada", ofTags(10_000))
      const storage = yield* Storage
      yield* storage.transaction("shop", ({ groups: stored }) =>
        Effect.gen(function* () {
          const known = yield* stored.get("g1")
          const link = { ...before.group.link, values: tags(10_005) }
          if (known) yield* stored.update({ ...known, group: { ...known.group, link } })
        }),
      )
      const after = yield* groups.update("shop", "ada", "g1", (group) =>
        Result.succeed({ ...group, percent: 6 }),
      )
      expect(after.group.link.values).toHaveLength(10_005)
      const more = groups.update("shop", "ada", "g1", (group) =>
        Result.succeed({ ...group, link: { ...group.link, values: tags(10_006) } }),
      )
      expect(problemsOf(yield* Effect.flip(more))).toMatchObject([{ path: "link.values" }])
    }),
  )
})

describe("a group is refused when", () => {
  const link = { type: "products.all" } as const
  const refused: ReadonlyArray<readonly [string, NewGroup, ReadonlyArray<string>]> = [
    ["its tags are missing", { link: { type: "products.tag" }, percent: 5 }, ["link.values"]],
    [
      "its list of vendors is empty",
      { link: { type: "products.vendor", values: [] }, percent: 5 },
      ["link.values"],
    ],
    [
      "some of its product ids are blank",
      { link: { type: "products", values: ["", "p1", " \t"] }, percent: 5 },
      ["link.values[0]", "link.values[2]"],
    ],
    [
      "it links to what has none of no tags",
      { link: { type: "products.tag", modifier: "NOT", values: [] }, percent: 5 },
      ["link.values"],
    ],
    [
      "it links to what has not a blank vendor",
      { link: { type: "products.vendor", modifier: "NOT", values: ["\u00a0"] }, percent: 5 },
      ["link.values[0]"],
    ],
    [
      "its condition has no values",
      { link, percent: 5, condition: { type: "order.tag", values: [] } },
      ["condition.values"],
    ],
    [
      "its negated condition has no values",
      { link, percent: 5, condition: { type: "referer", modifier: "NOT", values: [] } },
      ["condition.values"],
    ],
    [
      "values of its condition are blank",
      { link, percent: 5, condition: { type: "discount.code", values: ["TEN", " "] } },
      ["condition.values[1]"],
    ],
    [
      "a country is not a code of two letters",
      {
        link,
        percent: 5,
        condition: { type: "country.code", values: ["DE", "Germany", "", "D1"] },
      },
      ["condition.values[1]", "condition.values[2]", "condition.values[3]"],
    ],
    [
      "several things are wrong, which are told all at once",
      {
        link: { type: "products.tag", values: [" "] },
        percent: 101,
        condition: { type: "order.tag", values: [""] },
      },
      ["percent", "link.values[0]", "condition.values[0]"],
    ],
    [
      "values are no texts",
      JSON.parse('{"link":{"type":"products.tag","values":[7, ""]},"percent":5}'),
      ["link.values[0]", "link.values[1]"],
    ],
    ["it is nothing at all", JSON.parse("{}"), ["link", "percent"]],
    [
      "its condition says nothing of values",
      JSON.parse('{"link":{"type":"products.all"},"percent":5,"condition":{"type":"order.tag"}}'),
      ["condition.values"],
    ],
  ]

  test.each(refused)("%s", (_, group, paths) =>
    inStorefront(
      Effect.gen(function* () {
        const groups = yield* opened
        const creating = yield* Effect.flip(groups.create("shop", "ada", group))
        expect(problemsOf(creating).map(({ path }) => path)).toEqual(paths)
        yield* groups.create("shop", "ada", { ...art, id: "g1" })
        const becomes: ProductGroup.GroupInput = { ...group, id: "g1", collaboratorId: "ada" }
        const updating = yield* Effect.flip(
          groups.update("shop", "ada", "g1", () => Result.succeed(becomes)),
        )
        expect(problemsOf(updating).map(({ path }) => path)).toEqual(paths)
        expect((yield* groups.get("shop", "ada", "g1")).version).toBe(1)
      }),
    ),
  )
})

test("a link to all products ignores its values, blank ones too", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const link = { type: "products.all", values: ["", "x"] } as const
      const { group } = yield* groups.create("shop", "ada", { link, percent: 5 })
      expect(group.link).toEqual({ type: "products.all", modifier: "WITH", values: [] })
    }),
  ))

test("country codes are taken in any case", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const condition = { type: "country.code", values: ["de", " US "] } as const
      const { group } = yield* groups.create("shop", "ada", { ...art, condition })
      expect(group.condition?.values).toEqual(["de", " US "])
    }),
  ))

test("an update keeps id, collaborator and time of creation, whatever it says of them", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      yield* TestClock.adjust("1 minute")
      const changed = yield* groups.update("shop", "ada", "g1", (group) =>
        Result.succeed({ ...group, id: "g2", collaboratorId: "ben", createdAt: 1, percent: 20 }),
      )
      expect(changed).toMatchObject({
        group: { id: "g1", collaboratorId: "ada", createdAt: 1_700_000_000, percent: "20.00" },
        updatedAt: 1_700_000_060,
        version: 2,
        collaborator: { id: "ada" },
      })
    }),
  ))

test("an update that fails by itself changes nothing", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      const change = () => Result.fail("unreadable")
      expect(yield* Effect.flip(groups.update("shop", "ada", "g1", change))).toBe("unreadable")
      expect((yield* groups.get("shop", "ada", "g1")).version).toBe(1)
    }),
  ))

test("a group is found under its own collaborator and its own account only", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      const collaborators = yield* Collaborators
      yield* collaborators.create("rival", { id: "ada", currency: "EUR" })
      const places = [
        ["shop", "ben", "g1"],
        ["shop", "ada", "g2"],
        ["rival", "ada", "g1"],
      ] as const
      for (const [accountId, collaboratorId, groupId] of places) {
        const place = [accountId, collaboratorId, groupId] as const
        const notFound = { _tag: "NotFound", what: "product group", id: groupId }
        expect(yield* Effect.flip(groups.get(...place))).toMatchObject(notFound)
        expect(yield* Effect.flip(groups.update(...place, asIs))).toMatchObject(notFound)
        expect(yield* Effect.flip(groups.remove(...place))).toMatchObject(notFound)
      }
      expect((yield* groups.get("shop", "ada", "g1")).version).toBe(1)
    }),
  ))

test("groups of a collaborator that does not exist are not found", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const notFound = { _tag: "NotFound", what: "collaborator", id: "eve" }
      const page = { page: 1, perPage: 15 }
      expect(yield* Effect.flip(groups.list("shop", "eve", page))).toMatchObject(notFound)
      expect(yield* Effect.flip(groups.get("shop", "eve", "g1"))).toMatchObject(notFound)
    }),
  ))

test("a collaborator's groups are listed newest first, with how many products they have", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "old" })
      yield* TestClock.adjust("1 minute")
      yield* groups.create("shop", "ada", { id: "new", link: { type: "products.all" }, amount: 5 })
      yield* groups.create("shop", "ben", { ...art, id: "other" })
      yield* allLinked
      const listed = yield* groups.list("shop", "ada", { page: 1, perPage: 15 })
      expect(listed.collaborator.id).toBe("ada")
      expect(listed.total).toBe(2)
      expect(listed.entries.map(({ group, productsCount }) => [group.id, productsCount])).toEqual([
        ["new", 3],
        ["old", 2],
      ])
      const second = yield* groups.list("shop", "ada", { page: 2, perPage: 1 })
      expect(second.entries.map(({ group }) => group.id)).toEqual(["old"])
      expect(second.total).toBe(2)
    }),
  ))

test("a group shows a page of its products, by name", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      yield* allLinked
      const whole = yield* groups.get("shop", "ada", "g1")
      expect(whole.products.entries.map(({ name }) => name)).toEqual(["Canvas", "Print"])
      const second = yield* groups.get("shop", "ada", "g1", { page: 2, perPage: 1 })
      expect(second.products).toMatchObject({ entries: [{ name: "Print" }], total: 2 })
    }),
  ))

test("an update that leaves the link alone keeps the linked products in view", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      yield* allLinked
      const changed = yield* groups.update("shop", "ada", "g1", (group) =>
        Result.succeed({ ...group, percent: 1 }),
      )
      expect(changed.products.total).toBe(2)
    }),
  ))

test("an update of the link begins without products", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      yield* allLinked
      const changed = yield* groups.update("shop", "ada", "g1", (group) =>
        Result.succeed({ ...group, link: { type: "products.vendor", values: ["north"] } }),
      )
      expect(changed.products).toEqual({ entries: [], total: 0 })
      yield* allLinked
      const later = yield* groups.get("shop", "ada", "g1")
      expect(later.products.entries.map(({ id }) => id)).toEqual(["p2"])
    }),
  ))

test("a removed group is gone with its links", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      yield* allLinked
      yield* groups.remove("shop", "ada", "g1")
      expect((yield* Effect.flip(groups.get("shop", "ada", "g1")))._tag).toBe("NotFound")
      expect((yield* Effect.flip(groups.remove("shop", "ada", "g1")))._tag).toBe("NotFound")
      const storage = yield* Storage
      const left = yield* storage.transaction("shop", ({ links }) =>
        Effect.all([links.groupsOf(["p1", "p2", "p3"]), links.job("g1")]),
      )
      expect(left).toEqual([[[], [], []], undefined])
    }),
  ))

test("each change is logged once with its ids, and so is the end of the linking", () => {
  const log: Array<Logged> = []
  return inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      log.length = 0
      yield* groups.create("shop", "ada", { ...art, id: "g1" })
      yield* allLinked
      yield* groups.update("shop", "ada", "g1", asIs)
      yield* groups.get("shop", "ada", "g1")
      yield* groups.remove("shop", "ada", "g1")
      const about = { accountId: "shop", collaboratorId: "ada", groupId: "g1" }
      const linking = { accountId: "shop", groupId: "g1", scanned: 3 }
      expect(log).toEqual([
        { level: "Info", message: "product group created", about },
        { level: "Info", message: "product group linked", about: linking },
        { level: "Info", message: "product group updated", about },
        { level: "Info", message: "product group removed", about },
      ])
    }),
    { log },
  )
})

test("several groups made in one unit of work are all made, or none", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const unit = yield* UnitOfWork
      const both = (second: string) =>
        Effect.andThen(
          groups.create("shop", "ada", { ...art, id: "g1" }),
          groups.create("shop", second, { ...art, id: "g2" }),
        )
      yield* Effect.exit(unit.run("shop", both("eve")))
      expect((yield* groups.list("shop", "ada", { page: 1, perPage: 15 })).total).toBe(0)
      yield* unit.run("shop", both("ben"))
      yield* allLinked
      expect((yield* groups.get("shop", "ada", "g1")).products.total).toBe(2)
      expect((yield* groups.get("shop", "ben", "g2")).products.total).toBe(2)
    }),
  ))

test("watching a group that does not exist tells so", () =>
  inStorefront(
    Effect.gen(function* () {
      const groups = yield* opened
      const error = yield* Effect.flip(Stream.runDrain(groups.watch("shop", "g1")))
      expect(error).toMatchObject({ _tag: "NotFound", what: "product group", id: "g1" })
    }),
  ))
