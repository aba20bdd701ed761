import { readFileSync } from "node:fs"
import { CarriedSplit, type Order, type ProductGroup, RuleSet, type SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { type Due, oracleCarry, type Party } from "./CarryOracle.js"

/** A worked example: amounts by order, then by item, then by group; remainders by group, the store's as "". */
interface CarryCase {
  readonly shows: string
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
  readonly policy?: Partial<SplitPolicy.SplitPolicy>
  readonly before?: Readonly<Record<string, number>>
  readonly orders: ReadonlyArray<
    Partial<Order.Order> & { readonly items: ReadonlyArray<{ id: string; amount: number }> }
  >
  readonly shares: ReadonlyArray<ReadonlyArray<number>>
  readonly store: ReadonlyArray<ReadonlyArray<number>>
  readonly after: Readonly<Record<string, number>>
}

const cases: ReadonlyArray<CarryCase> = JSON.parse(
  readFileSync(new URL("./cases.json", import.meta.url), "utf8"),
)

const orderOf = (order: CarryCase["orders"][number], place: number): Order.Order => ({
  currency: "USD",
  ...order,
  id: `${place}`,
  items: order.items.map(({ id, amount }) => ({
    ...{ id, amount },
    ...{ product: { id: "song" }, quantity: 1 },
  })),
})

const byLibrary = ({ groups, policy, before = {}, orders }: CarryCase) => {
  const carrying = Result.getOrThrow(CarriedSplit.policy(policy))
  const remainders = Object.entries(before).map(([id, remainder]) => ({
    ...{ currency: "USD", groupId: id === "" ? null : id, remainder },
  }))
  const made = CarriedSplit.orders(RuleSet.make(groups), orders.map(orderOf), carrying, remainders)
  const splits = made.splits.map((split) => Result.getOrThrow(split))
  return {
    shares: splits.map(({ shares }) => shares.map(({ amount }) => amount)),
    store: splits.map(({ store }) => store.map(({ amount }) => amount)),
    after: Object.fromEntries(
      made.remainders.map(({ groupId, remainder }) => [groupId ?? "", remainder]),
    ),
  }
}

const byOracle = ({ groups, policy, before = {}, orders }: CarryCase) => {
  const carrying = Result.getOrThrow(CarriedSplit.policy(policy))
  let due: Due = new Map(
    Object.entries(before).map(([id, remainder]) => [id === "" ? null : id, BigInt(remainder)]),
  )
  const lines = orders.map((order, place) => {
    const made = oracleCarry(groups, orderOf(order, place), carrying, due)
    if ("errors" in made) throw new Error("the oracle refuses it")
    due = made.after
    return order.items.flatMap(({ id }) => made.lines.filter(({ itemId }) => itemId === id))
  })
  const amounts = (is: (party: Party) => boolean) =>
    lines.map((ofOrder) =>
      ofOrder.filter(({ party }) => is(party)).map(({ amount }) => Number(amount)),
    )
  return {
    shares: amounts((party) => party !== null),
    store: amounts((party) => party === null),
    after: Object.fromEntries(
      [...due].flatMap(([party, remainder]) =>
        remainder === 0n ? [] : [[party ?? "", Number(remainder)]],
      ),
    ),
  }
}

describe("worked by hand", () => {
  test.each(cases.map((one) => [one.shows, one] as const))("%s", (_, one) => {
    const { shares, store, after } = one
    expect(byLibrary(one)).toEqual({ shares, store, after })
    expect(byOracle(one)).toEqual({ shares, store, after })
  })
})
