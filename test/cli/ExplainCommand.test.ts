import { afterAll, describe, expect, it } from "vitest"
import { Folder, groups, order, run } from "./world.js"

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
      items: [{ item_id: "1-1", brought_in: 10_000, store: 6_500 }],
    })
    expect(explanation.items[0].shares[0]).toMatchObject({ group_id: "g1", exact: "2500" })
    expect(explanation.not_applied).toMatchObject([
      { group_id: "g3", reason: "link" },
      { group_id: "g4", reason: "zero" },
    ])
  })
})
