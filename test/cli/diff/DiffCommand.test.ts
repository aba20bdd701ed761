import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import * as ExitCode from "../../../src/cli/ExitCode.js"
import { ada, diff, flawed, folder, lee, lines, sam } from "../CheckWorld.js"
import { run } from "../world.js"

afterAll(() => folder.remove())

const [a, b] = [join(folder.path, "a.json"), join(folder.path, "b.json")]

describe("two files of groups", () => {
  it("that pay the same are proved to, and what differs in their groups is listed", async () => {
    const renamed = { ...ada, items: ["ART "] }
    const { code, out, err } = await diff([ada, lee], [renamed])
    expect(out).toBe(
      [
        "Groups",
        '  ada-art (ada): link products.tag WITH "art" → products.tag WITH "ART "',
        "  lee (lee): removed",
        "",
        "equivalent: proved for every order",
        "",
      ].join("\n"),
    )
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it("that are the same have no changes", async () => {
    const { code, out } = await diff([ada, sam], [sam, ada])
    expect({ code, out }).toEqual({
      code: 0,
      out: "Groups: no changes\n\nequivalent: proved for every order\n",
    })
  })

  it("that pay otherwise are shown the smallest order on which they do", async () => {
    const { code, out } = await diff(
      [ada],
      [
        { ...ada, percentage: "55.00" },
        { ...sam, percentage: "5.00" },
      ],
    )
    expect(out.split("\n")).toEqual([
      "Groups",
      "  ada-art (ada): percent 60.00 → 55.00",
      "  sam-blog (sam): added",
      "",
      "different: this order is split differently (no order with fewer attributes is):",
      '  an order of 1 unit at 100.00 USD of a product with the tag "art"',
      "",
      "who            A      B  difference",
      "ada        60.00  55.00       -5.00",
      "the store  40.00  45.00       +5.00",
      "",
      `A: ${a}`,
      "  Item item of order example (1 unit) brought in 100.00 USD.",
      "    Percentages are of: 100.00 USD price.",
      "    ada gets 60.00 USD (group ada-art): 60.00% of 100.00 USD is 60.00 USD.",
      "    The store keeps 40.00 USD.",
      `B: ${b}`,
      "  Item item of order example (1 unit) brought in 100.00 USD.",
      "    Percentages are of: 100.00 USD price.",
      "    ada gets 55.00 USD (group ada-art): 55.00% of 100.00 USD is 55.00 USD.",
      "    The store keeps 45.00 USD.",
      "",
    ])
    expect(code).toBe(1)
  })

  it("of which one refuses an order say so", async () => {
    const { code, out } = await diff(
      [ada],
      [
        ada,
        {
          ...sam,
          id: "all",
          percentage: "50.00",
          splitConditionType: null,
          splitConditions: [],
          itemType: "products.tag",
          items: ["art"],
        },
      ],
    )
    expect(code).toBe(1)
    expect(out).toContain("who            A        B\nada        60.00  refused\n")
    expect(out).toMatch(
      /\nB: .*\n {2}The order is refused: the groups of item item of order example claim more than it brought in/,
    )
  })

  it("that can't be told apart within the budget are neither", async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...ada,
      id: `g${index}`,
      percentage: "10.00",
      items: [`t${index}`, `t${index + 1}`],
    }))
    const { code, out } = await diff(
      many,
      [...many, { ...ada, items: ["t3"], percentage: "10.00" }],
      "--budget",
      "1",
    )
    expect(code).toBe(3)
    expect(out).toMatch(
      /\nundecided: no order was found that is split differently, .*larger --budget than 1 may .*\)\n$/,
    )
  })

  it("may pay the same for the products that there are", async () => {
    const [art, print] = [ada, { ...ada, items: ["print"] }]
    const products = folder.file("products.json", [
      { id: "p1", name: "Blue Hour", tags: ["art", "print"] },
      { id: "p2" },
    ])
    expect((await diff([art], [print])).code).toBe(1)
    expect((await diff([art], [print], "--products", products)).code).toBe(0)
    const { out } = await diff([art], [], "--products", products)
    expect(out).toContain("\n  an order of 1 unit at 100.00 USD of product p1 (Blue Hour)\n")
  })

  it("may pay the same under a policy, or from a day on", async () => {
    const shipped = { ...ada, shipping_percent: "5.00" }
    const policy = folder.file("policy.json", { shipping: "share" })
    expect((await diff([ada], [shipped])).code).toBe(0)
    const { code, out } = await diff([ada], [shipped], "--policy", policy)
    expect(code).toBe(1)
    expect(out).toContain("of shipping")
    const over = { ...sam, ends_at: 1_767_225_600 }
    expect((await diff([ada], [ada, over], "--from", "2026-01-01")).code).toBe(0)
    expect((await diff([ada], [ada, over])).code).toBe(1)
  })

  it("are told as JSON too", async () => {
    const { code, out } = await diff(
      [ada],
      [{ ...ada, percentage: "55.00", created_at: 5 }],
      "--format",
      "json",
    )
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      a,
      b,
      verdict: "different",
      changes: [
        {
          group_id: "ada-art",
          collaborator_id: "ada",
          kind: "changed",
          fields: [
            { field: "percent", before: "60.00", after: "55.00" },
            { field: "created_at", before: null, after: 5 },
          ],
        },
      ],
      witness: {
        order: { id: "example", items: [{ product: { tags: ["art"] } }] },
        attribute_count: 1,
        is_smallest: true,
        amounts: [
          { collaborator_id: "ada", a: 6_000, b: 5_500 },
          { collaborator_id: null, a: 4_000, b: 4_500 },
        ],
        a: { explanation: { items: [{ shares: [{ amount: 6_000 }] }] } },
        b: { explanation: { items: [{ shares: [{ amount: 5_500 }] }] } },
      },
    })
    const refused = await diff(
      [ada],
      [ada, { ...ada, id: "more", collaborator_id: "kim" }],
      "--format",
      "json",
    )
    expect(JSON.parse(refused.out).witness.b.error).toMatchObject({ _tag: "OverAllocated" })
    const same = await diff([ada], [ada], "--format", "json")
    expect(JSON.parse(same.out)).toMatchObject({
      verdict: "equivalent",
      changes: [],
      witness: null,
    })
  })

  it("can come from the standard input, but not both", async () => {
    const { code } = await run(["diff", folder.file("a.json", [ada]), "-"], {
      stdin: JSON.stringify([ada]),
    })
    expect(code).toBe(0)
    const both = await run(["diff", "-", "-"])
    expect([both.code, both.err]).toEqual([
      2,
      "apportion: only one input can be standard input (-), got A and B\n",
    ])
  })

  it("have to be two, that can be read", async () => {
    expect((await run(["diff", folder.file("a.json", [ada])])).code).toBe(2)
    const { code, err } = await run([
      "diff",
      folder.file("a.json", [ada]),
      join(folder.path, "none.json"),
    ])
    expect(code).toBe(2)
    expect(err).toContain("none.json: there is no such file")
  })
})

describe("what is printed", () => {
  it("names the first values of a long list, and counts the others", async () => {
    const items = Array.from({ length: 25 }, (_, index) => `tag ${index}`)
    const { out } = await diff([{ ...ada, items }], [ada])
    expect(out).toContain('"tag 18", "tag 19" and 5 more → products.tag WITH "art"\n')
    expect(out).not.toContain('"tag 20"')
  })

  it("may have a reader that goes away: the exit code is the same", async () => {
    const stdout = {
      isTerminal: false,
      columns: undefined,
      write: () => Promise.reject(new ExitCode.OutputClosed({ message: "the output was closed" })),
    }
    const [one, other] = [folder.file("a.json", lines(flawed)), folder.file("b.json", lines([ada]))]
    const different = await run(["diff", one, other], { stdout })
    const found = await run(["check", "--groups", one], { stdout })
    const fine = await run(["check", "--groups", other], { stdout })
    expect([different, found, fine].map(({ code, err }) => [code, err])).toEqual([
      [1, ""],
      [1, ""],
      [0, ""],
    ])
  })
})
