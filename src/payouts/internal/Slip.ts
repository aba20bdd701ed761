/**
 * A payout as the payout book keeps it: its items found by id, its total kept as they come and go.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as Payout from "../Payout.js"
import type { Counted } from "../PayoutAccount.js"
import type { PayoutItem } from "../PayoutItem.js"

interface Placed {
  /** The items' order: that in which they came. */
  readonly position: number
  readonly item: PayoutItem
}

export interface Slip extends Counted {
  readonly items: HashMap.HashMap<string, Placed>
}

export const open = (head: Slip["head"]): Slip => ({ head, items: HashMap.empty(), total: 0n })

/** Puts an item in, or in the place of the one with its id. */
export const put = (slip: Slip, item: PayoutItem): Slip => {
  const earlier = Option.getOrUndefined(HashMap.get(slip.items, item.id))
  const position = earlier?.position ?? HashMap.size(slip.items)
  return {
    head: slip.head,
    items: HashMap.set(slip.items, item.id, { position, item }),
    total: slip.total + BigInt(item.amount) - BigInt(earlier?.item.amount ?? 0),
  }
}

/** The item with an id that the slip has. */
export const find = (slip: Slip, itemId: string): PayoutItem =>
  HashMap.getUnsafe(slip.items, itemId).item

export const toPayout = ({ head, items }: Slip): Payout.Payout => ({
  ...head,
  items: HashMap.toValues(items)
    .sort((a, b) => a.position - b.position)
    .map(({ item }) => item),
})
