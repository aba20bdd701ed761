/**
 * Work that is carried out later by one of several runners, and goes on when a runner ends.
 *
 * @since 0.6.0
 */
import * as Schema from "effect/Schema"
import type { Order } from "../orders/Order.js"

/**
 * Closes every payout of an account that is due.
 *
 * @since 0.6.0
 * @category models
 */
export interface CloseDueJob {
  readonly kind: "close-due"
  readonly accountId: string
}

/**
 * Records sales, such as a part of a file that is imported. Sales that are recorded already stay as they are.
 *
 * @since 0.6.0
 * @category models
 */
export interface RecordSalesJob {
  readonly kind: "record-sales"
  readonly accountId: string
  /** Names the part: enqueued again with the same id, it has one effect. */
  readonly id: string
  /** 1 to 200 orders. */
  readonly orders: ReadonlyArray<Order>
}

/**
 * Books a re-split that was approved.
 *
 * @since 0.6.0
 * @category models
 */
export interface BookResplitJob {
  readonly kind: "book-resplit"
  readonly accountId: string
  readonly runId: string
}

/**
 * Pays all that can be paid over a rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayJob {
  readonly kind: "pay"
  readonly accountId: string
  /** The name of the rail. */
  readonly rail: string
}

/**
 * Tries again what waits in the inbox of a connected shop.
 *
 * @since 0.6.0
 * @category models
 */
export interface SweepInboxJob {
  readonly kind: "sweep-inbox"
  readonly accountId: string
  /** The key of the shop. */
  readonly shop: string
}

/**
 * Removes what is old in an account and needed by nobody, as its settings say.
 *
 * @since 0.6.0
 * @category models
 */
export interface PurgeJob {
  readonly kind: "purge"
  readonly accountId: string
}

/**
 * A job. Jobs of one account and kind are carried out one after the other, in the order in which they were enqueued.
 *
 * @since 0.6.0
 * @category models
 */
export type Job = CloseDueJob | RecordSalesJob | BookResplitJob | PayJob | SweepInboxJob | PurgeJob

/**
 * What a job is for.
 *
 * @since 0.6.0
 * @category models
 */
export type JobKind = Job["kind"]

/**
 * What identifies a job: its account, its kind, and what it is about within them, which is its `id`, `runId`, `rail` or
 * `shop`, and empty for `close-due` and `purge`.
 *
 * @since 0.6.0
 * @category models
 */
export interface JobName {
  readonly accountId: string
  readonly kind: JobKind
  readonly key: string
}

/**
 * How far a job is. `waiting`: it is to be carried out, or is being carried out. `done`: it was. `failed`: it can't be,
 * and a person has to look at it.
 *
 * @since 0.6.0
 * @category models
 */
export type JobState = "waiting" | "done" | "failed"

/**
 * A job as it is kept. Times are Unix seconds.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoredJob extends JobName {
  readonly state: JobState
  /** How often it failed since it was enqueued. */
  readonly attempts: number
  readonly enqueuedAt: number
  /** When it is carried out at the earliest. */
  readonly dueAt: number
  /** When it was done or failed. */
  readonly endedAt: number | null
  /** What came of it in words: of a failure, why. */
  readonly outcome: string | null
}

/**
 * A job that can't be enqueued. The message names the field.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidJob extends Schema.TaggedError<InvalidJob>()("InvalidJob", {
  message: Schema.String,
}) {}

/**
 * Another job with the same name has other contents. Nothing was enqueued.
 *
 * @since 0.6.0
 * @category errors
 */
export class JobChanged extends Schema.TaggedError<JobChanged>()("JobChanged", {
  accountId: Schema.String,
  kind: Schema.String,
  key: Schema.String,
  message: Schema.String,
}) {}

/**
 * The database in which jobs are kept failed.
 *
 * @since 0.6.0
 * @category errors
 */
export class JobsUnavailable extends Schema.TaggedError<JobsUnavailable>()("JobsUnavailable", {
  /** The database's error; for logs, not for users. */
  cause: Schema.Defect(),
  message: Schema.String,
}) {}
