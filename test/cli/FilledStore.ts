/** Two accounts with some of everything, in a folder or on a server. */
import { cpSync } from "node:fs"
import { toWebHandler } from "apportion/http"
import { ExchangeRates, Tokens } from "apportion/ports"
import {
  Collaborators,
  Events,
  Idempotency,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  servicesLayer,
  Webhooks,
} from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Effect, Layer, Logger, Redacted } from "effect"
import * as Database from "../../src/cli/data/Database.js"
import type { Kept } from "../../src/cli/data/DatabaseOptions.js"
import { templateOf } from "../templates.js"
import { migratedFolder } from "./DataFolders.js"

/** A folder as a place. */
export const folderAt = (path: string): Kept => ({ _tag: "Folder", path })

/** A server's database as a place. */
export const serverAt = (url: string): Kept => ({
  ...{ _tag: "Server", url: Redacted.make(url), shown: "the server", connections: 4 },
})

/** What no table of text is fond of: quotes, letters of no language, half of a pair, a NUL. */
const strange = "O'Neil \\ \"\t\n\u0000 🦜 \ud800 \u2028 $1 -- '); DROP TABLE payouts"

const order = (id: string, amount: number, currency = "EUR") => ({
  ...{ id, currency, createdAt: 1_700_000_000 },
  items: [1, 2, 3].map((item) => ({
    ...{ id: `${item}`, amount, quantity: item },
    product: { id: `p${item}`, name: strange, tags: ["art", strange] },
  })),
})

const fillAccount = Effect.fnUntraced(function* (account: string) {
  const collaborators = yield* Collaborators
  yield* collaborators.create(account, { id: "ada", currency: "EUR" })
  yield* collaborators.create(account, { id: strange, currency: "USD", notes: strange })
  const products = [1, 2, 3].map((item) => ({ id: `p${item}`, name: strange, tags: ["art"] }))
  yield* (yield* Products).put(account, products)
  const groups = yield* ProductGroups
  yield* groups.create(account, "ada", { link: { type: "products.all" }, percent: "12.50" })
  const tag = { type: "products.tag", values: ["art", strange] } as const
  yield* groups.create(account, strange, { link: tag, amount: 7 })
  const sales = yield* Sales
  for (let count = 0; count < 40; count += 1) {
    yield* sales.record(account, order(`o${count}`, 1_000 + count))
  }
  yield* sales.record(account, order(strange, 999_999_999_999))
  const refund = { orderId: "o1", itemId: "1", amount: 500 }
  yield* sales.refund(account, { id: "r1", ...refund })
  const payouts = yield* Payouts
  const { entries } = yield* payouts.list(account, {}, { page: 1, perPage: 15 })
  for (const { payout } of entries) {
    yield* payouts.addIncome(account, payout.id, { amount: 1_000, name: "Workshop" })
  }
  const [first] = entries
  if (first !== undefined) yield* payouts.setPaid(account, first.payout.id)
  yield* sales.refund(account, { id: strange, ...refund, itemId: "2" })
  const keyed = { key: strange, request: "{}" }
  yield* (yield* Idempotency).once(account, keyed, Effect.succeed(strange))
  yield* (yield* Webhooks).create(account, { url: "https://example.com/hook" })
  // Events get their numbers when they are asked for; those of the last change have none yet.
  yield* (yield* Events).after(account, 0)
  yield* payouts.closeDue(account)
  yield* sales.refund(account, { id: "r3", ...refund, amount: 1, itemId: "3" })
})

/** The services over a place. */
const servicesAt = (place: Kept) => {
  const client = Database.layer(place, { create: true, note: () => undefined })
  return servicesLayer.pipe(
    Layer.provide(SqlStorage.layer({ migrate: true })),
    Layer.provide([client, ExchangeRates.fixed({ "EUR/USD": "1.08" }), Logger.layer([])]),
  )
}

/** Fills a place that has nothing yet. */
const fill = (place: Kept): Promise<void> =>
  Effect.forEach(["default", strange], fillAccount, { discard: true }).pipe(
    Effect.provide(servicesAt(place)),
    Effect.provide(Logger.layer([])),
    Effect.runPromise,
  )

/** Makes a folder with these two accounts; gives its path. */
export const filledFolder = async (path: string): Promise<string> => {
  const template = await templateOf("filled", async (own) =>
    fill(folderAt(await migratedFolder(own))),
  )
  cpSync(template, path, { recursive: true })
  return path
}

/** Records one more sale; gives its shares. */
export const recordMore = (place: Kept, id: string) =>
  Effect.flatMap(Sales, (sales) => sales.record("default", order(id, 2_000))).pipe(
    Effect.map(({ parts }) =>
      parts.flatMap(({ split }) => split.shares.map(({ amount }) => amount)),
    ),
    Effect.provide(servicesAt(place)),
    Effect.provide(Logger.layer([])),
    Effect.runPromise,
  )

/** What the HTTP API over a place answers to requests of the account "default". */
export const askOverHttp = async (
  place: Kept,
  paths: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const tokens = Tokens.fixed([{ token: "secret", accountId: "default" }])
  const api = toWebHandler(Layer.merge(servicesAt(place), tokens), { logRequests: false })
  const headers = { authorization: "Bearer secret" }
  const ask = (path: string) =>
    api.handler(new Request(`http://localhost/api/v1/${path}`, { headers }))
  const answers = await Promise.all(paths.map(async (path) => (await ask(path)).text()))
  await api.dispose()
  return answers
}
