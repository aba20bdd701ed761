/**
 * Files of credits for the ACH network of the United States, as Nacha's operating rules have them: direct deposits to
 * people (PPD) and payments to companies (CCD).
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { at } from "../../internal/at.js"
import { addProblems, guarded, show } from "../../internal/problems.js"
import { expected as aTime, isSeconds } from "../../internal/seconds.js"
import type { Problem } from "../../Problem.js"
import * as Fields from "../Fields.js"
import type { Instruction, Transfer } from "../Instruction.js"
import {
  dayOf,
  type Fitting,
  matching,
  noteTransfers,
  take,
  takeText,
} from "../internal/batchFields.js"
import { type Unwritable, unwritable } from "../Unwritable.js"
import * as batchSizes from "./internal/batchSizes.js"
import * as records from "./internal/records.js"
import * as RoutingNumber from "./RoutingNumber.js"

/**
 * An account at a bank in the United States.
 *
 * @since 0.6.0
 * @category models
 */
export interface BankAccount {
  /** The name of the holder, cut after 22 characters: receivers are identified by their account. */
  readonly name: string
  /** The bank's nine digits. */
  readonly routing: string
  readonly account: string
  readonly type: "checking" | "savings"
  /** Whether the account is a company's (CCD) or a person's (PPD). */
  readonly isCompany: boolean
}

/**
 * Payments for one file, all of which are paid on one day.
 *
 * @since 0.6.0
 * @category models
 */
export interface AchBatch {
  /** The bank that receives the file, and from which its entries come. */
  readonly bank: { readonly name: string; readonly routing: string }
  /** The sender of the file, with the number of nine or ten digits that the bank has given. */
  readonly origin: { readonly name: string; readonly id: string }
  /** The payer, as receivers read it, with the id of ten characters that the bank has given. */
  readonly company: {
    readonly name: string
    readonly id: string
    /** The purpose, in at most ten characters, as ROYALTIES. */
    readonly description: string
  }
  /** When the file is made, in Unix seconds. The file has it in UTC. */
  readonly createdAt: number
  /** Distinguishes the files of a day, A to Z or 0 to 9; A when absent. */
  readonly modifier?: string | undefined
  /** The day on which the receivers are to be paid, as 2026-11-20. */
  readonly effectiveOn: string
  /** The number of the first entry, 1 when absent. Numbers that continue from file to file keep traces unique. */
  readonly firstEntry?: number | undefined
  readonly transfers: ReadonlyArray<Transfer<BankAccount>>
}

/**
 * The data of an entry that answers contain; they have no field for a key. With this data kept, an answer can be
 * assigned to its payment.
 *
 * @since 0.6.0
 * @category models
 */
export interface SentEntry {
  readonly key: string
  /** The trace number, which identifies the entry in the network: fifteen digits. */
  readonly trace: string
  /** The part of the key in the entry: at most fifteen characters. */
  readonly id: string
  readonly amount: number
}

/**
 * The data from which the entries of a file are computed.
 *
 * @since 0.6.0
 * @category models
 */
export interface SentAchFile {
  readonly bank: { readonly routing: string }
  readonly firstEntry?: number | undefined
  readonly transfers: ReadonlyArray<Pick<Instruction, "key" | "amount">>
}

/**
 * A file, and the data of its entries to keep.
 *
 * @since 0.6.0
 * @category models
 */
export interface AchFile {
  readonly text: string
  readonly entries: ReadonlyArray<SentEntry>
}

const longestId = 15

/** The id of an entry. Of a long key it is the end, in which keys of one time differ most. */
const idOf = (key: string): string =>
  key.length <= longestId ? key : key.replace(/[^0-9A-Za-z]/g, "").slice(-longestId)

/** The largest number that fits into a trace. */
const lastEntry = 9_999_999

const firstEntryOf = ({ firstEntry = 1, transfers }: AchBatch): Result.Result<number, Problem> => {
  const isRight = Number.isSafeInteger(firstEntry) && firstEntry >= 1
  if (isRight && firstEntry + transfers.length - 1 <= lastEntry) return Result.succeed(firstEntry)
  const message = `must be a whole number from 1, with a number up to ${lastEntry} for each transfer, got ${show(firstEntry)}`
  return Result.fail({ path: "firstEntry", value: firstEntry, message })
}

/** An entry with its lines. */
interface WrittenEntry {
  readonly sent: SentEntry
  readonly routing: string
  readonly isCompany: boolean
  readonly lines: ReadonlyArray<string>
}

const entryOf = (
  fitting: Fitting,
  place: string,
  transfer: Transfer<BankAccount>,
  { id, trace }: SentEntry,
): WrittenEntry => {
  const { nacha } = Fields
  const { recipient } = transfer
  const amount = take(fitting, place, Fields.fitAmount(transfer, nacha.amount), 0)
  takeText(fitting, place, transfer.key, nacha.key)
  const name = takeText(fitting, place, recipient.name, nacha.name)
  const to = `${place}.recipient`
  const routing = take(fitting, to, RoutingNumber.parse(recipient.routing), "")
  const account = takeText(fitting, place, recipient.account, nacha.account)
  const kind = matching(recipient.type, /^(?:checking|savings)$/, "type", '"checking" or "savings"')
  const code = take(fitting, to, kind, "") === "savings" ? "32" : "22"
  const reference = takeText(fitting, place, transfer.reference, nacha.reference)
  const sent: SentEntry = { key: transfer.key, trace, id, amount }
  const detail = {
    type: "6",
    code,
    routing,
    account,
    amount,
    id,
    name,
    hasAddenda: "1",
    trace,
  }
  // A note with a mutually defined code, as a segment of ANSI X12.
  const information = `NTE*ZZZ*${reference}\\`
  const more = { type: "7", kind: "05", information, place: 1, entry: Number(trace.slice(-7)) }
  const lines = [records.write(records.entryDetail, detail), records.write(records.addenda, more)]
  return { sent, routing, isCompany: recipient.isCompany === true, lines }
}

/** The counts and sums in the control records of a batch or a file. */
interface EntryCounts {
  readonly entries: number
  readonly hash: string
  readonly debits: number
  readonly credits: number
}

const countsOf = (entries: ReadonlyArray<WrittenEntry>): EntryCounts => ({
  entries: entries.reduce((sum, { lines }) => sum + lines.length, 0),
  hash: records.entryHash(entries.map(({ routing }) => routing)),
  debits: 0,
  credits: entries.reduce((sum, { sent }) => sum + sent.amount, 0),
})

/** The fitted values that all batches share. */
interface Common {
  readonly companyName: string
  readonly companyId: string
  readonly description: string
  readonly effectiveOn: string
  readonly bank: string
}

/** The service class code for credits only. */
const service = "220"

const batchLines = (
  common: Common,
  batch: number,
  entries: ReadonlyArray<WrittenEntry>,
): ReadonlyArray<string> => {
  const entryClass = entries[0]?.isCompany === true ? "CCD" : "PPD"
  const values = { ...common, service, batch, entryClass, status: "1" }
  return [
    records.write(records.batchHeader, { ...values, type: "5" }),
    ...entries.flatMap(({ lines }) => lines),
    records.write(records.batchControl, { ...values, ...countsOf(entries), type: "8" }),
  ]
}

const linesInBlock = 10

const timeOf = (value: number): Result.Result<string, Problem> =>
  isSeconds(value) && value >= 0
    ? Result.succeed(new Date(value * 1000).toISOString())
    : Result.fail({ path: "createdAt", value, message: `must be ${aTime}, got ${show(value)}` })

/** 2026-11-20 as 261120. */
const shortDay = (day: string): string => day.slice(2, 10).replaceAll("-", "")

const headerOf = (fitting: Fitting, batch: AchBatch, routing: string): string => {
  const { nacha } = Fields
  const createdAt = take(fitting, "", timeOf(batch.createdAt), "")
  const modifier = matching(batch.modifier ?? "A", /^[A-Z0-9]$/, "modifier", "A to Z or 0 to 9")
  return records.write(records.fileHeader, {
    ...{ type: "1", priority: "01", recordSize: "094", blocking: "10", format: "1" },
    destination: ` ${routing}`,
    origin: takeText(fitting, "", batch.origin.id, nacha.originId).padStart(10),
    date: shortDay(createdAt),
    time: createdAt.slice(11, 16).replace(":", ""),
    modifier: take(fitting, "", modifier, ""),
    destinationName: takeText(fitting, "", batch.bank.name, nacha.bankName),
    originName: takeText(fitting, "", batch.origin.name, nacha.originName),
  })
}

/** The largest sum that fits into the control records, in cents. */
const mostCredits = 999_999_999_999

const fileOf = (fitting: Fitting, batch: AchBatch): AchFile => {
  const { nacha } = Fields
  const routing = take(fitting, "bank", RoutingNumber.parse(batch.bank.routing), "")
  const header = headerOf(fitting, batch, routing)
  const common: Common = {
    companyName: takeText(fitting, "", batch.company.name, nacha.companyName),
    companyId: takeText(fitting, "", batch.company.id, nacha.companyId),
    description: takeText(fitting, "", batch.company.description, nacha.description),
    effectiveOn: shortDay(take(fitting, "", dayOf(batch.effectiveOn, "effectiveOn"), "")),
    bank: routing.slice(0, 8),
  }
  noteTransfers(fitting, batch.transfers)
  const first = take(fitting, "", firstEntryOf(batch), 1)
  const sent = entriesOf({ ...batch, firstEntry: first })
  const entries = batch.transfers.map((transfer, index) =>
    entryOf(fitting, `transfers[${index}]`, transfer, at(sent, index)),
  )
  const { credits } = countsOf(entries)
  if (credits > mostCredits) {
    const message = `must come to at most ${mostCredits} cents, come to ${credits}`
    addProblems(fitting.problems, [{ path: "transfers", value: batch.transfers, message }])
  }
  const people = entries.filter(({ isCompany }) => !isCompany)
  const companies = entries.filter(({ isCompany }) => isCompany)
  const batches = [people, companies].filter(({ length }) => length > 0)
  const tooMany = batchSizes.problemOf({ people: people.length, companies: companies.length })
  if (tooMany !== undefined) {
    addProblems(fitting.problems, [{ path: "transfers", value: batch.transfers, message: tooMany }])
  }
  const lines = [header, ...batches.flatMap((each, index) => batchLines(common, index + 1, each))]
  const blocks = Math.ceil((lines.length + 1) / linesInBlock)
  const control = { type: "9", batches: batches.length, blocks, ...countsOf(entries) }
  lines.push(records.write(records.fileControl, control))
  while (lines.length < blocks * linesInBlock) lines.push("9".repeat(records.recordLength))
  return { text: `${lines.join("\n")}\n`, entries: entries.map(({ sent }) => sent) }
}

/**
 * Computes the entries of a file again, as {@link write} returned them, for hosts that have not kept them. `transfers`
 * are the transfers of the file in their order; recipients are not needed.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CreditFile } from "apportion/rails/nacha"
 *
 * CreditFile.entriesOf({
 *   bank: { routing: "091000019" },
 *   transfers: [{ key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f", amount: 12_345 }, { key: "payout-8", amount: 800 }],
 * }).map(({ trace, id }) => `${trace} ${id}`)
 * // => ["091000010000001 8c4dc0c0c07398f", "091000010000002 payout-8"]
 * ```
 */
export const entriesOf = ({
  bank,
  firstEntry = 1,
  transfers,
}: SentAchFile): ReadonlyArray<SentEntry> =>
  transfers.map(({ key, amount }, index) => ({
    ...{ key, amount, id: idOf(String(key)) },
    trace: `${String(bank.routing).trim().slice(0, 8)}${String(firstEntry + index).padStart(7, "0")}`,
  }))

/**
 * Writes the file of a batch: a batch of entries for people and one for companies, each entry with an addenda record
 * that carries the reference, control records with counts, hash and sums, in blocks of ten lines. Texts are written in
 * ASCII. Values that don't fit are refused, all at once and with their paths, and then no file is written.
 *
 * An answer names an entry by its trace number and has no key: `entries` is the data with which {@link ReturnFile.read}
 * finds its payment.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { CreditFile } from "apportion/rails/nacha"
 * import * as Result from "effect/Result"
 *
 * const batch: CreditFile.AchBatch = {
 *   bank: { name: "First Bank", routing: "091000019" },
 *   origin: { name: "Paper Heron", id: "1234567890" },
 *   company: { name: "Paper Heron", id: "1234567890", description: "ROYALTIES" },
 *   createdAt: 1_795_046_400,
 *   effectiveOn: "2026-11-20",
 *   transfers: [
 *     {
 *       key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f",
 *       amount: 12_345,
 *       currency: "USD",
 *       reference: "Your share of October",
 *       collaboratorId: "zoe",
 *       recipient: { name: "Zoë Søn", routing: "021000021", account: "123456789", type: "checking", isCompany: false },
 *     },
 *   ],
 * }
 * const { text, entries } = Result.getOrThrow(CreditFile.write(batch))
 * text.split("\n")[2]
 * // => "622021000021123456789        00000123458c4dc0c0c07398fZoe Son                 1091000010000001"
 * entries.map(({ trace }) => trace) // => ["091000010000001"]
 * ```
 */
export const write = (batch: AchBatch): Result.Result<AchFile, Unwritable> => {
  const made = guarded(batch, () => {
    const fitting: Fitting = { problems: [] }
    const file = fileOf(fitting, batch)
    return fitting.problems.length === 0 ? Result.succeed(file) : Result.fail(fitting.problems)
  })
  return Result.mapError(made, (problems) => unwritable("ACH credit file", problems))
}
