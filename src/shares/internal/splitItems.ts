import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import { OrderView } from "../../rules/engine/OrderView.js"
import type { Precedence } from "../../rules/engine/Precedence.js"
import type { RuleIndex } from "../../rules/engine/RuleIndex.js"
import * as versions from "../../rules/engine/versions.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import type * as SplitPolicy from "../SplitPolicy.js"
import { shippingOf, spread } from "./base.js"
import { type ItemSplit, type OverAllocation, splitItem } from "./itemSplit.js"
import type { Edition, Sign } from "./overAllocation.js"

type FlatParts = ReadonlyMap<string, number>

/** Divides each flat amount that is paid once an order over the items on which its group counts. */
const spreadFlats = (
  { table }: RuleIndex,
  items: ReadonlyArray<OrderItem>,
  standings: ReadonlyArray<Precedence>,
  orderSign: Sign,
): ReadonlyArray<FlatParts> => {
  const flats = new Map<ProductGroup, { readonly amount: number; readonly places: Array<number> }>()
  standings.forEach(({ counting }, place) => {
    for (const slot of counting) {
      const group = table.groupAt(slot)
      const known = flats.get(group)
      if (known === undefined) flats.set(group, { amount: group.amount ?? 0, places: [place] })
      else known.places.push(place)
    }
  })
  const parts = items.map(() => new Map<string, number>())
  for (const [{ id }, { amount, places }] of flats) {
    const served = places.map((place) => at(items, place))
    const total = exact.sum(served.map((item) => item.amount))
    const sign = total === 0 || total === 0n ? orderSign : total < 0 ? -1 : 1
    spread(sign * amount, served).forEach((part, index) => {
      at(parts, at(places, index)).set(id, part)
    })
  }
  return parts
}

const hasAmount = ({ amount }: OrderItem): boolean => amount !== 0

/** An item of which the policy refuses what is claimed, and why. */
export interface Refusal {
  readonly item: OrderItem
  readonly over: OverAllocation
}

/** Splits each item of a valid order under a valid policy, or tells the first one of which too much is claimed. */
export const splitItems = (
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
  edition: Edition,
): ReadonlyArray<ItemSplit> | Refusal => {
  const { items } = order
  const view = new OrderView(order)
  const index = versions.indexOf(rules)
  const shipping = spread(shippingOf(order, policy), items)
  const fees = policy.gatewayFee === "deduct" ? spread(order.gatewayFee ?? 0, items) : []
  const standings = items.map((item) => index.standing(view, item.product, policy.stacking))
  const isOnce = policy.flatScope === "order"
  // Nobody else asks for it.
  const orderSign = isOnce || !items.every(hasAmount) ? edition.signOfOrder(order) : 1
  const flats = isOnce ? spreadFlats(index, items, standings, orderSign) : []
  const splits: Array<ItemSplit> = []
  for (const [place, item] of items.entries()) {
    const shippingPart = shipping[place] ?? 0
    const input = {
      table: index.table,
      order,
      item,
      edition,
      sign: edition.signOf(item, orderSign, shippingPart),
      standing: at(standings, place),
      flatParts: flats[place],
      shipping: shippingPart,
      gatewayFee: fees[place] ?? 0,
    }
    const split = splitItem(input, policy)
    if ("claims" in split) return { item, over: split }
    splits.push(split)
  }
  return splits
}
