/**
 * Wise's list of transactions as CSV, `transaction-history.csv`: the answer to a batch file.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { parse as parseTime } from "../../internal/instant.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import type { Transfer } from "../Instruction.js"
import { outcomeOf } from "../internal/answers.js"
import { type CsvLine, parse } from "../internal/csv.js"
import { fromDecimal } from "../internal/units.js"
import type { Outcome, OutcomeType } from "../Outcome.js"
import type { WiseRecipient } from "./BatchFile.js"

const meanings: ReadonlyMap<string, OutcomeType> = /* @__PURE__ */ new Map([
  ["COMPLETED", "confirmed"],
  ["PENDING", "accepted"],
  ["PROCESSING", "accepted"],
  ["CANCELLED", "rejected"],
  ["REFUNDED", "returned"],
])

const arrived = "Target amount (after fees)"

const columns = ["ID", "Status", "Direction", arrived, "Target currency", "Reference"]

const isTransfer = (line: CsvLine): boolean =>
  line.cell("Direction") === "OUT" && line.cell("ID").startsWith("TRANSFER-")

const plain = (name: string): string => name.trim().toLowerCase()

/** The data by which a line and a payment are compared. */
const marks = (...parts: ReadonlyArray<string | number | null>): string => JSON.stringify(parts)

/** The keys of payments by that data, so that each line is looked up at once. */
type KeysByMarks = ReadonlyMap<string, ReadonlyArray<string>>

const keysOf = (transfers: ReadonlyArray<Transfer<WiseRecipient>>): KeysByMarks => {
  const keys = new Map<string, Array<string>>()
  for (const { key, amount, currency, reference, recipient } of transfers) {
    const name = marks(amount, currency, reference.trim(), plain(recipient.name))
    const same = keys.get(name)
    if (same === undefined) keys.set(name, [key])
    else same.push(key)
  }
  return keys
}

/** The key of the only payment that matches the line; `null` if none or several do. */
const keyOf = (line: CsvLine, { amount, currency }: Outcome, keys: KeysByMarks): string | null => {
  const name = marks(amount, currency, line.cell("Reference"), plain(line.cell("Target name")))
  const [only, ...others] = keys.get(name) ?? []
  return only !== undefined && others.length === 0 ? only : null
}

const outcomeIn = (line: CsvLine): Outcome => {
  const status = line.cell("Status").toUpperCase()
  const type = meanings.get(status) ?? "unknown"
  const currency = line.cell("Target currency")
  const isSame = line.cell("Source fee currency") === currency
  const time = line.cell("Finished on") || line.cell("Created on")
  return outcomeOf(type, {
    railReference: line.cell("ID"),
    at: parseTime(`${time.replace(" ", "T")}Z`) ?? null,
    amount: fromDecimal(line.cell(arrived), currency),
    currency: currency === "" ? null : currency,
    fee: isSame ? fromDecimal(line.cell("Source fee amount"), currency) : null,
    reason: type === "confirmed" || type === "accepted" ? null : status,
  })
}

/**
 * Reads all outgoing transfers of the list, in order. Wise does not return the key: it is the key of the only payment
 * with the same amount, currency, reference and name, and `null` if none or several match. Two lines for one payment
 * both have its key, so that the repetition is visible. Times have no zone and are read as UTC. Fails with `Unreadable`
 * when the text is no such list.
 *
 * @param transfers - the payments that a line may be of: those of the batch file
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { TransactionHistory } from "apportion/rails/wise"
 * import { Result } from "effect"
 *
 * const transfer = {
 *   key: "at-1",
 *   amount: 1999,
 *   currency: "GBP",
 *   reference: "Royalties May",
 *   collaboratorId: "ada",
 *   recipient: { name: "Ada Lovelace", account: { sortCode: "231470", accountNumber: "28821822" } },
 * }
 * const list = [
 *   "ID,Status,Direction,Finished on,Target name,Target amount (after fees),Target currency,Reference",
 *   "TRANSFER-7,COMPLETED,OUT,2026-08-03 14:23:11,Ada Lovelace,19.99,GBP,Royalties May",
 * ].join("\n")
 * const [outcome] = Result.getOrThrow(TransactionHistory.read(list, [transfer]))
 * outcome?.key // => "at-1"
 * outcome?.type // => "confirmed"
 * ```
 */
export const read = (
  text: string,
  transfers: ReadonlyArray<Transfer<WiseRecipient>>,
): Result.Result<ReadonlyArray<Outcome>, Unreadable> => {
  const file = parse(text, columns)
  if (file.problems.length > 0) {
    return Result.fail(unreadable("Wise transaction history", file.problems))
  }
  const keys = keysOf(transfers)
  const outcomes = file.lines.filter(isTransfer).map((line) => {
    const outcome = outcomeIn(line)
    return { ...outcome, key: keyOf(line, outcome, keys) }
  })
  return Result.succeed(outcomes)
}
