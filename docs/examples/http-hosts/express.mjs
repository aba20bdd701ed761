/**
 * The API in an Express application, after a route of its own.
 *
 *   PORT=8080 node express.mjs
 */
import { getRequestListener } from "@hono/node-server"
import express from "express"
import { makeApi } from "./api.mjs"

const { handler, drain, close } = await makeApi({ publicUrl: process.env.PUBLIC_URL })
const app = express()

app.get("/hello", (_, response) => {
  response.send("This is the shop's own page.")
})

// Everything else is for the API. No body parser may come before: it would leave nothing to read.
const listener = getRequestListener(handler, { overrideGlobalObjects: false })
app.use((request, response) => listener(request, response))

// Whoever needs parsed bodies has them after the API, or for routes of their own:
// app.post("/hello", express.json(), (request, response) => { … })

const server = app.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`)
})

process.once("SIGTERM", () => {
  drain()
  server.close(close)
  // Else connections that are in use now would be kept for one request after the other.
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"))
})
