/**
 * A payout as the payout book keeps it: its items found by id, its total kept as they come and go.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Cents from "../../money/Cents.js"
import * as exact from "../../money/internal/exact.js"
import * as Payout from "../Payout.js"
import type { PayoutItem } from "../PayoutItem.js"
import type * as PayoutStatus from "../PayoutStatus.js"
import * as lifeCycle from "./lifeCycle.js"

type Head = Omit<Payout.Payout, "items">

interface Placed {
  /** The items' order: that in which they came. */
  readonly position: number
  readonly item: PayoutItem
}

export interface Slip {
  readonly head: Head
  readonly items: HashMap.HashMap<string, Placed>
  /** Exact, however large it is on the way. */
  readonly total: bigint
}

export const open = (facts: Parameters<typeof Payout.open>[0]): Slip => {
  const { items: _none, ...head } = Payout.open(facts)
  return { head, items: HashMap.empty(), total: 0n }
}

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

/** Sets the due date. */
export const due = (slip: Slip, toBePaidAt: number): Slip => ({
  ...slip,
  head: { ...slip.head, toBePaidAt },
})

export const move = (
  slip: Slip,
  event: PayoutStatus.Event,
): Result.Result<Slip, PayoutStatus.TransitionError> =>
  Result.map(
    lifeCycle.move(slip.head, event, () => safeTotal(slip)),
    (head) => ({ ...slip, head }),
  )

const safeTotal = ({ head, total }: Slip): Result.Result<number, Cents.AmountOutOfRange> => {
  const safe = exact.toSafe(total)
  return safe === undefined
    ? Result.fail(Cents.AmountOutOfRange.of(`the total of payout ${head.id}`, total))
    : Result.succeed(safe)
}

export const toPayout = ({ head, items }: Slip): Payout.Payout => ({
  ...head,
  items: HashMap.toValues(items)
    .sort((a, b) => a.position - b.position)
    .map(({ item }) => item),
})
