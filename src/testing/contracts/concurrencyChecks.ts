import * as Effect from "effect/Effect"
import type { StorageService, Stores } from "../../ports/Storage.js"
import { type ContractCheck, expectSame, expectTrue, outcomeOf } from "./check.js"
import { allAtOnce, introduce, onStage, onStageWith, retried, stageOf } from "./Stage.js"
import { active, answer, collaborator, group, income, payout, refund, sale } from "./samples.js"

const onStageOfAda = onStageWith(["ada"])

const dollars = { collaboratorId: "ada", currency: "USD" }

/** Adds an item to a payout as it was read, letting others go on in between. */
const addItem = (stores: Stores, payoutId: string, itemId: string) =>
  Effect.gen(function* () {
    const { payouts } = stores
    const found = yield* payouts.get(payoutId)
    if (found === undefined) return
    yield* Effect.yieldNow
    const { total, itemsCount } = found
    const next = { ...found, total: total + 100, itemsCount: itemsCount + 1 }
    yield* payouts.update({ payout: next, put: [income(itemId)] })
  })

/** Runs the same at the same time, and tells how each ended. */
const outcomes = <A, E>(count: number, work: (index: number) => Effect.Effect<A, E>) =>
  Effect.map(
    allAtOnce(count, (index) => Effect.map(Effect.exit(work(index)), outcomeOf)),
    (found) => found.toSorted(),
  )

const oneWins = (count: number) => [
  ...Array.from({ length: count - 1 }, () => "Conflict"),
  "success",
]

const updating: ReadonlyArray<ContractCheck<StorageService>> = [
  onStageOfAda(
    "many who add to a payout at the same time, and try again on conflict, lose nothing",
    Effect.fnUntraced(function* (stage) {
      yield* stage.write(({ payouts }) => payouts.insert({ payout: active("o1") }))
      const add = (index: number) => stage.write((stores) => addItem(stores, "o1", `i${index}`))
      yield* allAtOnce(30, (index) => retried(add(index)))
      const found = yield* stage.read(({ payouts }) => payouts.get("o1"))
      const expected = { ...active("o1", { total: 3_000, itemsCount: 30 }), version: 31 }
      yield* expectSame("the payout", found, expected)
      const items = yield* stage.read(({ payouts }) => payouts.items("o1"))
      const ids = items.map(({ id }) => id).sort()
      const all = Array.from({ length: 30 }, (_, index) => `i${index}`).sort()
      yield* expectSame("its items", ids, all)
    }),
  ),
  onStage(
    "many who change a collaborator at the same time, and try again on conflict, lose nothing",
    Effect.fnUntraced(function* (stage) {
      yield* stage.write(({ collaborators }) => collaborators.insert(collaborator("ada")))
      const change = (index: number) =>
        stage.write(({ collaborators }) =>
          Effect.gen(function* () {
            const found = yield* collaborators.get("ada")
            yield* Effect.yieldNow
            if (found === undefined) return
            const notes = `${found.collaborator.notes ?? ""}<${index}>`
            const next = { ...found, collaborator: { ...found.collaborator, notes } }
            yield* collaborators.update(next)
          }),
        )
      yield* allAtOnce(20, (index) => retried(change(index)))
      const found = yield* stage.read(({ collaborators }) => collaborators.get("ada"))
      const noted = (found?.collaborator.notes ?? "").match(/<\d+>/g) ?? []
      const all = Array.from({ length: 20 }, (_, index) => `<${index}>`).sort()
      yield* expectSame("what was noted", noted.toSorted(), all)
      yield* expectSame("the version", found?.version, 21)
    }),
  ),
  onStageOfAda(
    "of many who change what they read before, one wins and the others meet a conflict",
    Effect.fnUntraced(function* (stage) {
      const first = yield* stage.write(({ groups }) => groups.insert(group("g1")))
      const change = (index: number) =>
        stage.write(({ groups }) => groups.update({ ...first, updatedAt: index }))
      yield* expectSame("how they ended", yield* outcomes(10, change), oneWins(10))
      const found = yield* stage.read(({ groups }) => groups.get("g1"))
      yield* expectSame("the version", found?.version, 2)
    }),
  ),
  onStageOfAda(
    "of one who removes a group and one who changes it, one wins",
    Effect.fnUntraced(function* (stage) {
      const first = yield* stage.write(({ groups }) => groups.insert(group("g1")))
      const either = (index: number): Effect.Effect<unknown, unknown> =>
        index === 0
          ? stage.write(({ groups }) => groups.remove({ groupId: "g1", version: 1 }))
          : stage.write(({ groups }) => groups.update(first))
      yield* expectSame("how they ended", yield* outcomes(2, either), oneWins(2))
    }),
  ),
  onStage(
    "many refunds of a sale at the same time are all kept",
    Effect.fnUntraced(function* (stage) {
      const given = sale("1001")
      yield* stage.write(({ sales }) => sales.insert(given))
      const add = (index: number) =>
        stage.write(({ sales }) =>
          Effect.gen(function* () {
            const [found] = yield* sales.ofOrder("1001")
            yield* Effect.yieldNow
            const { version = 0, postings = [] } = found ?? {}
            const part = { orderId: "1001", part: 1, version, postings }
            yield* sales.addRefund({ ...part, refund: refund(`r${index}`, given) })
          }),
        )
      yield* allAtOnce(15, (index) => retried(add(index)))
      const [found] = yield* stage.read(({ sales }) => sales.ofOrder("1001"))
      yield* expectSame("how many refunds", found?.refunds.length, 15)
      yield* expectSame("the version", found?.version, 16)
    }),
  ),
]

const inserting: ReadonlyArray<ContractCheck<StorageService>> = [
  onStageOfAda(
    "of many who insert the same, one wins and the others meet a conflict: collaborators, groups",
    Effect.fnUntraced(function* (stage) {
      const insertAda = () =>
        stage.write((stores) => stores.collaborators.insert(collaborator("a")))
      yield* expectSame("collaborators", yield* outcomes(8, insertAda), oneWins(8))
      const insertGroup = () => stage.write((stores) => stores.groups.insert(group("g1")))
      yield* expectSame("groups", yield* outcomes(8, insertGroup), oneWins(8))
    }),
  ),
  onStageOfAda(
    "of many who insert the same, one wins and the others meet a conflict: sales, payouts, keys",
    Effect.fnUntraced(function* (stage) {
      const insertSale = () => stage.write(({ sales }) => sales.insert(sale("1001")))
      yield* expectSame("sales", yield* outcomes(8, insertSale), oneWins(8))
      const insertPayout = () =>
        stage.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      yield* expectSame("payouts", yield* outcomes(8, insertPayout), oneWins(8))
      const insertKey = (index: number) =>
        stage.write(({ keys }) => keys.insert(answer("k1", { answer: String(index) })))
      yield* expectSame("keys", yield* outcomes(8, insertKey), oneWins(8))
    }),
  ),
  onStage(
    "of many who look for a key and insert it when it is new, one does it",
    Effect.fnUntraced(function* (stage) {
      const once = (index: number) =>
        stage.write(({ keys }) =>
          Effect.gen(function* () {
            const known = yield* keys.get("k1")
            yield* Effect.yieldNow
            if (known !== undefined) return known.answer
            yield* keys.insert(answer("k1", { answer: String(index) }))
            return String(index)
          }),
        )
      const answers = yield* allAtOnce(12, (index) => retried(once(index)))
      const stored = yield* stage.read(({ keys }) => keys.get("k1"))
      yield* expectSame("the answers", [...new Set(answers)], [stored?.answer])
    }),
  ),
  onStageOfAda(
    "many who insert groups at the same time insert them all, and the revision tells",
    Effect.fnUntraced(function* (stage) {
      const before = yield* stage.read(({ groups }) => groups.revision)
      const insert = (index: number) =>
        stage.write(({ groups }) => groups.insert(group(`g${index}`)))
      yield* allAtOnce(25, (index) => retried(insert(index)))
      const after = yield* stage.read(({ groups }) => groups.revision)
      yield* expectTrue("the revision is larger", after > before, [before, after])
      const all = yield* stage.read(({ groups }) => groups.list("ada", { offset: 3, limit: 2 }))
      yield* expectSame("how many there are", all.total, 25)
    }),
  ),
  onStageOfAda(
    "of many who open an active payout, one does",
    Effect.fnUntraced(function* (stage) {
      const open = (index: number) =>
        stage.write(({ payouts }) => payouts.insert({ payout: active(`o${index}`) }))
      yield* expectSame("how they ended", yield* outcomes(10, open), oneWins(10))
      const all = yield* stage.read(({ payouts }) => payouts.list({}, { offset: 0, limit: 100 }))
      yield* expectSame("how many there are", all.total, 1)
    }),
  ),
  onStageOfAda(
    "many who add to the active payout, and open it when there is none, all add to the same",
    Effect.fnUntraced(function* (stage) {
      const add = (index: number) =>
        stage.write((stores) =>
          Effect.gen(function* () {
            const found = yield* stores.payouts.active(dollars)
            yield* Effect.yieldNow
            const id = found?.id ?? `o${index}`
            if (found === undefined) yield* stores.payouts.insert({ payout: active(id) })
            yield* addItem(stores, id, `i${index}`)
          }),
        )
      yield* allAtOnce(20, (index) => retried(add(index)))
      const list = stage.read(({ payouts }) => payouts.list({}, { offset: 0, limit: 100 }))
      const { entries, total } = yield* list
      yield* expectSame("how many payouts there are", total, 1)
      yield* expectSame("its total", entries[0]?.total, 2_000)
      const items = stage.read(({ payouts }) => payouts.items(entries[0]?.id ?? ""))
      yield* expectSame("how many items it has", (yield* items).length, 20)
    }),
  ),
  onStage(
    "accounts that work at the same time do not get into each other's way",
    Effect.fnUntraced(function* ({ storage }) {
      yield* allAtOnce(5, (index) =>
        retried(
          stageOf(storage, `shop ${index}`).write((stores) =>
            Effect.andThen(
              introduce(stores, ["ada"]),
              stores.payouts.insert({ payout: active("o1") }),
            ),
          ),
        ),
      )
      yield* allAtOnce(50, (index) =>
        retried(
          stageOf(storage, `shop ${index % 5}`).write((stores) =>
            addItem(stores, "o1", `i${index}`),
          ),
        ),
      )
      const totals = yield* Effect.forEach([0, 1, 2, 3, 4], (index) =>
        stageOf(storage, `shop ${index}`).read(({ payouts }) =>
          Effect.map(payouts.items("o1"), (items) => items.length),
        ),
      )
      yield* expectSame("how many items each has", totals, [10, 10, 10, 10, 10])
    }),
  ),
]

/** What has to hold when many write at the same time. */
export const concurrencyChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...updating,
  ...inserting,
]
