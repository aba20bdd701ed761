import { readFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { Folder, ndjson, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const group = {
  id: "g1",
  collaborator_id: "ada",
  itemType: "products.all",
  items: [],
  type: "percentage",
  percentage: "0.40",
}

const song = (id: string) => ({
  id,
  currency: "USD",
  created_at: 1_735_732_800,
  items: [{ external_id: "1", amount: 99, quantity: 1, product: { id: "song" } }],
})

const written = (name: string, contents: string | object): string => folder.file(name, contents)

const flags = (orders: string, ...others: ReadonlyArray<string>) => [
  ...["--groups", written("groups.json", [group]), "--orders", orders],
  ...["--policy", written("policy.json", { rounding: "carry" }), ...others],
]

const sharesOf = (out: string): ReadonlyArray<unknown> =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).shares[0])

describe("apportion split with a policy that carries", () => {
  it("goes on with what rounding left of the orders before, and writes it for those after", async () => {
    const first = written("first.ndjson", ndjson(["1", "2"].map(song)))
    const second = written("second.ndjson", ndjson(["3", "4", "5"].map(song)))
    const kept = `${folder.path}/remainders.json`
    const one = await run([
      "split",
      ...flags(first, "--format", "ndjson", "--remainders-after", kept),
    ])
    expect(one).toMatchObject({ code: 0, err: "" })
    expect(sharesOf(one.out)).toMatchObject([
      { amount: 0, carried: { before: 0, after: 3_960 } },
      { amount: 1, carried: { before: 3_960, after: -2_080 } },
    ])
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual([
      { currency: "USD", group_id: null, remainder: 2_080 },
      { currency: "USD", group_id: "g1", remainder: -2_080 },
    ])
    const both = ["--remainders", kept, "--remainders-after", kept]
    const two = await run(["split", ...flags(second, "--format", "ndjson", ...both)])
    expect(sharesOf(two.out)).toMatchObject([{ amount: 0 }, { amount: 1 }, { amount: 0 }])
    expect(JSON.parse(readFileSync(kept, "utf8"))[1]).toMatchObject({ remainder: -2_080 + 1_880 })
  })

  it("takes back what a refund changes after all orders, so that it changes none of these splits", async () => {
    const orders = written("orders.ndjson", ndjson(["1", "2", "3"].map(song)))
    const refund = { order_id: "2", item_id: "1", quantity: 1, refunded_at: 1_735_732_801 }
    const refunds = written("refunds.json", [refund])
    const kept = `${folder.path}/after-refund.json`
    const after = ["--refunds", refunds, "--remainders-after", kept]
    const { out, code } = await run(["split", ...flags(orders, "--format", "ndjson", ...after)])
    expect(code).toBe(0)
    expect(sharesOf(out)).toMatchObject([{ amount: 0 }, { amount: 1 }, { amount: 0 }])
    // Two sales of 0.396 stay, and none of their cents.
    expect(JSON.parse(readFileSync(kept, "utf8"))[1]).toMatchObject({ remainder: 7_920 })
  })

  it.each([
    ["several jobs", ["--jobs", "2", "--remainders-after", "x"], "--jobs: must be 1"],
    ["remainders that are none", ["--remainders", "BAD"], "group_id"],
    [
      "a place where nothing can be written",
      ["--remainders-after", "/nowhere/x"],
      "can't be written",
    ],
  ])("refuses %s", async (_, others, message) => {
    const orders = written("orders.ndjson", ndjson([song("1")]))
    const bad = written("bad.json", [{ currency: "USD", groupId: "g1", remainder: 1 }])
    const given = others.map((flag) => (flag === "BAD" ? bad : flag))
    const { code, err } = await run(["split", ...flags(orders, ...given)])
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it("refuses remainders where the policy carries none", async () => {
    const orders = written("orders.ndjson", ndjson([song("1")]))
    const [groups, plain] = [written("groups.json", [group]), written("plain.json", {})]
    const files = ["split", "--groups", groups, "--orders", orders, "--policy", plain]
    for (const flag of ["--remainders", "--remainders-after"]) {
      const { code, err } = await run([...files, flag, written("none.json", "[]\n")])
      expect([code, err]).toEqual([2, expect.stringContaining(`${flag}: is only for a policy`)])
    }
  })
})

describe("the other commands", () => {
  it("statement pays what split pays", async () => {
    const orders = written("orders.ndjson", ndjson(["1", "2", "3"].map(song)))
    const collaborators = written("collaborators.json", [{ id: "ada", currency: "USD" }])
    const kept = written("kept.json", [
      { currency: "USD", group_id: "g1", remainder: 9_000 },
      { currency: "USD", group_id: null, remainder: -9_000 },
    ])
    const { code, out } = await run([
      ...["statement", ...flags(orders, "--collaborators", collaborators)],
      ...["--remainders", kept, "--until", "2025-12-31", "--format", "csv"],
    ])
    expect(code).toBe(0)
    // 0.9 of a cent was due, and 3 x 0.396 came to it.
    expect(out.match(/,1\n/g)).toHaveLength(2)
  })

  it("explain refuses such a policy, and says where it can be", async () => {
    const orders = written("orders.ndjson", ndjson([song("1")]))
    const { code, err } = await run(["explain", ...flags(orders, "--order", "1")])
    expect(code).toBe(2)
    expect(err).toContain('rounding: "carry" is only for CarriedSplit')
  })
})
