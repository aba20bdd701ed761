import { makeApportion } from "apportion/promise"
import { Overviews } from "apportion/service"
import { Clock, Context, Effect } from "effect"
import { expect, test } from "vitest"

const shop = "shop"
const end = Date.parse("2025-01-01T00:00:00Z") / 1_000
const begin = end - 90_000

/** Sales at times: the first of 2 cents, each of 2 more, all split in half with Ada. */
const open = async (times: ReadonlyArray<number>) => {
  const apportion = await makeApportion({ now: () => end })
  const { collaborators, groups, pastSales } = apportion
  await collaborators.create(shop, { id: "ada", currency: "EUR" })
  await groups.create(shop, "ada", { link: { type: "products.all" }, percent: "50" })
  const entries = times.map((createdAt, place) => {
    const items = [{ id: "1", product: { id: "p" }, quantity: 1, amount: 2 * (place + 1) }]
    return { sale: { id: `o${place}`, currency: "EUR", createdAt, items } }
  })
  await pastSales.recordAll(shop, entries, { paidUntil: end - 1 })
  return Context.get(apportion.context, Overviews)
}

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

test("sales of the same second are all in the figures, however many there are", async () => {
  const times = numbers(1_300).map((place) => begin + (place < 1_100 ? 0 : place))
  const overviews = await open(times)
  const { currencies, next } = await Effect.runPromise(
    overviews.of(shop, { from: begin, until: end }),
  )
  const shares = (1_300 * 1_301) / 2
  expect(next).toBeNull()
  expect(currencies).toMatchObject([{ sales: 1_300, shares, store: shares, cameIn: 2 * shares }])
})

/** A clock of which every reading is three seconds after the one before. */
const slowClock = Effect.map(Clock.clockWith(Effect.succeed), (clock) => {
  let millis = end * 1_000
  const slow: Clock.Clock = {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => {
      millis += 3_000
      return millis
    }),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
  }
  return slow
})

test("without the time for all sales it says where to go on, and the parts add up", async () => {
  const times = numbers(1_600).map((place) => begin + 50 * Math.floor(place / 3))
  const overviews = await open(times)
  const parts = await Effect.runPromise(
    Effect.gen(function* () {
      const clock = yield* slowClock
      const parts: Array<{ readonly sales: number; readonly shares: number }> = []
      for (let from: number | null = begin; from !== null; ) {
        const asked = overviews.of(shop, { from, until: end })
        const part = yield* Effect.provideService(asked, Clock.Clock, clock)
        const [euros] = part.currencies
        parts.push({ sales: euros?.sales ?? 0, shares: euros?.shares ?? 0 })
        from = part.next
      }
      return parts
    }),
  )
  const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((all, one) => all + one, 0)
  expect(parts.length).toBeGreaterThan(1)
  expect(sum(parts.map(({ sales }) => sales))).toBe(1_600)
  expect(sum(parts.map(({ shares }) => shares))).toBe((1_600 * 1_601) / 2)
})
