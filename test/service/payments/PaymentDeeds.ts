/** What is done in a shop whose payouts are paid: by workers, customers, the rail and the clock. */
import type { Payment } from "apportion"
import { Collaborators, Payments, Payouts, ProductGroups, Sales } from "apportion/service"
import type { RailBehaviour } from "apportion/testing"
import { Effect, Exit } from "effect"
import { type PaymentShop, shop } from "./PaymentShop.js"

const day = 86_400

const first = <A>(found: ReadonlyArray<A>): Effect.Effect<A, "nothing"> =>
  found[0] === undefined ? Effect.fail("nothing") : Effect.succeed(found[0])

const paymentsOf = (status: Payment.PaymentStatus) =>
  Effect.flatMap(Payments, (payments) => payments.list(shop, { status }))

const payoutsOf = (status: "pending" | "failed" | "paid" | "active") =>
  Effect.flatMap(Payouts, (payouts) =>
    Effect.map(payouts.list(shop, { status }, { page: 1, perPage: 100 }), ({ entries }) =>
      entries.map(({ payout }) => payout),
    ),
  )

/** Numbers, so that each refund and expense is one of its own. */
export class Counter {
  next = 0

  take(): number {
    this.next += 1
    return this.next
  }
}

export interface World {
  readonly shop: PaymentShop
  readonly counter: Counter
  /** What the rail has said, to say it again. */
  readonly said: Array<Parameters<(typeof Payments)["Service"]["answer"]>[1]>
  /** The expenses that were noted, for certain. */
  readonly expenses: Set<string>
  /** What is under way and can be given up. */
  readonly aborts: Set<AbortController>
}

const orders = ["o1", "o2", "o3"]

/** A share of 50 dollars of each order. */
export const sellAll = (world: World): Promise<void> =>
  world.shop.right(
    Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create(shop, { id: "ada", currency: "USD", payoutMeasurement: "day" })
      const link = { type: "products.all" } as const
      yield* (yield* ProductGroups).create(shop, "ada", { id: "all", link, percent: "50" })
      for (const id of orders.slice(0, 2)) yield* sell(id)
      world.shop.pass(day)
      yield* (yield* Payouts).closeDue(shop)
      yield* sell("o3")
    }),
  )

const sell = (id: string) =>
  Effect.flatMap(Sales, (sales) =>
    sales.record(shop, {
      ...{ id, currency: "USD" },
      items: [{ id: "1", product: { id: "mug" }, quantity: 1, amount: 10_000 }],
    }),
  )

/** Something that is done; it may be refused. */
export type Deed = (world: World) => Promise<unknown>

const run =
  <E>(
    effect: (world: World) => Effect.Effect<unknown, E, Collaborators | Payments | Payouts | Sales>,
  ): Deed =>
  async (world) => {
    const abort = new AbortController()
    world.aborts.add(abort)
    const exit = await world.shop.run(effect(world), abort.signal)
    world.aborts.delete(abort)
    if (Exit.isFailure(exit)) {
      const died = exit.cause.reasons.find(({ _tag }) => _tag === "Die")
      if (died !== undefined) throw new Error(`died: ${exit.cause}`)
    }
    return exit
  }

const railSays =
  (say: (world: World, key: string) => World["said"][number] | undefined): Deed =>
  async (world) => {
    const keys = [...world.shop.fake.book.map(({ key }) => key), ...(await sentKeys(world))]
    let outcome: World["said"][number] | undefined
    for (const key of keys) outcome ??= say(world, key)
    if (outcome === undefined) return
    const told = outcome
    world.said.push(outcome)
    await run(() => Effect.flatMap(Payments, (payments) => payments.answer(shop, told)))(world)
  }

const sentKeys = async (world: World): Promise<ReadonlyArray<string>> => {
  const exit = await world.shop.run(paymentsOf("sent"))
  return Exit.isSuccess(exit) ? exit.value.map(({ id }) => id) : []
}

const passing =
  (seconds: number): Deed =>
  async ({ shop }) =>
    shop.pass(seconds)

const refund = run((world) => {
  const number = world.counter.take()
  const request = {
    id: `r${number}`,
    orderId: orders[number % 3] ?? "o1",
    itemId: "1",
    amount: 333,
  }
  return Effect.flatMap(Sales, (sales) => sales.refund(shop, request))
})

const expense = run((world) =>
  Effect.gen(function* () {
    const entry = { id: `e${world.counter.take()}`, amount: 100, name: "Samples" }
    const payout = yield* first([...(yield* payoutsOf("pending")), ...(yield* payoutsOf("failed"))])
    const add = (yield* Payouts).addExpense(shop, payout.id, entry)
    // Asked twice, it has one effect.
    yield* add
    yield* add
    world.expenses.add(entry.id)
  }),
)

const onPayout = (
  status: Parameters<typeof payoutsOf>[0],
  work: (
    payouts: (typeof Payouts)["Service"],
    payout: { readonly id: string; readonly total: number },
  ) => Effect.Effect<unknown, unknown>,
): Deed =>
  run(() =>
    Effect.gen(function* () {
      const payout = yield* first(yield* payoutsOf(status))
      yield* work(yield* Payouts, payout)
    }),
  )

const onPayment = (
  status: Payment.PaymentStatus,
  work: (
    payments: (typeof Payments)["Service"],
    payment: { readonly id: string },
  ) => Effect.Effect<unknown, unknown>,
): Deed =>
  run(() =>
    Effect.gen(function* () {
      const payment = yield* first(yield* paymentsOf(status))
      yield* work(yield* Payments, payment)
    }),
  )

const behaving =
  (behaviour: RailBehaviour): Deed =>
  async ({ shop }) =>
    shop.fake.next(behaviour)

/** Those of which every pair meets at the same time. */
export const meeting = {
  claim: run(() =>
    Effect.gen(function* () {
      const payout = yield* first(yield* (yield* Payouts).listPayable(shop, 1))
      yield* (yield* Payments).claim(shop, payout.payout.id, "fake")
    }),
  ),
  send: onPayment("claimed", (payments, { id }) => payments.send(shop, id)),
  answer: railSays(({ shop: { fake } }, key) => fake.settle(key) ?? fake.tellAgain(key)),
  refund,
  expense,
  close: run((world) =>
    Effect.gen(function* () {
      world.shop.pass(day)
      yield* (yield* Payouts).closeDue(shop)
    }),
  ),
  "set-paid": onPayout("pending", (payouts, { id }) => payouts.setPaid(shop, id)),
  return: railSays(({ shop: { fake } }, key) => fake.giveBack(key)),
  crash: async ({ shop }: World) => shop.crash(),
} satisfies Record<string, Deed>

/** All that is done in random lives. */
export const deeds: Readonly<Record<string, Deed>> = {
  ...meeting,
  run: run(() => Effect.flatMap(Payments, (payments) => payments.run(shop, { rail: "fake" }))),
  resolve: run(() =>
    Effect.gen(function* () {
      const open = [...(yield* paymentsOf("sent")), ...(yield* paymentsOf("unknown"))]
      const { id } = yield* first(open)
      yield* (yield* Payments).resolve(shop, id)
    }),
  ),
  release: onPayment("claimed", (payments, { id }) => payments.release(shop, id)),
  pay: onPayout("pending", (payouts, { id, total }) => payouts.pay(shop, id, { total })),
  fail: onPayout("pending", (payouts, { id }) => payouts.fail(shop, id, "timeout")),
  retry: onPayout("failed", (payouts, { id }) => payouts.retry(shop, id)),
  refuse: railSays(({ shop: { fake } }, key) => fake.refuse(key)),
  "say again": async (world) => {
    const outcome = world.said.at(-1)
    if (outcome === undefined) return
    await run(() => Effect.flatMap(Payments, (payments) => payments.answer(shop, outcome)))(world)
  },
  "give up": async ({ aborts }) => {
    for (const abort of aborts) abort.abort()
  },
  arrive: async ({ shop: { fake } }) => fake.arrive(),
  "half a minute": passing(30),
  "two minutes": passing(120),
  "two days": passing(2 * day),
  "rail accepts": behaving("accept"),
  "rail rejects": behaving("reject"),
  "rail loses before": behaving("lose before"),
  "rail loses after": behaving("lose after"),
  "rail is late": behaving("late"),
  "rail breaks": behaving("break"),
}
