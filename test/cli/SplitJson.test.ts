import fc from "fast-check"
import { expect, it } from "vitest"
import { SplitJson } from "../../src/cli/SplitJson.js"
import { RuleSet, Split } from "../../src/index.js"
import * as WireSplit from "../../src/wire/Split.js"

const id = fc.oneof(
  fc.constantFrom("a", "b", 'q"uote', "back\\slash", "\u2028", "\ud800", "é\n"),
  fc.string({ unit: "binary", minLength: 1 }),
)

const share = fc.record({
  itemId: id,
  groupId: id,
  collaboratorId: id,
  amount: fc.maxSafeInteger(),
  shippingAmount: fc.constantFrom(0, -0, 5, -7),
  base: fc.maxSafeInteger(),
  percent: fc.constantFrom(null, "12.50", "100.00"),
  flatAmount: fc.constantFrom(null, 0, 25),
})

it("a split order is the line of JSON that its wire form is, whatever its ids and amounts", () => {
  const rules = RuleSet.make([])
  const empty = Split.order(rules, { id: "1", currency: "USD", items: [] })
  const outcome = { deducting: false, percentTotal: 0, flatTotal: 0, goods: 0, claim: 0 }
  const split = fc
    .record({
      orderId: id,
      currency: fc.constantFrom("USD", "JPY"),
      shares: fc.array(share.map((each) => ({ ...each, ...outcome }))),
      store: fc.array(fc.record({ itemId: id, amount: fc.maxSafeInteger() })),
    })
    .map((changes) => ({ ...empty, ...changes }))
  fc.assert(
    fc.property(fc.array(split, { maxLength: 5 }), (splits) => {
      const json = new SplitJson()
      for (const each of splits) {
        expect(`${json.unclosed(each)}}`).toBe(JSON.stringify(WireSplit.write(each)))
      }
    }),
    { numRuns: 300 },
  )
})
