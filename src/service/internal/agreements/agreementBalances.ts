/** Where agreements stand: each with its own balance. */
import { kinds } from "../../../agreements/Agreement.js"
import * as Balances from "../../../agreements/Balances.js"
import { compareTexts } from "../../../internal/compare.js"
import type { AgreementTotals, StoredAgreement } from "../../../ports/AgreementStore.js"

/**
 * Where an advance stands, in cents of its currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface AdvanceBalance {
  readonly recouped: number
  /** What is still to be recouped. */
  readonly open: number
}

/**
 * Where a reserve stands in a currency, in cents. What it withheld in all is what it holds, has released and has given
 * back.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReserveBalance {
  /** ISO 4217 code. */
  readonly currency: string
  readonly reserved: number
  readonly released: number
  /** What went back to shares that were refunded. */
  readonly reversed: number
  /** What is still to be released. */
  readonly held: number
  /** When the next part is released, in Unix seconds; `null`: nothing is held. Absent where it was not looked up. */
  readonly nextReleaseAt?: number | null
}

/**
 * Where a guarantee stands, in cents of its currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface GuaranteeBalance {
  readonly earned: number
  /** What is earned too little, 0 or more; booked when the period is over. `null`: too much to be booked exactly. */
  readonly shortfall: number | null
  /** Whether the period is over and the shortfall booked. */
  readonly isClosed: boolean
}

/**
 * A stored agreement and where it stands. An override has no balance: it is paid with each sale.
 *
 * @since 0.6.0
 * @category models
 */
export type AgreementStanding =
  | (StoredAgreement & { readonly kind: "advance"; readonly balance: AdvanceBalance })
  | (StoredAgreement & {
      readonly kind: "reserve"
      /** By currency. */
      readonly balance: ReadonlyArray<ReserveBalance>
    })
  | (StoredAgreement & { readonly kind: "guarantee"; readonly balance: GuaranteeBalance })
  | (StoredAgreement & { readonly kind: "override"; readonly balance: null })

/** By kind, then by id. */
export const byKindAndId = (one: StoredAgreement, other: StoredAgreement): number =>
  kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
  compareTexts(one.agreement.id, other.agreement.id)

/**
 * An agreement with a balance, as the statement of its collaborator has it: without what is about others.
 *
 * @since 0.6.0
 * @category models
 */
export type StatementAgreement = { readonly id: string } & (
  | {
      readonly kind: "advance"
      /** ISO 4217 code. */
      readonly currency: string
      /** What was granted or spent, in cents. */
      readonly amount: number
      readonly balance: AdvanceBalance
    }
  | { readonly kind: "reserve"; readonly balance: ReadonlyArray<ReserveBalance> }
  | {
      readonly kind: "guarantee"
      /** ISO 4217 code. */
      readonly currency: string
      /** What is earned at least, in cents. */
      readonly amount: number
      /** Unix seconds. */
      readonly from: number
      /** Unix seconds of the first moment after the period. */
      readonly until: number
      readonly balance: GuaranteeBalance
    }
)

const statementAgreement = (one: AgreementStanding): StatementAgreement | undefined => {
  const isOver = one.endedAt !== null
  switch (one.kind) {
    case "advance": {
      const { id, currency, amount } = one.agreement
      return isOver ? undefined : { kind: one.kind, id, currency, amount, balance: one.balance }
    }
    case "reserve": {
      const { balance, kind, agreement } = one
      const isHeld = balance.some(({ held }) => held > 0)
      return isOver && !isHeld ? undefined : { kind, id: agreement.id, balance }
    }
    case "guarantee": {
      const { id, currency, amount, from, until } = one.agreement
      const { kind, balance } = one
      return isOver ? undefined : { kind, id, currency, amount, from, until, balance }
    }
    case "override":
      return undefined
  }
}

/** Agreements as a statement has them: of those that are ended, only reserves that still hold something. */
export const statementAgreements = (
  standings: ReadonlyArray<AgreementStanding>,
): ReadonlyArray<StatementAgreement> => standings.flatMap((one) => statementAgreement(one) ?? [])

const reserveBalances = (
  id: string,
  balances: Balances.AgreementBalances,
  held: ReadonlyArray<Balances.HeldPart> | undefined,
): ReadonlyArray<ReserveBalance> =>
  balances.reserves
    .filter(({ reserveId }) => reserveId === id)
    .map(({ currency, reserved, released, reversed }) => {
      const next = held?.find((part) => part.reserveId === id && part.currency === currency)
      return {
        ...{ currency, reserved, released, reversed },
        held: Balances.heldOf(balances, id, currency),
        ...(held === undefined ? {} : { nextReleaseAt: next?.releaseAt ?? null }),
      }
    })
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))

/**
 * Where an agreement stands.
 *
 * @param held - what its collaborator's reserves hold, the earliest to be released first; absent: that is not known
 */
export const standingOf = (
  stored: StoredAgreement,
  totals: AgreementTotals,
  held?: ReadonlyArray<Balances.HeldPart>,
): AgreementStanding => {
  const balances = { ...totals, held: [] }
  switch (stored.kind) {
    case "advance": {
      const { agreement } = stored
      const open = Balances.open(balances, agreement)
      return { ...stored, balance: { recouped: agreement.amount - open, open } }
    }
    case "reserve":
      return { ...stored, balance: reserveBalances(stored.agreement.id, balances, held) }
    case "guarantee": {
      const { id } = stored.agreement
      const found = totals.guarantees.find(({ guaranteeId }) => guaranteeId === id)
      const { earned = 0, isClosed = false } = found ?? {}
      const shortfall = Balances.shortfall(balances, stored.agreement)
      return { ...stored, balance: { earned, shortfall, isClosed } }
    }
    case "override":
      return { ...stored, balance: null }
  }
}
