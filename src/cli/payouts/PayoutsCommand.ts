/** `apportion payouts`: payable payouts, files of payments and their answers, and payments that need a person. */

import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import { inSnakeCase } from "../../internal/names.js"
import { date } from "../../orders/Words.js"
import * as Schedule from "../../payouts/Schedule.js"
import { type PaymentRail, paymentRails, RailUnclear } from "../../ports/PaymentRail.js"
import type { StoredPayment } from "../../ports/PaymentStore.js"
import { Storage } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { Outcome } from "../../rails/Outcome.js"
import { Actor } from "../../service/Actor.js"
import { type PaymentFailure, Payments } from "../../service/Payments.js"
import { type MoveError, Payouts } from "../../service/Payouts.js"
import type { NotFound } from "../../service/ServiceError.js"
import { type SettingsInput, settingsLayer } from "../../service/Settings.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as Database from "../data/Database.js"
import type { Kept } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Table from "../output/Table.js"
import type { Session } from "../Session.js"
import { type FileRail, fileRails } from "./FileRail.js"
import * as PaymentFiles from "./PaymentFiles.js"

/** The options of every command on payouts. */
export interface PlaceOptions {
  readonly place: Kept
  readonly account: string
  readonly format: "table" | "json"
}

/** A port for a rail that is paid by files: it can't be asked for an outcome. */
const asPort = ({ name, terms }: FileRail): PaymentRail => {
  const reason = "its payments are in files"
  const unclear = (key: string) => Effect.fail(RailUnclear.of(name, key, reason))
  return { name, terms, send: ({ key }) => unclear(key), find: unclear }
}

const services = (place: Kept, settings: SettingsInput) => {
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(place)),
  )
  const rails = paymentRails(fileRails.map(asPort))
  return Layer.merge(Payments.layer, Payouts.layer).pipe(
    Layer.provide([rails, SecureRandom.layerWebCrypto, Layer.orDie(settingsLayer(settings))]),
    Layer.provide(storage),
    // The commands print their results, so nothing is logged.
    Layer.provideMerge(Logger.layer([])),
  )
}

type Failure =
  | PaymentFailure
  | MoveError
  | Schedule.ScheduleError
  | NotFound
  | StorageError
  | ExitCode.Stopped

/** Runs work with the services over a place, in the name of the user of the command. */
const work = <A>(
  session: Session,
  { place }: PlaceOptions,
  task: Effect.Effect<A, Failure, Payments | Payouts>,
  settings: SettingsInput = {},
): Promise<A> =>
  Database.use(
    place,
    { create: false, note: (message) => session.note(`apportion: ${message}`) },
    task.pipe(
      Effect.mapError(Database.stopped(place)),
      Effect.provideService(Actor, "command line"),
      Effect.provide(services(place, settings)),
    ),
  )

const timeText = (at: number | null): string => (at === null ? "" : date(at).replace(".000Z", "Z"))

const json = (value: unknown): string => `${JSON.stringify(inSnakeCase(value), null, 2)}\n`

const print = (
  { io }: Session,
  { format }: PlaceOptions,
  { data, tables }: { readonly data: unknown; readonly tables: () => string },
): Promise<void> => io.stdout.write(format === "json" ? json(data) : tables())

// Payable payouts.

const whyOpen =
  "payouts whose date has come are not closed yet: apportion payouts close closes them, or apportion serve --close-due-every 3600"

/** Whether the date of an active payout has come: it is paid only when it is closed. */
const isOneDue = Effect.fnUntraced(function* (account: string) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const filter = { status: "active", expected: { to: now } } as const
  const payouts = yield* Payouts
  const listed = payouts.list(account, filter, { page: 1, perPage: 1 })
  const { total } = yield* Effect.catchTag(listed, "InvalidPayoutFilter", Effect.die)
  return total > 0
})

/** `apportion payouts due` */
export const due = async (session: Session, options: PlaceOptions): Promise<number> => {
  const { listed, isOneOpen } = await work(
    session,
    options,
    Effect.gen(function* () {
      const payouts = yield* Payouts
      const listed = yield* payouts.listPayable(options.account, Number.MAX_SAFE_INTEGER)
      return { listed, isOneOpen: listed.length === 0 && (yield* isOneDue(options.account)) }
    }),
  )
  const data = listed.map(({ payout }) => payout)
  const titles = ["payout", "collaborator", "to pay", "payable since"]
  const tables = () =>
    data.length === 0
      ? `nothing can be paid now${isOneOpen ? `; ${whyOpen}` : ""}\n`
      : Table.table(
          titles.map((title) => ({ title, isNumber: title === "to pay" })),
          data.map(({ id, collaboratorId, total, currency, payableAt }) => [
            ...[id, collaboratorId, Table.money(total, currency), timeText(payableAt)],
          ]),
        )
  await print(session, options, { data: { payouts: data }, tables })
  return ExitCode.success
}

// Closing due payouts, and paying failed ones again.

/** `apportion payouts close` */
export const close = async (
  session: Session,
  options: PlaceOptions & { readonly timeZone: string; readonly maturityDays: number },
): Promise<number> => {
  const { account, timeZone, maturityDays } = options
  const zone = Schedule.checkTimeZone(timeZone)
  if (Result.isFailure(zone)) {
    throw new ExitCode.UnusableInput({ message: `--time-zone: ${zone.failure.message}` })
  }
  const closing = Effect.flatMap(Payouts, (service) => service.closeDue(account))
  const { closed, rolled } = await work(session, options, closing, { timeZone, maturityDays })
  const rows = [
    ...closed.map((id) => [id, "closed"]),
    ...rolled.map((id) => [id, "too small: goes on collecting"]),
  ]
  const titles = ["payout", "what"].map((title) => ({ title }))
  await print(session, options, {
    data: { closed, rolled },
    tables: () => (rows.length === 0 ? "nothing is due\n" : Table.table(titles, rows)),
  })
  return ExitCode.success
}

/** `apportion payouts retry` */
export const retry = async (
  session: Session,
  options: PlaceOptions & { readonly payout: string },
): Promise<number> => {
  const { account, payout: payoutId } = options
  const retrying = Effect.flatMap(Payouts, (service) => service.retry(account, payoutId))
  const { payout, total } = await work(session, options, retrying)
  const { id, collaboratorId, currency, status, toBePaidAt, payableAt } = payout
  const data = { id, collaboratorId, currency, status, total, toBePaidAt, payableAt }
  const titles = ["payout", "collaborator", "to pay", "status"]
  await print(session, options, {
    data: { payout: data },
    tables: () =>
      Table.table(
        titles.map((title) => ({ title, isNumber: title === "to pay" })),
        [[id, collaboratorId, Table.money(total, currency), status]],
      ),
  })
  return ExitCode.success
}

const paymentTable = (payments: ReadonlyArray<StoredPayment>): string => {
  const titles = ["payment", "payout", "collaborator", "amount", "rail", "status", "file", "note"]
  return Table.table(
    titles.map((title) => ({ title, isNumber: title === "amount" })),
    payments.map((payment) => [
      ...[payment.id, payment.payoutId, payment.collaboratorId],
      ...[Table.money(payment.amount, payment.currency), payment.rail, payment.status],
      ...[payment.reference ?? "", payment.contradiction?.message ?? payment.reason ?? ""],
    ]),
  )
}

const printPayments = (
  session: Session,
  options: PlaceOptions,
  payments: ReadonlyArray<StoredPayment>,
  nothing: string,
): Promise<void> =>
  print(session, options, {
    data: { payments },
    tables: () => (payments.length === 0 ? `${nothing}\n` : paymentTable(payments)),
  })

/** `apportion payouts claim` */
export const claim = async (
  session: Session,
  options: PlaceOptions & { readonly rail: FileRail },
): Promise<number> => {
  const { account, rail } = options
  const { refused, payments } = await work(
    session,
    options,
    Effect.gen(function* () {
      const service = yield* Payments
      const { refused } = yield* service.run(account, { rail: rail.name })
      const of = { accountId: account, rail: rail.name }
      return { refused, payments: yield* PaymentFiles.paymentsOf(service, of, "claimed") }
    }),
  )
  for (const { payoutId, reason } of refused)
    session.note(`apportion: payout ${payoutId}: ${reason}`)
  await printPayments(session, options, payments, `nothing is claimed for ${rail.name}`)
  return ExitCode.success
}

// Files of payments, and their answers.

/** `apportion payouts export` */
export const exportFile = async (
  session: Session,
  options: PlaceOptions & { readonly file: Omit<PaymentFiles.FileOptions, "accountId"> },
): Promise<number> => {
  const file = { ...options.file, accountId: options.account }
  const made = await work(session, options, PaymentFiles.write(file))
  if (made === undefined) {
    await session.io.stdout.write(`nothing is claimed for ${file.rail.name}: no file is written\n`)
    return ExitCode.success
  }
  if (made === "finished") {
    await session.io.stdout.write(`${file.to}: was cut off, and is finished now\n`)
    return ExitCode.success
  }
  const { id, payments } = made
  const counted = payments.length === 1 ? "1 payment" : `${payments.length} payments`
  session.note(`apportion: ${file.to}: ${counted}, file ${id}`)
  await printPayments(session, options, payments, "")
  return ExitCode.success
}

/** An outcome, and the problem if it could not be noted. */
interface Noted {
  readonly outcome: Outcome
  readonly payment: StoredPayment | null
  readonly problem: string | null
}

const noteOutcome = Effect.fnUntraced(function* (account: string, outcome: Outcome) {
  const payments = yield* Payments
  return yield* payments.answer(account, outcome).pipe(
    Effect.map((payment): Noted => ({ outcome, payment, problem: null })),
    Effect.catch((error) =>
      error._tag === "StorageFailure" || error._tag === "Conflict"
        ? Effect.fail(error)
        : Effect.succeed<Noted>({ outcome, payment: null, problem: error.message }),
    ),
  )
})

/** Marks a payment that one answer shows as made twice: it may have been paid twice. */
const marked = (noted: ReadonlyArray<Noted>): ReadonlyArray<Noted> => {
  const made = new Set<string>()
  return noted.map((each) => {
    const { key, type } = each.outcome
    if (key === null || type !== "confirmed" || each.problem !== null) return each
    const isAgain = made.has(key)
    made.add(key)
    return isAgain ? { ...each, problem: "is in this answer twice: was it paid twice?" } : each
  })
}

const notedTable = (noted: ReadonlyArray<Noted>): string => {
  const titles = ["payment", "answer", "amount", "status", "note"]
  return Table.table(
    titles.map((title) => ({ title, isNumber: title === "amount" })),
    noted.map(({ outcome, payment, problem }) => [
      ...[outcome.key ?? outcome.railReference ?? "not named", outcome.type],
      payment === null ? "" : Table.money(payment.amount, payment.currency),
      ...[payment?.status ?? "", problem ?? outcome.reason ?? ""],
    ]),
  )
}

/** `apportion payouts import` */
export const importAnswer = async (
  session: Session,
  options: PlaceOptions & {
    readonly rail: FileRail
    readonly answer: { readonly name: string; readonly content: string }
    /** The settings of the export, for a rail whose answers do not contain the key. */
    readonly settings: unknown
    readonly reference: string
  },
): Promise<number> => {
  const { account, rail, answer, settings, reference } = options
  if (rail.needsSettings && settings === undefined) {
    const message = `--settings: is missing: answers of rail ${rail.name} have no keys, and are told apart by the settings of the export`
    throw new ExitCode.UnusableInput({ message })
  }
  const noted = await work(
    session,
    options,
    Effect.gen(function* () {
      const of = { accountId: account, rail: rail.name }
      const sent = yield* PaymentFiles.sentFiles(yield* Payments, of, reference)
      const outcomes = rail.read(answer.content, { sent, settings })
      if (Result.isFailure(outcomes)) {
        const message = PaymentFiles.linesOf(answer.name, outcomes.failure)
        return yield* new ExitCode.UnusableInput({ message })
      }
      const noting = Effect.forEach(outcomes.success, (outcome) => noteOutcome(account, outcome))
      return marked(yield* noting)
    }),
  )
  await print(session, options, {
    data: { answers: noted },
    tables: () => (noted.length === 0 ? "says nothing of a payment\n" : notedTable(noted)),
  })
  const isWhole = noted.every(({ problem }) => problem === null)
  return isWhole ? ExitCode.success : ExitCode.someFailed
}

// Payments that need a person, and the outcomes that a person reports.

const atATime = 1_000

/** `apportion payouts stuck` */
export const stuck = async (session: Session, options: PlaceOptions): Promise<number> => {
  const payments = await work(
    session,
    options,
    Effect.gen(function* () {
      const service = yield* Payments
      const found: Array<StoredPayment> = []
      for (let after: StoredPayment | undefined; ; ) {
        const part = yield* service.stuck(options.account, { after, limit: atATime })
        found.push(...part)
        after = part.at(-1)
        if (after === undefined || part.length < atATime) return found
      }
    }),
  )
  await printPayments(session, options, payments, "nothing is stuck")
  return payments.length === 0 ? ExitCode.success : ExitCode.found
}

/** The outcome of a payment that a person reports. */
export type Said =
  | {
      readonly type: "confirm"
      readonly at: number | undefined
      readonly reference: string | undefined
      readonly fee: number | undefined
    }
  | { readonly type: "reject" | "return"; readonly reason: string }
  | { readonly type: "release" | "settle" }

/** `apportion payouts confirm`, `reject`, `return`, `release` and `settle` */
export const say = async (
  session: Session,
  options: PlaceOptions & { readonly payment: string; readonly said: Said },
): Promise<number> => {
  const { account, payment: id, said } = options
  const payment = await work(
    session,
    options,
    Effect.gen(function* () {
      const payments = yield* Payments
      switch (said.type) {
        case "confirm": {
          const { at, reference, fee } = said
          return yield* payments.confirm(account, id, { at, reference, fee })
        }
        case "reject":
          return yield* payments.reject(account, id, said.reason)
        case "return":
          return yield* payments.return(account, id, said.reason)
        case "release":
          return yield* payments.release(account, id)
        case "settle":
          return yield* payments.settle(account, id)
      }
    }),
  )
  await printPayments(session, options, [payment], "")
  return ExitCode.success
}
