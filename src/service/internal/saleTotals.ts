/** What the events of sales and refunds tell of the whole: who reads them needs not ask for the split. */
import type { EventData } from "../../events/EventType.js"
import * as exact from "../../money/internal/exact.js"
import type { Reversal } from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"

type ToldTotals = Pick<EventData<"sale.recorded">, "distributable" | "sharesTotal" | "storeTotal">

const sum = (amounts: ReadonlyArray<number>): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** Sums are exact, or not told. */
const totalsOf = (shares: bigint, store: bigint): ToldTotals => ({
  distributable: exact.toSafe(shares + store) ?? null,
  sharesTotal: exact.toSafe(shares) ?? null,
  storeTotal: exact.toSafe(store) ?? null,
})

/** What a split gives to collaborators and leaves to the store. */
export const ofSplit = ({ shares, store }: Split): ToldTotals =>
  totalsOf(sum(shares.map(({ amount }) => amount)), sum(store.map(({ amount }) => amount)))

/** What a refund takes back from them. */
export const ofReversal = ({ shares, store }: Reversal): ToldTotals =>
  totalsOf(sum(shares.map(({ amount }) => amount)), BigInt(store))
