/**
 * The API in Node's own HTTP server.
 *
 *   PORT=8080 node node.mjs
 */
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { makeApi } from "./api.mjs"

const { handler, drain, close } = await makeApi({ publicUrl: process.env.PUBLIC_URL })

// Makes a Request of what Node has, and writes the Response that comes of it.
const listener = getRequestListener(handler, { overrideGlobalObjects: false })
const server = createServer(listener)

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`)
})

process.once("SIGTERM", () => {
  drain()
  server.close(close)
  // Else connections that are in use now would be kept for one request after the other.
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"))
})
