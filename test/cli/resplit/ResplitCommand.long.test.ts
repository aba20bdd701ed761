/** Splitting stored sales again changes what a backtest of the same orders says, once, and refunds leave nothing of it. */
import type { Order } from "apportion"
import { type Apportion, makeApportion } from "apportion/promise"
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, expect, inject, test } from "vitest"
import { clientFor, postgres } from "../../sql/databases.js"
import { Folder, run } from "../world.js"

const sizes = Number(process.env.APPORTION_RESPLITS ?? 24)

const files = new Folder()
afterAll(() => files.remove())

// A folder is opened by one at a time, and each opening of one takes seconds.
const database = "resplit_command"
const client = clientFor(() => postgres(database))

const account = "default"

const orders: ReadonlyArray<Order.Order> = Array.from({ length: sizes }, (_, index) => ({
  ...{ id: `o${index}`, currency: index % 7 === 0 ? "USD" : "EUR" },
  createdAt: Date.UTC(2025, index % 12, 3 + (index % 20)) / 1_000,
  shippingAmount: index % 3 === 0 ? 490 : 0,
  items: [
    { id: "1", product: { id: "p1", name: "Mug" }, quantity: 3, amount: 1_000 + 37 * index },
    { id: "2", product: { id: "p2", name: "Cup" }, quantity: 1, amount: 499 },
  ],
}))

const group = (id: string, collaborator: string, percentage: string, product?: string) => ({
  ...{ id, collaborator_id: collaborator, type: "percentage", percentage },
  ...(product === undefined
    ? { itemType: "products.all" }
    : { itemType: "products", items: [product], type_modifier: "WITH" }),
})

const wire = (order: Order.Order) => ({
  ...{ id: order.id, currency: order.currency, created_at: order.createdAt },
  shipping_amount: order.shippingAmount,
  items: order.items.map(({ id, product, quantity, amount }) => ({
    id,
    product,
    quantity,
    amount,
  })),
})

const open = async (): Promise<Apportion> => {
  const made = Effect.provideService(
    SqlStorage.make({ migrate: true }),
    SqlClient.SqlClient,
    client(),
  )
  const storage = await Effect.runPromise(made)
  return makeApportion({ storage, exchangeRates: async () => "0.9" })
}

const fill = async ({ collaborators, groups, sales }: Apportion) => {
  await collaborators.create(account, { id: "ada", currency: "EUR", account: { name: "Ada" } })
  await collaborators.create(account, { id: "ben", currency: "EUR", account: { name: "Ben" } })
  const link = { type: "products.all" } as const
  await groups.create(account, "ada", { id: "g1", link, percent: "12.5" })
  const cup = { type: "products", modifier: "WITH", values: ["p2"] } as const
  await groups.create(account, "ben", { id: "g2", link: cup, percent: "7" })
  for (const order of orders) await sales.record(account, order)
  await groups.update(account, "ada", "g1", { percent: "14.25" })
}

const totals = async ({ payouts }: Apportion) => {
  const { entries } = await payouts.list(account)
  return entries.map(({ payout: { collaboratorId, total } }) => [collaboratorId, total] as const)
}

interface Row {
  readonly collaborator_id: string | null
  readonly currency: string
  readonly month: string
  readonly difference: number | string
}

const rowsOf = (rows: ReadonlyArray<Row>) =>
  rows
    .filter(({ difference }) => Number(difference) !== 0)
    .map((row) => [row.collaborator_id, row.currency, row.month, Number(row.difference)].join(" "))
    .sort()

test("the differences are the backtest's, are booked once, and full refunds leave nobody anything", async () => {
  const apportion = await open()
  await fill(apportion)
  const address = new URL(inject("postgresUrl"))
  address.pathname = `/${database}`
  const before = files.file("before.json", [
    group("g1", "ada", "12.5"),
    group("g2", "ben", "7", "p2"),
  ])
  const after = files.file("after.json", [
    group("g1", "ada", "14.25"),
    group("g2", "ben", "7", "p2"),
  ])
  const input = files.file("orders.json", orders.map(wire))
  const backtest = await run([
    ...["backtest", "--groups", before, "--against", after, "--orders", input],
    ...["--format", "json"],
  ])
  const flags = ["resplit", "--database-url", address.href, "--format", "json"]
  const shown = await run(flags)
  const preview = JSON.parse(shown.out)
  expect(preview).toMatchObject({ sales: sizes, changed: sizes, refused: [] })
  expect(rowsOf(preview.totals)).toEqual(rowsOf(JSON.parse(backtest.out).rows))
  expect(rowsOf(preview.totals).length).toBeGreaterThan(11)

  const booked = await run([...flags, "--book", preview.digest, "--reason", "the new contract"])
  expect(JSON.parse(booked.out)).toMatchObject({ status: "booked", adjusted: sizes, left_out: [] })

  expect(await apportion.resplits.preview(account, {})).toMatchObject({ changed: 0 })
  const all = await totals(apportion)
  expect(all.every(([, total]) => total > 0)).toBe(true)
  for (const { id } of orders) {
    for (const itemId of ["1", "2"]) {
      const refund = { id: `${id}/${itemId}`, orderId: id, itemId, remaining: true } as const
      await apportion.sales.refund(account, refund)
    }
  }
  expect((await totals(apportion)).map(([, total]) => total)).toEqual(all.map(() => 0))
  expect(await apportion.audit.payouts(account)).toMatchObject({ differences: [] })
  expect(await apportion.audit.sales(account)).toEqual({
    checked: sizes,
    differences: [],
    counters: [],
  })
  await apportion.close()
}, 120_000)
