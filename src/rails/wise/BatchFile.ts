/**
 * Wise's batch file, to upload on its site.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { addProblems } from "../../internal/problems.js"
import { isFields } from "../../internal/reader.js"
import { fitAmount, type TextField, wise } from "../Fields.js"
import type { Transfer } from "../Instruction.js"
import { type Fitting, noteTransfers, take, takeText } from "../internal/batchFields.js"
import { lines } from "../internal/csv.js"
import { decimal } from "../internal/units.js"
import { type Unwritable, written } from "../Unwritable.js"
import {
  type AccountColumn,
  accountCells,
  accountColumns,
  type WiseAccount,
} from "./internal/columns.js"

export type { WiseAccount } from "./internal/columns.js"

/**
 * A recipient at Wise: one that is saved in the host's account, an e-mail address whose owner Wise asks for an account,
 * or a bank account.
 *
 * @since 0.6.0
 * @category models
 */
export type WiseRecipient =
  | {
      /** The id in Wise's file of saved recipients. */
      readonly recipientId: string
      readonly name: string
    }
  | {
      readonly email: string
      readonly name: string
      /** Whether it is a business, and not a person. */
      readonly isBusiness?: boolean | undefined
    }
  | {
      readonly account: WiseAccount
      /** As on the account. */
      readonly name: string
      readonly email?: string | undefined
      /** Whether it is a business, and not a person. */
      readonly isBusiness?: boolean | undefined
    }

/**
 * Payments for one file: at most 1,000, to one kind of recipient.
 *
 * @since 0.6.0
 * @category models
 */
export interface WiseBatch {
  /** The currency of the paying balance: an ISO 4217 code, as EUR. */
  readonly sourceCurrency: string
  readonly transfers: ReadonlyArray<Transfer<WiseRecipient>>
}

type Template = "account" | "email" | "saved"

const common = "name recipientEmail paymentReference receiverType amountCurrency amount"

/** The columns of each of Wise's templates, without those of accounts. */
const templates: Readonly<Record<Template, string>> = {
  account: `${common} sourceCurrency targetCurrency`,
  email: `${common} sourceCurrency targetCurrency`,
  saved: `recipientId recipientDetail ${common} sourceCurrency targetCurrency`,
}

const templateOf = (recipient: unknown): Template | undefined => {
  if (!isFields(recipient)) return undefined
  if ("account" in recipient) return "account"
  if ("recipientId" in recipient) return "saved"
  return "email" in recipient ? "email" : undefined
}

const referenceOf = (currency: string): TextField => {
  const own: Readonly<Record<string, TextField>> = wise.references
  return (Object.hasOwn(own, currency) ? own[currency] : undefined) ?? wise.reference
}

type CellsByColumn = Readonly<Record<string, string>>

const recipientCells = (
  fitting: Fitting,
  place: string,
  transfer: Transfer<WiseRecipient>,
): CellsByColumn => {
  const { recipient, currency } = transfer
  const text = (value: unknown, field: TextField) => takeText(fitting, place, value, field)
  const name = text(recipient.name, wise.name)
  if ("recipientId" in recipient) {
    return { recipientId: text(recipient.recipientId, wise.recipientId), name }
  }
  const receiverType = recipient.isBusiness === true ? "INSTITUTION" : "PERSON"
  const recipientEmail = recipient.email === undefined ? "" : text(recipient.email, wise.email)
  const cells = { name, recipientEmail, receiverType }
  return "account" in recipient
    ? { ...cells, ...accountCells(fitting, place, recipient.account, currency) }
    : cells
}

const transferCells = (
  fitting: Fitting,
  place: string,
  transfer: Transfer<WiseRecipient>,
  sourceCurrency: string,
): CellsByColumn => {
  const { currency } = transfer
  const amount = take(fitting, place, fitAmount(transfer, wise.amount), 0)
  return {
    ...recipientCells(fitting, place, transfer),
    paymentReference: takeText(fitting, place, transfer.reference, referenceOf(currency)),
    // The amount that arrives is fixed; Wise's fee is added.
    amountCurrency: "target",
    amount: decimal({ amount, currency }, wise.amount),
    sourceCurrency,
    targetCurrency: currency,
  }
}

const noteBatch = (fitting: Fitting, { sourceCurrency, transfers }: WiseBatch): Template => {
  noteTransfers(fitting, transfers)
  const note = (path: string, value: unknown, message: string) =>
    addProblems(fitting.problems, [{ path, value, message }])
  if (transfers.length > 1_000) {
    note("transfers", transfers, `must have at most 1000 transfers, has ${transfers.length}`)
  }
  const source = fitAmount({ amount: 1_000, currency: sourceCurrency }, wise.amount)
  if (Result.isFailure(source)) note("sourceCurrency", sourceCurrency, source.failure.message)
  const template = templateOf(transfers[0]?.recipient) ?? "account"
  for (const [index, { recipient }] of transfers.entries()) {
    const own = templateOf(recipient)
    const path = `transfers[${index}].recipient`
    if (own === undefined) note(path, recipient, "must have an account, a recipientId or an email")
    else if (own !== template) {
      note(path, recipient, "must be named as in transfers[0]: a file has one kind of recipient")
    }
  }
  return template
}

/**
 * Writes the file: a header and a line for each payment, in the columns of Wise's templates. With bank accounts it has
 * the columns of every currency that is in it. The amounts are those that arrive; Wise's fee is added. The file has no
 * column for the key: `TransactionHistory` finds the payment by its other data. Values that Wise would refuse or a
 * spreadsheet would run are refused, all at once and with their paths, and then no file is written. Wise does not
 * recognise a file that is uploaded twice: it pays twice.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { BatchFile } from "apportion/rails/wise"
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
 * const file = Result.getOrThrow(BatchFile.write({ sourceCurrency: "EUR", transfers: [transfer] }))
 * const [header, line] = file.split("\r\n")
 * header?.split(",").slice(-3) // => ["targetCurrency", "sortCode", "accountNumber"]
 * line // => "Ada Lovelace,,Royalties May,PERSON,target,19.99,EUR,GBP,231470,28821822"
 * ```
 */
export const write = (batch: WiseBatch): Result.Result<string, Unwritable> =>
  written("Wise batch file", batch, (problems) => {
    const fitting = { problems }
    const template = noteBatch(fitting, batch)
    if (problems.some(({ path }) => path.endsWith(".recipient"))) return ""
    const rows = batch.transfers.map((transfer, index) =>
      transferCells(fitting, `transfers[${index}]`, transfer, batch.sourceCurrency),
    )
    const isUsed = (column: AccountColumn) => rows.some((row) => Object.hasOwn(row, column))
    const columns = [...templates[template].split(" "), ...accountColumns.filter(isUsed)]
    return lines([columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))])
  })
