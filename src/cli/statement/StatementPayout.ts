/** A payout of a statement: its state, its sums, and its items, which are read when they are asked for. */
import type { Payout } from "../../payouts/Payout.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import * as Days from "../input/Days.js"

type Items = () => Iterable<ReadonlyArray<PayoutItem>>

export interface StatementPayout extends Omit<Payout, "items"> {
  /** The sum of all its items, in cents. */
  readonly total: number
  /** What it came to when the period began, in cents; `undefined`: it was opened in the period. */
  readonly broughtForward: number | undefined
  /** All its items, some hundred at a time, as often as they are asked for. */
  readonly all: Items
  /** Those of the period: they come to the total less what was brought forward. */
  readonly ofPeriod: Items
}

/** The state of a payout, as `paid on 2025-02-28`. */
export const standing = (payout: StatementPayout, timeZone: string): string => {
  const day = (seconds: number | null) => Days.show(seconds ?? payout.toBePaidAt, timeZone)
  switch (payout.status) {
    case "active":
      return `open, due on ${day(payout.toBePaidAt)}`
    case "pending":
      return `closed on ${day(payout.closedAt)}, to be paid from ${day(payout.payableAt)}`
    case "failed":
      return `failed: ${payout.failureReason ?? "no reason given"}`
    default:
      return `${payout.status} on ${day(payout.paidAt)}`
  }
}

/** What a collaborator has in one currency. Opening and earned together are paid and owed together. */
export interface Sum {
  readonly currency: string
  readonly payouts: number
  /** What was still to be paid when the period began. */
  readonly opening: bigint
  /** What came in the period, refunds, expenses and incomes included. */
  readonly earned: bigint
  readonly paid: bigint
  /** What is still to be paid. */
  readonly owed: bigint
}

/** The sums of several payouts by currency. */
export const sums = (payouts: ReadonlyArray<StatementPayout>): ReadonlyArray<Sum> =>
  [...Map.groupBy(payouts, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, group]) => {
      const sum = { opening: 0n, paid: 0n, owed: 0n }
      for (const { broughtForward = 0, total, status } of group) {
        sum.opening += BigInt(broughtForward)
        sum[PayoutStatus.isSettled(status) ? "paid" : "owed"] += BigInt(total)
      }
      const earned = sum.paid + sum.owed - sum.opening
      return { currency, payouts: group.length, ...sum, earned }
    })
