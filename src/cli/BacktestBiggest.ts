/** The orders in which a collaborator gets so much more or less that it wants explaining. */
import * as Explanation from "../shares/Explanation.js"
import type { ChangedOrder } from "./Backtest.js"
import * as BacktestAmounts from "./BacktestAmounts.js"
import { changeOf } from "./BacktestSums.js"

/** An order that was split twice, and where it stands. */
export interface Candidate {
  readonly orderId: string
  readonly line: number
  readonly currency: string
  readonly month: string | null
  readonly sold: BacktestAmounts.SoldTwice
}

interface Place {
  readonly size: bigint
  readonly order: Candidate
  readonly amounts: ReadonlyMap<BacktestAmounts.Who, BacktestAmounts.Amounts>
}

const sizeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/** The biggest difference for a collaborator, without its sign. */
const biggestOf = (amounts: Place["amounts"]): bigint => {
  let biggest = 0n
  for (const [who, { before, after }] of amounts) {
    const size = who === null ? 0n : sizeOf(before.differenceTo(after))
    if (size > biggest) biggest = size
  }
  return biggest
}

const explained = (
  { split }: BacktestAmounts.Sold,
  items: ReadonlySet<string>,
): Explanation.Explanation => {
  const whole = Explanation.ofSplit(split)
  return { ...whole, items: whole.items.filter(({ itemId }) => items.has(itemId)) }
}

const changesOf = ({ order: { currency }, amounts }: Place): ChangedOrder["changes"] =>
  [...amounts]
    .flatMap(([collaboratorId, sums]) =>
      collaboratorId === null ? [] : { collaboratorId, currency, ...changeOf(sums) },
    )
    .filter(({ difference }) => difference !== 0n)
    .sort((one, other) => {
      const [size, otherSize] = [sizeOf(one.difference), sizeOf(other.difference)]
      if (size !== otherSize) return size > otherSize ? -1 : 1
      return one.collaboratorId < other.collaboratorId ? -1 : 1
    })

const changedOrder = (place: Place): ChangedOrder => {
  const { sold, ...order } = place.order
  const items = BacktestAmounts.differingItems(sold)
  return {
    ...order,
    changes: changesOf(place),
    isRefunded: sold.before.reversals.length > 0,
    before: explained(sold.before, items),
    after: explained(sold.after, items),
  }
}

/** Of each currency as many as are wanted: amounts of two currencies can't be compared. */
export class BacktestBiggest {
  private readonly most: number
  private readonly byCurrency = new Map<string, Array<Place>>()

  constructor(most: number) {
    this.most = most
  }

  /** Keeps an order if it is among the biggest, and answers whether a collaborator gets more or less of it. */
  consider(order: Candidate, amounts: Place["amounts"]): boolean {
    const size = biggestOf(amounts)
    if (size === 0n) return false
    const places = this.byCurrency.get(order.currency) ?? []
    this.byCurrency.set(order.currency, places)
    // Of equals the earlier order comes first, and stays.
    const after = places.findLastIndex((place) => place.size >= size)
    if (after + 1 < this.most) places.splice(after + 1, 0, { size, order, amounts })
    if (places.length > this.most) places.pop()
    return true
  }

  /** The biggest ones, by currency. */
  orders(): ReadonlyArray<ChangedOrder> {
    return [...this.byCurrency]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, places]) => places.map(changedOrder))
  }
}
