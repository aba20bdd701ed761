/** Counters in words. */
import { money, oneLine } from "../orders/Words.js"
import { type Counters, read } from "./Counters.js"

const texts = (key: string, count: number): string => {
  const counter = read(key)
  if (counter === undefined) return `${key}: ${count}`
  const { counted, currency, period, per, id } = counter
  const name = counted === "units" ? `${count} units` : money(count, currency)
  const what = { units: "", base: " of bases", share: " of shares" }[counted]
  const time = period === "lifetime" ? "" : ` in ${oneLine(period.replace(/^payout:/, "payout "))}`
  return `${name}${what} of ${per} ${oneLine(id)}${time}`
}

/** What was counted before, as `800 units of group g1`; empty where nothing was. */
export const countersText = (counters: Counters): string =>
  Object.entries(counters)
    .map(([key, count]) => texts(key, count))
    .join(" and ")
