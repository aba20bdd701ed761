// Records a sale with an earlier version, which was built in a folder of its own: `node earlierSale.mjs FOLDER URL`. It uses that
// folder's packages, which may be other versions than those here, so it is a process of its own.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { accountId, groups, orderOf } from "./orders.mjs"

const [folder, url] = process.argv.slice(2)
const from = (path) => import(pathToFileURL(join(folder, path)).href)

const { Effect, Layer, Redacted } = await from("node_modules/effect/dist/index.js")
const { PgClient } = await from("node_modules/@effect/sql-pg/dist/index.js")
const { ExchangeRates } = await from("dist/ports/index.js")
const services = await from("dist/service/index.js")
const { SqlStorage } = await from("dist/sql/index.js")

const { Collaborators, ProductGroups, Sales, servicesLayer } = services
const recorded = Effect.gen(function* () {
  for (const { collaboratorId, ...group } of groups) {
    yield* (yield* Collaborators).create(accountId, { id: collaboratorId, currency: "USD" })
    yield* (yield* ProductGroups).create(accountId, collaboratorId, group)
  }
  yield* (yield* Sales).record(accountId, orderOf(1))
})
const storage = SqlStorage.layer({ migrate: true })
const layer = servicesLayer.pipe(
  Layer.provide([storage, ExchangeRates.none]),
  Layer.provide(PgClient.layer({ url: Redacted.make(url) })),
)
// What it logs is nobody's concern here.
console.log = () => undefined
await Effect.runPromise(Effect.provide(recorded, layer))
