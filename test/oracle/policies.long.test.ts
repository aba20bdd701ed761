import { SplitPolicy } from "apportion"
import fc from "fast-check"
import { expect, test } from "vitest"
import { policyOptions, sale } from "../generators/Sales.js"
import { difference } from "./Difference.js"

test("the library and the oracle split in the same way under every one of the 4608 policies", () => {
  const policies = Object.entries(policyOptions).reduce<ReadonlyArray<object>>(
    (chosen, [option, values]) =>
      chosen.flatMap((one) => values.map((value) => ({ ...one, [option]: value }))),
    [{}],
  )
  expect(policies).toHaveLength(4_608)
  const sales = fc.sample(sale, policies.length)
  for (const [index, options] of policies.entries()) {
    const one = sales[index]
    if (one === undefined) continue
    const bound = { ...one, policy: SplitPolicy.make(options) }
    expect(difference(bound), JSON.stringify(bound)).toBeUndefined()
  }
})
