import * as Effect from "effect/Effect"
import type { LinkJob } from "../../ports/LinkStore.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext, introduce } from "./ContractContext.js"
import { type ContractCheck, expectSame, expectSlices } from "./check.js"
import { group, job, largest, latest, product } from "./samples.js"

const ids = ["a", "b", "c", "d"]

/** Four products and three groups, the third of another collaborator. */
const prepare = (context: ContractContext) =>
  context.write((stores) =>
    Effect.gen(function* () {
      const { products, groups } = stores
      yield* introduce(stores, ["ada", "ben"])
      yield* products.put(ids.map((id) => product(id)))
      yield* groups.insert(group("g1"))
      yield* groups.insert(group("g2"))
      yield* groups.insert(group("g3", { collaboratorId: "ben" }))
    }),
  )

const add = (context: ContractContext, groupId: string, keys: ReadonlyArray<string>) =>
  context.write(({ links }) => links.add(groupId, keys))

const linked = (context: ContractContext, groupId: string) =>
  Effect.map(
    context.read(({ links }) => links.products(groupId, { offset: 0, limit: 100 })),
    ({ entries, total }) => ({ keys: entries.map(productKeyOf), total }),
  )

const expectLinked = (context: ContractContext, groupId: string, keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const expected = { keys, total: keys.length }
    yield* expectSame(`the products of ${groupId}`, yield* linked(context, groupId), expected)
    const [count] = yield* context.read(({ links }) => links.counts([groupId]))
    yield* expectSame(`the count of ${groupId}`, count, keys.length)
  })

const groupsOf = (context: ContractContext, keys: ReadonlyArray<string>) =>
  Effect.map(
    context.read(({ links }) => links.groupsOf(keys)),
    (found) => found.map((groupIds) => groupIds.toSorted()),
  )

const linking: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "products are linked to a group, and linking them again has no effect",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["c", "a"])
      yield* add(context, "g1", ["b", "a", "b"])
      yield* add(context, "g1", [])
      yield* expectLinked(context, "g1", ["a", "b", "c"])
      yield* expectLinked(context, "g2", [])
    }),
  ),
  inContext(
    "the products of a group come in the catalogue's order, whatever part is asked for",
    Effect.fnUntraced(function* (context) {
      const named = ["Zebra", "Cap", "Mug", "cap", "Mug", "ÄÖ", "mug"]
      const given = named.map((name, index) => product(`p${index}`, { name }))
      yield* context.write(({ products }) => products.put(given))
      yield* add(context, "g1", ["p6", "p1", "p4", "p2", "p5", "p0"])
      const order = [1, 2, 4, 0, 6, 5]
      const part = (slice: Slice) => context.read(({ links }) => links.products("g1", slice))
      yield* expectSlices(
        "the products",
        part,
        order.flatMap((index) => given[index] ?? []),
      )
    }),
  ),
  inContext(
    "clearing a group takes its links away, and no others",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "b"])
      yield* add(context, "g2", ["b", "c"])
      yield* context.write(({ links }) => links.clear("g1"))
      yield* context.write(({ links }) => links.clear("unknown"))
      yield* expectLinked(context, "g1", [])
      yield* expectLinked(context, "g2", ["b", "c"])
      yield* expectSame("the groups", yield* groupsOf(context, ["a", "b"]), [[], ["g2"]])
    }),
  ),
  inContext(
    "a product is linked to exactly the groups that are given",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "b"])
      const set = (groupIds: ReadonlyArray<string>) =>
        context.write(({ links }) => links.setOfProduct("a", groupIds))
      yield* set(["g2", "g3"])
      yield* expectSame("the groups", yield* groupsOf(context, ["a"]), [["g2", "g3"]])
      yield* expectLinked(context, "g1", ["b"])
      yield* set(["g3", "g1", "g1"])
      yield* expectSame("the groups", yield* groupsOf(context, ["a"]), [["g1", "g3"]])
      yield* set([])
      yield* expectSame("the groups", yield* groupsOf(context, ["a", "b"]), [[], ["g1"]])
    }),
  ),
  inContext(
    "counts and groups come in the order in which they were asked for",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "b", "c"])
      yield* add(context, "g2", ["b"])
      const counts = (groupIds: ReadonlyArray<string>) =>
        context.read(({ links }) => links.counts(groupIds))
      yield* expectSame("the counts", yield* counts(["g2", "g9", "g1", "g2"]), [1, 0, 3, 1])
      yield* expectSame("no counts", yield* counts([]), [])
      const groups = yield* groupsOf(context, ["b", "z", "d", "a", "b"])
      yield* expectSame("the groups", groups, [["g1", "g2"], [], [], ["g1"], ["g1", "g2"]])
      yield* expectSame("no groups", yield* groupsOf(context, []), [])
    }),
  ),
]

const following: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a product that changes stays linked, and is seen as it is now",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "b", "c"])
      const changed = product("a", { name: "Zebra", price: 1 })
      yield* context.write(({ products }) => products.put([changed]))
      yield* expectLinked(context, "g1", ["b", "c", "a"])
      const last = yield* context.read(({ links }) => links.products("g1", { offset: 2, limit: 1 }))
      yield* expectSame("the changed product", last.entries, [changed])
    }),
  ),
  inContext(
    "a product that is removed loses its links, also when it comes again",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "b"])
      yield* add(context, "g2", ["a"])
      yield* context.write(({ products }) => products.remove(["a"]))
      yield* expectLinked(context, "g1", ["b"])
      yield* expectLinked(context, "g2", [])
      yield* expectSame("the groups", yield* groupsOf(context, ["a"]), [[]])
      yield* context.write(({ products }) => products.put([product("a")]))
      yield* expectLinked(context, "g1", ["b"])
    }),
  ),
  inContext(
    "the catalogue can be narrowed to the products of a collaborator's groups",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "d"])
      yield* add(context, "g2", ["d", "b"])
      yield* add(context, "g3", ["c"])
      const of = (collaboratorId: string) => (slice: Slice) =>
        context.read(({ products }) => products.list({ collaboratorId }, slice))
      const all = ids.map((id) => product(id))
      yield* expectSlices(
        "ada's products",
        of("ada"),
        all.filter(({ id }) => id !== "c"),
      )
      yield* expectSlices(
        "ben's products",
        of("ben"),
        all.filter(({ id }) => id === "c"),
      )
      yield* expectSlices("nobody's products", of("Ada"), [])
      yield* context.write(({ links }) => links.clear("g2"))
      yield* expectSlices(
        "ada's, later",
        of("ada"),
        all.filter(({ id }) => "ad".includes(id)),
      )
    }),
  ),
  inContext(
    "a search and a collaborator narrow the catalogue together",
    Effect.fnUntraced(function* (context) {
      yield* prepare(context)
      yield* add(context, "g1", ["a", "b"])
      const filter = { collaboratorId: "ada", search: "PRODUCT B" }
      const found = yield* context.read(({ products }) =>
        products.list(filter, { offset: 0, limit: 9 }),
      )
      yield* expectSame("what is found", found, { entries: [product("b")], total: 1 })
      const other = yield* context.read(({ products }) =>
        products.list({ ...filter, search: "product c" }, { offset: 0, limit: 9 }),
      )
      yield* expectSame("another's product", other, { entries: [], total: 0 })
    }),
  ),
]

const save = (context: ContractContext, jobs: ReadonlyArray<LinkJob>) =>
  context.write(({ links }) => Effect.forEach(jobs, (one) => links.saveJob(one), { discard: true }))

const running = (context: ContractContext, limit: number) =>
  context.read(({ links }) => links.runningJobs(limit))

const working: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a link job is saved and read, and saved again in the place of the earlier one",
    Effect.fnUntraced(function* (context) {
      const get = (groupId: string) => context.read(({ links }) => links.job(groupId))
      yield* expectSame("an unknown job", yield* get("g1"), undefined)
      yield* save(context, [job("g1"), job("g2")])
      yield* expectSame("the job", yield* get("g1"), job("g1"))
      const later = job("g1", {
        after: "p/1 🎨",
        scanned: largest,
        groupVersion: 7,
        updatedAt: latest,
      })
      yield* save(context, [later])
      yield* expectSame("the job", yield* get("g1"), later)
      yield* expectSame("the other job", yield* get("g2"), job("g2"))
    }),
  ),
  inContext(
    "a link job is removed, and removing one that is not there has no effect",
    Effect.fnUntraced(function* (context) {
      yield* save(context, [job("g1"), job("g2")])
      yield* context.write(({ links }) => links.removeJob("g1"))
      yield* context.write(({ links }) => links.removeJob("g1"))
      const left = yield* context.read(({ links }) => links.job("g1"))
      yield* expectSame("the removed job", left, undefined)
      yield* expectSame("the jobs that run", yield* running(context, 9), [job("g2")])
    }),
  ),
  inContext(
    "the jobs that run come by their start, then by group, at most as many as asked for",
    Effect.fnUntraced(function* (context) {
      const at = (groupId: string, startedAt: number) => job(groupId, { startedAt })
      const jobs = [at("z", -5), at("10", 5), at("9", 5), at("a", 5), at("b", 10)]
      const done = job("g1", { startedAt: 0, status: "done" })
      yield* save(context, [done, ...jobs.toReversed()])
      yield* expectSame("all that run", yield* running(context, 100), jobs)
      yield* expectSame("the first two", yield* running(context, 2), jobs.slice(0, 2))
      yield* save(context, [
        { ...at("z", -5), status: "done" },
        { ...done, status: "running" },
      ])
      const ran = (yield* running(context, 2)).map(({ groupId }) => groupId)
      yield* expectSame("the first two later", ran, ["g1", "10"])
    }),
  ),
]

/** The contract of the store of links. */
export const linkChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...linking,
  ...following,
  ...working,
]
