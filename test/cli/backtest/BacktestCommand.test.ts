import { afterAll, describe, expect, it } from "vitest"
import { against, backtest, folder, greedy, orders } from "../BacktestWorld.js"
import { groups, ndjson, order, run } from "../world.js"

afterAll(() => folder.remove())

const json = ["--format", "json"]
const csv = ["--format", "csv"]

const rowsOf = (out: string) => out.trimEnd().split("\n").slice(1)

const cheap = (id: string, amount: number, changes: object = {}) =>
  order(id, {
    items: [{ external_id: `${id}-1`, amount, quantity: 1, product: { id: "p", tags: ["art"] } }],
    ...changes,
  })

describe("a backtest", () => {
  it("shows what each one gets by month and in all, and explains the biggest differences", async () => {
    const { code, out, err } = await backtest(["--explain", "1"])
    const lines = out.split("\n")
    expect(lines.slice(3, 23)).toEqual([
      "In all",
      "who                currency  before   after  difference  change",
      "all collaborators  USD       105.00  105.00        0.00    0.0%",
      "the store          USD       195.00  195.00        0.00    0.0%",
      "ada                USD        75.00   90.00      +15.00  +20.0%",
      "sam                USD        30.00   15.00      -15.00  -50.0%",
      "",
      "By month (UTC)",
      "who                currency  month    before  after  difference",
      "all collaborators  USD       2025-01   35.00  35.00        0.00",
      "all collaborators  USD       2025-02   35.00  35.00        0.00",
      "all collaborators  USD       no date   35.00  35.00        0.00",
      "the store          USD       2025-01   65.00  65.00        0.00",
      "the store          USD       2025-02   65.00  65.00        0.00",
      "the store          USD       no date   65.00  65.00        0.00",
      "ada                USD       2025-01   25.00  30.00       +5.00",
      "ada                USD       2025-02   25.00  30.00       +5.00",
      "ada                USD       no date   25.00  30.00       +5.00",
      "sam                USD       2025-01   10.00   5.00       -5.00",
      "sam                USD       2025-02   10.00   5.00       -5.00",
    ])
    expect(lines.slice(25)).toEqual([
      "The biggest differences",
      "",
      "Order 1 (line 1, 2025-01)",
      "  ada 25.00 → 30.00 USD (+5.00)",
      "  sam 10.00 → 5.00 USD (-5.00)",
      "  Before:",
      "    Item 1-1 of order 1 (2 units) brought in 100.00 USD.",
      "      Percentages are of: 100.00 USD price.",
      "      ada gets 25.00 USD (group g1): 25.00% of 100.00 USD is 25.00 USD.",
      "      sam gets 10.00 USD (group g2): 10.00% of 100.00 USD is 10.00 USD.",
      "      The store keeps 65.00 USD.",
      "  After:",
      "    Item 1-1 of order 1 (2 units) brought in 100.00 USD.",
      "      Percentages are of: 100.00 USD price.",
      "      ada gets 30.00 USD (group g1): 30.00% of 100.00 USD is 30.00 USD.",
      "      sam gets 5.00 USD (group g2): 5.00% of 100.00 USD is 5.00 USD.",
      "      The store keeps 65.00 USD.",
      "",
      "3 orders compared; 3 of them give a collaborator more or less.",
      "",
    ])
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it("lists those with the biggest differences first by their names, and counts the others", async () => {
    const many = Array.from({ length: 70 }, (_, index) => ({
      ...{ ...groups[1], id: `m${index}`, collaborator_id: `m${index}`, percentage: "1.00" },
    }))
    const later = many.map((group, index) => ({
      ...group,
      percentage: index < 10 ? "1.00" : (1 - index / 100).toFixed(2),
    }))
    const inputs = {
      ...{ groups: many, against: later },
      collaborators: [{ id: "m69", currency: "USD", account: { name: "Grace Hopper" } }],
    }
    const { out } = await backtest(["--explain", "1"], inputs)
    const [, totals = ""] = /In all\n([\s\S]*?)\n\n/.exec(out) ?? []
    const rows = totals.split("\n")
    expect(rows).toHaveLength(1 + 2 + 50 + 1)
    expect(rows[1]).toMatch(/^all collaborators +USD +210\.00 +138\.90 +-71\.10 +-33\.9%$/)
    expect(rows[3]).toMatch(/^Grace Hopper +USD +3\.00 +0\.93 +-2\.07 /)
    expect(rows[4]).toMatch(/^m68 /)
    expect(rows.at(-1)).toBe(
      "Not listed in USD: 10 collaborators with smaller differences (--all lists them), 10 collaborators who get the same.",
    )
    expect(out).not.toMatch(/^m5 /m)
    expect(out).toContain("  Grace Hopper 1.00 → 0.31 USD (-0.69)")
    const all = await backtest(["--all", "--explain", "0"], inputs)
    expect(all.out).toMatch(/^m10 /m)
    expect(all.out).toContain("Not listed in USD: 10 collaborators who get the same.")
  })

  it("has collaborators by name and months by time, with the store and the undated last", async () => {
    const plain = { items: [{ external_id: "1", amount: 1_000, product: { id: "mug" } }] }
    const { out } = await backtest(csv, {
      groups: [groups[0] ?? {}],
      against: [groups[0] ?? {}],
      orders: [
        order("1", { ...plain, created_at: null }),
        order("2", { created_at: null }),
        order("3"),
      ],
    })
    expect(rowsOf(out)).toEqual([
      "collaborator,ada,USD,2025-01,2500,2500,0",
      "collaborator,ada,USD,,2500,2500,0",
      "store,,USD,2025-01,7500,7500,0",
      "store,,USD,,8500,8500,0",
    ])
  })

  it("finds no difference between rules and themselves", async () => {
    const { code, out } = await backtest(json, { against: groups })
    const found = JSON.parse(out)
    expect(found.counts).toMatchObject({ orders: 3, compared: 3, changed: 0 })
    expect(found.biggest).toEqual([])
    expect(found.totals.map((total: { difference: number }) => total.difference)).toEqual([0, 0, 0])
    expect(code).toBe(0)
  })

  it("takes a collaborator who is paid by one side only as one who gets nothing by the other", async () => {
    const { out } = await backtest(csv, { against: [against[0]], orders: [order("1")] })
    expect(rowsOf(out)).toEqual([
      "collaborator,ada,USD,2025-01,2500,3000,500",
      "collaborator,sam,USD,2025-01,1000,0,-1000",
      "store,,USD,2025-01,6500,7000,500",
    ])
  })

  it("reckons months in the time zone of the policy", async () => {
    const edge = [order("1", { created_at: "2025-01-31T23:30:00Z" })]
    const berlin = { time_zone: "Europe/Berlin" }
    const monthsWith = async (inputs: object) =>
      JSON.parse((await backtest(json, { orders: edge, ...inputs })).out).rows.map(
        ({ month }: { month: string }) => month,
      )
    expect(new Set(await monthsWith({}))).toEqual(new Set(["2025-01"]))
    expect(new Set(await monthsWith({ policy: berlin }))).toEqual(new Set(["2025-02"]))
    const other = await backtest(json, { orders: edge, "against-policy": berlin })
    expect(JSON.parse(other.out).rows[0].month).toBe("2025-01")
    expect(other.err).toBe(
      "note: months are in the time zone of --policy (UTC), not of --against-policy (Europe/Berlin)\n",
    )
  })

  it("compares two policies, and uses the same one for both when one is given", async () => {
    const discounted = [
      cheap("1", 10_000, {
        items: [
          {
            external_id: "1",
            amount: 10_000,
            discount: 2_000,
            product: { id: "p", tags: ["art"] },
          },
        ],
      }),
    ]
    const inputs = { against: groups, orders: discounted }
    const ignore = { discount: "ignore" }
    const adaOf = async (policies: object) =>
      rowsOf((await backtest(csv, { ...inputs, ...policies })).out)[0]
    expect(await adaOf({ policy: ignore })).toBe("collaborator,ada,USD,2025-01,2500,2500,0")
    expect(await adaOf({ "against-policy": ignore })).toBe(
      "collaborator,ada,USD,2025-01,2000,2500,500",
    )
  })

  it("takes refunds off what is shared, in the month of the sale", async () => {
    const refunds = [
      { order_id: "1", item_id: "1-1", quantity: 1, refunded_at: "2025-06-01T00:00:00Z" },
      { order_id: "7", item_id: "1", quantity: 1, refunded_at: "2025-06-01T00:00:00Z" },
    ]
    const { code, out, err } = await backtest(csv, { orders: [order("1")], refunds })
    expect(rowsOf(out)).toEqual([
      "collaborator,ada,USD,2025-01,1250,1500,250",
      "collaborator,sam,USD,2025-01,500,250,-250",
      "store,,USD,2025-01,3250,3250,0",
    ])
    expect(err).toContain('there is no order "7" among the orders')
    expect(err).toContain("1 refund could not be made")
    expect(code).toBe(1)
    const table = await backtest([], { orders: [order("1")], refunds: [refunds[0] ?? {}] })
    expect(table.out).toContain("  ada 12.50 → 15.00 USD (+2.50)\n")
    expect(table.out).toContain("Refunds are taken off these amounts, and not in what follows.")
  })

  it("does not miss the order of a refund when the order failed", async () => {
    const refunds = ["1", "2"].map((id) => ({
      order_id: id,
      item_id: `${id}-1`,
      quantity: 1,
      refunded_at: 1_750_000_000,
    }))
    const broken = [order("1", { currency: "XXX" }), order("2", { referer: "b" })]
    const inputs = { groups: greedy("b"), against: greedy("b"), orders: broken, refunds }
    const { err } = await backtest(csv, inputs)
    expect(err).toContain("2 of 2 orders failed")
    expect(err).not.toContain("refund")
    const { out } = await backtest(json, { ...inputs, against: groups })
    expect(JSON.parse(out).refused).toMatchObject([{ order_id: "2", shares: 1_750, store: 3_250 }])
  })

  it("tells a refund that can't be made once, and not for each side", async () => {
    const refunds = [{ order_id: "1", item_id: "1-1", quantity: 9, refunded_at: 1_750_000_000 }]
    const { code, err } = await backtest(csv, { orders: [order("1")], refunds })
    expect(err.match(/a refund of 9 units is more than what remains/g)).toHaveLength(1)
    expect(err).toContain("1 refund could not be made")
    expect(code).toBe(1)
  })

  it("adds up beyond what numbers hold exactly", async () => {
    const most = Number.MAX_SAFE_INTEGER
    const all = [{ ...groups[1], percentage: "100.00" }]
    const half = [{ ...groups[1], percentage: "0.00" }]
    const many = [1, 2, 3].map((id) => cheap(String(id), most))
    const inputs = { groups: all, against: half, orders: many }
    const sum = 3n * BigInt(most)
    expect(rowsOf((await backtest(csv, inputs)).out)).toEqual([
      `collaborator,sam,USD,2025-01,${sum},0,-${sum}`,
      `store,,USD,2025-01,0,${sum},${sum}`,
    ])
    const [total] = JSON.parse((await backtest(json, inputs)).out).totals
    expect(total).toMatchObject({ before: String(sum), after: 0, difference: `-${sum}` })
  })
})

describe("the biggest differences", () => {
  const biggest = async (flags: ReadonlyArray<string>, inputs: object) =>
    JSON.parse((await backtest([...json, ...flags], { ...inputs })).out).biggest.map(
      (each: { order_id: string; changes: ReadonlyArray<{ difference: number }> }) => [
        each.order_id,
        each.changes[0]?.difference,
      ],
    )
  const amounts = [300, 5_000, 100, 9_000, 5_000, 700]
  const many = amounts.map((amount, index) => cheap(String(index + 1), amount))

  it("are told from the biggest on, and of equal ones the earlier first", async () => {
    expect(await biggest(["--explain", "3"], { orders: many })).toEqual([
      ["4", 450],
      ["2", 250],
      ["5", 250],
    ])
    expect(await biggest([], { orders: many })).toHaveLength(5)
    expect(await biggest(["--explain", "0"], { orders: many })).toEqual([])
  })

  it("are those of a collaborator: what the store gets more or less of an order does not count", async () => {
    const referring = { ...against[1], splitConditionType: "referer", splitConditions: ["x"] }
    const inputs = {
      groups: [groups[0] ?? {}],
      against: [against[0] ?? {}, referring],
      orders: [cheap("1", 10_000, { referer: "x" }), cheap("2", 12_000)],
    }
    expect(await biggest([], inputs)).toEqual([
      ["2", 600],
      ["1", 500],
    ])
  })

  it("are those of each currency, for their amounts can't be compared", async () => {
    const yen = cheap("7", 100_000, { currency: "JPY" })
    expect(await biggest(["--explain", "1"], { orders: [...many, yen] })).toEqual([
      ["7", 5_000],
      ["4", 450],
    ])
  })

  it("explain only the items that come out otherwise", async () => {
    const items = [
      { external_id: "print", amount: 1_000, product: { id: "p", tags: ["art"] } },
      { external_id: "mug", amount: 1_000, product: { id: "m" } },
    ]
    const { out } = await backtest(json, {
      against: [against[0] ?? {}, groups[1] ?? {}],
      orders: [order("1", { items })],
    })
    const [first] = JSON.parse(out).biggest
    for (const side of [first.before, first.after]) {
      expect(side.items.map(({ item_id }: { item_id: string }) => item_id)).toEqual(["print"])
    }
    expect(first.changes).toEqual([
      { collaborator_id: "ada", before: 250, after: 300, difference: 50 },
    ])
  })

  it.each(["-1", "1001", "2.5", "many"])("can't be %s many", async (number) => {
    const { code, out, err } = await backtest([`--explain=${number}`])
    expect(err).toContain(`--explain: must be a whole number from 0 to 1000, got "${number}"`)
    expect({ code, out }).toEqual({ code: 2, out: "" })
  })
})

describe("orders that a side refuses", () => {
  const mixed = [
    order("1"),
    order("2", { referer: "a" }),
    order("3", { referer: "b" }),
    order("4", { currency: "XXX" }),
  ]
  const sides = { groups: greedy("a"), against: greedy("b"), orders: mixed }

  it("are told, listed with what the other side gives, and in no sum", async () => {
    const { code, out, err } = await backtest(json, sides)
    const found = JSON.parse(out)
    expect(found.counts).toEqual({
      orders: 4,
      compared: 1,
      changed: 0,
      refused_by_before: 1,
      refused_by_after: 1,
      refused_by_both: 0,
      unreadable: 1,
    })
    expect(found.refused).toMatchObject([
      {
        order_id: "2",
        by: "before",
        error: { _tag: "OverAllocated" },
        shares: 3_500,
        store: 6_500,
      },
      { order_id: "3", by: "after", error: { _tag: "OverAllocated" }, shares: 3_500, store: 6_500 },
    ])
    expect(found.rows[0]).toMatchObject({ collaborator_id: "ada", before: 2_500, after: 2_500 })
    expect(err).toMatch(/order 2: the groups of item 2-1 .* \(with --groups only\)\n/)
    expect(err).toMatch(/order 3: the groups of item 3-1 .* \(with --against only\)\n/)
    expect(err).toContain("XXX")
    expect(err).toContain("3 of 4 orders failed")
    expect(code).toBe(1)
  })

  it("are counted when both refuse them, and their common reason is told once", async () => {
    const { code, out, err } = await backtest(json, { ...sides, against: greedy("a") })
    expect(JSON.parse(out).counts).toMatchObject({ refused_by_both: 1, compared: 2 })
    expect(JSON.parse(out).refused).toEqual([])
    expect(err.match(/order 2: the groups of item/g)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it("stand in the table with their number", async () => {
    const { out } = await backtest([], sides)
    expect(out).toContain("Orders that only one side refuses\n  Order 2 (line 1): refused by")
    expect(out).toContain(
      "The rules after give 35.00 USD to collaborators and 65.00 USD to the store.\n",
    )
    expect(out).toContain(
      [
        "1 order compared; 0 of them give a collaborator more or less.",
        "1 order refused by the rules before only, and not in the sums.",
        "1 order refused by the rules after only, and not in the sums.",
        "1 order not readable.",
        "",
      ].join("\n"),
    )
  })

  it("are all told and counted, though not all are listed when there are very many", async () => {
    const many = Array.from({ length: 130 }, (_, index) => order(String(index), { referer: "b" }))
    const inputs = { ...sides, orders: ndjson(many) }
    const { out, err } = await backtest(json, inputs)
    expect(JSON.parse(out).refused).toHaveLength(100)
    expect(JSON.parse(out).counts.refused_by_after).toBe(130)
    expect(err.match(/with --against only/g)).toHaveLength(130)
    expect((await backtest([], inputs)).out).toContain("\n  and 30 more\n")
  })
})

describe("the help of a backtest", () => {
  it("shows its flags, with examples", async () => {
    const { code, out } = await run(["backtest", "--help"])
    for (const said of [
      "EXAMPLES",
      "--against-policy",
      "--explain",
      "apportion backtest --groups",
    ]) {
      expect(out).toContain(said)
    }
    expect(code).toBe(0)
    expect((await run(["--help"])).out).toContain("backtest")
  })
})

describe("wrong use of a backtest", () => {
  it("tells every mistake in either groups, with its file", async () => {
    const { code, out, err } = await backtest([], {
      against: [{ ...groups[0], percentage: 12.345 }],
    })
    expect(err).toMatch(/against\.json:1: \[0\]\.percentage: .*12\.345/)
    expect({ code, out }).toEqual({ code: 2, out: "" })
  })

  it("needs the other groups", async () => {
    const file = folder.file("groups.json", groups)
    const { code, err } = await run(["backtest", "--groups", file, "--orders", file])
    expect(err).toContain("--against")
    expect(code).toBe(2)
  })

  it("takes standard input for one input only", async () => {
    const file = folder.file("orders.json", orders)
    const flags = ["--groups", "-", "--against", "-", "--orders", file]
    const { code, err } = await run(["backtest", ...flags])
    expect(err).toContain("only one input can be standard input (-), got --groups and --against")
    expect(code).toBe(2)
  })

  it("prints nothing of orders that end in the middle", async () => {
    const broken = JSON.stringify([order("1"), order("2")]).slice(0, -9)
    const { code, out, err } = await backtest([], { orders: broken })
    expect(err).toMatch(/orders\.json:1:\d+: is not valid JSON/)
    expect({ code, out }).toEqual({ code: 2, out: "" })
  })

  it("has nothing to show of no orders", async () => {
    const { code, out } = await backtest([], { orders: [] })
    expect(out).toMatch(/0 orders compared; 0 of them give a collaborator more or less\.\n$/)
    expect(out).not.toContain("By month")
    expect(code).toBe(0)
  })
})
