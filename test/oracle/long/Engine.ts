/**
 * The library as the long comparison asks it. Planted faults stand in its place to see them found.
 */
import {
  Explanation,
  type Order,
  type Product,
  type ProductGroup,
  RuleSet,
  Split,
  SplitPolicy,
} from "apportion"
import type * as Result from "effect/Result"

type Policy = SplitPolicy.SplitPolicy
export type Answered = Result.Result<Split.Split, Split.SplitError>

export interface Engine {
  readonly make: (groups: ReadonlyArray<ProductGroup.GroupInput>) => RuleSet.RuleSet
  readonly put: (rules: RuleSet.RuleSet, group: ProductGroup.GroupInput) => RuleSet.RuleSet
  readonly remove: (rules: RuleSet.RuleSet, id: string) => RuleSet.RuleSet
  readonly split: (rules: RuleSet.RuleSet, order: Order.Order, policy: Policy) => Answered
  readonly matching: (
    rules: RuleSet.RuleSet,
    order: Order.Order,
    item: Order.OrderItem,
  ) => ReadonlyArray<ProductGroup.ProductGroup>
  readonly linked: (
    rules: RuleSet.RuleSet,
    product: Product.Product,
  ) => ReadonlyArray<ProductGroup.ProductGroup>
}

export const library: Engine = {
  make: RuleSet.make,
  put: RuleSet.put,
  remove: RuleSet.remove,
  split: Split.orderResult,
  matching: RuleSet.matchingGroups,
  linked: RuleSet.linkedGroups,
}

/** The answers of a batch; something else is done between each and the next. */
const batch = (
  rules: RuleSet.RuleSet,
  orders: ReadonlyArray<Order.Order>,
  policy: Policy,
  between: () => void,
): ReadonlyArray<Answered> => {
  const answers: Array<Answered> = []
  for (const answer of Split.orders(rules, orders, policy)) {
    answers.push(answer)
    between()
  }
  return answers
}

export const questions: {
  readonly batch: typeof batch
  readonly notApplied: typeof Explanation.notApplied
  readonly matchingByItem: typeof RuleSet.matchingByItem
} = {
  batch,
  notApplied: Explanation.notApplied,
  matchingByItem: RuleSet.matchingByItem,
}

/** The values of every option of a policy, in any order: all combinations are asked about. */
const options = {
  discount: ["deduct", "ignore"],
  tax: ["remove", "keep", "share"],
  cost: ["ignore", "deduct"],
  gatewayFee: ["ignore", "deduct"],
  flatScope: ["unit", "item", "order"],
  shipping: ["store", "share", "charge", "all"],
  stacking: ["most-specific", "all"],
  rounding: ["largest-remainder", "floor"],
  overAllocation: ["reject", "scale", "rank", "allow"],
} as const

/** All 4,608 policies; the first is the default one. */
export const policies: ReadonlyArray<Policy> = Object.entries(options)
  .reduce<ReadonlyArray<object>>(
    (chosen, [option, values]) =>
      chosen.flatMap((one) => values.map((value) => ({ ...one, [option]: value }))),
    [{}],
  )
  .map((chosen) => SplitPolicy.make(chosen))
