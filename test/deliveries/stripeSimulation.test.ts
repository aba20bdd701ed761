import { Deliveries } from "apportion/service"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { asDelivered, randomOf } from "./History.js"
import { account, open, run } from "./Shop.js"
import { books } from "./Simulation.js"
import { type StripeHistory, stripeHistory } from "./StripeHistory.js"
import { fetched, sendEvent, stripe } from "./StripeShop.js"

const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Math.random() * 1_000_000))

const completed = "checkout.session.completed"
const waitingSession = /^stripe\/order\/(cs_\d+)\/lines$/

/** Sends an event; if lines are missing, the host fetches them at once. */
const sendAndFetch = (one: object, { sessions }: StripeHistory) =>
  Effect.gen(function* () {
    const { key, outcome } = yield* sendEvent(one)
    const id = waitingSession.exec(key ?? "")?.[1] ?? ""
    const whole = sessions.get(id)
    if (outcome === "waiting" && whole !== undefined) yield* fetched(completed, whole)
  })

/** The lines that nobody fetched yet, because the handler was cut off. */
const fetchRest = ({ sessions }: StripeHistory) =>
  Effect.gen(function* () {
    for (const { key } of yield* (yield* Deliveries).list(account)) {
      const whole = sessions.get(waitingSession.exec(key)?.[1] ?? "")
      if (whole !== undefined) yield* fetched(completed, whole)
    }
  })

/** Waits until nobody waits for a credit note any more. */
const settle = Effect.gen(function* () {
  const deliveries = yield* Deliveries
  for (let turn = 0; turn < 4; turn += 1) {
    yield* TestClock.adjust("61 minutes")
    yield* deliveries.sweep(account, stripe)
  }
})

/** Four connections at once; some deliveries are cut off in the middle, and are sent again later. */
const deliver = (all: ReadonlyArray<object>, history: StripeHistory, drawn: number) =>
  Effect.gen(function* () {
    const random = randomOf(drawn)
    const queue = [...all]
    const connection = Effect.gen(function* () {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const fiber = yield* Effect.forkChild(sendAndFetch(next, history))
        if (random() < 0.25) {
          const steps = Math.floor(random() * 60)
          for (let step = 0; step < steps; step += 1) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          queue.splice(Math.floor(random() * queue.length), 0, next)
        } else yield* Fiber.join(fiber)
      }
    })
    yield* Effect.all([connection, connection, connection, connection], { concurrency: 4 })
    yield* fetchRest(history)
  })

const endOf = (all: ReadonlyArray<object>, history: StripeHistory, drawn: number | undefined) => {
  const sent =
    drawn === undefined
      ? Effect.forEach(all, (one) => sendAndFetch(one, history))
      : deliver(all, history, drawn)
  return run(open.pipe(Effect.andThen(sent), Effect.andThen(settle), Effect.andThen(books)))
}

test("events of Stripe that are doubled, shuffled, cut off and sent again end as the tidy order does", {
  timeout: 300_000,
}, async () => {
  const seeds = Array.from({ length: isWhole ? 6 : 2 }, (_, index) => seed + index)
  for (const each of seeds) {
    const history = stripeHistory(each, Number(process.env.STRIPE_SALES ?? 12))
    const tidy = await endOf(history.events, history, undefined)
    const shuffled = await endOf(asDelivered(each, history.events), history, each + 13)
    expect({ seed: each, ...shuffled }).toEqual({ seed: each, ...tidy })
    expect(tidy.shares.length).toBeGreaterThan(4)
    expect(tidy.waiting).toEqual([])
  }
})

test("the events are of twelve types", () => {
  const { events } = stripeHistory(1, 200)
  const types = new Set(events.map((one) => Reflect.get(one, "type")))
  expect([...types].sort()).toEqual([
    ...["checkout.session.async_payment_succeeded", completed, "credit_note.created"],
    ...["invoice.created", "invoice.paid", "invoice.payment_succeeded", "invoice_payment.paid"],
    ...["product.created", "product.updated", "refund.created", "refund.failed", "refund.updated"],
  ])
})
