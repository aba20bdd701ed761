import * as Effect from "effect/Effect"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext, inContextWith } from "./ContractContext.js"
import {
  type ContractCheck,
  expectConflict,
  expectSame,
  expectSlices,
  expectTrue,
} from "./check.js"
import { collaborator, earliest, group, largest, latest, oddIds, product } from "./samples.js"

const insertCollaborator = (context: ContractContext, ids: ReadonlyArray<string>) =>
  context.write(({ collaborators }) =>
    Effect.forEach(ids, (id) => collaborators.insert(collaborator(id))),
  )

const getCollaborator = (context: ContractContext, id: string) =>
  context.read(({ collaborators }) => collaborators.get(id))

const insertingCollaborators: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a collaborator is inserted as version 1 and read as it was",
    Effect.fnUntraced(function* (context) {
      const given = collaborator("ada", { payoutHoldingDays: 14, notes: "“Ünïcode” 🎨\n" })
      const inserted = yield* context.write((stores) => stores.collaborators.insert(given))
      yield* expectSame("what insert gives", inserted, { ...given, version: 1 })
      yield* expectSame("what get gives", yield* getCollaborator(context, "ada"), {
        ...given,
        version: 1,
      })
    }),
  ),
  inContext(
    "a collaborator that nobody inserted is not there",
    Effect.fnUntraced(function* (context) {
      yield* insertCollaborator(context, ["ada"])
      yield* expectSame(
        "an unknown collaborator",
        yield* getCollaborator(context, "Ada"),
        undefined,
      )
    }),
  ),
  inContext(
    "a second collaborator with the same id is a conflict, and the first stays",
    Effect.fnUntraced(function* (context) {
      const [first] = yield* insertCollaborator(context, ["ada"])
      const other = collaborator("ada", { currency: "EUR" })
      const again = context.write(({ collaborators }) => collaborators.insert(other))
      yield* expectConflict("inserting it again", again)
      yield* expectSame("the collaborator", yield* getCollaborator(context, "ada"), first)
    }),
  ),
  inContext(
    "collaborators keep the largest numbers, nulls and empty texts",
    Effect.fnUntraced(function* (context) {
      const given = {
        ...collaborator("ada", { payoutThreshold: largest, payoutHoldingDays: null, notes: "" }),
        createdAt: earliest,
        updatedAt: latest,
      }
      yield* context.write(({ collaborators }) => collaborators.insert(given))
      yield* expectSame("the collaborator", yield* getCollaborator(context, "ada"), {
        ...given,
        version: 1,
      })
    }),
  ),
]

const updating: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "an update replaces a collaborator as the next version",
    Effect.fnUntraced(function* (context) {
      yield* insertCollaborator(context, ["ada", "ben"])
      const given = collaborator("ada", { currency: "JPY", notes: "moved" })
      const update = (version: number) =>
        context.write(({ collaborators }) => collaborators.update({ ...given, version }))
      yield* expectSame("the first update", yield* update(1), { ...given, version: 2 })
      yield* expectSame("the second update", yield* update(2), { ...given, version: 3 })
      yield* expectSame("what get gives", yield* getCollaborator(context, "ada"), {
        ...given,
        version: 3,
      })
      const ben = { ...collaborator("ben"), version: 1 }
      yield* expectSame("the other one", yield* getCollaborator(context, "ben"), ben)
    }),
  ),
  inContext(
    "an update of a collaborator that was changed since is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insertCollaborator(context, ["ada"])
      const update = (version: number, notes: string) =>
        context.write(({ collaborators }) =>
          collaborators.update({ ...collaborator("ada", { notes }), version }),
        )
      const second = yield* update(1, "second")
      for (const version of [1, 3, 0]) {
        yield* expectConflict(`an update of version ${version}`, update(version, "late"))
      }
      yield* expectSame("the collaborator", yield* getCollaborator(context, "ada"), second)
    }),
  ),
  inContext(
    "an update of a collaborator that is not there is a conflict",
    Effect.fnUntraced(function* (context) {
      const update = context.write(({ collaborators }) =>
        collaborators.update({ ...collaborator("ada"), version: 1 }),
      )
      yield* expectConflict("the update", update)
      yield* expectSame("the collaborator", yield* getCollaborator(context, "ada"), undefined)
    }),
  ),
]

const finding: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "collaborators are found by their ids, each once, without those that are not there",
    Effect.fnUntraced(function* (context) {
      yield* insertCollaborator(context, ["ada", "ben", "cyd"])
      const find = (ids: ReadonlyArray<string>) =>
        Effect.map(
          context.read(({ collaborators }) => collaborators.find(ids)),
          (found) => found.map((one) => one.collaborator.id).sort(),
        )
      yield* expectSame("found", yield* find(["cyd", "ada", "zoe", "ada"]), ["ada", "cyd"])
      yield* expectSame("found by no ids", yield* find([]), [])
    }),
  ),
  inContext(
    "collaborators are listed by id, compared by code units, whatever part is asked for",
    Effect.fnUntraced(function* (context) {
      const rows = yield* insertCollaborator(context, oddIds.toReversed())
      const list = rows.toReversed()
      const part = (slice: Slice) => context.read((stores) => stores.collaborators.list(slice))
      yield* expectSlices("the collaborators", part, list)
    }),
  ),
  inContext(
    "collaborators whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      yield* insertCollaborator(context, oddIds)
      for (const id of oddIds) {
        const found = yield* getCollaborator(context, id)
        yield* expectSame(`the collaborator ${id}`, found?.collaborator.id, id)
      }
    }),
  ),
]

/** The contract of the store of collaborators. */
export const collaboratorChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...insertingCollaborators,
  ...updating,
  ...finding,
]

const inContextOfAda = inContextWith(["ada", "ben", "Ada"])

const insert = (context: ContractContext, ids: ReadonlyArray<string>) =>
  context.write(({ groups }) => Effect.forEach(ids, (id) => groups.insert(group(id))))

const get = (context: ContractContext, id: string) => context.read(({ groups }) => groups.get(id))

const remove = (context: ContractContext, groupId: string, version: number) =>
  context.write(({ groups }) => groups.remove({ groupId, version }))

const revision = (context: ContractContext) => context.read(({ groups }) => groups.revision)

const inserting: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextOfAda(
    "a group is inserted as version 1 and read as it was",
    Effect.fnUntraced(function* (context) {
      const given = group("g1", { shippingPercent: "0.00", minAmount: 0 })
      const inserted = yield* context.write(({ groups }) => groups.insert(given))
      yield* expectSame("what insert gives", inserted, { ...given, version: 1 })
      yield* expectSame("what get gives", yield* get(context, "g1"), { ...given, version: 1 })
      yield* expectSame("an unknown group", yield* get(context, "G1"), undefined)
    }),
  ),
  inContextOfAda(
    "groups keep the largest numbers, nulls, and the order of their values",
    Effect.fnUntraced(function* (context) {
      const link = { type: "products", values: ["b", "a", "", "b", "10", "9"] } as const
      const given = {
        group: group("g1", {
          link,
          condition: null,
          percent: null,
          amount: largest,
          maxAmount: largest,
          startsAt: -1,
          createdAt: null,
        }).group,
        updatedAt: latest,
      }
      yield* context.write(({ groups }) => groups.insert(given))
      yield* expectSame("the group", yield* get(context, "g1"), { ...given, version: 1 })
    }),
  ),
  inContextOfAda(
    "a second group with the same id is a conflict, and the first stays",
    Effect.fnUntraced(function* (context) {
      const [first] = yield* insert(context, ["g1"])
      const again = context.write(({ groups }) => groups.insert(group("g1", { percent: "1.00" })))
      yield* expectConflict("inserting it again", again)
      yield* expectSame("the group", yield* get(context, "g1"), first)
    }),
  ),
]

const changing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextOfAda(
    "an update replaces a group as the next version",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1", "g2"])
      const given = group("g1", { condition: null, percent: null, amount: 5 })
      const update = (version: number) =>
        context.write(({ groups }) => groups.update({ ...given, version }))
      yield* expectSame("the first update", yield* update(1), { ...given, version: 2 })
      yield* expectSame("the second update", yield* update(2), { ...given, version: 3 })
      yield* expectSame("what get gives", yield* get(context, "g1"), { ...given, version: 3 })
      yield* expectSame("the other", yield* get(context, "g2"), { ...group("g2"), version: 1 })
    }),
  ),
  inContextOfAda(
    "an update of a group that was changed since, or is not there, is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1"])
      const update = (id: string, version: number) =>
        context.write(({ groups }) => groups.update({ ...group(id, { amount: version }), version }))
      const second = yield* update("g1", 1)
      for (const version of [1, 3, 0]) {
        yield* expectConflict(`an update of version ${version}`, update("g1", version))
      }
      yield* expectConflict("an update of an unknown group", update("g2", 1))
      yield* expectSame("the group", yield* get(context, "g1"), second)
    }),
  ),
  inContextOfAda(
    "a group is removed, and another one can have its id",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1", "g2"])
      yield* remove(context, "g1", 1)
      yield* expectSame("the removed group", yield* get(context, "g1"), undefined)
      const left = yield* context.read(({ groups }) => groups.list("ada", { offset: 0, limit: 10 }))
      yield* expectSame("the list", left, { entries: [{ ...group("g2"), version: 1 }], total: 1 })
      const [again] = yield* insert(context, ["g1"])
      yield* expectSame("its version", again?.version, 1)
    }),
  ),
  inContextOfAda(
    "removing a group that was changed since, or is not there, is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1"])
      const update = context.write(({ groups }) => groups.update({ ...group("g1"), version: 1 }))
      const second = yield* update
      for (const version of [1, 3]) {
        yield* expectConflict(`removing version ${version}`, remove(context, "g1", version))
      }
      yield* expectConflict("removing an unknown group", remove(context, "g2", 1))
      yield* expectSame("the group", yield* get(context, "g1"), second)
    }),
  ),
]

const listing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextOfAda(
    "groups are found by their ids, each once, without those that are not there",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1", "g2", "g3"])
      const find = (ids: ReadonlyArray<string>) =>
        Effect.map(
          context.read(({ groups }) => groups.find(ids)),
          (found) => found.map((one) => one.group.id).sort(),
        )
      yield* expectSame("found", yield* find(["g3", "g1", "g9", "g3"]), ["g1", "g3"])
      yield* expectSame("found by no ids", yield* find([]), [])
    }),
  ),
  inContextOfAda(
    "a collaborator's groups are listed newest first, then by id, those without a time last",
    Effect.fnUntraced(function* (context) {
      const made = (id: string, createdAt: number | null) => group(id, { createdAt })
      const list = [
        made("z", latest),
        ...[made("10", 5), made("9", 5), made("B", 5), made("a", 5), made("é", 5)],
        ...[made("ｚ", 0), made("y", earliest), made("A", null), made("b", null)],
      ]
      const others = [
        group("o1", { collaboratorId: "ben" }),
        group("o2", { collaboratorId: "Ada" }),
      ]
      const mixed = [...others, ...list.toReversed()]
      yield* context.write(({ groups }) => Effect.forEach(mixed, (one) => groups.insert(one)))
      const part = (slice: Slice) => context.read(({ groups }) => groups.list("ada", slice))
      const expected = list.map((one) => ({ ...one, version: 1 }))
      yield* expectSlices("the groups", part, expected)
      const none = context.read(({ groups }) => groups.list("nobody", { offset: 0, limit: 5 }))
      yield* expectSame("the groups of nobody", yield* none, { entries: [], total: 0 })
    }),
  ),
  inContextOfAda(
    "all groups are those of every collaborator, as they are now",
    Effect.fnUntraced(function* (context) {
      const all = Effect.map(
        context.read(({ groups }) => groups.all),
        (found) => found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      )
      yield* expectSame("all groups at first", yield* all, [])
      yield* insert(context, ["g1", "g2"])
      const other = group("g3", { collaboratorId: "ben" })
      const changed = group("g1", { percent: "99.99" })
      yield* context.write(({ groups }) => groups.insert(other))
      yield* context.write(({ groups }) => groups.update({ ...changed, version: 1 }))
      yield* remove(context, "g2", 1)
      yield* expectSame("all groups", yield* all, [changed.group, other.group])
    }),
  ),
]

const revising: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextOfAda(
    "the revision is 0 at first, and larger after each insert, update and removal of a group",
    Effect.fnUntraced(function* (context) {
      const seen = [yield* revision(context)]
      yield* expectSame("the revision at first", seen, [0])
      yield* insert(context, ["g1", "g2"])
      seen.push(yield* revision(context))
      yield* context.write(({ groups }) => groups.update({ ...group("g1"), version: 1 }))
      seen.push(yield* revision(context))
      yield* remove(context, "g1", 2)
      seen.push(yield* revision(context))
      yield* remove(context, "g2", 1)
      seen.push(yield* revision(context))
      yield* insert(context, ["g1"])
      seen.push(yield* revision(context))
      const grows = seen.every((one, index) => index === 0 || one > (seen[index - 1] ?? one))
      yield* expectTrue("the revision grows", grows, seen)
    }),
  ),
  inContextOfAda(
    "the revision stays as long as no group changes, whatever else is written or fails",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1"])
      const before = yield* revision(context)
      yield* context.write(({ products }) => products.put([product("p1")]))
      yield* context.write(({ links }) => links.add("g1", ["p1"]))
      yield* expectConflict("a second insert", insert(context, ["g2", "g1"]))
      yield* expectConflict("a late update", remove(context, "g1", 7))
      yield* expectSame("the revision", yield* revision(context), before)
    }),
  ),
  inContextOfAda(
    "a transaction that fails leaves the revision and the groups as they were",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["g1"])
      const before = yield* revision(context)
      const failing = context.write(({ groups }) =>
        Effect.andThen(groups.insert(group("g2")), Effect.fail("on purpose")),
      )
      yield* Effect.flip(failing)
      yield* expectSame("the revision", yield* revision(context), before)
      const all = yield* context.read(({ groups }) => groups.all)
      yield* expectSame("all groups", all, [group("g1").group])
    }),
  ),
]

/** The contract of the store of product groups. */
export const groupChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...inserting,
  ...changing,
  ...listing,
  ...revising,
]
