/**
 * How often a run of the long comparison has to reach each thing.
 */
import type { Report } from "./Run.js"

/** Of a thousand orders, at least so many. */
const leastOfOrders: Readonly<Record<string, number>> = {
  "asked a rule set after make": 100,
  "asked a rule set after put": 200,
  "asked a rule set after remove": 90,
  "asked a rule set after revive": 12,
  "asked an older rule set after a newer one": 50,
  "asked another rule set than the last time": 170,
  "asked batch": 20,
  "asked more": 30,
  "asked why": 4,
  "order object again, overwritten in place": 25,
  ...Object.fromEntries(Array.from({ length: 7 }, (_, lines) => [`order of ${lines} lines`, 35])),
  "product again, changed": 300,
  "product again, the same": 600,
  "product for the first time": 180,
  "product object again, changed": 40,
  "product object again, the same": 70,
  "refused AmountOutOfRange": 10,
  "refused InvalidOrder": 6,
  "refused OverAllocated": 80,
  "rule set without groups": 8,
  "rule set of up to 12 groups": 200,
  "rule set of up to 64 groups": 80,
  "rule set of up to 256 groups": 70,
  "rule set of more than 256 groups": 60,
}

const conditions = ["order.tag", "customer.tag", "discount.code", "country.code", "referer"]
const links = ["products", "products.tag", "products.vendor"]
const bothWays = (kinds: ReadonlyArray<string>) =>
  kinds.flatMap((kind) => [`${kind} WITH`, `${kind} NOT`])

/** Of a thousand orders looked at closely, at least so many. */
const leastOfSampled: Readonly<Record<string, number>> = {
  "split with a share": 500,
  "item without a share": 90,
  "item with several shares": 300,
  "item with a deducting and another share": 70,
  "base with odd cents": 300,
  "shipping earned": 90,
  "shipping charged or taken back": 60,
  "minimum or maximum applied": 20,
  "store rest below zero": 100,
  "group outranked": 100,
  "group outranked by one that pays nothing": 2,
  "claim cut by scale": 50,
  "claim cut by rank": 50,
  "over-allocated under scale": 50,
  "over-allocated under rank": 50,
  "over-allocated under allow": 50,
  "order with a huge amount": 15,
  "order with a negative item": 120,
  "order with both signs": 25,
  "order with a free item": 40,
  "order with no units of an item": 100,
  "discount beyond the amount": 30,
  "negative shipping": 50,
  "paid by a group with dates": 80,
  "paid in the first second": 30,
  "paid percent and flat amount": 120,
  "matched by the external id alone": 70,
  "matched by another spelling alone": 110,
  "matched beside a name of every object": 30,
  "matched by products.all WITH": 200,
  ...Object.fromEntries(bothWays(links).map((link) => [`matched by ${link}`, 80])),
  ...Object.fromEntries(bothWays(conditions).map((one) => [`matched under ${one}`, 18])),
  "matched under a condition with several values": 120,
  "matched under a condition without values": 20,
  "matched under NOT in a large rule set": 45,
  "matched by a NOT link in a large rule set": 60,
  "matched in a bucket of 64 and more": 30,
  "matched under a condition in a bucket of 64 and more": 30,
  "more than 20 matched in one bucket": 2,
  "more than 50 groups matched": 1,
  "several matched groups made at the same time": 160,
}

/** What a run reached too seldom, each with how often it did. */
export const tooSeldom = ({ counts, orders, policies }: Report): ReadonlyArray<string> => {
  const rare = (prefix: string, least: Readonly<Record<string, number>>, whole: number) =>
    Object.entries(least).flatMap(([label, wanted]) => {
      const found = ((counts.get(`${prefix}${label}`) ?? 0) * 1_000) / whole
      return found < wanted ? `${label}: ${found.toFixed(2)} of a thousand, not ${wanted}` : []
    })
  const [least, most] = [Math.min(...policies), Math.max(...policies)]
  return [
    ...rare("", leastOfOrders, orders),
    ...rare("sampled: ", leastOfSampled, counts.get("sampled") ?? 0),
    ...(most - least > 1 ? [`some policies: ${least} times, others ${most} times`] : []),
  ]
}
