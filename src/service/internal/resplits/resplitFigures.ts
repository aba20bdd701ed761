/** The changes of a re-split in all: sums by collaborator and month, and the sales with the biggest changes. */
import * as Result from "effect/Result"
import { AmountOutOfRange } from "../../../money/Cents.js"
import type { ResplitTotal } from "../../../ports/ResplitStore.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import * as Adjustment from "../../../shares/Adjustment.js"
import * as Explanation from "../../../shares/Explanation.js"
import { type CollaboratorNames, namedIn, namesIn } from "../sales/saleNames.js"
import { recordedSplit, soldAt } from "./resplitParts.js"

/** By how much a collaborator gets more of a sale; below 0: less. */
interface ResplitDifference {
  readonly collaboratorId: string
  /** In cents of the order's currency. */
  readonly difference: number
}

/**
 * A sale with a big change, with both splits explained where they differ.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitExample {
  readonly orderId: string
  readonly part: number
  readonly currency: string
  /** As `2025-12`, in the account's time zone. */
  readonly month: string
  /** Those who get more or less, the biggest difference first. */
  readonly differences: ReadonlyArray<ResplitDifference>
  /** How many refunds it has: the differences are of what is left. */
  readonly refunds: number
  readonly before: Explanation.Explanation
  readonly after: Explanation.Explanation
  /** The same in words. */
  readonly texts: { readonly before: string; readonly after: string }
}

interface PartySum {
  readonly total: Pick<ResplitTotal, "collaboratorId" | "currency" | "month">
  before: bigint
  difference: bigint
}

const byText = (one: string | null, other: string | null): number => {
  if (one === other) return 0
  // The store comes last.
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

/** The sums over many sales, exact. */
export class ResplitSums {
  readonly #sums = new Map<string, PartySum>()

  add(
    sale: { readonly currency: string; readonly month: string },
    given: {
      readonly kept: ReadonlyArray<Adjustment.KeptShare>
      readonly adjustment: Adjustment.Adjustment | undefined
    },
  ): void {
    for (const { collaboratorId, amount } of given.kept) {
      this.#of(collaboratorId, sale).before += BigInt(amount)
    }
    const { shares, items } = given.adjustment ?? { shares: [], items: [] }
    for (const { collaboratorId, amount } of shares) {
      this.#of(collaboratorId, sale).difference += BigInt(amount)
    }
    for (const { store } of items) this.#of(null, sale).difference += BigInt(store)
  }

  /** By currency, then by collaborator, then by month. */
  totals(): Result.Result<ReadonlyArray<ResplitTotal>, AmountOutOfRange> {
    const totals: Array<ResplitTotal> = []
    for (const { total, before, difference } of this.#sums.values()) {
      const amounts = [before, before + difference, difference].map(Number)
      const [had = 0, has = 0, more = 0] = amounts
      if (!amounts.every(Number.isSafeInteger)) {
        const who = total.collaboratorId ?? "the store"
        const what = `the total of ${who} in ${total.currency} in ${total.month}`
        return Result.fail(AmountOutOfRange.of(what, before + difference))
      }
      totals.push({ ...total, before: had, after: has, difference: more })
    }
    return Result.succeed(
      totals.sort(
        (one, other) =>
          byText(one.currency, other.currency) ||
          byText(one.collaboratorId, other.collaboratorId) ||
          byText(one.month, other.month),
      ),
    )
  }

  #of(
    collaboratorId: string | null,
    { currency, month }: { readonly currency: string; readonly month: string },
  ): PartySum {
    const key = JSON.stringify([collaboratorId, currency, month])
    const known = this.#sums.get(key)
    if (known !== undefined) return known
    const sum = { total: { collaboratorId, currency, month }, before: 0n, difference: 0n }
    this.#sums.set(key, sum)
    return sum
  }
}

const differencesOf = ({ shares }: Adjustment.Adjustment): ReadonlyArray<ResplitDifference> => {
  const sums = new Map<string, number>()
  for (const { collaboratorId, amount } of shares) {
    sums.set(collaboratorId, (sums.get(collaboratorId) ?? 0) + amount)
  }
  return Array.from(sums, ([collaboratorId, difference]) => ({ collaboratorId, difference }))
    .filter(({ difference }) => difference !== 0)
    .sort(
      (one, other) =>
        Math.abs(other.difference) - Math.abs(one.difference) ||
        byText(one.collaboratorId, other.collaboratorId),
    )
}

interface BigDifference {
  readonly size: number
  readonly sale: RecordedSale
  readonly month: string
  readonly adjustment: Adjustment.Adjustment
  readonly differences: ReadonlyArray<ResplitDifference>
}

/** What a sale was split into, and what it would be. */
const splitsOf = ({ sale, adjustment }: BigDifference) => {
  return { before: Adjustment.inForce(recordedSplit(sale)), after: adjustment.split }
}

const exampleOf = (big: BigDifference, people: CollaboratorNames): ResplitExample => {
  const { sale, month, adjustment, differences } = big
  const { orderId, part, order, refunds } = sale
  const changed = new Set(adjustment.items.map(({ itemId }) => itemId))
  const names = namesIn(order, people)
  const explain = (split: Adjustment.RecordedSplit["split"]) => {
    const whole = Explanation.ofSplit(split)
    return { ...whole, items: whole.items.filter(({ itemId }) => changed.has(itemId)) }
  }
  const splits = splitsOf(big)
  const [before, after] = [explain(splits.before), explain(splits.after)]
  const texts = {
    before: Explanation.toText(before, { names }),
    after: Explanation.toText(after, { names }),
  }
  const { currency } = adjustment
  return {
    ...{ orderId, part, currency, month, differences, refunds: refunds.length },
    ...{ before, after, texts },
  }
}

/** As many as wanted for each currency: amounts of two currencies can't be compared. */
export class ResplitExamples {
  readonly #most: number
  readonly #byCurrency = new Map<string, Array<BigDifference>>()

  constructor(most: number) {
    this.#most = most
  }

  consider(sale: RecordedSale, month: string, adjustment: Adjustment.Adjustment): void {
    const differences = differencesOf(adjustment)
    const size = Math.abs(differences[0]?.difference ?? 0)
    if (size === 0 || this.#most === 0) return
    const places = this.#byCurrency.get(adjustment.currency) ?? []
    this.#byCurrency.set(adjustment.currency, places)
    // Among equal differences the earlier sale comes first, and stays.
    const after = places.findLastIndex((place) => place.size >= size)
    places.splice(after + 1, 0, { size, sale, month, adjustment, differences })
    if (places.length > this.#most) places.pop()
  }

  /** Whom they name. */
  people(): ReadonlyArray<string> {
    const splits = [...this.#byCurrency.values()].flat().map(splitsOf)
    return namedIn(splits.flatMap(({ before, after }) => [before, after]))
  }

  /** The biggest ones, by currency. */
  all(people: CollaboratorNames): ReadonlyArray<ResplitExample> {
    return [...this.#byCurrency]
      .sort(([one], [other]) => byText(one, other))
      .flatMap(([, places]) => places.map((one) => exampleOf(one, people)))
  }
}

/** The month in which a sale counts. */
export const monthOf = (months: (at: number) => string, sale: RecordedSale): string =>
  months(soldAt(sale))
