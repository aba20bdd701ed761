import type { Order } from "apportion"
import { productKeyOf, type StorageService, type Stores } from "apportion/ports"
import { Sales, UnitOfWork } from "apportion/service"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import {
  account,
  ada,
  all,
  amountsOf,
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
  wait,
  within,
} from "./SalesShop.js"

const record = (input: Order.Order, accountId = account) =>
  Effect.flatMap(Sales, (sales) => sales.record(accountId, input))

const replay = (orderId: string) => Effect.flatMap(Sales, (sales) => sales.replay(account, orderId))

describe("recording a sale", () => {
  test("a share goes into the collaborator's active payout, which is opened with its due date", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const { parts, newItemIds, knownItemIds } = yield* record(order([10_000]))
        expect([newItemIds, knownItemIds]).toEqual([["1"], []])
        const [payout] = yield* payouts(shop)
        expect(payout).toMatchObject({
          collaboratorId: "ada",
          currency: "USD",
          status: "active",
          openedAt: noon,
          toBePaidAt: Date.UTC(2024, 0, 31) / 1_000,
          total: 1_000,
          itemsCount: 1,
        })
        expect(payout?.items[0]).toMatchObject({
          id: "1001/1/ada",
          kind: "sale",
          amount: 1_000,
          createdAt: noon,
        })
        expect(parts[0]).toMatchObject({ part: 1, recordedAt: noon, version: 1 })
        expect(parts[0]?.postings).toEqual([
          {
            itemId: "1",
            groupId: "ada",
            collaboratorId: "ada",
            payoutId: payout?.id,
            payoutItemId: "1001/1/ada",
            currency: "USD",
            rate: null,
            reversed: 0,
            refunds: 0,
          },
        ])
      }),
    ))

  test.each([2, 15, 16, 40])(
    "each of %i items of an order becomes an item of the payout",
    (count) =>
      inShop((shop) =>
        Effect.gen(function* () {
          yield* openShop(shop)
          const amounts = Array.from({ length: count }, (_, index) => 1_000 + 10 * index)
          yield* record(order(amounts))
          const [payout] = yield* payouts(shop)
          const items = payout?.items ?? []
          expect(items.map(({ amount }) => amount).toSorted()).toEqual(
            amounts.map((amount) => amount / 10),
          )
          for (const item of items) {
            if (item.kind !== "sale") throw new TypeError(`a sale became ${item.kind}`)
            const { itemId, amount, product } = item.orderItem
            expect([item.id, product.id]).toEqual([`1001/${itemId}/ada`, `p${itemId}`])
            expect([amount, item.amount]).toEqual([amounts[Number(itemId) - 1], amount / 10])
          }
        }),
      ),
  )

  test("the same order again has no effect, and is told as known", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const first = yield* record(order([10_000, 500]))
        const before = yield* kept(shop)
        yield* wait(day)
        const again = yield* record(order([10_000, 500]))
        expect(again).toEqual({
          parts: first.parts,
          newItemIds: [],
          notes: [],
          knownItemIds: ["1", "2"],
        })
        expect(yield* kept(shop)).toEqual(before)
      }),
    ))

  test("several shares for one collaborator are several items of one payout", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" })
        yield* policy(shop, { stacking: "all" })
        yield* groups(shop, all("ada", { percent: 10 }), all("ada", { id: "bonus", amount: 7 }))
        yield* record(order([1_000, 2_000]))
        expect(yield* lines(shop)).toEqual(["ada USD active: 100 7 200 7"])
      }),
    ))

  test("a share of nothing is an item of nothing", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([0]))
        expect(yield* lines(shop)).toEqual(["ada USD active: 0"])
      }),
    ))

  test("a return takes its share off", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([1_000, -3_000]))
        const [payout] = yield* payouts(shop)
        expect(payout?.items.map(({ amount }) => amount)).toEqual([100, -300])
        expect(payout?.total).toBe(-200)
      }),
    ))

  test("an order that nobody has a share of is recorded all the same", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { parts } = yield* record(order([1_000]))
        expect(parts[0]?.split.store).toEqual([{ itemId: "1", amount: 1_000 }])
        expect(yield* payouts(shop)).toEqual([])
      }),
    ))

  test("an order without items records nothing", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        expect(yield* record(order([]))).toEqual({
          parts: [],
          newItemIds: [],
          notes: [],
          knownItemIds: [],
        })
        expect((yield* kept(shop)).sales.total).toBe(0)
      }),
    ))

  test("an order without a time was made now, which decides what groups are in force", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" })
        yield* groups(shop, all("ada", { percent: 10, startsAt: noon, endsAt: noon + 1 }))
        yield* record(order([1_000], { id: "now" }))
        yield* record(order([1_000], { id: "before", createdAt: noon - 1 }))
        yield* wait(1)
        yield* record(order([1_000], { id: "after" }))
        expect(yield* lines(shop)).toEqual(["ada USD active: 100"])
        expect((yield* kept(shop)).sales.entries.map((sale) => sale.order.createdAt)).toEqual([
          noon - 1,
          noon,
          noon + 1,
        ])
      }),
    ))

  test("the order is completed from the catalogue", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" })
        const link = { type: "products.tag", values: ["art"] } as const
        yield* groups(shop, all("ada", { link, percent: 10 }))
        const blue = { id: "p1", externalVariantId: "blue", name: "Print", tags: ["art"] }
        const red = { id: "p1", externalVariantId: "red", name: "Print", tags: ["art"], sku: "R" }
        yield* within(shop, ({ products }) => products.put([red, blue]))
        const { parts } = yield* record(order([1_000]))
        expect(amountsOf(parts)).toEqual([[100]])
        const [payout] = yield* payouts(shop)
        expect(payout?.items[0]).toMatchObject({
          orderItem: { product: { name: "Print", sku: null } },
        })
        yield* within(shop, ({ products }) => products.remove([red, blue].map(productKeyOf)))
        expect(amountsOf([{ split: (yield* replay("1001"))[0] ?? expect.fail() }])).toEqual([[100]])
      }),
    ))

  test("products that the catalogue does not know when a sale comes are told in the answer, each once", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const link = { type: "products.tag", values: ["art"] } as const
        yield* people(shop, { id: "ada", currency: "USD" })
        yield* groups(shop, { id: "g1", collaboratorId: "ada", link, percent: "10.00" })
        yield* within(shop, ({ products }) => products.put([{ id: "p1", tags: ["art"] }]))
        const sold = order([10_000, 500, 700])
        const items = sold.items.map((item, index) =>
          index === 0 ? item : { ...item, product: { id: "p9" } },
        )
        const { notes, parts } = yield* record({ ...sold, items })
        const message =
          'is not in the catalogue, got "p9": rules saw only what the order says of it'
        expect(notes).toEqual([{ path: "items[1].product.id", value: "p9", message }])
        expect(parts[0]?.split.shares.map(({ itemId }) => itemId)).toEqual(["1"])
        expect((yield* record({ ...sold, items })).notes).toEqual([])
      }),
    ))

  test("products are found by their ids in the shop too, and in whatever order the store gives them", () => {
    const backwards = (storage: StorageService): StorageService => ({
      ...storage,
      transaction: (accountId, work, options) => {
        const turned = (stores: Stores): Stores => ({
          ...stores,
          products: {
            ...stores.products,
            find: (ids) => Effect.map(stores.products.find(ids), (found) => found.toReversed()),
          },
        })
        return storage.transaction(accountId, (stores) => work(turned(stores)), options)
      },
    })
    const vendors = (options: Parameters<typeof inShop>[1]) =>
      inShop(
        (shop) =>
          Effect.gen(function* () {
            const own = { externalId: "e1", externalVariantId: "v1" }
            yield* within(shop, ({ products }) =>
              products.put([
                { id: "a", externalId: "e1", vendor: "North" },
                { id: "b", externalVariantId: "v1", vendor: "East" },
                { id: "c", externalVariantId: "v1", vendor: "West" },
              ]),
            )
            const [item] = order([1_000]).items
            if (item === undefined) return expect.fail()
            const named = [{ externalId: "e1" }, { externalVariantId: "v1" }, own]
            const items = named.map((ids, index) => ({
              ...item,
              id: String(index),
              product: { id: "x", ...ids },
            }))
            const { parts } = yield* record({ ...order([]), items })
            return parts[0]?.order.items.map(({ product }) => product.vendor)
          }),
        options,
      )
    return Promise.all([vendors({}), vendors({ wrap: backwards })]).then((found) => {
      expect(found).toEqual([
        ["North", "East", "East"],
        ["North", "East", "East"],
      ])
    })
  })

  test("what is due by the time of a sale is closed, and the sale goes into the next payout", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([1_000], { id: "a" }))
        yield* wait(20 * day)
        yield* record(order([2_000], { id: "b" }))
        expect(yield* lines(shop)).toEqual(["ada USD pending: 100", "ada USD active: 200"])
        const [closed] = yield* payouts(shop)
        expect(closed?.closedAt).toBe(Date.UTC(2024, 0, 31) / 1_000)
      }),
    ))

  test("a payout below its threshold rolls to the next date before a sale goes into it", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* people(shop, { ...ada, payoutThreshold: 101 })
        yield* record(order([1_000], { id: "a" }))
        yield* wait(20 * day)
        yield* record(order([2_000], { id: "b" }))
        expect(yield* lines(shop)).toEqual(["ada USD active: 100 200"])
        const [rolled] = yield* payouts(shop)
        expect(rolled?.toBePaidAt).toBe(Date.UTC(2024, 1, 29) / 1_000)
      }),
    ))

  test("a log line says what was recorded, and nothing about money or people", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([12_340], { details: { customerEmail: "kim@example.com" } }))
        const line = shop.log.find(({ message }) => message === "sale recorded")
        expect(line?.about).toEqual({
          accountId: account,
          orderId: "1001",
          part: 1,
          items: 1,
          shares: 1,
        })
        expect(JSON.stringify(shop.log)).not.toMatch(/12340|123\.40|kim/)
        yield* Effect.flatMap(Sales, (sales) => sales.preview(account, order([1], { id: "other" })))
        yield* record(order([12_340]))
        expect(shop.log.filter(({ message }) => message === "sale recorded")).toHaveLength(1)
      }),
    ))
})

describe("who can't be paid", () => {
  test("a group whose collaborator is unknown keeps the whole order from being recorded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const link = { type: "products", values: ["p2"] } as const
        yield* groups(shop, all("ada", { percent: 10 }), all("zoe", { link, percent: 10 }))
        const error = yield* failure(record(order([1_000, 1_000])))
        expect(error).toMatchObject({ _tag: "NotFound", what: "collaborator", id: "zoe" })
        expect(yield* kept(shop)).toEqual({ payouts: [], sales: { entries: [], total: 0 } })
        yield* record(order([1_000]))
        expect(yield* lines(shop)).toEqual(["ada USD active: 100"])
      }),
    ))

  test("groups that claim more than there is fail the order, with nothing recorded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" }, { id: "sam", currency: "USD" })
        yield* groups(shop, all("ada", { percent: 60 }), all("sam", { percent: 60 }))
        const error = yield* failure(record(order([1_000])))
        expect(error._tag).toBe("OverAllocated")
        expect(yield* kept(shop)).toEqual({ payouts: [], sales: { entries: [], total: 0 } })
      }),
    ))

  test("a payout's total never leaves the range of exact cents", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" })
        yield* groups(shop, all("ada", { percent: 100 }))
        yield* record(order([Number.MAX_SAFE_INTEGER], { id: "a" }))
        const before = yield* kept(shop)
        const error = yield* failure(record(order([1], { id: "b" })))
        expect(error._tag).toBe("AmountOutOfRange")
        expect(yield* kept(shop)).toEqual(before)
        yield* record(order([-1], { id: "c" }))
        expect((yield* payouts(shop))[0]?.total).toBe(Number.MAX_SAFE_INTEGER - 1)
      }),
    ))

  test("an order of another account can't be seen, and has no effect on one with the same id", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([1_000]))
        const sales = yield* Sales
        expect(yield* failure(sales.get("other", "1001"))).toMatchObject({
          _tag: "NotFound",
          what: "order",
          id: "1001",
        })
        expect((yield* failure(sales.replay("other", "1001")))._tag).toBe("NotFound")
        expect(yield* sales.list("other", {}, { page: 1, perPage: 15 })).toEqual({
          entries: [],
          total: 0,
        })
        const other = yield* record(order([7, 8], { currency: "JPY" }), "other")
        expect(other.newItemIds).toEqual(["1", "2"])
        expect((yield* sales.get(account, "1001"))[0]?.order.currency).toBe("USD")
      }),
    ))
})

describe("currencies", () => {
  const inYenAndDinar = (shop: Parameters<typeof openShop>[0]) =>
    Effect.gen(function* () {
      yield* people(shop, { id: "ken", currency: "JPY" }, { id: "nur", currency: "KWD" })
      yield* groups(shop, all("ken", { percent: 10 }), all("nur", { percent: 20 }))
      shop.rates.set("USD/JPY", "150.255").set("USD/KWD", "0.3075")
    })

  test("a share is converted with both currencies' digits, and the rate is kept", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* inYenAndDinar(shop)
        const { parts } = yield* record(order([10_000]))
        expect(yield* lines(shop)).toEqual(["ken JPY active: 1503", "nur KWD active: 6150"])
        const [yen] = yield* payouts(shop)
        expect(yen?.items[0]).toMatchObject({
          originalAmount: 1_000,
          originalCurrency: "USD",
          currencyExchangeRate: "150.255",
        })
        expect(parts[0]?.postings.map(({ currency, rate }) => [currency, rate])).toEqual([
          ["JPY", "150.255"],
          ["KWD", "0.3075"],
        ])
      }),
    ))

  test("no rate is asked for where the currencies are the same", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const asked: Array<string> = []
        shop.onRate = ({ to }) => Effect.sync(() => asked.push(to))
        yield* record(order([10_000]))
        expect(asked).toEqual([])
      }),
    ))

  test("a rate that nobody knows keeps the whole order from being recorded", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* inYenAndDinar(shop)
        shop.rates.delete("USD/KWD")
        const error = yield* failure(record(order([10_000])))
        expect(error).toMatchObject({
          _tag: "MissingExchangeRate",
          from: "USD",
          to: "KWD",
          at: noon,
        })
        expect((yield* kept(shop)).payouts).toEqual([])
      }),
    ))

  test("a rate that is no positive decimal number is refused", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* inYenAndDinar(shop)
        for (const rate of ["0", "-1", "1e3", "", "x", Number.NaN, 1.5, {}]) {
          Reflect.apply(shop.rates.set, shop.rates, ["USD/KWD", rate])
          const error = yield* failure(record(order([10_000])))
          expect(error._tag).toBe("InvalidExchangeRate")
        }
        expect(yield* kept(shop)).toEqual({ payouts: [], sales: { entries: [], total: 0 } })
      }),
    ))

  test("rates are asked for once each, while others can go on recording", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* inYenAndDinar(shop)
        const asked: Array<string> = []
        const sales = yield* Sales
        shop.onRate = ({ accountId, from, to, at }) =>
          Effect.gen(function* () {
            asked.push(`${accountId} ${from} ${to} ${at}`)
            if (asked.length === 1) yield* sales.record(account, order([100], { id: "meanwhile" }))
          }).pipe(Effect.orDie)
        yield* record(order([10_000]))
        expect(asked).toEqual([
          `${account} USD JPY ${noon}`,
          `${account} USD JPY ${noon}`,
          `${account} USD KWD ${noon}`,
          `${account} USD KWD ${noon}`,
        ])
        expect(yield* lines(shop)).toEqual(["ken JPY active: 15 1503", "nur KWD active: 62 6150"])
      }),
    ))

  test("a collaborator whose currency changes while rates are asked for is paid in the new one", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ken", currency: "JPY" })
        yield* groups(shop, all("ken", { percent: 10 }))
        shop.rates.set("USD/JPY", "150").set("USD/KWD", "0.5")
        shop.onRate = ({ to }) =>
          to === "JPY" ? people(shop, { id: "ken", currency: "KWD" }) : Effect.void
        yield* record(order([10_000]))
        expect(yield* lines(shop)).toEqual(["ken KWD active: 5000"])
      }),
    ))
})

describe("the ledger", () => {
  test("it lists by time of recording, then by order, then by part", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        yield* record(order([1], { id: "b" }))
        yield* record(order([1], { id: "a" }))
        yield* record(order([1, 2], { id: "a" }))
        yield* wait(1)
        yield* record(order([1], { id: "0" }))
        const sales = yield* Sales
        const page = (number: number) =>
          Effect.map(
            sales.list(account, {}, { page: number, perPage: 3 }),
            ({ entries, total }) => [
              total,
              ...entries.map(({ orderId, part }) => `${orderId}${part}`),
            ],
          )
        expect(yield* page(1)).toEqual([4, "a1", "a2", "b1"])
        expect(yield* page(2)).toEqual([4, "01"])
        expect(yield* page(3)).toEqual([4])
      }),
    ))

  test("a sale replays to the same cents after groups, policy and collaborators have changed", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* people(shop, { id: "ada", currency: "USD" }, { id: "sam", currency: "USD" })
        const referer = { type: "referer", values: ["blog"] } as const
        yield* groups(
          shop,
          all("ada", { percent: "33.33" }),
          all("sam", { percent: 10, condition: referer, deductForOtherSplits: true }),
          all("sam", { id: "outranked", percent: 5 }),
          all("zoe", { link: { type: "products.tag", values: ["none"] }, percent: 50 }),
        )
        const { parts } = yield* record(order([999, 1], { referers: ["blog"], shippingAmount: 5 }))
        expect(parts[0]?.groups.map(({ id }) => id).sort()).toEqual(["ada", "outranked", "sam"])
        yield* groups(shop, all("ada", { percent: 1 }))
        yield* policy(shop, { rounding: "floor", shipping: "all", overAllocation: "allow" })
        yield* people(shop, { id: "ada", currency: "JPY" })
        expect(yield* replay("1001")).toEqual(parts.map(({ split }) => split))
        expect(amountsOf(parts)).toEqual([[300, 100, 0, 0]])
      }),
    ))

  test("a split that would come out otherwise is a defect", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const { parts } = yield* record(order([1_000]))
        const [part] = parts
        if (part === undefined) return expect.fail()
        const forged = { ...part, orderId: "2", order: { ...part.order, id: "2" } }
        yield* within(shop, ({ sales }) => sales.insert(forged))
        const exit = yield* Effect.exit(replay("2"))
        expect(JSON.stringify(exit)).toContain("does not split again as it was recorded")
      }),
    ))

  test("a preview shows what would be recorded, and records nothing", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const sales = yield* Sales
        const shown = yield* sales.preview(account, order([1_000, 50]))
        expect(yield* kept(shop)).toEqual({ payouts: [], sales: { entries: [], total: 0 } })
        const { parts } = yield* record(order([1_000, 50]))
        expect([shown.order, shown.split]).toEqual([parts[0]?.order, parts[0]?.split])
        expect(yield* sales.preview(account, order([1_000, 50]))).toEqual(shown)
      }),
    ))
})

describe("as a part of something larger", () => {
  test("a sale in a unit of work that fails is not kept", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        const work = yield* UnitOfWork
        const failing = Effect.andThen(record(order([1_000])), Effect.fail("changed my mind"))
        expect(yield* failure(work.run(account, failing))).toBe("changed my mind")
        expect(yield* kept(shop)).toEqual({ payouts: [], sales: { entries: [], total: 0 } })
        expect(shop.log).toEqual([])
      }),
    ))

  test("two sales in one unit of work, one of them in another currency, are one change", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* openShop(shop)
        shop.rates.set("EUR/USD", "1.1")
        const work = yield* UnitOfWork
        const both = Effect.andThen(
          record(order([1_000], { id: "a" })),
          record(order([1_000], { id: "b", currency: "EUR" })),
        )
        yield* work.run(account, both)
        expect(yield* lines(shop)).toEqual(["ada USD active: 100 110"])
      }),
    ))
})
