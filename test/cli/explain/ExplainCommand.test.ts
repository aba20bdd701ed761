import { afterAll, describe, expect, it } from "vitest"
import { Folder, groups, order, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const books = {
  ...groups[0],
  id: "g3",
  collaborator_id: "bea",
  items: ["books"],
}
const exempt = { ...groups[1], id: "g4", collaborator_id: "cy", percentage: "0" }

const explain = (...flags: ReadonlyArray<string>) =>
  run([
    "explain",
    "--groups",
    folder.file("groups.json", [...groups, books, exempt]),
    "--orders",
    folder.file("orders.json", [
      order("1"),
      order("2", {
        items: [...order("2").items, { external_id: "x", amount: 5, product: { id: "p9" } }],
      }),
    ]),
    ...flags,
  ])

describe("explaining an order with many groups", () => {
  const art = order("1").items[0]?.product.tags ?? []
  const conditioned = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ ...groups[0], id: `near${index}`, collaborator_id: `near${index}`, items: art },
      ...{ splitConditionType: "referer", splitConditions: [`blog ${index}`] },
    }))
  const elsewhere = Array.from({ length: 300 }, (_, index) => ({
    ...{ ...groups[0], id: `far${index}`, collaborator_id: `far${index}`, items: [`tag ${index}`] },
  }))
  const late = {
    ...{ ...groups[0], id: "late", collaborator_id: "late", ends_at: "2025-01-01T00:00:00Z" },
  }
  const explained = (near: number, ...flags: ReadonlyArray<string>) =>
    run([
      ...["explain", "--order", "1", "--orders", folder.file("one.json", [order("1")])],
      "--groups",
      folder.file("many.json", [...groups, ...elsewhere, ...conditioned(near), late]),
      ...flags,
    ])

  it("lists those that nearly applied, the nearest first, and counts the others by their reasons", async () => {
    const { out } = await explained(40)
    const lines = out.trimEnd().split("\n")
    const list = lines.slice(lines.indexOf("  Groups that nearly applied:") + 1)
    expect(list).toHaveLength(21)
    expect(list[0]).toContain("late (late): it is in force until 2025-01-01")
    expect(list[1]).toContain('near0 (near0): it is for orders with the referer "blog 0"')
    expect(list[20]).toBe(
      "    321 more: 300 for other products, 21 for other orders (--all lists them).",
    )
  })

  it("lists all of them when asked, and says how many there are where none was near", async () => {
    expect((await explained(40, "--all")).out).toContain("far299 (far299): it is for products")
    const { out } = await run([
      ...["explain", "--order", "1", "--orders", folder.file("one.json", [order("1")])],
      ...["--groups", folder.file("many.json", [...groups, ...elsewhere])],
    ])
    expect(out).toMatch(
      /Groups that did not apply:\n {4}300 groups: 300 for other products \(--all lists them\)\.\n$/,
    )
  })

  it("has the counts in its data too", async () => {
    const explanation = JSON.parse((await explained(40, "--format", "json")).out)
    expect(explanation.not_applied).toHaveLength(20)
    expect(explanation.others_not_applied).toEqual([{ item_id: "1-1", condition: 21, link: 300 }])
    const all = JSON.parse((await explained(40, "--format", "json", "--all")).out)
    expect(all.not_applied).toHaveLength(341)
    expect(all.others_not_applied).toBeUndefined()
  })
})

describe("explaining an order", () => {
  it("tells each share and the store's rest in words, and why other groups did not apply", async () => {
    const { code, out } = await explain("--order", "1")
    expect(out).toBe(
      [
        "Blue Hour (item 1-1 of order 1, 2 units) brought in 100.00 USD.",
        "  Percentages are of: 100.00 USD price.",
        "  ada gets 25.00 USD (group g1): 25.00% of 100.00 USD is 25.00 USD.",
        "  sam gets 10.00 USD (group g2): 10.00% of 100.00 USD is 10.00 USD.",
        "  The store keeps 65.00 USD.",
        "  Groups that did not apply:",
        '    g3 (bea): it is for products with the tag "books", and this product has the tag "art".',
        "    g4 (cy): it pays nothing: neither a percentage nor an amount above 0.",
        "",
      ].join("\n"),
    )
    expect(code).toBe(0)
  })

  it("calls collaborators by their names when it is told them", async () => {
    const people = [
      { id: "ada", currency: "USD", account: { name: "Ada Byron" } },
      { id: "bea", currency: "USD", account: { name: "Bea\nFox" } },
    ]
    const file = folder.file("people.json", people)
    const { code, out } = await explain("--order", "1", "--collaborators", file)
    expect(out).toContain("\n  Ada Byron gets 25.00 USD (group g1)")
    expect(out).toContain("\n  sam gets 10.00 USD (group g2)")
    expect(out).toContain("\n    g3 (Bea")
    expect(out).not.toContain("\nFox")
    expect(code).toBe(0)
  })

  it("finds an order by the name that the shop gave it", async () => {
    const orders = folder.file("named.json", [
      order("7000001", { name: "#1001" }),
      order("7000002", { name: "7000003" }),
      order("7000003", { name: "#1003" }),
    ])
    const file = folder.file("groups.json", groups)
    const { out } = await run([
      ...["explain", "--groups", file, "--orders", orders, "--order", "#1001"],
    ])
    expect(out).toContain("order 7000001")
    const byId = await run([
      ...["explain", "--groups", file, "--orders", orders, "--order", "7000003"],
    ])
    expect(byId.out).toContain("of order 7000003")
  })

  it("keeps to one item and one group", async () => {
    const { out } = await explain("--order", "2", "--item", "x", "--group", "g1")
    expect(out).toContain("Item x of order 2")
    expect(out).toContain('g1 (ada): it is for products with the tag "art"')
    expect(out).not.toContain("2-1")
    expect(out).not.toContain("sam")
  })

  it("is there as data, in the names of the wire", async () => {
    const { out } = await explain("--order", "1", "--format", "json")
    const explanation = JSON.parse(out)
    expect(explanation).toMatchObject({
      order_id: "1",
      policy: { over_allocation: "reject" },
      items: [{ item_id: "1-1", distributable: 10_000, store: 6_500 }],
    })
    expect(explanation.items[0].shares[0]).toMatchObject({ group_id: "g1", exact: "2500" })
    expect(explanation.not_applied).toMatchObject([
      { group_id: "g3", reason: "link" },
      { group_id: "g4", reason: "zero" },
    ])
  })
})
