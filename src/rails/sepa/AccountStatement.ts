/**
 * What became of payments, as the statement of the account that paid them shows: `camt.053` of ISO 20022, in any version.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { Problem } from "../../Problem.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import type { Outcome, OutcomeType } from "../Outcome.js"
import type { SentBatch } from "./CreditTransfers.js"
import * as EndToEndId from "./EndToEndId.js"
import { isTrue, reasonOf } from "./internal/reasons.js"
import * as xml from "./internal/xmlNode.js"
import { node, nodes, text, type XmlNode } from "./internal/xmlNode.js"
import { readMessage } from "./internal/xmlTree.js"

/**
 * What is known of the payments that the statement may show.
 *
 * @since 0.6.0
 * @category models
 */
export interface StatementOptions {
  /** Without it, one debit for a whole file has no keys. */
  readonly sent?: ReadonlyArray<SentBatch> | undefined
  /**
   * Whether a key is of a payment of yours. By default every debit with an end-to-end id is taken for one, and a credit
   * only when the bank says that it is a return, or when its key is a UUID or stands in what was `sent`.
   */
  readonly isOurs?: ((key: string) => boolean) | undefined
}

/**
 * A movement of the account that is no payment of yours: what customers pay in, what the bank takes.
 *
 * @since 0.6.0
 * @category models
 */
export interface OtherMovement {
  readonly direction: "in" | "out"
  readonly at: number | null
  readonly amount: number | null
  readonly currency: string | null
  readonly endToEndId: string | null
  /** The line of the file where it stands. */
  readonly line: number
}

/**
 * All that a statement shows: the outcomes of payments, and everything else, so that nothing is lost.
 *
 * @since 0.6.0
 * @category models
 */
export interface Movements {
  readonly outcomes: ReadonlyArray<Outcome>
  readonly others: ReadonlyArray<OtherMovement>
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a key is of a payment of the host's; `isLikely` when the bank's words speak for it. */
type Ownership = (key: string, isLikely: boolean) => boolean

const ownershipOf = ({ sent = [], isOurs }: StatementOptions): Ownership => {
  if (isOurs !== undefined) return isOurs
  const known = new Set(sent.flatMap(({ transfers }) => transfers.map(({ key }) => key)))
  return (key, isLikely) => isLikely || uuid.test(key) || known.has(key)
}

/** What all transactions of an entry have in common. */
interface StatementEntry {
  readonly at: number | null
  readonly direction: "in" | "out"
  readonly isBooked: boolean
  readonly isReversal: boolean
  readonly money: xml.XmlAmount | undefined
  readonly reference: string | undefined
  readonly charges: XmlNode | undefined
  readonly isReturn: boolean
}

const directionOf = (at: XmlNode): StatementEntry["direction"] | undefined => {
  const indicator = node(at, "CdtDbtInd")
  if (indicator === undefined) return undefined
  if (indicator.element.text === "DBIT") return "out"
  if (indicator.element.text === "CRDT") return "in"
  xml.refuse(indicator, "CRDT or DBIT")
  return undefined
}

/** The code that a bank gives to what came back. */
const isReturnCode = (at: XmlNode): boolean =>
  text(at, "BkTxCd", "Domn", "Fmly", "SubFmlyCd") === "RRTN"

const entryOf = (entry: XmlNode): StatementEntry | undefined => {
  const direction = directionOf(entry)
  if (node(entry, "CdtDbtInd") === undefined) xml.refuseMissing(entry, "CdtDbtInd")
  const status = text(entry, "Sts", "Cd") ?? text(entry, "Sts")
  if (status === undefined) xml.refuseMissing(entry, "Sts")
  const amount = node(entry, "Amt")
  if (amount === undefined) xml.refuseMissing(entry, "Amt")
  const money = xml.money(amount)
  if (direction === undefined) return undefined
  return {
    ...{ direction, money, isBooked: status === "BOOK", isReversal: isTrue(entry, "RvslInd") },
    at: xml.dayOrTime(node(entry, "BookgDt")) ?? xml.dayOrTime(node(entry, "ValDt")),
    reference: text(entry, "AcctSvcrRef") ?? text(entry, "NtryRef"),
    charges: node(entry, "Chrgs"),
    isReturn: isReturnCode(entry),
  }
}

/** What the bank took, as its records or as their total. */
const feeOf = (charges: XmlNode | undefined, currency: string | null): number | null => {
  if (charges === undefined) return null
  const records = nodes(charges, "Rcrd").map((record) => ({
    money: xml.money(node(record, "Amt")),
    isCredit: text(record, "CdtDbtInd") === "CRDT",
  }))
  const total = {
    money: xml.money(node(charges, "TtlChrgsAndTaxAmt") ?? node(charges, "Amt")),
    isCredit: false,
  }
  return xml.sumOf(records.length > 0 ? records : [total], currency) ?? null
}

interface Meaning {
  readonly type: OutcomeType
  readonly reason: string | null
}

/** What a movement means for the payment whose key it has. */
const meaningOf = (
  entry: StatementEntry,
  isReturn: boolean,
  reason: string | undefined,
): Meaning => {
  const booked = entry.isBooked ? "" : ", not booked yet"
  if (entry.direction === "in") {
    const because = reason ?? "came back, no reason given"
    return { type: entry.isBooked ? "returned" : "unknown", reason: `${because}${booked}` }
  }
  // Money that leaves once more: a return that is taken back, say. Whoever knows both has to judge it.
  if (isReturn) return { type: "unknown", reason: `a debit for ${reason ?? "a reversal"}${booked}` }
  return { type: entry.isBooked ? "confirmed" : "accepted", reason: null }
}

const moneyOf = (
  transaction: XmlNode,
  entry: StatementEntry,
  isOnly: boolean,
): xml.XmlAmount | undefined =>
  xml.money(node(transaction, "Amt")) ??
  xml.money(node(transaction, "AmtDtls", "TxAmt", "Amt")) ??
  (isOnly ? entry.money : undefined)

/** One movement: what it is for whom, as an outcome or as another's. */
const movementOf = (
  transaction: XmlNode,
  common: StatementEntry,
  isOnly: boolean,
  isOurs: Ownership,
): Movements => {
  const entry = { ...common, direction: directionOf(transaction) ?? common.direction }
  const id = text(transaction, "Refs", "EndToEndId") ?? null
  const key = EndToEndId.toKey(id ?? "")
  const returned = node(transaction, "RtrInf")
  const isReturn =
    returned !== undefined || entry.isReversal || entry.isReturn || isReturnCode(transaction)
  const reason = returned === undefined ? undefined : reasonOf(returned)
  const sum = moneyOf(transaction, entry, isOnly)
  const money = { amount: sum?.amount ?? null, currency: sum?.currency ?? null }
  const isTaken =
    key === null
      ? isReturn && entry.direction === "in"
      : isOurs(key, entry.direction === "out" || isReturn)
  if (!isTaken) {
    const { line } = transaction.element
    return {
      outcomes: [],
      others: [{ ...money, direction: entry.direction, at: entry.at, endToEndId: id, line }],
    }
  }
  const charges = node(transaction, "Chrgs") ?? (isOnly ? entry.charges : undefined)
  const reference = text(transaction, "Refs", "AcctSvcrRef") ?? entry.reference
  const outcome: Outcome = {
    ...{ key, ...money, at: entry.at, railReference: reference ?? null },
    ...meaningOf(entry, isReturn, reason),
    fee: feeOf(charges, money.currency),
  }
  return { outcomes: [outcome], others: [] }
}

const other = ({ element }: XmlNode, entry: StatementEntry): OtherMovement => ({
  ...{ direction: entry.direction, at: entry.at, endToEndId: null, line: element.line },
  ...{ amount: entry.money?.amount ?? null, currency: entry.money?.currency ?? null },
})

/** The ids of the file that an entry is for as a whole. */
const fileIdsOf = (details: ReadonlyArray<XmlNode>): ReadonlyArray<string> =>
  details
    .flatMap((each) => [
      ...nodes(each, "Btch"),
      ...nodes(each, "TxDtls").flatMap((at) => nodes(at, "Refs")),
    ])
    .flatMap((each) => [text(each, "PmtInfId"), text(each, "MsgId")])
    .filter((id) => id !== undefined)

const isSum = (transfers: SentBatch["transfers"], money: xml.XmlAmount): boolean =>
  transfers.every(({ currency }) => currency === money.currency) &&
  transfers.reduce((sum, { amount }) => sum + BigInt(amount), 0n) === BigInt(money.amount)

/** The transfers whose sum an entry is: all of the file, or those that the bank has not rejected. */
const transfersOf = (
  { transfers, rejected = [] }: SentBatch,
  money: xml.XmlAmount | undefined,
): SentBatch["transfers"] | undefined => {
  const refused = new Set(rejected)
  const others = transfers.filter(({ key }) => !refused.has(key))
  return money === undefined ? undefined : [transfers, others].find((each) => isSum(each, money))
}

/** One entry for a whole file: an outcome of each payment in it, when the file is known and the sum is its sum. */
const wholeOf = (
  at: XmlNode,
  entry: StatementEntry,
  ids: ReadonlyArray<string>,
  sent: ReadonlyMap<string, SentBatch>,
): Movements => {
  const [id = null] = ids
  const isNamelessReturn = entry.direction === "in" && (entry.isReversal || entry.isReturn)
  if (id === null && !isNamelessReturn) return { outcomes: [], others: [other(at, entry)] }
  const [batch] = ids.flatMap((each) => sent.get(each) ?? [])
  const meaning = meaningOf(entry, entry.isReversal || entry.isReturn, undefined)
  const common = { at: entry.at, ...meaning }
  const paid = batch === undefined ? undefined : transfersOf(batch, entry.money)
  if (paid !== undefined) {
    const railReference = entry.reference ?? id
    const outcomes = paid.map(({ key, amount, currency }) => ({
      ...{ key, railReference, amount, currency, fee: null, ...common },
    }))
    return { outcomes, others: [] }
  }
  const unsure: Meaning = { type: "unknown", reason: "the sum is not that of the file" }
  const outcome: Outcome = {
    ...{
      key: null,
      railReference: id ?? entry.reference ?? null,
      fee: feeOf(entry.charges, entry.money?.currency ?? null),
    },
    ...{ amount: entry.money?.amount ?? null, currency: entry.money?.currency ?? null },
    ...{ ...common, ...(batch === undefined ? {} : unsure) },
  }
  return { outcomes: [outcome], others: [] }
}

const movementsOf = (
  at: XmlNode,
  sent: ReadonlyMap<string, SentBatch>,
  isOurs: Ownership,
): ReadonlyArray<Movements> => {
  const entry = entryOf(at)
  if (entry === undefined) return []
  const details = nodes(at, "NtryDtls")
  const transactions = details.flatMap((each) => nodes(each, "TxDtls"))
  const isListed = transactions.some(
    (each) => text(each, "Refs", "EndToEndId") !== undefined || node(each, "RtrInf") !== undefined,
  )
  if (!isListed) return [wholeOf(at, entry, fileIdsOf(details), sent)]
  return transactions.map((each) => movementOf(each, entry, transactions.length === 1, isOurs))
}

/**
 * Reads a statement into the outcomes of payments, and everything else that it shows.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { AccountStatement } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * const statement = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
 *   <Ntry><Amt Ccy="EUR">250.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
 *     <BookgDt><Dt>2026-11-20</Dt></BookgDt></Ntry>
 * </Stmt></BkToCstmrStmt></Document>`
 *
 * const { outcomes, others } = Result.getOrThrow(AccountStatement.readAll(statement))
 * outcomes // => []
 * others.map(({ direction, amount, line }) => ({ direction, amount, line }))
 * // => [{ direction: "in", amount: 25000, line: 2 }]
 * ```
 */
export const readAll = (
  statement: string,
  options: StatementOptions = {},
): Result.Result<Movements, Unreadable> =>
  Result.flatMap(
    readMessage(statement, { id: "camt.053", element: "BkToCstmrStmt" }),
    (element): Result.Result<Movements, Unreadable> => {
      const problems: Array<Problem> = []
      const message = { element, path: "BkToCstmrStmt", problems }
      const isOurs = ownershipOf(options)
      const sent = new Map((options.sent ?? []).map((batch) => [batch.id, batch]))
      const movements = nodes(message, "Stmt")
        .flatMap((each) => nodes(each, "Ntry"))
        .flatMap((entry) => movementsOf(entry, sent, isOurs))
      return problems.length === 0
        ? Result.succeed({
            outcomes: movements.flatMap(({ outcomes }) => outcomes),
            others: movements.flatMap(({ others }) => others),
          })
        : Result.fail(unreadable("camt.053 file", problems))
    },
  )

/**
 * Reads a statement into the outcomes of payments, known by their end-to-end ids: a booked debit confirms, a booked credit
 * is the payment coming back, with the bank's reason. Their amounts, days and charges are those of the entry. One debit
 * for a whole file confirms each payment in it, when the file is among those that were `sent` and the sum is its sum; else
 * it has no key, and the id of the file as its reference. What came back without an id has no key either. What is not booked yet is `accepted`, or `unknown` when it would
 * come back. What is no payment of yours is in {@link readAll}. Days and times without an offset are taken as UTC.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { AccountStatement } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * const statement = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
 *   <Ntry><Amt Ccy="EUR">118.45</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
 *     <BookgDt><Dt>2026-11-24</Dt></BookgDt>
 *     <NtryDtls><TxDtls>
 *       <Refs><EndToEndId>0190a4c27b1e7cc398c4dc0c0c07398f</EndToEndId></Refs>
 *       <Amt Ccy="EUR">118.45</Amt><CdtDbtInd>CRDT</CdtDbtInd>
 *       <Chrgs><Rcrd><Amt Ccy="EUR">5.00</Amt></Rcrd></Chrgs>
 *       <RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>
 *     </TxDtls></NtryDtls></Ntry>
 * </Stmt></BkToCstmrStmt></Document>`
 *
 * const [outcome] = Result.getOrThrow(AccountStatement.read(statement))
 * outcome?.key // => "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"
 * outcome?.type // => "returned"
 * outcome?.amount // => 11845
 * outcome?.fee // => 500
 * outcome?.reason // => "AC04"
 * ```
 */
export const read = (
  statement: string,
  options: StatementOptions = {},
): Result.Result<ReadonlyArray<Outcome>, Unreadable> =>
  Result.map(readAll(statement, options), ({ outcomes }) => outcomes)
