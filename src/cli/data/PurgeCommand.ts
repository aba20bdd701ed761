/** `apportion purge`: removes what is old and needed by nobody, or says how much of it there is. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Json from "../../internal/names.js"
import { Storage } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { type OldHistory, Retention } from "../../service/Retention.js"
import type { InvalidSettings } from "../../service/Settings.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import * as Table from "../output/Table.js"
import type { Session } from "../Session.js"
import * as Database from "./Database.js"
import type { Kept } from "./DatabaseOptions.js"

/** What the command works on. */
export interface PurgeOptions {
  readonly place: Kept
  readonly account: string | undefined
  /** The number of months, as it was given. */
  readonly olderThan: string
  /** Whether it only says what would go. */
  readonly isRehearsal: boolean
  readonly format: "table" | "json"
}

interface PurgedAccount extends OldHistory {
  readonly accountId: string
}

const failed =
  (place: Kept) =>
  ({ message }: StorageError | InvalidSettings) =>
    new ExitCode.Unavailable({ message: `${Database.nameOf(place)}: ${message}` })

const purgeAll = Effect.fnUntraced(function* ({
  place,
  account,
  olderThan,
  isRehearsal,
}: PurgeOptions) {
  const [storage, retention] = [yield* Storage, yield* Retention]
  const all = yield* Effect.mapError(storage.accounts, failed(place))
  if (account !== undefined && !all.includes(account)) {
    const message = `--account: ${Database.nameOf(place)} has nothing of an account "${account}"`
    return yield* new ExitCode.UnusableInput({ message })
  }
  const purged: Array<PurgedAccount> = []
  const work = isRehearsal ? retention.survey : retention.purge
  for (const accountId of account === undefined ? all : [account]) {
    const done = work(accountId, { months: Number(olderThan) })
    purged.push({ accountId, ...(yield* Effect.mapError(done, failed(place))) })
  }
  return purged
})

const work = (options: PurgeOptions) => {
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(options.place)),
  )
  // What was removed is printed, and the log would be printed between.
  const layer = Layer.merge(Layer.provideMerge(Retention.layer, storage), Logger.layer([]))
  return Effect.provide(purgeAll(options), layer)
}

const titles = {
  events: "events",
  answers: "idempotency keys",
  deliveries: "notes of deliveries",
  refundDocuments: "documents of refunds",
  resplitBatches: "batches of re-splits",
} as const satisfies Readonly<Record<keyof OldHistory, string>>

const kinds = ["events", "answers", "deliveries", "refundDocuments", "resplitBatches"] as const

const table = (purged: ReadonlyArray<PurgedAccount>): string =>
  Table.table(
    [{ title: "account" }, ...kinds.map((kind) => ({ title: titles[kind], isNumber: true }))],
    purged.map((one) => [one.accountId, ...kinds.map((kind) => String(one[kind]))]),
  )

const conclusion = (
  purged: ReadonlyArray<PurgedAccount>,
  { olderThan, isRehearsal }: PurgeOptions,
): string => {
  const total = purged.reduce(
    (sum, one) => sum + kinds.reduce((all, kind) => all + one[kind], 0),
    0,
  )
  const age = olderThan === "1" ? "1 month" : `${olderThan} months`
  if (total === 0) return `nothing that is older than ${age} has to go\n`
  return isRehearsal
    ? `${total} would go that are older than ${age}; nothing was removed\n`
    : `${total} removed that were older than ${age}\n`
}

/** Runs the command, and answers the exit code. */
export const run = async ({ io, note }: Session, options: PurgeOptions): Promise<number> => {
  const problem = wholeProblem(options.olderThan, { flag: "older-than", least: 1, most: 1_200 })
  if (problem !== undefined) throw new ExitCode.UnusableInput({ message: problem })
  const accounts = await Database.use(
    options.place,
    { create: false, note: (message) => note(`apportion: ${message}`) },
    work(options),
  )
  const text =
    options.format === "json"
      ? `${JSON.stringify(Json.inSnakeCase({ isDryRun: options.isRehearsal, accounts }), null, 2)}\n`
      : `${accounts.length === 0 ? "" : `${table(accounts)}\n`}${conclusion(accounts, options)}`
  await io.stdout.write(text)
  return ExitCode.success
}
