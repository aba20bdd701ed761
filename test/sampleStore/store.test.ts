import { Payout as CorePayout, PayoutStatus } from "apportion"
import { Payout, Store } from "apportion/wire"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { run } from "../cli/world.js"
import { generateStore, payoutsOf } from "./generateStore.js"
import * as SampleStore from "./SampleStore.js"

const text = SampleStore.textOf("store.json")
const store = Result.getOrThrow(Store.read(JSON.parse(text)))
const items = store.payouts.flatMap((payout) => payout.items)
const distinct = <A>(values: ReadonlyArray<A>) => new Set(values)

const Statement = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({ id: Schema.String, total: Schema.Int, items: Schema.Array(Schema.Unknown) }),
  ),
})

/** The payouts as the command line's statement of the year has them. */
const statement = async () => {
  const file = (name: string) => `docs/sample-store/${name}`
  const inputs = ["groups", "products", "policy", "refunds", "entries", "rates", "collaborators"]
  const { code, out } = await run([
    ...["statement", "--orders", file("orders.ndjson"), "--until", "2025-12-31"],
    ...inputs.flatMap((name) => [`--${name}`, file(`${name}.json`)]),
    ...["--format", "json"],
  ])
  expect(code).toBe(0)
  return Schema.decodeUnknownSync(Statement)(JSON.parse(out)).data
}

describe("the sample store as one document", () => {
  it("is what the generator makes, to the letter", () => {
    expect(generateStore(SampleStore) === text).toBe(true)
  })

  it("holds everyone, every product and every group of the other files", () => {
    expect(store.collaborators).toEqual(SampleStore.collaborators)
    expect(store.products).toEqual(SampleStore.products)
    expect(store.groups.map(({ group }) => group)).toEqual(SampleStore.groups)
  })

  it("holds the payouts of the year's statement, item by item", async () => {
    const inStore = new Map(
      SampleStore.collaborators.flatMap((owner) =>
        store.payouts
          .filter(({ collaboratorId }) => collaboratorId === owner.id)
          .map((payout) => [payout.id, Result.getOrThrow(Payout.writeView(payout, owner))]),
      ),
    )
    const inStatement = await statement()
    expect(inStatement.length).toBe(inStore.size)
    for (const { id, total, items } of inStatement) {
      expect(inStore.get(id), id).toMatchObject({ total, items })
    }
  })

  it("has payouts of every status, of which some would be otherwise without the store's own hand", () => {
    expect(distinct(store.payouts.map(({ status }) => status))).toEqual(
      distinct(PayoutStatus.statuses),
    )
    const alone = new Map(payoutsOf(SampleStore, []).map(({ id, status }) => [id, status]))
    const changed = store.payouts.filter(({ id, status }) => alone.get(id) !== status)
    expect(changed.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "kofi-USD-1 manually paid",
      "kofi-USD-2 manually paid",
      "kofi-USD-3 manually paid",
      "kofi-USD-4 manually paid",
      "nordwind-EUR-3 failed",
      "theo-USD-7 failed",
    ])
  })

  it("has sales, refunds, expenses and incomes, in several currencies", () => {
    expect(distinct(items.map(({ kind }) => kind))).toEqual(
      new Set(["sale", "refund", "expense", "income"]),
    )
    expect(distinct(store.payouts.map(({ currency }) => currency)).size).toBe(3)
    expect(items.some(({ currencyExchangeRate }) => currencyExchangeRate !== null)).toBe(true)
    expect(items.some((item) => "orderItem" in item && item.orderItem.refundedAt !== null)).toBe(
      true,
    )
  })

  it("has as many payouts as its page says", () => {
    const row = SampleStore.textOf("README.md")
      .split("\n")
      .find((line) => line.startsWith("| `store.json`"))
    expect(row).toContain(` ${store.payouts.length} payouts`)
  })

  it("has no payout that was paid less than nothing", () => {
    const settled = store.payouts.filter(CorePayout.isSettled)
    expect(settled.length).toBeGreaterThan(100)
    for (const payout of settled) {
      expect(Result.getOrThrow(CorePayout.total(payout)), payout.id).toBeGreaterThan(0)
    }
  })
})
