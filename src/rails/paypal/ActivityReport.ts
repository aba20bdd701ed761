/**
 * PayPal's activity report of the account as CSV: the answer to an uploaded file.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import { outcomeOf } from "../internal/answers.js"
import { type CsvLine, parse } from "../internal/csv.js"
import { fromDecimal } from "../internal/units.js"
import type { Outcome, OutcomeType } from "../Outcome.js"
import * as CustomerId from "./CustomerId.js"

/** The outcomes of the report's statuses, in English. */
const meanings: ReadonlyMap<string, OutcomeType> = /* @__PURE__ */ new Map([
  ["completed", "confirmed"],
  ["pending", "accepted"],
  ["processing", "accepted"],
  ["held", "accepted"],
  ["unclaimed", "accepted"],
  ["returned", "rejected"],
  ["denied", "rejected"],
  ["failed", "rejected"],
  ["canceled", "rejected"],
  ["cancelled", "rejected"],
  ["refunded", "returned"],
  ["reversed", "returned"],
])

const columns = ["Type", "Status", "Currency", "Gross", "Transaction ID"]

const isPayment = (line: CsvLine): boolean => /^mass\s*pay/i.test(line.cell("Type"))

const minus = /^[-\u2212]/

/**
 * The outcome that a status means for the payment. Incoming money is a returned payment, on its own line, whose status
 * is about the return.
 */
const meaningOf = (status: string, isIncoming: boolean): OutcomeType => {
  const type = meanings.get(status.toLowerCase()) ?? "unknown"
  if (!isIncoming) return type
  return type === "confirmed" || type === "returned" ? "returned" : "unknown"
}

/** Outgoing amounts are below zero, with separated thousands: `-1,234.56`, or `-1.234,56` in other countries. */
const amountOf = (text: string, currency: string): number | null => {
  const digits = text.replace(minus, "")
  const isComma = /,\d{1,2}$/.test(digits)
  const plain = isComma ? digits.replaceAll(".", "").replace(",", ".") : digits.replaceAll(",", "")
  return fromDecimal(plain, currency)
}

const reasonOf = (type: OutcomeType, words: string): string | null =>
  type === "confirmed" || type === "accepted" ? null : words

const outcomeIn = (line: CsvLine, keyColumn: string): Outcome => {
  const status = line.cell("Status")
  const currency = line.cell("Currency").toUpperCase()
  const amount = amountOf(line.cell("Gross"), currency)
  const isIncoming = amount !== null && amount > 0 && !minus.test(line.cell("Gross"))
  const type = meaningOf(status, isIncoming)
  const id = line.cell(keyColumn)
  const isMade = type === "confirmed" || type === "returned"
  return outcomeOf(type, {
    key: id === "" ? null : CustomerId.toKey(id),
    railReference: line.cell("Transaction ID") || null,
    amount,
    currency: currency === "" ? null : currency,
    fee: isMade ? amountOf(line.cell("Fee"), currency) : null,
    reason: reasonOf(type, isIncoming ? `${line.cell("Type")}, ${status}` : status),
  })
}

/**
 * Reads the report as PayPal's site gives it in English, with commas, semicolons or tabs: the lines whose type is a
 * mass payment, in their order. A line of incoming money is a returned payment. PayPal does not document the column of
 * the customer id, so it is a setting; where the column is missing or empty, the key is `null`. The format of dates
 * depends on the account's country and is ambiguous, so `at` is always `null`. Fails with `Unreadable` when the text is
 * no such report.
 *
 * @param options.keyColumn - the column with the customer id; `Custom Number` by default
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { ActivityReport } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const report = [
 *   "Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Custom Number",
 *   '01/27/2026,10:17:41,PST,Ada,Mass Pay Payment,Completed,USD,"-1,009.87",-0.25,"-1,010.12",4YH1,at-1',
 *   "01/27/2026,10:20:00,PST,Shop,Website Payment,Completed,USD,19.99,-0.88,19.11,7KL2,",
 * ].join("\n")
 * const [outcome] = Result.getOrThrow(ActivityReport.read(report))
 * outcome?.key // => "at-1"
 * outcome?.amount // => 100987
 * outcome?.fee // => 25
 * ```
 */
export const read = (
  text: string,
  options: { readonly keyColumn?: string | undefined } = {},
): Result.Result<ReadonlyArray<Outcome>, Unreadable> => {
  const file = parse(text, columns)
  return file.problems.length > 0
    ? Result.fail(unreadable("PayPal activity report", file.problems))
    : Result.succeed(
        file.lines
          .filter(isPayment)
          .map((line) => outcomeIn(line, options.keyColumn ?? "Custom Number")),
      )
}
