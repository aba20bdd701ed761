import { Collaborators, Deliveries, ProductGroups, Products, Sales } from "apportion/service"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { account, earned, line, open, order, run, send } from "./Shop.js"
import {
  wooDeliveryOf,
  wooLine,
  wooLineBack,
  wooOrder,
  wooProduct,
  wooRefund,
  wooSend,
  wooSendAll,
  wooShop,
  wooSum,
  wooVariation,
} from "./WooShop.js"

const create = (body: object) => ({ topic: "order.created", body })
const update = (body: object) => ({ topic: "order.updated", body })
const put = (body: object) => ({ topic: "product.created", body })
const back = (body: object) => ({ topic: "refund.created", body })
const at = (day: number) => ({
  date_modified_gmt: `2024-05-${String(day).padStart(2, "0")}T08:00:00`,
})

const noShipping = { shipping_total: "0.00", shipping_tax: "0.00" }

const outcomes = (received: ReadonlyArray<{ readonly outcome: string }>) =>
  received.map(({ outcome }) => outcome)

const waiting = Effect.gen(function* () {
  const entries = yield* (yield* Deliveries).list(account)
  return entries.map(({ key, state }) => `${key} ${state}`)
})

describe("a delivery of WooCommerce", () => {
  test("is carried out once, and known by its headers", async () => {
    const sale = { ...create(wooOrder(1)), id: "one" }
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const all = yield* wooSendAll(put(wooProduct(7)), sale, sale)
        return [outcomes(all), all.flatMap(({ told }) => told), yield* earned("1")]
      }),
    )
    expect(found).toEqual([["done", "done", "known"], [], { ada: 450, sam: 900 }])
  })

  test("that waits holds nothing about the buyer, in whatever place the shop has it", async () => {
    const text = await run(
      Effect.gen(function* () {
        yield* wooSend(update({ id: 5, billing: "Bo, buyer@example.com" }))
        yield* wooSend(update({ id: "buyer@example.com", billing: 5 }))
        return JSON.stringify(yield* (yield* Deliveries).list(account))
      }),
    )
    expect(text).toContain("billing: must be an object")
    expect(text).toContain("order.updated/without id")
    expect(text).not.toMatch(/buyer@example|Bo\b/)
  })

  test("has an id that others of the same second have too, and is not taken for one of them", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const id = "of one second"
        const all = [put(wooProduct(7)), create(wooOrder(1)), create(wooOrder(2))]
        return outcomes(yield* wooSendAll(...all.map((one) => ({ ...one, id }))))
      }),
    )
    expect(found).toEqual(["done", "done", "done"])
  })

  test("that is not signed or of another shop has no effect, and a ping is answered without one", async () => {
    const found = await run(
      Effect.gen(function* () {
        const service = yield* Deliveries
        const good = yield* Effect.promise(() => wooDeliveryOf(create(wooOrder(1))))
        const from = (source: string) => ({ ...good.headers, "X-WC-Webhook-Source": source })
        const tries = [
          { ...good, body: `${String(good.body)} ` },
          { ...good, headers: { ...good.headers, "X-WC-Webhook-Signature": undefined } },
          { ...good, headers: from("https://south.example/") },
        ]
        const failed = yield* Effect.forEach(tries, (one) =>
          Effect.flip(service.receive(account, wooShop, one)),
        )
        const ping = yield* service.receive(account, wooShop, {
          headers: {},
          body: "webhook_id=5",
        })
        const other = { ...good, headers: from("http://NORTH.example") }
        const same = yield* service.receive(account, wooShop, other)
        return [failed.map(({ _tag }) => _tag), ping.outcome, same.outcome]
      }),
    )
    expect(found).toEqual([
      ["InvalidSignature", "InvalidSignature", "Unreadable"],
      "nothing",
      "done",
    ])
  })

  test("that can't be read is kept for a person with the path, because refused ones end the webhook", async () => {
    const found = await run(
      Effect.gen(function* () {
        const kilos = wooOrder(5, { line_items: [wooLine(1, 7, { quantity: 1.5 })] })
        const { outcome, told } = yield* wooSend(update(kilos))
        return [outcome, told[0]?.slice(0, 67), yield* waiting]
      }),
    )
    expect(found).toEqual([
      "refused",
      "the WooCommerce order can't be read: line_items[0].quantity: must b",
      ["woocommerce/question/order.updated/5 refused"],
    ])
  })

  test("of coupons is passed over with its reason, and an unknown topic is refused", async () => {
    const found = await run(
      Effect.gen(function* () {
        const { told } = yield* wooSend({ topic: "coupon.updated", body: { id: 1, code: "x" } })
        const failed = yield* Effect.flip(wooSend({ topic: "customer.created", body: { id: 1 } }))
        return [told, failed.message.slice(0, 41)]
      }),
    )
    expect(found).toEqual([
      ["an order says which coupons it used"],
      '"customer.created" is no topic that is re',
    ])
  })
})

describe("an order of WooCommerce", () => {
  const told = (...bodies: ReadonlyArray<object>) =>
    run(
      Effect.gen(function* () {
        yield* open
        yield* wooSend(put(wooProduct(7)))
        const all = yield* wooSendAll(...bodies.map(update))
        return { all: outcomes(all), total: yield* earned("1"), waits: yield* waiting }
      }),
    )
  const whole = { ada: 450, sam: 900 }

  test("that is pending, on hold, failed or a draft of the checkout is none until it is paid", async () => {
    for (const status of ["pending", "on-hold", "failed", "checkout-draft"]) {
      const unpaid = wooOrder(1, { status, date_paid_gmt: null })
      const none = await told(unpaid)
      expect({ status, ...none }).toEqual({ status, all: ["nothing"], total: {}, waits: [] })
      const paid = await told(unpaid, wooOrder(1, at(3)))
      expect({ status, ...paid }).toEqual({
        ...{ status, all: ["nothing", "done"], total: whole, waits: [] },
      })
    }
  })

  test("that is processing or completed, or has a status of a plugin, is a sale", async () => {
    for (const status of ["processing", "completed", "shipped"]) {
      expect((await told(wooOrder(1, { status }))).total).toEqual(whole)
    }
  })

  test("that is cancelled is taken back, one never paid stays open, and one sold again is for a person", async () => {
    const cancelled = { ...at(4), status: "cancelled" }
    const gone = await told(wooOrder(1), wooOrder(1, cancelled))
    expect(gone).toEqual({ all: ["done", "done"], total: { ada: 0, sam: 0 }, waits: [] })
    const unpaid = wooOrder(1, { ...cancelled, date_paid_gmt: null })
    const late = await told(unpaid, wooOrder(1, at(5)))
    expect(late).toEqual({ all: ["nothing", "done"], total: whole, waits: [] })
    const again = await told(wooOrder(1), wooOrder(1, cancelled), wooOrder(1, at(5)))
    expect(again.waits).toEqual(["woocommerce/order/1/first refused"])
  })

  test("that is refunded as a whole has nothing left, whatever its refunds say", async () => {
    const refunded = { ...at(4), status: "refunded", refunds: [wooSum(50, "-49.50")] }
    expect(await told(wooOrder(1), wooOrder(1, refunded))).toEqual({
      ...{ all: ["done", "done"], total: { ada: 0, sam: 0 }, waits: [] },
    })
    expect((await told(wooOrder(1, refunded))).total).toEqual({ ada: 0, sam: 0 })
  })

  test("whose payment fails after it was a sale is for a person", async () => {
    const { total, waits } = await told(wooOrder(1), wooOrder(1, { ...at(4), status: "failed" }))
    expect([total, waits]).toEqual([whole, ["woocommerce/order/1/changed refused"]])
  })

  test("whose payment fails after it was a sale is for a person too where the failure comes first", async () => {
    const { total, waits } = await told(wooOrder(1, { ...at(4), status: "failed" }), wooOrder(1))
    expect([total, waits]).toEqual([whole, ["woocommerce/order/1/changed refused"]])
  })

  test("that was taken back and changes again without being a sale is no question for anybody", async () => {
    for (const status of ["cancelled", "refunded"]) {
      const states = [3, 4, 5].map((day) => wooOrder(1, { ...at(day), status }))
      const { total, waits } = await told(wooOrder(1), ...states)
      expect([status, total, waits]).toEqual([status, { ada: 0, sam: 0 }, []])
    }
  })

  test("that is deleted stays as it was recorded, and a person has to look, whichever comes first", async () => {
    const deletion = { topic: "order.deleted", body: { id: 1 } }
    for (const all of [
      [create(wooOrder(1)), deletion],
      [deletion, create(wooOrder(1))],
    ]) {
      const end = await run(
        Effect.gen(function* () {
          yield* open
          yield* wooSendAll(put(wooProduct(7)), ...all)
          return [yield* earned("1"), yield* waiting]
        }),
      )
      expect(end).toEqual([whole, ["woocommerce/order/1/deleted refused"]])
    }
  })

  test("that was deleted and never a sale is forgotten after an hour", async () => {
    const found = await run(
      Effect.gen(function* () {
        const deletion = { topic: "order.deleted", body: { id: 1 } }
        const before = outcomes(
          yield* wooSendAll(create(wooOrder(1, { status: "pending" })), deletion),
        )
        yield* TestClock.adjust("2 hours")
        yield* (yield* Deliveries).sweep(account, wooShop)
        return [before, yield* waiting]
      }),
    )
    expect(found).toEqual([["nothing", "waiting"], []])
  })

  test("waits for its product where a rule looks at vendors, which an order does not name", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* (yield* Collaborators).create(account, { id: "sam", currency: "USD" })
        const link = { type: "products.vendor", values: ["North"] } as const
        yield* (yield* ProductGroups).create(account, "sam", { link, percent: "20.00" })
        const all = yield* wooSendAll(create(wooOrder(1)), put(wooProduct(7)))
        return [outcomes(all), yield* earned("1")]
      }),
    )
    expect(found).toEqual([["waiting", "done"], { sam: 900 }])
  })
})

describe("an order with the id of one of another platform's", () => {
  const [shopifys, woos] = [order(727, { line_items: [line(1, 7)] }), wooOrder(727)]
  const first = { topic: "orders/create", body: shopifys }
  const ends = (work: Effect.Effect<unknown, unknown, Deliveries>) =>
    run(
      Effect.gen(function* () {
        yield* open
        yield* wooSendAll(put(wooProduct(7)))
        yield* work
        const entries = yield* (yield* Deliveries).list(account)
        return [yield* earned("727"), entries.map(({ key, reason }) => [key, reason.slice(0, 97)])]
      }),
    )
  const whole = { ada: 400, sam: 800 }

  test("is not taken for it, and a person is told of both", async () => {
    const all = Effect.andThen(send(first), wooSend(create(woos)))
    const reason =
      "order 727 was recorded from shopify, and woocommerce/order/727 is another one with the same id: g"
    expect(await ends(all)).toEqual([whole, [["woocommerce/order/727/first", reason]]])
  })

  test("takes nothing back of it, whatever becomes of it", async () => {
    for (const told of [
      back(wooRefund(50, 727)),
      update(wooOrder(727, { ...at(4), status: "cancelled" })),
      update(wooOrder(727, { ...at(4), status: "refunded" })),
      { topic: "order.deleted", body: { id: 727 } },
    ]) {
      const [total, waits] = await ends(Effect.andThen(send(first), wooSend(told)))
      expect([told.topic, total, waits?.length]).toEqual([told.topic, whole, 1])
    }
  })

  test("that its own platform tells of again is known", async () => {
    const all = Effect.andThen(send(first), send({ ...first, topic: "orders/updated" }))
    expect(await ends(all)).toEqual([whole, []])
  })
})

describe("a refund of WooCommerce", () => {
  const listing = update(wooOrder(1, { ...at(4), refunds: [wooSum(50, "-22.00")] }))
  const whole = [put(wooProduct(7)), create(wooOrder(1)), back(wooRefund(50, 1)), listing]
  const permutations = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
    count === 0
      ? [[]]
      : permutations(count - 1).flatMap((rest) =>
          Array.from({ length: count }, (_, place) => rest.toSpliced(place, 0, count - 1)),
        )

  test("is fetched by the host, and ends in the same state whatever comes first", async () => {
    for (const places of permutations(4)) {
      const end = await run(
        Effect.gen(function* () {
          yield* open
          yield* wooSendAll(...places.flatMap((place) => whole[place] ?? []))
          return [yield* earned("1"), yield* waiting]
        }),
      )
      expect({ places, end }).toEqual({ places, end: [{ ada: 225, sam: 450 }, []] })
    }
  })

  test("of which only the sum came is kept, with the reason, and is divided over the lines only by force", async () => {
    const found = await run(
      Effect.gen(function* () {
        const service = yield* Deliveries
        yield* open
        const lines = [wooLine(1, 7), wooLine(2, 7)]
        const two = { line_items: lines, shipping_total: "0.00", shipping_tax: "0.00" }
        const named = { ...two, ...at(4), refunds: [wooSum(50, "-44.00")] }
        const all = [put(wooProduct(7)), create(wooOrder(1, two)), update(wooOrder(1, named))]
        const [, , listed] = yield* wooSendAll(...all)
        const before = yield* earned("1")
        yield* TestClock.adjust("5 hours")
        yield* service.sweep(account, wooShop)
        const key = "woocommerce/refund/50/listed"
        const again = yield* service.retry(account, wooShop, key)
        const forced = yield* service.retry(account, wooShop, key, { force: true })
        const parts = yield* (yield* Sales).get(account, "1")
        const refunds = parts.flatMap((part) => part.refunds.map(({ id }) => id))
        const total = yield* earned("1")
        const late = yield* wooSend(back(wooRefund(50, 1)))
        return {
          ...{ listed: [listed?.outcome, listed?.told[0]?.slice(0, 57)], before },
          ...{ again: again.outcome, forced: forced.outcome, refunds, total, late: late.outcome },
        }
      }),
    )
    expect(found).toEqual({
      listed: ["nothing", "nothing of the order is new"],
      ...{ before: { ada: 800, sam: 1_600 }, again: "refused", forced: "done" },
      ...{ refunds: ["50/1", "50/2"], total: { ada: 400, sam: 800 }, late: "nothing" },
    })
  })

  test("of what is left of a line takes all of it, however its units were rounded before", async () => {
    const facts = { quantity: 3, subtotal: "10.00", total: "10.00", total_tax: "0.00" }
    const of = (id: number, quantity: number, amount: string) => {
      const money = { quantity, total: `-${amount}`, total_tax: "0.00" }
      return back(wooRefund(id, 1, { amount, line_items: [wooLineBack(1, 7, money)] }))
    }
    const [unit, rest, more] = [of(50, -1, "3.33"), of(51, 0, "6.67"), of(52, 0, "6.71")]
    const endOf = (...refunds: ReadonlyArray<typeof unit>) =>
      run(
        Effect.gen(function* () {
          yield* open
          const order = wooOrder(1, { ...noShipping, line_items: [wooLine(1, 7, facts)] })
          yield* wooSendAll(put(wooProduct(7)), create(order), ...refunds)
          return [yield* earned("1"), yield* waiting]
        }),
      )
    const nothing = [{ ada: 0, sam: 0 }, []]
    expect(await endOf(unit, rest)).toEqual(nothing)
    expect(await endOf(rest, unit)).toEqual(nothing)
    expect(await endOf(unit, rest, rest)).toEqual(nothing)
    const tooMuch = [{ ada: 67, sam: 133 }, ["woocommerce/refund/52 refused"]]
    expect(await endOf(unit, more)).toEqual(tooMuch)
  })

  test("of a line of few units, in whatever parts of units and money all of it goes back, leaves nobody a cent", async () => {
    const cases = fc.record({
      units: fc.integer({ min: 1, max: 3 }),
      total: fc.integer({ min: 300, max: 99_999 }),
      parts: fc.array(fc.option(fc.integer({ min: 1, max: 30_000 })), { maxLength: 5 }),
    })
    const decimal = (cents: number) => (cents / 100).toFixed(2)
    await fc.assert(
      fc.asyncProperty(cases, async ({ units, total, parts }) => {
        const refunds: Array<ReturnType<typeof back>> = []
        let [unitsLeft, left] = [units, total]
        const give = (quantity: number, money: number) => {
          const amount = decimal(money)
          const facts = { quantity: -quantity, total: `-${amount}`, total_tax: "0.00" }
          const line_items = [wooLineBack(1, 7, facts)]
          refunds.push(back(wooRefund(50 + refunds.length, 1, { amount, line_items })))
          unitsLeft -= quantity
          left -= money
        }
        const price = Math.round(total / units)
        for (const money of parts) {
          if (money !== null && money < left) give(0, money)
          else if (money === null && unitsLeft > 1 && price < left) give(1, price)
        }
        give(0, left)
        const sum = { subtotal: decimal(total), total: decimal(total), total_tax: "0.00" }
        const lines = { line_items: [wooLine(1, 7, { quantity: units, ...sum })] }
        const end = await run(
          Effect.gen(function* () {
            yield* open
            const order = create(wooOrder(1, { ...noShipping, ...lines }))
            yield* wooSendAll(put(wooProduct(7)), order, ...refunds)
            return [yield* earned("1"), yield* waiting]
          }),
        )
        expect(end).toEqual([{ ada: 0, sam: 0 }, []])
      }),
      runs(50),
    )
  })

  test("that was deleted after it was taken back is for a person", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const gone = update(wooOrder(1, { ...at(6), refunds: [] }))
        yield* wooSendAll(...whole, gone)
        const [entry] = yield* (yield* Deliveries).list(account)
        return [entry?.key, entry?.reason.slice(0, 71), yield* earned("1")]
      }),
    )
    expect(found).toEqual([
      "woocommerce/refund/50/gone",
      "woocommerce/refund/50 was taken back, and the platform deleted it since",
      { ada: 225, sam: 450 },
    ])
  })

  test("names its order in a field or a link, and is refused without either", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* wooSendAll(put(wooProduct(7)), create(wooOrder(1)))
        const named = yield* wooSend(back(wooRefund(50, 1, { _links: undefined, parent_id: 1 })))
        const failed = yield* wooSend(back(wooRefund(51, 1, { _links: {} })))
        return [named.outcome, failed.outcome, failed.told[0]]
      }),
    )
    expect(found).toEqual(["done", "refused", expect.stringContaining("order_id")])
  })

  test("holds nothing about the buyer while it waits", async () => {
    const text = await run(
      Effect.gen(function* () {
        yield* open
        const meta_data = [{ key: "_note", value: "for Bo" }]
        const line = wooLineBack(1, 7, { quantity: -1, total: "-20.00", meta_data })
        yield* wooSendAll(create(wooOrder(1)), back(wooRefund(50, 2, { line_items: [line] })))
        return JSON.stringify(yield* (yield* Deliveries).list(account))
      }),
    )
    expect(text).toContain("woocommerce/refund/50")
    expect(text).not.toMatch(/buyer@example|Bo\b/)
  })
})

describe("a product of WooCommerce", () => {
  const tagsOf = (...all: ReadonlyArray<{ readonly topic: string; readonly body: object }>) =>
    run(
      Effect.gen(function* () {
        yield* open
        yield* wooSendAll(...all)
        const page = { page: 1, perPage: 9 }
        const { entries } = yield* (yield* Products).list(account, {}, page)
        const found = entries.map(
          ({ product }) => `${product.externalVariantId ?? "-"} ${product.tags?.join("|")}`,
        )
        return [found.toSorted(), yield* waiting]
      }),
    )
  const product = wooProduct(7, { variations: [70, 71] })
  const own = "art|category:Prints & Posters"
  const changed = wooProduct(7, { ...at(9), variations: [70], tags: [{ id: 9, name: "new" }] })

  test("has an entry for each variation, with its own SKU and the tags of the product, whichever comes first", async () => {
    const all = [put(product), { topic: "product.updated", body: wooVariation(70, 7) }]
    const end = [[`- ${own}`, `70 ${own}|variant:70|sku:V-70`, `71 ${own}|variant:71`], []]
    expect(await tagsOf(...all)).toEqual(end)
    expect(await tagsOf(...all.toReversed())).toEqual(end)
  })

  test("that changes keeps what its variations told of themselves, and loses those that are gone", async () => {
    const variation = { topic: "product.updated", body: wooVariation(70, 7) }
    const newer = "new|category:Prints & Posters"
    expect(await tagsOf(put(product), variation, put(changed))).toEqual([
      [`- ${newer}`, `70 ${newer}|variant:70|sku:V-70`],
      [],
    ])
  })

  test("that was removed is there again when it is restored", async () => {
    const removal = { topic: "product.deleted", body: { id: 7 } }
    const restored = { topic: "product.restored", body: wooProduct(7) }
    const simple = "- art|category:Prints & Posters|sku:P-7"
    expect(await tagsOf(put(wooProduct(7)), removal)).toEqual([[], []])
    expect(await tagsOf(put(wooProduct(7)), removal, restored)).toEqual([[simple], []])
  })

  test("can be linked to by its SKU, its category and its variation, as tags and as ids", async () => {
    const links = [
      ...["sku:V-70", "category:prints & posters", "variant:70"].map((value) => ({
        ...{ type: "products.tag" as const, values: [value] },
      })),
      ...["sku:V-70", "category:Prints & Posters", "variant:70"].map((value) => ({
        ...{ type: "products" as const, values: [value] },
      })),
    ]
    for (const link of links) {
      const total = await run(
        Effect.gen(function* () {
          const groups = yield* ProductGroups
          yield* open
          yield* groups.create(account, "sam", { link, percent: "50.00" })
          const line_items = [wooLine(1, 7, { variation_id: 70 })]
          const variation = { topic: "product.updated", body: wooVariation(70, 7) }
          yield* wooSendAll(put(product), variation, create(wooOrder(1, { line_items })))
          return yield* earned("1")
        }),
      )
      expect({ link, total }).toEqual({ link, total: { ada: 450, sam: 2_250 } })
    }
  })

  test("is waited for where a rule names an id that it brings", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* (yield* Collaborators).create(account, { id: "sam", currency: "USD" })
        const link = { type: "products", values: ["category:Prints & Posters"] } as const
        yield* (yield* ProductGroups).create(account, "sam", { link, percent: "20.00" })
        const all = yield* wooSendAll(create(wooOrder(1)), put(wooProduct(7)))
        return [outcomes(all), yield* earned("1")]
      }),
    )
    expect(found).toEqual([["waiting", "done"], { sam: 900 }])
  })
})
