import { afterAll, describe, expect, it } from "vitest"
import { Folder, groups, ndjson, order, run } from "./world.js"

const folder = new Folder()
afterAll(() => folder.remove())

/** Clears the screen, rings, goes back to the line's beginning, and writes from right to left. */
const steering = "a\u001b[2J\u0007\r\u009b2J\u202eb"
const steers = /(?![\n\t])[\p{Cc}\u202e]/u

const person = {
  id: steering,
  currency: "USD",
  account: { name: steering },
}
const files = [
  [
    "--groups",
    folder.file("groups.json", [{ ...groups[1], id: steering, collaborator_id: steering }]),
  ],
  ["--orders", folder.file("orders.ndjson", ndjson([order(steering), order(steering)]))],
].flat()
const statement = [
  ["--collaborators", folder.file("collaborators.json", [person])],
  ["--until", "2025-12-31"],
].flat()

describe("what stands in the data does not steer the terminal", () => {
  it.each([
    ["tables of a split", ["split", ...files]],
    ["tables of a statement", ["statement", ...files, ...statement]],
    ["an explanation", ["explain", ...files, "--order", steering]],
    ["an order that is not there", ["explain", ...files, "--order", `${steering}!`]],
    ["an item that is not there", ["explain", ...files, "--order", steering, "--item", steering]],
    ["a file that is not there", ["split", ...files.slice(0, 2), "--orders", steering]],
    ["a flag that is not there", ["split", ...files, `--${steering}`]],
  ])("in %s", async (_, args) => {
    const { out, err } = await run(args)
    expect(out).not.toMatch(steers)
    expect(err).not.toMatch(steers)
    expect(out + err).toMatch(/a(\ufffd| |\\x1b)\[2J/)
  })
})

describe("what stands in the data forges no line", () => {
  it("in titles, sentences and tables", async () => {
    const forged = "1\n  ada gets 900.00 USD"
    const orders = folder.file("forged.ndjson", ndjson([order(forged)]))
    const file = folder.file("plain.json", groups)
    for (const args of [["split"], ["explain", "--order", forged]]) {
      const { out } = await run([...args, "--groups", file, "--orders", orders])
      expect(out).toContain("ada gets 900.00 USD")
      expect(out).not.toMatch(/^ +ada gets 900/m)
    }
  })
})

describe("values that may be meant otherwise", () => {
  it("are told of when commas stand where semicolons separate", async () => {
    const csv =
      'id,collaborator_id,itemType,items,type,percent\ng1,ada,products,"p1,p2",percentage,5\n'
    const file = folder.file("commas.csv", csv)
    const orders = folder.file("one.ndjson", ndjson([order("1")]))
    const { code, err } = await run(["split", "--groups", file, "--orders", orders])
    expect(err).toMatch(/commas\.csv:2: note: items "p1,p2" is read as one value/)
    expect(code).toBe(0)
  })

  it("are told of when a group lists nothing", async () => {
    const [first] = groups
    const condition = {
      splitConditionType: "referer",
      splitConditions: [],
      condition_modifier: "NOT",
    }
    const file = folder.file("empty.json", [{ ...first, items: [], ...condition }])
    const orders = folder.file("one.ndjson", ndjson([order("1")]))
    const { code, err } = await run(["split", "--groups", file, "--orders", orders])
    expect(err).toContain("group g1 lists no values of its link, so it is for no products")
    expect(err).toContain("group g1 lists no values of its condition, so it is for all orders")
    expect(code).toBe(0)
  })

  it("are told apart: a collaborator may be called as the store is", async () => {
    const [, all] = groups
    const file = folder.file("store.json", [{ ...all, collaborator_id: "the store" }])
    const orders = folder.file("one.ndjson", ndjson([order("1")]))
    const { out } = await run(["split", "--groups", file, "--orders", orders])
    expect(out).toMatch(/the store +USD +10\.00 +10\.00\nthe store +USD +90\.00 +90\.00\n$/)
  })
})

describe("fields that have no effect", () => {
  it("are told of once, with their line", async () => {
    const named = groups.map((group) => ({ ...group, remark: "from the contract" }))
    const file = folder.file("named.json", named)
    const orders = folder.file("one.ndjson", ndjson([order("1", { warehouse: "north" })]))
    const { code, err } = await run(["split", "--groups", file, "--orders", orders])
    expect(err).toMatch(/named\.json:1: ignored field: remark\n$/)
    expect(code).toBe(0)
  })
})
