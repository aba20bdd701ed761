/** The items of payouts in a batch, as far as they were looked up. */
import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../../payouts/PayoutItem.js"
import type {
  ItemPlace,
  PayoutChange,
  PayoutStore,
  PlacedItem,
} from "../../../ports/PayoutStore.js"

/** Items by their ids; `null`: the payout has none with the id. */
type KnownItems = Map<string, PayoutItem | null>

/** Items by their payouts and ids. */
export class BatchItems {
  readonly #byPayout = new Map<string, KnownItems>()
  readonly #isOpened: (payoutId: string) => boolean

  /** @param isOpened - tells payouts that were opened in the batch: each of their items is known */
  constructor(isOpened: (payoutId: string) => boolean) {
    this.#isOpened = isOpened
  }

  /** The items that there are at places. Those that are not known are looked up; `ask` asks the storage. */
  find(
    places: ReadonlyArray<ItemPlace>,
    ask: PayoutStore["itemsAt"],
  ): ReturnType<PayoutStore["itemsAt"]> {
    const known: Array<PlacedItem> = []
    const unknown: Array<ItemPlace> = []
    for (const place of places) {
      const { payoutId, itemId } = place
      const item = this.#byPayout.get(payoutId)?.get(itemId)
      if (item != null) known.push({ payoutId, item })
      else if (item === undefined && !this.#isOpened(payoutId)) unknown.push(place)
    }
    if (unknown.length === 0) return Effect.succeed(known)
    return Effect.flatMap(ask(unknown), (found) => {
      for (const { payoutId, itemId } of unknown) this.#of(payoutId).set(itemId, null)
      for (const { payoutId, item } of found) this.#of(payoutId).set(item.id, item)
      return this.find(places, ask)
    })
  }

  /** Notes what becomes of a payout's items, and returns what takes that back. */
  change(payoutId: string, { put = [], remove = [] }: Omit<PayoutChange, "payout">): () => void {
    const items = this.#of(payoutId)
    const ids = [...remove, ...put.map(({ id }) => id)]
    const before = ids.map((id) => items.get(id))
    for (const id of remove) items.set(id, null)
    for (const item of put) items.set(item.id, item)
    return () => {
      for (const [index, id] of ids.entries()) {
        const item = before[index]
        if (item === undefined) items.delete(id)
        else items.set(id, item)
      }
    }
  }

  #of(payoutId: string): KnownItems {
    const known = this.#byPayout.get(payoutId)
    if (known !== undefined) return known
    const items: KnownItems = new Map()
    this.#byPayout.set(payoutId, items)
    return items
  }
}
