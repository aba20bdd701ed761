/**
 * A bank's report on a sent file: `pain.002` of ISO 20022, in any version.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { Problem } from "../../Problem.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import type { Outcome, OutcomeType } from "../Outcome.js"
import type { SentBatch } from "./CreditTransfers.js"
import * as EndToEndId from "./EndToEndId.js"
import { reasonsIn } from "./internal/reasons.js"
import { money, node, nodes, sumOf, text, time, type XmlNode } from "./internal/xmlNode.js"
import { readMessage } from "./internal/xmlTree.js"

/**
 * Data of the files that the report may be about.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReportOptions {
  /** The sent files; without them, a status of a whole file has no keys. */
  readonly sent?: ReadonlyArray<SentBatch> | undefined
}

const types: Readonly<Record<string, OutcomeType>> = {
  // Checked, accepted or pending: the money has not moved yet.
  ...{ RCVD: "accepted", PDNG: "accepted", ACTC: "accepted", ACCP: "accepted", ACFC: "accepted" },
  ...{ ACSP: "accepted", ACWC: "accepted", ACWP: "accepted", PATC: "accepted", ACPD: "accepted" },
  // Debited from the payer's account, or credited to the receiver's.
  ...{ ACSC: "confirmed", ACCC: "confirmed" },
  ...{ RJCT: "rejected", CANC: "rejected" },
}

/** The outcome of a status. A partly accepted file does not show which of its payments are accepted. */
const typeOf = (status: string): OutcomeType =>
  Object.hasOwn(types, status) ? (types[status] ?? "unknown") : "unknown"

/** A status with its reasons, of a payment, a payment information or a file. */
interface Status {
  readonly code: string
  readonly reasons: string | undefined
}

const statusOf = (at: XmlNode | undefined, name: string): Status | undefined => {
  const code = at === undefined ? undefined : text(at, name)
  return code === undefined ? undefined : { code, reasons: reasonsIn(at, "StsRsnInf") }
}

/** The reason of a payment: none for an accepted one, and at least the status for any other. */
const reasonFor = ({ code, reasons }: Status): string | null => {
  const type = typeOf(code)
  const needed = type === "rejected" || type === "unknown"
  return reasons ?? (needed ? code : null)
}

const noStatus: Status = { code: "", reasons: "no status" }

const outcomeOf = (
  status: Status,
  at: number | null,
  payment: Pick<Outcome, "key" | "railReference" | "amount" | "currency">,
  fee: number | null = null,
): Outcome => ({
  ...payment,
  ...{ type: typeOf(status.code), at, fee, reason: reasonFor(status) },
})

type SentPayments = ReadonlyMap<string, SentBatch["transfers"][number]>

const transactionOf = (
  transaction: XmlNode,
  above: Status | undefined,
  at: number | null,
  sent: SentPayments,
): Outcome => {
  const key = EndToEndId.toKey(text(transaction, "OrgnlEndToEndId") ?? "")
  const own = text(transaction, "AcctSvcrRef") ?? text(transaction, "ClrSysRef")
  const other = text(transaction, "OrgnlInstrId") ?? text(transaction, "StsId")
  const told = money(node(transaction, "OrgnlTxRef", "Amt", "InstdAmt"))
  const known = told ?? sent.get(key ?? "")
  const charges = nodes(transaction, "ChrgsInf").map((each) => ({
    money: money(node(each, "Amt")),
    isCredit: false,
  }))
  return outcomeOf(
    statusOf(transaction, "TxSts") ?? above ?? noStatus,
    at,
    {
      ...{ key, railReference: own ?? (key === null ? other : undefined) ?? null },
      ...{ amount: known?.amount ?? null, currency: known?.currency ?? null },
    },
    sumOf(charges, known?.currency ?? null) ?? null,
  )
}

interface Report {
  readonly at: number | null
  readonly messageId: string | undefined
  readonly sent: ReadonlyMap<string, SentBatch>
  readonly payments: SentPayments
}

/** The outcomes of the payments of a batch that are not listed themselves. */
const remainderOf = (
  report: Report,
  { id, status, count, listed }: Listing,
): ReadonlyArray<Outcome> => {
  if (status === undefined) return []
  const name = id ?? report.messageId
  const batch = report.sent.get(name ?? "")
  if (batch === undefined) {
    const isComplete = listed.length > 0 && (count === undefined || count === listed.length)
    const whole = { key: null, railReference: name ?? null, amount: null, currency: null }
    return isComplete ? [] : [outcomeOf(status, report.at, whole)]
  }
  const keys = new Set(listed.map(({ key }) => key))
  return batch.transfers
    .filter(({ key }) => !keys.has(key))
    .map(({ key, amount, currency }) =>
      outcomeOf(status, report.at, { key, railReference: null, amount, currency }),
    )
}

/** The payments of one payment information that a report lists, and the status of the others. */
interface Listing {
  readonly id: string | undefined
  readonly status: Status | undefined
  /** The number of its payments; `undefined` if the report does not say. */
  readonly count: number | undefined
  readonly listed: ReadonlyArray<Outcome>
}

const countOf = (at: XmlNode | undefined): number | undefined => {
  const written = at === undefined ? undefined : text(at, "OrgnlNbOfTxs")
  return written !== undefined && /^\d{1,15}$/.test(written) ? Number(written) : undefined
}

const sumOfCounts = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other

/**
 * The status of a batch that occurs in two places. If the two differ, payments that neither place lists are unknown.
 */
const statusOfBoth = (one: Status | undefined, other: Status | undefined): Status | undefined => {
  if (one === undefined || other === undefined || one.code === other.code) return one ?? other
  const reasons = [one, other].map((each) => each.reasons ?? each.code).join("; ")
  return { code: "", reasons }
}

/** A report may mention a batch in several places: a payment that none of them lists is reported once. */
const joined = (listings: ReadonlyArray<Listing>): ReadonlyArray<Listing> => {
  const byId = Map.groupBy(listings, ({ id }) => id)
  return [...byId].map(([id, places]) => ({
    id,
    status: places.map(({ status }) => status).reduce(statusOfBoth),
    count: places.map(({ count }) => count).reduce(sumOfCounts),
    listed: places.flatMap(({ listed }) => listed),
  }))
}

const outcomesIn = (message: XmlNode, sent: ReadonlyArray<SentBatch>): ReadonlyArray<Outcome> => {
  const file = node(message, "OrgnlGrpInfAndSts")
  const report: Report = {
    at: time(node(message, "GrpHdr", "CreDtTm")),
    messageId: file === undefined ? undefined : text(file, "OrgnlMsgId"),
    sent: new Map(sent.map((batch) => [batch.id, batch])),
    payments: new Map(sent.flatMap(({ transfers }) => transfers.map((each) => [each.key, each]))),
  }
  const above = statusOf(file, "GrpSts")
  const listings = nodes(message, "OrgnlPmtInfAndSts").map((each): Listing => {
    const status = statusOf(each, "PmtInfSts") ?? above
    const listed = nodes(each, "TxInfAndSts").map((transaction) =>
      transactionOf(transaction, status, report.at, report.payments),
    )
    return { id: text(each, "OrgnlPmtInfId"), status, count: countOf(each), listed }
  })
  const whole: Listing = { id: undefined, status: above, count: countOf(file), listed: [] }
  return (listings.length === 0 ? [whole] : joined(listings)).flatMap((listing) => [
    ...listing.listed,
    ...remainderOf(report, listing),
  ])
}

/**
 * Reads a report into the outcome of each payment. A status is for a single payment or for the whole file: with the
 * `sent` files, a status of a file becomes an outcome of each of its payments; without them, one outcome without a key,
 * with the id of the file as its reference. Undecided and unknown statuses are `unknown`, with the status as their
 * reason. Days and times without an offset are read as UTC.
 *
 * `ACSC` and `ACCC` confirm, `RJCT` and `CANC` reject, `RCVD`, `PDNG`, `ACTC`, `ACCP`, `ACSP` and their like are
 * accepted; under `PART` a payment that is not listed itself is unknown.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { StatusReport } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * const report = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
 *   <GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-11-20T08:00:00Z</CreDtTm></GrpHdr>
 *   <OrgnlGrpInfAndSts><OrgnlMsgId>payouts-2026-11</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
 *   <OrgnlPmtInfAndSts><OrgnlPmtInfId>payouts-2026-11</OrgnlPmtInfId><OrgnlNbOfTxs>1</OrgnlNbOfTxs><TxInfAndSts>
 *     <OrgnlEndToEndId>payout-7</OrgnlEndToEndId><TxSts>RJCT</TxSts>
 *     <StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>account closed</AddtlInf></StsRsnInf>
 *   </TxInfAndSts></OrgnlPmtInfAndSts>
 * </CstmrPmtStsRpt></Document>`
 *
 * const [outcome] = Result.getOrThrow(StatusReport.read(report))
 * outcome?.key // => "payout-7"
 * outcome?.type // => "rejected"
 * outcome?.reason // => "AC04 account closed"
 * ```
 */
export const read = (
  report: string,
  { sent = [] }: ReportOptions = {},
): Result.Result<ReadonlyArray<Outcome>, Unreadable> =>
  Result.flatMap(
    readMessage(report, { id: "pain.002", element: "CstmrPmtStsRpt" }),
    (element): Result.Result<ReadonlyArray<Outcome>, Unreadable> => {
      const problems: Array<Problem> = []
      const outcomes = outcomesIn({ element, path: "CstmrPmtStsRpt", problems }, sent)
      return problems.length === 0
        ? Result.succeed(outcomes)
        : Result.fail(unreadable("pain.002 file", problems))
    },
  )
