import { toWebHandler } from "apportion/http"
import { type StorageService, Tokens } from "apportion/ports"
import { Deferred, Effect, Layer, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { groups, open, readAnswer, requestOf } from "./Shop.js"

const ready = async (handler: (request: Request) => Promise<Response>) => {
  const { status, json } = await readAnswer(await handler(requestOf("GET", "/ready")))
  return { status, json }
}

describe("a handler", () => {
  it("takes services as they are or as a layer", async () => {
    const shop = await open()
    const api = toWebHandler(Layer.succeedContext(shop.context), { logRequests: false })
    await api.started
    const { status } = await api.handler(requestOf("GET", "/v1/payouts"))
    expect(status).toBe(200)
    await api.dispose()
    await shop.close()
  })

  it("is ready until it drains, and answers while it does", async () => {
    const shop = await open()
    expect(await ready(shop.api.handler)).toEqual({ status: 200, json: { status: "ready" } })
    shop.api.drain()
    expect(await ready(shop.api.handler)).toEqual({ status: 503, json: { message: "not ready" } })
    expect((await shop.ask("GET", "/v1/payouts")).status).toBe(200)
    await shop.close()
  })

  it("is ready only when the host is", async () => {
    let isReady = false
    const shop = await open({ isReady: () => isReady })
    expect((await ready(shop.api.handler)).status).toBe(503)
    isReady = true
    expect((await ready(shop.api.handler)).status).toBe(200)
    await shop.close()
  })

  it("waits for the requests under way when it is disposed, and answers no others", async () => {
    const arrived = Effect.runSync(Deferred.make<void>())
    const goOn = Effect.runSync(Deferred.make<void>())
    const slow = (storage: StorageService): StorageService => ({
      ...storage,
      transaction: (accountId, work, options) =>
        Effect.andThen(
          Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(goOn)),
          storage.transaction(accountId, work, options),
        ),
    })
    const shop = await open({}, slow)
    const asked = shop.ask("GET", "/v1/payouts")
    await Effect.runPromise(Deferred.await(arrived))
    let isDisposed = false
    const disposed = shop.api.dispose().then(() => {
      isDisposed = true
    })
    const late = await shop.ask("GET", "/v1/payouts")
    expect(late).toMatchObject({ status: 503, json: { message: "shutting down" } })
    expect(late.headers.get("retry-after")).toBe("1")
    expect(isDisposed).toBe(false)
    Effect.runSync(Deferred.succeed(goOn, undefined))
    expect((await asked).status).toBe(200)
    await disposed
    expect(isDisposed).toBe(true)
    await shop.close()
  })

  it("gives back what the services hold, once", async () => {
    const shop = await open()
    let released = 0
    const holding = Layer.effectDiscard(
      Effect.acquireRelease(Effect.void, () => Effect.sync(() => released++)),
    )
    const services = Layer.merge(Layer.succeedContext(shop.context), holding)
    const api = toWebHandler(services, { logRequests: false })
    await ready(api.handler)
    await Promise.all([api.dispose(), api.dispose()])
    expect(released).toBe(1)
    await shop.close()
  })

  it("tells the host why the services could not be made, and nobody else", async () => {
    class NoDisk extends Schema.TaggedError<NoDisk>()("NoDisk", { message: Schema.String }) {}
    const shop = await open()
    const failing = Layer.effect(Tokens, Effect.fail(new NoDisk({ message: "no disk" })))
    const services = Layer.merge(Layer.succeedContext(shop.context), failing)
    const api = toWebHandler(services)
    const answer = await readAnswer(await api.handler(requestOf("GET", "/v1/payouts")))
    expect(answer).toMatchObject({ status: 500, json: { message: "internal error" } })
    await expect(api.started).rejects.toMatchObject({ _tag: "NoDisk" })
    await api.dispose()
    await shop.close()
  })

  it("stops work for a sender who went away, and keeps nothing of it", async () => {
    const arrived = Effect.runSync(Deferred.make<void>())
    const stopped = Effect.runSync(Deferred.make<void>())
    const never = Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
    const stuck = (storage: StorageService): StorageService => ({
      ...storage,
      transaction: () => Effect.andThen(Deferred.succeed(arrived, undefined), never),
    })
    const shop = await open({}, stuck)
    const controller = new AbortController()
    const body = { itemType: "products.all", type: "flat", amount: 1 }
    const request = new Request(requestOf("PUT", groups, { body }), { signal: controller.signal })
    const asked = shop.api.handler(request)
    await Effect.runPromise(Deferred.await(arrived))
    controller.abort()
    await Effect.runPromise(Deferred.await(stopped))
    expect((await asked).status).toBe(499)
    // Looked at last: a request that nobody holds may be swept away, and its signal with it.
    expect(request.signal.aborted).toBe(true)
    expect(shop.log.filter(({ level }) => level === "Error")).toEqual([])
    await shop.close()
  })
})
