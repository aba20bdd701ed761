import { Deliveries } from "apportion/service"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import {
  account,
  deliveryOf,
  earned,
  line,
  open,
  order,
  product,
  refund,
  run,
  send,
  sendAll,
  shop,
} from "./Shop.js"

const create = (body: object) => ({ topic: "orders/create", body })
const update = (body: object) => ({ topic: "orders/updated", body })
const put = (body: object) => ({ topic: "products/create", body })
const back = (body: object) => ({ topic: "refunds/create", body })

const outcomes = (received: ReadonlyArray<{ readonly outcome: string }>) =>
  received.map(({ outcome }) => outcome)

const waiting = Effect.gen(function* () {
  const entries = yield* (yield* Deliveries).list(account)
  return entries.map(({ key, state }) => `${key} ${state}`)
})

/** The places of so many things in every order. */
const permutations = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
  count === 0
    ? [[]]
    : permutations(count - 1).flatMap((rest) =>
        Array.from({ length: count }, (_, place) => rest.toSpliced(place, 0, count - 1)),
      )

describe("a delivery", () => {
  test("is carried out once, however often it comes", async () => {
    const sale = { ...create(order(1)), id: "one" }
    const [received, total] = await run(
      Effect.gen(function* () {
        yield* open
        const all = yield* sendAll(put(product(7)), sale, sale, create(order(1)))
        return [outcomes(all), yield* earned("1")] as const
      }),
    )
    expect(received).toEqual(["done", "done", "known", "nothing"])
    expect(total).toEqual({ ada: 400, sam: 800 })
  })

  test("that is not signed, signed by somebody else or changed on its way has no effect", async () => {
    const errors = await run(
      Effect.gen(function* () {
        const service = yield* Deliveries
        const good = yield* Effect.promise(() => deliveryOf(create(order(1))))
        const other = yield* Effect.promise(() =>
          deliveryOf({ ...create(order(1)), key: "another secret" }),
        )
        const tries = [
          { ...good, body: `${good.body} ` },
          { ...good, headers: { ...good.headers, "X-Shopify-Hmac-Sha256": undefined } },
          { ...good, headers: { ...good.headers, "X-Shopify-Hmac-Sha256": "?" } },
          other,
        ]
        const failed = yield* Effect.forEach(tries, (one) =>
          Effect.flip(service.receive(account, shop, one)),
        )
        return [failed.map(({ _tag }) => _tag), yield* earned("1")]
      }),
    )
    expect(errors).toEqual([Array(4).fill("InvalidSignature"), {}])
  })

  test("is signed with any of the secrets while one is replaced, and never with none", async () => {
    const found = await run(
      Effect.gen(function* () {
        const service = yield* Deliveries
        const delivery = yield* Effect.promise(() =>
          deliveryOf({ ...create(order(1)), key: "another secret" }),
        )
        const both = { ...shop, secrets: ["a secret of the app", "another secret"] }
        const { outcome } = yield* service.receive(account, both, delivery)
        const empty = yield* Effect.promise(() =>
          deliveryOf({ ...create(order(1)), key: "12345678" }),
        )
        const none = yield* Effect.flip(service.receive(account, { ...shop, secrets: [""] }, empty))
        return [outcome, none.message]
      }),
    )
    expect(found).toEqual([
      "done",
      "there is no secret of 8 characters or more to check a delivery of shopify with",
    ])
  })

  test("of another shop, an unknown topic or a body that can't be read is refused with its reason", async () => {
    const messages = await run(
      Effect.gen(function* () {
        const elsewhere = { "X-Shopify-Shop-Domain": "south.myshopify.com" }
        const tries = [
          { ...create(order(1)), headers: elsewhere },
          { topic: "carts/create", body: {} },
          create({ ...order(1), line_items: [{ id: 1, quantity: 1, price: "ten" }] }),
          { topic: "orders/create", body: "{" },
        ]
        const failed = yield* Effect.forEach(tries, (one) => Effect.flip(send(one)))
        return failed.map(({ message }) => message.slice(0, 90))
      }),
    )
    expect(messages).toEqual([
      expect.stringContaining("must be north.myshopify.com"),
      expect.stringContaining('"carts/create" is no topic'),
      expect.stringContaining("line_items[0].price"),
      expect.stringContaining("must be JSON"),
    ])
  })

  test("of a body that is nested deeper than any that a platform sends is refused, wherever it is", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
    const errors = await run(
      Effect.forEach(["orders/create", "refunds/create", "products/create"], (topic) =>
        Effect.flip(
          send({ topic, body: `{"id":1,"order_id":1,"transactions":[{"kind":${deep}}]}` }),
        ),
      ),
    )
    const message =
      "the delivery of shopify can't be read: must not be nested deeper than 64 levels"
    expect(errors.map((error) => error.message)).toEqual([message, message, message])
  })

  test("of a body that says otherwise than its topic, which is not signed, is read as the body says", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(put(product(7)), create(order(1)))
        const all = [
          { topic: "orders/cancelled", body: order(1) },
          { topic: "products/delete", body: product(7) },
        ]
        yield* sendAll(...all, create(order(2)))
        return [yield* earned("1"), yield* earned("2")]
      }),
    )
    expect(found).toEqual([
      { ada: 400, sam: 800 },
      { ada: 400, sam: 800 },
    ])
  })

  test("that only tries the connection has no effect", async () => {
    const received = await run(
      Effect.gen(function* () {
        const headers = { "X-Shopify-Test": "true" }
        const { outcome } = yield* send({ ...create(order(1)), headers })
        return [outcome, yield* earned("1")]
      }),
    )
    expect(received).toEqual(["nothing", {}])
  })
})

describe("deliveries that come late and out of order end in the same state", () => {
  const deliveries = [
    put(product(7)),
    create(order(1)),
    back(refund(50, 1)),
    update(order(1, { updated_at: "2024-05-04T08:00:00Z", refunds: [refund(50, 1)] })),
  ]
  test("whatever their order", async () => {
    const all = permutations(4)
    expect(all.length).toBe(24)
    for (const places of all) {
      const end = await run(
        Effect.gen(function* () {
          yield* open
          yield* sendAll(...places.flatMap((place) => deliveries[place] ?? []))
          return [yield* earned("1"), yield* waiting]
        }),
      )
      expect({ places, end }).toEqual({ places, end: [{ ada: 200, sam: 400 }, []] })
    }
  })

  test("a refund waits for its order, an order for its product, a change for the first delivery", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const received = yield* sendAll(...deliveries.toReversed())
        const before = yield* sendAll(
          back(refund(60, 2)),
          create(order(3, { line_items: [line(1, 8)] })),
        )
        return [outcomes(received), before.map(({ told }) => told[0]), yield* waiting]
      }),
    )
    expect(found).toEqual([
      ["waiting", "waiting", "waiting", "done"],
      [
        "refund 60 is of order 2, which was not recorded yet",
        "order 3 has product 8, which the catalogue does not know yet",
      ],
      ["shopify/order/3/first waiting", "shopify/refund/60 waiting"],
    ])
  })

  test("an order waits for its product an hour, and is then recorded without", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(update(order(1)))
        const service = yield* Deliveries
        yield* TestClock.adjust("30 minutes")
        const early = yield* service.sweep(account, shop)
        yield* TestClock.adjust("2 hours")
        const late = yield* service.sweep(account, shop)
        return [early, late, yield* earned("1"), yield* waiting]
      }),
    )
    expect(found).toEqual([
      { tried: 1, settled: 0, dropped: 0 },
      { tried: 1, settled: 1, dropped: 0 },
      { sam: 800 },
      [],
    ])
  })

  test("an older state of a product never takes the place of a newer one, and what is removed stays so", async () => {
    const newer = product(7, { tags: "craft", updated_at: "2024-05-09T08:00:00Z" })
    const removal = { topic: "products/delete", body: { id: 7 } }
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const first = yield* sendAll({ topic: "products/update", body: newer }, put(product(7)))
        const later = order(1, { updated_at: "2024-05-10T08:00:00Z" })
        const second = yield* sendAll(removal, put(product(7)), create(later))
        return [outcomes(first), outcomes(second), yield* earned("1")]
      }),
    )
    expect(found).toEqual([["done", "nothing"], ["done", "nothing", "done"], { sam: 800 }])
  })

  test("an order that comes after its product was removed still knows its tags", async () => {
    const removal = { topic: "products/delete", body: { id: 7 } }
    const total = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(put(product(7)), removal, create(order(1)))
        return yield* earned("1")
      }),
    )
    expect(total).toEqual({ ada: 400, sam: 800 })
  })
})

describe("an order that was edited", () => {
  const later = { updated_at: "2024-05-05T08:00:00Z" }
  const received = (...bodies: ReadonlyArray<object>) =>
    run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(put(product(7)), create(order(1)))
        const all = yield* sendAll(...bodies.map(update))
        return { all, total: yield* earned("1"), waits: yield* waiting }
      }),
    )

  test("has its new units and items in a new part", async () => {
    const line_items = [line(1, 7, { quantity: 3 }), line(2, 7, { quantity: 1 })]
    const { all, total } = await received(order(1, { ...later, line_items }))
    expect(outcomes(all)).toEqual(["done"])
    expect(total).toEqual({ ada: 800, sam: 1_600 })
  })

  test("has a refund of all units of a line taken back from both of its parts", async () => {
    const line_items = [line(1, 7, { quantity: 3 })]
    const back = { id: 9, line_item_id: 1, quantity: 3, subtotal: "60.00" }
    const whole = refund(51, 1, { refund_line_items: [back] })
    const edited = order(1, { ...later, line_items, refunds: [whole] })
    const { all, total } = await received(edited, { ...edited, updated_at: "2024-05-06T08:00:00Z" })
    expect(outcomes(all)).toEqual(["done", "nothing"])
    expect(total).toEqual({ ada: 0, sam: 0 })
  })

  test("with fewer units is refused, and says that those are a refund", async () => {
    const line_items = [line(1, 7, { quantity: 1 })]
    const { all, total, waits } = await received(order(1, { ...later, line_items }))
    expect(all[0]?.told[0]).toContain("units that went are a refund")
    expect(total).toEqual({ ada: 400, sam: 800 })
    expect(waits).toEqual(["shopify/order/1/changed refused"])
  })

  test("keeps its products when the shop deletes them", async () => {
    const line_items = [line(1, null, { product_exists: false })]
    const { all } = await received(order(1, { ...later, line_items }))
    expect(outcomes(all)).toEqual(["nothing"])
  })
})

describe("money that went back for no line in particular", () => {
  const bought = order(1, { line_items: [line(1, null)] })
  const time = { updated_at: "2024-05-03T08:00:00Z" }
  const edited = order(1, { ...time, line_items: [line(1, null), line(2, null, { vendor: "x" })] })
  const discrepancy = { id: 1, kind: "refund_discrepancy", amount: "-40.00", tax_amount: "0.00" }
  const half = {
    ...refund(5, 1, { ...time, created_at: time.updated_at, refund_line_items: [] }),
    ...{ order_adjustments: [discrepancy], transactions: [] },
  }
  const after = { ...edited, refunds: [half], updated_at: "2024-05-03T08:00:01Z" }
  const deliveries = [update(edited), back(half), update(after)]

  test("is divided over the lines that the order had then, whichever of them come later", async () => {
    // Half of the 80.00 went back, and half of the line that Sam has a fifth of.
    for (const places of permutations(deliveries.length)) {
      const end = await run(
        Effect.gen(function* () {
          yield* open
          yield* sendAll(create(bought), ...places.flatMap((place) => deliveries[place] ?? []))
          return [yield* earned("1"), yield* waiting]
        }),
      )
      expect({ places, end }).toEqual({ places, end: [{ sam: 400 }, []] })
    }
  })

  test("waits for the order as it was then, an hour at most", async () => {
    const [received, early, late] = await run(
      Effect.gen(function* () {
        yield* open
        const all = yield* sendAll(create(bought), back(half))
        const before = yield* earned("1")
        yield* TestClock.adjust("1 hour")
        yield* (yield* Deliveries).sweep(account, shop)
        return [outcomes(all), before, yield* earned("1")] as const
      }),
    )
    expect(received).toEqual(["done", "waiting"])
    expect([early, late]).toEqual([{ sam: 800 }, { sam: 0 }])
  })
})

describe("a refund whose payment failed", () => {
  const withStatus = (status: string) =>
    refund(50, 1, { transactions: [{ id: 1, kind: "refund", status, amount: "20.00" }] })
  const state = (second: number, status: string) =>
    order(1, { updated_at: `2024-05-04T08:00:0${second}Z`, refunds: [withStatus(status)] })

  test("is none, and counts when it is paid after all", async () => {
    const totals = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(put(product(7)), create(order(1)), update(state(0, "failure")))
        const before = yield* earned("1")
        yield* send(update(state(1, "success")))
        return [before, yield* earned("1")]
      }),
    )
    expect(totals).toEqual([
      { ada: 400, sam: 800 },
      { ada: 200, sam: 400 },
    ])
  })

  test("after it was taken back is put before a person, once, and holds nothing else up", async () => {
    const lines = { line_items: [line(1, 7), line(2, 7)] }
    const [received, once, left, total] = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(put(product(7)), create(order(1)), back(withStatus("pending")))
        const all = yield* sendAll(
          update(state(0, "failure")),
          update({ ...state(1, "failure"), ...lines }),
        )
        const kept = yield* waiting
        yield* (yield* Deliveries).drop(account, "shopify/refund/50/failed")
        yield* send(update({ ...state(2, "failure"), ...lines }))
        return [outcomes(all), kept, yield* waiting, yield* earned("1")] as const
      }),
    )
    expect(received).toEqual(["nothing", "done"])
    expect(once).toEqual(["shopify/refund/50/failed refused"])
    expect(left).toEqual([])
    expect(total).toEqual({ ada: 600, sam: 1_200 })
  })
})

describe("an order that is no sale, or none any more", () => {
  test("is recorded once it is paid", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const pending = order(1, { financial_status: "pending" })
        const paid = order(1, { updated_at: "2024-05-02T09:00:00Z" })
        const all = yield* sendAll(
          put(product(7)),
          create(pending),
          update(paid),
          back(refund(50, 1)),
        )
        return [outcomes(all), yield* earned("1")]
      }),
    )
    expect(found).toEqual([["done", "nothing", "done", "done"], { ada: 200, sam: 400 }])
  })

  test("is taken back when it is cancelled, once, whether its refund came before or comes after", async () => {
    const cancelled = {
      topic: "orders/cancelled",
      body: order(1, { cancelled_at: "2024-05-04T08:00:00Z" }),
    }
    const [sale, partly] = [create(order(1)), back(refund(50, 1))]
    for (const all of [
      [sale, partly, cancelled],
      [sale, cancelled, partly],
      [cancelled, partly, sale],
      [partly, cancelled, sale],
    ]) {
      const end = await run(
        Effect.gen(function* () {
          yield* open
          yield* sendAll(put(product(7)), ...all)
          const totals = yield* earned("1")
          return [totals.ada ?? 0, totals.sam ?? 0, yield* waiting]
        }),
      )
      expect(end).toEqual([0, 0, []])
    }
  })

  test("is nobody's when it is a test or has only gift cards, and its refunds take nothing back", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const card = order(2, { line_items: [line(1, 7, { gift_card: true })] })
        const bodies = [
          create(order(1, { test: true })),
          create(card),
          back(refund(50, 1)),
          back(refund(60, 2)),
        ]
        return [outcomes(yield* sendAll(...bodies)), yield* earned("1"), yield* waiting]
      }),
    )
    expect(found).toEqual([Array(4).fill("nothing"), {}, []])
  })
})

describe("what waits", () => {
  test("for a person because of an older state of an order does so no longer when a newer is carried out", async () => {
    const at = (second: number, quantity: number) =>
      order(1, {
        updated_at: `2024-05-02T08:00:0${second}Z`,
        line_items: [line(1, null, { quantity })],
      })
    const [refused, left] = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(create(at(0, 2)), update(at(1, 1)))
        const before = yield* waiting
        yield* send(update(at(2, 3)))
        return [before, yield* waiting]
      }),
    )
    expect(refused).toEqual(["shopify/order/1/changed refused"])
    expect(left).toEqual([])
  })

  test("is tried again or dropped by a person, and dropped after thirty days", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const service = yield* Deliveries
        yield* sendAll(create(order(1)), back(refund(50, 2)), back(refund(51, 3)))
        const again = yield* service.retry(account, shop, "shopify/order/1/first")
        const forced = yield* service.retry(account, shop, "shopify/order/1/first", { force: true })
        yield* service.drop(account, "shopify/refund/50")
        const gone = yield* Effect.flip(service.drop(account, "shopify/refund/50"))
        const left = yield* waiting
        yield* TestClock.adjust("31 days")
        const { dropped } = yield* service.sweep(account, shop)
        return [again.outcome, forced.outcome, gone._tag, left, dropped, yield* waiting]
      }),
    )
    expect(found).toEqual(["waiting", "done", "NotFound", ["shopify/refund/51 waiting"], 1, []])
  })

  test("holds nothing about the buyer", async () => {
    const text = await run(
      Effect.gen(function* () {
        yield* open
        const personal = { note: "for Bo", customer: { email: "buyer@example.com" } }
        yield* sendAll(create(order(1)), back(refund(50, 2, personal)))
        return JSON.stringify(yield* (yield* Deliveries).list(account))
      }),
    )
    expect(text).toContain("shopify/refund/50")
    expect(text).not.toMatch(/buyer@example|Bo\b/)
  })
})

describe("an order that is too large to be kept", () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => line(index + 1, 7, { quantity: 1 }))
  const large = create(order(1, { line_items: lines }))

  test("is carried out like any other", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const received = yield* sendAll(put(product(7)), large)
        return [outcomes(received), yield* earned("1")]
      }),
    )
    expect(found).toEqual([["done", "done"], { ada: 1_800_000, sam: 3_600_000 }])
  })

  test("is a question for a person where it would have to wait, which names it", async () => {
    const received = await run(Effect.andThen(open, sendAll(large)))
    expect(received[0]).toMatchObject({
      ...{ outcome: "refused", key: "shopify/order/1/first" },
      told: [expect.stringContaining("order 1 has product 7, which the catalogue does not know")],
    })
    expect(received[0]?.told[0]).toContain("too large to wait")
  })
})

describe("requests for privacy", () => {
  test("are answered with what is stored of an order, which names nobody", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(put(product(7)), create(order(1, { landing_site: "/?ref=blog" })))
        const body = { customer: { id: 9, email: "buyer@example.com" }, orders_requested: [1, 2] }
        const told = yield* send({ topic: "customers/data_request", body })
        const redact = { ...body, orders_to_redact: [1] }
        const gone = yield* send({ topic: "customers/redact", body: redact })
        return [told.stored, gone.outcome]
      }),
    )
    expect(found).toEqual([
      [{ orderId: "1", fields: { customerTags: ["vip"], referers: ["blog"] } }],
      "done",
    ])
  })

  test("of the whole shop empty the inbox", async () => {
    const left = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(back(refund(50, 2)), { topic: "app/uninstalled", body: { id: 1 } })
        yield* send({ topic: "shop/redact", body: { shop_id: 1 } })
        return yield* waiting
      }),
    )
    expect(left).toEqual([])
  })
})
