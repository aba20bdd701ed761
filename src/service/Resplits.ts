/**
 * Splitting past sales again by other rules: what that would change, and booking it.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { refusal, show } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { Problem } from "../Problem.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import { ExchangeRates, type ExchangeRatesService } from "../ports/ExchangeRates.js"
import type {
  ResplitBatch,
  ResplitRequest,
  ResplitRun,
  ResplitTotal,
  SalePlace,
} from "../ports/ResplitStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type * as RuleSet from "../rules/RuleSet.js"
import type * as SplitPolicy from "../shares/SplitPolicy.js"
import { Actor } from "./Actor.js"
import { inForce } from "./internal/chosenSettings.js"
import { sliceOf, wholeWithin } from "./internal/lookups.js"
import { rangeProblems } from "./internal/payouts/payoutViews.js"
import { askRates } from "./internal/rates.js"
import {
  type BatchResult,
  bookBatch,
  checkBatch,
  type MissingRate,
} from "./internal/resplits/resplitBatch.js"
import type { ResplitExample } from "./internal/resplits/resplitFigures.js"
import { isAskedFor, type ResplitRules } from "./internal/resplits/resplitParts.js"
import { type RefusedSale, survey } from "./internal/resplits/resplitSurvey.js"
import { makeRulesCache, type RulesCache, rulesOf } from "./internal/rules/rules.js"
import { parsePolicy, saleRulesOf } from "./internal/rules/saleRules.js"
import type { PostingError } from "./internal/sales/postings.js"
import { die, emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { AlreadyExists, InvalidResplit, NotFound, ResplitChanged } from "./ServiceError.js"
import { Settings, type SettingsService, type SettingsValue } from "./Settings.js"

export type { ResplitExample } from "./internal/resplits/resplitFigures.js"
export type { RefusedSale } from "./internal/resplits/resplitSurvey.js"

/**
 * What a re-split would change. Nothing of it is written.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitPreview {
  /** A hash of all that it would change. Approving a run approves this hash. */
  readonly digest: string
  /** How many parts of orders were looked at. */
  readonly sales: number
  /** How many of them it would change. */
  readonly changed: number
  /** Those that the rules refuse, which stay as they are; the first hundred of them. */
  readonly refused: ReadonlyArray<RefusedSale>
  /** By currency, collaborator (the store last) and month; of everybody who has or gets a share of these sales. */
  readonly totals: ReadonlyArray<ResplitTotal>
  /** The sales with the biggest differences for a collaborator, by currency. */
  readonly biggest: ReadonlyArray<ResplitExample>
}

/**
 * A re-split that is proposed.
 *
 * @since 0.6.0
 * @category models
 */
export interface NewResplit extends ResplitRequest {
  /** Names the run; one is made when absent. Proposing again with the same id has one effect. */
  readonly id?: string | undefined
  /** Why, in words; at most 500 characters. */
  readonly reason?: string | undefined
}

/**
 * Why the changes of a re-split could not be computed.
 *
 * @since 0.6.0
 * @category errors
 */
export type ResplitError =
  | InvalidResplit
  | RuleSet.InvalidRuleSet
  | SplitPolicy.InvalidPolicy
  | NotFound
  | AmountOutOfRange
  | StorageError

/**
 * Splits past sales again: by the account's current product groups and policy, or by given ones. Recorded sales stay as
 * they are. Each sale is compared with its split in force: the recorded split and all later adjustments, without what
 * was refunded. The differences are booked as items of the collaborators' active payouts, in the currency and at the
 * rate of the shares that they change; a new share is converted like that of a sale of today. Later refunds take back
 * their part of the sale and of each of its adjustments.
 *
 * @since 0.6.0
 * @category services
 */
export interface ResplitsService {
  /**
   * What a re-split would change; nothing is stored.
   *
   * @param options.biggest - how many sales are explained of each currency, 0 to 1000; 10 when absent
   */
  readonly preview: (
    accountId: string,
    request: ResplitRequest,
    options?: { readonly biggest?: number | undefined },
  ) => Effect.Effect<ResplitPreview, ResplitError>
  /** Stores the changes to book, as a run. No payout is changed. */
  readonly propose: (
    accountId: string,
    resplit: NewResplit,
  ) => Effect.Effect<ResplitRun, ResplitError | AlreadyExists>
  /**
   * Approves a run, by the digest of the preview that was looked at. `ResplitChanged`: the run has another digest.
   */
  readonly approve: (
    accountId: string,
    runId: string,
    approval: { readonly digest: string },
  ) => Effect.Effect<ResplitRun, NotFound | ResplitChanged | StorageError>
  /**
   * Books an approved run, a hundred sales in each transaction. Booking again has one effect, and completes a booking
   * that ended halfway.
   *
   * `ResplitChanged`: the run was not approved, or it would now change something else, because sales were refunded or
   * split again, or rules changed. Nothing is booked then. A sale that changes while others are booked is left out, and
   * the run lists it.
   */
  readonly book: (
    accountId: string,
    runId: string,
  ) => Effect.Effect<ResplitRun, ResplitError | PostingError | ResplitChanged>
  /** A run. */
  readonly get: (
    accountId: string,
    runId: string,
  ) => Effect.Effect<ResplitRun, NotFound | StorageError>
  /** A page of the runs, the latest proposed first. */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<ResplitRun>, StorageError>
}

/** All that the methods share. */
interface ResplitTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly exchangeRates: ExchangeRatesService
  readonly newId: Effect.Effect<string>
  readonly cache: RulesCache
}

const longestReason = 500

/** How many sales are booked in one transaction. */
const batchSize = 100

const problemsOf = ({
  sales = {},
  sold,
  orderIds,
  id,
  reason,
}: NewResplit): ReadonlyArray<Problem> => {
  const problems = [
    ...rangeProblems("sales.recorded", sales.recorded),
    ...rangeProblems("sold", sold),
  ]
  const isTexts = Array.isArray(orderIds) && orderIds.every((one) => typeof one === "string")
  if (orderIds !== undefined && !isTexts) {
    const message = `must be texts, got ${show(orderIds)}`
    problems.push({ path: "orderIds", value: orderIds, message })
  }
  if (id !== undefined && (typeof id !== "string" || id.trim() === "" || id.length > 200)) {
    const message = `must be a text of 1 to 200 characters, got ${show(id)}`
    problems.push({ path: "id", value: id, message })
  }
  if (reason !== undefined && (typeof reason !== "string" || [...reason].length > longestReason)) {
    const message = `must be a text of at most ${longestReason} characters, got ${show(reason)}`
    problems.push({ path: "reason", value: reason, message })
  }
  return problems
}

const checked = (resplit: NewResplit): Effect.Effect<NewResplit, InvalidResplit> => {
  const problems = problemsOf(resplit)
  return problems.length === 0
    ? Effect.succeed(resplit)
    : Effect.fail(refusal(InvalidResplit)(problems))
}

type Ruling = (stores: Stores) => Effect.Effect<ResplitRules, RuleSet.InvalidRuleSet | StorageError>

/** The rules for splitting again; the account's groups and its policy are read in each transaction. */
const rulingOf = (
  { cache }: ResplitTools,
  accountId: string,
  request: ResplitRequest,
  host: SettingsValue,
): Result.Result<Ruling, RuleSet.InvalidRuleSet | SplitPolicy.InvalidPolicy> =>
  Result.gen(function* () {
    const given = request.groups === undefined ? undefined : yield* saleRulesOf(request.groups)
    const asked = request.policy === undefined ? undefined : yield* parsePolicy(request.policy)
    const other = { completes: request.completes ?? false, isAsked: isAskedFor(request) }
    return Effect.fnUntraced(function* (stores) {
      const rules = given ?? (yield* rulesOf(cache, accountId, stores))
      const { policy, timeZone } = yield* inForce(stores, host)
      return { rules, policy: asked ?? policy, timeZone, ...other }
    })
  })

const look = Effect.fnUntraced(function* (
  tools: ResplitTools,
  accountId: string,
  { request, biggest }: { readonly request: ResplitRequest; readonly biggest: number },
) {
  const settings = yield* tools.settings.of(accountId)
  const ruling = yield* Effect.fromResult(rulingOf(tools, accountId, request, settings))
  const { read } = tools.transactor
  const { timeZone } = yield* read(accountId, (stores) => inForce(stores, settings))
  const at = yield* now
  return yield* survey(
    { read: (work) => read(accountId, work), ruling },
    { request, biggest, timeZone, at },
  )
})

const preview = (tools: ResplitTools): ResplitsService["preview"] =>
  Effect.fn("Resplits.preview")(function* (accountId, request, options = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    yield* checked(request)
    const biggest = wholeWithin(options.biggest ?? 10, 0, 1_000)
    const { fingerprints: _, ...seen } = yield* look(tools, accountId, { request, biggest })
    return seen
  })

const batchesOf = (sales: ResplitBatch["sales"]): ReadonlyArray<ResplitBatch> =>
  Array.from({ length: Math.ceil(sales.length / batchSize) }, (_, index) => ({
    number: index + 1,
    sales: sales.slice(index * batchSize, (index + 1) * batchSize),
  }))

const requestOf = ({ id: _, reason: __, ...request }: NewResplit): ResplitRequest => request

const needRun = Effect.fnUntraced(function* ({ resplits }: Stores, runId: string) {
  const run = yield* resplits.get(runId)
  return run === undefined ? yield* NotFound.of("re-split", runId) : run
})

const propose = (tools: ResplitTools): ResplitsService["propose"] =>
  Effect.fn("Resplits.propose")(function* (accountId, resplit) {
    const { reason = null } = yield* checked(resplit)
    const id = resplit.id ?? (yield* tools.newId)
    yield* Effect.annotateCurrentSpan({ accountId, runId: id })
    const { read, write } = tools.transactor
    const request = requestOf(resplit)
    const proposed = (run: ResplitRun) =>
      sameData(run.request, request) && run.reason === reason
        ? Effect.succeed(run)
        : AlreadyExists.of("re-split", id)
    const known = yield* read(accountId, ({ resplits }) => resplits.get(id))
    if (known !== undefined) return yield* proposed(known)
    const seen = yield* look(tools, accountId, { request, biggest: 0 })
    const { digest, sales, changed, totals } = seen
    const batches = batchesOf(seen.fingerprints)
    const proposedBy = yield* Actor
    return yield* write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const other = yield* stores.resplits.get(id)
        if (other !== undefined) return yield* proposed(other)
        const run = yield* stores.resplits.insert(
          {
            ...{ id, reason, status: "proposed", request, digest, sales, changed, totals },
            ...{ proposedAt: yield* now, proposedBy, approvedAt: null, approvedBy: null },
            ...{ bookedAt: null, batches: batches.length, bookedBatches: 0 },
            ...{ adjusted: 0, leftOut: [] },
          },
          batches,
        )
        yield* emit({ type: "resplit.proposed", data: { runId: id, digest, sales, changed } })
        return run
      }),
    )
  })

const otherDigest = ({ id, digest }: ResplitRun, given: string): ResplitChanged => {
  const message = `re-split ${id} would change something else than what was approved: its digest is ${digest}, got ${show(given)}`
  return new ResplitChanged({ runId: id, orderIds: [], message })
}

const approve = ({ transactor }: ResplitTools): ResplitsService["approve"] =>
  Effect.fn("Resplits.approve")(function* (accountId, runId, approval) {
    yield* Effect.annotateCurrentSpan({ accountId, runId })
    const approvedBy = yield* Actor
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const run = yield* needRun(stores, runId)
        const { digest, changed } = run
        if (digest !== approval.digest) return yield* otherDigest(run, approval.digest)
        if (run.status !== "proposed") return run
        const approved = { ...run, status: "approved", approvedAt: yield* now, approvedBy } as const
        const stored = yield* stores.resplits.update(approved)
        yield* emit({ type: "resplit.approved", data: { runId, digest, changed } })
        return stored
      }),
    )
  })

/** How many orders an error names. */
const mostNamed = 10

const changedSince = (runId: string, places: ReadonlyArray<SalePlace>): ResplitChanged => {
  const orderIds = [...new Set(places.map(({ orderId }) => orderId))]
  const named = orderIds.slice(0, mostNamed)
  const more = orderIds.length > named.length ? " and others" : ""
  const message = `re-split ${runId} was approved for what it changed then, and would change something else now: sales of orders ${named.join(", ")}${more} or the rules changed since; propose it anew`
  return new ResplitChanged({ runId, orderIds: named, message })
}

const needBatch = Effect.fnUntraced(function* (stores: Stores, runId: string, number: number) {
  const batch = yield* stores.resplits.batch(runId, number)
  return batch === undefined ? yield* die(`re-split ${runId} has no batch ${number}`) : batch
})

/** A booking under way. */
interface ResplitBooking {
  readonly accountId: string
  readonly runId: string
  readonly ruling: Ruling
  /** The host's. */
  readonly settings: SettingsValue
}

/** Checks that each sale of a run would still change as approved, before anything is booked. */
const verify = Effect.fnUntraced(function* (
  { transactor }: ResplitTools,
  { accountId, runId, ruling }: ResplitBooking,
  batches: number,
) {
  for (let number = 1; number <= batches; number += 1) {
    const { others } = yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const by = yield* ruling(stores)
        return yield* checkBatch(stores, by, yield* needBatch(stores, runId, number))
      }),
    )
    if (others.length > 0) return yield* changedSince(runId, others)
  }
})

/** The next batch of a run, or its end: one transaction. */
const bookNext = (
  tools: ResplitTools,
  { accountId, runId, ruling, settings }: ResplitBooking,
  rates: ReadonlyMap<string, ReadonlyMap<string, string>>,
) =>
  tools.transactor.write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const run = yield* needRun(stores, runId)
      if (run.status === "booked") return { run, missing: [] }
      const at = yield* now
      const { timeZone, maturityDays } = yield* inForce(stores, settings)
      let done: BatchResult = { type: "booked", adjusted: 0, leftOut: [] }
      const number = run.bookedBatches + 1
      if (number <= run.batches) {
        const terms = { at, timeZone, maturityDays, newId: tools.newId }
        const batch = yield* needBatch(stores, runId, number)
        done = yield* bookBatch(stores, terms, yield* ruling(stores), { batch, runId, rates })
        if (done.type === "missing") return { run, missing: done.rates }
      }
      const bookedBatches = Math.min(number, run.batches)
      const isLast = bookedBatches === run.batches
      const adjusted = run.adjusted + done.adjusted
      const leftOut = [...run.leftOut, ...done.leftOut]
      const stored = yield* stores.resplits.update({
        ...{ ...run, bookedBatches, adjusted, leftOut, bookedAt: isLast ? at : null },
        status: isLast ? "booked" : "booking",
      })
      if (isLast) {
        const data = { runId, adjusted, leftOut: leftOut.length }
        yield* emit({ type: "resplit.booked", data })
      }
      return { run: stored, missing: [] }
    }),
  )

const ratesOf = Effect.fnUntraced(function* (
  { exchangeRates }: ResplitTools,
  accountId: string,
  missing: ReadonlyArray<MissingRate>,
  known: Map<string, Map<string, string>>,
) {
  const at = yield* now
  for (const [from, needed] of Map.groupBy(missing, (one) => one.from)) {
    const currencies = [...new Set(needed.map(({ to }) => to))]
    const asked = yield* askRates(exchangeRates, { accountId, from, at }, currencies)
    known.set(from, new Map([...(known.get(from) ?? []), ...asked]))
  }
})

const book = (tools: ResplitTools): ResplitsService["book"] =>
  Effect.fn("Resplits.book")(function* (accountId, runId) {
    yield* Effect.annotateCurrentSpan({ accountId, runId })
    const { read } = tools.transactor
    const run = yield* read(accountId, (stores) => needRun(stores, runId))
    if (run.status === "booked") return run
    if (run.status === "proposed") {
      const message = `re-split ${runId} was not approved`
      return yield* new ResplitChanged({ runId, orderIds: [], message })
    }
    const settings = yield* tools.settings.of(accountId)
    const ruling = yield* Effect.fromResult(rulingOf(tools, accountId, run.request, settings))
    const booking = { accountId, runId, ruling, settings }
    // Once booking has begun, the sales that are booked no longer match what was approved.
    if (run.status === "approved") yield* verify(tools, booking, run.batches)
    const rates = new Map<string, Map<string, string>>()
    while (true) {
      const next = yield* bookNext(tools, booking, rates)
      if (next.run.status === "booked") return next.run
      yield* ratesOf(tools, accountId, next.missing, rates)
    }
  })

const makeResplits: Effect.Effect<ResplitsService, never, Storage | ExchangeRates | SecureRandom> =
  Effect.gen(function* () {
    const tools: ResplitTools = {
      transactor: yield* makeTransactor,
      settings: yield* Settings,
      exchangeRates: yield* ExchangeRates,
      newId: (yield* SecureRandom).uuidV7(),
      cache: makeRulesCache(),
    }
    const { read } = tools.transactor
    return {
      preview: preview(tools),
      propose: propose(tools),
      approve: approve(tools),
      book: book(tools),
      get: (accountId, runId) => read(accountId, (stores) => needRun(stores, runId)),
      list: (accountId, page) => read(accountId, ({ resplits }) => resplits.list(sliceOf(page))),
    }
  })

/**
 * Splitting past sales again, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, ProductGroups, Resplits, Sales, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import * as Result from "effect/Result"
 *
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const groups = yield* ProductGroups
 *   const link = { type: "products.all" } as const
 *   const { group } = yield* groups.create("shop", "ada", { link, percent: "10" })
 *   yield* (yield* Sales).record("shop", { id: "1001", currency: "EUR", items: [item] })
 *   const better = (known: typeof group) => Result.succeed({ ...known, percent: "12" })
 *   yield* groups.update("shop", "ada", group.id, better)
 *
 *   const resplits = yield* Resplits
 *   const { digest, totals } = yield* resplits.preview("shop", {})
 *   yield* resplits.propose("shop", { id: "raise", reason: "12 % from the beginning" })
 *   yield* resplits.approve("shop", "raise", { digest })
 *   const { adjusted } = yield* resplits.book("shop", "raise")
 *   return { adjusted, ada: totals[0]?.difference }
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(program, layer)) // => { adjusted: 1, ada: 200 }
 * ```
 */
export class Resplits extends Context.Service<Resplits, ResplitsService>()(
  "apportion/service/Resplits",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Resplits, never, Storage | ExchangeRates | SecureRandom> =
    Layer.effect(Resplits, makeResplits)
}
