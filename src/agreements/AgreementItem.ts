/**
 * What agreements book: lines with signed amounts, each with the figures that it was computed from.
 *
 * @since 0.6.0
 */

import type { AgreementKind } from "./Agreement.js"

/** What every line about a share has. */
interface LineOfSale {
  readonly orderId: string
  readonly itemId: string
  /** `null`: of the store, or of the sale as a whole. */
  readonly groupId: string | null
  /** ISO 4217 code. */
  readonly currency: string
  /** Unix seconds. */
  readonly at: number
  /** Cents; what whoever it is about gets, negative for what is taken off. */
  readonly amount: number
}

/**
 * What a guarantee had counted before a line and after it.
 *
 * @since 0.6.0
 * @category models
 */
export interface EarnedStep {
  readonly guaranteeId: string
  readonly before: number
  readonly after: number
}

/**
 * A share of the sale, before any agreement; or what a refund takes back of it.
 *
 * @since 0.6.0
 * @category models
 */
export interface PostedShare extends LineOfSale {
  readonly kind: "share"
  readonly event: "sale" | "refund"
  readonly groupId: string
  readonly collaboratorId: string
  readonly guarantees: ReadonlyArray<EarnedStep>
}

/**
 * What the store kept of the item, before any agreement; or what a refund takes back of it.
 *
 * @since 0.6.0
 * @category models
 */
export interface PostedRest extends LineOfSale {
  readonly kind: "store"
  readonly event: "sale" | "refund"
  readonly groupId: null
  readonly collaboratorId: null
  /** What the item brought in: its shares and this. */
  readonly broughtIn: number
}

/**
 * The share that an override is about: everything that the collaborator has of the item under the group.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShareOfItem {
  readonly groupId: string | null
  readonly collaboratorId: string
  readonly amount: number
}

/**
 * One side of an override: what its receiver gets, or what the other share or the store pays.
 *
 * @since 0.6.0
 * @category models
 */
export interface OverrideItem extends LineOfSale {
  readonly kind: "override"
  readonly event: "sale" | "refund"
  readonly side: "received" | "paid"
  readonly overrideId: string
  /** Whose line it is; `null`: the store's. */
  readonly collaboratorId: string | null
  /** Who gets it. */
  readonly receiverId: string
  readonly of: "share" | "sale"
  readonly paidBy: "share" | "store"
  readonly percent: string
  /** What it is a percentage of, in cents. */
  readonly base: number
  /** Its rounded part of the base. It was cut to what there was to pay it from where the amount is less. */
  readonly due: number
  /** The share with which it is taken back; `null`: it goes back with the sale as a whole. */
  readonly share: ShareOfItem | null
  /** What counted for guarantees of the receiver; empty on the side that pays. */
  readonly guarantees: ReadonlyArray<EarnedStep>
}

/**
 * A part of what a reserve withheld.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReservePart {
  /** Its index in the schedule. */
  readonly place: number
  readonly days: number
  readonly percent: string
  /** Unix seconds. */
  readonly releaseAt: number
  /** Cents, 0 or more; of a refund, how much less is held. */
  readonly amount: number
}

/**
 * What a reserve withholds of a share; of a refund, what it gives back because the share was taken back.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReserveItem extends LineOfSale {
  readonly kind: "reserve"
  readonly event: "sale" | "refund"
  readonly collaboratorId: string
  readonly reserveId: string
  readonly percent: string
  /** The share without the overrides that come out of it: what it is a percentage of. */
  readonly base: number
  readonly parts: ReadonlyArray<ReservePart>
}

/**
 * A part of a reserve that is paid out.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReleaseItem extends LineOfSale {
  readonly kind: "release"
  readonly event: "release"
  readonly collaboratorId: string
  readonly reserveId: string
  /** Its index in the schedule. */
  readonly place: number
  /** When it was due, in Unix seconds. */
  readonly releaseAt: number
}

/**
 * What an advance takes of a credited amount; of a refund, what it gets back.
 *
 * @since 0.6.0
 * @category models
 */
export interface RecoupmentItem extends LineOfSale {
  readonly kind: "recoupment"
  readonly event: "sale" | "release" | "refund"
  readonly collaboratorId: string
  readonly advanceId: string
  readonly purpose: "expense" | "advance"
  readonly percent: string
  /** What was credited, in cents: the share without overrides and reserves, or the released part of a reserve. */
  readonly base: number
  /** The amount of the advance. What was still open of it is this less what was recouped. */
  readonly granted: number
  readonly recoupedBefore: number
  readonly recoupedAfter: number
  /** The part of a reserve that it was recouped from; `null`: from the share itself. */
  readonly part: { readonly reserveId: string; readonly place: number } | null
}

/**
 * What a guarantee pays at the end of its period: as much as was earned too little, or 0.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShortfallItem {
  readonly kind: "shortfall"
  readonly event: "close"
  readonly collaboratorId: string
  readonly guaranteeId: string
  /** ISO 4217 code. */
  readonly currency: string
  /** Unix seconds. */
  readonly at: number
  readonly from: number
  readonly until: number
  /** The guaranteed amount. */
  readonly guaranteed: number
  readonly earned: number
  /** Cents, 0 or more. */
  readonly amount: number
}

/**
 * One line of what agreements book.
 *
 * @since 0.6.0
 * @category models
 */
export type AgreementItem =
  | PostedShare
  | PostedRest
  | OverrideItem
  | ReserveItem
  | ReleaseItem
  | RecoupmentItem
  | ShortfallItem

/** Lines that an agreement booked; shares and rests are noted beside them. */
type AgreedItem = Exclude<AgreementItem, { readonly kind: "share" | "store" }>

/** Which agreement something is about: ids are unique within their kind. */
interface AgreementName {
  readonly kind: AgreementKind
  readonly id: string
}

/** The agreement that booked a line. */
export const agreementOf = (line: AgreedItem): AgreementName => {
  switch (line.kind) {
    case "override":
      return { kind: "override", id: line.overrideId }
    case "reserve":
    case "release":
      return { kind: "reserve", id: line.reserveId }
    case "recoupment":
      return { kind: "advance", id: line.advanceId }
    case "shortfall":
      return { kind: "guarantee", id: line.guaranteeId }
  }
}

/** The agreements that a line is about: the one that booked it, and the guarantees for which it counts. */
export const agreementsOf = (line: AgreementItem): ReadonlyArray<AgreementName> => {
  const booked = line.kind === "share" || line.kind === "store" ? [] : [agreementOf(line)]
  const counted = "guarantees" in line ? line.guarantees : []
  return [...booked, ...counted.map(({ guaranteeId: id }) => ({ kind: "guarantee", id }) as const)]
}
