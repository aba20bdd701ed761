/** A backtest has the sums of two splits: each side is what `split` pays by the same rules. */
import { readFileSync } from "node:fs"
import { parse } from "csv-parse/sync"
import { afterAll, describe, expect, it } from "vitest"
import { Folder, run } from "./world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const store = (name: string) => `docs/sample-store/${name}`

const recordsOf = (csv: string): ReadonlyArray<{ readonly [column: string]: string }> =>
  parse(csv, { columns: true })

const jsonOf = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const changed = (group: { readonly percentage?: string; readonly id: string }, index: number) =>
  group.percentage === undefined || index % 3 !== 0
    ? group
    : { ...group, percentage: String(Number(group.percentage) / 2) }

const against = folder.file("against.json", jsonOf(store("groups.json")).map(changed))
const scaling = folder.file("policy.json", {
  ...jsonOf(store("policy.json")),
  over_allocation: "scale",
  discount: "ignore",
})

const inputs = ["orders.ndjson", "products.json", "refunds.json"].flatMap((name) => [
  `--${name.replace(/\..*/, "")}`,
  store(name),
])

const monthIn = (timeZone: string, seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString("sv-SE", { timeZone }).slice(0, 7)

const months = new Map(
  readFileSync(store("orders.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ id, created_at }) => [String(id), monthIn("America/New_York", created_at)] as const),
)

/** What `split` pays, by who, currency and month. */
const paid = async (groups: string, policy: string) => {
  const flags = ["--groups", groups, "--policy", policy, "--format", "csv"]
  const { out } = await run(["split", ...inputs, ...flags])
  const sums = new Map<string, bigint>()
  for (const { order_id = "", currency, collaborator_id, amount = "" } of recordsOf(out)) {
    const key = [collaborator_id, currency, months.get(order_id)].join()
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
  }
  return sums
}

const withoutZeros = (sums: ReadonlyMap<string, bigint>) =>
  [...sums].filter(([, amount]) => amount !== 0n).sort(([one], [other]) => (one < other ? -1 : 1))

describe("the two sides of a backtest", () => {
  it("are what two runs of split pay in a year of the sample store, refunds and all", async () => {
    const flags = ["--groups", store("groups.json"), "--policy", store("policy.json")]
    const other = ["--against", against, "--against-policy", scaling, "--format", "csv"]
    const { code, out } = await run(["backtest", ...inputs, ...flags, ...other])
    const sums = { before: new Map<string, bigint>(), after: new Map<string, bigint>() }
    const rows = recordsOf(out)
    for (const { collaborator_id, currency, month, before = "", after = "", difference } of rows) {
      const key = [collaborator_id, currency, month].join()
      sums.before.set(key, BigInt(before))
      sums.after.set(key, BigInt(after))
      expect(BigInt(difference ?? "")).toBe(BigInt(after) - BigInt(before))
    }
    expect(sums.before.size).toBe(rows.length)
    expect(code).toBe(0)
    const before = await paid(store("groups.json"), store("policy.json"))
    const after = await paid(against, scaling)
    expect(withoutZeros(before)).not.toEqual(withoutZeros(after))
    expect(withoutZeros(sums.before)).toEqual(withoutZeros(before))
    expect(withoutZeros(sums.after)).toEqual(withoutZeros(after))
  })
})
