/** Runs of sales, one after another under the same rules. */
import {
  CarriedSplit,
  type Order,
  type ProductGroup,
  RuleSet,
  type Split,
  type SplitPolicy,
} from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { order as anyOrder, policy as anyPolicy, productGroups } from "../generators/Sales.js"

type Group = ProductGroup.GroupInput

export interface SalesRun {
  readonly groups: ReadonlyArray<Group>
  readonly orders: ReadonlyArray<Order.Order>
  readonly policy: SplitPolicy.SplitPolicy
}

const size = fc.record({
  money: fc.constantFrom("usual" as const, "usual" as const, "huge" as const),
  percents: fc.constantFrom("mild" as const, "mild" as const, "wild" as const),
})

/** Any sales of any kind, returns among them. */
export const salesRun: fc.Arbitrary<SalesRun> = size.chain((scale) =>
  fc.record({
    groups: productGroups(scale),
    orders: fc
      .array(anyOrder(scale), { minLength: 1, maxLength: 6 })
      .map((orders) => orders.map((order, place) => ({ ...order, id: `${place}` }))),
    policy: anyPolicy.map((policy) => ({ ...policy, rounding: "carry" as const })),
  }),
)

export const carrying: SplitPolicy.SplitPolicy = Result.getOrThrow(CarriedSplit.policy())

/** A group for every product, with a percentage in hundredths of a percent. */
export const everyProduct = (id: string, basisPoints: number): Group => ({
  id,
  collaboratorId: id,
  link: { type: "products.all" },
  percent: basisPoints / 100,
})

/** An order of one item. */
export const saleOf = (amount: number, productId = "song", id = "1001"): Order.Order => ({
  id,
  currency: "USD",
  items: [{ id: "1", product: { id: productId }, quantity: 1, amount }],
})

/** The splits of sales that can all be split. */
export const splitsOf = (
  groups: ReadonlyArray<Group>,
  orders: ReadonlyArray<Order.Order>,
  policy = carrying,
): ReadonlyArray<Split.Split> =>
  CarriedSplit.orders(RuleSet.make(groups), orders, policy).splits.map((split) =>
    Result.getOrThrow(split),
  )
