/** What sales of a period would have come to with a draft of a product group, beside the rules that are stored. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { AmountOutOfRange } from "../../../money/Cents.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Explanation from "../../../shares/Explanation.js"
import type * as Split from "../../../shares/Split.js"
import { Recount } from "../counters/Recount.js"
import { type CollaboratorNames, namedIn, namesIn } from "../sales/saleNames.js"
import type { DraftedRules } from "./draftRules.js"
import { rulesForPart, type SaleRules } from "./saleRules.js"

/** The rules of a backtest: those that are stored, and those with the draft; and where years and months of terms begin. */
export interface ComparedRules extends Pick<DraftedRules, "stored" | "drafted"> {
  readonly timeZone: string
}

/**
 * What a party would have got of the sales of a period.
 *
 * @since 0.6.0
 * @category models
 */
export interface DraftTotal {
  /** `null`: the store. */
  readonly collaboratorId: string | null
  readonly currency: string
  /** By the rules that are stored, in cents of the orders' currency, whatever was refunded since. */
  readonly before: number
  /** With the draft. */
  readonly after: number
  readonly difference: number
}

/**
 * A sale of which much would have changed, explained where it differs.
 *
 * @since 0.6.0
 * @category models
 */
export interface DraftExample {
  readonly orderId: string
  readonly part: number
  readonly currency: string
  /** Those who would have got more or less, the biggest difference first. */
  readonly differences: ReadonlyArray<{
    readonly collaboratorId: string
    readonly difference: number
  }>
  readonly beforeText: string
  readonly afterText: string
}

/**
 * A sale that the rules with the draft would have refused.
 *
 * @since 0.6.0
 * @category models
 */
export interface DraftRefusal {
  readonly orderId: string
  readonly part: number
  readonly error: Split.SplitError
}

/**
 * The figures of a backtest of a draft.
 *
 * @since 0.6.0
 * @category models
 */
export interface BacktestFigures {
  /** How many parts of orders were looked at. */
  readonly sales: number
  /** How many of them would have been split otherwise. */
  readonly changed: number
  /** Whether these are all parts of the period. */
  readonly isWhole: boolean
  /** Of everybody whose sum differs, by currency; the store last. */
  readonly totals: ReadonlyArray<DraftTotal>
  /** The biggest differences, by currency. */
  readonly biggest: ReadonlyArray<DraftExample>
  /** The first of them. */
  readonly refused: ReadonlyArray<DraftRefusal>
}

const mostRefused = 20

interface Compared {
  readonly sale: RecordedSale
  readonly before: Split.Split
  readonly after: Split.Split
}

interface ComparedSum {
  before: bigint
  after: bigint
}

type Differences = DraftExample["differences"]

/** What each collaborator has of a split; `null`: the store. */
const amountsOf = ({ shares, store }: Split.Split): ReadonlyMap<string | null, number> => {
  const amounts = new Map<string | null, number>()
  const add = (who: string | null, amount: number) =>
    amounts.set(who, (amounts.get(who) ?? 0) + amount)
  for (const { collaboratorId, amount } of shares) add(collaboratorId, amount)
  for (const { amount } of store) add(null, amount)
  return amounts
}

const byText = (one: string | null, other: string | null): number => {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

/** An example that is explained only if it stays among the biggest. */
interface TriedSale extends Compared {
  readonly size: number
  readonly differences: Differences
}

/** The figures so far. */
export class Backtest {
  readonly #biggest: number
  readonly #sums = new Map<string, Map<string | null, ComparedSum>>()
  readonly #candidates = new Map<string, Array<TriedSale>>()
  readonly #refused: Array<DraftRefusal> = []
  /** Sales are counted as if nothing had been counted before the first of them. */
  readonly stored = new Recount()
  readonly drafted = new Recount()
  #sales = 0
  #changed = 0

  constructor(biggest: number) {
    this.#biggest = biggest
  }

  get sales(): number {
    return this.#sales
  }

  add(
    sale: RecordedSale,
    before: Split.Split,
    after: Result.Result<Split.Split, Split.SplitError>,
  ): void {
    this.#sales += 1
    if (Result.isFailure(after)) {
      const { orderId, part } = sale
      if (this.#refused.length < mostRefused) {
        this.#refused.push({ orderId, part, error: after.failure })
      }
      return
    }
    this.#compare({ sale, before, after: after.success })
  }

  /** Whom the examples name. */
  people(): ReadonlyArray<string> {
    const examples = [...this.#candidates.values()].flat()
    return namedIn(examples.flatMap(({ before, after }) => [before, after]))
  }

  figures(
    isWhole: boolean,
    people: CollaboratorNames,
  ): Result.Result<BacktestFigures, AmountOutOfRange> {
    return Result.map(this.#totals(), (totals) => ({
      ...{ sales: this.#sales, changed: this.#changed, isWhole, totals },
      biggest: [...this.#candidates]
        .sort(([one], [other]) => byText(one, other))
        .flatMap(([, candidates]) => candidates.map((one) => exampleOf(one, people))),
      refused: this.#refused,
    }))
  }

  #compare({ sale, before, after }: Compared): void {
    const { currency } = before
    const sums = this.#sums.get(currency) ?? new Map<string | null, ComparedSum>()
    this.#sums.set(currency, sums)
    const [had, has] = [amountsOf(before), amountsOf(after)]
    const differences: Array<Differences[number]> = []
    for (const who of new Set([...had.keys(), ...has.keys()])) {
      const [less = 0, more = 0] = [had.get(who), has.get(who)]
      const sum = sums.get(who) ?? { before: 0n, after: 0n }
      sum.before += BigInt(less)
      sum.after += BigInt(more)
      sums.set(who, sum)
      if (who !== null && less !== more) {
        differences.push({ collaboratorId: who, difference: more - less })
      }
    }
    if (differences.length === 0) return
    this.#changed += 1
    differences.sort(
      (one, other) =>
        Math.abs(other.difference) - Math.abs(one.difference) ||
        byText(one.collaboratorId, other.collaboratorId),
    )
    this.#consider({ sale, before, after, differences, size: sizeOf(differences) })
  }

  /** Among equal differences the earlier sale comes first, and stays. */
  #consider(candidate: TriedSale): void {
    const { currency } = candidate.before
    const candidates = this.#candidates.get(currency) ?? []
    this.#candidates.set(currency, candidates)
    const after = candidates.findLastIndex(({ size }) => size >= candidate.size)
    candidates.splice(after + 1, 0, candidate)
    if (candidates.length > this.#biggest) candidates.pop()
  }

  #totals(): Result.Result<ReadonlyArray<DraftTotal>, AmountOutOfRange> {
    const totals: Array<DraftTotal> = []
    for (const [currency, sums] of this.#sums) {
      for (const [collaboratorId, { before, after }] of sums) {
        if (before === after) continue
        const all = [before, after, after - before].map(Number)
        const [had = 0, has = 0, difference = 0] = all
        if (!all.every(Number.isSafeInteger)) {
          const who = collaboratorId ?? "the store"
          return Result.fail(AmountOutOfRange.of(`the total of ${who} in ${currency}`, after))
        }
        totals.push({ collaboratorId, currency, before: had, after: has, difference })
      }
    }
    return Result.succeed(
      totals.sort(
        (one, other) =>
          byText(one.currency, other.currency) || byText(one.collaboratorId, other.collaboratorId),
      ),
    )
  }
}

const sizeOf = ([first]: Differences): number => Math.abs(first?.difference ?? 0)

/** The items in which two splits differ, as a text of each. */
const exampleOf = (
  { sale, before, after, differences }: TriedSale,
  people: CollaboratorNames,
): DraftExample => {
  const { orderId, part, order } = sale
  const names = namesIn(order, people)
  const sharesOf = (split: Split.Split, itemId: string) =>
    JSON.stringify(split.shares.filter((share) => share.itemId === itemId))
  const differing = new Set(
    order.items.map(({ id }) => id).filter((id) => sharesOf(before, id) !== sharesOf(after, id)),
  )
  const textOf = (split: Split.Split) => {
    const whole = Explanation.ofSplit(split)
    const items = whole.items.filter(({ itemId }) => differing.has(itemId))
    return Explanation.toText({ ...whole, items }, { names })
  }
  return {
    ...{ orderId, part, currency: before.currency, differences },
    ...{ beforeText: textOf(before), afterText: textOf(after) },
  }
}

/** Splits the parts of orders by both, as they were recorded, with the policy of each. */
export const compareAll = Effect.fnUntraced(function* (
  stores: Stores,
  backtest: Backtest,
  { stored, drafted, timeZone }: ComparedRules,
  sales: ReadonlyArray<RecordedSale>,
): Effect.fn.Return<void, StorageError> {
  for (const sale of sales) {
    const { order, policy, part, orderId } = sale
    const isOne = part === 1 || policy.flatScope !== "order"
    const parts = isOne ? [] : yield* stores.sales.ofOrder(orderId)
    const earlier = parts.filter((other) => other.part < part)
    const splitBy = (rules: SaleRules, recount: Recount) => {
      const forPart = rulesForPart(rules, policy, { order, earlier })
      return recount.split(sale, { rules: forPart, order }, { policy, timeZone }).split
    }
    const before = splitBy(stored, backtest.stored)
    const after = splitBy(drafted, backtest.drafted)
    // What is refused by the stored rules already says nothing of the draft.
    if (Result.isFailure(before)) continue
    backtest.add(sale, before.success, after)
  }
})
