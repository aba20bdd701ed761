import * as Effect from "effect/Effect"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectSlices } from "./check.js"
import { collaborator, earliest, largest, latest, oddIds } from "./samples.js"

const insert = (context: ContractContext, ids: ReadonlyArray<string>) =>
  context.write(({ collaborators }) =>
    Effect.forEach(ids, (id) => collaborators.insert(collaborator(id))),
  )

const get = (context: ContractContext, id: string) =>
  context.read(({ collaborators }) => collaborators.get(id))

const inserting: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a collaborator is inserted as version 1 and read as it was",
    Effect.fnUntraced(function* (context) {
      const given = collaborator("ada", { payoutHoldingDays: 14, notes: "“Ünïcode” 🎨\n" })
      const inserted = yield* context.write((stores) => stores.collaborators.insert(given))
      yield* expectSame("what insert gives", inserted, { ...given, version: 1 })
      yield* expectSame("what get gives", yield* get(context, "ada"), { ...given, version: 1 })
    }),
  ),
  inContext(
    "a collaborator that nobody inserted is not there",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["ada"])
      yield* expectSame("an unknown collaborator", yield* get(context, "Ada"), undefined)
    }),
  ),
  inContext(
    "a second collaborator with the same id is a conflict, and the first stays",
    Effect.fnUntraced(function* (context) {
      const [first] = yield* insert(context, ["ada"])
      const other = collaborator("ada", { currency: "EUR" })
      const again = context.write(({ collaborators }) => collaborators.insert(other))
      yield* expectConflict("inserting it again", again)
      yield* expectSame("the collaborator", yield* get(context, "ada"), first)
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
      yield* expectSame("the collaborator", yield* get(context, "ada"), { ...given, version: 1 })
    }),
  ),
]

const updating: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "an update replaces a collaborator as the next version",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["ada", "ben"])
      const given = collaborator("ada", { currency: "JPY", notes: "moved" })
      const update = (version: number) =>
        context.write(({ collaborators }) => collaborators.update({ ...given, version }))
      yield* expectSame("the first update", yield* update(1), { ...given, version: 2 })
      yield* expectSame("the second update", yield* update(2), { ...given, version: 3 })
      yield* expectSame("what get gives", yield* get(context, "ada"), { ...given, version: 3 })
      const ben = { ...collaborator("ben"), version: 1 }
      yield* expectSame("the other one", yield* get(context, "ben"), ben)
    }),
  ),
  inContext(
    "an update of a collaborator that was changed since is a conflict",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["ada"])
      const update = (version: number, notes: string) =>
        context.write(({ collaborators }) =>
          collaborators.update({ ...collaborator("ada", { notes }), version }),
        )
      const second = yield* update(1, "second")
      for (const version of [1, 3, 0]) {
        yield* expectConflict(`an update of version ${version}`, update(version, "late"))
      }
      yield* expectSame("the collaborator", yield* get(context, "ada"), second)
    }),
  ),
  inContext(
    "an update of a collaborator that is not there is a conflict",
    Effect.fnUntraced(function* (context) {
      const update = context.write(({ collaborators }) =>
        collaborators.update({ ...collaborator("ada"), version: 1 }),
      )
      yield* expectConflict("the update", update)
      yield* expectSame("the collaborator", yield* get(context, "ada"), undefined)
    }),
  ),
]

const finding: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "collaborators are found by their ids, each once, without those that are not there",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, ["ada", "ben", "cyd"])
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
      const rows = yield* insert(context, oddIds.toReversed())
      const list = rows.toReversed()
      const part = (slice: Slice) => context.read((stores) => stores.collaborators.list(slice))
      yield* expectSlices("the collaborators", part, list)
    }),
  ),
  inContext(
    "collaborators whose ids look alike are different ones",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, oddIds)
      for (const id of oddIds) {
        const found = yield* get(context, id)
        yield* expectSame(`the collaborator ${id}`, found?.collaborator.id, id)
      }
    }),
  ),
]

/** What the store of collaborators has to do. */
export const collaboratorChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...inserting,
  ...updating,
  ...finding,
]
