/** Jobs as JSON: how they are kept, and which of them can be. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Order } from "../../schema/Models.js"
import { InvalidJob, type Job, type JobKind, type JobName } from "../Job.js"

const mostOrders = 200
const longest = 200

// The others have no place in a text of PostgreSQL.
const characters = Schema.isPattern(/^[^\0\p{Surrogate}]*$/u)
const Id = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(longest), characters)
/** Of any account that a storage has: what is due is closed in all of them. */
const AccountId = Schema.String.check(Schema.isMinLength(1))
const Orders = Schema.Array(Order).check(Schema.isMinLength(1), Schema.isMaxLength(mostOrders))

const JobSchema = Schema.Union([
  Schema.Struct({ kind: Schema.tag("close-due"), accountId: AccountId }),
  Schema.Struct({ kind: Schema.tag("record-sales"), accountId: AccountId, id: Id, orders: Orders }),
  Schema.Struct({ kind: Schema.tag("book-resplit"), accountId: AccountId, runId: Id }),
  Schema.Struct({ kind: Schema.tag("pay"), accountId: AccountId, rail: Id }),
  Schema.Struct({ kind: Schema.tag("sweep-inbox"), accountId: AccountId, shop: Id }),
  Schema.Struct({ kind: Schema.tag("purge"), accountId: AccountId }),
])

const decode = Schema.decodeUnknownEffect(JobSchema)

/** Checks a job. */
export const checked = (job: unknown): Effect.Effect<Job, InvalidJob> =>
  Effect.mapError(decode(job), (error) => new InvalidJob({ message: `a job: ${error.message}` }))

const fromText = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

/** Reads a job from its text. */
export const parse = (text: string): Effect.Effect<Job, InvalidJob> =>
  Effect.flatMap(
    Effect.mapError(fromText(text), ({ message }) => new InvalidJob({ message })),
    checked,
  )

/** The text in which a job is kept. */
export const print = (job: Job): string => JSON.stringify(job)

const keyOf = (job: Job): string => {
  switch (job.kind) {
    case "close-due":
    case "purge":
      return ""
    case "record-sales":
      return job.id
    case "book-resplit":
      return job.runId
    case "pay":
      return job.rail
    case "sweep-inbox":
      return job.shop
  }
}

/** What identifies a job. */
export const nameOf = (job: Job): JobName => ({
  accountId: job.accountId,
  kind: job.kind,
  key: keyOf(job),
})

/** The kinds that are enqueued again and again under the same name, and then carried out again. */
export const repeated: ReadonlyArray<JobKind> = ["close-due", "pay", "sweep-inbox", "purge"]

/**
 * How a kind is carried out. `step`: a bounded part of it in one transaction with the note that it was done. `call`: by
 * a service that asks others or has transactions of its own, and of which each part has its effect once by itself.
 */
export const mannerOf = (kind: JobKind): "step" | "call" =>
  kind === "close-due" || kind === "record-sales" ? "step" : "call"
