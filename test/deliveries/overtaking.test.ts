import { isDeepStrictEqual } from "node:util"
import { RuleSet } from "apportion"
import { Audit, Deliveries, ProductGroups, Resplits, Sales } from "apportion/service"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { isWhole } from "../generators/Runs.js"
import {
  account,
  earned,
  line,
  open,
  order,
  product,
  refund,
  run,
  type Sent,
  sendAll,
} from "./Shop.js"

const at = (second: number) => `2024-05-02T08:00:0${second}Z`

/** An order of three lines at most; the second and the third are of South, and nothing of them is Sam's. */
const state = (second: number, lines: ReadonlyArray<object>, shipping: string) =>
  order(1, {
    ...{ updated_at: at(second), line_items: lines },
    shipping_lines: [{ id: 1, price: shipping }],
  })

const first = line(1, 7, { quantity: 1, price: "9.99" })
const more = line(1, 7, { quantity: 2, price: "9.99" })
const other = line(2, 8, { quantity: 1, price: "30.01", vendor: "South" })
const most = line(1, 7, { quantity: 4, price: "9.99" })
const third = line(3, 8, { quantity: 3, price: "0.49", vendor: "South" })

const products = [
  { topic: "products/create", body: product(7) },
  { topic: "products/create", body: product(8, { vendor: "South" }) },
]
const made = { topic: "orders/create", body: state(1, [first], "5.00") }
const edited = { topic: "orders/updated", body: state(2, [more, other], "7.77") }
/** Something of the first line goes back. */
const firstBack = (id: number, second: number, part: object) => ({
  topic: "refunds/create",
  body: refund(id, 1, {
    created_at: at(second),
    refund_line_items: [{ id: id * 10, line_item_id: 1, ...part }],
  }),
})
const back = firstBack(50, 3, { quantity: 0, subtotal: "3.33", line_item: more })
const again = { topic: "orders/updated", body: state(4, [most, other, third], "9.05") }

const runIds = Effect.gen(function* () {
  const parts = yield* (yield* Sales).get(account, "1")
  return parts.flatMap(({ adjustments = [] }) => adjustments.map(({ runId }) => runId))
})

const end = Effect.gen(function* () {
  const audit = yield* Audit
  const found = [yield* audit.payouts(account), yield* audit.sales(account)]
  const differences = found.flatMap((one): ReadonlyArray<object> => one.differences)
  const waiting = (yield* (yield* Deliveries).list(account)).map(({ key, reason }) => [key, reason])
  return { earned: yield* earned("1"), waiting, differences }
})

/** On the day of these deliveries. */
const begin = Effect.andThen(TestClock.setTime(Date.parse(at(9))), open)

const endOf = (...sent: ReadonlyArray<Sent>) =>
  run(begin.pipe(Effect.andThen(sendAll(...products, ...sent)), Effect.andThen(end)))

const everyOrder = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, place) => everyOrder(all.toSpliced(place, 1)).map((rest) => [one, ...rest]))

/** Every sixth of the orders of four and more, unless everything is tried. */
const someOrders = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  everyOrder(all).filter((_, place) => isWhole || place % 6 === 1)

describe("two edits of one order that overtake each other, and a refund between them,", () => {
  const story = [made, edited, back, again]

  test("end in whatever order they come as in the order of events, to the cent", async () => {
    const tidy = await endOf(...story)
    expect(tidy).toEqual({ earned: { ada: 763, sam: 852 }, waiting: [], differences: [] })
    for (const sent of someOrders(story)) {
      const topics = sent.map(({ body }) => [
        Reflect.get(body, "id"),
        Reflect.get(body, "updated_at"),
      ])
      expect({ topics, ...(await endOf(...sent)) }).toEqual({ topics, ...tidy })
    }
  })

  test("have the difference booked as adjustments of what was recorded, once, and the delivery says so", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendAll(...products, made, again)
        const before = yield* (yield* Sales).get(account, "1")
        const [late, twice] = yield* sendAll(edited, { ...edited, id: "sent anew" })
        const parts = yield* (yield* Sales).get(account, "1")
        const same = parts.map(({ split }, index) => isDeepStrictEqual(split, before[index]?.split))
        return { late, twice, runs: yield* runIds, same }
      }),
    )
    expect(found.late).toMatchObject({
      outcome: "done",
      told: [
        "something newer of the order was carried out; what this one changes of the shares was booked as shopify/order/1/late/1",
      ],
    })
    expect(found.twice?.outcome).toBe("nothing")
    expect(found.runs).toEqual(["shopify/order/1/late/1"])
    expect(found.same).toEqual([true, true])
  })

  test("leave nobody a cent when all is taken back afterwards", async () => {
    const cancelled = { topic: "orders/cancelled", body: { ...again.body, cancelled_at: at(5) } }
    const { earned: left } = await endOf(made, again, back, edited, cancelled)
    expect(left).toEqual({ ada: 0, sam: 0 })
  })

  test("are cancelled as that order, though a refund of another order has its id", async () => {
    const sold = line(21, 7, { quantity: 1, price: "9.99" })
    const part = { id: 501, line_item_id: 21, quantity: 1, subtotal: "9.99", line_item: sold }
    const another = [
      { topic: "orders/create", body: order(2, { updated_at: at(1), line_items: [sold] }) },
      {
        topic: "refunds/create",
        body: refund(1, 2, { created_at: at(2), refund_line_items: [part] }),
      },
    ]
    const cancelled = { topic: "orders/cancelled", body: { ...again.body, cancelled_at: at(5) } }
    const { earned: left, waiting } = await endOf(...another, made, again, edited, cancelled)
    expect({ left, waiting }).toEqual({ left: { ada: 0, sam: 0 }, waiting: [] })
  })
})

test("a line that was refunded, sold again and then cancelled leaves no question when an edit before comes late", async () => {
  const one = line(2, 7, { quantity: 1, price: "0.05" })
  const two = line(2, 7, { quantity: 2, price: "0.05" })
  const bought = { topic: "orders/create", body: state(0, [first], "0.00") }
  const late = { topic: "orders/updated", body: state(1, [first, one], "0.00") }
  const unitBack = firstBack(60, 2, { quantity: 1, subtotal: "9.99", line_item: first })
  const soldAgain = { topic: "orders/updated", body: state(3, [more, two], "0.00") }
  const cancelled = {
    topic: "orders/cancelled",
    body: { ...soldAgain.body, updated_at: at(5), cancelled_at: at(4) },
  }
  const tidy = await endOf(bought, late, unitBack, soldAgain, cancelled)
  expect(tidy).toMatchObject({ waiting: [], differences: [] })
  const after = someOrders([unitBack, soldAgain, late, cancelled])
  for (const sent of after.filter((all) => all.indexOf(soldAgain) < all.indexOf(late))) {
    const topics = sent.map(({ topic }) => topic)
    const { earned: left, ...rest } = await endOf(bought, ...sent)
    const amounts = Object.values(left).filter((amount) => amount !== 0)
    expect({ topics, amounts, ...rest }).toEqual({
      ...{ topics, amounts: [], waiting: [], differences: [] },
    })
  }
})

test("the payment of an order and an edit after it that overtake each other end as in the order of events", async () => {
  const unpaid = { ...made, body: { ...made.body, financial_status: "pending" } }
  const paid = { topic: "orders/paid", body: state(2, [first], "5.00") }
  const tidy = await endOf(unpaid, paid, again)
  expect(tidy.earned).toEqual({ ada: 806, sam: 938 })
  expect(await endOf(unpaid, again, paid)).toEqual(tidy)
  expect(await endOf(again, paid, unpaid)).toEqual(tidy)
})

test("a state that comes late and has nothing that the recorded ones lack books nothing", async () => {
  const renamed = { topic: "orders/updated", body: { ...made.body, updated_at: at(2) } }
  const found = await run(
    Effect.gen(function* () {
      yield* open
      const received = yield* sendAll(...products, made, again, renamed)
      return [received.at(-1)?.outcome, yield* runIds]
    }),
  )
  expect(found).toEqual(["nothing", []])
})

test("an order that somebody split again since is left as it was split", async () => {
  const found = await run(
    Effect.gen(function* () {
      yield* open
      yield* sendAll(...products, made, again)
      const resplits = yield* Resplits
      const link = { type: "products.all" } as const
      const request = RuleSet.make([{ id: "g", collaboratorId: "ada", link, percent: 50 }])
      const { digest } = yield* resplits.preview(account, request)
      yield* resplits.propose(account, { id: "half", ...request })
      yield* resplits.approve(account, "half", { digest })
      yield* resplits.book(account, "half")
      const before = yield* earned("1")
      yield* sendAll(edited)
      return [before, yield* earned("1"), new Set(yield* runIds)]
    }),
  )
  expect(found[0]).toEqual(found[1])
  expect(found[2]).toEqual(new Set(["half"]))
})

test("a state that comes late and contradicts those that are recorded is for a person", async () => {
  const unpaid = { ...made, body: { ...made.body, financial_status: "pending" } }
  const dearer = line(1, 7, { quantity: 4, price: "10.99" })
  const paid = { topic: "orders/paid", body: state(2, [dearer], "5.00") }
  const { waiting, earned: shares } = await endOf(unpaid, again, paid)
  expect(waiting).toEqual([
    ["shopify/order/1/changed", expect.stringContaining("came after a newer one")],
  ])
  expect(shares).toEqual((await endOf(unpaid, again)).earned)
})

describe("a product whose tags change while its orders are on their way", () => {
  const was = { topic: "products/create", body: product(7) }
  const is = {
    topic: "products/update",
    body: product(7, { tags: "craft", updated_at: at(3) }),
  }
  const early = { topic: "orders/create", body: state(1, [first], "5.00") }
  const second = line(2, 7, { quantity: 1, price: "9.99" })
  const later = { topic: "orders/updated", body: state(4, [first, second], "5.00") }
  const only = (...sent: ReadonlyArray<Sent>) =>
    run(begin.pipe(Effect.andThen(sendAll(...sent)), Effect.andThen(end)))

  test("is for each part of an order what it was at its time, whatever comes first", async () => {
    const tidy = await only(was, early, is, later)
    expect(tidy).toEqual({ earned: { ada: 150, sam: 500 }, waiting: [], differences: [] })
    for (const sent of someOrders([was, early, is, later])) {
      const topics = sent.map(({ topic }) => topic)
      expect({ topics, ...(await only(...sent)) }).toEqual({ topics, ...tidy })
    }
  })

  test("is for units that came to a line what it was when they came", async () => {
    const bought = { ...later, body: state(4, [more], "5.00") }
    const tidy = await only(was, early, is, bought)
    expect(tidy).toEqual({ earned: { ada: 150, sam: 500 }, waiting: [], differences: [] })
    for (const sent of everyOrder([early, is, bought])) {
      const topics = sent.map(({ topic }) => topic)
      expect({ topics, ...(await only(was, ...sent)) }).toEqual({ topics, ...tidy })
    }
  })

  test("is what it was told to be last, also where a change that was taken back comes after both", async () => {
    const again = { ...was, topic: "products/update", body: product(7, { updated_at: at(5) }) }
    const order6 = { topic: "orders/create", body: state(6, [first], "5.00") }
    const tidy = await only(was, is, again, order6)
    expect(tidy).toEqual({ earned: { ada: 150, sam: 300 }, waiting: [], differences: [] })
    for (const sent of everyOrder([is, again, order6])) {
      const topics = sent.map(({ topic }) => topic)
      expect({ topics, ...(await only(was, ...sent)) }).toEqual({ topics, ...tidy })
    }
  })

  test("has booked what that changes of an order that came first, and the delivery says so", async () => {
    const received = await run(
      begin.pipe(Effect.andThen(sendAll(was, { ...early, body: state(4, [first], "5.00") }, is))),
    )
    expect(received.at(-1)).toMatchObject({
      outcome: "done",
      told: ["what it changes of order 1 was booked as shopify/order/1/late/1"],
    })
  })
})

test("the rules that a correction counts are those that were recorded, whatever they are since", async () => {
  const found = await run(
    Effect.gen(function* () {
      yield* open
      yield* sendAll(...products, made, again)
      const groups = yield* ProductGroups
      const link = { type: "products.all" } as const
      yield* groups.create(account, "ada", { link, percent: "70.00" })
      yield* sendAll(edited)
      return yield* earned("1")
    }),
  )
  expect(found).toEqual({ ada: 806, sam: 938 })
})

describe("an order whose tags change with an edit", () => {
  const link = { type: "products", values: ["7"] } as const
  const condition = { type: "order.tag", values: ["gift"] } as const
  const gifts = Effect.gen(function* () {
    const groups = yield* ProductGroups
    yield* groups.create(account, "sam", { link, condition, percent: "50.00" })
  })
  const tagged = { ...made, body: { ...made.body, tags: "gift" } }
  const endWith = (...sent: ReadonlyArray<Sent>) =>
    run(
      begin.pipe(
        Effect.andThen(gifts),
        Effect.andThen(sendAll(...products, ...sent)),
        Effect.andThen(end),
      ),
    )

  test("counts for each part with the tags that it had then, whatever comes first", async () => {
    const story = [tagged, edited, again]
    const tidy = await endWith(...story)
    for (const sent of everyOrder(story)) {
      expect(await endWith(...sent)).toEqual(tidy)
    }
    expect(tidy.earned).not.toEqual((await endOf(...story)).earned)
  })

  test("counts with no group that was made after it was recorded", async () => {
    const before = await endOf(made, again, edited)
    const late = run(
      begin.pipe(
        Effect.andThen(sendAll(...products, { ...again, topic: "orders/create" })),
        Effect.andThen(TestClock.adjust("1 second")),
        Effect.andThen(gifts),
        Effect.andThen(sendAll(tagged, edited)),
        Effect.andThen(end),
      ),
    )
    expect(await late).toEqual(before)
  })
})

describe("money that went back for no line, and was divided over lines of which it was not,", () => {
  const lots = line(1, 7, { quantity: 1, price: "0.01" })
  const dear = line(2, 7, { quantity: 1, price: "40.00" })
  const few = [lots, dear]
  const many = [line(1, 7, { quantity: 3, price: "0.01" }), dear]
  const discrepancy = { id: 1, kind: "refund_discrepancy", amount: "-12.00", tax_amount: "0.00" }
  const money = refund(50, 1, {
    ...{ created_at: at(3), refund_line_items: [], order_adjustments: [discrepancy] },
    transactions: [{ id: 1, kind: "refund", status: "success", amount: "12.00", currency: "USD" }],
  })
  const small = { topic: "orders/create", body: state(1, few, "5.00") }
  const larger = { topic: "orders/updated", body: state(2, many, "5.00") }
  const gone = { topic: "refunds/create", body: money }
  const after = {
    topic: "orders/updated",
    body: { ...state(4, many, "5.00"), refunds: [money] },
  }

  test("ends as in the order of events, also where the divided lines have nothing left", async () => {
    const tidy = await endOf(small, larger, gone, after)
    expect(tidy.waiting).toEqual([])
    for (const sent of everyOrder([larger, gone, after])) {
      const topics = sent.map(({ topic, body }) => [topic, Reflect.get(body, "updated_at")])
      expect({ topics, ...(await endOf(small, ...sent)) }).toEqual({ topics, ...tidy })
    }
  })

  test("leaves nobody a cent when the order is cancelled afterwards", async () => {
    const cancelled = { topic: "orders/cancelled", body: { ...after.body, cancelled_at: at(5) } }
    const { earned: left } = await endOf(small, after, larger, gone, cancelled)
    expect(left).toEqual({ ada: 0, sam: 0 })
  })

  test("is not lost where the state that it is of comes last, as shipping that an edit brought", async () => {
    const free = { topic: "orders/create", body: state(1, few, "0.00") }
    const shipped = { topic: "orders/updated", body: state(2, many, "6.00") }
    const shippingBack = refund(52, 1, {
      ...{ created_at: at(3), refund_line_items: [] },
      order_adjustments: [{ id: 1, kind: "shipping_refund", amount: "-6.00", tax_amount: "0.00" }],
    })
    const posted = { topic: "refunds/create", body: shippingBack }
    const last = {
      topic: "orders/updated",
      body: { ...state(4, [...many, third], "6.00"), refunds: [shippingBack] },
    }
    const tidy = await endOf(free, shipped, posted, last)
    expect(await endOf(free, last, posted, shipped)).toEqual(tidy)
  })

  test("is of none of the lines that came later", async () => {
    const added = { topic: "orders/updated", body: state(4, [...few, third], "5.00") }
    const thirdBack = {
      topic: "refunds/create",
      body: refund(51, 1, {
        created_at: at(5),
        refund_line_items: [{ id: 510, line_item_id: 3, quantity: 3, subtotal: "1.47" }],
      }),
    }
    const story = [added, gone, thirdBack]
    const tidy = await endOf(small, gone, added, thirdBack)
    expect(tidy.waiting).toEqual([])
    for (const sent of everyOrder(story)) expect(await endOf(small, ...sent)).toEqual(tidy)
  })
})

test("a vendor that an order says by itself stays, whatever its product has become by then", async () => {
  const is = { topic: "products/update", body: product(7, { vendor: "South", updated_at: at(2) }) }
  const was = { topic: "products/create", body: product(7) }
  const edit = { topic: "orders/updated", body: state(3, [more], "5.00") }
  const sold = { topic: "orders/create", body: state(1, [first], "5.00") }
  const endWith = (...sent: ReadonlyArray<Sent>) =>
    run(begin.pipe(Effect.andThen(sendAll(...sent)), Effect.andThen(end)))
  const tidy = await endWith(was, sold, is, edit)
  for (const sent of everyOrder([sold, is, edit])) {
    expect(await endWith(was, ...sent)).toEqual(tidy)
  }
})
