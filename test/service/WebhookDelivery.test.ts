import { createServer, type RequestListener } from "node:http"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates } from "apportion/ports"
import {
  Collaborators,
  servicesLayer,
  settingsLayer,
  WebhookDelivery,
  type WebhookDeliveryOptions,
  Webhooks,
} from "apportion/service"
import { Effect, Fiber, Layer, Logger } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { expect, test, vi } from "vitest"

// One receiver must not hold up what others get: not by being slow or down, not by what it answers, not by its name.

const types = ["collaborator.created"]

/** A client whose receivers are told apart by host: each answers with a status, or never. */
const hosts = (answers: Readonly<Record<string, number | "never">>) => {
  const asked: Array<string> = []
  const client = HttpClient.make((request) =>
    Effect.suspend(() => {
      const { hostname } = new URL(request.url)
      asked.push(hostname)
      const status = answers[hostname] ?? 200
      return status === "never"
        ? Effect.never
        : Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status })))
    }),
  )
  return { asked, answers, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** Lets the round end that begins as soon as the layer is built: it has nothing to send yet. */
const settled = Effect.repeat(Effect.yieldNow, { times: 200 })

const run = <A, E>(
  work: Effect.Effect<A, E, Collaborators | Webhooks | WebhookDelivery>,
  client: Layer.Layer<HttpClient.HttpClient>,
  {
    targets = "public",
    ...options
  }: WebhookDeliveryOptions & { readonly targets?: "public" | "any" } = {},
): Promise<A> => {
  const settings = settingsLayer({ webhookTargets: targets })
  const services = Layer.provideMerge(servicesLayer, [
    Layer.provideMerge(MemoryStorage.layer, settings),
    ExchangeRates.none,
  ])
  const delivery = Layer.provide(WebhookDelivery.layer({ every: "1000 days", ...options }), client)
  const all = Layer.provideMerge(delivery, services).pipe(
    Layer.provideMerge(Logger.layer([])),
    Layer.provideMerge(settings),
    Layer.provideMerge(TestClock.layer()),
  )
  return Effect.runPromise(Effect.scoped(Effect.provide(Effect.andThen(settled, work), all)))
}

const happen = (accountId: string, count = 1) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => `c${index}`),
    (id) => Effect.flatMap(Collaborators, (all) => all.create(accountId, { id, currency: "EUR" })),
  )

const deliver = Effect.flatMap(WebhookDelivery, ({ deliverAll }) => deliverAll)

const until = (isSo: () => boolean) => Effect.promise(() => vi.waitUntil(isSo, { timeout: 10_000 }))

test("a receiver that never answers holds up no other, of its account or of others", async () => {
  const { asked, layer } = hosts({ "dead.example.com": "never" })
  await run(
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      yield* webhooks.create("a", { url: "https://dead.example.com/", types })
      yield* webhooks.create("a", { url: "https://live.example.com/", types })
      yield* webhooks.create("b", { url: "https://other.example.com/", types })
      yield* happen("a")
      const first = yield* Effect.forkChild(deliver)
      yield* until(() => asked.includes("dead.example.com"))
      // While the first round still waits for the answer, the next ones give the others what is new.
      yield* happen("b", 2)
      expect(yield* deliver).toEqual({ delivered: 2, failed: 0 })
      expect(asked.toSorted()).toEqual([
        "dead.example.com",
        "live.example.com",
        "other.example.com",
        "other.example.com",
      ])
      yield* TestClock.adjust("15 seconds")
      expect(yield* Fiber.join(first)).toEqual({ delivered: 1, failed: 1 })
    }),
    layer,
  )
})

test("a slow receiver with much to get is left after half a minute, so that others get their turn", async () => {
  const asked: Array<string> = []
  const slow = HttpClient.make((request) =>
    Effect.andThen(
      Effect.sync(() => {
        asked.push(request.url)
      }),
      Effect.as(
        Effect.sleep("10 seconds"),
        HttpClientResponse.fromWeb(request, new Response(null, { status: 204 })),
      ),
    ),
  )
  const round = await run(
    Effect.gen(function* () {
      yield* (yield* Webhooks).create("a", { url: "https://slow.example.com/", types })
      yield* happen("a", 200)
      const delivering = yield* Effect.forkChild(deliver)
      for (let count = 1; count <= 6; count += 1) {
        yield* until(() => asked.length >= count || delivering.pollUnsafe() !== undefined)
        yield* TestClock.adjust("10 seconds")
      }
      return yield* Fiber.join(delivering)
    }),
    Layer.succeed(HttpClient.HttpClient, slow),
  )
  expect(round.failed).toBe(0)
  expect(round.delivered).toBeGreaterThanOrEqual(3)
  expect(round.delivered).toBeLessThan(7)
})

test("a name that can't be looked up is a failure of its endpoint alone", async () => {
  const { asked, layer } = hosts({})
  const resolve = (host: string) => {
    if (host === "gone.example.com") return Effect.die(new Error("ENOTFOUND"))
    if (host === "inside.example.com") return Effect.succeed(["::ffff:169.254.169.254"])
    return host === "slow.example.com" ? Effect.never : Effect.succeed(["93.184.215.14"])
  }
  await run(
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      for (const name of ["gone", "inside", "slow", "fine"]) {
        yield* webhooks.create("a", { url: `https://${name}.example.com/`, types })
      }
      yield* happen("a")
      const round = yield* Effect.forkChild(deliver)
      yield* until(() => asked.length > 0)
      yield* TestClock.adjust("15 seconds")
      expect(yield* Fiber.join(round)).toEqual({ delivered: 1, failed: 3 })
      const failures = new Map(
        (yield* webhooks.list("a")).map(({ url, failure }) => [url.slice(8, 12), failure]),
      )
      const closed = "the host leads to no public address"
      expect(Object.fromEntries(failures)).toEqual({
        ...{ gone: closed, insi: closed, slow: closed, fine: null },
      })
    }),
    layer,
    { resolve },
  )
  expect(asked).toEqual(["fine.example.com"])
})

test("an address in place of a name is looked up without the brackets that a URL has around it", async () => {
  const { asked, layer } = hosts({})
  const looked: Array<string> = []
  const resolve = (host: string) =>
    Effect.sync(() => {
      looked.push(host)
      return [host]
    })
  await run(
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      yield* webhooks.create("a", { url: "https://[2606:4700::1111]/", types })
      yield* webhooks.create("a", { url: "https://8.8.8.8/", types })
      yield* happen("a")
      expect(yield* deliver).toEqual({ delivered: 2, failed: 0 })
    }),
    layer,
    { resolve },
  )
  expect(looked.toSorted()).toEqual(["2606:4700::1111", "8.8.8.8"])
  expect(asked).toHaveLength(2)
})

test("dead letters that are sent again to a receiver that is down wait like any other event", async () => {
  const { asked, answers, layer } = hosts({ "down.example.com": 500 })
  await run(
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { id } = yield* webhooks.create("a", { url: "https://down.example.com/", types })
      yield* happen("a", 5)
      for (let hours = 0; hours < 80; hours += 4) {
        yield* deliver
        yield* TestClock.adjust("4 hours")
      }
      expect(yield* webhooks.replayDeadLetters("a", id)).toBe(5)
      const before = asked.length
      yield* deliver
      yield* deliver
      expect(asked.length - before).toBe(1)
      expect((yield* webhooks.get("a", id)).failure).toBe("answered 500")
      Object.assign(answers, { "down.example.com": 204 })
      yield* TestClock.adjust("5 seconds")
      expect(yield* deliver).toEqual({ delivered: 4, failed: 0 })
      // The one that failed again stays.
      expect(yield* webhooks.deadLetters("a", id)).toHaveLength(1)
    }),
    layer,
  )
})

const serve = async (answer: RequestListener) => {
  let open = 0
  const server = createServer(answer)
  server.on("connection", (socket) => {
    open += 1
    socket.on("close", () => {
      open -= 1
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/`, open: () => open, server }
}

test("an answer without an end arrives, and its connection is given up", async () => {
  const chunk = Buffer.alloc(65_536)
  const { url, open, server } = await serve((request, response) => {
    request.resume()
    const more = () => {
      if (!response.destroyed) response.write(chunk, more)
    }
    more()
  })
  await run(
    Effect.gen(function* () {
      yield* (yield* Webhooks).create("a", { url, types })
      yield* happen("a", 8)
      expect(yield* deliver).toEqual({ delivered: 8, failed: 0 })
      yield* until(() => open() === 0)
    }),
    FetchHttpClient.layer,
    { targets: "any" },
  )
  server.close()
})
