/** `apportion audit`: compares all payouts with their histories, and computes all sales again. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Json from "../../internal/names.js"
import { Storage } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { Audit, type PayoutAudit, type SaleAudit } from "../../service/Audit.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as ExitCode from "../ExitCode.js"
import * as Table from "../output/Table.js"
import type { Session } from "../Session.js"
import * as Database from "./Database.js"
import type { Kept } from "./DatabaseOptions.js"

/** What the command works on. */
export interface AuditOptions {
  readonly place: Kept
  readonly account: string | undefined
  readonly format: "table" | "json"
}

interface Audited extends PayoutAudit {
  readonly accountId: string
  readonly sales: SaleAudit
}

const failed =
  (place: Kept) =>
  ({ message }: StorageError) =>
    new ExitCode.Unavailable({ message: `${Database.nameOf(place)}: ${message}` })

const accountsOf = Effect.fnUntraced(function* ({ place, account }: AuditOptions) {
  const storage = yield* Storage
  const all = yield* Effect.mapError(storage.accounts, failed(place))
  if (account === undefined) return all
  if (all.includes(account)) return [account]
  const message = `--account: ${Database.nameOf(place)} has nothing of an account "${account}"`
  return yield* new ExitCode.UnusableInput({ message })
})

const auditAll = Effect.fnUntraced(function* (options: AuditOptions) {
  const audit = yield* Audit
  const audited: Array<Audited> = []
  for (const accountId of yield* accountsOf(options)) {
    const found = yield* Effect.mapError(audit.payouts(accountId), failed(options.place))
    const sales = yield* Effect.mapError(audit.sales(accountId), failed(options.place))
    audited.push({ accountId, ...found, sales })
  }
  return audited
})

const work = (options: AuditOptions) => {
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(options.place)),
  )
  return Effect.provide(auditAll(options), Layer.provideMerge(Audit.layer, storage))
}

const shown = (value: unknown): string =>
  value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value)

const tables = (audited: ReadonlyArray<Audited>): string => {
  const summary = Table.table(
    [
      { title: "account" },
      { title: "payouts", isNumber: true },
      { title: "differences", isNumber: true },
    ],
    audited.map(({ accountId, checked, differences }) => [
      ...[accountId, String(checked), String(differences.length)],
    ]),
  )
  const rows = audited.flatMap(({ accountId, differences }) =>
    differences.map(({ payoutId, kind, version, field, stored, rebuilt }) => [
      ...[accountId, payoutId, kind, version === null ? "" : String(version), field],
      ...[shown(stored), shown(rebuilt)],
    ]),
  )
  if (rows.length === 0) return summary
  const titles = ["account", "payout", "difference", "version", "field", "stored", "rebuilt"]
  return `${summary}\n${Table.table(
    titles.map((title) => ({ title, isNumber: title === "version" })),
    rows,
  )}`
}

/** A note on how many entries have no hash: they were written by versions before 0.6.0. */
const unproved = (audited: ReadonlyArray<Audited>): string => {
  const all = audited.flatMap(({ unhashed = [] }) => unhashed)
  if (all.length === 0) return ""
  const entries = all.reduce((sum, one) => sum + one.entries, 0)
  const counted = entries === 1 ? "1 entry has" : `${entries} entries have`
  const payouts = all.length === 1 ? "1 payout" : `${all.length} payouts`
  const held = "--format json says since which entry the chain of hashes of each holds"
  return `note: in the histories of ${payouts}, ${counted} no hash, being older than version 0.6.0: nothing proves that they were not changed (${held})\n`
}

const conclusion = (audited: ReadonlyArray<Audited>): string => {
  const checked = audited.reduce((sum, one) => sum + one.checked, 0)
  const differences = audited.reduce((sum, one) => sum + one.differences.length, 0)
  const payouts = checked === 1 ? "1 payout" : `${checked} payouts`
  if (differences === 0) return `no difference: ${payouts} compared with the history\n`
  const found = differences === 1 ? "1 difference" : `${differences} differences`
  return `${found} in ${payouts}: the stored figures differ from the histories\n`
}

/** Recorded sales whose split can't be reproduced, whose shares are not in the payouts, or that counters contradict. */
const ofSales = (audited: ReadonlyArray<Audited>): string =>
  audited
    .flatMap(({ accountId, sales }) =>
      [...sales.differences, ...sales.counters].map(
        ({ message }) => `account ${accountId}: ${message}\n`,
      ),
    )
    .join("")

/** Runs the command, and answers the exit code. */
export const run = async ({ io, note }: Session, options: AuditOptions): Promise<number> => {
  const audited = await Database.use(
    options.place,
    { create: false, note: (message) => note(`apportion: ${message}`) },
    work(options),
  )
  const text =
    options.format === "json"
      ? `${JSON.stringify(Json.inSnakeCase({ accounts: audited }), null, 2)}\n`
      : `${audited.length === 0 ? "" : `${tables(audited)}\n`}${conclusion(audited)}${ofSales(audited)}${unproved(audited)}`
  await io.stdout.write(text)
  const isSound = audited.every(
    ({ differences, sales }) =>
      differences.length + sales.differences.length + sales.counters.length === 0,
  )
  return isSound ? ExitCode.success : ExitCode.different
}
