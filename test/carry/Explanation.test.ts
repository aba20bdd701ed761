import { CarriedSplit, Explanation, RuleSet } from "apportion"
import { Policy, Remainder as WireRemainder, Split as WireSplit } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { carrying, everyProduct, saleOf } from "./Runs.js"

const rules = RuleSet.make([everyProduct("ada", 40)])
const before = [
  { currency: "USD", groupId: null, remainder: -3_960 },
  { currency: "USD", groupId: "ada", remainder: 3_960 },
]
const { split } = Result.getOrThrow(CarriedSplit.order(rules, saleOf(99), carrying, before))

describe("a carried split", () => {
  it("is explained with what came from earlier sales and what goes on to the next", () => {
    const explanation = Explanation.ofSplit(split)
    expect(Explanation.toText(explanation).split("\n").slice(2)).toEqual([
      "  ada gets 0.01 USD (group ada): 0.40% of 0.99 USD is 0.00396 USD, rounded up to 0.01 USD (an odd cent went here). Carried from earlier sales: 0.00396 USD still due; to the next: 0.00208 USD paid ahead.",
      "  The store keeps 0.98 USD. Carried from earlier sales: 0.00396 USD paid ahead; to the next: 0.00208 USD still due.",
    ])
    expect(explanation.items[0]?.storeCarried).toEqual({ before: -3_960, after: 2_080 })
  })

  it("says which way an exact percentage was rounded because of earlier sales", () => {
    const ahead = [
      { currency: "USD", groupId: "ada", remainder: -6_000 },
      { currency: "USD", groupId: null, remainder: 6_000 },
    ]
    const made = CarriedSplit.order(rules, saleOf(1_000), carrying, ahead)
    const [share] = Explanation.ofSplit(Result.getOrThrow(made).split).items[0]?.shares ?? []
    expect(share).toMatchObject({ exact: "4", amount: 3, rounded: "down" })
    const next = CarriedSplit.order(rules, saleOf(1_000), carrying, [])
    const text = Explanation.toText(Explanation.ofSplit(Result.getOrThrow(next).split))
    expect(text).toContain("Carried from earlier sales: nothing; to the next: nothing.")
  })

  it("has its remainders on the wire, and comes back from there", () => {
    const line = JSON.parse(JSON.stringify(WireSplit.write(split)))
    expect(line.shares[0].carried).toEqual({ before: 3_960, after: -2_080 })
    const read = Result.getOrThrow(WireSplit.read(line))
    expect("store" in read && read.store).toEqual(split.store)
  })
})

describe("remainders on the wire", () => {
  it("come back as they were written", () => {
    for (const one of before) {
      expect(Result.getOrThrow(WireRemainder.read(WireRemainder.write(one)))).toEqual(one)
    }
  })

  it("say what is wrong with them, also where the group is misspelt", () => {
    const read = WireRemainder.read({ currency: "usd", group_id: null, remainder: 1 })
    expect(Result.isFailure(read) && read.failure.problems[0]?.path).toBe("currency")
    const misspelt = WireRemainder.read({ currency: "USD", groupId: "g1", remainder: 1 })
    expect(Result.isFailure(misspelt) && misspelt.failure.problems[0]?.path).toBe("group_id")
  })
})

describe("a policy that carries, in a file", () => {
  it("is read where sales are split one after another, and nowhere else", () => {
    const file = { rounding: "carry", tax: "keep" }
    const read = Result.getOrThrow(Policy.read(file, { carries: true }))
    expect(read.policy).toEqual({ ...carrying, tax: "keep" })
    const refused = Policy.read(file)
    expect(Result.isFailure(refused) && refused.failure.message).toContain(
      'rounding: "carry" is only for CarriedSplit',
    )
  })
})
