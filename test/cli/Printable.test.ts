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
    expect(out + err).toMatch(/a(\ufffd|\\x1b)\[2J/)
  })
})

describe("fields that have no effect", () => {
  it("are told of, with their line", async () => {
    const [first] = groups
    const misspelt = folder.file("misspelt.json", [{ ...first, max_ammount: 5 }])
    const { code, err } = await run(["split", "--groups", misspelt, ...files.slice(2)])
    expect(err).toMatch(/misspelt\.json:1: ignored field: max_ammount/)
    expect(code).toBe(1)
  })
})
