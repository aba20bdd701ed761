import { Collaborator } from "apportion"
import { Collaborators, UnitOfWork } from "apportion/service"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { inStorefront, type Logged } from "./Storefront.js"

const ada: Collaborator.CollaboratorInput = {
  id: "ada",
  currency: "EUR",
  notes: "paints",
  permissions: { seeProductPrice: true },
  account: { name: "Ada", paypalEmail: "ada@example.com" },
}

test("a new collaborator is stored complete, with the time at which it was made", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const made = yield* collaborators.create("shop", ada)
      expect(made).toEqual({
        collaborator: Collaborator.make(ada),
        createdAt: 1_700_000_000,
        updatedAt: 1_700_000_000,
        version: 1,
      })
      expect(yield* collaborators.get("shop", "ada")).toEqual(made)
    }),
  ))

test("an id that no storage has room for is refused by name, wherever the collaborator would be stored", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const hire = (id: string) => collaborators.create("shop", { ...ada, id })
      const refused = yield* Effect.flip(hire("ä".repeat(251)))
      expect(refused).toBeInstanceOf(Collaborator.InvalidCollaborator)
      expect(refused.message).toMatch(/^id: must be at most 500 bytes long in UTF-8/)
      yield* hire("ä".repeat(250))
    }),
  ))

test("names tell people apart: those of two have their ids, and who has none is left out", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const hire = (id: string, name: string) =>
        collaborators.create("shop", { id, currency: "EUR", account: { name } })
      yield* hire("ada", " Ada ")
      yield* hire("kim", "Kim")
      yield* hire("other kim", "Kim")
      yield* hire("nameless", " ")
      const ids = ["ada", "ada", "kim", "other kim", "nameless", "nobody"]
      expect([...(yield* collaborators.names("shop", ids))].toSorted()).toEqual([
        ["ada", "Ada"],
        ["kim", "Kim (kim)"],
        ["other kim", "Kim (other kim)"],
      ])
      expect((yield* collaborators.names("another", ids)).size).toBe(0)
      expect((yield* collaborators.names("shop", [])).size).toBe(0)
    }),
  ))

test("a collaborator whose id is taken is refused, and the first one stays", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create("shop", ada)
      const error = yield* Effect.flip(collaborators.create("shop", { id: "ada", currency: "USD" }))
      expect(error).toMatchObject({ _tag: "AlreadyExists", what: "collaborator", id: "ada" })
      expect((yield* collaborators.get("shop", "ada")).collaborator.currency).toBe("EUR")
    }),
  ))

test("of two who make the same collaborator at the same time, one is told that it exists", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const make = Effect.result(collaborators.create("shop", ada))
      const results = yield* Effect.all([make, make], { concurrency: "unbounded" })
      expect(results.map(({ _tag }) => _tag).sort()).toEqual(["Failure", "Success"])
    }),
  ))

test("a collaborator that can't be used is refused with every problem", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const wrong = { id: "", currency: "euro", payoutThreshold: -1 }
      const error = yield* Effect.flip(collaborators.create("shop", wrong))
      expect(error._tag).toBe("InvalidCollaborator")
      const paths = "problems" in error ? error.problems.map(({ path }) => path) : []
      expect(paths).toEqual(["id", "currency", "payoutThreshold"])
      expect((yield* collaborators.list("shop", { page: 1, perPage: 15 })).total).toBe(0)
    }),
  ))

test("a change keeps what it does not name, field by field within permissions and account", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create("shop", ada)
      yield* TestClock.adjust("1 minute")
      const changed = yield* collaborators.update("shop", "ada", {
        currency: "USD",
        notes: null,
        payoutThreshold: undefined,
        permissions: { seeProductCost: true },
        account: { name: "Ada L." },
      })
      expect(changed).toEqual({
        collaborator: Collaborator.make({
          ...ada,
          currency: "USD",
          notes: null,
          permissions: { seeProductPrice: true, seeProductCost: true },
          account: { name: "Ada L.", paypalEmail: "ada@example.com" },
        }),
        createdAt: 1_700_000_000,
        updatedAt: 1_700_000_060,
        version: 2,
      })
    }),
  ))

test("a change can't give a collaborator another id", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create("shop", ada)
      const sneaky = { id: "eve", notes: "x" }
      const changed = yield* collaborators.update("shop", "ada", sneaky)
      expect(changed.collaborator.id).toBe("ada")
      expect((yield* Effect.flip(collaborators.get("shop", "eve")))._tag).toBe("NotFound")
    }),
  ))

test("the whole collaborator is checked as a change leaves it", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create("shop", { ...ada, payoutFrequency: 30 })
      const error = yield* Effect.flip(
        collaborators.update("shop", "ada", { payoutMeasurement: "monthly_date" }),
      )
      expect(error).toMatchObject({
        _tag: "InvalidCollaborator",
        problems: [{ path: "payoutFrequency", value: 30 }],
      })
      expect((yield* collaborators.get("shop", "ada")).version).toBe(1)
    }),
  ))

test("permissions that are no permissions are refused, not passed over", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create("shop", ada)
      const changes = JSON.parse('{"permissions": "all", "account": ["x"]}')
      const error = yield* Effect.flip(collaborators.update("shop", "ada", changes))
      const paths = "problems" in error ? error.problems.map(({ path }) => path) : []
      expect(paths).toEqual(["permissions", "account"])
    }),
  ))

test("a collaborator of another account is not found", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create("shop", ada)
      const error = yield* Effect.flip(collaborators.get("rival", "ada"))
      expect(error).toMatchObject({ _tag: "NotFound", what: "collaborator", id: "ada" })
      const change = yield* Effect.flip(collaborators.update("rival", "ada", { notes: "x" }))
      expect(change._tag).toBe("NotFound")
      expect((yield* collaborators.list("rival", { page: 1, perPage: 15 })).entries).toEqual([])
    }),
  ))

test("collaborators are listed by id, a page at a time", () =>
  inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      for (const id of ["cy", "ada", "ben"]) {
        yield* collaborators.create("shop", { id, currency: "USD" })
      }
      const ids = (page: number) =>
        Effect.map(collaborators.list("shop", { page, perPage: 2 }), ({ entries, total }) => ({
          ids: entries.map(({ collaborator }) => collaborator.id),
          total,
        }))
      expect(yield* ids(1)).toEqual({ ids: ["ada", "ben"], total: 3 })
      expect(yield* ids(2)).toEqual({ ids: ["cy"], total: 3 })
      expect(yield* ids(3)).toEqual({ ids: [], total: 3 })
      expect(yield* ids(Number.MAX_SAFE_INTEGER)).toEqual({ ids: [], total: 3 })
    }),
  ))

test("each change is logged once, when it is kept, with ids and nothing personal", () => {
  const log: Array<Logged> = []
  return inStorefront(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      const unit = yield* UnitOfWork
      yield* collaborators.create("shop", ada)
      yield* Effect.exit(collaborators.create("shop", ada))
      const broken = Effect.andThen(
        collaborators.update("shop", "ada", { notes: "never kept" }),
        Effect.fail("stop"),
      )
      yield* Effect.exit(unit.run("shop", broken))
      yield* collaborators.update("shop", "ada", { notes: "kept" })
      yield* collaborators.get("shop", "ada")
      const about = { accountId: "shop", collaboratorId: "ada" }
      expect(log).toEqual([
        { level: "Info", message: "collaborator created", about },
        { level: "Info", message: "collaborator updated", about },
      ])
    }),
    { log },
  )
})
