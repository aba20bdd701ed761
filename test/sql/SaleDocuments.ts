/** What is recorded of sales, as their split leaves it. */
import { RuleSet, Split } from "apportion"
import { Result } from "effect"
import type { SaleDocument } from "../../src/sql/internal/packedSales.js"
import * as Sales from "../generators/Sales.js"

/** The document of a usual sale; none where it can't be split. */
export const documents = Sales.usualSale.map(
  ({ groups, order, policy }): ReadonlyArray<SaleDocument> => {
    const rules = RuleSet.make(groups)
    const split = Split.orderResult(rules, order, policy)
    if (Result.isFailure(split)) return []
    const ids = new Set(split.success.shares.map(({ groupId }) => groupId))
    const counted = [...ids].flatMap((id) => RuleSet.get(rules, id) ?? [])
    return [{ order, groups: counted, policy: split.success.policy, split: split.success }]
  },
)
