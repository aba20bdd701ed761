import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { misuses, misusesHead, program } from "./OpenApiClientProgram.js"
import { listen, store, token } from "./OpenApiClientServer.js"

interface Generator {
  readonly createClient: (options: object) => Promise<unknown>
}

/** The generator is one of the tools, which `npm run tools` installs: it is found beside them. */
const { createClient }: Generator = await import(
  pathToFileURL(resolve(".ci/node_modules/@hey-api/openapi-ts/dist/index.mjs")).href
)

let server: Awaited<ReturnType<typeof listen>>
let folder: string
beforeAll(async () => {
  server = await listen()
  folder = await mkdtemp(join(tmpdir(), "openapi-client-"))
  const document = await fetch(`${server.origin}/openapi.json`)
  await createClient({
    input: JSON.parse(await document.text()),
    output: { path: join(folder, "client"), module: { extension: ".js" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent", file: false },
  })
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
}, 60_000)
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a strict compiler has to say about a program beside the client; its lines are counted from 0. */
const problemsOf = async (name: string, source: string) => {
  const path = join(folder, name)
  await writeFile(path, source)
  const compiled = ts.createProgram([path], {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2024,
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  })
  return ts.getPreEmitDiagnostics(compiled).map(({ file, start, messageText }) => ({
    line: file?.getLineAndCharacterOfPosition(start ?? 0).line ?? -1,
    message: `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
  }))
}

describe("a client that a public generator makes of the document", () => {
  it("compiles, as does a program that makes every call with it", async () => {
    expect(await problemsOf("checked.ts", program)).toEqual([])
  })

  it("has types that let no wrong call and no wrong use of an answer pass", async () => {
    const head = misusesHead.trim().split("\n")
    const problems = await problemsOf("misuses.ts", [...head, ...misuses].join("\n"))
    const lines = new Set(problems.map(({ line }) => line))
    expect([...lines]).toEqual(misuses.map((_, index) => head.length + index))
  })
})

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1_000
const [from, to] = [day("2025-06-01"), day("2025-09-15")]
const birds = store.products.filter(({ tags }) => tags?.includes("birds")).length

type StoredPayout = (typeof store.payouts)[number]

/** The ids of the payouts for which something holds, as a list has them. */
const payoutsWhere = (is: (payout: StoredPayout) => boolean): ReadonlyArray<string> =>
  store.payouts
    .filter(is)
    .toSorted((one, other) => other.toBePaidAt - one.toBePaidAt || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id)

const atMost100 = (is: (payout: StoredPayout) => boolean) => payoutsWhere(is).slice(0, 100)

/** What the program found out; each part is looked at by a test of its own. */
type Found = Readonly<Record<"stranger" | "found" | "group" | "payouts" | "settled", unknown>>

interface Program {
  readonly run: (options: object) => Promise<Found>
}

describe("a program that uses the client", () => {
  let found: Found
  beforeAll(async () => {
    const [source, outfile] = [join(folder, "program.ts"), join(folder, "program.js")]
    await writeFile(source, program)
    await build({ entryPoints: [source], outfile, bundle: true, format: "esm", logLevel: "silent" })
    const { run }: Program = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
    found = await run({ baseUrl: `${server.origin}/api/v1`, token, birds, from, to })
  }, 60_000)

  it("is let in with the token only", () => {
    const message = "an access token is needed, as Authorization: Bearer <token>"
    expect(found.stranger).toEqual({ status: 401, refusal: { message } })
    expect(found.found).toEqual(["print-heron-stairs"])
  })

  it("creates a tag group, watches its products being linked, lists, views, updates and deletes it", () => {
    const wrong = 'must be a percentage from 0 to 100 with at most two decimals, got "3.001"'
    expect(found.group).toEqual({
      created: { status: 201, type: "product.tag", percent: 2.5 },
      isSame: true,
      counts: expect.any(Array),
      listed: { type: "product.tag", percent: "2.50", owner: "Elif Demir" },
      viewed: {
        percent: "2.50",
        names: ["Heron Plate", "Owl Post, Slightly Delayed"],
        meta: {
          ...{ current_page: 2, from: 3, last_page: 4, per_page: 2, to: 4, total: birds },
          path: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/collaborators\/elif\//),
        },
      },
      updated: { percent: 3, values: ["birds"] },
      unusable: {
        status: 422,
        refusal: { message: `percent: ${wrong}`, errors: { percent: [wrong] } },
      },
      deleted: 204,
      gone: { status: 404, refusal: { message: expect.stringContaining("no product group") } },
    })
  })

  it("sees the number of linked products grow, batch by batch", () => {
    const batches: Array<number> = [0]
    const keys = store.products.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    for (let end = 8; batches.at(-1) !== birds; end += 8) {
      const linked = keys.slice(0, end).filter(({ tags }) => tags?.includes("birds")).length
      if (linked !== batches.at(-1)) batches.push(linked)
    }
    expect(batches.length).toBeGreaterThan(3)
    expect(found.group).toMatchObject({ counts: batches })
  })

  it("lists payouts by each filter", () => {
    const byStatus = Object.fromEntries(
      ["active", "pending", "paid", "failed", "manually paid"].map((status) => [
        status,
        atMost100((payout) => payout.status === status),
      ]),
    )
    expect(Object.values(byStatus).every((ids) => ids.length > 0)).toBe(true)
    const paidAt = ({ paidAt }: StoredPayout) => paidAt ?? undefined
    expect(found.payouts).toMatchObject({
      byStatus,
      byCollaborator: atMost100(({ collaboratorId }) => collaboratorId === "zoe"),
      paidFrom: atMost100((payout) => (paidAt(payout) ?? -1) >= from),
      paidTo: atMost100((payout) => (paidAt(payout) ?? to + 1) <= to),
      paidWithin: atMost100((p) => (paidAt(p) ?? -1) >= from && (paidAt(p) ?? -1) <= to),
      expectedFrom: atMost100(({ toBePaidAt }) => toBePaidAt >= to),
      expectedTo: atMost100(({ toBePaidAt }) => toBePaidAt <= from),
      all: atMost100(
        (p) => p.collaboratorId === "zoe" && p.status === "paid" && (paidAt(p) ?? to + 1) <= to,
      ),
      wrong: { status: 422, refusal: { errors: { "paidDate[start_date]": [expect.any(String)] } } },
    })
  })

  it("pages through them: the first, the second, the last, one beyond, and too many at once", () => {
    const whole = payoutsWhere(() => true)
    const last = Math.ceil(whole.length / 15)
    const part = (start: number, end: number) => ({
      ids: whole.slice(start - 1, end),
      meta: { from: start, to: Math.min(end, whole.length), total: whole.length },
    })
    expect(found.payouts).toMatchObject({
      pages: [part(1, 15), part(16, 30), part(last * 15 - 14, last * 15)],
      beyond: { ids: [], meta: { current_page: last + 1, from: null, to: null, last_page: last } },
      many: { ...part(1, 100), meta: { per_page: 100, from: 1, to: 100 } },
    })
  })

  it("adds an expense and an income, sets the payout as paid, and is refused a second expense", () => {
    const payout = store.payouts.find(({ id }) => id === "kofi-USD-5")
    const total = payout?.items.reduce((sum, { amount }) => sum + amount, 0) ?? Number.NaN
    const added = { original_currency: "USD", currency_exchange_rate: null, orderItem: null }
    expect(found.settled).toEqual({
      totals: [total, total - 1_250, total - 950, total - 950],
      added: [
        ...[{ ...added, amount: -1_250, is_expenses: true, expense_name: "Posters" }],
        ...[{ ...added, amount: 300, is_expenses: false, expense_name: "Tip" }],
      ].map((item) => ({ ...item, original_amount: item.amount })),
      sold: expect.arrayContaining([expect.any(String)]),
      paid: { status: "manually paid", isDated: true },
      refused: { status: 409, refusal: { message: "Payout has already been paid" } },
    })
  })
})
