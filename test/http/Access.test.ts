import { toWebHandler } from "apportion/http"
import { hashToken, StorageFailure, Tokens, type TokensService } from "apportion/ports"
import { Context, Effect, Option, Result } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Access from "../../src/http/Access.js"
import { isSame } from "../../src/ports/internal/isSame.js"
import { open, readAnswer, requestOf, type Shop } from "./Shop.js"

const { tokenOf } = Access

describe("the token of a request", () => {
  it("stands behind the scheme, whatever its case and the spaces between", () => {
    expect(tokenOf("Bearer abc")).toBe("abc")
    expect(tokenOf("bEARER   a.b-c_d~e+f/g==  ")).toBe("a.b-c_d~e+f/g==")
  })

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "abc",
    "Basic abc",
    "Bearerabc",
    "Bearer a b",
    "Bearer a, Bearer b",
    "Bearer a,b",
    "Bearer a\u0007b",
    "Bearer a\u007f",
    `Bearer ${"x".repeat(4_097)}`,
    `Bearer ${" ".repeat(100_000)}x`,
  ])("is not in %j", (header) => {
    expect(tokenOf(header)).toBeUndefined()
  })

  it("can be 4096 characters long", () => {
    expect(tokenOf(`Bearer ${"x".repeat(4_096)}`)).toHaveLength(4_096)
  })
})

it("two hashes are the same when every character is", () => {
  const text = fc.string({ maxLength: 5, unit: fc.constantFrom("a", "b", "\u0000") })
  fc.assert(fc.property(text, text, (left, right) => isSame(left, right) === (left === right)))
})

it("a token store that answers with another token's hash lets nobody in", async () => {
  const stored = { hash: await Effect.runPromise(hashToken("other")), accountId: "store" }
  const careless: TokensService = { find: () => Effect.succeed(stored) }
  const authenticate = Access.make(Access.accessTokens(careless), Access.makeStrangers(60))
  const from = (header: string) => authenticate({ header, address: Option.none() })
  const result = await Effect.runPromise(Effect.result(from("Bearer mine")))
  expect(Result.isFailure(result) && result.failure._tag).toBe("Unauthorized")
  const own = await Effect.runPromise(from("Bearer other"))
  expect(own.accountId).toBe("store")
})

describe("a request", () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await open()
  })
  afterAll(() => shop.close())

  it.each([
    ["without a token", null],
    ["with an unknown token", "nobody"],
    ["with a token that differs in case", "ADA-TOKEN"],
  ])("%s is refused", async (_, token) => {
    const { status, json, headers } = await shop.ask("GET", "/v1/payouts", { token })
    expect(status).toBe(401)
    expect(json).toStrictEqual({ message: expect.any(String) })
    expect(headers.get("www-authenticate")).toBe("Bearer")
    expect(headers.get("x-ratelimit-limit")).toBeNull()
  })

  it("with two Authorization headers is refused, even when both are good", async () => {
    const headers = { Authorization: "Bearer ada-token, Bearer ada-token" }
    const { status } = await shop.ask("GET", "/v1/payouts", { token: null, headers })
    expect(status).toBe(401)
  })

  it("is refused before its body is looked at", async () => {
    const { status } = await shop.ask("POST", "/v1/payouts/p/expense", { token: null, body: "{" })
    expect(status).toBe(401)
  })

  it("is not let in while the tokens can't be asked for", async () => {
    const find = () => Effect.fail(StorageFailure.of("find a token", "no connection"))
    const services = Context.add(shop.context, Tokens, { find })
    const api = toWebHandler(services, { logRequests: false })
    const { status, json } = await readAnswer(await api.handler(requestOf("GET", "/v1/payouts")))
    expect(status).toBe(503)
    expect(json).toStrictEqual({ message: "not available, try again" })
    await api.dispose()
  })

  it("is told when nothing can store it, and that it need not try again", async () => {
    const refused = new StorageFailure({
      ...{ doing: "find a token", cause: "an id of 9,000 bytes", isFinal: true },
      message: "storage failed",
    })
    const services = Context.add(shop.context, Tokens, { find: () => Effect.fail(refused) })
    const api = toWebHandler(services, { logRequests: false })
    const { status, json } = await readAnswer(await api.handler(requestOf("GET", "/v1/payouts")))
    expect(status).toBe(422)
    expect(json).toStrictEqual({ message: "this can't be stored: an id is too long" })
    await api.dispose()
  })

  it("needs no token to hear that there is nothing at a path", async () => {
    expect((await shop.ask("GET", "/v1/nothing", { token: null })).status).toBe(404)
    expect((await shop.ask("PATCH", "/v1/payouts", { token: null })).status).toBe(405)
  })
})
