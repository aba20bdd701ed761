import { execFile, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { Payout, Store } from "apportion/wire"
import { Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { programEnvironment } from "./Environment.js"
import { program, Served } from "./Served.js"
import { Folder } from "./world.js"

const sampleStore = "docs/sample-store/store.json"
const token = "paper-heron-at-dusk"
const store = Result.getOrThrow(Store.read(JSON.parse(readFileSync(sampleStore, "utf8"))))
const folder = new Folder()
afterAll(() => folder.remove())

interface Asked {
  readonly method: string
  readonly url: string
  readonly body?: object | undefined
}

interface Answer {
  readonly status: number
  readonly text: string
}

type Client = (asked: Asked) => Promise<Answer>

const headers = {
  Authorization: `Bearer ${token}`,
  Accept: "application/json",
  "Content-Type": "application/json",
}

const run = promisify(execFile)

/** The status stands alone in the last line. */
const withCurl: Client = async ({ method, url, body }) => {
  const { stdout } = await run(
    "curl",
    [
      ...[
        "--silent",
        "--show-error",
        "--globoff",
        "--request",
        method,
        "--write-out",
        "\n%{http_code}",
      ],
      ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      ...(body === undefined ? [] : ["--data", JSON.stringify(body)]),
      url,
    ],
    { maxBuffer: 1 << 26 },
  )
  const end = stdout.lastIndexOf("\n")
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) }
}

const withFetch: Client = async ({ method, url, body }) => {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url, { method, headers, ...text })
  return { status: response.status, text: await response.text() }
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0
const allClients: ReadonlyArray<readonly [name: string, client: Client]> = [
  ...(hasCurl ? [["curl", withCurl] as const] : []),
  ["fetch", withFetch],
]
const clients = isWhole ? allClients : allClients.slice(0, 1)

interface Json {
  readonly [name: string]: unknown
}

interface Meta {
  readonly current_page: number
  readonly from: number | null
  readonly last_page: number
  readonly per_page: number
  readonly to: number | null
  readonly total: number
}

interface Group {
  readonly id: string
  readonly products_count: number
}

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1_000
const idsOf = (things: ReadonlyArray<{ readonly id: string }>) => things.map(({ id }) => id)
const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const expected = (is: (payout: Store.Store["payouts"][number]) => boolean) =>
  store.payouts
    .filter(is)
    .toSorted((one, other) => other.toBePaidAt - one.toBePaidAt || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id)

describe.each(clients)("the sample store, served and asked with %s", (_, client) => {
  const served = new Served([
    "--port",
    "0",
    "--token",
    token,
    "--rate",
    "6000",
    "--seed",
    sampleStore,
  ])
  let base = ""
  beforeAll(async () => {
    base = await served.url()
  }, 60_000)
  afterAll(() => {
    served.child.kill("SIGKILL")
  })

  const ask = async <A = Json>(method: string, path: string, body?: object) => {
    const { status, text } = await client({ method, url: `${base}${path}`, body })
    const json: { data: A; meta: Meta; message: string } = text === "" ? {} : JSON.parse(text)
    return { status, text, ...json }
  }
  const list = async (query: string) => {
    const { status, data, meta } = await ask<ReadonlyArray<Json & { id: string }>>(
      "GET",
      `/api/v1/payouts?${query}`,
    )
    expect(status).toBe(200)
    return { ids: idsOf(data), data, meta }
  }
  const all = async (query: string) => {
    const pages = [1, 2].map((page) => list(`${query}&per_page=100&page=${page}`))
    return (await Promise.all(pages)).flatMap(({ ids }) => ids)
  }

  const groups = "/api/v1/collaborators/elif/products"
  const counts: Array<number> = []
  let group = ""

  it("is ready, and lets nobody in without the token", async () => {
    expect(await (await fetch(`${base}/ready`)).json()).toEqual({ status: "ready" })
    expect((await fetch(`${base}${groups}`)).status).toBe(401)
  })

  it("creates a tag group, of which no product is linked at first", async () => {
    const { status, data } = await ask("PUT", groups, {
      ...{ itemType: "products.tag", items: ["birds"], type: "percentage", percent: "2.50" },
      ...{ splitConditionType: null, splitConditions: [], type_modifier: "WITH" },
    })
    expect(status).toBe(201)
    expect(data).toMatchObject({ type: "product.tag", type_values: ["birds"], percent: 2.5 })
    expect(data).toMatchObject({ products: { data: [], meta: { total: 0 } } })
    group = String(data.id)
  })

  it("links its products in the background", async () => {
    const birds = store.products.filter(({ tags }) => tags?.includes("birds")).length
    expect(birds).toBeGreaterThan(2)
    for (let tries = 0; counts.at(-1) !== birds && tries < 600; tries += 1) {
      const { data } = await ask<ReadonlyArray<Group>>("GET", groups)
      counts.push(data.find(({ id }) => id === group)?.products_count ?? -1)
      if (counts.at(-1) !== birds) await wait(50)
    }
    expect(counts.at(-1)).toBe(birds)
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  })

  it("lists and views it, with its percentage as a text", async () => {
    const { data } = await ask<ReadonlyArray<Json>>("GET", groups)
    expect(data.find(({ id }) => id === group)).toMatchObject({ percent: "2.50" })
    const { status, data: viewed } = await ask("GET", `${groups}/${group}`)
    expect(status).toBe(200)
    expect(viewed).toMatchObject({ percent: "2.50", collaborator: { id: "elif" } })
    expect(viewed.products).toMatchObject({ meta: { total: counts.at(-1) } })
  })

  it("updates it: what is absent stays as it is", async () => {
    const { status, data } = await ask("PUT", `${groups}/${group}`, { percent: 3 })
    expect(status).toBe(200)
    expect(data).toMatchObject({ percent: 3, type: "product.tag", type_values: ["birds"] })
  })

  it("deletes it", async () => {
    expect(await ask("DELETE", `${groups}/${group}`)).toMatchObject({ status: 204, text: "" })
    expect((await ask("GET", `${groups}/${group}`)).status).toBe(404)
  })

  it("lists payouts by each filter", async () => {
    for (const status of ["active", "pending", "paid", "failed", "manually paid"]) {
      const found = await all(`status=${encodeURIComponent(status)}`)
      expect(found.length, status).toBeGreaterThan(0)
      expect(found).toEqual(expected((payout) => payout.status === status))
    }
    expect(await all("collaborator=zoe")).toEqual(expected((p) => p.collaboratorId === "zoe"))
    expect(await all("collaborator=nobody")).toEqual([])
  })

  it("lists payouts by the days on which they were paid or are expected to be", async () => {
    const [from, to] = [day("2025-06-01"), day("2025-09-15")]
    const since = expected(({ paidAt }) => paidAt !== null && paidAt >= from)
    expect(since.length).toBeGreaterThan(50)
    expect(await all(`paidDate[start_date]=${from}`)).toEqual(since)
    expect(await all(`paidDate%5Bstart_date%5D=${from}`)).toEqual(since)
    expect(await all(`paidDate[end_date]=${to}`)).toEqual(
      expected(({ paidAt }) => paidAt !== null && paidAt <= to),
    )
    expect(await all(`paidDate[start_date]=${from}&paidDate[end_date]=${to}`)).toEqual(
      expected(({ paidAt }) => paidAt !== null && paidAt >= from && paidAt <= to),
    )
    expect(await all(`expectedPaymentDate[start_date]=${to}`)).toEqual(
      expected(({ toBePaidAt }) => toBePaidAt >= to),
    )
    expect(await all(`expectedPaymentDate[end_date]=${to}&collaborator=ines&status=paid`)).toEqual(
      expected((p) => p.toBePaidAt <= to && p.collaboratorId === "ines" && p.status === "paid"),
    )
  })

  it("pages through the payouts: the first, the second, the last, one beyond, and too many at once", async () => {
    const whole = expected(() => true)
    const last = Math.ceil(whole.length / 15)
    for (const page of [1, 2, last]) {
      const { ids, meta } = await list(`page=${page}`)
      const [from, to] = [page * 15 - 14, Math.min(page * 15, whole.length)]
      expect(ids).toEqual(whole.slice(from - 1, to))
      expect(meta).toEqual({
        ...{ current_page: page, from, last_page: last, path: `${base}/api/v1/payouts` },
        ...{ per_page: 15, to, total: whole.length },
      })
    }
    const beyond = await list(`page=${last + 1}`)
    expect(beyond.ids).toEqual([])
    expect(beyond.meta).toMatchObject({ current_page: last + 1, from: null, to: null })
    const many = await list("per_page=1000")
    expect(many.meta).toMatchObject({ per_page: 100, to: 100, last_page: 2 })
    expect(many.ids).toEqual(whole.slice(0, 100))
  })

  it("views a payout as it was seeded, by both prefixes", async () => {
    const [payout] = store.payouts.filter(({ id }) => id === "kofi-USD-5")
    const [owner] = store.collaborators.filter(({ id }) => id === "kofi")
    if (payout === undefined || owner === undefined) throw new RangeError("no such payout")
    const view = Result.getOrThrow(Payout.writeView(payout, owner))
    for (const prefix of ["/v1", "/api/v1"]) {
      const { status, data } = await ask("GET", `${prefix}/payouts/kofi-USD-5`)
      expect(status).toBe(200)
      expect(data).toEqual(JSON.parse(JSON.stringify(view)))
    }
  })

  it("takes an expense and an income, sets the payout as paid, and refuses a second expense", async () => {
    const path = "/v1/payouts/kofi-USD-5"
    const total = async () => Number((await ask("GET", path)).data.total)
    const before = await total()
    const expense = { amount: 1_250, name: "Posters" }
    const charged = await ask("POST", `${path}/expense`, expense)
    expect(charged.status).toBe(200)
    expect(charged.data.items).toContainEqual({
      ...{ amount: -1_250, original_amount: -1_250, original_currency: "USD" },
      ...{ currency_exchange_rate: null, is_expenses: true },
      ...{ expense_name: "Posters", orderItem: null },
    })
    expect(await total()).toBe(before - 1_250)
    expect((await ask("POST", `${path}/income`, { amount: 300, name: "Tip" })).status).toBe(200)
    expect(await total()).toBe(before - 950)
    const paid = await ask("POST", `${path}/set-paid`)
    expect(paid.status).toBe(200)
    expect(paid.data).toMatchObject({ status: "manually paid", paid_at: expect.any(Number) })
    const refused = await ask("POST", `${path}/expense`, expense)
    expect(refused).toMatchObject({ status: 409, message: "Payout has already been paid" })
    expect(await total()).toBe(before - 950)
  })

  it("said one line, and ends with 0 when it is told to", async () => {
    expect(await served.end("SIGTERM")).toBe(0)
    expect(served.out).toBe(`apportion is listening on ${base}\n`)
    expect(served.err).not.toContain(token)
    await expect(fetch(`${base}/ready`)).rejects.toThrow()
  })
})

describe("apportion serve", () => {
  it("takes its token from the environment, and ends with 0 on Ctrl-C", async () => {
    const served = new Served(["--port", "0"], { APPORTION_TOKEN: token })
    const { status } = await withFetch({ method: "GET", url: `${await served.url()}/v1/payouts` })
    expect(status).toBe(200)
    expect(await served.end("SIGINT")).toBe(0)
  })

  it("ends with 1 when its port is taken, and says so", async () => {
    const first = new Served(["--port", "0", "--token", token])
    const { port } = new URL(await first.url())
    const second = new Served(["--port", port, "--token", token])
    await once(second.child, "exit")
    expect(second.child.exitCode).toBe(1)
    expect(second.err).toBe(
      `apportion: --port: ${port} is in use by another program on 127.0.0.1: choose another port (0 takes a free one)\n`,
    )
    expect(second.out).toBe("")
    expect(await first.end("SIGTERM")).toBe(0)
  })

  it("ends with 2 when a flag or the seed can't be used, and says what is wrong with it", async () => {
    const seed = folder.file("seed.json", { payout: [] })
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, "serve", "--port", "0", "--token", token, "--seed", seed],
      { encoding: "utf8", env: programEnvironment },
    )
    expect(status).toBe(2)
    expect(stderr).toContain(`${seed}:1: payout: is no list of a store`)
    const bad = spawnSync(process.execPath, [program, "serve", "--port", "x"], {
      ...{ encoding: "utf8", env: programEnvironment },
    })
    expect(bad.status).toBe(2)
    expect(bad.stderr).toContain('--port: must be a whole number from 0 to 65535, got "x"')
  })
})
