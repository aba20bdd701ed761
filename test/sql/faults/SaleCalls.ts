/** What changes sales. */
import { Sales } from "apportion/service"
import { Effect } from "effect"
import {
  afterHolding,
  afterJanuary,
  openShop,
  order,
  paid,
  type UseCase,
  useCaseWith,
  withSale,
} from "./UseCase.js"

const record =
  (items: Readonly<Record<string, number>>, id = "o1") =>
  (account: string) =>
    Effect.flatMap(Sales, (sales) => sales.record(account, order(id, items)))

const refund =
  (request: { readonly id: string; readonly amount?: number; readonly quantity?: number }) =>
  (account: string) =>
    Effect.flatMap(Sales, (sales) =>
      sales.refund(account, { orderId: "o1", itemId: "i-p1", ...request }),
    )

const isRepeatable = true

const refunded = (account: string) =>
  Effect.andThen(withSale(account), refund({ id: "r1", amount: 2_500 })(account))

/** The changes of sales. */
export const saleCalls: ReadonlyArray<UseCase> = [
  useCaseWith("a sale is recorded", openShop, record({ p1: 10_000, p2: 5_000 }), { isRepeatable }),
  useCaseWith(
    "a further part of a sale is recorded",
    withSale,
    record({ p1: 10_000, p2: 5_000, p3: 700 }),
    { isRepeatable },
  ),
  useCaseWith("a sale is recorded again", withSale, record({ p1: 10_000, p2: 5_000 }), {
    isRepeatable,
  }),
  useCaseWith("a sale is recorded when payouts are due", withSale, record({ p1: 900 }, "o2"), {
    isRepeatable,
    at: afterJanuary,
  }),
  useCaseWith("a sale that was recorded otherwise is refused", withSale, record({ p1: 1 }), {
    isRepeatable,
  }),
  useCaseWith("a sale is refunded by an amount", withSale, refund({ id: "r1", amount: 2_500 }), {
    isRepeatable,
  }),
  useCaseWith("a sale is refunded by a quantity", withSale, refund({ id: "r1", quantity: 1 }), {
    isRepeatable,
  }),
  useCaseWith("a refund is recorded again", refunded, refund({ id: "r1", amount: 2_500 }), {
    isRepeatable,
  }),
  useCaseWith("the rest of a sale is refunded", refunded, refund({ id: "r2", amount: 7_500 }), {
    isRepeatable,
  }),
  useCaseWith("a sale is refunded whose payout is paid", paid, refund({ id: "r1", quantity: 1 }), {
    isRepeatable,
    at: afterHolding,
  }),
  useCaseWith(
    "a refund beyond what remains is refused",
    refunded,
    refund({ id: "r2", quantity: 2 }),
    {
      isRepeatable,
    },
  ),
]
