/** How far the terms of a collaborator's product groups have counted, in the periods of now. */
import * as Effect from "effect/Effect"
import * as Currency from "../../../money/Currency.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Counters from "../../../terms/Counters.js"
import * as TermStand from "../../../terms/TermStand.js"
import type { Cap, Counted, CountPeriod, Per, Tiers } from "../../../terms/Terms.js"
import { monthsOf } from "../months.js"
import type { Passing } from "../payouts/payoutCycle.js"
import { collectingPayoutOf } from "./countedOrder.js"

interface Stand {
  readonly groupId: string
  /** ISO 4217 code; each currency is counted by itself. */
  readonly currency: string
  /** `lifetime`, the year or the month that it is now, as `2026-03`, or `payout`: that which collects now. */
  readonly period: string
  /** Whether all groups of the collaborator that count the same are counted together. */
  readonly per: Per
}

/**
 * Which band of its tiers a group has reached, or what is left under its cap, as the statement of its collaborator has it.
 * What it counts in a currency is there once anything was counted in the period.
 *
 * @since 0.6.0
 * @category models
 */
export type StatementTerm =
  | (Stand & {
      readonly kind: "tiers"
      readonly counted: Counted
      /** Units, or cents of the currency. `Visibility.isCountSeen` says whether the collaborator may see it. */
      readonly count: number
    } & TermStand.ReachedBand)
  | (Stand & {
      readonly kind: "cap"
      /** The most that is paid in the period, in cents of the currency. */
      readonly amount: number
      /** What was paid in it, without shipping, in cents. */
      readonly count: number
      /** What is left under it, in cents. */
      readonly left: number
    })

/** A counter that a group may have, and where it stands if it does. */
interface PossibleCount {
  readonly key: string
  readonly stand: (count: number) => StatementTerm
}

const askedOf = (
  { id: groupId, collaboratorId, terms }: AccountGroup,
  nameOf: (period: CountPeriod) => string,
): ReadonlyArray<PossibleCount> => {
  const { tiers = null, cap = null } = terms ?? {}
  const keyOf = (counted: Counted, { per, period }: Tiers | Cap, currency: string) =>
    Counters.keyOf({
      ...{ counted, currency, per, period: nameOf(period) },
      id: per === "group" ? groupId : collaboratorId,
    })
  const aboutOf = ({ per, period }: Tiers | Cap, currency: string) => {
    return { groupId, currency, per, period: period === "payout" ? period : nameOf(period) }
  }
  return Currency.codes().flatMap((currency) => [
    ...(tiers === null
      ? []
      : [
          {
            key: keyOf(tiers.counted, tiers, currency),
            stand: (count: number): StatementTerm => ({
              ...{ kind: "tiers", ...aboutOf(tiers, currency), counted: tiers.counted, count },
              ...TermStand.bandAt(tiers, count),
            }),
          },
        ]),
    ...(cap === null
      ? []
      : [
          {
            key: keyOf("share", cap, currency),
            stand: (count: number): StatementTerm => ({
              ...{ kind: "cap", ...aboutOf(cap, currency), amount: cap.amount, count },
              left: TermStand.leftUnder(cap, count),
            }),
          },
        ]),
  ])
}

/** How many counters are looked up at a time. */
const atATime = 5_000

/** Where the terms of a collaborator's groups stand at a time, by group. */
export const termStandings = Effect.fnUntraced(function* (
  stores: Stores,
  collaboratorId: string,
  terms: Pick<Passing, "at" | "timeZone" | "maturityDays">,
): Effect.fn.Return<ReadonlyArray<StatementTerm>, StorageError> {
  const slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { entries } = yield* stores.groups.list(collaboratorId, slice)
  const termed = entries.map(({ group }) => group).filter(({ terms }) => terms != null)
  if (termed.length === 0) return []
  const month = monthsOf(terms.timeZone)(terms.at)
  const payout = `payout:${yield* collectingPayoutOf(stores, terms)(collaboratorId)}`
  const names = { lifetime: "lifetime", year: month.slice(0, -3), month, payout }
  const asked = termed
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap((group) => askedOf(group, (period) => names[period]))
  const counts = new Map<string, number>()
  for (let from = 0; from < asked.length; from += atATime) {
    const keys = asked.slice(from, from + atATime).map(({ key }) => key)
    for (const { key, count } of yield* stores.counters.find(keys)) counts.set(key, count)
  }
  return asked.flatMap(({ key, stand }) => {
    const count = counts.get(key)
    return count === undefined ? [] : [stand(count)]
  })
})
