/**
 * Answers of the ACH network: returned entries, and notifications of change.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { Problem } from "../../Problem.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import type { Outcome } from "../Outcome.js"
import type { SentEntry } from "./CreditFile.js"
import { type AchEntry, type AchLine, readLines, refuse } from "./internal/achLines.js"
import { changeReason, returnReason } from "./internal/reasons.js"
import * as records from "./internal/records.js"

/**
 * The sent entries that a file may be about.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReturnOptions {
  /** The entries that {@link CreditFile.write} returned for each file; without them no outcome has a key. */
  readonly sent?: ReadonlyArray<SentEntry> | undefined
}

/**
 * A correction that a bank asks for in the next entry for a receiver. The payment itself has reached them.
 *
 * @since 0.6.0
 * @category models
 */
export interface Correction {
  readonly key: string | null
  /** The trace number of its entry. */
  readonly trace: string
  /** The kind of change, as C01. */
  readonly code: string
  /** The correct value, as the bank writes it: account number, routing number, or several in columns. */
  readonly data: string
}

/**
 * The content of a file.
 *
 * @since 0.6.0
 * @category models
 */
export interface Answers {
  readonly outcomes: ReadonlyArray<Outcome>
  readonly corrections: ReadonlyArray<Correction>
}

interface KeyOrDoubt {
  readonly key: string | null
  /** Why there is no key. */
  readonly doubt: string | undefined
}

type SentByTrace = ReadonlyMap<string, ReadonlyArray<SentEntry>>

/** The sent entry of an answer. Traces repeat when numbers begin again, so id and amount must match too. */
const ownerOf = (
  sent: SentByTrace,
  entry: { readonly trace: string; readonly id: string; readonly amount: number | undefined },
): KeyOrDoubt => {
  const withTrace = sent.get(entry.trace) ?? []
  const found = withTrace.filter(
    ({ id, amount }) => id === entry.id && (entry.amount === undefined || amount === entry.amount),
  )
  const [only] = found
  if (only !== undefined && found.length === 1) return { key: only.key, doubt: undefined }
  if (found.length > 1) return { key: null, doubt: "several sent entries are like it" }
  return {
    key: null,
    doubt: withTrace.length > 0 ? "id or amount is another than sent" : undefined,
  }
}

/** 261120 and 1405 as Unix seconds, in UTC. */
const timeOf = (problems: Array<Problem>, header: AchLine | undefined): number | null => {
  if (header === undefined) return null
  const { date = "", time = "" } = records.read(records.fileHeader, header.text)
  const day = /^(\d\d)(\d\d)(\d\d)$/.exec(date)
  const [, hour = "00", minute = "00"] = /^(\d\d)(\d\d)$/.exec(time) ?? []
  const [year, month, dayOfMonth] = day?.slice(1) ?? []
  const seconds = Date.parse(`20${year}-${month}-${dayOfMonth}T${hour}:${minute}:00Z`) / 1000
  if (Number.isSafeInteger(seconds)) return seconds
  refuse(problems, header, "must have the file's date as YYMMDD")
  return null
}

interface Attribution {
  readonly at: number | null
  readonly sent: SentByTrace
  readonly problems: Array<Problem>
}

/** Codes of a return of a return, which a person must judge. */
const isOfReturn = (code: string): boolean => /^R(?:6[1-9]|7\d)$/.test(code)

const answerOf = (
  { at, sent, problems }: Attribution,
  { detail, addenda }: AchEntry,
  line: AchLine,
): Answers => {
  const kind = line.text.slice(1, 3)
  const isReturn = kind === "99"
  if (!isReturn && kind !== "98") {
    refuse(problems, line, "must be of a return (99) or a notification of change (98)")
    return { outcomes: [], corrections: [] }
  }
  const entry = records.read(records.entryDetail, detail.text)
  const columns = isReturn ? records.returnAddenda : records.changeAddenda
  const {
    reason: code = "",
    originalTrace = "",
    information = "",
  } = records.read(columns, line.text)
  if (!/^[RC]\d\d$/.test(code)) refuse(problems, line, "must have a code of its reason, as R03")
  if (!/^\d{15}$/.test(originalTrace)) refuse(problems, line, "must have the trace of the entry")
  if (!/^\d{10}$/.test(entry.amount ?? "")) refuse(problems, detail, "must have an amount")
  if (addenda.length > 1)
    refuse(problems, addenda[1] ?? line, "must be the only addenda of its entry")
  // A notification of change has no amount.
  const amount = isReturn ? Number(entry.amount) : undefined
  const { key, doubt } = ownerOf(sent, { trace: originalTrace, id: entry.id ?? "", amount })
  const why = isReturn ? returnReason(code, information) : changeReason(code, information)
  const open = isOfReturn(code) ? "unknown" : "returned"
  const outcome: Outcome = {
    ...{ key, railReference: originalTrace, type: isReturn ? open : "accepted", at },
    ...{ amount: amount ?? null, currency: isReturn ? "USD" : null, fee: null },
    reason: doubt === undefined ? why : `${why} (${doubt})`,
  }
  const correction: Correction = { key, trace: originalTrace, code, data: information }
  return { outcomes: [outcome], corrections: isReturn ? [] : [correction] }
}

/** Returned credits have codes of their own; a debit that is returned is not one of the payments. */
const isOfCredit = ({ detail }: AchEntry): boolean => /^.[2345][1-4]/.test(detail.text)

const answersIn = (
  text: string,
  sent: ReadonlyArray<SentEntry>,
  problems: Array<Problem>,
): Answers => {
  const file = readLines(text, problems)
  const byTrace = new Map<string, Array<SentEntry>>()
  for (const entry of sent) {
    const others = byTrace.get(entry.trace)
    if (others === undefined) byTrace.set(entry.trace, [entry])
    else others.push(entry)
  }
  const reading: Attribution = { at: timeOf(problems, file.header), sent: byTrace, problems }
  const answers = file.batches.flatMap(({ entries }) =>
    entries.flatMap((entry): ReadonlyArray<Answers> => {
      const [line] = entry.addenda
      if (line === undefined)
        refuse(problems, entry.detail, "must have an addenda record that says why")
      return line === undefined || !isOfCredit(entry) ? [] : [answerOf(reading, entry, line)]
    }),
  )
  return {
    outcomes: answers.flatMap(({ outcomes }) => outcomes),
    corrections: answers.flatMap(({ corrections }) => corrections),
  }
}

/**
 * Reads a file of returns and notifications of change into the outcomes of payments, and the corrections for later
 * entries. Returned debits, which are no payments, are left out.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { ReturnFile } from "apportion/rails/nacha"
 * import * as Result from "effect/Result"
 *
 * const file = [
 *   "101 123456789 0910000192611231405A094101PAPER HERON            FIRST BANK",
 *   "5220PAPER HERON                         1234567890CORROYALTIES       261123   1021000020000001",
 *   "621091000019123456789        00000000008c4dc0c0c07398fZOE SON                 1021000020000001",
 *   "798C01091000010000001      021000021918171614                                  021000020000001",
 *   "820000000200091000010000000000000000000000001234567890                         021000020000001",
 *   "9000001000001000000020009100001000000000000000000000000",
 * ].join("\n")
 *
 * const { corrections } = Result.getOrThrow(ReturnFile.readAll(file))
 * corrections // => [{ key: null, trace: "091000010000001", code: "C01", data: "1918171614" }]
 * ```
 */
export const readAll = (
  file: string,
  { sent = [] }: ReturnOptions = {},
): Result.Result<Answers, Unreadable> => {
  const problems: Array<Problem> = []
  const answers = answersIn(file, sent, problems)
  return problems.length === 0
    ? Result.succeed(answers)
    : Result.fail(unreadable("ACH return file", problems))
}

/**
 * Reads a file of returns and notifications of change into the outcomes of payments. A returned credit is `returned`
 * with the reason's code and words; a notification of change is `accepted`, because the payment has arrived, and {@link
 * readAll} returns the correction; a return of a return is `unknown`. An entry is identified by the trace number, id
 * and amount of a `sent` entry. Where they don't agree, the key is `null`, the trace number is the reference, and the
 * reason says so. Control records are compared with the records before them, so that a cut or changed file is refused.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { ReturnFile } from "apportion/rails/nacha"
 * import * as Result from "effect/Result"
 *
 * const file = [
 *   "101 123456789 0910000192611231405A094101PAPER HERON            FIRST BANK",
 *   "5220PAPER HERON                         1234567890PPDROYALTIES       261120   1021000020000001",
 *   "621091000019123456789        00000123458c4dc0c0c07398fZOE SON                 1021000020000001",
 *   "799R03091000010000001      02100002                                            021000020000001",
 *   "822000000200091000010000000000000000000123451234567890                         021000020000001",
 *   "9000001000001000000020009100001000000000000000000012345",
 * ].join("\n")
 * const sent = [
 *   { key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f", trace: "091000010000001", id: "8c4dc0c0c07398f", amount: 12_345 },
 * ]
 *
 * const [outcome] = Result.getOrThrow(ReturnFile.read(file, { sent }))
 * outcome?.key // => "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"
 * outcome?.type // => "returned"
 * outcome?.reason // => "R03 no account, or not found"
 * ```
 */
export const read = (
  file: string,
  options: ReturnOptions = {},
): Result.Result<ReadonlyArray<Outcome>, Unreadable> =>
  Result.map(readAll(file, options), ({ outcomes }) => outcomes)
