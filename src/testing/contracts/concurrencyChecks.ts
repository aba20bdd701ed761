import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { StorageService, Stores } from "../../ports/Storage.js"
import {
  allAtOnce,
  type ContractContext,
  contextOf,
  givingWay,
  inContext,
  inContextWith,
  introduce,
  retried,
} from "./ContractContext.js"
import { type ContractCheck, expectSame, expectTrue, outcomeOf } from "./check.js"
import { active, answer, collaborator, group, income, payout, refund, sale } from "./samples.js"

const inContextOfAda = inContextWith(["ada"])

const dollars = { collaboratorId: "ada", currency: "USD" }

/** Reads a payout and adds an item to it, letting others run in between. */
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

/** Runs the same work concurrently, and returns how each run ended. */
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
  inContextOfAda(
    "many who add to a payout at the same time, and try again on conflict, lose nothing",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) => payouts.insert({ payout: active("o1") }))
      const add = (index: number) => context.write((stores) => addItem(stores, "o1", `i${index}`))
      yield* allAtOnce(30, (index) => retried(add(index)))
      const found = yield* context.read(({ payouts }) => payouts.get("o1"))
      const expected = { ...active("o1", { total: 3_000, itemsCount: 30 }), version: 31 }
      yield* expectSame("the payout", found, expected)
      const items = yield* context.read(({ payouts }) => payouts.items("o1"))
      const ids = items.map(({ id }) => id).sort()
      const all = Array.from({ length: 30 }, (_, index) => `i${index}`).sort()
      yield* expectSame("its items", ids, all)
    }),
  ),
  inContext(
    "many who change a collaborator at the same time, and try again on conflict, lose nothing",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ collaborators }) => collaborators.insert(collaborator("ada")))
      const change = (index: number) =>
        context.write(({ collaborators }) =>
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
      const found = yield* context.read(({ collaborators }) => collaborators.get("ada"))
      const noted = (found?.collaborator.notes ?? "").match(/<\d+>/g) ?? []
      const all = Array.from({ length: 20 }, (_, index) => `<${index}>`).sort()
      yield* expectSame("what was noted", noted.toSorted(), all)
      yield* expectSame("the version", found?.version, 21)
    }),
  ),
  inContextOfAda(
    "of many who change what they read before, one wins and the others meet a conflict",
    Effect.fnUntraced(function* (context) {
      const first = yield* context.write(({ groups }) => groups.insert(group("g1")))
      const change = (index: number) =>
        context.write(({ groups }) => groups.update({ ...first, updatedAt: index }))
      yield* expectSame("how they ended", yield* outcomes(10, change), oneWins(10))
      const found = yield* context.read(({ groups }) => groups.get("g1"))
      yield* expectSame("the version", found?.version, 2)
    }),
  ),
  inContextOfAda(
    "of one who removes a group and one who changes it, one wins",
    Effect.fnUntraced(function* (context) {
      const first = yield* context.write(({ groups }) => groups.insert(group("g1")))
      const either = (index: number): Effect.Effect<unknown, unknown> =>
        index === 0
          ? context.write(({ groups }) => groups.remove({ groupId: "g1", version: 1 }))
          : context.write(({ groups }) => groups.update(first))
      yield* expectSame("how they ended", yield* outcomes(2, either), oneWins(2))
    }),
  ),
  inContext(
    "many refunds of a sale at the same time are all kept",
    Effect.fnUntraced(function* (context) {
      const given = sale("1001")
      yield* context.write(({ sales }) => sales.insert(given))
      const add = (index: number) =>
        context.write(({ sales }) =>
          Effect.gen(function* () {
            const [found] = yield* sales.ofOrder("1001")
            yield* Effect.yieldNow
            const { version = 0, postings = [] } = found ?? {}
            const part = { orderId: "1001", part: 1, version, postings }
            yield* sales.addRefund({ ...part, refund: refund(`r${index}`, given) })
          }),
        )
      yield* allAtOnce(15, (index) => retried(add(index)))
      const [found] = yield* context.read(({ sales }) => sales.ofOrder("1001"))
      yield* expectSame("how many refunds", found?.refunds.length, 15)
      yield* expectSame("the version", found?.version, 16)
    }),
  ),
]

const inserting: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextOfAda(
    "of many who insert the same, one wins and the others meet a conflict: collaborators, groups",
    Effect.fnUntraced(function* (context) {
      const insertAda = () =>
        context.write((stores) => stores.collaborators.insert(collaborator("a")))
      yield* expectSame("collaborators", yield* outcomes(8, insertAda), oneWins(8))
      const insertGroup = () => context.write((stores) => stores.groups.insert(group("g1")))
      yield* expectSame("groups", yield* outcomes(8, insertGroup), oneWins(8))
    }),
  ),
  inContextOfAda(
    "of many who insert the same, one wins and the others meet a conflict: sales, payouts, keys",
    Effect.fnUntraced(function* (context) {
      const insertSale = () => context.write(({ sales }) => sales.insert(sale("1001")))
      yield* expectSame("sales", yield* outcomes(8, insertSale), oneWins(8))
      const insertPayout = () =>
        context.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      yield* expectSame("payouts", yield* outcomes(8, insertPayout), oneWins(8))
      const insertKey = (index: number) =>
        context.write(({ keys }) => keys.insert(answer("k1", { answer: String(index) })))
      yield* expectSame("keys", yield* outcomes(8, insertKey), oneWins(8))
    }),
  ),
  inContext(
    "of many who look for a key and insert it when it is new, one does it",
    Effect.fnUntraced(function* (context) {
      const once = (index: number) =>
        context.write(({ keys }) =>
          Effect.gen(function* () {
            const known = yield* keys.get("k1")
            yield* Effect.yieldNow
            if (known !== undefined) return known.answer
            yield* keys.insert(answer("k1", { answer: String(index) }))
            return String(index)
          }),
        )
      const answers = yield* allAtOnce(12, (index) => retried(once(index)))
      const stored = yield* context.read(({ keys }) => keys.get("k1"))
      yield* expectSame("the answers", [...new Set(answers)], [stored?.answer])
    }),
  ),
  inContextOfAda(
    "many who insert groups at the same time insert them all, and the revision tells",
    Effect.fnUntraced(function* (context) {
      const before = yield* context.read(({ groups }) => groups.revision)
      const insert = (index: number) =>
        context.write(({ groups }) => groups.insert(group(`g${index}`)))
      yield* allAtOnce(25, (index) => retried(insert(index)))
      const after = yield* context.read(({ groups }) => groups.revision)
      yield* expectTrue("the revision is larger", after > before, [before, after])
      const all = yield* context.read(({ groups }) => groups.list("ada", { offset: 3, limit: 2 }))
      yield* expectSame("how many there are", all.total, 25)
    }),
  ),
  inContextOfAda(
    "of many who open an active payout, one does",
    Effect.fnUntraced(function* (context) {
      const open = (index: number) =>
        context.write(({ payouts }) => payouts.insert({ payout: active(`o${index}`) }))
      yield* expectSame("how they ended", yield* outcomes(10, open), oneWins(10))
      const all = yield* context.read(({ payouts }) => payouts.list({}, { offset: 0, limit: 100 }))
      yield* expectSame("how many there are", all.total, 1)
    }),
  ),
  inContextOfAda(
    "many who add to the active payout, and open it when there is none, all add to the same",
    Effect.fnUntraced(function* (context) {
      const add = (index: number) =>
        context.write((stores) =>
          Effect.gen(function* () {
            const found = yield* stores.payouts.active(dollars)
            yield* Effect.yieldNow
            const id = found?.id ?? `o${index}`
            if (found === undefined) yield* stores.payouts.insert({ payout: active(id) })
            yield* addItem(stores, id, `i${index}`)
          }),
        )
      yield* allAtOnce(20, (index) => retried(add(index)))
      const list = context.read(({ payouts }) => payouts.list({}, { offset: 0, limit: 100 }))
      const { entries, total } = yield* list
      yield* expectSame("how many payouts there are", total, 1)
      yield* expectSame("its total", entries[0]?.total, 2_000)
      const items = context.read(({ payouts }) => payouts.items(entries[0]?.id ?? ""))
      yield* expectSame("how many items it has", (yield* items).length, 20)
    }),
  ),
  inContext(
    "accounts that work at the same time do not get into each other's way",
    Effect.fnUntraced(function* ({ storage }) {
      yield* allAtOnce(5, (index) =>
        retried(
          contextOf(storage, `shop ${index}`).write((stores) =>
            Effect.andThen(
              introduce(stores, ["ada"]),
              stores.payouts.insert({ payout: active("o1") }),
            ),
          ),
        ),
      )
      yield* allAtOnce(50, (index) =>
        retried(
          contextOf(storage, `shop ${index % 5}`).write((stores) =>
            addItem(stores, "o1", `i${index}`),
          ),
        ),
      )
      const totals = yield* Effect.forEach([0, 1, 2, 3, 4], (index) =>
        contextOf(storage, `shop ${index}`).read(({ payouts }) =>
          Effect.map(payouts.items("o1"), (items) => items.length),
        ),
      )
      yield* expectSame("how many items each has", totals, [10, 10, 10, 10, 10])
    }),
  ),
]

/** Moves a cent from one payout to another, letting others run in between. */
const move = ({ payouts }: Stores, from: string, to: string) =>
  Effect.gen(function* () {
    for (const [id, amount] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const found = yield* payouts.get(id)
      yield* Effect.yieldNow
      if (found === undefined) return
      yield* payouts.update({ payout: { ...found, total: found.total + amount } })
    }
  })

/** The total of two payouts, read in sequence. */
const sumOf = ({ payouts }: Stores) =>
  Effect.gen(function* () {
    const one = yield* payouts.get("o1")
    yield* givingWay
    const other = yield* payouts.get("o2")
    return (one?.total ?? 0) + (other?.total ?? 0)
  })

const twoPayouts = (context: ContractContext, fields: { readonly total: number }) =>
  context.write(({ payouts }) =>
    Effect.forEach(["o1", "o2"], (id) => payouts.insert({ payout: payout(id, fields) })),
  )

const reading: ReadonlyArray<ContractCheck<StorageService>> = [
  inContextOfAda(
    "who reads while others write sees all of a transaction or none of it",
    Effect.fnUntraced(function* (context) {
      yield* twoPayouts(context, { total: 50 })
      // All in one direction: back and forth, one move would hide another.
      const moving = Effect.as(
        context.write((stores) => move(stores, "o1", "o2")),
        100,
      )
      const sums = yield* allAtOnce(40, (index) =>
        retried(index % 2 === 0 ? context.read(sumOf) : moving),
      )
      yield* expectSame("the sums that were seen", [...new Set(sums)], [100])
      yield* expectSame("the sum in the end", yield* context.read(sumOf), 100)
    }),
  ),
  inContextOfAda(
    "what the work reads twice is the same, though others write in between",
    Effect.fnUntraced(function* (context) {
      yield* twoPayouts(context, { total: 50 })
      const isReading = yield* Deferred.make<void>()
      const hasWritten = yield* Deferred.make<void>()
      const total = ({ payouts }: Stores) => Effect.map(payouts.get("o1"), (found) => found?.total)
      const twice = context.read((stores) =>
        Effect.gen(function* () {
          const one = yield* total(stores)
          yield* Deferred.succeed(isReading, undefined)
          yield* Effect.raceFirst(Deferred.await(hasWritten), givingWay)
          return [one, yield* total(stores)]
        }),
      )
      const reader = yield* Effect.forkChild(retried(twice))
      yield* Effect.raceFirst(Deferred.await(isReading), Fiber.await(reader))
      yield* retried(context.write((stores) => move(stores, "o1", "o2")))
      yield* Deferred.succeed(hasWritten, undefined)
      const [one, other] = yield* Fiber.join(reader)
      yield* expectSame("what was read the second time", other, one)
      yield* expectSame("what is stored", yield* context.read(total), 49)
    }),
  ),
  inContextOfAda(
    "work that decides by what others change does not go ahead on what is no longer so",
    Effect.fnUntraced(function* (context) {
      yield* twoPayouts(context, { total: 1 })
      // Each may take its cent only while both are present.
      const take = (index: number) =>
        context.write((stores) =>
          Effect.gen(function* () {
            const sum = yield* sumOf(stores)
            if (sum < 2) return
            const own = yield* stores.payouts.get(index === 0 ? "o1" : "o2")
            if (own === undefined) return
            yield* stores.payouts.update({ payout: { ...own, total: 0 } })
          }),
        )
      yield* allAtOnce(2, (index) => retried(take(index)))
      yield* expectSame("what is left", yield* context.read(sumOf), 1)
    }),
  ),
  inContextOfAda(
    "work that counts what others add to does not count wrongly",
    Effect.fnUntraced(function* (context) {
      // Each may insert its payout only while there are fewer than three.
      const insert = (index: number) =>
        context.write(({ payouts }) =>
          Effect.gen(function* () {
            const { total } = yield* payouts.list({ status: "paid" }, { offset: 0, limit: 1 })
            yield* Effect.yieldNow
            if (total >= 3) return
            yield* payouts.insert({ payout: payout(`o${index}`, { status: "paid" }) })
          }),
        )
      yield* allAtOnce(10, (index) => retried(insert(index)))
      const { total } = yield* context.read(({ payouts }) =>
        payouts.list({}, { offset: 0, limit: 100 }),
      )
      yield* expectSame("how many there are", total, 3)
    }),
  ),
]

/** What has to hold under concurrent reads and writes. */
export const concurrencyChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...updating,
  ...inserting,
  ...reading,
]
