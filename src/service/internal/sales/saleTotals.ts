/** The totals in the events of sales and refunds: a reader need not ask for the split. */
import * as Result from "effect/Result"
import type { EventData } from "../../../events/EventType.js"
import * as Cents from "../../../money/Cents.js"
import type { RecordedRefund } from "../../../ports/SaleStore.js"
import type { Adjustment } from "../../../shares/Adjustment.js"
import type { Split } from "../../../shares/Split.js"

type EventTotals = Pick<EventData<"sale.recorded">, "distributable" | "sharesTotal" | "storeTotal">

/** The exact sum; `null`: it is too large to be exact. */
const sum = (amounts: ReadonlyArray<number>): number | null =>
  Result.getOrElse(Cents.sum(amounts, { what: "the total" }), () => null)

const totalsOf = (shares: ReadonlyArray<number>, store: ReadonlyArray<number>): EventTotals => {
  const [sharesTotal, storeTotal] = [sum(shares), sum(store)]
  const isExact = sharesTotal !== null && storeTotal !== null
  const distributable = sum(isExact ? [sharesTotal, storeTotal] : [...shares, ...store])
  return { distributable, sharesTotal, storeTotal }
}

/** What a split gives to collaborators and leaves to the store. */
export const ofSplit = ({ shares, store }: Split): EventTotals =>
  totalsOf(
    shares.map(({ amount }) => amount),
    store.map(({ amount }) => amount),
  )

/** What a refund takes back from them, of the recorded split and of later adjustments. */
export const ofRefund = ({ reversal, adjusted = [] }: RecordedRefund): EventTotals => {
  const all = [reversal, ...adjusted]
  return totalsOf(
    all.flatMap(({ shares }) => shares.map(({ amount }) => amount)),
    all.map(({ store }) => store),
  )
}

/** What an adjustment gives to them, or takes. */
export const ofAdjustment = ({ shares, items }: Adjustment): EventTotals =>
  totalsOf(
    shares.map(({ amount }) => amount),
    items.map(({ store }) => store),
  )
