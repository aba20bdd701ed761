/**
 * Files of credit transfers for a bank: `pain.001.001.09` of ISO 20022, as the European Payments Council restricts it
 * for SEPA.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { guarded, show } from "../../internal/problems.js"
import { expected as aTime, isSeconds } from "../../internal/seconds.js"
import * as Cents from "../../money/Cents.js"
import * as Currency from "../../money/Currency.js"
import type { Problem } from "../../Problem.js"
import * as Fields from "../Fields.js"
import type { Instruction, Transfer } from "../Instruction.js"
import { dayOf, type Fitting, noteTransfers, take, takeText } from "../internal/batchFields.js"
import { type Unwritable, unwritable } from "../Unwritable.js"
import * as EndToEndId from "./EndToEndId.js"
import { element, escapeText } from "./internal/element.js"
import { partyOf } from "./internal/party.js"
import type { Party } from "./Party.js"

/**
 * Payments for one file: from one account, on one day.
 *
 * @since 0.6.0
 * @category models
 */
export interface Batch {
  /**
   * The file's id, at most 35 characters. A bank refuses a second file with the same id, so that none is paid twice.
   */
  readonly id: string
  /** When the file is made, in Unix seconds. */
  readonly createdAt: number
  /** The day on which the bank is to pay, as 2026-12-01. */
  readonly executeOn: string
  readonly payer: Party
  /**
   * Whether the account shows one debit for the whole file, or one for each transfer. When absent, the agreement with
   * the bank counts.
   */
  readonly batchBooking?: boolean | undefined
  readonly transfers: ReadonlyArray<Transfer<Party>>
}

/**
 * The data of a sent file with which answers about the whole file are read: each {@link Batch} is one.
 *
 * @since 0.6.0
 * @category models
 */
export interface SentBatch {
  readonly id: string
  readonly transfers: ReadonlyArray<Pick<Instruction, "key" | "amount" | "currency">>
  /** Keys of the transfers that the bank has rejected: one debit for the file may not include them. */
  readonly rejected?: ReadonlyArray<string> | undefined
}

const decimalOf = (amount: number): string =>
  Result.getOrElse(Currency.formatAmount(amount, "EUR"), () => "")

const transferOf = (fitting: Fitting, place: string, transfer: Transfer<Party>): string => {
  const id = take(fitting, place, EndToEndId.ofKey(transfer.key), "")
  const amount = take(fitting, place, Fields.fitAmount(transfer, Fields.sepa.amount), 0)
  const to = partyOf(fitting, `${place}.recipient`, transfer.recipient)
  const reference = takeText(fitting, place, transfer.reference, Fields.sepa.reference)
  return element(
    "CdtTrfTxInf",
    element("PmtId", element("EndToEndId", escapeText(id))),
    element("Amt", `<InstdAmt Ccy="EUR">${decimalOf(amount)}</InstdAmt>`),
    element("CdtrAgt", element("FinInstnId", to.bank)),
    element("Cdtr", to.name, to.address),
    element("CdtrAcct", to.account),
    element("RmtInf", element("Ustrd", escapeText(reference))),
  )
}

const instantOf = (value: number): Result.Result<string, Problem> =>
  isSeconds(value)
    ? Result.succeed(`${new Date(value * 1000).toISOString().slice(0, 19)}Z`)
    : Result.fail({ path: "createdAt", value, message: `must be ${aTime}, got ${show(value)}` })

/** The number of the transfers and their sum, which the bank compares with the transfers that it reads. */
const controlsOf = (fitting: Fitting, { transfers }: Batch): string => {
  const sum = Result.mapError(Cents.sum(transfers.map(({ amount }) => amount)), ({ message }) => ({
    path: "transfers",
    value: transfers,
    message,
  }))
  // An invalid amount is reported at its place in the batch.
  const total = fitting.problems.length > 0 ? 0 : take(fitting, "", sum, 0)
  return element("NbOfTxs", String(transfers.length)) + element("CtrlSum", decimalOf(total))
}

const namespace = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"

const documentOf = (fitting: Fitting, batch: Batch): string => {
  const id = element("MsgId", escapeText(takeText(fitting, "", batch.id, Fields.sepa.batchId)))
  const createdAt = take(fitting, "", instantOf(batch.createdAt), "")
  const day = take(fitting, "", dayOf(batch.executeOn, "executeOn"), "")
  const from = partyOf(fitting, "payer", batch.payer)
  noteTransfers(fitting, batch.transfers)
  const transfers = batch.transfers.map((transfer, index) =>
    transferOf(fitting, `transfers[${index}]`, transfer),
  )
  const controls = controlsOf(fitting, batch)
  const booking = batch.batchBooking === undefined ? "" : String(batch.batchBooking)
  const bank = from.bank === "" ? element("Othr", element("Id", "NOTPROVIDED")) : from.bank
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="${namespace}">`,
    "<CstmrCdtTrfInitn>",
    element("GrpHdr", id, element("CreDtTm", createdAt), controls, element("InitgPty", from.name)),
    "<PmtInf>",
    id.replaceAll("MsgId>", "PmtInfId>"),
    `${element("PmtMtd", "TRF")}${element("BtchBookg", booking)}${controls}`,
    element("PmtTpInf", element("SvcLvl", element("Cd", "SEPA"))),
    element("ReqdExctnDt", element("Dt", day)),
    element("Dbtr", from.name, from.address),
    element("DbtrAcct", from.account),
    element("DbtrAgt", element("FinInstnId", bank)),
    element("ChrgBr", "SLEV"),
    ...transfers,
    "</PmtInf>",
    "</CstmrCdtTrfInitn>",
    "</Document>",
  ]
  return `${lines.join("\n")}\n`
}

/**
 * Writes the file of a batch: one payment information with every transfer, their number and exact sum, all in euros.
 * Texts are written in the characters of SEPA. A text that can't be, a text that is too long, an invalid IBAN, another
 * currency, an amount outside of 0.01 to 999999999.99 euros, or a repeated key is refused, all at once and with their
 * paths, and then no file is written.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { CreditTransfers } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * const batch: CreditTransfers.Batch = {
 *   id: "payouts-2026-11",
 *   createdAt: 1_795_046_400,
 *   executeOn: "2026-11-20",
 *   payer: { name: "Paper & Print GmbH", iban: "DE02 1203 0000 0000 2020 51" },
 *   transfers: [
 *     {
 *       key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f",
 *       amount: 12_345,
 *       currency: "EUR",
 *       reference: "Your share of October",
 *       collaboratorId: "zoe",
 *       recipient: { name: "Zoë Søn", iban: "FR14 2004 1010 0505 0001 3M02 606" },
 *     },
 *   ],
 * }
 * const file = Result.getOrThrow(CreditTransfers.write(batch))
 * file.includes("<Cdtr><Nm>Zoe Son</Nm></Cdtr>") // => true
 * file.includes("<CtrlSum>123.45</CtrlSum>") // => true
 *
 * const wrong = CreditTransfers.write({ ...batch, executeOn: "2026-02-30" })
 * Result.isFailure(wrong) && wrong.failure.problems.map(({ path }) => path) // => ["executeOn"]
 * ```
 */
export const write = (batch: Batch): Result.Result<string, Unwritable> => {
  const made = guarded(batch, () => {
    const fitting: Fitting = { problems: [] }
    const text = documentOf(fitting, batch)
    return fitting.problems.length === 0 ? Result.succeed(text) : Result.fail(fitting.problems)
  })
  return Result.mapError(made, (problems) => unwritable("SEPA credit transfer file", problems))
}
