import { createServer } from "node:http"
import { AccountEvent, WebhookTarget } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, type Storage } from "apportion/ports"
import {
  Collaborators,
  Events,
  servicesLayer,
  settingsLayer,
  WebhookDelivery,
  Webhooks,
} from "apportion/service"
import { Effect, Fiber, Layer, Logger, Result } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { afterAll, describe, expect, test, vi } from "vitest"

const shop = "shop"
const url = "https://example.com/hooks"
const hour = 3_600_000

/** What came to an endpoint. */
interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver that answers with a status, or not at all. */
const receiver = (answer: (received: Received, count: number) => number | "never" = () => 200) => {
  const received: Array<Received> = []
  const client = HttpClient.make((request) =>
    Effect.suspend(() => {
      const body = request.body._tag === "Uint8Array" ? request.body.body : new Uint8Array()
      const text = new TextDecoder().decode(body)
      const one = { url: request.url, headers: { ...request.headers }, body: text }
      const status = answer(one, received.length + 1)
      received.push(one)
      return status === "never"
        ? Effect.never
        : Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status })))
    }),
  )
  return { received, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

type Used = Collaborators | Events | Webhooks | WebhookDelivery | Storage

const services = (targets: "public" | "any") =>
  Layer.provideMerge(servicesLayer, [
    Layer.provideMerge(MemoryStorage.layer, settingsLayer({ webhookTargets: targets })),
    ExchangeRates.none,
  ])

const runWith = <A, E>(
  work: Effect.Effect<A, E, Used>,
  client: Layer.Layer<HttpClient.HttpClient>,
  targets: "public" | "any" = "public",
): Promise<A> => {
  const settings = settingsLayer({ webhookTargets: targets })
  const delivery = Layer.provide(WebhookDelivery.layer({ every: "1000 days" }), client)
  const all = Layer.provideMerge(delivery, services(targets)).pipe(
    Layer.provideMerge(Logger.layer([])),
    Layer.provideMerge(settings),
  )
  return Effect.runPromise(
    Effect.provide(work, Layer.provideMerge(all, TestClock.layer())).pipe(Effect.scoped),
  )
}

const create = (id: string) =>
  Effect.flatMap(Collaborators, (all) => all.create(shop, { id, currency: "EUR" }))

const deliver = Effect.flatMap(WebhookDelivery, ({ deliverAll }) => deliverAll)

/** Waits until so many came: they are signed by promises, which no clock drives. */
const arrived = (received: ReadonlyArray<Received>, count: number) =>
  Effect.promise(() => vi.waitUntil(() => received.length >= count, { timeout: 10_000 }))

const idsOf = (received: ReadonlyArray<Received>) =>
  received.map(({ headers }) => headers["webhook-id"])
const namesOf = (received: ReadonlyArray<Received>): ReadonlyArray<unknown> =>
  received.map(({ body }) => JSON.parse(body).data.collaborator_id)

describe("webhooks", () => {
  test("are signed so that a library of Standard Webhooks takes them, with the event as its body", async () => {
    const { received, layer } = receiver()
    const { key, events } = await runWith(
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.now())
        const { key } = yield* (yield* Webhooks).create(shop, { url })
        yield* create("ada")
        yield* deliver
        return { key, events: yield* (yield* Events).after(shop, 0) }
      }),
      layer,
    )
    const told = events.filter(({ type }) => type === "collaborator.created")
    expect(received.map(({ body }) => JSON.parse(body))).toEqual(events.map(AccountEvent.toJson))
    expect(told).toHaveLength(1)
    for (const { body, headers } of received) {
      expect(new Webhook(key).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(key).verify(`${body} `, headers)).toThrow(/signature/)
      expect(headers["content-type"]).toBe("application/json")
    }
  })

  test("are signed with the old key too while it is being replaced, and not afterwards", async () => {
    const { received, layer } = receiver()
    const [first, second] = await runWith(
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.now())
        const webhooks = yield* Webhooks
        const made = yield* webhooks.create(shop, { url, types: ["collaborator.created"] })
        const rotated = yield* webhooks.rotate(shop, made.id, { overlapSeconds: 60 })
        yield* create("ada")
        yield* deliver
        yield* TestClock.adjust("61 seconds")
        yield* create("ben")
        yield* deliver
        return [made.key, rotated.key] as const
      }),
      layer,
    )
    const verified = (index: number, key: string): boolean => {
      const { body = "", headers = {} } = received[index] ?? {}
      return Result.isSuccess(Result.try(() => new Webhook(key).verify(body, headers)))
    }
    expect(namesOf(received)).toEqual(["ada", "ben"])
    expect([verified(0, first), verified(0, second)]).toEqual([true, true])
    expect([verified(1, first), verified(1, second)]).toEqual([false, true])
  })

  test("come in order and each with the same id again, until one arrives", async () => {
    let isDown = true
    const { received, layer } = receiver(() => (isDown ? 500 : 204))
    await runWith(
      Effect.gen(function* () {
        yield* (yield* Webhooks).create(shop, { url, types: ["collaborator.created"] })
        yield* create("ada")
        yield* create("ben")
        yield* deliver
        yield* TestClock.adjust("5 seconds")
        yield* deliver
        isDown = false
        yield* TestClock.adjust("30 seconds")
        yield* deliver
        yield* deliver
      }),
      layer,
    )
    expect(namesOf(received)).toEqual(["ada", "ada", "ada", "ben"])
    expect(new Set(idsOf(received)).size).toBe(2)
  })

  test("are not sent again before the wait is over, which grows with each failure", async () => {
    const { received, layer } = receiver(() => 503)
    const waits = await runWith(
      Effect.gen(function* () {
        yield* (yield* Webhooks).create(shop, { url, types: ["collaborator.created"] })
        yield* create("ada")
        const times: Array<number> = []
        for (let second = 0; second <= 800; second += 1) {
          const before = received.length
          yield* deliver
          if (received.length > before) times.push(second)
          yield* TestClock.adjust("1 second")
        }
        return times
      }),
      layer,
    )
    expect(waits).toEqual([0, 5, 35, 155, 755])
  })

  test("are set aside after three days, and sent again when they are asked for", async () => {
    let isDown = true
    const { received, layer } = receiver(() => (isDown ? 500 : 200))
    const { before, letters, again, left } = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { id } = yield* webhooks.create(shop, { url, types: ["collaborator.created"] })
        yield* create("ada")
        for (let hours = 0; hours < 71; hours += 1) {
          yield* deliver
          yield* TestClock.adjust(hour)
        }
        const before = yield* webhooks.deadLetters(shop, id)
        yield* create("ben")
        for (let hours = 0; hours < 9; hours += 1) {
          yield* TestClock.adjust(hour)
          yield* deliver
        }
        const letters = yield* webhooks.deadLetters(shop, id)
        isDown = false
        received.length = 0
        const again = yield* webhooks.replayDeadLetters(shop, id)
        yield* deliver
        return { before, letters, again, left: yield* webhooks.deadLetters(shop, id) }
      }),
      layer,
    )
    expect(before).toEqual([])
    expect(letters.map(({ event, failure }) => ({ data: event.data, failure }))).toEqual([
      { data: { collaboratorId: "ada", currency: "EUR" }, failure: "answered 500" },
    ])
    expect(again).toBe(1)
    expect(namesOf(received)).toEqual(["ada", "ben"])
    expect(left).toEqual([])
  })

  test("of the types that were asked for are sent, and of all others none", async () => {
    const { received, layer } = receiver()
    await runWith(
      Effect.gen(function* () {
        yield* (yield* Webhooks).create(shop, { url, types: ["collaborator.updated"] })
        yield* create("ada")
        yield* Effect.flatMap(Collaborators, (all) =>
          all.update(shop, "ada", { payoutThreshold: 5 }),
        )
        yield* deliver
      }),
      layer,
    )
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(["collaborator.updated"])
  })

  test("begin with the next event, or with the one that was asked for, and are replayed from a number", async () => {
    const { received, layer } = receiver()
    await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const types = ["collaborator.created"]
        yield* create("ada")
        const { id } = yield* webhooks.create(shop, { url, types })
        yield* webhooks.create(shop, { url: "https://example.com/all", types, after: 0 })
        yield* create("ben")
        yield* deliver
        yield* webhooks.replay(shop, id, 0)
        yield* deliver
      }),
      layer,
    )
    const names = (path: string) => namesOf(received.filter((one) => one.url.endsWith(path)))
    expect(names("/hooks")).toEqual(["ben", "ada", "ben"])
    expect(names("/all")).toEqual(["ada", "ben"])
  })

  test("are sent by one process at a time, and by another when that one is gone", async () => {
    const { received, layer } = receiver((_, count) => (count === 1 ? "never" : 200))
    await runWith(
      Effect.gen(function* () {
        yield* (yield* Webhooks).create(shop, { url, types: ["collaborator.created"] })
        yield* create("ada")
        const gone = yield* Effect.forkChild(deliver)
        yield* arrived(received, 1)
        yield* deliver
        expect(received).toHaveLength(1)
        yield* Fiber.interrupt(gone)
        yield* TestClock.adjust("61 seconds")
        yield* deliver
      }),
      layer,
    )
    expect(namesOf(received)).toEqual(["ada", "ada"])
    expect(new Set(idsOf(received)).size).toBe(1)
  })

  test("that get no answer in time have failed", async () => {
    const { received, layer } = receiver(() => "never")
    const failure = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        yield* webhooks.create(shop, { url, types: ["collaborator.created"] })
        yield* create("ada")
        const delivering = yield* Effect.forkChild(deliver)
        yield* arrived(received, 1)
        yield* TestClock.adjust("16 seconds")
        yield* Fiber.join(delivering)
        return (yield* webhooks.list(shop)).map(({ failure, attempts }) => ({ failure, attempts }))
      }),
      layer,
    )
    expect(failure).toEqual([{ failure: "gave no answer in time", attempts: 1 }])
  })

  test("are not sent any more to an endpoint that says it is gone, until it is active again", async () => {
    const { received, layer } = receiver((_, count) => (count === 1 ? 410 : 200))
    await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { id } = yield* webhooks.create(shop, { url, types: ["collaborator.created"] })
        yield* create("ada")
        yield* deliver
        yield* TestClock.adjust("1 day")
        yield* deliver
        expect((yield* webhooks.get(shop, id)).isActive).toBe(false)
        expect(received).toHaveLength(1)
        yield* webhooks.update(shop, id, { isActive: true })
        yield* deliver
      }),
      layer,
    )
    expect(namesOf(received)).toEqual(["ada", "ada"])
  })

  test("an endpoint has five keys in use at most, so that a message has no more signatures", async () => {
    const { received, layer } = receiver()
    const { refused, kept, after } = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { id } = yield* webhooks.create(shop, { url })
        for (let key = 2; key <= 5; key += 1) yield* webhooks.rotate(shop, id)
        const refused = yield* Effect.flip(webhooks.rotate(shop, id))
        const kept = yield* webhooks.get(shop, id)
        yield* deliver
        yield* webhooks.rotate(shop, id, { overlapSeconds: 0 })
        yield* webhooks.rotate(shop, id)
        return { refused, kept, after: yield* webhooks.get(shop, id) }
      }),
      layer,
    )
    expect(refused).toMatchObject({
      _tag: "InvalidEndpoint",
      problems: [{ path: "overlapSeconds", value: 86_400 }],
    })
    expect(refused.message).toContain("as long as 5 of them are in use")
    expect(kept.keys).toHaveLength(5)
    expect(after.keys).toHaveLength(2)
    const signatures = received.map(({ headers }) => headers["webhook-signature"]?.split(" "))
    expect(signatures[0]).toHaveLength(5)
  })

  test("keys are shown once: not in lists, events, logs or errors", async () => {
    const { layer } = receiver(() => 500)
    const own = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const seen = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { id, key } = yield* webhooks.create(shop, { url, key: own })
        const rotated = yield* webhooks.rotate(shop, id)
        yield* deliver
        const refused = yield* Effect.flip(webhooks.create(shop, { url, key: `${own}!` }))
        const events = yield* (yield* Events).after(shop, 0)
        const all = [yield* webhooks.list(shop), yield* webhooks.get(shop, id), events, refused]
        return { keys: [key, rotated.key], text: JSON.stringify(all) }
      }),
      layer,
    )
    expect(seen.keys[0]).toBe(own)
    for (const key of seen.keys) expect(seen.text).not.toContain(key.slice(0, 20))
  })

  test("no event tells more of an endpoint's URL than its host: the rest is often a secret", async () => {
    const events = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const secret = "https://hooks.example.com:8443/T01/wren-heron?key=wren-heron"
        const { id } = yield* webhooks.create(shop, { url: secret })
        yield* webhooks.update(shop, id, { url: `${secret}2` })
        yield* webhooks.rotate(shop, id)
        yield* webhooks.replay(shop, id, 0)
        yield* webhooks.replayDeadLetters(shop, id)
        yield* deliver
        yield* webhooks.remove(shop, id)
        return yield* (yield* Events).after(shop, 0)
      }),
      receiver(() => 410).layer,
    )
    expect(events).toHaveLength(7)
    expect(JSON.stringify(events)).not.toContain("wren-heron")
    expect(events[0]?.data).toMatchObject({ host: "hooks.example.com:8443" })
  })

  test("events that an active endpoint did not get yet are not forgotten", async () => {
    const { layer } = receiver(() => 500)
    const gone = await runWith(
      Effect.gen(function* () {
        const [webhooks, events] = [yield* Webhooks, yield* Events]
        const { id } = yield* webhooks.create(shop, { url })
        yield* create("ada")
        yield* TestClock.adjust("40 days")
        const waiting = yield* events.purge(shop)
        yield* webhooks.update(shop, id, { isActive: false })
        return [waiting, yield* events.purge(shop)]
      }),
      layer,
    )
    expect(gone).toEqual([0, 2])
  })
})

describe("the URL of an endpoint", () => {
  const isRefused = (given: string) => Result.isFailure(WebhookTarget.parse(given, "public"))

  test.each([
    ...["http://example.com", "ftp://example.com", "example.com", "", "https://", "javascript:1"],
    ...["https://localhost", "https://a.localhost.", "https://printer", "https://db.internal"],
    ...["https://127.0.0.1", "https://127.1", "https://0x7f000001", "https://2130706433"],
    ...["https://10.1.2.3", "https://172.31.0.1", "https://192.168.1.1", "https://169.254.169.254"],
    ...["https://100.64.0.1", "https://0.0.0.0", "https://255.255.255.255", "https://224.0.0.1"],
    ...["https://[::1]", "https://[::]", "https://[fe80::1]", "https://[fd00::1]"],
    ...["https://[::ffff:127.0.0.1]", "https://[64:ff9b::10.0.0.1]", "https://[2002:7f00:1::]"],
    ...["https://[64:ff9b:1::8.8.8.8]", "https://[2001:2::1]", "https://[3fff::1]"],
    ...["https://kubernetes.default.svc", "https://db.cluster.local", "https://x.private"],
    ...["https://[::127.0.0.1]", "https://[ff02::1]", "https://user:secret@example.com"],
    ...["https://example.com/#part", `https://example.com/${"a".repeat(2_000)}`],
  ])("%s is refused", (given) => {
    expect(isRefused(given)).toBe(true)
  })

  test.each([
    ...["https://example.com/hooks?shop=1", "https://8.8.8.8:8443/", "https://172.32.0.1"],
    ...["https://[2001:4860:4860::8888]", "https://[64:ff9b::8.8.8.8]"],
    ...["https://[2606:4700::1111]/", "https://[::ffff:8.8.8.8]", "https://localhost.example.com"],
  ])("%s is taken", (given) => {
    expect(isRefused(given)).toBe(false)
  })

  test("of a private address of version 4 is refused, however it is written", () => {
    const privateV4 = fc.tuple(fc.constantFrom(10, 127), fc.nat(255), fc.nat(255), fc.nat(255))
    fc.assert(
      fc.property(privateV4, fc.constantFrom("dots", "number", "hex", "mapped"), (parts, form) => {
        const number = parts.reduce((sum, part) => sum * 256 + part, 0)
        const host = {
          dots: parts.join("."),
          number: String(number),
          hex: `0x${number.toString(16)}`,
          mapped: `[::ffff:${parts.join(".")}]`,
        }[form]
        expect(isRefused(`https://${host}/`)).toBe(true)
      }),
    )
  })

  test("is named with its protocol when it is refused, without its path", () => {
    const refused = Result.flip(WebhookTarget.parse("http://example.com/secret", "public"))
    expect(Result.getOrThrow(refused).message).toBe(
      'the URL of a webhook endpoint must begin with https:, got "http://example.com"',
    )
  })

  test("is refused when an endpoint is made, and a password in it is not repeated", async () => {
    const { layer } = receiver()
    const problems = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const refused = webhooks.create(shop, {
          url: "https://user:secret@10.0.0.1",
          types: ["no"],
        })
        return (yield* Effect.flip(refused)) as { message: string }
      }),
      layer,
    )
    expect(problems.message).toMatch(/user.*types\[0\]|types\[0\].*user/s)
    expect(problems.message).toContain('must be a type of event, as sale.recorded, got "no"')
    expect(JSON.stringify(problems)).not.toContain("secret")
  })
})

describe("over the network", () => {
  const paths: Array<string> = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? "")
    response.writeHead(request.url === "/moved" ? 302 : 200, { location: "/elsewhere" })
    response.end("x".repeat(100_000))
  })
  afterAll(() => server.close())

  test("a redirect is not followed", async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve)
    })
    const address = server.address()
    const port = typeof address === "object" ? address?.port : 0
    const failures = await runWith(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const types = ["collaborator.created"]
        yield* webhooks.create(shop, { url: `http://127.0.0.1:${port}/moved`, types })
        yield* webhooks.create(shop, { url: `http://127.0.0.1:${port}/fine`, types })
        yield* create("ada")
        yield* deliver
        return (yield* webhooks.list(shop)).map(({ failure }) => failure)
      }),
      FetchHttpClient.layer,
      "any",
    )
    expect(paths.toSorted()).toEqual(["/fine", "/moved"])
    expect(failures).toEqual(["answered 302", null])
  })
})
