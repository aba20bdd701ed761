/**
 * Advances, reserves, guarantees and overrides.
 *
 * @packageDocumentation
 */

export type {
  Advance,
  Agreed,
  AgreementKind,
  AgreementSet,
  Guarantee,
  Override,
  Reserve,
  ReserveStep,
} from "./Agreement.js"
export type {
  AgreementItem,
  EarnedStep,
  OverrideItem,
  PostedRest,
  PostedShare,
  RecoupmentItem,
  ReleaseItem,
  ReserveItem,
  ReservePart,
  ShareOfItem,
  ShortfallItem,
} from "./AgreementItem.js"
export * as Agreements from "./Agreements.js"
export * as Balances from "./Balances.js"
