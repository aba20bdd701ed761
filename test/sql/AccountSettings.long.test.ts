import { makeApportion } from "apportion/promise"
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, test } from "vitest"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

// A change of an account's settings and a sale come one after the other, also where several processes share a database.

const shop = "shop"
const page = { page: 1, perPage: 100 }
const order = (id: string) => ({
  ...{ id, currency: "USD" },
  items: [{ id: "1", product: { id: "p1", cost: 500 }, quantity: 1, amount: 10_000 }],
})

const engines: ReadonlyArray<{
  readonly name: string
  readonly layer: Parameters<typeof clientFor>[0]
  readonly options: SqlStorage.SqlStorageOptions
}> = [
  { name: "PGlite", layer: () => pglite, options: {} },
  { name: "PostgreSQL", layer: () => postgres("settings_queue"), options: {} },
  {
    name: "PostgreSQL, optimistic",
    layer: () => postgres("settings_optimistic"),
    options: { concurrency: "optimistic" },
  },
]

/** A client that notes each statement of its transactions. */
const noting = (sql: SqlClient.SqlClient, seen: Array<string>): SqlClient.SqlClient =>
  new Proxy(sql, {
    get: (of, name): unknown =>
      name === "reserve"
        ? Effect.map(
            sql.reserve,
            (connection) =>
              new Proxy(connection, {
                get: (inner, method): unknown => {
                  const member: unknown = Reflect.get(inner, method)
                  if (typeof member !== "function") return member
                  return (statement: string, ...rest: ReadonlyArray<unknown>) => {
                    seen.push(statement)
                    return Reflect.apply(member, inner, [statement, ...rest])
                  }
                },
              }),
          )
        : Reflect.get(of, name),
  })

describe.each(engines)("on $name", ({ layer, options }) => {
  const client = clientFor(layer)
  const openOn = async (sql: SqlClient.SqlClient) => {
    const storage = await Effect.runPromise(emptyStorage(sql, options))
    return makeApportion({ storage })
  }

  test("sales of two processes have the settings of before or after a change, whole", async () => {
    const first = await openOn(client())
    await first.collaborators.create(shop, { id: "ada", currency: "USD" })
    const group = { id: "g1", link: { type: "products.all" }, percent: 10 } as const
    await first.groups.create(shop, "ada", group)
    const storage = await Effect.runPromise(
      Effect.provideService(SqlStorage.make(options), SqlClient.SqlClient, client()),
    )
    const second = await makeApportion({ storage })
    const policy = { tax: "keep", cost: "deduct" } as const
    const half = Array.from({ length: 5 }, (_, index) => index)
    await Promise.all([
      ...half.map((index) => first.sales.record(shop, order(`a${index}`))),
      second.settings.change(shop, { policy }),
      ...half.map((index) => first.sales.record(shop, order(`b${index}`))),
      ...half.map((index) => second.sales.record(shop, order(`c${index}`))),
    ])
    await first.sales.record(shop, order("last"))
    const { entries } = await first.sales.list(shop, {}, page)
    const kinds = new Set(entries.map((sale) => `${sale.policy.tax} ${sale.policy.cost}`))
    expect([...kinds].filter((kind) => !["remove ignore", "keep deduct"].includes(kind))).toEqual(
      [],
    )
    const last = entries.find(({ orderId }) => orderId === "last")
    expect(last?.policy).toMatchObject(policy)
    for (const { orderId } of entries) await first.sales.replay(shop, orderId)
    await Promise.all([first.close(), second.close()])
  })

  test("a sale asks for the settings with no statement of its own", async () => {
    const seen: Array<string> = []
    const apportion = await openOn(noting(client(), seen))
    await apportion.collaborators.create(shop, { id: "ada", currency: "USD" })
    const statements = async (id: string) => {
      seen.length = 0
      await apportion.sales.record(shop, order(id))
      return [...seen]
    }
    await statements("first")
    const before = await statements("before")
    await apportion.settings.change(shop, { policy: { tax: "keep" } })
    const after = await statements("after")
    expect(after).toEqual(before)
    expect(after.filter((statement) => statement.includes("settings::text"))).toHaveLength(1)
    expect(after.find((statement) => statement.includes("settings::text"))).toContain("account_id")
    await apportion.close()
  })
})
