/** The items of payouts in a batch, as far as they were looked up. */
import type { PayoutItem } from "../../../payouts/PayoutItem.js"
import type { ItemPlace, PlacedItem } from "../../../ports/PayoutStore.js"
import type { Looked } from "./BatchPeople.js"

const none: Looked<PayoutItem> = { found: undefined }

/** Items by their payouts and ids. */
export class BatchItems {
  readonly #byPayout = new Map<string, Map<string, Looked<PayoutItem>>>()

  /** What is known of a payout. */
  of(payoutId: string): Map<string, Looked<PayoutItem>> {
    const known = this.#byPayout.get(payoutId)
    if (known !== undefined) return known
    const items = new Map<string, Looked<PayoutItem>>()
    this.#byPayout.set(payoutId, items)
    return items
  }

  isKnown({ payoutId, itemId }: ItemPlace): boolean {
    return this.#byPayout.get(payoutId)?.has(itemId) ?? false
  }

  /** Notes what was found at places that were looked up. */
  learn(places: ReadonlyArray<ItemPlace>, all: ReadonlyArray<PlacedItem>): void {
    for (const { payoutId, itemId } of places) this.of(payoutId).set(itemId, none)
    for (const { payoutId, item } of all) this.of(payoutId).set(item.id, { found: item })
  }

  /** The items that there are at places, as far as that is known. */
  at(places: ReadonlyArray<ItemPlace>): ReadonlyArray<PlacedItem> {
    const all: Array<PlacedItem> = []
    for (const { payoutId, itemId } of places) {
      const item = this.#byPayout.get(payoutId)?.get(itemId)?.found
      if (item !== undefined) all.push({ payoutId, item })
    }
    return all
  }
}
