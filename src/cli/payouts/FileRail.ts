/** The rails that are paid by files: which payments each takes, its settings, its files and its answers. */
import * as Result from "effect/Result"
import {
  choice,
  type Field,
  flag,
  listOf,
  objectOf,
  optional,
  read,
  type Shape,
  text,
} from "../../internal/fields.js"
import { note, within } from "../../internal/problems.js"
import { isFields } from "../../internal/reader.js"
import type { Problem } from "../../Problem.js"
import type { PaymentTerms } from "../../payouts/PaymentTerms.js"
import * as Fields from "../../rails/Fields.js"
import type { Instruction, Transfer } from "../../rails/Instruction.js"
import type { AchBatch, BankAccount } from "../../rails/nacha/CreditFile.js"
import * as CreditFile from "../../rails/nacha/CreditFile.js"
import * as ReturnFile from "../../rails/nacha/ReturnFile.js"
import type { Outcome } from "../../rails/Outcome.js"
import * as ActivityReport from "../../rails/paypal/ActivityReport.js"
import * as MassPayment from "../../rails/paypal/MassPayment.js"
import type { PayPalRecipient } from "../../rails/paypal/Payouts.js"
import * as AccountStatement from "../../rails/sepa/AccountStatement.js"
import * as CreditTransfers from "../../rails/sepa/CreditTransfers.js"
import type { Party, PostalAddress } from "../../rails/sepa/Party.js"
import * as StatusReport from "../../rails/sepa/StatusReport.js"
import type { WiseAccount, WiseRecipient } from "../../rails/wise/BatchFile.js"
import * as BatchFile from "../../rails/wise/BatchFile.js"
import * as TransactionHistory from "../../rails/wise/TransactionHistory.js"

/** Payments that go into one file. */
export interface PaymentFile {
  /** The same for the same payments, so that a bank refuses a file that it receives twice. */
  readonly id: string
  /** Unix seconds. */
  readonly createdAt: number
  /** The day on which it is to be paid, as 2026-12-01. */
  readonly payOn: string
  readonly instructions: ReadonlyArray<Instruction>
}

/** The payments that were sent in one file. */
export interface SentFile {
  readonly id: string
  readonly transfers: ReadonlyArray<Instruction>
  /** Keys of the payments that the rail has rejected. */
  readonly rejected?: ReadonlyArray<string> | undefined
}

/** The data with which an answer is read. */
export interface KnownPayments {
  readonly sent: ReadonlyArray<SentFile>
  /** The rail's settings; `undefined` when absent. */
  readonly settings: unknown
}

type RailProblems = ReadonlyArray<Problem>

/** A rail that is paid by files. */
export interface FileRail {
  readonly name: string
  readonly terms: PaymentTerms
  /** The maximum number of payments in one file. */
  readonly most: number
  /** Whether an answer can be read only with the settings, because it does not contain the keys. */
  readonly needsSettings: boolean
  /** The text of a file. The settings say who pays, and where each collaborator's money goes. */
  readonly write: (settings: unknown, file: PaymentFile) => Result.Result<string, RailProblems>
  /** The outcomes in an answer of the rail. */
  readonly read: (
    answer: string,
    known: KnownPayments,
  ) => Result.Result<ReadonlyArray<Outcome>, RailProblems>
}

interface Failed {
  readonly problems: RailProblems
}

/** The formats of a rail. */
interface FileFormat<Settings, Recipient> {
  readonly name: string
  readonly most: number
  readonly needsSettings: boolean
  /** The currencies and amounts that the rail pays, from its table of limits. */
  readonly amount: Fields.AmountField
  readonly settings: Shape<Settings>
  readonly recipient: Field<Recipient>
  readonly write: (
    file: Omit<PaymentFile, "instructions">,
    settings: Settings,
    transfers: ReadonlyArray<Transfer<Recipient>>,
  ) => Result.Result<string, Failed>
  readonly read: (
    answer: string,
    known: KnownPayments & {
      /** The payments in files, with their recipients, for rails whose answers don't contain the key. */
      readonly transfersOf: (
        files: ReadonlyArray<SentFile>,
      ) => Result.Result<ReadonlyArray<Transfer<Recipient>>, Failed>
    },
  ) => Result.Result<ReadonlyArray<Outcome>, Failed>
}

/** A person may give a file to the bank much later, so a payment without an answer never counts as lost. */
const neverLate = 100 * 365 * 86_400

const termsOf = ({ currencies }: Fields.AmountField): PaymentTerms => ({
  currencies: Object.entries(currencies).map(([currency, { least, step }]) => ({
    ...{ currency, minimum: least, step },
  })),
  mode: "batch",
  lateSeconds: neverLate,
  knownSeconds: null,
})

const noRecipient = "is missing, and a payment is for this collaborator"

/** The recipient of each instruction, by its collaborator. */
const transfersTo = <Recipient>(
  recipients: unknown,
  field: Field<Recipient>,
  instructions: ReadonlyArray<Instruction>,
): Result.Result<ReadonlyArray<Transfer<Recipient>>, RailProblems> => {
  if (!isFields(recipients)) {
    const message = "must be an object with a recipient for each collaborator's id"
    return Result.fail([{ path: "recipients", value: recipients, message }])
  }
  const problems = new Map<string, Problem>()
  const transfers: Array<Transfer<Recipient>> = []
  for (const instruction of instructions) {
    const { collaboratorId } = instruction
    const given = Object.hasOwn(recipients, collaboratorId) ? recipients[collaboratorId] : undefined
    const path = `recipients.${collaboratorId}`
    const recipient =
      given === undefined
        ? Result.fail([{ path, value: given, message: noRecipient }])
        : Result.mapError(read(given, field), (found) => found.map((one) => within(path, one)))
    if (Result.isSuccess(recipient)) {
      transfers.push({ ...instruction, recipient: recipient.success })
    } else for (const problem of recipient.failure) problems.set(problem.path, problem)
  }
  return problems.size > 0 ? Result.fail([...problems.values()]) : Result.succeed(transfers)
}

/** Names a transfer in messages by its collaborator. */
const named =
  (transfers: ReadonlyArray<Instruction>) =>
  (problem: Problem): Problem => {
    const found = /^transfers\[(\d+)\]\.?(.*)$/.exec(problem.path)
    const transfer = transfers[Number(found?.[1])]
    if (found === null || transfer === undefined) return problem
    const field = (found[2] ?? "").replace(/^recipient\.?/, "")
    // The reference is a flag and no part of the settings.
    if (field === "reference") return { ...problem, path: "--reference" }
    const place = `recipients.${transfer.collaboratorId}`
    return { ...problem, path: field === "" ? place : `${place}.${field}` }
  }

/** Problems of the settings with which an answer is read, not of the answer. */
const inSettings = (problems: RailProblems): Failed => ({
  problems: problems.map((problem) => within("settings", problem)),
})

const fileRail = <Settings, Recipient>(format: FileFormat<Settings, Recipient>): FileRail => ({
  name: format.name,
  most: format.most,
  needsSettings: format.needsSettings,
  terms: termsOf(format.amount),
  read: (answer, known) => {
    const recipients = isFields(known.settings) ? known.settings.recipients : undefined
    const transfersOf = (files: ReadonlyArray<SentFile>) => {
      const all = files.flatMap(({ transfers }) => transfers)
      return Result.mapError(transfersTo(recipients, format.recipient, all), inSettings)
    }
    return Result.mapError(
      format.read(answer, { ...known, transfersOf }),
      ({ problems }) => problems,
    )
  },
  write: (given, { instructions, ...file }) => {
    const settings = read(given, objectOf(format.settings))
    const recipients = isFields(given) ? given.recipients : undefined
    const transfers = transfersTo(recipients, format.recipient, instructions)
    if (Result.isFailure(settings) || Result.isFailure(transfers)) {
      const ofSettings = Result.isFailure(settings) ? settings.failure : []
      return Result.fail([...ofSettings, ...(Result.isFailure(transfers) ? transfers.failure : [])])
    }
    return Result.mapError(
      format.write(file, settings.success, transfers.success),
      ({ problems }) => problems.map(named(transfers.success)),
    )
  },
})

/** An object in one of several forms, which differ in their fields. */
const oneOf =
  <A>(forms: Readonly<Record<string, Field<A>>>): Field<A> =>
  (node, key) => {
    const value = node.fields[key]
    const name = Object.keys(forms).find((each) => isFields(value) && Object.hasOwn(value, each))
    const form = name === undefined ? undefined : forms[name]
    if (form !== undefined) return form(node, key)
    const names = Object.keys(forms).join(" or ")
    note(node, key, `must be an object with ${names}`)
    return undefined
  }

const address: Shape<PostalAddress> = {
  street: optional(text),
  building: optional(text),
  postCode: optional(text),
  town: text,
  region: optional(text),
  country: text,
  lines: optional(listOf(text)),
}

const party: Shape<Party> = {
  name: text,
  iban: text,
  bic: optional(text),
  address: optional(objectOf(address)),
}

/** Leaves the file as the reference of a payment: later answers refer to the file, or to places in it. */
const inTheirFiles = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Outcome> =>
  outcomes.map((each) => (each.key === null ? each : { ...each, railReference: null }))

/** Whether a bank's answer is a status report; otherwise it is a statement of the account. */
const isStatusReport = (answer: string): boolean => answer.includes("CstmrPmtStsRpt")

const sepa = fileRail<{ readonly payer: Party }, Party>({
  name: "sepa",
  most: 100_000,
  needsSettings: false,
  amount: Fields.sepa.amount,
  settings: { payer: objectOf(party) },
  recipient: objectOf(party),
  write: ({ payOn, ...file }, { payer }, transfers) =>
    CreditTransfers.write({ ...file, executeOn: payOn, payer, transfers }),
  read: (answer, { sent }) => {
    const keys = new Set(sent.flatMap(({ transfers }) => transfers.map(({ key }) => key)))
    const outcomes = isStatusReport(answer)
      ? StatusReport.read(answer, { sent })
      : AccountStatement.read(answer, { sent, isOurs: (key) => keys.has(key) })
    return Result.map(outcomes, inTheirFiles)
  },
})

const paypal = fileRail<object, PayPalRecipient>({
  name: "paypal",
  most: 5_000,
  needsSettings: false,
  amount: Fields.paypal.amount,
  settings: {},
  recipient: oneOf<PayPalRecipient>({
    email: objectOf({ email: text }),
    payerId: objectOf({ payerId: text }),
    phone: objectOf({ phone: text }),
  }),
  write: (_file, _settings, transfers) => MassPayment.write({ transfers }),
  read: (answer) => ActivityReport.read(answer),
})

const account: Shape<WiseAccount> = {
  ...{ IBAN: optional(text), sortCode: optional(text), accountNumber: optional(text) },
  ...{ abartn: optional(text), accountType: optional(choice(["CHECKING", "SAVINGS"])) },
  ...{ bsbCode: optional(text), institutionNumber: optional(text), transitNumber: optional(text) },
  ...{ addressCountryCode: optional(text), addressFirstLine: optional(text) },
  ...{ addressCity: optional(text), addressState: optional(text), addressPostCode: optional(text) },
}

const wise = fileRail<{ readonly sourceCurrency: string }, WiseRecipient>({
  name: "wise",
  most: 1_000,
  needsSettings: true,
  amount: Fields.wise.amount,
  settings: { sourceCurrency: text },
  recipient: oneOf<WiseRecipient>({
    recipientId: objectOf({ recipientId: text, name: text }),
    account: objectOf({
      account: objectOf(account),
      name: text,
      email: optional(text),
      isBusiness: optional(flag),
    }),
    email: objectOf({ email: text, name: text, isBusiness: optional(flag) }),
  }),
  write: (_file, { sourceCurrency }, transfers) => BatchFile.write({ sourceCurrency, transfers }),
  read: (answer, { sent, transfersOf }) =>
    Result.flatMap(transfersOf(sent), (all) => TransactionHistory.read(answer, all)),
})

type AchSettings = Pick<AchBatch, "bank" | "origin" | "company" | "modifier">

const bankShape = { name: text, routing: text }
const sender = { name: text, id: text }

const achSettings: Shape<AchSettings> = {
  bank: objectOf(bankShape),
  origin: objectOf(sender),
  company: objectOf({ ...sender, description: text }),
  modifier: optional(text),
}

const nacha = fileRail<AchSettings, BankAccount>({
  name: "nacha",
  most: 100_000,
  needsSettings: true,
  amount: Fields.nacha.amount,
  settings: achSettings,
  recipient: objectOf({
    ...{ name: text, routing: text, account: text },
    ...{ type: choice(["checking", "savings"]), isCompany: flag },
  }),
  write: ({ payOn, createdAt }, settings, transfers) =>
    Result.map(
      CreditFile.write({ ...settings, createdAt, effectiveOn: payOn, transfers }),
      (file) => file.text,
    ),
  // Answers contain trace numbers, which follow from the places of the payments in their file.
  read: (answer, { sent, settings }) =>
    Result.gen(function* () {
      const { bank } = yield* Result.mapError(read(settings, objectOf(achSettings)), inSettings)
      const entries = sent.flatMap(({ transfers }) => CreditFile.entriesOf({ bank, transfers }))
      return inTheirFiles(yield* ReturnFile.read(answer, { sent: entries }))
    }),
})

/** All rails that are paid by files. */
export const fileRails: ReadonlyArray<FileRail> = [sepa, paypal, wise, nacha]
