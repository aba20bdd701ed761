import { MemoryStorage } from "apportion/memory"
import { ExchangeRates } from "apportion/ports"
import {
  Audit,
  Collaborators,
  Idempotency,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  type Services,
  servicesLayer,
} from "apportion/service"
import { Effect, Layer, Logger, Tracer } from "effect"
import { expect, test } from "vitest"

const page = { page: 1, perPage: 15 }

interface Seen {
  readonly spans: Array<Tracer.Span>
  readonly lines: Array<string>
}

/** Runs a program, and gives every span it opened and every line it logged. */
const watched = async (program: Effect.Effect<unknown, unknown, Services>): Promise<Seen> => {
  const spans: Array<Tracer.Span> = []
  const lines: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const services = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => lines.push(line))])
  const layer = Layer.provideMerge(services, logger)
  await Effect.runPromise(Effect.provide(Effect.withTracer(program, tracer), layer))
  return { spans, lines }
}

const life = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const groups = yield* ProductGroups
  const products = yield* Products
  const sales = yield* Sales
  const payouts = yield* Payouts
  const idempotency = yield* Idempotency
  const account = { name: "Ada Lovelace", paypalEmail: "ada@example.com" }
  yield* collaborators.create("shop", { id: "ada", currency: "USD", account })
  yield* collaborators.update("shop", "ada", { notes: "paints" })
  yield* collaborators.get("shop", "ada")
  yield* collaborators.list("shop", page)
  yield* products.put("shop", [{ id: "p", name: "Secret print" }])
  yield* products.list("shop", {}, page)
  const made = yield* groups.create("shop", "ada", { link: { type: "products.all" }, percent: 10 })
  yield* groups.get("shop", "ada", made.group.id)
  yield* groups.list("shop", "ada", page)
  const item = { id: "1", product: { id: "p" }, quantity: 2, amount: 10_000 }
  const order = { id: "o", currency: "USD", items: [item] }
  yield* sales.preview("shop", order)
  const { parts } = yield* sales.record("shop", order)
  yield* sales.refund("shop", { id: "r", orderId: "o", itemId: "1", quantity: 1 })
  yield* sales.get("shop", "o")
  yield* sales.list("shop", {}, page)
  yield* sales.replay("shop", "o")
  const payoutId = parts[0]?.postings[0]?.payoutId ?? ""
  yield* payouts.addIncome("shop", payoutId, { id: "i", amount: 777_777, name: "Hush money" })
  yield* payouts.removeEntry("shop", payoutId, "i")
  yield* payouts.addExpense("shop", payoutId, { amount: 5, name: "Frames" })
  yield* payouts.get("shop", payoutId)
  yield* payouts.getAsSeen("shop", payoutId)
  yield* payouts.list("shop", {}, page)
  yield* payouts.history("shop", payoutId)
  const audit = yield* Audit
  yield* audit.payouts("shop")
  yield* audit.payout("shop", payoutId)
  yield* payouts.listPayable("shop", 5)
  yield* payouts.outlook("shop")
  yield* payouts.closeDue("shop")
  yield* Effect.ignore(payouts.pay("shop", payoutId))
  yield* Effect.ignore(payouts.fail("shop", payoutId, "no account"))
  yield* Effect.ignore(payouts.retry("shop", payoutId))
  yield* payouts.setPaid("shop", payoutId)
  yield* idempotency.once("shop", { key: "k", request: "r" }, Effect.succeed(1))
  yield* idempotency.forgetBefore("shop", 0)
  yield* groups.remove("shop", "ada", made.group.id)
  yield* products.remove("shop", ["p"])
})

const calls = [
  ...["create", "update", "get", "list"].map((name) => `Collaborators.${name}`),
  ...["put", "remove", "list"].map((name) => `Products.${name}`),
  ...["create", "get", "list", "remove"].map((name) => `ProductGroups.${name}`),
  ...["preview", "record", "refund", "get", "list", "replay"].map((name) => `Sales.${name}`),
  ...[
    "addExpense",
    "addIncome",
    "removeEntry",
    "get",
    "getAsSeen",
    "list",
    "listPayable",
    "outlook",
  ].map((name) => `Payouts.${name}`),
  ...["closeDue", "pay", "fail", "retry", "setPaid"].map((name) => `Payouts.${name}`),
  ...["Payouts.history", "Audit.payouts", "Audit.payout"],
  ...["once", "forgetBefore"].map((name) => `Idempotency.${name}`),
]

test("every call of a service is a span of its name that tells its account", async () => {
  const { spans } = await watched(life)
  for (const name of calls) {
    const span = spans.find((each) => each.name === name)
    expect([name, span?.attributes.get("accountId")]).toEqual([name, "shop"])
  }
})

test("every change is a line of the log, with ids and nothing about people or their money", async () => {
  const { lines } = await watched(life)
  const said = (text: string) => lines.filter((line) => line.includes(`"${text}"`)).length
  for (const text of ["collaborator created", "product group created", "sale recorded"]) {
    expect([text, said(text)]).toEqual([text, 1])
  }
  expect(lines.length).toBeGreaterThanOrEqual(12)
  for (const line of lines) {
    expect(line).toContain("accountId=shop")
    expect(line).not.toMatch(/Lovelace|@example|Secret|Hush|Frames|777777|10000/)
  }
})
