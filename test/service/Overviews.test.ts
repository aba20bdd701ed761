import { makeApportion } from "apportion/promise"
import { Overviews } from "apportion/service"
import { Context, Effect } from "effect"
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
  const { currencies } = await Effect.runPromise(overviews.of(shop, { from: begin, until: end }))
  const shares = (1_300 * 1_301) / 2
  expect(currencies).toMatchObject([{ sales: 1_300, shares, store: shares, cameIn: 2 * shares }])
})
