import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { StorageService, Stores } from "../../ports/Storage.js"
import { type ContractCheck, expectSame } from "./check.js"
import { allAtOnce, givingWay, onStageWith, retried, type Stage } from "./Stage.js"
import { payout } from "./samples.js"

const onStage = onStageWith(["ada"])

/** Moves a cent from one payout to another, letting others go on in between. */
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

/** The total of two payouts, read one after the other. */
const sumOf = ({ payouts }: Stores) =>
  Effect.gen(function* () {
    const one = yield* payouts.get("o1")
    yield* givingWay
    const other = yield* payouts.get("o2")
    return (one?.total ?? 0) + (other?.total ?? 0)
  })

const twoPayouts = (stage: Stage, fields: { readonly total: number }) =>
  stage.write(({ payouts }) =>
    Effect.forEach(["o1", "o2"], (id) => payouts.insert({ payout: payout(id, fields) })),
  )

/** What has to hold when some read while others write. */
export const serialChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "who reads while others write sees all of a transaction or none of it",
    Effect.fnUntraced(function* (stage) {
      yield* twoPayouts(stage, { total: 50 })
      // All in one direction: back and forth, one move would hide another.
      const moving = Effect.as(
        stage.write((stores) => move(stores, "o1", "o2")),
        100,
      )
      const sums = yield* allAtOnce(40, (index) =>
        retried(index % 2 === 0 ? stage.read(sumOf) : moving),
      )
      yield* expectSame("the sums that were seen", [...new Set(sums)], [100])
      yield* expectSame("the sum in the end", yield* stage.read(sumOf), 100)
    }),
  ),
  onStage(
    "what the work reads twice is the same, though others write in between",
    Effect.fnUntraced(function* (stage) {
      yield* twoPayouts(stage, { total: 50 })
      const isReading = yield* Deferred.make<void>()
      const hasWritten = yield* Deferred.make<void>()
      const total = ({ payouts }: Stores) => Effect.map(payouts.get("o1"), (found) => found?.total)
      const twice = stage.read((stores) =>
        Effect.gen(function* () {
          const one = yield* total(stores)
          yield* Deferred.succeed(isReading, undefined)
          yield* Effect.raceFirst(Deferred.await(hasWritten), givingWay)
          return [one, yield* total(stores)]
        }),
      )
      const reader = yield* Effect.forkChild(retried(twice))
      yield* Effect.raceFirst(Deferred.await(isReading), Fiber.await(reader))
      yield* retried(stage.write((stores) => move(stores, "o1", "o2")))
      yield* Deferred.succeed(hasWritten, undefined)
      const [one, other] = yield* Fiber.join(reader)
      yield* expectSame("what was read the second time", other, one)
      yield* expectSame("what is stored", yield* stage.read(total), 49)
    }),
  ),
  onStage(
    "work that decides by what others change does not go ahead on what is no longer so",
    Effect.fnUntraced(function* (stage) {
      yield* twoPayouts(stage, { total: 1 })
      // Each may take its cent only as long as both are there.
      const take = (index: number) =>
        stage.write((stores) =>
          Effect.gen(function* () {
            const sum = yield* sumOf(stores)
            if (sum < 2) return
            const own = yield* stores.payouts.get(index === 0 ? "o1" : "o2")
            if (own === undefined) return
            yield* stores.payouts.update({ payout: { ...own, total: 0 } })
          }),
        )
      yield* allAtOnce(2, (index) => retried(take(index)))
      yield* expectSame("what is left", yield* stage.read(sumOf), 1)
    }),
  ),
  onStage(
    "work that counts what others add to does not count wrongly",
    Effect.fnUntraced(function* (stage) {
      // Each may insert its payout only as long as there are fewer than three.
      const insert = (index: number) =>
        stage.write(({ payouts }) =>
          Effect.gen(function* () {
            const { total } = yield* payouts.list({ status: "paid" }, { offset: 0, limit: 1 })
            yield* Effect.yieldNow
            if (total >= 3) return
            yield* payouts.insert({ payout: payout(`o${index}`, { status: "paid" }) })
          }),
        )
      yield* allAtOnce(10, (index) => retried(insert(index)))
      const { total } = yield* stage.read(({ payouts }) =>
        payouts.list({}, { offset: 0, limit: 100 }),
      )
      yield* expectSame("how many there are", total, 3)
    }),
  ),
]
