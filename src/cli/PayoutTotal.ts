/** What payouts come to, and how their state is told to people. */
import * as Result from "effect/Result"
import * as Payout from "../payouts/Payout.js"
import * as Days from "./Days.js"
import * as ExitCode from "./ExitCode.js"

/** The sum of a payout's items. */
export const of = (payout: Payout.Payout): number => {
  const total = Payout.total(payout)
  if (Result.isSuccess(total)) return total.success
  throw new ExitCode.UnusableInput({ message: total.failure.message })
}

/** The state of a payout, as `paid on 2025-02-28`. */
export const standing = (payout: Payout.Payout, timeZone: string): string => {
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

/** What a collaborator has in one currency: paid, still to come, and both together. */
export interface Sum {
  readonly currency: string
  readonly paid: bigint
  readonly owed: bigint
}

/** The sums of several payouts by currency. */
export const sums = (payouts: ReadonlyArray<Payout.Payout>): ReadonlyArray<Sum> =>
  [...Map.groupBy(payouts, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, group]) => {
      const sum = (settled: boolean) =>
        group
          .filter((payout) => Payout.isSettled(payout) === settled)
          .reduce((total, payout) => total + BigInt(of(payout)), 0n)
      return { currency, paid: sum(true), owed: sum(false) }
    })
