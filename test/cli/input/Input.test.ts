import { afterAll, describe, expect, it } from "vitest"
import { type Contents, Folder, groups, ndjson, order, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const split = async (files: { readonly [flag: string]: readonly [string, Contents] }) => {
  const paths = Object.entries(files).flatMap(([flag, [name, contents]]) => [
    `--${flag}`,
    folder.file(name, contents),
  ])
  return run(["split", ...paths, "--format", "ndjson"])
}

const soundGroups = ["groups.json", groups] as const
const soundOrders = ["orders.ndjson", ndjson([order("1"), order("2")])] as const

const groupsCsv = (delimiter: string, newline: string) =>
  [
    ["id", "collaborator_id", "itemType", "items", "type", "percentage"],
    ["g1", "ada", "products.tag", "art", "percentage", "25.00"],
    ["g2", "sam", "products.all", "", "percentage", "10.00"],
  ]
    .map((cells) => cells.join(delimiter) + newline)
    .join("")

const ordersCsv = [
  "order_id,currency,created_at,item_id,amount,quantity,product_id,product_name,product_tags",
  '1,USD,1735732800,1-1,10000,2,p1,"Blue Hour",art',
  '2,USD,1735732800,2-1,10000,2,p1,"Blue Hour","art, sea"',
].join("\n")

const sameGroups: ReadonlyArray<readonly [string, string, Contents]> = [
  ["a list", "a.json", groups],
  ["a list over many lines", "b.json", JSON.stringify(groups, undefined, 2)],
  ["lines", "c.ndjson", ndjson(groups)],
  ["lines under another name", "d.txt", ndjson(groups)],
  [
    "lines with a byte order mark and CRLF",
    "e.txt",
    `\ufeff${ndjson(groups).replace(/\n/g, "\r\n")}`,
  ],
  ["a list of the service", "f.json", { data: groups, meta: { total: 2 } }],
  ["a named list over many lines", "g.json", JSON.stringify({ groups }, undefined, 2)],
  ["CSV", "h.csv", groupsCsv(",", "\n")],
  ["CSV with semicolons, CRLF and a byte order mark", "i.csv", `\ufeff${groupsCsv(";", "\r\n")}`],
  ["CSV with tabs", "j.tsv", groupsCsv("\t", "\n")],
]

const sameOrders: ReadonlyArray<readonly [string, string, Contents]> = [
  ["a list", "a.json", [order("1"), order("2")]],
  ["a list over many lines", "b.json", JSON.stringify([order("1"), order("2")], undefined, 2)],
  ["a named list", "c.json", { orders: [order("1"), order("2")] }],
  [
    "one document after the other",
    "d.json",
    [1, 2].map((id) => JSON.stringify(order(`${id}`), undefined, 1)).join("\n"),
  ],
  ["CSV with a line for each item", "e.csv", ordersCsv],
]

describe("the same in every format", () => {
  it.each(sameGroups)("groups: %s", async (_, name, contents) => {
    const expected = await split({ groups: soundGroups, orders: soundOrders })
    expect(expected.code).toBe(0)
    expect(await split({ groups: [name, contents], orders: soundOrders })).toEqual(expected)
  })

  it.each(sameOrders)("orders: %s", async (_, name, contents) => {
    const expected = await split({ groups: soundGroups, orders: soundOrders })
    expect(await split({ groups: soundGroups, orders: [name, contents] })).toEqual(expected)
  })

  it("a single order is a list of one", async () => {
    const one = await split({ groups: soundGroups, orders: ["one.json", order("1")] })
    const list = await split({ groups: soundGroups, orders: ["list.json", [order("1")]] })
    expect(one).toEqual(list)
    expect(one.code).toBe(0)
  })

  it("an empty list of orders is no problem, and no output", async () => {
    const none = await split({ groups: soundGroups, orders: ["none.json", "[ ]"] })
    expect(none).toEqual({ code: 0, out: "", err: "" })
  })
})

describe("orders in CSV", () => {
  it("take the lines of one order together, and tell problems with line and column", async () => {
    const csv = [
      "order_id,currency,item_id,amount,product_id,product_tags,warehouse",
      "1,USD,a,1000,p1,art,east",
      "1,USD,b,2000,p2,,west",
      "2,USD,a,10.50,p1,art,east",
      "",
    ].join("\n")
    const { code, out, err } = await split({ groups: soundGroups, orders: ["orders.csv", csv] })
    const [first = "", second = ""] = out.split("\n")
    expect(JSON.parse(first).store).toEqual([
      { item_id: "a", amount: 650 },
      { item_id: "b", amount: 1800 },
    ])
    expect(JSON.parse(second)).toMatchObject({ order_id: "2", line: 4 })
    expect(err).toContain("orders.csv:1: ignored columns: warehouse")
    expect(code).toBe(1)
  })

  it("say the column, not the field of the JSON, when they are printed as a table", async () => {
    const csv = "order_id,currency,item_id,amount,product_id\n1,USD,a,5,p1\n1,USD,b,2.5,p1\n"
    const orders = folder.file("column.csv", csv)
    const { err } = await run([
      "split",
      "--groups",
      folder.file("g.json", groups),
      "--orders",
      orders,
    ])
    expect(err).toContain("column.csv:3: amount: must be a whole number")
  })

  it("are an error when an order's lines are not together", async () => {
    const csv =
      "order_id,currency,item_id,amount,product_id\n1,USD,a,5,p1\n2,USD,a,5,p1\n1,USD,b,5,p1\n"
    const { code, out } = await split({ groups: soundGroups, orders: ["apart.csv", csv] })
    expect(JSON.parse(out.split("\n")[2] ?? "")).toMatchObject({
      order_id: "1",
      line: 4,
      error: { _tag: "RepeatedOrder" },
    })
    expect(code).toBe(1)
  })
})

describe("products", () => {
  const bare = order("1", {
    items: [{ external_id: "1", amount: 1_000, quantity: 1, product: { id: "mug" } }],
  })
  const shares = async (products: readonly [string, Contents], orderOf: object = bare) => {
    const { out } = await split({ groups: soundGroups, orders: ["bare.json", orderOf], products })
    return JSON.parse(out).shares.map((share: { group_id: string }) => share.group_id)
  }

  it("complete orders that only name them", async () => {
    expect(await shares(["p.json", [{ id: "mug", tags: ["art"] }]])).toEqual(["g1", "g2"])
    expect(await shares(["p.json", [{ id: "cup", tags: ["art"] }]])).toEqual(["g2"])
  })

  it("are read from Shopify's CSV export and JSON", async () => {
    const csv = 'Handle,Title,Tags,Variant Price\nmug,Mug,"Home, ART",9.50\n'
    expect(await shares(["export.csv", csv])).toEqual(["g1", "g2"])
    const json = {
      products: [{ id: "mug", tags: "home, art", variants: [{ id: 1, price: "9.50" }] }],
    }
    expect(await shares(["products.json", json])).toEqual(["g1", "g2"])
  })

  it("fail no order whose currency can't hold their prices, which no split needs", async () => {
    const csv = "Handle,Title,Tags,Variant Price\nmug,Mug,art,9.50\n"
    const orders = [
      { ...bare, id: "1", currency: "JPY" },
      { ...bare, id: "2" },
    ]
    const { code, out } = await split({
      groups: soundGroups,
      orders: ["yen.json", orders],
      products: ["export.csv", csv],
    })
    const [yen = "", dollars = ""] = out.split("\n")
    expect(JSON.parse(yen).shares).toHaveLength(2)
    expect(JSON.parse(dollars).shares).toHaveLength(2)
    expect(code).toBe(0)
  })
})
