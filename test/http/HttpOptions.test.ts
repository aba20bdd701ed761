import { type HttpOptions, InvalidHttpOptions, layer, toWebHandler } from "apportion/http"
import { Effect, Layer, Result } from "effect"
import { HttpRouter } from "effect/http"
import { describe, expect, it } from "vitest"
import { completeOptions } from "../../src/http/HttpOptions.js"
import { open } from "./Shop.js"

const problemsOf = (options: unknown) => {
  const result = completeOptions(Object(options))
  return Result.isFailure(result) ? result.failure.problems.map(({ path }) => path) : []
}

describe("options", () => {
  it.each([
    [{ ratePerMinute: 0 }, ["ratePerMinute"]],
    [{ ratePerMinute: Number.POSITIVE_INFINITY }, ["ratePerMinute"]],
    [{ ratePerMinute: -1 }, ["ratePerMinute"]],
    [{ ratePerMinute: 1.5 }, ["ratePerMinute"]],
    [{ ratePerMinute: Number.NaN }, ["ratePerMinute"]],
    [{ ratePerMinute: "60" }, ["ratePerMinute"]],
    [{ ratePerMinute: null }, ["ratePerMinute"]],
    [{ bodyLimit: 0, title: 5 }, ["bodyLimit", "title"]],
    [{ publicUrl: "api.example.com" }, ["publicUrl"]],
    [{ publicUrl: "ftp://example.com" }, ["publicUrl"]],
    [{ publicUrl: "https://example.com/?x" }, ["publicUrl"]],
    [
      { logRequests: 1, isReady: true, description: null },
      ["logRequests", "isReady", "description"],
    ],
    [{ rate: 60 }, ["rate"]],
    [{ toString: 5 }, ["toString"]],
  ])("%j are refused", (options, paths) => {
    expect(problemsOf(options)).toEqual(paths)
  })

  it("can leave out the limit only by saying so", () => {
    expect(problemsOf({ ratePerMinute: "unlimited" })).toEqual([])
    expect(problemsOf({ ratePerMinute: 1, bodyLimit: 1, publicUrl: undefined })).toEqual([])
  })

  it("that are refused name the option and the value", async () => {
    const shop = await open()
    const options: HttpOptions = { ratePerMinute: 0 }
    const message = 'ratePerMinute: must be a whole number from 1 to 1000000, or "unlimited", got 0'
    expect(() => toWebHandler(shop.context, options)).toThrow(InvalidHttpOptions)
    expect(() => toWebHandler(shop.context, options)).toThrow(message)
    const routes = Layer.provide(layer(options), Layer.succeedContext(shop.context))
    const built = Effect.scoped(Layer.build(Layer.provide(routes, HttpRouter.layer)))
    const failure = await Effect.runPromise(Effect.flip(built))
    expect(failure).toBeInstanceOf(InvalidHttpOptions)
    await shop.close()
  })
})
