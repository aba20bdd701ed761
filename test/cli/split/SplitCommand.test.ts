import { afterAll, describe, expect, it } from "vitest"
import { type Contents, Folder, groups, ndjson, order, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const split = (
  inputs: { readonly [flag: string]: Contents },
  flags: ReadonlyArray<string> = ["--format", "ndjson"],
) => {
  const given: { readonly [flag: string]: Contents } = { groups, orders: [order("1")], ...inputs }
  const files = Object.entries(given).flatMap(([flag, contents]) => [
    `--${flag}`,
    folder.file(`${flag}.json`, contents),
  ])
  return run(["split", ...files, ...flags])
}

const linesOf = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

const refunds = [
  { order_id: "1", item_id: "1-1", quantity: 1, refunded_at: 1_740_000_000 },
  { order_id: "1", item_id: "1-1", amount: 5_000, refunded_at: 1_750_000_000 },
]

describe("splitting orders", () => {
  it("writes a line of JSON for each order, in which shares and store add up", async () => {
    const { code, out, err } = await split({})
    expect(out).toBe(
      `${JSON.stringify({
        order_id: "1",
        currency: "USD",
        shares: [
          {
            item_id: "1-1",
            group_id: "g1",
            collaborator_id: "ada",
            amount: 2_500,
            shipping_amount: 0,
            base: 10_000,
            percent: "25.00",
            flat_amount: null,
          },
          {
            item_id: "1-1",
            group_id: "g2",
            collaborator_id: "sam",
            amount: 1_000,
            shipping_amount: 0,
            base: 10_000,
            percent: "10.00",
            flat_amount: null,
          },
        ],
        store: [{ item_id: "1-1", amount: 6_500 }],
      })}\n`,
    )
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it("takes a deducting referer's share off the base of the others", async () => {
    const referring = [
      {
        ...groups[1],
        splitConditionType: "referer",
        splitConditions: ["sam-blog"],
        deduct_for_other_splits: true,
      },
      { ...groups[0], percentage: "50" },
    ]
    const orders = [order("1", { referer: "Sam-Blog" })]
    const amounts = async (all: ReadonlyArray<object>) => {
      const [line] = linesOf((await split({ groups: all, orders })).out)
      return [...line.shares, ...line.store].map(({ amount }: { amount: number }) => amount)
    }
    expect(await amounts(referring)).toEqual([4_500, 1_000, 4_500])
    const plain = referring.map((group) => ({ ...group, deduct_for_other_splits: false }))
    expect(await amounts(plain)).toEqual([5_000, 1_000, 4_000])
  })

  it("follows the policy", async () => {
    const policy = { over_allocation: "scale", tax: "keep" }
    const greedy = groups.map((group) => ({ ...group, percentage: "60" }))
    const { code, out } = await split({ groups: greedy, policy })
    expect(linesOf(out)[0].shares.map(({ amount }: { amount: number }) => amount)).toEqual([
      5_000, 5_000,
    ])
    expect(code).toBe(0)
  })

  it("goes on after orders that fail, and puts them into the output at their place", async () => {
    const orders = `${ndjson([order("1")])}{"id": oops}\n${ndjson([order("3", { currency: "XYZ" }), order("4")])}`
    const { code, out, err } = await split({ orders })
    const lines = linesOf(out)
    expect(lines.map(({ order_id }) => order_id)).toEqual(["1", null, "3", "4"])
    expect(lines[1]).toMatchObject({ line: 2, error: { _tag: "BrokenLine" } })
    expect(lines[2]).toMatchObject({
      line: 3,
      error: { _tag: "Unreadable", problems: [{ path: "currency", value: "XYZ" }] },
    })
    expect({ code, err }).toEqual({ code: 1, err: "apportion: 2 of 4 orders failed\n" })
  })

  it("stops with 2 where a document breaks off, after the orders before", async () => {
    const { code, out, err } = await split({
      orders: `[${JSON.stringify(order("1"))},\n{"id": "2", `,
    })
    expect(linesOf(out)).toHaveLength(1)
    expect(err).toContain("orders.json:2:1: is not valid JSON")
    expect(code).toBe(2)
  })

  it("reads Shopify's orders by their shape", async () => {
    const orders = {
      orders: [
        {
          id: 450789469,
          currency: "USD",
          taxes_included: false,
          line_items: [
            { id: 466157049, product_id: 632910392, price: "199.00", quantity: 1 },
            { id: 518995019, product_id: 5, price: "0.05", quantity: 1 },
          ],
        },
      ],
    }
    const byId = [{ ...groups[0], itemType: "products", items: [632910392] }]
    const [line] = linesOf((await split({ orders, groups: byId })).out)
    expect(line.shares).toMatchObject([{ item_id: "466157049", amount: 4_975 }])
    expect(line.store).toEqual([
      { item_id: "466157049", amount: 14_925 },
      { item_id: "518995019", amount: 5 },
    ])
  })
})

describe("splitting orders with refunds", () => {
  it("takes back the shares in proportion, and at last exactly", async () => {
    const { code, out } = await split({ refunds })
    const [line] = linesOf(out)
    expect(line.refunds).toEqual([
      {
        item_id: "1-1",
        refunded_at: 1_740_000_000,
        fully_refunded: false,
        shares: [
          { group_id: "g1", collaborator_id: "ada", amount: 1_250, shipping_amount: 0 },
          { group_id: "g2", collaborator_id: "sam", amount: 500, shipping_amount: 0 },
        ],
        store: 3_250,
      },
      {
        item_id: "1-1",
        refunded_at: 1_750_000_000,
        fully_refunded: true,
        shares: [
          { group_id: "g1", collaborator_id: "ada", amount: 1_250, shipping_amount: 0 },
          { group_id: "g2", collaborator_id: "sam", amount: 500, shipping_amount: 0 },
        ],
        store: 3_250,
      },
    ])
    expect(code).toBe(0)
  })

  it("makes the amounts of a CSV column add up to what remains", async () => {
    const { out } = await split({ refunds }, ["--format", "csv"])
    const [header = "", ...rows] = out.trimEnd().split("\n")
    const amount = header.split(",").indexOf("amount")
    const amounts = rows.map((row) => Number(row.split(",")[amount]))
    expect(amounts).toEqual([2_500, 1_000, 6_500, -1_250, -500, -3_250, -1_250, -500, -3_250])
    expect(amounts.reduce((sum, one) => sum + one, 0)).toBe(0)
  })

  it("keeps the sale and the other refunds when one refund can't be made", async () => {
    const tooMuch = { order_id: "1", item_id: "1-1", amount: 9_000, refunded_at: 1_745_000_000 }
    const { code, out, err } = await split({ refunds: [...refunds, tooMuch] })
    const line = JSON.parse(out.split("\n")[0] ?? "")
    expect(line.shares).toHaveLength(2)
    expect(line.refunds).toHaveLength(2)
    expect(err).toMatch(/a refund of 9000 cents is more than what remains/)
    expect(err).toMatch(/1 refund could not be made/)
    expect(code).toBe(1)
  })

  it("takes back a refund once that is told twice by its id, and refuses another one with that id", async () => {
    const told = { id: "r1", ...refunds[1] }
    const ofShipping = { ...refunds[1], id: "r1", amount: undefined, quantity: 1 }
    for (const again of [told, { ...told, refunded_at: "2025-06-15T15:06:40Z" }]) {
      const { code, out, err } = await split({ refunds: [told, again] })
      expect(JSON.parse(out).refunds).toHaveLength(1)
      expect(err).toMatch(/refund "r1" of item "1-1" was given before: .* \(left out\)/)
      expect(code).toBe(0)
    }
    const other = await split({ refunds: [told, { ...told, amount: 4_000 }] })
    expect(JSON.parse(other.out).refunds).toHaveLength(1)
    expect(other.err).toMatch(/id: refund "r1" of item "1-1" was given before, otherwise/)
    expect(other.code).toBe(1)
    // One id may be that of several refunds of an item, as of units and of shipping; without ids, equal ones are two.
    const both = await split({ refunds: [{ ...told, amount: 4_000 }, ofShipping] })
    expect(JSON.parse(both.out).refunds).toHaveLength(2)
    const nameless = await split({ refunds: [refunds[1], refunds[1]] })
    expect(JSON.parse(nameless.out).refunds).toHaveLength(2)
  })

  it("reads the ids of refunds from a CSV", async () => {
    const row = "r1,1,1-1,5000,1750000000"
    const csv = `id,order_id,item_id,amount,refunded_at\n${row}\n${row}\n`
    const orders = folder.file("csv-orders.json", [order("1")])
    const { out } = await run([
      ...["split", "--groups", folder.file("csv-groups.json", groups), "--orders", orders],
      ...["--refunds", folder.file("refunds.csv", csv), "--format", "ndjson"],
    ])
    expect(JSON.parse(out).refunds).toHaveLength(1)
  })

  it("does not blame refunds whose order failed itself", async () => {
    const { err } = await split({ orders: [order("1", { currency: "XYZ" })], refunds })
    expect(err).toBe("apportion: 1 of 1 orders failed\n")
  })
})

describe("the table of splits", () => {
  it("shows amounts in their currency at the right, and totals at the end", async () => {
    const orders = [order("1"), order("2", { currency: "JPY" }), order("3", { items: [] })]
    const { out } = await split({ orders, refunds: refunds.slice(0, 1) }, [])
    expect(out).toBe(
      [
        "Order 1, USD",
        "item  who                 group  percent  amount",
        "1-1   ada                 g1      25.00%   25.00",
        "1-1   sam                 g2      10.00%   10.00",
        "1-1   the store                            65.00",
        "1-1   ada (refund)        g1              -12.50",
        "1-1   sam (refund)        g2               -5.00",
        "1-1   the store (refund)                  -32.50",
        "",
        "Order 2, JPY",
        "item  who        group  percent  amount",
        "2-1   ada        g1      25.00%    2500",
        "2-1   sam        g2      10.00%    1000",
        "2-1   the store                    6500",
        "",
        "Order 3, USD",
        "no items",
        "",
        "Total of 3 orders",
        "who        currency  shares  refunded  total",
        "ada        JPY         2500             2500",
        "sam        JPY         1000             1000",
        "the store  JPY         6500             6500",
        "ada        USD        25.00    -12.50  12.50",
        "sam        USD        10.00     -5.00   5.00",
        "the store  USD        65.00    -32.50  32.50",
        "",
      ].join("\n"),
    )
  })

  it("lets no text of the input steer the terminal", async () => {
    const steering = [{ ...groups[1], collaborator_id: "sam\u001b[2J" }]
    const { out } = await split({ groups: steering }, [])
    expect(out).not.toContain("\u001b")
  })
})
