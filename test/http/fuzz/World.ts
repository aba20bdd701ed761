/** Two accounts behind one API: the same ids and others, and texts that only one of them may ever see. */
import { type HttpOptions, toWebHandler } from "apportion/http"
import { MemoryStorage } from "apportion/memory"
import {
  ExchangeRates,
  type PaymentRail,
  paymentRails,
  type RailAnswer,
  RailUnclear,
  Storage,
  type Stores,
  Tokens,
} from "apportion/ports"
import {
  Collaborators,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  type Services,
  servicesLayer,
  settingsLayer,
} from "apportion/service"
import { Effect, Layer, Logger, ManagedRuntime, References, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { HostEvent } from "./Steps.js"

export interface Account {
  readonly id: "first" | "second"
  readonly tokens: readonly [string, string]
  /** In every text of the account. */
  readonly mark: string
  readonly collaborators: ReadonlyArray<string>
  readonly currency: string
}

const shared = ["ada", "sam", "__proto__", "a/b ü😀"]

export const accounts: readonly [Account, Account] = [
  {
    id: "first",
    tokens: ["first-token", "first-token-2"],
    mark: "zqalphazq",
    collaborators: [...shared, "only-first"],
    currency: "EUR",
  },
  {
    id: "second",
    tokens: ["second-token", "second-token-2"],
    mark: "zqomegazq",
    collaborators: [...shared, "only-second"],
    currency: "JPY",
  },
]

/** Unix seconds at which every world begins. */
const start = 1_700_000_000

const day = 86_400
const largest = Number.MAX_SAFE_INTEGER

const sharedPayouts = {
  "p-active": { status: "active", amounts: [100, -30] },
  "p-pending": { status: "pending", amounts: [5_000] },
  "p-paid": { status: "paid", amounts: [700, 11] },
  "p-failed": { status: "failed", amounts: [] },
  "p-manual": { status: "manually paid", amounts: [42] },
  "p-huge": { status: "pending", amounts: [largest - 1_000] },
  "p-low": { status: "pending", amounts: [1_000 - largest] },
  constructor: { status: "pending", amounts: [1] },
  "a/b ü😀%2e": { status: "failed", amounts: [7] },
} as const

/** So many more that are pending, so that it takes a while until all are paid. */
const openPayouts = 12

type Sample = (typeof sharedPayouts)[keyof typeof sharedPayouts]

const insertPayout = (
  { payouts }: Stores,
  account: Account,
  id: string,
  { status, amounts }: Sample,
) => {
  const isOpen = status === "active"
  const closedAt = isOpen ? null : start - 10 * day
  return payouts.insert({
    payout: {
      ...{ id, collaboratorId: "ada", currency: account.currency, status },
      ...{ openedAt: start - 40 * day, toBePaidAt: isOpen ? start + 5 * day : start - 10 * day },
      ...{ closedAt, payableAt: closedAt },
      paidAt: status === "paid" || status === "manually paid" ? start - 9 * day : null,
      failureReason: status === "failed" ? `${account.mark} reason` : null,
      total: amounts.reduce<number>((sum, amount) => sum + amount, 0),
      itemsCount: amounts.length,
      paymentId: null,
    },
    put: amounts.map((amount, index) => ({
      ...{ id: `${id}/${index}`, createdAt: start, amount, originalAmount: amount },
      ...{ originalCurrency: account.currency, currencyExchangeRate: null },
      kind: amount < 0 ? ("expense" as const) : ("income" as const),
      name: `${account.mark} entry ${index}`,
    })),
  })
}

const product = (mark: string, index: number) => ({
  id: `p${index}`,
  externalId: `x-p${index}`,
  externalVariantId: index % 3 === 0 ? `v-${index}` : undefined,
  name: `${mark} product ${index % 7}`,
  sku: index % 2 === 0 ? `${mark}-${index}` : null,
  vendor: `${mark} vendor ${index % 3}`,
  price: 2_500 + index,
  cost: index % 4 === 0 ? undefined : 900,
  tags: index % 5 === 0 ? [] : ["art", `${mark} wall`],
  inventoryQuantity: index % 4 === 1 ? null : 7,
})

export const productCount = 40

const sell = (account: Account, orderId: string) =>
  Effect.gen(function* () {
    const sales = yield* Sales
    const items = [
      { id: "i1", product: product(account.mark, 1), amount: 10_000, quantity: 1 },
      { id: "i2", product: product(account.mark, 2), amount: 3_333, quantity: 3 },
    ]
    yield* sales.record(account.id, { id: orderId, currency: "EUR", items })
  })

const fillCollaborators = (account: Account) =>
  Effect.gen(function* () {
    const collaborators = yield* Collaborators
    for (const [index, id] of account.collaborators.entries()) {
      yield* collaborators.create(account.id, {
        id,
        currency: account.currency,
        payoutThreshold: index * 50,
        payoutHoldingDays: index % 2 === 0 ? null : 2,
        notes: index % 2 === 0 ? `${account.mark} notes` : null,
        account: {
          name: `${account.mark} ${index}`,
          paypalEmail: index % 2 === 0 ? `${account.mark}@example.com` : null,
        },
      })
    }
  })

const fillGroups = (account: Account) =>
  Effect.gen(function* () {
    const groups = yield* ProductGroups
    const tags = { type: "products.tag", values: [`${account.mark} wall`] } as const
    const makings = [
      { collaborator: "ada", id: "g-same", link: tags, percent: "1.25" },
      {
        collaborator: "ada",
        id: "g-all",
        link: { type: "products.all" },
        amount: 5,
        percent: "2.00",
      },
      { collaborator: "sam", id: "__proto__", link: tags, amount: 9 },
      { collaborator: "a/b ü😀", id: "g/ü 😀%2F", link: tags, percent: "0.01" },
      { collaborator: `only-${account.id}`, id: `g-only-${account.id}`, link: tags, percent: "3" },
    ] as const
    for (const { collaborator, ...group } of makings) {
      yield* groups.create(account.id, collaborator, group)
      yield* Stream.runDrain(groups.watch(account.id, group.id))
    }
  })

const fill = (account: Account) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const products = yield* Products
    yield* fillCollaborators(account)
    const all = Array.from({ length: productCount }, (_, index) => product(account.mark, index))
    yield* products.put(account.id, all)
    yield* storage.transaction(account.id, (stores) =>
      Effect.gen(function* () {
        for (const [id, sample] of Object.entries(sharedPayouts)) {
          yield* insertPayout(stores, account, id, sample)
        }
        for (let index = 0; index < openPayouts; index++) {
          yield* insertPayout(stores, account, `p-open-${index}`, sharedPayouts["p-pending"])
        }
        yield* insertPayout(stores, account, `p-only-${account.id}`, sharedPayouts["p-pending"])
      }),
    )
    yield* fillGroups(account)
    yield* sell(account, "o1")
  })

/** Does what only hosts do; what is refused now changes nothing. */
const hostWork = (account: Account, event: HostEvent, count: number) =>
  Effect.gen(function* () {
    const payouts = yield* Payouts
    const all = yield* payouts.list(account.id, {}, { page: 1, perPage: 100 })
    const ids = all.entries.map(({ payout }) => payout.id)
    const id = ids[count % ids.length] ?? "none"
    if (event === "close due") return yield* Effect.asVoid(payouts.closeDue(account.id))
    if (event === "sell") return yield* sell(account, `o-${count}`)
    if (event === "pass a day") return yield* TestClock.adjust("1 day")
    if (event === "pass a month") return yield* TestClock.adjust("31 days")
    if (event === "fail") yield* payouts.fail(account.id, id, `${account.mark} refused by the bank`)
    else yield* payouts[event](account.id, id)
  }).pipe(Effect.ignore)

/** A bank that answers in every way there is, one after the other. */
const makeBank = (): PaymentRail => {
  let asked = 0
  const answers: ReadonlyArray<RailAnswer | undefined> = [
    { type: "accepted", reference: "T-1" },
    { type: "confirmed", at: start, reference: null, fee: 25 },
    undefined,
    { type: "accepted", reference: null },
    { type: "rejected", reason: "no account" },
  ]
  const next = (key: string) => {
    const answer = answers[asked++ % answers.length]
    return answer === undefined
      ? Effect.fail(RailUnclear.of("bank", key, "the connection broke"))
      : Effect.succeed(answer)
  }
  return {
    name: "bank",
    terms: { currencies: null, mode: "single", lateSeconds: 600, knownSeconds: null },
    send: ({ key }) => next(key),
    find: (key) => {
      if (asked % 3 !== 0) return next(key)
      asked += 1
      return Effect.succeed({ type: "absent" })
    },
  }
}

export interface LogLine {
  readonly level: string
  readonly text: string
}

const shownInLog = (value: unknown): string =>
  value instanceof Error ? `${value.stack}` : (JSON.stringify(value) ?? String(value))

const loggerInto = (log: Array<LogLine>) =>
  Logger.layer([
    Logger.make<unknown, void>(({ message, logLevel, fiber, cause }) => {
      const about = JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))
      const parts = [message, cause].flat().map(shownInLog)
      log.push({ level: logLevel, text: [...parts, about].join(" ") })
    }),
  ])

const tokens = Tokens.fixed(
  accounts.flatMap(({ id, tokens }) => tokens.map((token) => ({ token, accountId: id }))),
)

/** Opens a world with both accounts filled. */
export const open = async (options: HttpOptions = {}) => {
  const log: Array<LogLine> = []
  const rates = ExchangeRates.fixed({ "EUR/JPY": "160.5", "JPY/EUR": "0.0062" })
  // Time passes by days, and with each all keys are over.
  const settings = settingsLayer({ idempotencySeconds: 60 })
  const services = Layer.provide(servicesLayer, [rates, settings, paymentRails([makeBank()])]).pipe(
    Layer.provideMerge(MemoryStorage.layer),
  )
  // The time is set before the services begin: what they do from time to time is not done for the past.
  const started = Layer.effectDiscard(TestClock.setTime(start * 1_000))
  const clock = Layer.provideMerge(started, TestClock.layer())
  const surroundings = Layer.merge(clock, loggerInto(log))
  const runtime = ManagedRuntime.make(
    Layer.merge(services, tokens).pipe(Layer.provideMerge(surroundings)),
  )
  const context = await runtime.context()
  const run = <A, E>(effect: Effect.Effect<A, E, Services | Storage>): Promise<A> =>
    runtime.runPromise(effect)
  for (const account of accounts) await run(fill(account))
  const api = toWebHandler(context, { ratePerMinute: "unlimited", ...options })
  let hostEvents = 0
  return {
    log,
    handler: api.handler,
    host: (account: Account, event: HostEvent): Promise<void> =>
      run(hostWork(account, event, hostEvents++)),
    pass: (millis: number): Promise<void> => run(TestClock.adjust(millis)),
    close: async () => {
      await api.dispose()
      await runtime.dispose()
    },
  }
}

export type World = Awaited<ReturnType<typeof open>>
