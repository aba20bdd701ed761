/**
 * The library's and the oracle's answers in one shape, sorted, so that they can be compared.
 */
import { Refund, RuleSet, Split } from "apportion"
import * as Result from "effect/Result"
import type { Sale } from "../generators/Sales.js"
import {
  type OracleError,
  type OracleOutcome,
  type OracleRefund,
  type OracleRefusal,
  type OracleReversal,
  oracleRefunds,
  oracleSplit,
} from "./Oracle.js"

interface AnswerShare {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly amount: number
  readonly shippingAmount: number
  readonly base: number
  readonly percentTotal: number
  readonly flatTotal: number
  readonly claim: number
  readonly deducting: boolean
}

interface AnswerItem {
  readonly itemId: string
  readonly amount: number
  readonly discount: number
  readonly tax: number
  readonly cost: number
  readonly gatewayFee: number
  readonly shipping: number
  readonly base: number
  readonly deducted: number
  readonly distributable: number
  readonly overAllocated: boolean
}

/** What was split, sorted by item and group. */
export interface Answer {
  readonly shares: ReadonlyArray<AnswerShare>
  readonly store: ReadonlyArray<{ readonly itemId: string; readonly amount: number }>
  readonly items: ReadonlyArray<AnswerItem>
  readonly outranked: ReadonlyArray<Split.Split["outranked"][number]>
}

/** Why nothing was split. The details of an over-allocation are its item's. */
export interface Refusal {
  readonly error: string
  readonly itemId?: string
  readonly exceeded?: "sum" | "percentages"
  readonly distributable?: number
  readonly claims?: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
}

const sortKey = (part: { readonly itemId?: string; readonly groupId?: string }): string =>
  JSON.stringify([part.itemId ?? "", part.groupId ?? ""])

/** Sorted by item, then group, in an order that any answer can be brought to. */
export const sorted = <A extends { readonly itemId?: string; readonly groupId?: string }>(
  parts: ReadonlyArray<A>,
): ReadonlyArray<A> =>
  [...parts].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0))

const answerOf = (split: Answer): Answer => ({
  shares: sorted(split.shares).map((share) => ({
    itemId: share.itemId,
    groupId: share.groupId,
    collaboratorId: share.collaboratorId,
    amount: share.amount,
    shippingAmount: share.shippingAmount,
    base: share.base,
    percentTotal: share.percentTotal,
    flatTotal: share.flatTotal,
    claim: share.claim,
    deducting: share.deducting,
  })),
  store: sorted(split.store).map(({ itemId, amount }) => ({ itemId, amount })),
  items: sorted(split.items).map((item) => ({
    itemId: item.itemId,
    amount: item.amount,
    discount: item.discount,
    tax: item.tax,
    cost: item.cost,
    gatewayFee: item.gatewayFee,
    shipping: item.shipping,
    base: item.base,
    deducted: item.deducted,
    distributable: item.distributable,
    overAllocated: item.overAllocated,
  })),
  outranked: sorted(split.outranked).map(({ itemId, groupId, collaboratorId, byGroupId }) => ({
    itemId,
    groupId,
    collaboratorId,
    byGroupId,
  })),
})

type Plain<A> = A extends bigint
  ? number
  : A extends object
    ? { readonly [K in keyof A]: Plain<A[K]> }
    : A

/** Big whole numbers as numbers; they are safe wherever an answer was given. */
const plain: <A>(value: A) => Plain<A> = (value) =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === "bigint" ? Number(part) : part)))

/** What the library says to a sale. */
export const engineSplit = (sale: Sale): Result.Result<Split.Split, Split.SplitError> =>
  Split.orderResult(RuleSet.make(sale.groups), sale.order, sale.policy)

/** What the library says to a sale, in the common shape. */
export const engineAnswer = (sale: Sale): Answer | Refusal => commonAnswer(engineSplit(sale))

/** An answer of the library in the common shape. */
export const commonAnswer = (
  split: Result.Result<Split.Split, Split.SplitError>,
): Answer | Refusal => {
  if (Result.isSuccess(split)) return answerOf(split.success)
  const error = split.failure
  if (error._tag !== "OverAllocated") return { error: error._tag }
  const { itemId, exceeded, distributable, claims } = error
  return { error: error._tag, itemId, exceeded, distributable, claims: sorted(claims) }
}

const refusalOf = (error: OracleError): Refusal => {
  if (error.tag !== "OverAllocated") return { error: error.tag }
  const { itemId, exceeded, distributable, claims } = plain(error)
  return {
    error: error.tag,
    ...(itemId === undefined ? {} : { itemId }),
    ...(exceeded === undefined ? {} : { exceeded }),
    ...(distributable === undefined ? {} : { distributable }),
    claims: sorted(claims ?? []),
  }
}

/** What the oracle says: the one answer, or every refusal that would be right. */
export const oracleAnswer = (
  sale: Sale,
  outcome: OracleOutcome = oracleSplit(sale.groups, sale.order, sale.policy),
): Answer | ReadonlyArray<Refusal> =>
  outcome.split === undefined ? outcome.errors.map(refusalOf) : answerOf(plain(outcome.split))

/** What a refund takes back, or why it is refused. */
export type RefundAnswer = Plain<OracleReversal> | OracleRefusal | { readonly error: string }

/** The library's answers to refunds of a sale, one after the other. */
export const engineRefunds = (
  split: Split.Split,
  refunds: ReadonlyArray<OracleRefund>,
): ReadonlyArray<RefundAnswer> => {
  const earlier: Array<Refund.Refund> = []
  return refunds.map((part, index) => {
    const refund = { ...part, orderId: split.orderId, refundedAt: index }
    const reversal = Refund.reverse(split, refund, { earlier })
    if (Result.isFailure(reversal)) return { error: reversal.failure._tag }
    earlier.push(refund)
    const { itemId, fullyRefunded, shares, store } = reversal.success
    return { itemId, fullyRefunded, shares: sorted(shares), store }
  })
}

/** The oracle's answers to the same refunds. */
export const oracleRefundAnswers = (
  sale: Sale,
  refunds: ReadonlyArray<OracleRefund>,
): ReadonlyArray<RefundAnswer> => {
  const { split } = oracleSplit(sale.groups, sale.order, sale.policy)
  if (split === undefined) return []
  return oracleRefunds(split, sale.order, refunds).map((answer) =>
    "error" in answer ? answer : { ...plain(answer), shares: sorted(plain(answer.shares)) },
  )
}
