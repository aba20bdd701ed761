import { afterAll, describe, expect, it } from "vitest"
import { collaborators, Folder, groups, order, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const advance = {
  ...{ id: "a1", collaborator_id: "ada", currency: "USD", amount: 1_000_000 },
  granted_at: "2024-01-01T00:00:00Z",
}

const statement = (agreements: object, ...flags: ReadonlyArray<string>) =>
  run([
    "statement",
    ...["--groups", folder.file("groups.json", groups)],
    ...["--orders", folder.file("orders.json", [order("1")])],
    ...["--collaborators", folder.file("collaborators.json", collaborators)],
    ...["--agreements", folder.file("agreements.json", agreements)],
    ...["--until", "2025-03-31", "--format", "json", ...flags],
  ])

describe("statement --agreements", () => {
  it.each([[{ advances: [advance] }], [{ advances: [advance], reserves: [] }]])(
    "takes a file with some of the lists: %j",
    async (agreements) => {
      const { code, out, err } = await statement(agreements)
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining("agreements") })
      expect(JSON.parse(out).balances.advances).toMatchObject([{ advance_id: "a1" }])
    },
  )

  it("refuses a list under a name that no list of agreements has", async () => {
    const { code, err } = await statement({ loans: [advance] })
    expect(code).toBe(2)
    expect(err).toContain('got an object with "loans"')
  })

  it("refuses what it can't be used with, by name", async () => {
    const file = folder.file("rates.json", [
      { from: "USD", to: "EUR", rate: "0.9", from_date: "2025-01-01" },
    ])
    const rates = await statement({ advances: [advance] }, "--rates", file)
    expect(rates.code).toBe(2)
    expect(rates.err).toContain("--agreements: can't be used together with --rates")
    const maturity = await statement({ advances: [advance] }, "--maturity-days", "5")
    expect(maturity.code).toBe(2)
    expect(maturity.err).toContain("--agreements: can't be used together with --maturity-days")
  })
})

describe("resplit --groups", () => {
  it("refuses groups with terms by their place, before anything is opened", async () => {
    const bands = [{ from: 0, percent: 10 }]
    const tiered = {
      ...{ id: "t", collaborator_id: "ada", itemType: "products.all" },
      terms: { tiers: { counted: "units", bands } },
    }
    const file = folder.file("tiered.json", [tiered])
    const { code, err } = await run(["resplit", "--data", `${folder.path}/none`, "--groups", file])
    expect(code).toBe(2)
    expect(err).toMatch(/tiered\.json:\d+.*terms.*can't be used by this command/)
  })
})
