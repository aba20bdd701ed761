/** What each kind of job does, by the services. */
import * as Effect from "effect/Effect"
import { ConnectedShops } from "../../ports/ConnectedShop.js"
import { isPassing, type StorageError } from "../../ports/StorageError.js"
import { Deliveries } from "../../service/Deliveries.js"
import { Payments } from "../../service/Payments.js"
import { Payouts } from "../../service/Payouts.js"
import { Resplits } from "../../service/Resplits.js"
import { Retention } from "../../service/Retention.js"
import { type SaleOutcome, Sales } from "../../service/Sales.js"
import type {
  BookResplitJob,
  CloseDueJob,
  Job,
  PayJob,
  PurgeJob,
  RecordSalesJob,
  SweepInboxJob,
} from "../Job.js"

/** What became of a job: there is more to do of it; it is done; or it can't be done, and a person has to look at it. */
export interface JobProgress {
  readonly type: "more" | "done" | "failed"
  readonly outcome: string
}

type Carried<R> = Effect.Effect<JobProgress, StorageError, R>

/** How many payouts are closed in one transaction. */
const payoutsAtATime = 50

/** How many refused orders the outcome names. */
const mostNamed = 10

const done = (outcome: string): JobProgress => ({ type: "done", outcome })

/** What a service refuses will be refused the next time too; most failures of the storage are worth another attempt. */
const refusing = <E extends { readonly _tag: string; readonly message: string }, R>(
  work: Effect.Effect<JobProgress, E, R>,
): Carried<R> =>
  Effect.catch(work, (error): Effect.Effect<JobProgress, StorageError> => {
    if (isPassing(error)) return Effect.fail(error)
    return Effect.succeed({ type: "failed", outcome: error.message })
  })

const closeDue = Effect.fnUntraced(function* ({ accountId }: CloseDueJob) {
  const payouts = yield* Payouts
  const { closed, rolled, isAll } = yield* payouts.closeNextDue(accountId, payoutsAtATime)
  const outcome = `closed ${closed.length}, rolled ${rolled.length}`
  return isAll ? done(outcome) : { type: "more" as const, outcome }
})

/** What became of a job whose orders were recorded or refused. */
const recorded = (
  { orders }: RecordSalesJob,
  outcomes: ReadonlyArray<SaleOutcome>,
): Effect.Effect<JobProgress, StorageError> => {
  const refused: Array<string> = []
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.type !== "refused") continue
    const { error } = outcome
    if (isPassing(error)) return Effect.fail(error)
    refused.push(`order ${orders[index]?.id}: ${error.message}`)
  }
  const outcome = `recorded ${orders.length - refused.length} of ${orders.length}`
  if (refused.length === 0) return Effect.succeed(done(outcome))
  const named = refused.slice(0, mostNamed).join("; ")
  return Effect.succeed({ type: "failed", outcome: `${outcome}; refused: ${named}` })
}

/** Records the orders of jobs of one account as if they were one job's; gives what became of each job. */
const recordSales = Effect.fnUntraced(function* (
  accountId: string,
  jobs: ReadonlyArray<RecordSalesJob>,
) {
  const sales = yield* Sales
  const all = jobs.flatMap(({ orders }) => orders)
  const outcomes = yield* sales.recordAll(accountId, all)
  let next = 0
  return yield* Effect.forEach(jobs, (job) => {
    const first = next
    next += job.orders.length
    return recorded(job, outcomes.slice(first, next))
  })
})

const bookResplit = Effect.fnUntraced(function* ({ accountId, runId }: BookResplitJob) {
  const resplits = yield* Resplits
  const { adjusted, leftOut } = yield* resplits.book(accountId, runId)
  return done(`adjusted ${adjusted}, left out ${leftOut.length}`)
})

const pay = Effect.fnUntraced(function* ({ accountId, rail }: PayJob) {
  const payments = yield* Payments
  const report = yield* payments.run(accountId, { rail })
  const { confirmed, sent, unknown } = report.payments
  return done(`confirmed ${confirmed}, sent ${sent}, unknown ${unknown}`)
})

const sweepInbox = Effect.fnUntraced(function* ({ accountId, shop: key }: SweepInboxJob) {
  const shops = yield* ConnectedShops
  const shop = yield* shops.find(key)
  if (shop?.accountId !== accountId) {
    return { type: "failed" as const, outcome: `account ${accountId} has no shop ${key}` }
  }
  const { tried, settled } = yield* (yield* Deliveries).sweep(accountId, shop.platform)
  return done(`tried ${tried}, settled ${settled}`)
})

const purge = Effect.fnUntraced(function* ({ accountId }: PurgeJob) {
  const gone = yield* (yield* Retention).purge(accountId)
  const counts = Object.values(gone).reduce((sum, count) => sum + count, 0)
  return done(`removed ${counts}`)
})

/**
 * The services that jobs are carried out by.
 *
 * @since 0.6.0
 * @category services
 */
export type JobServices = Payouts | Sales | Resplits | Payments | Deliveries | Retention

/** So many orders of several jobs are recorded together: what they need is looked up, and what they change written, once. */
const ordersTogether = 50

/** Whether jobs of one account can be carried out together; one always can. */
export const goTogether = (jobs: ReadonlyArray<Job>): boolean => {
  if (jobs.length <= 1) return true
  const sales = jobs.filter((job) => job.kind === "record-sales")
  const orders = sales.reduce((sum, job) => sum + job.orders.length, 0)
  return sales.length === jobs.length && orders <= ordersTogether
}

const carryOutAlone = (job: Exclude<Job, RecordSalesJob>): Carried<JobServices> => {
  switch (job.kind) {
    case "close-due":
      return refusing(closeDue(job))
    case "book-resplit":
      return refusing(bookResplit(job))
    case "pay":
      return refusing(pay(job))
    case "sweep-inbox":
      return refusing(sweepInbox(job))
    case "purge":
      return refusing(purge(job))
  }
}

/** Carries out jobs that go together, or a part of one; gives what became of each. What the storage fails at fails all. */
export const carryOut = (
  accountId: string,
  jobs: ReadonlyArray<Job>,
): Effect.Effect<ReadonlyArray<JobProgress>, StorageError, JobServices> => {
  const sales = jobs.filter((job) => job.kind === "record-sales")
  if (sales.length > 0) return recordSales(accountId, sales)
  return Effect.forEach(
    jobs.filter((job) => job.kind !== "record-sales"),
    carryOutAlone,
  )
}
