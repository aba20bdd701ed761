import * as Effect from "effect/Effect"
import type { PayoutStatus } from "../../payouts/PayoutStatus.js"
import { statuses } from "../../payouts/PayoutStatus.js"
import type { PayoutFilter } from "../../ports/PayoutStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StorageService } from "../../ports/Storage.js"
import { type Check, expectSame } from "./check.js"
import { expectSlices } from "./expectSlices.js"
import { onStageWith, type Stage } from "./Stage.js"
import { earliest, latest, payout } from "./samples.js"

const onStage = onStageWith(["ada", "ben"])

type Payout = ReturnType<typeof payout>

const insert = (stage: Stage, given: ReadonlyArray<Payout>) =>
  stage.write(({ payouts }) => Effect.forEach(given, (one) => payouts.insert({ payout: one })))

const part = (stage: Stage, filter: PayoutFilter) => (slice: Slice) =>
  stage.read(({ payouts }) => payouts.list(filter, slice))

const stored = (given: ReadonlyArray<Payout>) => given.map((one) => ({ ...one, version: 1 }))

const made = (
  id: string,
  options: { readonly due: number; readonly paidAt: number | null; readonly of?: string },
  status: PayoutStatus = "paid",
) =>
  payout(id, {
    toBePaidAt: options.due,
    paidAt: options.paidAt,
    collaboratorId: options.of ?? "ada",
    status,
  })

/** In the order of the list. */
const history: ReadonlyArray<Payout> = [
  made("p", { due: 50, paidAt: null }, "active"),
  made("b", { due: 40, paidAt: null }, "pending"),
  made("a", { due: 30, paidAt: 35 }),
  made("c", { due: 30, paidAt: 31, of: "ben" }),
  made("d", { due: 20, paidAt: 20 }, "manually paid"),
  made("e", { due: 10, paidAt: 35, of: "ben" }, "manually paid"),
  made("f", { due: 0, paidAt: null }, "failed"),
  made("g", { due: -10, paidAt: -5 }),
]

/** Fails unless a filter finds exactly the payouts with these ids. */
const expectFound = (stage: Stage, filter: PayoutFilter, ids: string) => {
  const expected = stored(history.filter(({ id }) => ids.includes(id)))
  return expectSlices(`found by ${JSON.stringify(filter)}`, part(stage, filter), expected)
}

const ordering: ReadonlyArray<Check<StorageService>> = [
  onStage(
    "payouts are listed by due date, the latest first, then by id, whatever part is asked for",
    Effect.fnUntraced(function* (stage) {
      const at = (id: string, toBePaidAt: number) => payout(id, { toBePaidAt })
      const list = [
        at("z", latest),
        ...[at("10", 5), at("9", 5), at("B", 5), at("a", 5), at("é", 5), at("🎨", 5), at("ｚ", 5)],
        ...[at("y", 0), at("x", -7)],
      ]
      yield* insert(stage, list.toReversed())
      yield* expectSlices("the payouts", part(stage, {}), stored(list))
    }),
  ),
  onStage(
    "a payout whose due date rolls moves in the list",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history)
      const rolled = { ...made("g", { due: 60, paidAt: -5 }), version: 1 }
      const changed = yield* stage.write(({ payouts }) => payouts.update({ payout: rolled }))
      const others = stored(history.filter(({ id }) => id !== "g"))
      yield* expectSlices("the payouts", part(stage, {}), [changed, ...others])
      const expected = [changed, ...stored(history.filter(({ id }) => id === "a"))]
      const filter = { status: "paid", collaboratorId: "ada" } as const
      yield* expectSlices("those paid", part(stage, filter), expected)
    }),
  ),
]

const filtering: ReadonlyArray<Check<StorageService>> = [
  onStage(
    "payouts are found by their collaborator",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.toReversed())
      yield* expectFound(stage, { collaboratorId: "ada" }, "pbadfg")
      yield* expectFound(stage, { collaboratorId: "ben" }, "ce")
      yield* expectFound(stage, { collaboratorId: "Ada" }, "")
    }),
  ),
  onStage(
    "payouts are found by each of the statuses",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.toReversed())
      for (const status of statuses) {
        const expected = stored(history.filter((one) => one.status === status))
        yield* expectSlices(`those ${status}`, part(stage, { status }), expected)
      }
    }),
  ),
  onStage(
    "payouts are found by when they were paid; both ends of the range belong to it",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.toReversed())
      yield* expectFound(stage, { paid: { from: 20, to: 35 } }, "acde")
      yield* expectFound(stage, { paid: { from: 21, to: 34 } }, "c")
      yield* expectFound(stage, { paid: { from: 31, to: 31 } }, "c")
      yield* expectFound(stage, { paid: { from: 36, to: 20 } }, "")
      yield* expectFound(stage, { paid: { from: earliest, to: latest } }, "acdeg")
    }),
  ),
  onStage(
    "an absent end of a range is open, and payouts that were never paid are in no range",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.toReversed())
      yield* expectFound(stage, { paid: { from: 31 } }, "ace")
      yield* expectFound(stage, { paid: { to: 20 } }, "dg")
      yield* expectFound(stage, { paid: { from: undefined, to: 0 } }, "g")
      yield* expectFound(stage, { paid: {} }, "acdeg")
      yield* expectFound(stage, { expected: { to: 0 } }, "fg")
      yield* expectFound(stage, { expected: {} }, "pbacdefg")
    }),
  ),
  onStage(
    "payouts are found by when they are to be paid",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.toReversed())
      yield* expectFound(stage, { expected: { from: 10, to: 30 } }, "acde")
      yield* expectFound(stage, { expected: { from: 30, to: 30 } }, "ac")
      yield* expectFound(stage, { expected: { from: 31 } }, "pb")
      yield* expectFound(stage, { expected: { from: 11, to: 19 } }, "")
    }),
  ),
  onStage(
    "payouts are found to which all of a filter applies",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.toReversed())
      const range = { from: 0, to: 35 }
      yield* expectFound(stage, { collaboratorId: "ben", status: "paid" }, "c")
      yield* expectFound(stage, { collaboratorId: "ada", status: "active", expected: range }, "")
      yield* expectFound(stage, { collaboratorId: "ada", paid: range }, "ad")
      yield* expectFound(stage, { status: "paid", paid: range, expected: { to: 30 } }, "ac")
      const every = { collaboratorId: "ben", paid: range, expected: { from: 10, to: 10 } }
      yield* expectFound(stage, { ...every, status: "manually paid" }, "e")
      const none = { collaboratorId: undefined, status: undefined, paid: undefined }
      yield* expectFound(stage, { ...none, expected: undefined }, "pbacdefg")
    }),
  ),
  onStage(
    "a list tells payouts without their items",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, history.slice(0, 1))
      const { entries } = yield* part(stage, {})({ offset: 0, limit: 1 })
      yield* expectSame("the fields", Object.keys(entries[0] ?? {}).includes("items"), false)
    }),
  ),
]

/** What the list of payouts has to do. */
export const payoutListChecks: ReadonlyArray<Check<StorageService>> = [...ordering, ...filtering]
