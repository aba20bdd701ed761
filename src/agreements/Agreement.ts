/**
 * What is agreed with a collaborator beside their product groups: advances, reserves, guarantees and overrides.
 *
 * @since 0.6.0
 */

/**
 * Money that a collaborator had before it was earned, or that was spent for them: it is recouped from their shares.
 *
 * @since 0.6.0
 * @category models
 */
export interface Advance {
  readonly id: string
  readonly collaboratorId: string
  /** ISO 4217 code; only shares in this currency are recouped from. */
  readonly currency: string
  /** Cents of the currency. */
  readonly amount: number
  /** Unix seconds: it is recouped from what is credited then or later, and older ones come before newer ones. */
  readonly grantedAt: number
  /** Expenses are recouped before advances. */
  readonly purpose: "expense" | "advance"
  /** How much of each credited amount it may take at most, as `"100.00"`. */
  readonly percent: string
  /** The groups whose shares are recouped from; `null`: all of them. */
  readonly groups: ReadonlyArray<string> | null
  /** Other collaborators whose shares in these groups are recouped from too, because they agreed to it. */
  readonly alsoFrom: ReadonlyArray<string>
}

/**
 * A part of a reserve's schedule.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReserveStep {
  /** Days of 86,400 seconds after the sale. */
  readonly days: number
  /** How much of what was withheld is released then, as `"50.00"`. */
  readonly percent: string
}

/**
 * A percentage of a collaborator's positive shares that is withheld for some time, such as for returns.
 *
 * @since 0.6.0
 * @category models
 */
export interface Reserve {
  readonly id: string
  readonly collaboratorId: string
  /** How much is withheld, as `"20.00"`. */
  readonly percent: string
  /** The groups whose shares it is withheld from; `null`: all of them. */
  readonly groups: ReadonlyArray<string> | null
  /** When it is released; the percentages add up to 100. */
  readonly schedule: ReadonlyArray<ReserveStep>
}

/**
 * What a collaborator earns at least in a period.
 *
 * @since 0.6.0
 * @category models
 */
export interface Guarantee {
  readonly id: string
  readonly collaboratorId: string
  /** ISO 4217 code; only shares in this currency count. */
  readonly currency: string
  /** Cents of the currency. */
  readonly amount: number
  /** Unix seconds of the first moment of the period. */
  readonly from: number
  /** Unix seconds of the first moment after the period. */
  readonly until: number
  /** The groups whose shares count; `null`: all of them. */
  readonly groups: ReadonlyArray<string> | null
}

/**
 * A percentage of another's share or of the sale: an agent's commission, or that of who recruited a seller.
 *
 * @since 0.6.0
 * @category models
 */
export interface Override {
  readonly id: string
  /** Who gets it. */
  readonly collaboratorId: string
  /** What it is a percentage of. */
  readonly of: "share" | "sale"
  /** Whose share it is about; `null`: nobody's, it is of every sale. */
  readonly from: string | null
  /** Whether it comes out of that share or out of what the store keeps. */
  readonly paidBy: "share" | "store"
  /** As `"15.00"`. */
  readonly percent: string
  /** The groups whose shares it is about; `null`: all of them. */
  readonly groups: ReadonlyArray<string> | null
}

/**
 * The agreements of an account: valid, with distinct ids in each list, without circles of overrides.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementSet {
  readonly advances: ReadonlyArray<Advance>
  readonly reserves: ReadonlyArray<Reserve>
  readonly guarantees: ReadonlyArray<Guarantee>
  readonly overrides: ReadonlyArray<Override>
}

interface ByKind {
  readonly advance: Advance
  readonly reserve: Reserve
  readonly guarantee: Guarantee
  readonly override: Override
}

/**
 * The kinds of agreements.
 *
 * @since 0.6.0
 * @category models
 */
export type AgreementKind = keyof ByKind

/** The agreements of a kind. */
export type AgreementOf<K extends AgreementKind> = ByKind[K]

/**
 * An agreement with its kind.
 *
 * @since 0.6.0
 * @category models
 */
export type Agreed = {
  readonly [K in AgreementKind]: { readonly kind: K; readonly agreement: ByKind[K] }
}[AgreementKind]

/** In which list of a set the agreements of each kind are. */
export const lists = {
  advance: "advances",
  reserve: "reserves",
  guarantee: "guarantees",
  override: "overrides",
} as const satisfies Readonly<Record<AgreementKind, keyof AgreementSet>>

/** The kinds in the order in which agreements are listed. */
export const kinds = ["advance", "reserve", "guarantee", "override"] as const

/** The agreement of a kind in a set that was given last. */
export const lastOf = (set: AgreementSet, kind: AgreementKind): Agreed | undefined => {
  const [advance, reserve] = [set.advances.at(-1), set.reserves.at(-1)]
  const [guarantee, override] = [set.guarantees.at(-1), set.overrides.at(-1)]
  if (kind === "advance") return advance && { kind, agreement: advance }
  if (kind === "reserve") return reserve && { kind, agreement: reserve }
  if (kind === "guarantee") return guarantee && { kind, agreement: guarantee }
  return override && { kind, agreement: override }
}

/** How many overrides may follow one another. */
export const mostLinks = 8
