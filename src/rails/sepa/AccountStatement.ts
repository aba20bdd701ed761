/**
 * The outcomes of payments in a statement of the paying account: `camt.053` of ISO 20022, in any version.
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
 * Data of the payments that the statement may show.
 *
 * @since 0.6.0
 * @category models
 */
export interface StatementOptions {
  /** The sent files; without them, one debit for a whole file has no keys. */
  readonly sent?: ReadonlyArray<SentBatch> | undefined
  /**
   * Whether a key belongs to one of your payments. By default every debit with an end-to-end id does, and a credit only
   * if the bank marks it as a return, or if its key is a UUID or in a `sent` file.
   */
  readonly isOurs?: ((key: string) => boolean) | undefined
}

/**
 * A movement of the account that is none of your payments: incoming payments of customers, fees of the bank.
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
  /** Its line in the file. */
  readonly line: number
}

/**
 * The content of a statement: the outcomes of payments, and all other movements.
 *
 * @since 0.6.0
 * @category models
 */
export interface Movements {
  readonly outcomes: ReadonlyArray<Outcome>
  readonly others: ReadonlyArray<OtherMovement>
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a key belongs to a payment of the host; `isLikely`: the bank's data suggests it. */
type Ownership = (key: string, isLikely: boolean) => boolean

const ownershipOf = ({ sent = [], isOurs }: StatementOptions): Ownership => {
  if (isOurs !== undefined) return isOurs
  const known = new Set(sent.flatMap(({ transfers }) => transfers.map(({ key }) => key)))
  return (key, isLikely) => isLikely || uuid.test(key) || known.has(key)
}

/** The data that all transactions of an entry share. */
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

/** Whether an element has the code of a returned payment. */
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

/** The bank's fee, from single records or from their total. */
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

/** The outcome that a movement means for the payment with its key. */
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

/** One movement, as the outcome of a payment or as another movement. */
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

/** The ids of the files for which an entry is a single debit. */
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

/** The transfers of an entry's sum: all transfers of the file, or all that the bank has not rejected. */
const transfersOf = (
  { transfers, rejected = [] }: SentBatch,
  money: xml.XmlAmount | undefined,
): SentBatch["transfers"] | undefined => {
  const refused = new Set(rejected)
  const others = transfers.filter(({ key }) => !refused.has(key))
  return money === undefined ? undefined : [transfers, others].find((each) => isSum(each, money))
}

/** The outcomes of all payments of a file from its single entry, if the file is known and the sums are equal. */
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
 * Reads a statement into the outcomes of payments and all other movements.
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
 * Reads a statement into the outcomes of payments, identified by their end-to-end ids: a booked debit confirms a
 * payment, a booked credit is its return, with the bank's reason. Amounts, days and charges are those of the entry. One
 * debit for a whole file confirms each of its payments, if the file is in `sent` and the sums are equal; otherwise the
 * outcome has no key, and the id of the file as its reference. A return without an id has no key either. A debit that
 * is not booked yet is `accepted`, a return that is not booked yet is `unknown`. {@link readAll} also returns the
 * movements that are none of your payments. Days and times without an offset are read as UTC.
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
