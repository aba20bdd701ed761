/** Looking at all the sales of a re-split, a batch in each transaction: what it would change. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type { ResplitBatch, ResplitRequest } from "../../../ports/ResplitStore.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { InvalidRuleSet } from "../../../rules/RuleSet.js"
import * as Adjustment from "../../../shares/Adjustment.js"
import type { SplitError } from "../../../shares/Split.js"
import { NotFound } from "../../ServiceError.js"
import { Recount } from "../counters/Recount.js"
import { digestOf } from "../inbox/deliverySignature.js"
import { monthsOf } from "../months.js"
import { collaboratorNames } from "../sales/saleNames.js"
import { monthOf, ResplitExamples, ResplitSums } from "./resplitFigures.js"
import { fingerprintOf, lookAt, type ResplitRules, recordedSplit } from "./resplitParts.js"

/**
 * A sale that the rules of a re-split refuse.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefusedSale {
  readonly orderId: string
  readonly part: number
  readonly error: SplitError
}

/** How many sales are looked at in one transaction. */
const slice = 200

/** How many refused sales are listed. */
const mostRefused = 100

type Read = <A, E>(
  work: (stores: Stores) => Effect.Effect<A, E>,
) => Effect.Effect<A, E | StorageError>

/** How a survey reads: in transactions of an account, by the rules that each of them sees. */
interface SurveyTools {
  readonly read: Read
  readonly ruling: (stores: Stores) => Effect.Effect<ResplitRules, InvalidRuleSet | StorageError>
}

interface SurveyOptions {
  readonly request: ResplitRequest
  readonly biggest: number
  readonly timeZone: string
  /** Sales that are recorded later are not looked at; Unix seconds. */
  readonly at: number
}

/** The next requested sales, some of which may have been looked at before. */
const nextSales = Effect.fnUntraced(function* (
  stores: Stores,
  { request, at }: SurveyOptions,
  place: number,
) {
  const { sales = {}, orderIds } = request
  if (orderIds !== undefined) {
    const ids = [...new Set(orderIds)].slice(place, place + slice)
    const parts = yield* Effect.forEach(ids, (id) => stores.sales.ofOrder(id))
    return { found: parts.flat(), passed: ids.length }
  }
  const { from, to = at } = sales.recorded ?? {}
  const filter = { ...sales, recorded: { from, to: Math.min(to, at) } }
  const { entries } = yield* stores.sales.list(filter, { offset: place, limit: slice })
  return { found: entries, passed: entries.length }
})

/** The findings so far. */
class Survey {
  readonly sums = new ResplitSums()
  readonly examples: ResplitExamples
  readonly refused: Array<RefusedSale> = []
  readonly fingerprints: Array<ResplitBatch["sales"][number]> = []
  readonly people = new Set<string>()
  /** Sales are counted in the order in which they are looked at. */
  readonly recount = new Recount()
  readonly #seen = new Set<string>()
  sales = 0

  constructor(biggest: number) {
    this.examples = new ResplitExamples(biggest)
  }

  /** Whether a sale is seen for the first time: others may be recorded between two looks at the list. */
  isNew({ orderId, part }: RecordedSale): boolean {
    const key = JSON.stringify([orderId, part])
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    return true
  }
}

const lookAtSale = Effect.fnUntraced(function* (
  stores: Stores,
  found: Survey,
  {
    sale,
    by,
    months,
  }: {
    readonly sale: RecordedSale
    readonly by: ResplitRules
    readonly months: (at: number) => string
  },
): Effect.fn.Return<void, AmountOutOfRange | StorageError> {
  const { orderId, part, split } = sale
  const isOne = part === 1 || by.policy.flatScope !== "order"
  const parts = isOne ? [sale] : yield* stores.sales.ofOrder(orderId)
  const place = parts.findIndex((one) => one.part === part)
  const { recount } = found
  const outcome = yield* lookAt(stores, by, { parts, place, recount })
  found.sales += 1
  const month = monthOf(months, sale)
  const adjustment = outcome.type === "changed" ? outcome.adjustment : undefined
  const kept = yield* Effect.fromResult(Adjustment.kept(recordedSplit(sale)))
  found.sums.add({ currency: split.currency, month }, { kept, adjustment })
  if (outcome.type === "refused") {
    if (found.refused.length < mostRefused) {
      found.refused.push({ orderId, part, error: outcome.error })
    }
    return
  }
  if (adjustment === undefined) return
  for (const { collaboratorId } of adjustment.shares) found.people.add(collaboratorId)
  const fingerprint = yield* fingerprintOf(sale, adjustment)
  const counters = outcome.type === "changed" ? outcome.next.counters : undefined
  found.fingerprints.push({
    ...{ orderId, part, fingerprint },
    ...(counters === undefined ? {} : { counters }),
  })
  found.examples.consider(sale, month, adjustment)
})

/** Looks at all of them. */
export const survey = Effect.fnUntraced(function* (
  { read, ruling }: SurveyTools,
  options: SurveyOptions,
) {
  const found = new Survey(options.biggest)
  const months = monthsOf(options.timeZone)
  for (let place = 0, passed = slice; passed > 0; place += passed) {
    const from = place
    passed = yield* read(
      Effect.fnUntraced(function* (stores) {
        const by = yield* ruling(stores)
        const next = yield* nextSales(stores, options, from)
        for (const sale of next.found) {
          if (!by.isAsked(sale) || !found.isNew(sale)) continue
          yield* lookAtSale(stores, found, { sale, by, months })
        }
        return next.passed
      }),
    )
  }
  const ids = [...found.people]
  const known = yield* read(({ collaborators }) =>
    ids.length === 0 ? Effect.succeed([]) : collaborators.find(ids),
  )
  const there = new Set(known.map(({ collaborator }) => collaborator.id))
  const unknown = ids.find((id) => !there.has(id))
  if (unknown !== undefined) return yield* NotFound.of("collaborator", unknown)
  const { sales, refused, fingerprints, examples } = found
  const people = yield* read((stores) => collaboratorNames(stores, examples.people()))
  const prints = fingerprints.map(({ fingerprint }) => fingerprint)
  return {
    digest: yield* digestOf(prints.join("\n")),
    ...{ sales, changed: fingerprints.length, refused },
    totals: yield* Effect.fromResult(found.sums.totals()),
    biggest: examples.all(people),
    fingerprints,
  }
})
