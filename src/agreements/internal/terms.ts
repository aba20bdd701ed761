/** Agreements by whom they concern, in the order in which they are applied. */
import { compareBy, compareNumbers, compareTexts } from "../../internal/compare.js"
import { basisPointsOf } from "../../money/internal/exact.js"
import type { Advance, AgreementSet, Guarantee, Override, Reserve } from "../Agreement.js"
import { linksOf } from "./chain.js"

/** An agreement, with its groups and its percentage in a form that is quick to ask. */
export interface Term<A> {
  readonly agreement: A
  readonly points: number
  readonly groups: ReadonlySet<string> | null
}

export interface AgreementTerms {
  /** Those that a collaborator's shares are recouped for, in the order of recoupment. */
  readonly advances: ReadonlyMap<string, ReadonlyArray<Term<Advance>>>
  readonly reserves: ReadonlyMap<string, ReadonlyArray<Term<Reserve>>>
  readonly guarantees: ReadonlyMap<string, ReadonlyArray<Term<Guarantee>>>
  /** By whose share they are about. */
  readonly overrides: ReadonlyMap<string, ReadonlyArray<Term<Override>>>
  readonly overridesOfSales: ReadonlyArray<Term<Override>>
  /** How many overrides lead to a collaborator at most. */
  readonly links: ReadonlyMap<string, number>
}

/** Whether an agreement concerns a share of a group; what belongs to no group, only where all are concerned. */
export const concerns = (
  { groups }: Pick<Term<unknown>, "groups">,
  groupId: string | null,
): boolean => groups === null || (groupId !== null && groups.has(groupId))

interface Agreed {
  readonly id: string
  readonly percent?: string
  readonly groups: ReadonlyArray<string> | null
}

const termOf = <A extends Agreed>(agreement: A): Term<A> => ({
  agreement,
  points: basisPointsOf(agreement.percent ?? null),
  groups: agreement.groups === null ? null : new Set(agreement.groups),
})

const byOwner = <A extends Agreed>(
  agreements: ReadonlyArray<A>,
  ownersOf: (agreement: A) => ReadonlyArray<string>,
): ReadonlyMap<string, ReadonlyArray<Term<A>>> => {
  const found = new Map<string, Array<Term<A>>>()
  for (const agreement of agreements) {
    const term = termOf(agreement)
    for (const owner of ownersOf(agreement)) {
      const others = found.get(owner)
      if (others === undefined) found.set(owner, [term])
      else others.push(term)
    }
  }
  return found
}

const byId = (one: Agreed, other: Agreed) => compareTexts(one.id, other.id)

/** Expenses before advances, older before newer. */
const inTurn = compareBy<Advance>(
  (one, other) => compareTexts(other.purpose, one.purpose),
  (one, other) => compareNumbers(one.grantedAt, other.grantedAt),
  byId,
)

const make = (set: AgreementSet): AgreementTerms => {
  const owner = ({ collaboratorId }: Reserve | Guarantee) => [collaboratorId]
  const overrides = set.overrides.toSorted(byId)
  return {
    advances: byOwner(set.advances.toSorted(inTurn), ({ collaboratorId, alsoFrom }) => [
      collaboratorId,
      ...alsoFrom,
    ]),
    reserves: byOwner(set.reserves.toSorted(byId), owner),
    guarantees: byOwner(set.guarantees.toSorted(byId), owner),
    overrides: byOwner(overrides, ({ from }) => (from === null ? [] : [from])),
    overridesOfSales: overrides.filter(({ from }) => from === null).map(termOf),
    links: linksOf(overrides).links,
  }
}

const made = new WeakMap<AgreementSet, AgreementTerms>()

/** The terms of agreements, made once for each set. */
export const termsOf = (set: AgreementSet): AgreementTerms => {
  const known = made.get(set)
  if (known !== undefined) return known
  const terms = make(set)
  made.set(set, terms)
  return terms
}
