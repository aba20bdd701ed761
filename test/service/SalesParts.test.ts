import type { Order } from "apportion"
import { Sales } from "apportion/service"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import {
  account,
  all,
  amountsOf,
  failure,
  groups,
  inShop,
  kept,
  lines,
  openShop,
  order,
  people,
  policy,
  type Shop,
  within,
} from "./SalesShop.js"

const record = (input: Order.Order) =>
  Effect.flatMap(Sales, (sales) => sales.record(account, input))

const shares = (input: Order.Order) => Effect.map(record(input), ({ parts }) => amountsOf(parts))

const replayed = Effect.flatMap(Sales, (sales) => sales.replay(account, "1001"))

describe("an order that grows", () => {
  test("its new items are a second part, and the first one stays as it was", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const first = yield* record(order([1_000]))
        yield* groups(shop, all("ada", { percent: 50 }))
        const second = yield* record(order([1_000, 400]))
        expect([second.newItemIds, second.knownItemIds]).toEqual([["2"], ["1"]])
        expect(second.parts[0]).toEqual(first.parts[0])
        expect(second.parts[1]?.order.items.map(({ id }) => id)).toEqual(["2"])
        expect(amountsOf(second.parts)).toEqual([[100], [200]])
        expect(yield* lines(shop)).toEqual(["ada USD active: 100 200"])
        expect(yield* replayed).toEqual(second.parts.map(({ split }) => split))
      }),
    ))

  test("items may come alone, without those that were recorded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const [first, second] = order([1_000, 400]).items
        if (first === undefined || second === undefined) return expect.fail()
        yield* record({ ...order([]), items: [first] })
        const { parts, knownItemIds } = yield* record({ ...order([]), items: [second] })
        expect([amountsOf(parts), knownItemIds]).toEqual([[[100], [40]], []])
        const again = yield* record({ ...order([]), items: [second, first] })
        expect([again.newItemIds, again.knownItemIds]).toEqual([[], ["2", "1"]])
        expect(again.parts).toEqual(parts)
      }),
    ))

  test("units that come to an item are a new part, at their own price, and the order may come again", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const of = (quantity: number, amount: number) => {
          const [item] = order([amount]).items
          if (item === undefined) return expect.fail()
          return { ...order([]), items: [{ ...item, quantity, discount: quantity * 10 }] }
        }
        yield* record(of(2, 1_000))
        const grown = yield* record(of(3, 1_500))
        expect([grown.newItemIds, grown.knownItemIds]).toEqual([["1+1"], ["1"]])
        const [, added] = grown.parts
        expect(added?.order.items).toMatchObject([
          { id: "1+1", quantity: 1, amount: 500, discount: 10, product: { id: "p1" } },
        ])
        expect(amountsOf(grown.parts)).toEqual([[98], [49]])
        const again = yield* record(of(3, 1_500))
        expect([again.newItemIds, again.parts]).toEqual([[], grown.parts])
        expect((yield* record(of(4, 2_000))).newItemIds).toEqual(["1+2"])
        const refund = { id: "r1", orderId: "1001", itemId: "1+1", quantity: 1 }
        const sales = yield* Sales
        const { reversal } = yield* sales.refund(account, refund)
        expect(reversal.shares.map(({ amount }) => amount)).toEqual([49])
        expect(yield* replayed).toEqual((yield* record(of(4, 2_000))).parts.map((it) => it.split))
      }),
    ))

  test("an item of the host whose id looks like units of another one stays an item of its own", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const [item] = order([1_000]).items
        if (item === undefined) return expect.fail()
        const alike = { ...item, id: "1+1" }
        yield* record({ ...order([]), items: [item, alike] })
        const alone = yield* record({ ...order([]), items: [item] })
        expect([alone.newItemIds, alone.knownItemIds]).toEqual([[], ["1"]])
        const more = { ...item, quantity: 2, amount: 2_000 }
        expect((yield* record({ ...order([]), items: [more] })).newItemIds).toEqual(["1+2"])
      }),
    ))

  test("fewer units are a refund, and are refused with the way to do it", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const [item] = order([1_000]).items
        if (item === undefined) return expect.fail()
        yield* record({ ...order([]), items: [{ ...item, quantity: 2 }] })
        yield* record({ ...order([]), items: [{ ...item, quantity: 3, amount: 1_500 }] })
        const before = yield* kept(shop)
        for (const [quantity, amount] of [
          [2, 1_000],
          [1, 500],
        ] as const) {
          const fewer = { ...order([]), items: [{ ...item, quantity, amount }] }
          const error = yield* failure(record(fewer))
          expect(error).toMatchObject({
            _tag: "SaleChanged",
            problems: [{ path: "items[0].amount" }, { path: "items[0].quantity" }],
          })
          expect(error.message).toContain("units that went are a refund: refund them")
        }
        expect(yield* kept(shop)).toEqual(before)
      }),
    ))

  test("more units for less or the same money are another price, which is refused", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const [item] = order([1_000]).items
        if (item === undefined) return expect.fail()
        yield* record(order([1_000]))
        for (const change of [
          { amount: 1_000 },
          { amount: 900 },
          { amount: 1_500, discount: -1 },
        ]) {
          const changed = { ...order([]), items: [{ ...item, quantity: 2, ...change }] }
          expect(yield* failure(record(changed))).toMatchObject({ _tag: "SaleChanged" })
        }
      }),
    ))

  test("other shipping or another fee without a new item changes nothing, and that is told", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* shared(shop)
        yield* within(shop, ({ products }) => products.put([{ id: "p1" }, { id: "p2" }]))
        const sums = { shippingAmount: 300, shippingTax: 20, gatewayFee: 100 }
        const first = yield* record(order([1_000], sums))
        expect(first.notes).toEqual([])
        expect((yield* record(order([1_000], sums))).notes).toEqual([])
        const again = yield* record(order([1_000], { shippingAmount: 500, gatewayFee: 90 }))
        expect(again.parts).toEqual(first.parts)
        const stays = (before: number, value: number) =>
          `stays as it was recorded, as ${before}, got ${value}: only new items bring more of it, and what went back is a refund`
        expect(again.notes).toEqual([
          { path: "shippingAmount", value: 500, message: stays(300, 500) },
          { path: "gatewayFee", value: 90, message: stays(100, 90) },
        ])
        const grown = yield* record(order([1_000, 1_000], { ...sums, shippingAmount: 200 }))
        expect(grown.notes).toEqual([
          { path: "shippingAmount", value: 200, message: stays(300, 200) },
        ])
      }),
    ))

  test("what comes to a return without any figure is refused: nothing says which way it goes", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" })
        yield* groups(shop, all("ada", { amount: 7 }))
        yield* policy(shop, { overAllocation: "allow" })
        const back = yield* record(order([-1_000]))
        expect(amountsOf(back.parts)).toEqual([[-7]])
        const error = yield* failure(record(order([-1_000, 0])))
        expect(error).toMatchObject({
          _tag: "SaleChanged",
          problems: [{ path: "items[1].amount", value: 0 }],
        })
        // With something that goes back beside it, it goes back too; as in one order.
        const both = yield* record(order([-1_000, 0, -50]))
        expect(amountsOf(both.parts)).toEqual([[-7], [-7, -7]])
        const sold = yield* record({ ...order([500]), id: "1002" })
        expect(amountsOf(sold.parts)).toEqual([[7]])
        const gift = yield* record({ ...order([500, 0]), id: "1002" })
        expect(amountsOf(gift.parts)).toEqual([[7], [7]])
      }),
    ))

  const shared = (shop: Shop) =>
    Effect.gen(function* () {
      yield* openShop(shop)
      yield* policy(shop, { shipping: "share", gatewayFee: "deduct" })
    })

  test("its shipping and gateway fee reach a later part only as far as they are not used up", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* shared(shop)
        const at = { shippingAmount: 300, gatewayFee: 100 }
        yield* record(order([1_000], at))
        yield* record(order([1_000, 1_000], { shippingAmount: 500, gatewayFee: 100 }))
        const { parts } = yield* record(order([1_000, 1_000, 1_000], { shippingAmount: 200 }))
        const sums = parts.map((part) => [part.order.shippingAmount, part.order.gatewayFee])
        expect(sums).toEqual([
          [300, 100],
          [200, 0],
          [0, 0],
        ])
        expect(amountsOf(parts)).toEqual([[90 + 30], [100 + 20], [100]])
        expect(yield* replayed).toEqual(parts.map(({ split }) => split))
      }),
    ))

  test("the sums of a return are used up in the same way", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* shared(shop)
        yield* record(order([-1_000], { shippingAmount: -300 }))
        const { parts } = yield* record(order([-1_000, -1_000], { shippingAmount: -500 }))
        expect(parts.map((part) => part.order.shippingAmount)).toEqual([-300, -200])
        expect(amountsOf(parts)).toEqual([[-130], [-120]])
      }),
    ))

  test("what is left of a sum stays within exact cents, or nothing is recorded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* shared(shop)
        const most = Number.MAX_SAFE_INTEGER
        yield* record(order([0], { shippingAmount: -most }))
        const before = yield* kept(shop)
        const error = yield* failure(record(order([0, 0], { shippingAmount: most })))
        expect(error).toMatchObject({
          _tag: "AmountOutOfRange",
          what: "what is left of shippingAmount of order 1001",
          value: "18014398509481982",
        })
        expect(yield* kept(shop)).toEqual(before)
      }),
    ))

  const oncePerOrder = (shop: Shop, ...terms: Parameters<typeof all>[1][]) =>
    Effect.gen(function* () {
      yield* people(shop, { id: "ada", currency: "USD" })
      yield* policy(shop, { flatScope: "order" })
      yield* groups(shop, ...terms.map((each, index) => all("ada", { id: `g${index}`, ...each })))
    })

  test("a flat amount that is paid once an order is not paid again for a later part", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* oncePerOrder(shop, { amount: 101, percent: 10 })
        expect(yield* shares(order([1_000, 1_000]))).toEqual([[151, 150]])
        const { parts } = yield* record(order([1_000, 1_000, 500]))
        expect(amountsOf(parts)).toEqual([[151, 150], [50]])
        expect(parts[1]?.groups.map(({ amount }) => amount)).toEqual([0])
        expect(yield* replayed).toEqual(parts.map(({ split }) => split))
      }),
    ))

  test("a flat amount that was not paid yet is paid when its first item comes", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const link = { type: "products", values: ["p2", "p3"] } as const
        yield* oncePerOrder(shop, { link, amount: 101 })
        expect(yield* shares(order([1_000]))).toEqual([[]])
        expect(yield* shares(order([1_000, 1_000]))).toEqual([[], [101]])
        expect(yield* shares(order([1_000, 1_000, 1_000]))).toEqual([[], [101], []])
      }),
    ))

  test("a flat amount for each unit is paid for a later part too", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* oncePerOrder(shop, { amount: 7 })
        yield* policy(shop, { flatScope: "unit" })
        yield* record(order([1_000]))
        expect(yield* shares(order([1_000, 1_000]))).toEqual([[7], [7]])
      }),
    ))

  test("whoever had their flat amount still takes part where all shipping goes to collaborators", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" }, { id: "sam", currency: "USD" })
        yield* policy(shop, { flatScope: "order", shipping: "all" })
        yield* groups(shop, all("ada", { amount: 100 }), all("sam", { percent: 10 }))
        yield* record(order([1_000], { shippingAmount: 50 }))
        const { parts } = yield* record(order([1_000, 1_000], { shippingAmount: 150 }))
        expect(amountsOf(parts)).toEqual([
          [125, 125],
          [50, 150],
        ])
        expect(yield* replayed).toEqual(parts.map(({ split }) => split))
      }),
    ))
})

describe("a sale that changed", () => {
  const changed = (change: (before: Order.Order) => Order.Order) =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([1_000, 500]))
        const before = yield* kept(shop)
        const error = yield* failure(record(change(order([1_000, 500, 70]))))
        expect(yield* kept(shop)).toEqual(before)
        if (error._tag !== "SaleChanged") return expect.fail(error.message)
        expect(error.orderId).toBe("1001")
        return error.problems
      }),
    )

  const second = (change: Partial<Order.OrderItem>) => (before: Order.Order) => ({
    ...before,
    items: before.items.map((item, index) => (index === 1 ? { ...item, ...change } : item)),
  })

  test("every figure that is not as it was recorded is told, with both values", async () => {
    const product = { id: "other" }
    const problems = await changed(
      second({ amount: 501, quantity: 2, discount: 1, taxTotal: 3, product }),
    )
    expect(problems).toEqual([
      { path: "items[1].amount", value: 501, message: "was recorded as 500, got 501" },
      { path: "items[1].quantity", value: 2, message: "was recorded as 1, got 2" },
      { path: "items[1].discount", value: 1, message: "was recorded as 0, got 1" },
      { path: "items[1].taxTotal", value: 3, message: "was recorded as 0, got 3" },
      {
        path: "items[1].product.id",
        value: "other",
        message: 'was recorded as "p2", got "other"',
      },
    ])
  })

  test("another currency is told, even when only new items come", async () => {
    const problems = await changed((before) => ({
      ...before,
      currency: "EUR",
      items: before.items.slice(2),
    }))
    expect(problems).toEqual([
      { path: "currency", value: "EUR", message: 'was recorded as "USD", got "EUR"' },
    ])
  })

  test("nothing said and nothing owed are the same figure", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([1_000]))
        const none = { discount: 0, taxTotal: null }
        const { items } = order([1_000])
        const again = { ...order([1_000]), items: items.map((item) => ({ ...item, ...none })) }
        expect((yield* record(again)).newItemIds).toEqual([])
      }),
    ))

  test("attributes that no figure depends on may change: the recorded split does not", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const { parts } = yield* record(order([1_000], { tags: ["a"], shippingAmount: 9 }))
        const again = yield* record(order([1_000], { tags: ["b"], shippingAmount: 7 }))
        expect(again.parts).toEqual(parts)
      }),
    ))
})
