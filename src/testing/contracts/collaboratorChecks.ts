import * as Effect from "effect/Effect"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractCheck, expectConflict, expectSame, expectSlices } from "./check.js"
import { onStage, type Stage } from "./Stage.js"
import { collaborator, earliest, largest, latest, oddIds } from "./samples.js"

const insert = (stage: Stage, ids: ReadonlyArray<string>) =>
  stage.write(({ collaborators }) =>
    Effect.forEach(ids, (id) => collaborators.insert(collaborator(id))),
  )

const get = (stage: Stage, id: string) => stage.read(({ collaborators }) => collaborators.get(id))

const inserting: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "a collaborator is inserted as version 1 and read as it was",
    Effect.fnUntraced(function* (stage) {
      const given = collaborator("ada", { payoutHoldingDays: 14, notes: "“Ünïcode” 🎨\n" })
      const inserted = yield* stage.write((stores) => stores.collaborators.insert(given))
      yield* expectSame("what insert gives", inserted, { ...given, version: 1 })
      yield* expectSame("what get gives", yield* get(stage, "ada"), { ...given, version: 1 })
    }),
  ),
  onStage(
    "a collaborator that nobody inserted is not there",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, ["ada"])
      yield* expectSame("an unknown collaborator", yield* get(stage, "Ada"), undefined)
    }),
  ),
  onStage(
    "a second collaborator with the same id is a conflict, and the first stays",
    Effect.fnUntraced(function* (stage) {
      const [first] = yield* insert(stage, ["ada"])
      const other = collaborator("ada", { currency: "EUR" })
      const again = stage.write(({ collaborators }) => collaborators.insert(other))
      yield* expectConflict("inserting it again", again)
      yield* expectSame("the collaborator", yield* get(stage, "ada"), first)
    }),
  ),
  onStage(
    "collaborators keep the largest numbers, nulls and empty texts",
    Effect.fnUntraced(function* (stage) {
      const given = {
        ...collaborator("ada", { payoutThreshold: largest, payoutHoldingDays: null, notes: "" }),
        createdAt: earliest,
        updatedAt: latest,
      }
      yield* stage.write(({ collaborators }) => collaborators.insert(given))
      yield* expectSame("the collaborator", yield* get(stage, "ada"), { ...given, version: 1 })
    }),
  ),
]

const updating: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "an update replaces a collaborator as the next version",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, ["ada", "ben"])
      const given = collaborator("ada", { currency: "JPY", notes: "moved" })
      const update = (version: number) =>
        stage.write(({ collaborators }) => collaborators.update({ ...given, version }))
      yield* expectSame("the first update", yield* update(1), { ...given, version: 2 })
      yield* expectSame("the second update", yield* update(2), { ...given, version: 3 })
      yield* expectSame("what get gives", yield* get(stage, "ada"), { ...given, version: 3 })
      const ben = { ...collaborator("ben"), version: 1 }
      yield* expectSame("the other one", yield* get(stage, "ben"), ben)
    }),
  ),
  onStage(
    "an update of a collaborator that was changed since is a conflict",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, ["ada"])
      const update = (version: number, notes: string) =>
        stage.write(({ collaborators }) =>
          collaborators.update({ ...collaborator("ada", { notes }), version }),
        )
      const second = yield* update(1, "second")
      for (const version of [1, 3, 0]) {
        yield* expectConflict(`an update of version ${version}`, update(version, "late"))
      }
      yield* expectSame("the collaborator", yield* get(stage, "ada"), second)
    }),
  ),
  onStage(
    "an update of a collaborator that is not there is a conflict",
    Effect.fnUntraced(function* (stage) {
      const update = stage.write(({ collaborators }) =>
        collaborators.update({ ...collaborator("ada"), version: 1 }),
      )
      yield* expectConflict("the update", update)
      yield* expectSame("the collaborator", yield* get(stage, "ada"), undefined)
    }),
  ),
]

const finding: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "collaborators are found by their ids, each once, without those that are not there",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, ["ada", "ben", "cyd"])
      const find = (ids: ReadonlyArray<string>) =>
        Effect.map(
          stage.read(({ collaborators }) => collaborators.find(ids)),
          (found) => found.map((one) => one.collaborator.id).sort(),
        )
      yield* expectSame("found", yield* find(["cyd", "ada", "zoe", "ada"]), ["ada", "cyd"])
      yield* expectSame("found by no ids", yield* find([]), [])
    }),
  ),
  onStage(
    "collaborators are listed by id, compared by code units, whatever part is asked for",
    Effect.fnUntraced(function* (stage) {
      const rows = yield* insert(stage, oddIds.toReversed())
      const list = rows.toReversed()
      const part = (slice: Slice) => stage.read((stores) => stores.collaborators.list(slice))
      yield* expectSlices("the collaborators", part, list)
    }),
  ),
  onStage(
    "collaborators whose ids look alike are different ones",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, oddIds)
      for (const id of oddIds) {
        const found = yield* get(stage, id)
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
