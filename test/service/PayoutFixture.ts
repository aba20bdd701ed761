import { Collaborator, Payout, PayoutItem, type PayoutStatus } from "apportion"
import { MemoryStorage } from "apportion/memory"
import {
  type PaymentRail,
  paymentRails,
  Storage,
  type StorageService,
  type StoredPayout,
} from "apportion/ports"
import {
  Audit,
  Balances,
  Entries,
  Idempotency,
  Payments,
  Payouts,
  type SettingsInput,
  settingsLayer,
  UnitOfWork,
} from "apportion/service"
import { Effect, Fiber, Layer, Logger, References, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

/** The account of most tests. */
export const shop = "shop"

/** Unix seconds of a time of day in UTC. */
export const utc = (text: string): number => Date.parse(`${text}Z`) / 1_000

/** When most tests begin. */
export const start = utc("2024-02-10T12:00:00")

export const setTime = (at: number): Effect.Effect<void> => TestClock.setTime(at * 1_000)

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
}

type Services = Audit | Balances | Entries | Payouts | Payments | Idempotency | UnitOfWork | Storage

/** Runs a program with all services on an empty storage, at {@link start}. */
export const runWith = <A, E>(
  program: Effect.Effect<A, E, Services>,
  options: {
    readonly storage?: StorageService | undefined
    readonly settings?: SettingsInput | undefined
    readonly log?: Array<LogLine> | undefined
    readonly rails?: ReadonlyArray<PaymentRail> | undefined
  } = {},
): Promise<A> => {
  const { settings = {}, storage, log = [], rails = [] } = options
  const logger = Logger.make<unknown, void>(({ message, logLevel, fiber }) => {
    const [text] = [message].flat()
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    log.push({ level: logLevel, message: String(text), annotations })
  })
  const kept = storage === undefined ? MemoryStorage.layer : Layer.succeed(Storage, storage)
  const services = Layer.mergeAll(
    Audit.layer,
    Balances.layer,
    Entries.layer,
    Payouts.layer,
    Payments.layer,
    Idempotency.layer,
    UnitOfWork.layer,
  ).pipe(
    Layer.provide([settingsLayer(settings), paymentRails(rails)]),
    Layer.provideMerge(kept),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Logger.layer([logger])),
  )
  return setTime(start).pipe(
    Effect.andThen(program),
    Effect.provide(services),
    Effect.provide(TestClock.layer()),
    Effect.runPromise,
  )
}

/** Runs work to its end, and lets the clock go on while it waits for something. */
export const toItsEnd = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 millis")
      yield* TestClock.withLive(Effect.sleep(0))
    }
    return yield* Fiber.join(fiber)
  })

export const addCollaborator = (
  input: Partial<Collaborator.CollaboratorInput> = {},
  accountId = shop,
): Effect.Effect<void, unknown, Storage> =>
  Effect.flatMap(Storage, (storage) =>
    storage.transaction(accountId, ({ collaborators }) =>
      collaborators.insert({
        collaborator: Collaborator.make({ id: "ada", currency: "USD", ...input }),
        createdAt: start,
        updatedAt: start,
      }),
    ),
  )

const statuses: Record<PayoutStatus.PayoutStatus, Partial<StoredPayout>> = {
  active: {},
  pending: { closedAt: start, payableAt: start },
  failed: { closedAt: start, payableAt: start, failureReason: "no such account" },
  paid: { closedAt: start, payableAt: start, paidAt: start },
  "manually paid": { paidAt: start },
}

/** Stores a payout with one income of its total, or of nothing when that is 0. */
export const addPayout = (
  input: Partial<StoredPayout> & { readonly id: string },
  accountId = shop,
): Effect.Effect<void, unknown, Storage> =>
  Effect.flatMap(Storage, (storage) => {
    const { status = "active", total = 0, ...rest } = input
    const { items, ...standing } = Payout.open({
      id: input.id,
      collaboratorId: "ada",
      currency: "USD",
      openedAt: utc("2024-01-31T09:00:00"),
      toBePaidAt: utc("2024-02-29T00:00:00"),
    })
    const entry = { id: `${input.id}-earned`, amount: Math.abs(total), name: "Earned", at: start }
    const make = total < 0 ? PayoutItem.expense : PayoutItem.income
    const put = total === 0 ? items : [Result.getOrThrow(make(entry, { currency: "USD" }))]
    const figures = { total, itemsCount: put.length, paymentId: null }
    const payout = { ...standing, status, ...statuses[status], ...figures }
    return storage.transaction(accountId, ({ payouts }) =>
      payouts.insert({ payout: { ...payout, ...rest }, put }),
    )
  })

/** A payout as the storage has it, with its items. */
export const stored = (payoutId: string, accountId = shop) =>
  Effect.flatMap(Storage, (storage) =>
    storage.transaction(accountId, ({ payouts }) =>
      Effect.gen(function* () {
        const payout = yield* payouts.get(payoutId)
        if (payout === undefined) return yield* Effect.die(new Error(`no payout ${payoutId}`))
        return { ...payout, items: yield* payouts.items(payoutId) }
      }),
    ),
  )
