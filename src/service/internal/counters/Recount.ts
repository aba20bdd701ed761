/**
 * Counting recorded sales again under other rules, one after another, as a question: no counter of the account changes. A
 * counter begins where the first of the sales that was counted there found it, and at 0 if that sale was not.
 */
import * as Result from "effect/Result"
import type { Order } from "../../../orders/Order.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import * as Split from "../../../shares/Split.js"
import * as Counters from "../../../terms/Counters.js"
import type { SaleRules } from "../rules/saleRules.js"
import { type Counting, countedOrder, isCounted } from "./countedOrder.js"
import { foundBy } from "./saleCounts.js"

/** A sale that was split again. */
interface Recounted {
  readonly split: Result.Result<Split.Split, Split.SplitError>
  /** The counters that it needs as it found them; absent: it is not counted. */
  readonly found?: Counters.Counters | undefined
}

/** The payout by which the shares of a collaborator were counted, or else that in which they are. */
const payoutOf =
  ({ split, postings }: Pick<RecordedSale, "split" | "postings">) =>
  (collaboratorId: string): string => {
    const keys = split.shares
      .filter((share) => share.collaboratorId === collaboratorId)
      .flatMap(({ terms }) => [terms?.tiers ?? [], terms?.cap ?? []].flat())
    const periods = keys.map(({ counter }) => Counters.read(counter)?.period ?? "")
    const [recorded] = periods.filter((period) => period.startsWith("payout:"))
    const posting = postings.find((one) => one.collaboratorId === collaboratorId)
    return recorded?.slice("payout:".length) ?? posting?.payoutId ?? "none"
  }

/** The counters of a recount. */
export class Recount {
  readonly #counts: Map<string, number>

  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts)
  }

  /** Another one that goes on from here, of which this one does not know. */
  get aside(): Recount {
    return new Recount(this.#counts)
  }

  /** Splits the next sale. One that is refused is not counted. */
  split(
    sale: RecordedSale,
    { rules, order }: { readonly rules: SaleRules; readonly order: Order },
    counting: Counting,
  ): Recounted {
    const { policy } = counting
    if (!isCounted(rules, policy)) return { split: Split.orderResult(rules.rules, order, policy) }
    const before = foundBy(sale)
    const known = new Map(this.#counts)
    const payout = payoutOf(sale)
    for (;;) {
      const counted = countedOrder(rules, order, known, { ...counting, payout })
      for (const key of counted.lacked) known.set(key, before.get(key) ?? 0)
      if (counted.lacked.size > 0) continue
      const split = Result.mapError(counted.split, (error) => {
        // Names of payouts and time zones were checked, and counters are whole.
        if (error._tag === "InvalidCounters") throw new TypeError(error.message)
        return error
      })
      const keys = [...counted.after.keys()]
      const found = Object.fromEntries(keys.map((key) => [key, known.get(key) ?? 0]))
      for (const [key, count] of counted.after) this.#counts.set(key, count)
      return { split, found }
    }
  }
}
