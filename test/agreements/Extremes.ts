/** What random histories of agreements have to reach. */
import type { AgreementItem } from "apportion/agreements"
import type { Extremes } from "../generators/Extremes.js"
import type { Played } from "./Histories.js"

const most = Number.MAX_SAFE_INTEGER

const some = (is: (item: AgreementItem) => boolean) => (one: Played) => one.items.some(is)

const someSet = (is: (set: Played["sets"][number]) => boolean) => (one: Played) => one.sets.some(is)

/** How many overrides follow one another. */
const longest = ({ overrides }: Played["sets"][number]): number => {
  const lengthTo = (who: string): number =>
    Math.max(
      0,
      ...overrides
        .filter(({ collaboratorId }) => collaboratorId === who)
        .map(({ from }) => 1 + (from === null ? 0 : lengthTo(from))),
    )
  return Math.max(0, ...overrides.map(({ collaboratorId }) => lengthTo(collaboratorId)))
}

const recouped = (one: Played) =>
  one.items.filter(({ kind, event }) => kind === "recoupment" && event !== "refund")

export const extremes: Extremes<Played> = {
  "2^53 - 1 is sold": ({ sales }) =>
    sales.some(({ shares }) => shares.some(({ amount }) => Math.abs(amount) === most)),
  "a sum out of range": ({ isOver }) => isOver,
  "negative shares": ({ sales }) =>
    sales.some(({ shares }) => shares.some(({ amount }) => amount < 0)),
  "several currencies": ({ sales }) => new Set(sales.map(({ currency }) => currency)).size > 1,
  "agreements that change": ({ sets }) => sets.length > 1,
  "an advance that is recouped to the cent": (one) => {
    const sums = new Map<string, number>()
    return recouped(one).some((item) => {
      if (item.kind !== "recoupment") return false
      const sum = (sums.get(item.advanceId) ?? 0) - item.amount
      sums.set(item.advanceId, sum)
      return sum === item.granted
    })
  },
  "one share that two advances share": (one) =>
    one.items.some(
      (item) =>
        item.kind === "recoupment" &&
        one.items.some(
          (other) =>
            other.kind === "recoupment" &&
            other.event === item.event &&
            other.event === "sale" &&
            other.advanceId !== item.advanceId &&
            other.orderId === item.orderId &&
            other.itemId === item.itemId &&
            other.collaboratorId === item.collaboratorId,
        ),
    ),
  "an advance that two collaborators earn back": (one) => {
    const who = new Map<string, Set<string | null>>()
    for (const item of one.items) {
      if (item.kind !== "recoupment") continue
      const known = who.get(item.advanceId) ?? new Set()
      who.set(item.advanceId, known.add(item.collaboratorId))
    }
    return [...who.values()].some(({ size }) => size > 1)
  },
  "an advance of 0 %": someSet(({ advances }) =>
    advances.some(({ percent }) => percent === "0.00"),
  ),
  "a reserve of 100 %": someSet(({ reserves }) =>
    reserves.some(({ percent }) => percent === "100.00"),
  ),
  "what is recouped of a released part": some(
    ({ kind, event }) => kind === "recoupment" && event === "release",
  ),
  "a part that is released and then refunded": (one) => {
    const released = new Set(
      one.items.flatMap((item) =>
        item.kind === "release" ? [`${item.orderId}/${item.itemId}`] : [],
      ),
    )
    return one.items.some(
      (item) =>
        item.event === "refund" &&
        item.kind === "share" &&
        released.has(`${item.orderId}/${item.itemId}`),
    )
  },
  "a reserve that is given back by a refund": some(
    ({ kind, event }) => kind === "reserve" && event === "refund",
  ),
  "a shortfall": some((item) => item.kind === "shortfall" && item.amount > 0),
  "a guarantee that is earned": some((item) => item.kind === "shortfall" && item.amount === 0),
  "a chain of eight overrides": someSet((set) => longest(set) === 8),
  "an override that the store pays": some(
    (item) => item.kind === "override" && item.side === "paid" && item.collaboratorId === null,
  ),
  "an override of the sale": someSet(({ overrides }) =>
    overrides.some(({ from }) => from === null),
  ),
  "a refund of an override": some(({ kind, event }) => kind === "override" && event === "refund"),
  "a refund in parts": (one) => {
    const parts = one.items.filter(({ kind, event }) => kind === "share" && event === "refund")
    const keys = parts.map((item) =>
      item.kind === "share" ? `${item.orderId}/${item.itemId}/${item.groupId}` : "",
    )
    return new Set(keys).size < keys.length
  },
}
