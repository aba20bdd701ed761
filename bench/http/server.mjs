// The servers that are measured, one process each: `node server.mjs api` and `node server.mjs constant`.
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { Effect, Layer } from "effect"
import { toWebHandler } from "../../dist/http/index.js"
import { MemoryStorage } from "../../dist/memory/index.js"
import { ExchangeRates, Storage, Tokens } from "../../dist/ports/index.js"
import { servicesLayer } from "../../dist/service/index.js"
import { accountId, seed } from "./seed.mjs"

/** The bare handler: the same bridge, and an answer that costs nothing to make. */
const constant = async () => {
  const body = JSON.stringify({ data: [], meta: {} })
  const headers = { "content-type": "application/json" }
  return () => new Response(body, { headers })
}

const api = async () => {
  const storage = await Effect.runPromise(MemoryStorage.make)
  await Effect.runPromise(seed(storage))
  const services = Layer.provide(servicesLayer, [
    Layer.succeed(Storage)(storage),
    ExchangeRates.none,
  ])
  const tokens = Tokens.fixed([{ token: "bench", accountId }])
  const options = { ratePerMinute: "unlimited", logRequests: false }
  const { handler, started } = toWebHandler(Layer.merge(services, tokens), options)
  await started
  return handler
}

const [kind = "api"] = process.argv.slice(2)
const handler = await (kind === "constant" ? constant() : api())
const respond = getRequestListener(handler, { overrideGlobalObjects: false })
const server = createServer((request, response) => void respond(request, response))
server.listen(0, "127.0.0.1", () => {
  const megabytes = Math.round(process.memoryUsage().rss / 1e6)
  console.log(JSON.stringify({ port: server.address().port, megabytes }))
})
process.on("SIGTERM", () => process.exit(0))
