import { Payouts, type RefundRequest, Resplits, Sales, UnitOfWork } from "apportion/service"
import { Effect, Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  account,
  ada,
  all,
  day,
  failure,
  groups,
  inShop,
  kept,
  lines,
  noon,
  openShop,
  order,
  payouts,
  people,
  policy,
  type Shop,
  wait,
  within,
} from "./SalesShop.js"

const record = (...input: Parameters<typeof order>) =>
  Effect.flatMap(Sales, (sales) => sales.record(account, order(...input)))

/** Every refund of these tests is previewed first: it then comes out, or is refused, as was said. */
const refund = (id: string, request: Partial<RefundRequest>, accountId = account) =>
  Effect.gen(function* () {
    const sales = yield* Sales
    const whole = { id, orderId: "1001", itemId: "1", ...request }
    const previewed = yield* Effect.result(sales.previewRefund(accountId, whole))
    const refunded = yield* Effect.result(sales.refund(accountId, whole))
    expect(Result.map(previewed, (preview) => preview.refund)).toEqual(refunded)
    return yield* Effect.fromResult(refunded)
  })

const pay = (shop: Shop, index: number) =>
  Effect.gen(function* () {
    const found = yield* payouts(shop)
    const service = yield* Payouts
    yield* service.closeDue(account)
    yield* service.pay(account, found[index]?.id ?? "")
  })

/** A sale of 4 units for 100.00 in dollars, of which ada has 10%. */
const sold = (shop: Shop, currency = "USD") =>
  Effect.gen(function* () {
    yield* openShop(shop)
    const [item] = order([10_000]).items
    if (item === undefined) return expect.fail()
    const sales = yield* Sales
    const items = [{ ...item, quantity: 4 }]
    yield* sales.record(account, { ...order([]), currency, items })
  })

describe("a refund before the payout is settled", () => {
  test("the item stays, is reduced, and says when it was refunded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* wait(60)
        const recorded = yield* refund("r1", { amount: 2_500, refundedAt: noon + 30 })
        expect(recorded).toMatchObject({
          id: "r1",
          recordedAt: noon + 60,
          refund: { orderId: "1001", itemId: "1", amount: 2_500, refundedAt: noon + 30 },
          reversal: { store: 2_250, fullyRefunded: false },
        })
        const [payout] = yield* payouts(shop)
        expect(payout).toMatchObject({ total: 750, itemsCount: 1 })
        expect(payout?.items[0]).toMatchObject({
          amount: 750,
          originalAmount: 750,
          createdAt: noon,
          orderItem: { refundedAt: noon + 30 },
        })
      }),
    ))

  test("by quantity and by amount, in parts, until exactly nothing is left", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* refund("r1", { quantity: 1 })
        yield* refund("r2", { amount: 3_333 })
        yield* refund("r3", { amount: 4_167 })
        expect(yield* lines(shop)).toEqual(["ada USD active: 0"])
        const error = yield* failure(refund("r4", { amount: 1 }))
        expect(error).toMatchObject({ _tag: "RefundExceedsItem", remainingAmount: 0 })
        const [part] = yield* Effect.flatMap(Sales, (sales) => sales.get(account, "1001"))
        expect(part?.refunds.map(({ id }) => id)).toEqual(["r1", "r2", "r3"])
        expect(part?.version).toBe(4)
      }),
    ))

  test("all that is left after a part of the price, once, and the same when it is asked for again", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* refund("goodwill", { amount: 1_000 })
        const tooMany = yield* failure(refund("r2", { quantity: 4 }))
        expect(tooMany).toMatchObject({ _tag: "RefundExceedsItem", remainingAmount: 9_000 })
        const recorded = yield* refund("r2", { remaining: true })
        expect(recorded.reversal).toMatchObject({ fullyRefunded: true, shares: [{ amount: 900 }] })
        expect(yield* lines(shop)).toEqual(["ada USD active: 0"])
        expect(yield* refund("r2", { remaining: true })).toEqual(recorded)
        const changed = yield* failure(refund("r2", { quantity: 1 }))
        expect(changed).toMatchObject({ _tag: "RefundChanged" })
        const nothing = yield* failure(refund("r3", { remaining: true }))
        expect(nothing.message).toBe("nothing remains of item 1 of order 1001")
      }),
    ))

  test("in a payout that is pending or failed too", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* wait(20 * day)
        const service = yield* Payouts
        yield* service.closeDue(account)
        yield* refund("r1", { quantity: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD pending: 750"])
        const [payout] = yield* payouts(shop)
        yield* service.fail(account, payout?.id ?? "", "no such account")
        yield* refund("r2", { quantity: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD failed: 500"])
      }),
    ))

  test("a payout that is due by then is closed first, as it was on its due date", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* people(shop, { ...ada, payoutThreshold: 1_000 })
        yield* wait(20 * day)
        yield* refund("r1", { quantity: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD pending: 750"])
      }),
    ))

  test("a return that is taken back gives its share back", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record([-10_000])
        yield* refund("r1", { amount: -2_500 })
        expect(yield* lines(shop)).toEqual(["ada USD active: -750"])
      }),
    ))

  test("each share of an item is reduced, and no share of another item", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, ada, { id: "sam", currency: "EUR" })
        yield* policy(shop, { stacking: "all" })
        shop.rates.set("USD/EUR", "0.5")
        yield* groups(
          shop,
          all("ada", { percent: 10 }),
          all("ada", { id: "bonus", amount: 7 }),
          all("sam", { percent: 20 }),
        )
        yield* record([1_000, 1_000])
        yield* refund("r1", { amount: 500, itemId: "2" })
        expect(yield* lines(shop)).toEqual(["ada USD active: 100 7 50 3", "sam EUR active: 100 50"])
      }),
    ))
})

describe("a refund after the payout was settled", () => {
  const settled = (shop: Shop) =>
    Effect.gen(function* () {
      yield* sold(shop)
      yield* wait(20 * day)
      yield* pay(shop, 0)
    })

  test("the settled payout stays as it is, and a negative item goes into the next one", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* settled(shop)
        const [before] = yield* payouts(shop)
        yield* wait(60)
        yield* refund("r1", { quantity: 1, refundedAt: noon + 20 * day })
        const [paid, active] = yield* payouts(shop)
        expect(paid).toEqual(before)
        expect(active).toMatchObject({ status: "active", total: -250 })
        expect(active?.items).toMatchObject([
          {
            kind: "refund",
            id: "1001/1/ada/refund/1",
            amount: -250,
            originalAmount: -250,
            createdAt: noon + 20 * day + 60,
            orderItem: { refundedAt: noon + 20 * day },
          },
        ])
      }),
    ))

  test("several refunds are numbered, and together come to exactly the share", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* settled(shop)
        yield* refund("r1", { amount: 3_333 })
        yield* refund("r2", { amount: 3_333 })
        yield* refund("r3", { amount: 3_334 })
        expect(yield* lines(shop)).toEqual(["ada USD paid: 1000", "ada USD active: -333 -334 -333"])
        const [, active] = yield* payouts(shop)
        expect(active?.items.map(({ id }) => id)).toEqual([
          "1001/1/ada/refund/1",
          "1001/1/ada/refund/2",
          "1001/1/ada/refund/3",
        ])
        const [part] = yield* Effect.flatMap(Sales, (sales) => sales.get(account, "1001"))
        expect(part?.postings).toMatchObject([{ reversed: 1_000, refunds: 3 }])
      }),
    ))

  test("what was taken back before counts: partly before, partly after", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* refund("r1", { quantity: 1 })
        yield* wait(20 * day)
        yield* refund("r2", { amount: 2_500 })
        yield* pay(shop, 0)
        yield* refund("r3", { quantity: 1 })
        yield* wait(30 * day)
        yield* refund("r4", { quantity: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD paid: 500", "ada USD active: -250 -250"])
        expect((yield* failure(refund("r5", { quantity: 1 })))._tag).toBe("RefundExceedsItem")
      }),
    ))

  test("the rate of the sale counts, not today's, and odd cents come out even", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        shop.rates.set("JPY/USD", "0.0067")
        yield* sold(shop, "JPY")
        expect(yield* lines(shop)).toEqual(["ada USD active: 670"])
        yield* wait(20 * day)
        yield* pay(shop, 0)
        shop.rates.set("JPY/USD", "1")
        for (const id of ["r1", "r2", "r3"]) yield* refund(id, { amount: 3_333 })
        yield* refund("r4", { amount: 1 })
        const [, active] = yield* payouts(shop)
        expect(active?.total).toBe(-670)
        expect(active?.currency).toBe("USD")
      }),
    ))

  test("a refund so small that nothing of a share is taken back leaves no item", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* settled(shop)
        yield* refund("r1", { amount: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD paid: 1000"])
        yield* refund("r2", { amount: 9_999 })
        expect(yield* lines(shop)).toEqual(["ada USD paid: 1000", "ada USD active: -1000"])
      }),
    ))

  test("a collaborator who changed currency gives back in the currency that they were paid in", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* settled(shop)
        yield* people(shop, { ...ada, currency: "EUR" })
        yield* refund("r1", { quantity: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD paid: 1000", "ada USD active: -250"])
      }),
    ))

  test("an entry that has the name of a refund by chance is in nobody's way", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* settled(shop)
        yield* refund("r1", { quantity: 1 })
        const [, active] = yield* payouts(shop)
        const [item] = active?.items ?? []
        if (active === undefined || item === undefined) return expect.fail()
        const { items: _all, ...payout } = active
        const taken = { ...item, id: "1001/1/ada/refund/2", amount: 0, originalAmount: 0 }
        yield* within(shop, (stores) => stores.payouts.update({ payout, put: [taken] }))
        yield* refund("r2", { quantity: 1 })
        const [, later] = yield* payouts(shop)
        expect(later?.items.map(({ id }) => id)).toEqual([
          "1001/1/ada/refund/1",
          "1001/1/ada/refund/2",
          "1001/1/ada/refund/2/2",
        ])
      }),
    ))
})

describe("the same refund again", () => {
  test("has one effect, whenever it comes", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        const first = yield* refund("r1", { quantity: 2 })
        const before = yield* kept(shop)
        yield* wait(day)
        expect(yield* refund("r1", { quantity: 2 })).toEqual(first)
        expect(yield* refund("r1", { quantity: 2, refundedAt: noon })).toEqual(first)
        expect(yield* kept(shop)).toEqual(before)
      }),
    ))

  test("with other content is refused, and what differs is told", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* refund("r1", { quantity: 2 })
        const before = yield* kept(shop)
        const other = { amount: 5, orderId: "x", itemId: "y", refundedAt: 1 }
        const error = yield* failure(refund("r1", other))
        if (error._tag !== "RefundChanged") return expect.fail(error.message)
        expect(error.refundId).toBe("r1")
        expect(error.problems).toEqual([
          { path: "orderId", value: "x", message: 'was recorded as "1001", got "x"' },
          { path: "itemId", value: "y", message: 'was recorded as "1", got "y"' },
          { path: "amount", value: 5, message: "was recorded as nothing, got 5" },
          { path: "quantity", value: undefined, message: "was recorded as 2, got nothing" },
          { path: "refundedAt", value: 1, message: `was recorded as ${noon}, got 1` },
        ])
        expect(yield* kept(shop)).toEqual(before)
      }),
    ))

  test("in another account is another refund", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        yield* refund("r1", { quantity: 2 })
        const error = yield* failure(refund("r1", { quantity: 2 }, "other"))
        expect(error).toMatchObject({ _tag: "RefundOfUnknownItem", orderId: "1001", itemId: "1" })
      }),
    ))
})

describe("a refund that can't be made", () => {
  test("of an order or an item that was not recorded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        const ofOrder = yield* failure(refund("r1", { quantity: 1, orderId: "2" }))
        expect(ofOrder).toMatchObject({
          _tag: "RefundOfUnknownItem",
          orderId: "2",
          message: 'order "2" was never recorded',
        })
        const ofItem = yield* failure(refund("r1", { quantity: 1, itemId: "2" }))
        expect(ofItem).toMatchObject({
          _tag: "RefundOfUnknownItem",
          itemId: "2",
          message: 'no item "2" of order "1001" was recorded',
        })
      }),
    ))

  test("is not remembered: its id can be used again", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        const before = yield* kept(shop)
        expect((yield* failure(refund("r1", { quantity: 5 })))._tag).toBe("RefundExceedsItem")
        expect(yield* kept(shop)).toEqual(before)
        yield* refund("r1", { quantity: 4 })
        expect(yield* lines(shop)).toEqual(["ada USD active: 0"])
      }),
    ))

  test("of a later part of an order finds that part", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record([1_000])
        yield* record([1_000, 500])
        yield* refund("r1", { itemId: "2", quantity: 1 })
        expect(yield* lines(shop)).toEqual(["ada USD active: 100 0"])
        const parts = yield* Effect.flatMap(Sales, (sales) => sales.get(account, "1001"))
        expect(parts.map(({ refunds }) => refunds.length)).toEqual([0, 1])
      }),
    ))
})

describe("the preview of a refund", () => {
  const preview = (id: string, request: Partial<RefundRequest>) =>
    Effect.flatMap(Sales, (sales) =>
      sales.previewRefund(account, { id, orderId: "1001", itemId: "1", ...request }),
    )

  test("says of whom how much, of all shares and adjustments, and changes nothing", () =>
    inShop(
      (shop) =>
        Effect.gen(function* () {
          yield* people(shop, ada, { id: "kim", currency: "USD" })
          yield* groups(shop, all("ada", { percent: 10 }), all("kim", { percent: 4 }))
          yield* policy(shop, { stacking: "all" })
          yield* record([10_000])
          yield* groups(shop, all("ada", { percent: 20 }), all("kim", { percent: 4 }))
          const resplits = yield* Resplits
          const { digest } = yield* resplits.propose(account, { id: "more" })
          yield* resplits.approve(account, "more", { digest })
          yield* resplits.book(account, "more")
          // Long enough for the payouts to be due, which a refund would close first.
          yield* wait(60 * day)
          const before = yield* kept(shop)
          const taken = {
            ...{ isRecorded: false, currency: "USD", store: 3_800 },
            collaborators: [
              { collaboratorId: "ada", name: "ada", amount: 1_000, keeps: 1_000 },
              { collaboratorId: "kim", name: "kim", amount: 200, keeps: 200 },
            ],
          }
          expect(yield* preview("r1", { amount: 5_000 })).toMatchObject(taken)
          expect(yield* kept(shop)).toEqual(before)
          const { refund: said } = yield* preview("r1", { amount: 5_000 })
          expect(yield* refund("r1", { amount: 5_000 })).toEqual(said)
          const again = yield* preview("r1", { amount: 5_000 })
          expect(again).toEqual({ ...taken, isRecorded: true, refund: said })
          expect(yield* failure(preview("r1", { amount: 1 }))).toMatchObject({
            _tag: "RefundChanged",
          })
        }),
      { settings: { maturityDays: 14 } },
    ))

  test("leaves a unit of work whole in which it is refused", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* sold(shop)
        const unit = yield* UnitOfWork
        const work = Effect.gen(function* () {
          yield* refund("r1", { quantity: 1 })
          yield* Effect.flip(preview("r2", { quantity: 4 }))
          const { refund: said } = yield* preview("r2", { quantity: 3 })
          expect(said.reversal.fullyRefunded).toBe(true)
        })
        yield* unit.run(account, work)
        expect(yield* lines(shop)).toEqual(["ada USD active: 750"])
      }),
    ))
})
