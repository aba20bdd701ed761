/**
 * What was sold in a period, and who got what of it.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { refusal, show } from "../internal/problems.js"
import { AmountOutOfRange } from "../money/Cents.js"
import type { Problem } from "../Problem.js"
import type { SoldSum } from "../ports/SoldSums.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { inForce } from "./internal/chosenSettings.js"
import { wholeWithin } from "./internal/lookups.js"
import { monthBegin, monthSpans } from "./internal/months.js"
import { timeProblems } from "./internal/payouts/payoutViews.js"
import { makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { InvalidSaleFilter } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

/**
 * The figures of sales, in cents of their currency: what is left of them, without what was refunded, after re-splits.
 *
 * @since 0.6.0
 * @category models
 */
export interface OverviewFigures {
  /** How many parts of orders were recorded. */
  readonly sales: number
  /** How many refunds they have by now. */
  readonly refunds: number
  /** What there was to share out; `shares` and `store` together. */
  readonly cameIn: number
  /** What collaborators have of it. */
  readonly shares: number
  /** What the store has of it. */
  readonly store: number
}

/**
 * The figures of a month within the period.
 *
 * @since 0.6.0
 * @category models
 */
export interface OverviewMonth extends OverviewFigures {
  /** As `2025-12`, in the time zone of the overview. */
  readonly month: string
}

/**
 * What a collaborator has of the sales of a period.
 *
 * @since 0.6.0
 * @category models
 */
export interface OverviewShare {
  readonly collaboratorId: string
  readonly name: string | undefined
  readonly amount: number
  /** The same for each month of the period, in their order. */
  readonly months: ReadonlyArray<number>
}

/**
 * The overview of one currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface CurrencyOverview extends OverviewFigures {
  /** ISO 4217 code. */
  readonly currency: string
  /** Every month of the period, also those without sales. */
  readonly months: ReadonlyArray<OverviewMonth>
  /** Those with the most, by amount. */
  readonly collaborators: ReadonlyArray<OverviewShare>
  /** All others together; `null`: there are none. */
  readonly others:
    | (Omit<OverviewShare, "collaboratorId" | "name"> & { readonly count: number })
    | null
}

/**
 * The overview of a period.
 *
 * @since 0.6.0
 * @category models
 */
export interface Overview {
  readonly from: number
  readonly until: number
  readonly timeZone: string
  /** When the first and the last sale of the account were recorded; `null`: there is none. */
  readonly firstSaleAt: number | null
  readonly lastSaleAt: number | null
  /** By currency. */
  readonly currencies: ReadonlyArray<CurrencyOverview>
}

/**
 * Which sales an overview is of: those that were recorded in the period.
 *
 * @since 0.6.0
 * @category models
 */
export interface OverviewRequest {
  /** The first second, in Unix seconds; the beginning of the month in which the period ends when absent. */
  readonly from?: number | undefined
  /** The first second after the period, which has at most 120 months; that after now when absent. */
  readonly until?: number | undefined
  /** An IANA time zone, by which months go; the account's when absent. */
  readonly timeZone?: string | undefined
  /** How many collaborators of each currency are listed, 1 to 1000; 100 when absent. */
  readonly collaborators?: number | undefined
}

/**
 * Overviews of what was sold. They rest on recorded sales, which are never purged.
 *
 * @since 0.6.0
 * @category services
 */
export interface OverviewsService {
  /** What was sold in a period, and who has what of it by now. */
  readonly of: (
    accountId: string,
    request: OverviewRequest,
  ) => Effect.Effect<Overview, AmountOutOfRange | InvalidSaleFilter | StorageError>
}

interface OverviewTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
}

const mostMonths = 120

const isZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone })
    return true
  } catch {
    return false
  }
}

const refused = refusal(InvalidSaleFilter)

const zoneProblems = (timeZone: string): ReadonlyArray<Problem> => {
  if (isZone(timeZone)) return []
  const message = `must be an IANA time zone, as Europe/Berlin, got ${show(timeZone)}`
  return [{ path: "timeZone", value: timeZone, message }]
}

const periodProblems = (
  { from, until }: { readonly from: number; readonly until: number },
  timeZone: string,
): ReadonlyArray<Problem> => {
  if (from >= until) {
    const message = `must be before until, which is ${until}, got ${from}`
    return [{ path: "from", value: from, message }]
  }
  // A month has 31 days at most, so that nothing long is divided here.
  const isLong = until - from > mostMonths * 31 * 86_400
  if (!isLong && monthSpans({ from, until }, timeZone).length <= mostMonths) return []
  const message = `must be within ${mostMonths} months of from, which is ${from}, got ${until}`
  return [{ path: "until", value: until, message }]
}

// Sums, exact however large they are.

class SoldFigures {
  sales = 0
  refunds = 0
  shares = 0n
  store = 0n

  add(other: SoldFigures): void {
    this.sales += other.sales
    this.refunds += other.refunds
    this.shares += other.shares
    this.store += other.store
  }
}

const exact = (amount: bigint, what: string): Result.Result<number, AmountOutOfRange> =>
  Number.isSafeInteger(Number(amount))
    ? Result.succeed(Number(amount))
    : Result.fail(AmountOutOfRange.of(what, amount))

const written = (
  { sales, refunds, shares, store }: SoldFigures,
  what: string,
): Result.Result<OverviewFigures, AmountOutOfRange> =>
  Result.gen(function* () {
    return {
      ...{ sales, refunds },
      cameIn: yield* exact(shares + store, what),
      shares: yield* exact(shares, what),
      store: yield* exact(store, what),
    }
  })

/** The figures of a currency, by month, and of each collaborator. */
class CurrencySums {
  readonly months: ReadonlyArray<SoldFigures>
  readonly people = new Map<string, Array<bigint>>()

  constructor(months: number) {
    this.months = Array.from({ length: months }, () => new SoldFigures())
  }

  add({ period, collaboratorId, amount, sales, refunds }: SoldSum): void {
    const figures = this.months[period]
    if (figures === undefined) return
    figures.sales += sales
    figures.refunds += refunds
    if (collaboratorId === null) {
      figures.store += amount
      return
    }
    figures.shares += amount
    const own = this.people.get(collaboratorId) ?? this.months.map(() => 0n)
    own[period] = (own[period] ?? 0n) + amount
    this.people.set(collaboratorId, own)
  }
}

const sum = (amounts: ReadonlyArray<bigint>): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)

interface OverviewTerms {
  readonly months: ReadonlyArray<string>
  /** How many collaborators are listed. */
  readonly most: number
  readonly names: ReadonlyMap<string, string | undefined>
}

const rank = ({ people }: CurrencySums) =>
  Array.from(people, ([collaboratorId, amounts]) => ({
    ...{ collaboratorId, amounts, amount: sum(amounts) },
  })).sort((one, other) => {
    if (one.amount !== other.amount) return one.amount < other.amount ? 1 : -1
    return one.collaboratorId < other.collaboratorId ? -1 : 1
  })

const exactAll = (amounts: ReadonlyArray<bigint>, what: string) =>
  Result.all(amounts.map((amount) => exact(amount, what)))

const overviewOf = (
  currency: string,
  sums: CurrencySums,
  { months, most, names }: OverviewTerms,
): Result.Result<CurrencyOverview, AmountOutOfRange> =>
  Result.gen(function* () {
    const what = `what was sold in ${currency}`
    const whole = new SoldFigures()
    for (const figures of sums.months) whole.add(figures)
    const byMonth: Array<OverviewMonth> = []
    for (const [index, month] of months.entries()) {
      byMonth.push({ month, ...(yield* written(sums.months[index] ?? new SoldFigures(), what)) })
    }
    const ranked = rank(sums)
    const collaborators: Array<OverviewShare> = []
    for (const { collaboratorId, amount, amounts } of ranked.slice(0, most)) {
      collaborators.push({
        ...{ collaboratorId, name: names.get(collaboratorId) },
        amount: yield* exact(amount, what),
        months: yield* exactAll(amounts, what),
      })
    }
    const rest = ranked.slice(most)
    const others = {
      count: rest.length,
      amount: yield* exact(sum(rest.map(({ amount }) => amount)), what),
      months: yield* exactAll(
        months.map((_, index) => sum(rest.map(({ amounts }) => amounts[index] ?? 0n))),
        what,
      ),
    }
    return {
      ...{ currency, ...(yield* written(whole, what)), months: byMonth, collaborators },
      others: rest.length === 0 ? null : others,
    }
  })

/** The sums of months by currency. */
const byCurrencyOf = (
  sums: ReadonlyArray<SoldSum>,
  months: number,
): ReadonlyMap<string, CurrencySums> => {
  const found = new Map<string, CurrencySums>()
  for (const sum of sums) {
    const own = found.get(sum.currency) ?? new CurrencySums(months)
    found.set(sum.currency, own)
    own.add(sum)
  }
  return found
}

/** The names of those who are listed. */
const namesOf = (
  { collaborators }: Stores,
  byCurrency: ReadonlyMap<string, CurrencySums>,
  most: number,
) => {
  const ids = [...byCurrency.values()].flatMap((sums) =>
    rank(sums)
      .slice(0, most)
      .map(({ collaboratorId }) => collaboratorId),
  )
  const found = ids.length === 0 ? Effect.succeed([]) : collaborators.find([...new Set(ids)])
  return Effect.map(
    found,
    (all) => new Map(all.map(({ collaborator: { id, account } }) => [id, account.name] as const)),
  )
}

const overview = ({ transactor, settings }: OverviewTools): OverviewsService["of"] =>
  Effect.fn("Overviews.of")(function* (accountId, request) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const host = yield* settings.of(accountId)
    const chosenZone = yield* transactor.read(accountId, (stores) =>
      Effect.map(inForce(stores, host), ({ timeZone }) => timeZone),
    )
    const { timeZone = chosenZone, until = (yield* now) + 1 } = request
    const problems = [
      ...zoneProblems(timeZone),
      ...timeProblems("from", request.from),
      ...timeProblems("until", request.until),
    ]
    if (problems.length > 0) return yield* refused(problems)
    const from = request.from ?? monthBegin(until - 1, timeZone)
    const wrong = periodProblems({ from, until }, timeZone)
    if (wrong.length > 0) return yield* refused(wrong)
    const spans = monthSpans({ from, until }, timeZone)
    const times = [from, ...spans.map((span) => span.until)]
    const most = wholeWithin(request.collaborators ?? 100, 1, 1_000)
    const { sold, byCurrency, names } = yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const sold = yield* stores.sales.sold(times)
        const byCurrency = byCurrencyOf(sold.sums, spans.length)
        return { sold, byCurrency, names: yield* namesOf(stores, byCurrency, most) }
      }),
    )
    const terms = { months: spans.map(({ month }) => month), most, names }
    const currencies = yield* Effect.forEach(
      [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)),
      ([currency, sums]) => Effect.fromResult(overviewOf(currency, sums, terms)),
    )
    const bounds = { firstSaleAt: sold.first, lastSaleAt: sold.last }
    return { from, until, timeZone, ...bounds, currencies }
  })

/**
 * Overviews of what was sold, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, Overviews, ProductGroups, Sales, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const group = { link: { type: "products.all" }, percent: "10" } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", group)
 *   const items = [{ id: "1", product: { id: "heron" }, quantity: 1, amount: 9_000 }]
 *   yield* (yield* Sales).record("shop", { id: "1001", currency: "EUR", items })
 *   const now = Math.floor(Date.now() / 1_000)
 *   return yield* (yield* Overviews).of("shop", { from: now - 60, until: now + 60 })
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { currencies } = await Effect.runPromise(Effect.provide(program, layer))
 * currencies.map(({ currency, sales, cameIn, shares, store }) => [currency, sales, cameIn, shares, store])
 * // => [["EUR", 1, 9000, 900, 8100]]
 * ```
 */
export class Overviews extends Context.Service<Overviews, OverviewsService>()(
  "apportion/service/Overviews",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Overviews, never, Storage> = Layer.effect(
    Overviews,
    Effect.gen(function* () {
      const transactor = yield* makeTransactor
      return { of: overview({ transactor, settings: yield* Settings }) }
    }),
  )
}
