import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import * as ExitCode from "../../src/cli/ExitCode.js"
import type { Sink } from "../../src/cli/Session.js"
import { isWhole, runs } from "../generators/Runs.js"
import { threadsWithin } from "./JobThreads.js"
import { type Contents, Folder, groups, ndjson, order, run } from "./world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const groupsFile = folder.file("groups.json", groups)
const formats = ["table", "ndjson", "csv"]

/** The formats in which the input with a number is tried: each in one of them, unless everything is tried. */
const formatsOf = (input: number) =>
  formats.filter((_, place) => isWhole || place === input % formats.length)

async function* chunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

interface Cut {
  readonly jobs: number
  readonly chunkBytes: number
  readonly pieceBytes: number
}

/** What a run says of orders that come through standard input in chunks of a size. */
const splitStdin = (orders: Buffer, flags: ReadonlyArray<string>, cut: Cut) =>
  run(["split", "--groups", groupsFile, "--orders", "-", ...flags, "--jobs", `${cut.jobs}`], {
    stdin: chunksOf(orders, cut.chunkBytes),
    jobs: threadsWithin(cut.pieceBytes),
  })

const cuts = [
  [2, 1],
  [3, 900],
  [4, 1_000_000],
] as const

const expectSame = async (orders: string | Buffer, flags: ReadonlyArray<string>) => {
  const bytes = Buffer.from(orders)
  for (const [place, chunkBytes] of [7, 250, 100_000].entries()) {
    const alone = await splitStdin(bytes, flags, { jobs: 1, chunkBytes, pieceBytes: 1 })
    for (const [jobs, pieceBytes] of isWhole ? cuts : cuts.slice(place, place + 1)) {
      const several = await splitStdin(bytes, flags, { jobs, chunkBytes, pieceBytes })
      expect(several).toEqual(alone)
    }
  }
}

const orders = [
  order("1", { note: "host's own", tagz: ["vip"] }),
  order("2", { currency: "JPY", refererr: "x" }),
  order("3", { currency: "XYZ" }),
  order("1"),
  order("5", { items: [] }),
  order("6", {
    tagz: [],
    items: [{ ...order("6").items[0], amuont: 3, amount: 90_071_992_547_409_91 }],
  }),
  order("7", { items: [{ external_id: "7-1", amount: 999, product: { id: "p9" } }] }),
  order("5"),
  order("é\u001b[2J=8"),
]

const refunds = [
  { order_id: "7", item_id: "7-1", amount: 333, refunded_at: 1_740_000_000 },
  { order_id: "1", item_id: "1-1", quantity: 1, refunded_at: 1_740_000_000 },
  { order_id: "2", item_id: "none", amount: 1, refunded_at: 1_740_000_000 },
  { order_id: "lost", item_id: "1", amount: 1, refunded_at: 1_740_000_000 },
  { order_id: "3", item_id: "3-1", amount: 1, refunded_at: 1_740_000_000 },
  { order_id: "lost too", item_id: "1", amount: 1, refunded_at: 1_740_000_000 },
]

const products = [{ id: "p9", name: "Nine", tags: ["art"] }]

const brokenLines = Buffer.concat([
  Buffer.from(`${ndjson(orders.slice(0, 3))}\n{"id": oops}\n`),
  Buffer.from([0xc3, 0x28, 0x0a]),
  Buffer.from(`${ndjson(orders.slice(3))}\r\n[1]\n"text"\n{"id":"last"`),
])

const inputs: { readonly [what: string]: string | Buffer } = {
  "lines of JSON": ndjson(orders),
  "lines of JSON of which some are broken": brokenLines,
  "a JSON list": JSON.stringify(orders),
  "a JSON list of many lines under a name": JSON.stringify({ orders, meta: {} }, null, 2),
  "a JSON list that breaks off": `${JSON.stringify(orders, null, 2).slice(0, -9)}`,
  "a JSON list with a value that is none": `[${JSON.stringify(orders[0])},{"id":nul},${JSON.stringify(orders[1])}]`,
  "one order": JSON.stringify(orders[0]),
  "one order under a name": JSON.stringify({ order: orders[0] }),
  "a list under a name that is none": JSON.stringify({ sales: orders }),
  CSV: [
    "order_id,currency,item_id,quantity,amount,product_id,product_tags,colour",
    ...["1,USD,1-1,1,100,p1,art,red", "1,EUR,1-2,1,100,p1,art,red", "2,JPY,2-1,1,1.5,p9,,"],
    ...["7,USD,7-1,1,999,p9,,", '7,USD,7-2,2,50,p9,"a\nb",', "1,USD,1-1,1,100,p1,art,"],
  ].join("\n"),
  "CSV that breaks off": 'order_id,currency,item_id,amount,product_id\n1,USD,1-1,100,p1\n2,USD,"2',
  "CSV with a header alone": "order_id,currency,item_id,amount,product_id\n",
  "Shopify's orders": JSON.stringify({
    orders: [1, 2, 1].map((id) => ({
      id,
      currency: "USD",
      line_items: [{ id: 5, product_id: 6, price: "19.90", quantity: 1 }],
    })),
  }),
  "text that is no input": "hello",
  nothing: "",
}

describe("several jobs say what one job says", () => {
  for (const [place, [what, bytes]] of Object.entries(inputs).entries()) {
    for (const format of formatsOf(place)) {
      it(`of ${what}, as ${format}`, async () => {
        const flags = ["--format", format]
        await expectSame(bytes, flags)
      })
    }
  }

  it("of a long CSV, whose orders have one line or several", async () => {
    const rows = Array.from({ length: 1_400 }, (_, index) => {
      const id = index % 7 === 3 ? "" : Math.floor((index * 2) / 3) % 800
      return `${id},${index % 400 === 7 ? "XYZ" : "USD"},${index},${index % 90 === 5 ? "x" : 100},"a\nb"`
    })
    const text = ["order_id,currency,item_id,amount,product_id", ...rows].join("\n")
    for (const format of formatsOf(2)) {
      const cut = { chunkBytes: 5_000, pieceBytes: 1 }
      const alone = await splitStdin(Buffer.from(text), ["--format", format], { ...cut, jobs: 1 })
      expect(alone.err).toContain("orders failed")
      for (const jobs of [2, 3]) {
        expect(await splitStdin(Buffer.from(text), ["--format", format], { ...cut, jobs })).toEqual(
          alone,
        )
      }
    }
  })

  it("with refunds, products and a policy", async () => {
    const files = { refunds, products, policy: { over_allocation: "scale" } }
    const flags = Object.entries(files).flatMap(([flag, value]) => [
      `--${flag}`,
      folder.file(`${flag}.json`, value),
    ])
    const all = [brokenLines, JSON.stringify(orders), inputs.CSV ?? ""]
    for (const [place, bytes] of all.entries()) {
      for (const format of formatsOf(place)) await expectSame(bytes, ["--format", format, ...flags])
    }
  })

  it("and of inputs that can't be used, whichever comes first", async () => {
    const broken = (flag: string, contents: Contents) => [
      `--${flag}`,
      folder.file(`broken-${flag}.json`, contents),
    ]
    const policy = broken("policy", { tax: "maybe" })
    const missing = ["--products", `${folder.path}/missing.json`]
    const notes = broken("refunds", [{ ...refunds[0], order_id: 7, refunded_at: "noon" }])
    for (const flags of [policy, missing, notes, [...missing, ...policy], [...notes, ...missing]]) {
      await expectSame(ndjson(orders), flags)
    }
  })

  it("and of orders in files that can't be used, after all that the other inputs have wrong", async () => {
    const missing = `${folder.path}/missing.ndjson`
    const sets = [groupsFile, folder.file("wrong-groups.json", [{ id: "g" }])]
    for (const each of sets) {
      for (const file of [missing, folder.file("empty.ndjson", ""), folder.path]) {
        const args = ["split", "--groups", each, "--orders", file]
        const alone = await run(args)
        expect(alone.code).toBe(ExitCode.unusable)
        expect(await run([...args, "--jobs", "2"], { jobs: threadsWithin(1) })).toEqual(alone)
      }
    }
  })

  it("and what is noted of the other inputs, once", async () => {
    const odd = folder.file("odd.json", [{ ...groups[0], items: [], colour: "red" }])
    const file = folder.file("few.ndjson", ndjson([order("1")]))
    const args = ["split", "--groups", odd, "--orders", file]
    const alone = await run(args)
    expect(alone.err.match(/lists no values/g)).toHaveLength(1)
    expect(await run([...args, "--jobs", "3"], { jobs: threadsWithin(1) })).toEqual(alone)
  })

  it("of the groups from standard input", async () => {
    const file = folder.file("some.ndjson", ndjson(orders))
    const args = ["split", "--groups", "-", "--orders", file]
    const stdin = JSON.stringify(groups)
    const several = await run([...args, "--jobs", "2"], { stdin, jobs: threadsWithin(1) })
    expect(several).toEqual(await run(args, { stdin }))
    expect(several.code).toBe(1)
  })
})

const isLine = (bytes: Buffer) => bytes.length > 0 && bytes[0] === 123

describe("random lines", () => {
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.nat(12).map((id) => Buffer.from(ndjson([order(`o${id}`)]))) },
    fc
      .constantFrom("\n", "{\n", '{"id":1}\n', "[]\n", "null\n", "\r\n")
      .map((text) => Buffer.from(text)),
    fc
      .constantFrom("tagz", "itemz", "currencyy")
      .map((field) => Buffer.from(ndjson([order("x", { [field]: 1 })]))),
    fc.constant(Buffer.from([0xff, 0x0a])),
    fc.string({ unit: "binary" }).map((id) => Buffer.from(ndjson([order(id)]))),
  )
  it("come to the same with any number of jobs, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 2, maxLength: 30 }),
        fc.record({
          jobs: fc.integer({ min: 2, max: 4 }),
          chunkBytes: fc.integer({ min: 1, max: 2_000 }),
          pieceBytes: fc.integer({ min: 1, max: 3_000 }),
        }),
        fc.constantFrom(...formats),
        fc.boolean(),
        async (lines, cut, format, ends) => {
          const whole = Buffer.concat([Buffer.from(ndjson([order("first")])), ...lines])
          const bytes = ends ? whole : whole.subarray(0, -1)
          const flags = ["--format", format]
          const alone = await splitStdin(bytes, flags, { ...cut, jobs: 1 })
          expect(await splitStdin(bytes, flags, cut)).toEqual(alone)
          expect(isLine(bytes)).toBe(true)
        },
      ),
      runs(150),
    )
  })
})

describe("the jobs", () => {
  const manyOrders = Buffer.from(
    ndjson(Array.from({ length: 200 }, (_, index) => order(`${index}`))),
  )
  const args = ["split", "--groups", groupsFile, "--orders", "-", "--format", "ndjson"]

  it("share the orders with the thread that starts them, and all of them end", async () => {
    for (const others of [1, 2]) {
      const census = { started: 0, ended: 0, pieces: 0 }
      const { out } = await run([...args, "--jobs", `${others + 1}`], {
        stdin: chunksOf(manyOrders, 900),
        jobs: threadsWithin(1, { census }),
      })
      expect(out.trimEnd().split("\n")).toHaveLength(200)
      expect(census).toMatchObject({ started: others, ended: others })
      // Of 38 pieces.
      expect(census.pieces).toBeGreaterThan(10)
      expect(census.pieces).toBeLessThan(30)
    }
  })

  it("are none when there is one", async () => {
    const census = { started: 0, ended: 0, pieces: 0 }
    const jobs = threadsWithin(1_000, { census })
    for (const flags of [[], ["--jobs", "1"]]) {
      expect((await run([...args, ...flags], { stdin: manyOrders, jobs })).code).toBe(0)
    }
    expect(census.started).toBe(0)
  })

  it("are a whole number from 1 to 64", async () => {
    for (const count of ["0", "65", "-1", "1.5", "two", ""]) {
      const { code, out, err } = await run([...args, `--jobs=${count}`], { stdin: manyOrders })
      expect({ code, out }).toEqual({ code: 2, out: "" })
      expect(err).toBe(`apportion: --jobs: must be a whole number from 1 to 64, got "${count}"\n`)
    }
  })

  it("lose no order when one of them is killed: what came before is printed, and the run fails", async () => {
    const alone = (await run(args, { stdin: manyOrders })).out
    for (const deadlyPiece of [1, 2, 7]) {
      const census = { started: 0, ended: 0, pieces: 0 }
      const jobs = threadsWithin(1_000, { deadlyPiece, census })
      const stdin = chunksOf(manyOrders, 900)
      const { code, out, err } = await run([...args, "--jobs", "2"], { stdin, jobs })
      expect(code).toBe(ExitCode.defect)
      expect(err).toMatch(/a job ended before its work was done: Error: it was killed\n$/)
      expect(alone.startsWith(out)).toBe(true)
      expect(out.length).toBeLessThan(alone.length)
      expect(census.ended).toBe(1)
    }
  })

  it("end when the reader of the output goes away", async () => {
    const census = { started: 0, ended: 0, pieces: 0 }
    let written = 0
    const stdout: Sink = {
      isTerminal: false,
      columns: undefined,
      write: async () => {
        written += 1
        if (written > 2) throw new ExitCode.OutputClosed({ message: "the output was closed" })
      },
    }
    const { code, err } = await run([...args, "--jobs", "2"], {
      stdin: chunksOf(manyOrders, 900),
      stdout,
      jobs: threadsWithin(1_000, { census }),
    })
    expect({ code, err, ended: census.ended, written }).toEqual({
      code: 0,
      err: "",
      ended: 1,
      written: 3,
    })
  })

  it("get no more than a few pieces while the reader is slow", async () => {
    const census = { started: 0, ended: 0, pieces: 0 }
    const gate = Promise.withResolvers<void>()
    let written = 0
    const stdout: Sink = {
      isTerminal: false,
      columns: undefined,
      write: async () => {
        written += 1
        await gate.promise
      },
    }
    let readBytes = 0
    async function* slowly() {
      for await (const chunk of chunksOf(manyOrders, 900)) {
        readBytes += chunk.length
        yield chunk
      }
    }
    const jobs = threadsWithin(1_000, { census })
    const ended = run([...args, "--jobs", "2"], { stdin: slowly(), stdout, jobs })
    await expect.poll(() => ({ written, readBytes })).toEqual({ written: 1, readBytes: 12 * 900 })
    expect(readBytes).toBeLessThan(manyOrders.length / 2)
    gate.resolve()
    expect((await ended).code).toBe(0)
    expect(readBytes).toBe(manyOrders.length)
  })
})
