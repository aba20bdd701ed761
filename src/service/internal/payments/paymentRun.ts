/** Paying all that can be paid over a rail. */
import * as Effect from "effect/Effect"
import type * as Payment from "../../../payouts/Payment.js"
import type { PaymentRail } from "../../../ports/PaymentRail.js"
import type { PaymentPlace, StoredPayment } from "../../../ports/PaymentStore.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { NotFound } from "../../ServiceError.js"
import { wholeWithin } from "../lookups.js"
import { payable } from "../payouts/payable.js"
import { now } from "../transactions.js"
import type { ClaimFailure, PaymentCallTools, PaymentFailure } from "./paymentCalls.js"
import { claim, railOf, resolve, send } from "./railCalls.js"

/**
 * The options of a run.
 *
 * @since 0.6.0
 * @category models
 */
export interface RunOptions {
  /** The name of the rail. */
  readonly rail: string
  /** How many payments are under way at a time, 1 to 100; 4 when absent. */
  readonly concurrency?: number | undefined
  /** How many payouts are claimed at the most; all when absent. */
  readonly limit?: number | undefined
  /** Called for each payment or refused payout as it is done; an exception in it stops nothing. */
  readonly onProgress?: ((progress: RunReport) => void) | undefined
}

/**
 * What a run has done so far.
 *
 * @since 0.6.0
 * @category models
 */
export interface RunReport {
  /** How many of the run's payments have each status now. */
  readonly payments: Readonly<Record<Payment.PaymentStatus, number>>
  /** The payouts that could not be claimed, or whose payment has to be looked at, and why. */
  readonly refused: ReadonlyArray<{ readonly payoutId: string; readonly reason: string }>
}

const usualConcurrency = 4
const mostConcurrent = 100
const atATime = 100

/** A run under way. */
class Run {
  readonly tools: PaymentCallTools
  readonly accountId: string
  readonly rail: PaymentRail
  readonly concurrency: number
  /** Payouts that the run has tried, which are passed over from then on. */
  readonly tried = new Set<string>()
  readonly #onProgress: RunOptions["onProgress"]
  readonly #counts = {
    ...{ claimed: 0, sent: 0, unknown: 0, confirmed: 0, rejected: 0, released: 0, returned: 0 },
  }
  readonly #refused: Array<RunReport["refused"][number]> = []

  constructor(tools: PaymentCallTools, accountId: string, rail: PaymentRail, options: RunOptions) {
    this.tools = tools
    this.accountId = accountId
    this.rail = rail
    const { concurrency = usualConcurrency, onProgress } = options
    this.concurrency = wholeWithin(concurrency, 1, mostConcurrent)
    this.#onProgress = onProgress
  }

  get report(): RunReport {
    return { payments: { ...this.#counts }, refused: [...this.#refused] }
  }

  done({ status }: StoredPayment): Effect.Effect<void> {
    return this.#note(() => {
      this.#counts[status] += 1
    })
  }

  refuse(payoutId: string, { message }: { readonly message: string }): Effect.Effect<void> {
    return this.#note(() => {
      this.#refused.push({ payoutId, reason: message })
    })
  }

  #note(note: () => void): Effect.Effect<void> {
    return Effect.sync(() => {
      note()
      try {
        this.#onProgress?.(this.report)
      } catch {
        // A failing observer must not stop the run.
      }
    })
  }
}

const isOfStore = (error: PaymentFailure | ClaimFailure): error is StorageError =>
  error._tag === "Conflict" || error._tag === "StorageFailure"

/** Continues one payment. When another worker was faster, nothing is reported; any other failure is. */
const goOn = (
  run: Run,
  { payoutId }: { readonly payoutId: string },
  step: Effect.Effect<StoredPayment, PaymentFailure>,
): Effect.Effect<void, StorageError> =>
  step.pipe(
    Effect.flatMap((payment) => run.done(payment)),
    Effect.catch((error) => {
      if (isOfStore(error)) return Effect.fail(error)
      if (error._tag === "InvalidPaymentTransition") return Effect.void
      return run.refuse(payoutId, error)
    }),
  )

/** Continues every payment of the rail that has a status, a batch at a time. */
const goOnWith = Effect.fnUntraced(function* (
  run: Run,
  status: Payment.PaymentStatus,
  step: (payment: StoredPayment) => Effect.Effect<StoredPayment, PaymentFailure>,
): Effect.fn.Return<void, StorageError> {
  const { tools, accountId, concurrency, rail } = run
  for (let after: PaymentPlace | undefined; ; ) {
    const slice = { status, after, limit: atATime }
    const found = yield* tools.read(accountId, ({ payments }) => payments.list(slice))
    const own = found.filter((payment) => payment.rail === rail.name)
    const going = (payment: StoredPayment) => goOn(run, payment, step(payment))
    yield* Effect.forEach(own, going, { concurrency, discard: true })
    after = found.at(-1)
    if (after === undefined || found.length < atATime) return
  }
})

/** Whether another worker has paid or claimed the payout meanwhile. */
const isTaken = ({ _tag }: ClaimFailure): boolean =>
  _tag === "PaymentUnderWay" || _tag === "InvalidTransition"

/** Claims a payout, and sends it at once to a rail that takes single payments. */
const pay = (run: Run, payoutId: string): Effect.Effect<void, StorageError> => {
  const { tools, accountId, rail } = run
  run.tried.add(payoutId)
  return claim(tools)(accountId, payoutId, rail.name).pipe(
    Effect.matchEffect({
      onFailure: (error) => {
        if (isOfStore(error)) return Effect.fail(error)
        return isTaken(error) ? Effect.void : run.refuse(payoutId, error)
      },
      onSuccess: (payment) =>
        rail.terms.mode === "batch"
          ? run.done(payment)
          : goOn(run, payment, send(tools)(accountId, payment.id)),
    }),
  )
}

/** Claims and sends payable payouts, up to so many. */
const payAll = Effect.fnUntraced(function* (
  run: Run,
  limit: number,
): Effect.fn.Return<void, StorageError> {
  const { tools, accountId, concurrency, tried } = run
  const at = yield* now
  for (;;) {
    const wanted = Math.min(atATime, limit - tried.size)
    if (wanted <= 0) return
    const found = yield* tools.read(accountId, (stores) =>
      payable(stores, { at, wanted, passed: tried }),
    )
    if (found.length === 0) return
    const paying = ({ payout }: (typeof found)[number]) => pay(run, payout.id)
    yield* Effect.forEach(found, paying, { concurrency, discard: true })
  }
})

/** `Payments.run` */
export const run = (
  tools: PaymentCallTools,
): ((
  accountId: string,
  options: RunOptions,
) => Effect.Effect<RunReport, NotFound | StorageError>) =>
  Effect.fn("Payments.run")(function* (
    accountId: string,
    options: RunOptions,
  ): Effect.fn.Return<RunReport, NotFound | StorageError> {
    yield* Effect.annotateCurrentSpan({ accountId, rail: options.rail })
    const rail = yield* railOf(tools, options.rail)
    const { limit = Number.MAX_SAFE_INTEGER } = options
    const current = new Run(tools, accountId, rail, options)
    const asking = ({ id }: StoredPayment) => resolve(tools)(accountId, id)
    const sending = ({ id }: StoredPayment) => send(tools)(accountId, id)
    const working = Effect.gen(function* () {
      if (rail.terms.mode === "single") {
        yield* goOnWith(current, "sent", asking)
        yield* goOnWith(current, "unknown", asking)
        yield* goOnWith(current, "claimed", sending)
      }
      yield* payAll(current, limit)
      return current.report
    })
    return yield* tools.outside("ask a rail", working)
  })
