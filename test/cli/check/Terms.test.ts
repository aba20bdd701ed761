/** Groups with terms in `check` and `diff`: counters are told with each example, and agreements are looked at. */
import { afterAll, describe, expect, it } from "vitest"
import { check, diff, folder } from "../CheckWorld.js"
import { ndjson } from "../world.js"

afterAll(() => folder.remove())

const all = { itemType: "products.all", items: [] }

const tiered = (percent: number, period = "payout") => ({
  ...{ id: "ada", collaborator_id: "ada", ...all },
  terms: {
    tiers: {
      ...{ counted: "units", period },
      bands: [
        { from: 0, percent: 10 },
        { from: 1_000, percent },
      ],
    },
  },
})

const sam = {
  ...{ id: "sam", collaborator_id: "sam", ...all, type: "percentage", percentage: 50 },
  terms: { cap: { amount: 0 } },
}

const agreements = {
  advances: [{ id: "loan", collaborator_id: "kim", currency: "USD", amount: 500, granted_at: 0 }],
  overrides: [
    ["o1", "ada", "sam"],
    ["o2", "sam", "ada"],
  ].map(([id, collaborator_id, from]) => ({
    ...{ id, collaborator_id, from, of: "share", paid_by: "share", percent: 10 },
  })),
}

const agreementFile = folder.file("agreements.json", JSON.stringify(agreements))

describe("a check of groups with terms", () => {
  it("tells what was counted before its example", async () => {
    const { code, out } = await check([tiered(60), sam])
    expect(code).toBe(1)
    const told = "after 1000 units of group ada in payout example were counted"
    expect(out).toContain(`This is ${told}. The percentages come to more than 100 %.`)
    expect(out).toContain(`of any product, ${told}:`)
    expect(out).toContain("Units counted: 1,000 before it, 1,001 with it.")
    expect(out).toContain("empty-cap: Group sam of sam pays nothing: its cap is 0.")
  })

  it("proves what holds whatever was counted", async () => {
    const { out } = await check([tiered(50), { ...sam, terms: null }])
    expect(out).toContain(
      "proved: Whatever was counted before, no order can claim more of an item than it brings in.",
    )
  })

  it("looks at agreements, and takes circles of overrides for a finding", async () => {
    const { out } = await check([tiered(20)], "--agreements", agreementFile)
    expect(out).toContain("override-circle: The overrides o1 and o2 lead in a circle")
    expect(out).toContain("unfed-advance: Advance loan of kim is never recouped")
  })

  it("writes both as JSON and as SARIF", async () => {
    const flags = ["--agreements", agreementFile, "--format"]
    const json = JSON.parse((await check([tiered(60), sam], ...flags, "json")).out)
    const [first, circle] = json.findings
    expect(first.witness.counters).toEqual([
      expect.objectContaining({ counted: "units", count: 1_000, id: "ada" }),
    ])
    expect([circle.rule, circle.agreement_ids]).toEqual(["override-circle", ["o1", "o2"]])
    const sarif = JSON.parse((await check([tiered(60), sam], ...flags, "sarif")).out)
    const found = sarif.runs[0].results.find(
      ({ ruleId }: { readonly ruleId: string }) => ruleId === "override-circle",
    )
    expect(found.locations[0].physicalLocation.artifactLocation.uri).toContain("agreements.json")
    expect(found.locations[0].logicalLocations[0].name).toBe("o1")
  })

  it("refuses agreements that are wrong otherwise, and more than one list of them", async () => {
    const wrong = folder.file(
      "wrong.json",
      JSON.stringify({ advances: [{ id: "loan" }], overrides: [] }),
    )
    const { code, err } = await check([tiered(20)], "--agreements", wrong)
    expect([code, err.includes("advances[0].collaborator_id")]).toEqual([2, true])
    const two = folder.file("two.json", ndjson([{}, {}]))
    const { err: said } = await check([tiered(20)], "--agreements", two)
    expect(said).toContain("must be one object with lists of agreements, got 2")
  })
})

describe("a comparison of groups with terms", () => {
  it("tells the terms that changed, and what was counted before the order that shows it", async () => {
    const { code, out } = await diff([tiered(60)], [tiered(55)])
    expect(code).toBe(1)
    expect(out).toContain(
      "tiers 10.00 % up to 1000, then 60.00 % of units for the group, a payout → 10.00 % up to 1000, then 55.00 % of units for the group, a payout",
    )
    expect(out).toMatch(/after \d+ units of group ada in payout example were counted/)
    const json = JSON.parse((await diff([tiered(60)], [tiered(55)], "--format", "json")).out)
    expect(json.changes[0].fields[0].field).toBe("tiers")
    expect(json.witness.counters).toHaveLength(1)
  })

  it("proves groups with the same terms equivalent", async () => {
    const { code, out } = await diff([tiered(60)], [tiered(60)])
    expect([code, out.includes("equivalent: proved for every order")]).toEqual([0, true])
  })

  it("tells a cap that is new", async () => {
    const { out } = await diff([{ ...sam, terms: null }], [sam])
    expect(out).toContain("cap none → 0 for the group, for ever")
  })
})
