import * as Order from "effect/Order"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { Slice } from "../../ports/Slice.js"
import type { Journal } from "./Journal.js"

interface Placed {
  /** Where the item stands among the others: later ones have larger numbers. */
  readonly place: number
  readonly item: PayoutItem
}

const byPlace: Order.Order<Placed> = Order.mapInput(Order.Number, ({ place }: Placed) => place)

/** The items of one payout, in the order in which they were added. */
export class PayoutItems {
  #items = new Map<string, Placed>()
  #nextPlace = 0
  /** Whether an item that was taken back in stands at the wrong place of the map. */
  #isDisordered = false

  get(itemId: string): PayoutItem | undefined {
    return this.#items.get(itemId)?.item
  }

  all(): Array<PayoutItem> {
    return Array.from(this.#inOrder(), ({ item }) => item)
  }

  slice({ offset, limit }: Slice): Array<PayoutItem> {
    const part: Array<PayoutItem> = []
    if (offset >= this.#items.size) return part
    let place = 0
    for (const { item } of this.#inOrder()) {
      if (place >= offset) part.push(item)
      place += 1
      if (part.length === limit) break
    }
    return part
  }

  #inOrder(): Iterable<Placed> {
    if (this.#isDisordered) {
      const sorted = [...this.#items.values()].sort(byPlace)
      this.#items = new Map(sorted.map((placed) => [placed.item.id, placed]))
      this.#isDisordered = false
    }
    return this.#items.values()
  }

  put(journal: Journal, item: PayoutItem): void {
    const before = this.#items.get(item.id)
    const place = before?.place ?? this.#nextPlace
    this.#items.set(item.id, { place, item })
    if (before === undefined) {
      this.#nextPlace += 1
      journal.note(() => this.#items.delete(item.id))
    } else journal.note(() => this.#items.set(item.id, before))
  }

  remove(journal: Journal, itemId: string): void {
    const before = this.#items.get(itemId)
    if (before === undefined) return
    this.#items.delete(itemId)
    journal.note(() => {
      this.#items.set(itemId, before)
      this.#isDisordered = true
    })
  }
}
