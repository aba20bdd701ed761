import { toWebHandler } from "apportion/http"
import { type StoredToken, Tokens } from "apportion/ports"
import { Context, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { senderOf } from "../../src/http/Access.js"
import { open, readAnswer, requestOf } from "./Shop.js"

describe("a sender", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:0:5:1:2:3:4", "2001:db8:0:5"],
    ["2001:DB8::5:1:2:3:4", "2001:db8:0:5"],
    ["2001:0db8:0000:0005::1", "2001:db8:0:5"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
  ])("%s is %s", (address, sender) => {
    expect(senderOf(address)).toBe(sender)
  })
})

/** An API that takes the address from a header, and counts how often its tokens are asked for. */
const openCounted = async (ratePerMinute: number) => {
  const shop = await open()
  const inner = Context.get(shop.context, Tokens)
  const asked: Array<string> = []
  const find = (hash: string) =>
    Effect.suspend((): Effect.Effect<StoredToken | undefined> => {
      asked.push(hash)
      return Effect.orDie(inner.find(hash))
    })
  const services = Context.add(shop.context, Tokens, { find })
  const addressOf = (request: Request) => request.headers.get("x-address") ?? undefined
  const api = toWebHandler(services, { ratePerMinute, addressOf, logRequests: false })
  const ask = async (address: string | undefined, token: string | null, path = "/v1/payouts") => {
    const headers = address === undefined ? {} : { "x-address": address }
    return readAnswer(await api.handler(requestOf("GET", path, { token, headers })))
  }
  return { ...shop, asked, ask }
}

describe("an address without a good token", () => {
  it("is refused after so many requests, whatever they were, and a good token behind it too", async () => {
    const { ask, asked, pass, close } = await openCounted(4)
    const statuses = [
      (await ask("192.0.2.1", "wrong")).status,
      (await ask("192.0.2.1", null)).status,
      (await ask("192.0.2.1", null, "/docs")).status,
      (await ask("192.0.2.1", null, "/nothing")).status,
    ]
    expect(statuses).toEqual([401, 401, 200, 404])
    expect(asked).toHaveLength(1)
    for (const token of ["wrong", null, "ada-token"]) {
      const { status, headers, json } = await ask("192.0.2.1", token)
      expect(status).toBe(429)
      expect(headers.get("retry-after")).toBe("60")
      expect(headers.get("x-ratelimit-limit")).toBe("4")
      expect(headers.get("x-ratelimit-remaining")).toBe("0")
      expect(json.message).toBe("more than 4 requests in a minute, try again in 60 seconds")
    }
    expect(asked).toHaveLength(1)
    expect((await ask("192.0.2.2", "ada-token")).status).toBe(200)
    expect((await ask("192.0.2.1", null, "/ready")).status).toBe(200)
    await pass(60)
    expect((await ask("192.0.2.1", "ada-token")).status).toBe(200)
    await close()
  })

  it("locks out nobody beside it whose token was good before", async () => {
    const { ask, close } = await openCounted(4)
    expect((await ask("192.0.2.1", "ada-token")).status).toBe(200)
    for (let times = 0; times < 8; times += 1) await ask("192.0.2.1", `wrong-${times}`)
    expect((await ask("192.0.2.1", "wrong")).status).toBe(429)
    expect((await ask("192.0.2.1", "second-token")).status).toBe(429)
    expect((await ask("192.0.2.1", "ada-token")).status).toBe(200)
    await close()
  })

  it("is not charged for good tokens, however many come from it for the first time", async () => {
    const { ask, close } = await openCounted(2)
    for (const token of ["ada-token", "second-token", "other-token", "ada-token"]) {
      expect((await ask("192.0.2.1", token)).status).toBe(200)
    }
    expect((await ask("192.0.2.1", "wrong")).status).toBe(401)
    await close()
  })

  it("is not counted where nobody knows it", async () => {
    const { ask, close } = await openCounted(1)
    for (let times = 0; times < 5; times += 1) {
      expect((await ask(undefined, "wrong")).status).toBe(401)
    }
    await close()
  })
})
