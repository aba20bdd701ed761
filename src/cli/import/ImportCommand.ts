/** `apportion import`: imports past orders into the storage, as paid up to a date. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { inSnakeCase } from "../../internal/names.js"
import * as Schedule from "../../payouts/Schedule.js"
import { ExchangeRates } from "../../ports/ExchangeRates.js"
import { Storage } from "../../ports/Storage.js"
import * as RuleSet from "../../rules/RuleSet.js"
import { Actor } from "../../service/Actor.js"
import { PastSales } from "../../service/PastSales.js"
import { Sales } from "../../service/Sales.js"
import { settingsLayer } from "../../service/Settings.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import type { PolicyFile } from "../../wire/Policy.js"
import * as Database from "../data/Database.js"
import type { Kept } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Days from "../input/Days.js"
import * as Input from "../input/Input.js"
import * as OrderReader from "../input/Orders.js"
import * as Rates from "../input/Rates.js"
import * as Refunds from "../input/Refunds.js"
import * as Rules from "../input/Rules.js"
import { plainSplitter } from "../input/RunSplitter.js"
import type { SalesFlags, Source } from "../input/Sources.js"
import * as Table from "../output/Table.js"
import { inEnglish, Progress, type Session } from "../Session.js"
import { type ImportCounts, ImportRun } from "./ImportRun.js"
import { RefusedEntries } from "./RefusedEntries.js"

/** What the command works on. */
export interface ImportOptions {
  readonly place: Kept
  readonly account: string
  readonly orders: Source
  readonly refunds: Source | undefined
  readonly policy: Source | undefined
  readonly rates: Source | undefined
  readonly sales: SalesFlags
  readonly paidUntil: string
  /** The file for refused entries. */
  readonly refused: string | undefined
  readonly format: "table" | "json"
}

const paidUntilOf = ({ paidUntil }: ImportOptions, { timeZone }: PolicyFile): number => {
  const at = Days.startOf(paidUntil, timeZone)
  if (at !== undefined) return at
  const message = `--paid-until: must be ${Days.expected}, got "${paidUntil}"`
  throw new ExitCode.UnusableInput({ message })
}

/** The rates of a file. For an order, the latest rate whose date is not after the order counts. */
const ratesOf = (rateAt: Rates.RateAt | undefined): Layer.Layer<ExchangeRates> =>
  rateAt === undefined
    ? ExchangeRates.none
    : Layer.succeed(ExchangeRates)({
        rate: ({ from, to, at }) => Effect.succeed(rateAt(from, to, at)),
      })

/** The services over a place. */
const services = (place: Kept, policy: PolicyFile, rates: Rates.RateAt | undefined) => {
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(place)),
  )
  const settings = Layer.orDie(settingsLayer(policy))
  return Layer.provide(PastSales.layer, Sales.layer).pipe(
    Layer.provide([ratesOf(rates), SecureRandom.layerWebCrypto, settings]),
    Layer.provideMerge(storage),
    // The outcome is reported at the end, so sales are not logged one by one.
    Layer.provideMerge(Logger.layer([])),
  )
}

const requireAccount = Effect.fnUntraced(function* ({ account, place }: ImportOptions) {
  const storage = yield* Storage
  const all = yield* Effect.mapError(storage.accounts, Database.failed(place))
  if (all.includes(account)) return
  const message = `--account: ${Database.nameOf(place)} has nothing of an account "${account}": its collaborators and groups come first`
  return yield* new ExitCode.UnusableInput({ message })
})

/** Reads the orders and writes them in batches. */
const importAll = Effect.fnUntraced(function* (
  { io, note }: Session,
  options: ImportOptions,
  run: ImportRun,
) {
  const progress = new Progress(io.stderr)
  const batches = Input.read(options.orders, { kind: Input.orders, note })[Symbol.asyncIterator]()
  const stopped = <A>(promise: () => Promise<A>) =>
    Effect.tryPromise({ try: promise, catch: ExitCode.stopped })
  const flush = Effect.mapError(
    Effect.suspend(() => run.flush()),
    Database.failed(options.place),
  )
  for (;;) {
    const batch = yield* stopped(() => batches.next())
    if (batch.done === true) break
    for (const entry of batch.value) {
      yield* stopped(() => run.take(entry))
      if (!run.isFull) continue
      yield* flush
      progress.update(run.done)
    }
  }
  yield* flush
  progress.clear()
  yield* stopped(() => run.end())
})

const rowsOf = ({ sales, refunds }: Pick<ImportRun, "sales" | "refunds">) =>
  (
    [
      ["imported as paid", "imported"],
      ["recorded as usual", "recorded"],
      ["there already", "known"],
      ["left out", "leftOut"],
      ["refused", "refused"],
    ] as const satisfies ReadonlyArray<readonly [string, keyof ImportCounts]>
  ).map(([title, name]) => [title, inEnglish(sales[name]), inEnglish(refunds[name])])

const report = (run: ImportRun, paidUntil: number, { account, format }: ImportOptions): string => {
  const { sales, refunds } = run
  if (format === "json") {
    const { leftOut: _, ...counted } = refunds
    const data = { account, paidUntil, sales, refunds: counted }
    return `${JSON.stringify(inSnakeCase(data), null, 2)}\n`
  }
  const titles = [
    { title: `paid up to ${Schedule.showTime(paidUntil)}` },
    { title: "sales", isNumber: true },
    { title: "refunds", isNumber: true },
  ]
  return Table.table(titles, rowsOf(run))
}

const readInputs = async (options: ImportOptions, note: Session["note"]) => {
  const policy = await Rules.readPolicy(options.policy, note, { carries: true })
  const rates = await Rates.read(options.rates, { timeZone: policy.timeZone, note })
  const refunds = await Refunds.read(options.refunds, note)
  const readOrder = OrderReader.of({
    ...{ catalogues: undefined, deductsCosts: false, sales: options.sales },
  })
  const name = options.orders.name
  const orders = new OrderReader.Orders({
    ...{ name, splitter: plainSplitter(RuleSet.make([]), policy.policy), readOrder },
    // The storage finds repeated orders itself.
    isRepeated: () => false,
  })
  return { policy, rates, refunds, orders, paidUntil: paidUntilOf(options, policy) }
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: ImportOptions): Promise<number> => {
  const { note, io } = session
  const { policy, rates, refunds, orders, paidUntil } = await readInputs(options, note)
  const inputs = [options.orders, options.refunds, options.policy, options.rates]
  const refused = new RefusedEntries(options.refused, { inputs, note })
  const { account, place } = options
  const work = Effect.gen(function* () {
    yield* requireAccount(options)
    const pastSales = yield* PastSales
    const target = { pastSales, account, paidUntil }
    const refundsInput = options.refunds?.name
    const run = new ImportRun(target, { orders, refunds, refused, refundsInput })
    // An invalid date is reported before any input is read.
    yield* Effect.mapError(run.flush(), Database.failed(place))
    yield* importAll(session, options, run)
    return run
  }).pipe(
    Effect.ensuring(Effect.promise(() => refused.close())),
    Effect.provideService(Actor, "command line"),
    Effect.provide(services(place, policy, rates)),
  )
  const opening = { create: false, note: (message: string) => note(`apportion: ${message}`) }
  const done = await Database.use(place, opening, work)
  for (const text of orders.remarks.texts()) note(text)
  await io.stdout.write(report(done, paidUntil, options))
  const isAll = done.sales.refused + done.refunds.refused === 0
  return isAll ? ExitCode.success : ExitCode.someFailed
}
