/**
 * The API in a Hono application, beside a route of its own.
 *
 *   PORT=8080 node hono.mjs
 */
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { makeApi } from "./api.mjs"

const { handler, drain, close } = await makeApi({ publicUrl: process.env.PUBLIC_URL })
const app = new Hono()

app.get("/hello", (context) => context.text("This is the shop's own page."))

// Everything else is for the API, which takes the request as it came.
app.all("*", (context) => handler(context.req.raw))

const port = Number(process.env.PORT ?? 8080)
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) => {
  process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})

process.once("SIGTERM", () => {
  drain()
  server.close(() => close())
  // Else connections that are in use now would be kept for one request after the other.
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"))
})
