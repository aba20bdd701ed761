/** The sums of money that orders are made of. */
import type { ProductGroup } from "../../groups/ProductGroup.js"
import type { RuleOrderOptions } from "../arbitraries/RuleOrders.js"
import { interesting } from "./figures.js"
import type { OrderPlan, Part } from "./plan.js"

const most = Number.MAX_SAFE_INTEGER

/** The plain sum of 100.00 first; then what is always interesting. */
const usual = [10_000, 0, 1, 2, 3, 99, 100, 101, 333, 9_999, 10_001, 5_000]
const huge = [most, most - 1, (most - 1) / 2, (most + 1) / 2, 90_071_992_547_409]

/** How the money of orders is drawn for some groups. */
export const moneyOf = (
  groups: ReadonlyArray<ProductGroup>,
  { amounts, without = [], maxItems = 3 }: RuleOrderOptions,
): OrderPlan => {
  const has = (feature: (typeof without)[number]) => !without.includes(feature)
  const figures = interesting(groups)
  // Ordinary sums as often as interesting ones, however many of these there are.
  const plain = [...usual, ...figures, ...usual.slice(2)]
  const all =
    amounts === "usual" ? plain.filter((amount) => amount < 10_000_000) : [...plain, ...huge]
  const isOdd = has("odd sums")
  const odd = <A>(...list: ReadonlyArray<A>): ReadonlyArray<A> => (isOdd ? list : [])
  const sums = [undefined, undefined, 0, 1, 499, 1_001, ...odd(-500), ...figures.slice(0, 5)]
  const parts = (feature: (typeof without)[number], list: ReadonlyArray<Part>) =>
    has(feature) ? list : (["none"] as const)
  const few: ReadonlyArray<Part> = ["none", "none", "none", "fifth", "third", "cent", "zero"]
  const free: ReadonlyArray<Part> = ["almost", "all", ...odd<Part>("more", "against")]
  return {
    maxItems,
    amounts: has("free items") ? all : all.filter((amount) => amount > 0),
    quantities: has("free items") ? [1, 2, 3, 0, 7, 1_000] : [1, 2, 3, 7, 1_000],
    discounts: parts("discounts", [...few, ...(has("free items") ? free : [])]),
    taxes: parts("taxes", [...few, ...odd<Part>("all", "more", "against")]),
    costs: parts("costs", [...few, "all", "more"]),
    hasReturns: has("returns"),
    isOdd,
    shippings: has("shipping") ? sums : [undefined],
    fees: has("fees") ? sums : [undefined],
  }
}

/** A part of a sum, in its sign; `undefined` where there is none. Never beyond what is exact. */
export const partOf = (whole: number, part: Part): number | undefined => {
  const sign = whole < 0 ? -1 : 1
  switch (part) {
    case "none":
      return undefined
    case "zero":
      return 0
    case "cent":
      return Math.sign(whole)
    case "fifth":
      return Math.trunc(whole / 5) + 0
    case "third":
      return Math.trunc(whole / 3) + 0
    case "almost":
      return whole - Math.sign(whole)
    case "all":
      return whole
    case "more":
      return Math.abs(whole) < most ? whole + sign : whole
    case "against":
      return 0 - Math.trunc(whole / 5)
  }
}
