/**
 * The API in a Fastify application, beside a route of its own.
 *
 *   PORT=8080 node fastify.mjs
 */
import { getRequestListener } from "@hono/node-server"
import { fastify } from "fastify"
import { makeApi } from "./api.mjs"

const { handler, drain, close } = await makeApi({ publicUrl: process.env.PUBLIC_URL })
const listener = getRequestListener(handler, { overrideGlobalObjects: false })
const app = fastify()

app.get("/hello", () => "This is the shop's own page.")

// Everything else is for the API. In this scope alone Fastify reads no bodies, so that the API can.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _body, done) => done(null))
  scope.all("/*", (request, reply) => {
    reply.hijack()
    return listener(request.raw, reply.raw)
  })
})

app.addHook("onClose", close)
const url = await app.listen({ port: Number(process.env.PORT ?? 8080), host: "127.0.0.1" })
process.stdout.write(`${url}\n`)

process.once("SIGTERM", () => {
  drain()
  app.close()
})
