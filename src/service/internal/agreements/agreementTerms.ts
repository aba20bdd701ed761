/** The agreements of an account as they are in force, and the balances of those that concern some people. */
import * as Effect from "effect/Effect"
import type { Agreed, AgreementSet } from "../../../agreements/Agreement.js"
import type {
  AgreementKey,
  AgreementTotals,
  StoredAgreement,
} from "../../../ports/AgreementStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { RecentValues } from "../RecentValues.js"
import { afterwards } from "../transactions.js"

/** What is agreed in an account. */
export interface AgreementTerms {
  readonly revision: number
  readonly inForce: AgreementSet
  /** The same without overrides of every sale, for what is a part of a sale only. */
  readonly ofShares: AgreementSet
  /** Those for which nothing was booked yet, by {@link keyText}. */
  readonly unused: ReadonlySet<string>
}

export const keyText = ({ kind, id }: AgreementKey): string => `${kind}/${id}`

const noSet: AgreementSet = { advances: [], reserves: [], guarantees: [], overrides: [] }

const noTerms: AgreementTerms = { revision: 0, inForce: noSet, ofShares: noSet, unused: new Set() }

/** The agreements without those that are ended, as one set. */
export const inForceOf = (
  all: ReadonlyArray<Agreed & Pick<StoredAgreement, "endedAt">>,
): AgreementSet => {
  const set = {
    advances: [...noSet.advances],
    reserves: [...noSet.reserves],
    guarantees: [...noSet.guarantees],
    overrides: [...noSet.overrides],
  }
  for (const one of all) {
    if (one.endedAt !== null) continue
    if (one.kind === "advance") set.advances.push(one.agreement)
    else if (one.kind === "reserve") set.reserves.push(one.agreement)
    else if (one.kind === "guarantee") set.guarantees.push(one.agreement)
    else set.overrides.push(one.agreement)
  }
  return set
}

const termsOf = (revision: number, all: ReadonlyArray<StoredAgreement>): AgreementTerms => {
  const inForce = inForceOf(all)
  const overrides = inForce.overrides.filter(({ from }) => from !== null)
  const unused = all.filter(({ isUsed }) => !isUsed)
  return {
    ...{ revision, inForce, ofShares: { ...inForce, overrides } },
    unused: new Set(unused.map(({ kind, agreement: { id } }) => keyText({ kind, id }))),
  }
}

/** The agreements of an account as the transaction sees them; with a cache, read again only when they have changed. */
export const agreementTerms = Effect.fnUntraced(function* (
  { agreements }: Stores,
  cache?: { readonly kept: RecentValues<AgreementTerms>; readonly accountId: string },
): Effect.fn.Return<AgreementTerms, StorageError> {
  const revision = yield* agreements.revision
  if (revision === 0) return noTerms
  const known = cache?.kept.get(cache.accountId)
  if (known?.revision === revision) return known
  const terms = termsOf(revision, yield* agreements.all)
  if (cache !== undefined) {
    const { kept, accountId } = cache
    yield* afterwards(Effect.sync(() => kept.set(accountId, terms)))
  }
  return terms
})

/** Whom the shares of some people concern: also those who get overrides of them, and overrides of every sale. */
const concernedBy = (
  { overrides }: AgreementSet,
  people: Iterable<string>,
): ReadonlySet<string> => {
  const found = new Set(people)
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { from, collaboratorId } of overrides) {
      if (from === null || found.has(from)) found.add(collaboratorId)
    }
  }
  return found
}

/** What of agreements concerns the shares of some people. */
export interface Concern {
  /** Agreements with balances. */
  readonly keys: ReadonlyArray<AgreementKey>
  /** Whether there is anything to book of such shares. */
  readonly isAny: boolean
}

export const concernOf = (set: AgreementSet, people: Iterable<string>): Concern => {
  const all = concernedBy(set, people)
  const own = ({ collaboratorId }: { readonly collaboratorId: string }) => all.has(collaboratorId)
  const keys: Array<AgreementKey> = []
  for (const one of set.advances) {
    if (own(one) || one.alsoFrom.some((id) => all.has(id)))
      keys.push({ kind: "advance", id: one.id })
  }
  for (const one of set.reserves) if (own(one)) keys.push({ kind: "reserve", id: one.id })
  for (const one of set.guarantees) if (own(one)) keys.push({ kind: "guarantee", id: one.id })
  const isAny = keys.length > 0 || set.overrides.some(own)
  return { keys, isAny }
}

/** The balances that are others afterwards. A balance that is nothing is not listed, and told as nothing here. */
export const changedTotals = (before: AgreementTotals, after: AgreementTotals): AgreementTotals => {
  const recouped = new Map(before.advances.map((one) => [one.advanceId, one.recouped]))
  const reserves = new Map(
    before.reserves.map((one) => [JSON.stringify([one.reserveId, one.currency]), one]),
  )
  const earned = new Map(before.guarantees.map((one) => [one.guaranteeId, one]))
  const left = {
    advances: new Set(after.advances.map(({ advanceId }) => advanceId)),
    guarantees: new Set(after.guarantees.map(({ guaranteeId }) => guaranteeId)),
  }
  return {
    advances: [
      ...after.advances.filter((one) => recouped.get(one.advanceId) !== one.recouped),
      ...before.advances
        .filter((one) => one.recouped !== 0 && !left.advances.has(one.advanceId))
        .map(({ advanceId }) => ({ advanceId, recouped: 0 })),
    ],
    reserves: after.reserves.filter((one) => {
      const known = reserves.get(JSON.stringify([one.reserveId, one.currency]))
      const names = ["reserved", "released", "reversed"] as const
      return names.some((name) => known?.[name] !== one[name])
    }),
    guarantees: [
      ...after.guarantees.filter((one) => {
        const known = earned.get(one.guaranteeId)
        return known?.earned !== one.earned || known.isClosed !== one.isClosed
      }),
      ...before.guarantees
        .filter((one) => one.earned !== 0 && !left.guarantees.has(one.guaranteeId))
        .map(({ guaranteeId, isClosed }) => ({ guaranteeId, earned: 0, isClosed })),
    ],
  }
}
