/**
 * Runs `worker.mjs` here, in the place of the platform that it is for.
 *
 *   PORT=8080 node worker-host.mjs
 */
import { serve } from "@hono/node-server"
import { worker } from "./worker.mjs"

const port = Number(process.env.PORT ?? 8080)
const server = serve({ ...worker, port, hostname: "127.0.0.1" }, (address) => {
  process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})

// A platform ends a worker without telling it: what has to be kept must be in a storage by then.
process.once("SIGTERM", () => {
  server.close()
  // Else connections that are in use now would be kept for one request after the other.
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"))
})
