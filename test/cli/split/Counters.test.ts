import { readFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { Folder, ndjson, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const start = 1_767_225_600

const bands = [
  { from: 0, percent: 10 },
  { from: 10, percent: 20 },
]
const group = {
  id: "g1",
  collaborator_id: "ada",
  itemType: "products.all",
  terms: { tiers: { counted: "units", bands } },
}

/** Copies at 1.00 each, so many seconds after the start. */
const sale = (id: string, quantity: number, after: number) => ({
  id,
  currency: "USD",
  created_at: start + after,
  items: [{ external_id: "1", amount: quantity * 100, quantity, product: { id: "book" } }],
})

const refundOf = (id: string, quantity: number, after: number) => ({
  order_id: id,
  item_id: "1",
  quantity,
  refunded_at: start + after,
})

const written = (name: string, contents: string | object): string => folder.file(name, contents)

const inputs = (orders: ReadonlyArray<object>, groups: object | string = [group]) => [
  ...["--groups", written(typeof groups === "string" ? "groups.csv" : "groups.json", groups)],
  ...["--orders", written("orders.ndjson", ndjson(orders))],
]

const split = (orders: ReadonlyArray<object>, ...others: ReadonlyArray<string>) =>
  run(["split", ...inputs(orders), "--format", "ndjson", ...others])

const amountsOf = (out: string): ReadonlyArray<unknown> =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).shares?.[0]?.amount)

const counter = { counted: "units", currency: "USD", period: "lifetime", per: "group", id: "g1" }
const countersIn = (name: string): unknown => JSON.parse(readFileSync(name, "utf8"))

describe("apportion split by groups with terms", () => {
  it("goes on with what was counted before, and writes it for the orders after", async () => {
    const kept = `${folder.path}/counters.json`
    const one = await split([sale("1", 6, 1), sale("2", 6, 2)], "--counters-after", kept)
    expect(one).toMatchObject({ code: 0, err: "" })
    // The sixth to the tenth copy earn 10 %, the last two 20 %.
    expect(amountsOf(one.out)).toEqual([60, 80])
    expect(countersIn(kept)).toEqual([{ ...counter, count: 12 }])
    const both = ["--counters", kept, "--counters-after", kept]
    const two = await split([sale("3", 1, 3)], ...both)
    expect(amountsOf(two.out)).toEqual([20])
    expect(countersIn(kept)).toEqual([{ ...counter, count: 13 }])
    const line = JSON.parse(two.out)
    expect(line.shares[0]).toMatchObject({
      percent: null,
      terms: { tiers: { before: 12, after: 13 } },
    })
  })

  it("lowers the counters by a refund, for the orders of later seconds", async () => {
    const orders = [sale("1", 10, 1), sale("2", 1, 5), sale("3", 1, 6)]
    const refunds = written("refunds.json", [refundOf("1", 4, 5)])
    const kept = `${folder.path}/refunded.json`
    const { out } = await split(orders, "--refunds", refunds, "--counters-after", kept)
    // Of the same second the sale comes first: the eleventh copy. Then seven are left.
    expect(amountsOf(out)).toEqual([100, 20, 10])
    expect(countersIn(kept)).toEqual([{ ...counter, count: 8 }])
    const all = written("all.json", [refundOf("1", 4, 5), refundOf("1", 6, 9), refundOf("2", 1, 9)])
    await split(orders, "--refunds", all, "--counters-after", kept)
    expect(countersIn(kept)).toEqual([{ ...counter, count: 1 }])
  })

  it("counts nothing of an order that can't be split", async () => {
    const kept = `${folder.path}/failed.json`
    const broken = { ...sale("2", 3, 2), currency: "XXQ" }
    const { out, code } = await split(
      [sale("1", 1, 1), broken, sale("3", 1, 3)],
      "--counters-after",
      kept,
    )
    expect(code).toBe(1)
    expect(amountsOf(out).filter((amount) => amount !== undefined)).toEqual([10, 10])
    expect(countersIn(kept)).toEqual([{ ...counter, count: 2 }])
  })

  it("reads terms from CSV", async () => {
    const groups = [
      "id,collaborator_id,itemType,percent,tiers_counted,tiers_bands,cap_amount,cap_period",
      "g1,ada,products.all,,units,0:10; 10:20,,",
      "g2,ben,products.all,5,,,30,year",
    ].join("\n")
    const files = inputs([sale("1", 12, 1)], groups)
    const { out } = await run(["split", ...files, "--format", "ndjson"])
    const amounts = JSON.parse(out).shares.map(({ amount }: { amount: number }) => amount)
    expect(amounts).toEqual([140, 30])
    const wrong = inputs([sale("1", 1, 1)], groups.replace("0:10; 10:20", "0:10; 10"))
    const refused = await run(["split", ...wrong])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain("groups.csv:2")
    expect(refused.err).toContain("tiers_bands")
  })

  it.each([
    ["several jobs with counters", ["--jobs", "2", "--counters-after", "x"], "--jobs: must be 1"],
    ["counters that are none", ["--counters", "BAD"], "bad.json:1: [0].counted"],
    ["a counter that is there twice", ["--counters", "TWICE"], "is there twice"],
    [
      "a place where nothing can be written",
      ["--counters-after", "/nowhere/x"],
      "can't be written",
    ],
    [
      "a policy that carries",
      ["--policy", "CARRY"],
      'can\'t be used with a policy with "rounding": "carry"',
    ],
  ])("refuses %s", async (_, others, message) => {
    const one = JSON.stringify({ ...counter, count: 1 })
    const files: Record<string, string> = {
      BAD: written("bad.json", [{ ...counter, counted: "copies", count: 1 }]),
      TWICE: written("twice.json", `[${one},\n${one}]`),
      CARRY: written("carry.json", { rounding: "carry" }),
    }
    const { code, err } = await split(
      [sale("1", 1, 1)],
      ...others.map((flag) => files[flag] ?? flag),
    )
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it("refuses counters where no group has terms, and counting by payout", async () => {
    const { terms: _, ...plain } = group
    const orders = [sale("1", 1, 1)]
    const files = inputs(orders, [{ ...plain, percent: 5 }])
    for (const flag of ["--counters", "--counters-after"]) {
      const { code, err } = await run(["split", ...files, flag, written("none.json", "[]\n")])
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`${flag}: is only for groups with terms`),
      ])
    }
    const payout = { ...group, terms: { cap: { amount: 5, period: "payout" } }, percent: 5 }
    const { code, err } = await run(["split", ...inputs(orders, [payout])])
    expect(code).toBe(2)
    expect(err).toContain("terms.cap.period: payout can't be used with files")
  })
})

describe("the other commands by groups with terms", () => {
  const collaborators = () => written("collaborators.json", [{ id: "ada", currency: "USD" }])

  it("statement pays what split pays", async () => {
    const orders = [sale("1", 6, 1), sale("2", 6, 2), sale("3", 1, 9)]
    const refunds = written("statement-refunds.json", [refundOf("1", 6, 5)])
    const files = [...inputs(orders), "--collaborators", collaborators(), "--refunds", refunds]
    const flags = ["--until", "2026-12-31", "--format", "csv"]
    const { code, out } = await run(["statement", ...files, ...flags])
    expect(code).toBe(0)
    const amounts = out
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => Number(line.split(",").at(-1)))
    expect(amounts).toEqual([0, 80, 10])
    const counters = written("before.json", [{ ...counter, count: 100 }])
    const later = await run(["statement", ...files, ...flags, "--counters", counters])
    const after = later.out.trim().split("\n").slice(1)
    expect(after.map((line) => Number(line.split(",").at(-1)))).toEqual([0, 120, 20])
  })

  it("explain says what the terms did, with the orders before it counted", async () => {
    const orders = inputs([sale("1", 6, 1), sale("2", 6, 2), sale("3", 3, 9)])
    const { code, out } = await run(["explain", ...orders, "--order", "2"])
    expect(code).toBe(0)
    expect(out).toContain("4 of its 6 units were at 10.00%, 2 at 20.00%: 0.80 USD.")
    const refunds = written("explain-refunds.json", [refundOf("1", 6, 5)])
    const refunded = await run(["explain", ...orders, "--order", "3", "--refunds", refunds])
    expect(refunded.out).toContain("Units counted: 6 before it, 9 with it.")
    const json = await run(["explain", ...orders, "--order", "2", "--format", "json"])
    expect(JSON.parse(json.out).items[0].shares[0].terms.tiers).toMatchObject({
      before: 6,
      after: 12,
    })
  })

  it("backtest counts both sides anew, in the order of the file", async () => {
    const next = {
      ...group,
      terms: { tiers: { counted: "units", bands: [{ from: 0, percent: 10 }] } },
    }
    const files = inputs([sale("1", 6, 1), sale("2", 6, 2)])
    const against = ["--against", written("next.json", [next])]
    const { code, out } = await run(["backtest", ...files, ...against, "--format", "json"])
    expect(code).toBe(0)
    const totals: ReadonlyArray<Record<string, unknown>> = JSON.parse(out).totals
    const ada = totals.find(({ collaborator_id }) => collaborator_id === "ada")
    expect([Number(ada?.before), Number(ada?.after)]).toEqual([140, 120])
  })
})
