import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { ada, check, flawed, folder, kim, lee, lines, sam } from "../CheckWorld.js"
import { ndjson, run } from "../world.js"

afterAll(() => folder.remove())

const file = join(folder.path, "groups.json")

describe("a check of groups", () => {
  it("tells what is found by severity, with its line and an order that shows it", async () => {
    const { code, out, err } = await check(flawed)
    expect(out.split("\n")).toEqual([
      "Errors",
      `  over-allocation: ada-art of ada 60.00 USD and sam-blog of sam 50.00 USD can be claimed of an item that brings in 100.00 USD, 110.00 USD in all. (${file}:2)`,
      '    For example an order of 1 unit at 100.00 USD of a product with the tag "art", with the referer "blog":',
      "    Item item of order example (1 unit) brought in 100.00 USD.",
      "      Percentages are of: 100.00 USD price.",
      "      ada gets 60.00 USD (group ada-art): 60.00% of 100.00 USD is 60.00 USD.",
      "      sam gets 50.00 USD (group sam-blog): 50.00% of 100.00 USD is 50.00 USD.",
      "      The groups claim more than the item brought in.",
      "      The store keeps -10.00 USD.",
      "",
      "Warnings",
      `  pays-nothing: Group lee of lee pays nothing: neither its percentage nor its amount is above 0. (${file}:5)`,
      "",
      "Notes",
      `  repeated-value: Group kim of kim lists one tag twice: "gift" and "Gift". (${file}:4)`,
      "",
      "proved: Every group counts for some order.",
      "4 groups: 1 error, 1 warning, 1 note",
      "",
    ])
    expect({ code, err }).toEqual({ code: 1, err: "" })
  })

  it("says what is proved when nothing is found", async () => {
    const { code, out } = await check([ada])
    expect(out.split("\n")).toEqual([
      "proved: No order can claim more of an item than it brings in.",
      "proved: Every group counts for some order.",
      "proved: No group could go without a change to what somebody claims.",
      "1 group: 0 errors, 0 warnings, 0 notes",
      "",
    ])
    expect(code).toBe(0)
  })

  it("reads a line of JSON for each group, and CSV", async () => {
    const lined = folder.file("groups.ndjson", ndjson([ada, lee]))
    expect((await run(["check", "--groups", lined])).out).toContain(`(${lined}:2)`)
    const csv = folder.file(
      "groups.csv",
      "id,collaborator_id,itemType,items,type,percentage\ng1,ada,products.all,,percentage,0.00\n",
    )
    expect((await run(["check", "--groups", csv])).out).toContain(`(${csv}:2)`)
  })

  it("reads the standard input", async () => {
    const { out } = await run(["check", "--groups", "-"], { stdin: lines([lee]) })
    expect(out).toContain("(standard input:2)")
  })

  it("keeps what stands in the groups from steering the terminal", async () => {
    const { out } = await check([{ ...kim, items: ["gift\u001b[2J", "Gift\u001b[2J"] }])
    expect(out).not.toContain("\u001b")
  })
})

describe("the exit code of a check", () => {
  it("is 1 when something as grave as --fail-on is found, whether it is told or not", async () => {
    const codeOf = async (groups: ReadonlyArray<object>, ...flags: ReadonlyArray<string>) =>
      (await check(groups, ...flags)).code
    expect(await codeOf([ada, sam])).toBe(1)
    expect(await codeOf([lee])).toBe(0)
    expect(await codeOf([lee], "--fail-on", "warning")).toBe(1)
    expect(await codeOf([lee], "--fail-on", "warning", "--level", "error")).toBe(1)
    expect(await codeOf([kim], "--fail-on", "warning")).toBe(0)
    expect(await codeOf([kim], "--fail-on", "note")).toBe(1)
    expect(await codeOf(flawed, "--fail-on", "never")).toBe(0)
  })

  it("is 2 with flags that make no sense", async () => {
    const errOf = async (...flags: ReadonlyArray<string>) => {
      const { code, err, out } = await check([lee], ...flags)
      expect({ code, out }, flags.join(" ")).toEqual({ code: 2, out: "" })
      return err
    }
    expect(await errOf("--off", "overlaps")).toBe(
      'apportion: --off: there is no rule "overlaps", did you mean overlap?\n',
    )
    expect(await errOf("--off", "everything")).toMatch(
      /there is no rule "everything", the rules are over-allocation, selects-nothing, /,
    )
    expect(await errOf("--from", "soon")).toMatch(/--from: must be a day, as .*, got "soon"/)
    expect(await errOf("--budget", "0")).toMatch(/--budget: must be a whole number from 1 to /)
    expect(await errOf("--most-discount", "101")).toMatch(/--most-discount: must be a percentage /)
    expect(await errOf("--currency", "BUCKS")).toMatch(/--currency: must be an ISO 4217 code/)
    expect(await errOf("--level", "fatal")).toMatch(/level/)
    const nowhere = join(folder.path, "nowhere", "out.txt")
    expect(await errOf("--output", nowhere)).toBe(
      `apportion: --output: "${nowhere}" can't be written: there is no such folder\n`,
    )
    expect(await errOf("--output", folder.path)).toBe(
      `apportion: --output: "${folder.path}" can't be written: it is a folder, a file is needed\n`,
    )
  })

  it("is 2 with groups that can't be read", async () => {
    const { code, err } = await check([{ ...ada, percentage: "120" }])
    expect(code).toBe(2)
    expect(err).toContain(`${file}:2: [0].percentage: must be`)
  })
})

describe("what is looked for", () => {
  it("leaves out the rules that are off", async () => {
    const { out, code } = await check(
      flawed,
      "--off",
      "over-allocation, pays-nothing",
      "--off",
      "overlap",
    )
    expect(out).toMatch(/^Notes\n {2}repeated-value/)
    expect(code).toBe(0)
  })

  it("is told from a level on, but all of it is counted", async () => {
    const { out } = await check(flawed, "--level", "warning")
    expect(out).not.toContain("repeated-value")
    expect(out).toMatch(/4 groups: 1 error, 1 warning, 1 note\n$/)
  })

  it("is asked of orders from a day on, in the time zone of the policy", async () => {
    const over = { ...ada, ends_at: 1_767_225_600 }
    const policy = folder.file("policy.json", { time_zone: "America/New_York" })
    const from = ["--from", "2026-01-01"]
    expect((await check([over], ...from)).out).toContain("dates-over")
    expect((await check([{ ...over, ends_at: 1_767_225_601 }], ...from)).out).not.toContain(
      "dates-over",
    )
    const later = { ...over, ends_at: 1_767_225_600 + 5 * 3600 }
    expect((await check([later], ...from, "--policy", policy)).out).toContain("dates-over")
  })

  it("takes products with their prices in a currency", async () => {
    const products = folder.file("products.json", [
      { id: "p1", name: "Blue Hour", tags: ["art"], price: 10, vendor: "North" },
    ])
    const flat = { ...ada, type: "flat", amount: 20, percentage: undefined }
    const { out } = await check([flat], "--products", products, "--currency", "JPY")
    expect(out).toContain(
      "ada-art of ada 20 JPY can be claimed of product p1, which brings in 10 JPY.",
    )
    expect(out).toContain("For example an order of 1 unit at 10 JPY of product p1 (Blue Hour):")
    expect((await check([flat])).out).toContain("Only percentages were looked at")
  })

  it("takes Shopify's product export, whose prices are in that currency", async () => {
    const products = folder.file(
      "products.csv",
      "Handle,Title,Tags,Vendor,Variant Price\nmug,Mug,art,North,3.50\n",
    )
    const flat = { ...ada, type: "flat", amount: 500, percentage: undefined }
    const { out } = await check([flat], "--products", products)
    expect(out).toContain("ada-art of ada 5.00 USD can be claimed of product mug")
    const yen = await check([flat], "--products", products, "--currency", "JPY")
    expect(yen.code).toBe(2)
    const [first, second] = yen.err.split("\n")
    expect(first).toBe(`apportion: ${products}: --currency: the prices are not in JPY`)
    expect(second).toMatch(/products\.csv: row 2, column "Variant Price": must be .*, got "3\.50"$/)
  })

  it("takes into account how many values an order can have", async () => {
    const affiliates = ["a", "b"].map((id) => ({
      ...sam,
      id,
      collaborator_id: id,
      percentage: "60.00",
      splitConditions: [id],
    }))
    expect((await check(affiliates)).code).toBe(1)
    const { code, out } = await check(affiliates, "--at-most", "referer=1")
    expect(code).toBe(0)
    expect(out).toContain("proved: With at most 1 referer, no order can claim more of an item")
    const wrong = await check(affiliates, "--at-most", "country.code=1")
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining(
        '--at-most: must be a place and a number above 0, such as referer=1, got "country.code=1"',
      ),
    ])
  })

  it("tells a few findings of a kind, and counts the others", async () => {
    const twice = Array.from({ length: 8 }, (_, place) => ({
      ...kim,
      id: `g${place}`,
      collaborator_id: `c${place}`,
    }))
    const { out } = await check(twice)
    expect(out).toContain("  repeated-value: 3 more like these; --show 0 shows all\n")
    expect(out.match(/^ {2}repeated-value: Group/gm)).toHaveLength(5)
    expect(out).toContain("8 groups: 0 errors, 0 warnings, 8 notes")
    const told = async (...flags: ReadonlyArray<string>) =>
      (await check(twice, ...flags)).out.match(/^ {2}repeated-value: Group/gm)?.length
    expect([await told("--show", "0"), await told("--show", "7")]).toEqual([8, 8])
    expect(JSON.parse((await check(twice, "--format", "json")).out).findings).toHaveLength(8)
  })

  it("takes the largest discount into account", async () => {
    const policy = folder.file("policy.json", { discount: "ignore" })
    const { code, out } = await check([ada], "--policy", policy, "--most-discount", "50")
    expect(code).toBe(1)
    expect(out).toContain("1 unit at 100.00 USD less 50.00 USD discount of a product")
  })

  it("may take no more steps than it is given", async () => {
    const groups = [ada, { ...sam, percentage: "40.00" }]
    const { code, out } = await check(groups, "--budget", "1", "--fail-on", "warning")
    expect(out).toContain("undecided: Whether ")
    expect(code).toBe(1)
  })
})

describe("a check that takes long", () => {
  const many = Array.from({ length: 600 }, (_, index) => ({
    ...lee,
    id: `g${index}`,
    percentage: `${1 + (index % 3)}.00`,
    splitConditionType: "order.tag",
    splitConditions: [`t${index}`],
    condition_modifier: "NOT",
  }))
  const args = () => ["check", "--groups", folder.file("many.json", many)]

  it("ends when it is interrupted, with nothing printed", async () => {
    const { code, out, err } = await run(args(), { stopped: Promise.resolve("SIGINT") })
    expect({ code, out, err }).toEqual({ code: 130, out: "", err: "" })
  })
})

describe("the JSON of a check", () => {
  it("has the findings with their lines, orders and explanations", async () => {
    const { code, out } = await check(flawed, "--format", "json")
    expect(code).toBe(1)
    const document = JSON.parse(out)
    expect(document).toMatchObject({
      groups: file,
      counts: { error: 1, warning: 1, note: 1 },
      findings: [
        {
          rule: "over-allocation",
          severity: "error",
          group_ids: ["ada-art", "sam-blog"],
          lines: [2, 3],
          witness: {
            order: { id: "example", referer: ["blog"], items: [{ amount: 10_000 }] },
            attribute_count: 2,
            is_smallest: true,
            distributable: 10_000,
            claims: [
              { group_id: "ada-art", collaborator_id: "ada", amount: 6_000 },
              { group_id: "sam-blog", collaborator_id: "sam", amount: 5_000 },
            ],
            explanation: { items: [{ over_allocated: true }] },
          },
        },
        { rule: "pays-nothing", collaborator_id: "lee", lines: [5] },
        { rule: "repeated-value", values: ["gift", "Gift"] },
      ],
      proved: [{ rule: "always-outranked", message: "Every group counts for some order." }],
    })
  })

  it("has an order that the other commands can read", async () => {
    const { out } = await check(flawed, "--format", "json")
    const orders = folder.file("orders.json", [JSON.parse(out).findings[0].witness.order])
    const again = await run(["split", "--groups", file, "--orders", orders])
    expect(again.err).toContain("claim more than it brought in")
  })

  it("can be written into a file", async () => {
    const output = join(folder.path, "found.json")
    const { code, out } = await check(flawed, "--format", "json", "--output", output)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(existsSync(output)).toBe(true)
    expect(JSON.parse(readFileSync(output, "utf8")).counts.error).toBe(1)
  })
})
