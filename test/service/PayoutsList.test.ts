import { ListOrder } from "apportion"
import type { PayoutFilter } from "apportion/ports"
import { Payouts } from "apportion/service"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { addCollaborator, addPayout, runWith, shop, start, utc } from "./PayoutFixture.js"

const firstPage = { page: 1, perPage: 15 }

const several = Effect.gen(function* () {
  yield* addCollaborator()
  yield* addCollaborator({ id: "sam", currency: "EUR" })
  const day = (number: number) => utc(`2024-03-${String(number).padStart(2, "0")}T00:00:00`)
  yield* addPayout({ id: "a", toBePaidAt: day(3) })
  yield* addPayout({ id: "b", status: "pending", toBePaidAt: day(1), collaboratorId: "sam" })
  yield* addPayout({ id: "c", status: "paid", paidAt: day(2), toBePaidAt: day(3) })
  yield* addPayout({ id: "d", status: "manually paid", paidAt: day(4), toBePaidAt: day(5) })
  yield* addPayout({ id: "e", status: "failed", toBePaidAt: day(4), collaboratorId: "sam" })
  return day
})

const idsOf = (filter: (day: (number: number) => number) => PayoutFilter) =>
  runWith(
    Effect.gen(function* () {
      const day = yield* several
      const { entries, total } = yield* (yield* Payouts).list(shop, filter(day), firstPage)
      expect(total).toBe(entries.length)
      return entries.map(({ payout }) => payout.id).join(" ")
    }),
  )

test("payouts are listed with the latest due date first, then by id", async () => {
  expect(await idsOf(() => ({}))).toBe("d e a c b")
  expect(ListOrder.payouts({ id: "a", toBePaidAt: 3 }, { id: "c", toBePaidAt: 3 })).toBe(-1)
})

test("the earliest due date can come first: it is the same list from its end, page by page", async () => {
  const pages = await runWith(
    Effect.gen(function* () {
      yield* several
      const payouts = yield* Payouts
      const order = "earliest due first"
      const list = (page: number, filter: PayoutFilter = {}) =>
        Effect.map(
          payouts.list(shop, { ...filter, order }, { page, perPage: 2 }),
          ({ entries, total }) => [total, ...entries.map(({ payout }) => payout.id)].join(" "),
        )
      const whole = yield* Effect.forEach([1, 2, 3, 4], (page) => list(page))
      return [...whole, yield* list(1, { collaboratorId: "sam" })]
    }),
  )
  expect(pages).toEqual(["5 b c", "5 a e", "5 d", "5", "2 b e"])
})

test("each filter keeps what it says, and together they keep what all of them do", async () => {
  expect(await idsOf(() => ({ collaboratorId: "sam" }))).toBe("e b")
  expect(await idsOf(() => ({ collaboratorId: "nobody" }))).toBe("")
  expect(await idsOf(() => ({ status: "manually paid" }))).toBe("d")
  expect(await idsOf(() => ({ status: "active" }))).toBe("a")
  expect(await idsOf((day) => ({ paid: { from: day(2), to: day(4) } }))).toBe("d c")
  expect(await idsOf((day) => ({ paid: { from: day(2) + 1 } }))).toBe("d")
  expect(await idsOf((day) => ({ paid: { to: day(2) } }))).toBe("c")
  expect(await idsOf((day) => ({ expected: { from: day(3), to: day(4) } }))).toBe("e a c")
  expect(await idsOf((day) => ({ expected: { from: day(3), to: day(3) } }))).toBe("a c")
  expect(await idsOf((day) => ({ collaboratorId: "sam", expected: { to: day(3) } }))).toBe("b")
  expect(await idsOf(() => ({ paid: undefined, expected: {} }))).toBe("d e a c b")
  // A range that is open on both ends has every time of payment in it, and what was never paid has none.
  expect(await idsOf(() => ({ paid: {} }))).toBe("d c")
})

test("a list has pages, each payout with its collaborator, and the total of all", async () => {
  const pages = await runWith(
    Effect.gen(function* () {
      yield* several
      const payouts = yield* Payouts
      return yield* Effect.forEach([1, 2, 3, 4, Number.MAX_SAFE_INTEGER], (page) =>
        payouts.list(shop, {}, { page, perPage: 2 }),
      )
    }),
  )
  expect(
    pages.map(({ entries }) =>
      entries.map(({ payout, collaborator }) => `${payout.id}:${collaborator.id}`).join(" "),
    ),
  ).toEqual(["d:ada e:sam", "a:ada c:ada", "b:sam", "", ""])
  expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5, 5])
})

const wrongFilters: ReadonlyArray<readonly [PayoutFilter, ReadonlyArray<string>]> = [
  [{ paid: { from: start, to: start - 1 } }, ["paid.from"]],
  [{ expected: { from: start, to: start - 1 } }, ["expected.from"]],
  [{ paid: { from: 1.5 }, expected: { to: Number.NaN } }, ["paid.from", "expected.to"]],
  [{ paid: { to: start * 1_000 } }, ["paid.to"]],
  [{ expected: { from: Number.POSITIVE_INFINITY, to: 0 } }, ["expected.from"]],
]

for (const [filter, paths] of wrongFilters) {
  test(`a filter by ${JSON.stringify(filter)} is refused for its ${paths.join(" and ")}`, async () => {
    const refused = await runWith(
      Effect.flatMap(Payouts, (payouts) => Effect.flip(payouts.list(shop, filter, firstPage))),
    )
    expect(refused._tag).toBe("InvalidPayoutFilter")
    const problems = refused._tag === "InvalidPayoutFilter" ? refused.problems : []
    expect(problems.map(({ path }) => path)).toEqual(paths)
    for (const path of paths) expect(refused.message).toContain(path)
  })
}

test("a status that there is not is refused, where a host has no types to tell", async () => {
  const filter: PayoutFilter = JSON.parse('{"status":"lost"}')
  const refused = await runWith(
    Effect.flatMap(Payouts, (payouts) => Effect.flip(payouts.list(shop, filter, firstPage))),
  )
  expect(refused).toMatchObject({ problems: [{ path: "status", value: "lost" }] })
})

test("payable is what is pending, past its holding days, not below zero, and paid automatically", async () => {
  const payable = (limit: number) =>
    runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addCollaborator({ id: "by hand", shouldPayAutomatically: false })
        yield* addPayout({ id: "active", total: 5 })
        yield* addPayout({ id: "held", total: 5, status: "pending", payableAt: start + 1 })
        yield* addPayout({ id: "failed", total: 5, status: "failed" })
        yield* addPayout({ id: "below", total: -5, status: "pending" })
        yield* addPayout({ id: "later", total: 5, status: "pending", payableAt: start })
        yield* addPayout({ id: "zero", total: 0, status: "pending", payableAt: start - 9 })
        const byHand = { collaboratorId: "by hand", payableAt: start - 10 }
        yield* addPayout({ id: "by hand", total: 5, status: "pending", ...byHand })
        const listed = yield* (yield* Payouts).listPayable(shop, limit)
        return listed.map(({ payout }) => payout.id).join(" ")
      }),
    )
  expect(await payable(10)).toBe("zero later")
  expect(await payable(1)).toBe("zero")
  expect(await payable(0)).toBe("")
  expect(await payable(Number.NaN)).toBe("")
  expect(await payable(Number.POSITIVE_INFINITY)).toBe("zero later")
})

test("payouts that nobody pays automatically do not keep the others out of the list", async () => {
  const ids = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addCollaborator({ id: "by hand", shouldPayAutomatically: false })
      for (let number = 0; number < 350; number += 1) {
        const collaboratorId = number < 340 ? "by hand" : "ada"
        const payableAt = start - 1_000 + number
        yield* addPayout({ id: `p${number}`, status: "pending", collaboratorId, payableAt })
      }
      const listed = yield* (yield* Payouts).listPayable(shop, 8)
      return listed.map(({ payout }) => payout.id)
    }),
  )
  expect(ids).toEqual([340, 341, 342, 343, 344, 345, 346, 347].map((number) => `p${number}`))
})
