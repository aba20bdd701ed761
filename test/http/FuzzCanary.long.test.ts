import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { begin, lookAround, type Play, playStep } from "./fuzz/Play.js"
import { step } from "./fuzz/Steps.js"
import { accounts } from "./fuzz/World.js"

type Handler = Play["world"]["handler"]

/** Plays random steps with a fault put in, until something is found. */
const findings = async (
  spoil: (handler: Handler) => Handler,
  most = 1_200,
  seed = 5,
): Promise<string> => {
  const play = await begin()
  const spoiled = { ...play, world: { ...play.world, handler: spoil(play.world.handler) } }
  for (const next of fc.sample(step, { numRuns: most, seed })) {
    await playStep(spoiled, next)
    if (spoiled.faults.length > 0) break
  }
  if (spoiled.faults.length === 0) await lookAround(spoiled)
  await play.world.close()
  return spoiled.faults.map(({ what }) => what).join("\n")
}

const changed = async (
  response: Response,
  change: {
    readonly status?: number
    readonly text?: (text: string) => string
    readonly header?: string
  },
): Promise<Response> => {
  const text = await response.text()
  const headers = new Headers(response.headers)
  if (change.header !== undefined) headers.delete(change.header)
  headers.delete("content-length")
  const { status = response.status } = change
  const body = status === 204 || text === "" ? null : (change.text?.(text) ?? text)
  return new Response(body, { status, headers })
}

const always =
  (
    change: Parameters<typeof changed>[1],
    when: (response: Response, request: Request) => boolean,
  ) =>
  (handler: Handler): Handler =>
  async (request) => {
    const response = await handler(request)
    return when(response, request) ? changed(response, change) : response
  }

const isPosted = (request: Request, end: string): boolean =>
  request.method === "POST" && request.url.includes(end)

describe("the fuzz finds", () => {
  it("nothing where nothing is wrong", async () => {
    expect(await findings((handler) => handler, 300)).toBe("")
  })

  it("a status that was not to be expected", async () => {
    const broken = always({ status: 500 }, ({ status }) => status === 409)
    expect(await findings(broken)).toContain("status 500 instead of")
  })

  it("a field too many, a field too few", async () => {
    const more = { text: (text: string) => text.replace('"per_page"', '"note":1,"per_page"') }
    expect(await findings(always(more, ({ status }) => status === 200))).toContain(
      "has the field note",
    )
    const fewer = { text: (text: string) => text.replace(/"sku":(?:null|"[^"]*"),/, "") }
    expect(await findings(always(fewer, () => true))).toContain("has no sku")
  })

  it("a payment that came back and does not say when, and one that goes on after it has ended", async () => {
    const fewer = { text: (text: string) => text.replace('"returned_at":null,', "") }
    expect(await findings(always(fewer, () => true))).toContain("has no returned_at")
    let asked = 0
    const isListed = (_: Response, { url }: Request) =>
      url.includes("/v1/payments?limit=1000") && ++asked > 30
    const undone = { text: (text: string) => text.replace(/"(?:rejected|released)"/g, '"sent"') }
    expect(await findings(always(undone, isListed), 1_200, 8)).toMatch(
      /goes on|is paid twice|^payout \S+ is \w+ of/m,
    )
  })

  it("a cent of a sale that nobody got, and a sale of which collaborators were given something else", async () => {
    const more = {
      text: (text: string) =>
        text.replace(/"distributable":(\d+)/, (_, cents) => `"distributable":${Number(cents) + 1}`),
    }
    const isSale = (_: Response, { url }: Request) => url.includes("/v1/sales/")
    expect(await findings(always(more, isSale))).toContain("was given out")
    let asked = 0
    const growing = {
      text: (text: string) =>
        text.replace(/"paid":(\d+)/, (_, cents) => `"paid":${Number(cents) + ++asked}`),
    }
    const isBalance = ({ status }: Response, { url }: Request) =>
      status === 200 && url.endsWith("/balances")
    expect(await findings(always(growing, isBalance))).toContain("balances have")
  })

  it("a percentage that is a text where it must be a number", async () => {
    const change = { text: (text: string) => text.replace(/"percent":([\d.]+)/, '"percent":"$1"') }
    expect(await findings(always(change, () => true))).toContain("must be a percentage as a number")
  })

  it("a header that is missing, a request id that is another", async () => {
    const without = (header: string) => findings(always({ header }, () => true))
    expect(await without("x-frame-options")).toContain("the header x-frame-options is null")
    expect(await without("x-request-id")).toContain("the request id is")
    expect(await without("allow")).toContain("there is no header allow")
  })

  it("a text of another account", async () => {
    const [{ mark }] = accounts
    const leak = { text: (text: string) => text.replace('"message":"', `"message":"${mark} `) }
    expect(await findings(always(leak, ({ status }) => status === 401))).toContain(
      "it tells what account",
    )
  })

  it("an answer that tells an id of another account from one that nobody has", async () => {
    const tell = { text: (text: string) => text.replace("there is no", "you may not see") }
    const isOther = (response: Response, { url }: Request) =>
      response.status === 404 && /\/[gp]?-?only-(?:first|second)/.test(url)
    expect(await findings(always(tell, isOther))).toContain(
      "an id nobody has is answered otherwise",
    )
  })

  it("a message from the inside", async () => {
    const stack = {
      text: (text: string) => text.replace('"message":"', '"message":"TypeError: x '),
    }
    expect(await findings(always(stack, ({ status }) => status === 422))).toContain(
      "it tells of the inside",
    )
  })

  it("an expense that was added twice, and an income with another amount", async () => {
    const twice =
      (handler: Handler): Handler =>
      async (request) => {
        if (isPosted(request, "/expense") && !request.headers.has("idempotency-key")) {
          await handler(new Request(request.clone(), { signal: null }))
        }
        return handler(request)
      }
    expect(await findings(twice)).toMatch(
      /the total is|items, not|instead of| has \d+ and -?\d+, not /,
    )
    const less =
      (handler: Handler): Handler =>
      async (request) => {
        if (!isPosted(request, "/income") || request.headers.has("idempotency-key")) {
          return handler(request)
        }
        const text = await request
          .clone()
          .text()
          .catch(() => "")
        const body = text.replace(/"amount":[1-9](\d)/, '"amount":$1')
        return handler(body === text ? request : new Request(request, { body }))
      }
    expect(await findings(less)).toMatch(/the total is| has \d+ and -?\d+, not /)
  })

  it("a key that has no effect", async () => {
    const keyless =
      (handler: Handler): Handler =>
      (request) => {
        const headers = new Headers(request.headers)
        // One that is refused stays refused.
        const isUsable = /^[\x20-\x7e]{1,255}$/.test(headers.get("idempotency-key") ?? "")
        if (isUsable) headers.delete("idempotency-key")
        return handler(new Request(request, { headers }))
      }
    expect(await findings(keyless)).toMatch(
      /the key|is not what the key was answered|instead of 409/,
    )
  })

  it("an entry that is missing from a list", async () => {
    const shorter = {
      text: (text: string) => {
        const { data, meta } = JSON.parse(text)
        return JSON.stringify({ data: data.slice(1), meta })
      },
    }
    const isList = ({ status }: Response, { method, url }: Request) =>
      method === "GET" && status === 200 && /\/payouts(?:\?|$)/.test(url)
    expect(await findings(always(shorter, isList))).toMatch(/does not add up|are gone/)
  })
})
