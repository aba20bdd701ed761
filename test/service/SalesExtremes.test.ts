import { type Order, ProductGroup, Split, SplitPolicy } from "apportion"
import { type Recording, Sales } from "apportion/service"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { type RefundPart, refunds } from "../generators/Refunds.js"
import { runs } from "../generators/Runs.js"
import { sale } from "../generators/Sales.js"
import { opened, shop } from "./AgreementShop.js"
import {
  account,
  groups,
  inShop,
  kept,
  payouts,
  people,
  type Shop,
  settingsOf,
} from "./SalesShop.js"

interface Extreme {
  readonly sales: ReadonlyArray<typeof sale extends fc.Arbitrary<infer Value> ? Value : never>
  readonly refunds: ReadonlyArray<ReadonlyArray<RefundPart>>
  readonly rate: string
}

/** Up to three sales of one store, each by its own rules, and refunds of them; money may be huge. */
const extreme: fc.Arbitrary<Extreme> = fc
  .array(sale, { minLength: 1, maxLength: 3 })
  .chain((sales) =>
    fc.record({
      sales: fc.constant(sales),
      refunds: fc.tuple(...sales.map(({ order }) => refunds(order))),
      rate: fc.constantFrom("1", "0.37", "150.255", "99999999999.5", "0.00000000001"),
    }),
  )

/** Shipping and its tax are together beyond what can be told. */
const withoutItems: Extreme = {
  sales: [
    {
      groups: [],
      order: {
        ...{ id: "1001", currency: "USD", createdAt: 0, items: [] },
        ...{ shippingAmount: 1, shippingTax: Number.MAX_SAFE_INTEGER },
      },
      policy: { ...SplitPolicy.defaults, tax: "share" },
    },
  ],
  refunds: [[]],
  rate: "1",
}

const orderErrors = new Set(["InvalidOrder", "OverAllocated", "AmountOutOfRange"])
const refundErrors = new Set([
  ...["InvalidRefund", "RefundOfUnknownItem", "RefundExceedsItem"],
  "AmountOutOfRange",
])

const sum = (amounts: ReadonlyArray<number>): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** Shares and the store's rest are what each item brought in, and each share is in a payout. */
const expectConserved = (recording: Recording) => {
  for (const { split, postings, order } of recording.parts) {
    expect(split.items.map(({ itemId }) => itemId)).toEqual(order.items.map(({ id }) => id))
    for (const { itemId, distributable } of split.items) {
      const parts = [...split.shares, ...split.store].filter((part) => part.itemId === itemId)
      expect(sum(parts.map(({ amount }) => amount))).toBe(BigInt(distributable))
    }
    const named = (part: { readonly itemId: string; readonly groupId: string }) =>
      JSON.stringify([part.itemId, part.groupId])
    expect(postings.map(named).sort()).toEqual(split.shares.map(named).sort())
  }
}

/** What payouts hold is the sum of what is in them, and of what is left of the ledger's shares. */
const expectBalanced = (shop: Shop) =>
  Effect.gen(function* () {
    const found = yield* payouts(shop)
    for (const { total, itemsCount, items } of found) {
      expect(sum(items.map(({ amount }) => amount))).toBe(BigInt(total))
      expect(items).toHaveLength(itemsCount)
    }
    const items = found.flatMap((payout) => payout.items)
    const inPayouts = sum(items.map(({ originalAmount }) => originalAmount))
    const { entries } = (yield* kept(shop)).sales
    const shares = entries.flatMap(({ split }) => split.shares)
    const reversed = entries.flatMap((part) =>
      part.refunds.flatMap(({ reversal }) => reversal.shares),
    )
    const left = sum(shares.map(({ amount }) => amount)) - sum(reversed.map((it) => it.amount))
    expect(inPayouts).toBe(left)
  })

/** Runs something; when it fails with one of these errors, everything must be as it was. */
const attempt = <A, E extends { readonly _tag: string }, R>(
  shop: Shop,
  effect: Effect.Effect<A, E, R>,
  errors: ReadonlySet<string>,
) =>
  Effect.gen(function* () {
    const before = yield* kept(shop)
    const result = yield* Effect.result(effect)
    if (Result.isFailure(result)) {
      expect(errors).toContain(result.failure._tag)
      expect(yield* kept(shop)).toEqual(before)
    }
    return result
  })

/** The core says whether the order can be split; whether payouts can hold it is the services' matter. */
const expectSameAsCore = (
  { groups, policy }: Extreme["sales"][number],
  order: Order.Order,
  result: Result.Result<Recording, { readonly _tag: string }>,
) => {
  // Nothing is recorded of an order without items, so no sum of it is worked out.
  if (order.items.length === 0 && Result.isSuccess(result)) {
    expect(result.success.parts).toEqual([])
    return
  }
  const rules = { groups: groups.map((input) => ProductGroup.make(input)) }
  const split = Split.orderResult(rules, { ...order, createdAt: order.createdAt ?? 0 }, policy)
  if (Result.isFailure(split)) {
    expect(Result.isFailure(result) && result.failure._tag).toBe(split.failure._tag)
  } else if (Result.isFailure(result)) expect(result.failure._tag).toBe("AmountOutOfRange")
}

test("at the extremes money is conserved, and what fails leaves nothing", async () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(extreme, (each) =>
      inShop((shop) =>
        Effect.gen(function* () {
          const currency = "JPY"
          yield* people(shop, { id: "ada", currency }, { id: "ben", currency: "USD" })
          yield* people(shop, { id: "cam", currency: "KWD" })
          for (const from of ["JPY", "USD", "KWD"]) {
            for (const to of ["JPY", "USD", "KWD"]) shop.rates.set(`${from}/${to}`, each.rate)
          }
          const sales = yield* Sales
          for (const [index, { groups: rules, order, policy }] of each.sales.entries()) {
            yield* groups(shop, ...rules)
            shop.settings = settingsOf({ policy })
            const named = { ...order, id: String(index), createdAt: order.createdAt ?? 0 }
            const recorded = yield* attempt(shop, sales.record(account, named), orderErrors)
            expectSameAsCore({ groups: rules, order, policy }, named, recorded)
            count(Result.isSuccess(recorded) ? "recorded" : recorded.failure._tag)
            if (Result.isFailure(recorded)) continue
            expectConserved(recorded.success)
            const replayed = yield* Effect.exit(sales.replay(account, named.id))
            expect(replayed._tag).toBe(named.items.length === 0 ? "Failure" : "Success")
          }
          yield* expectBalanced(shop)
          for (const [index, parts] of each.refunds.entries()) {
            for (const [place, part] of parts.entries()) {
              const request = { id: `${index} ${place}`, orderId: String(index), ...part }
              const refunded = yield* attempt(shop, sales.refund(account, request), refundErrors)
              count(Result.isSuccess(refunded) ? "refunded" : `refund: ${refunded.failure._tag}`)
            }
          }
          yield* expectBalanced(shop)
        }),
      ),
    ),
    { ...runs(400, 160), examples: [[withoutItems]] },
  )
  const reached = [...seen.keys()]
  expect(reached).toEqual(
    expect.arrayContaining([
      ...["recorded", "OverAllocated", "AmountOutOfRange"],
      ...["refunded", "refund: RefundExceedsItem", "refund: RefundOfUnknownItem"],
    ]),
  )
})

test("the event of a sale tells exactly what changed a payout, in parts where that is beyond the safe integers", async () => {
  const most = Number.MAX_SAFE_INTEGER
  const { hire, sell, sales, events, payouts } = await opened()
  await hire("ada", "EUR", 100)
  await sell("1", ["ada"], -most)
  const itemOf = (id: string, amount: number) => ({
    ...{ id, product: { id, tags: ["ada"] }, quantity: 1, amount },
  })
  const items = [itemOf("1", most), itemOf("2", most - 2), itemOf("3", 1)]
  await sales.record(shop, { id: "2", currency: "EUR", items })
  const { entries } = await payouts.list(shop, {}, { page: 1, perPage: 9 })
  const [{ payout } = expect.unreachable()] = entries
  expect(payout.total).toBe(most - 1)
  const told = (await events.after(shop, 0)).at(-1)
  expect(told?.data).toMatchObject({
    ...{ payoutIds: [payout.id, payout.id], payoutAmounts: [most, most - 1] },
  })
})
