/** What a payout comes to when its items change. */
import * as Result from "effect/Result"
import * as exact from "../../money/internal/exact.js"
import { PaymentUnderWay } from "../Payment.js"
import * as Payout from "../Payout.js"

/** By what a payout's total and its count of items change. */
export interface ItemsChange {
  /** Cents of the payout's currency: the added ones, and the opposite of the removed ones. */
  readonly amounts: ReadonlyArray<number>
  readonly added: number
}

/** A payout as far as a change of its items is concerned with it. */
interface Changing extends Pick<Payout.Payout, "id" | "status"> {
  readonly paymentId: string | null
  readonly total: number | bigint
  readonly itemsCount: number
}

/** The total and the count of items after a change; refused when the payout is settled, or frozen while it is paid. */
export const afterChange = (
  payout: Changing,
  { amounts, added }: ItemsChange,
): Result.Result<
  { readonly total: number | bigint; readonly itemsCount: number },
  Payout.PayoutAlreadyPaid | PaymentUnderWay
> => {
  const { id, paymentId } = payout
  if (Payout.isSettled(payout)) return Result.fail(Payout.PayoutAlreadyPaid.of(payout))
  if (paymentId !== null) return Result.fail(PaymentUnderWay.of(id, paymentId))
  const total = exact.add(payout.total, exact.sum(amounts))
  return Result.succeed({ total, itemsCount: payout.itemsCount + added })
}
