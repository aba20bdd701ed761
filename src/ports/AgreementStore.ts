import type * as Effect from "effect/Effect"
import type { Agreed, AgreementKind } from "../agreements/Agreement.js"
import { type AgreementItem, agreementsOf } from "../agreements/AgreementItem.js"
import type { AgreementBalances, HeldPart } from "../agreements/Balances.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

export type { Agreed, AgreementKind }

/**
 * Which agreement something is about: ids are unique within their kind.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementKey {
  readonly kind: AgreementKind
  readonly id: string
}

/**
 * A stored agreement. Once it was used it never changes but for its end.
 *
 * @since 0.6.0
 * @category models
 */
export type StoredAgreement = Agreed & {
  /** Unix seconds. */
  readonly madeAt: number
  /** Who made it. */
  readonly madeBy: string
  /** From when on it counts no more, in Unix seconds; `null`: it is in force. */
  readonly endedAt: number | null
  readonly endedBy: string | null
  /** Whether something was booked for it. */
  readonly isUsed: boolean
  /** 1 when inserted, one more with each update; that it is used counts as none. */
  readonly version: number
}

/**
 * The balances of agreements without what is held.
 *
 * @since 0.6.0
 * @category models
 */
export type AgreementTotals = Omit<AgreementBalances, "held">

/**
 * Which part of a reserve something is about.
 *
 * @since 0.6.0
 * @category models
 */
export type HeldPartKey = Pick<
  HeldPart,
  "reserveId" | "orderId" | "itemId" | "groupId" | "collaboratorId" | "place"
>

/**
 * An item of a sale whose lines belong together: `orderId` is that of its lines, which says the currency too, and the
 * run where they are of a re-split.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementSubject {
  readonly orderId: string
  readonly itemId: string
}

/**
 * A line that was booked, and the item of a payout in which it is.
 *
 * @since 0.6.0
 * @category models
 */
export interface BookedLine {
  readonly line: AgreementItem
  /** `null`: it is in none, as the store's lines and shares, which have items of their own. */
  readonly payoutItemId: string | null
}

/**
 * What was booked at one time of an item of a sale; or of a guarantee, whose id its `orderId` is then.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementEntry extends AgreementSubject {
  readonly lines: ReadonlyArray<BookedLine>
}

/**
 * The agreements that an entry is about, each once: those that booked its lines, and the guarantees for which these
 * count. `entriesFor` of a store finds it by each of them.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { type AgreementEntry, agreementsIn } from "apportion/ports"
 *
 * const line = {
 *   kind: "shortfall", event: "close", collaboratorId: "ada", guaranteeId: "m1", currency: "EUR",
 *   at: 86_400, from: 0, until: 86_400, guaranteed: 900, earned: 500, amount: 400,
 * } as const
 * const entry: AgreementEntry = { orderId: "m1", itemId: "", lines: [{ line, payoutItemId: "i1" }] }
 * agreementsIn(entry) // => [{ kind: "guarantee", id: "m1" }]
 * ```
 */
export const agreementsIn = ({ lines }: AgreementEntry): ReadonlyArray<AgreementKey> => {
  const all = lines.flatMap(({ line }) => agreementsOf(line))
  return [...new Map(all.map((key) => [`${key.kind}/${key.id}`, key])).values()]
}

/**
 * What changes when lines are booked. Everything is told as it is afterwards.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementChanges {
  /** Agreements for which something was booked for the first time. */
  readonly used: ReadonlyArray<AgreementKey>
  readonly totals: AgreementTotals
  readonly held: ReadonlyArray<HeldPart>
  /** Parts of which nothing is held any more. */
  readonly gone: ReadonlyArray<HeldPartKey>
  readonly entries: ReadonlyArray<AgreementEntry>
}

/**
 * The agreements of one account, their balances, and what was booked for them. What was booked never changes.
 *
 * @since 0.6.0
 * @category stores
 */
export interface AgreementStore {
  /**
   * A number that grows with each transaction that inserted or updated an agreement or marked one as used, and otherwise
   * stays the same. 0 for an account that never had one. Each transaction that records a sale reads it.
   */
  readonly revision: Effect.Effect<number, StorageError>
  /** Every agreement of the account, ended ones too, in any order. Called only when `revision` has changed. */
  readonly all: Effect.Effect<ReadonlyArray<StoredAgreement>, StorageError>
  /** The agreement of a kind with an id; `undefined` if it does not exist. */
  readonly get: (key: AgreementKey) => Effect.Effect<StoredAgreement | undefined, StorageError>
  /** Stores a new agreement as version 1. `Conflict`: its kind has one with its id. */
  readonly insert: (stored: StoredAgreement) => Effect.Effect<StoredAgreement, StorageError>
  /** Stores an agreement as the next version. `Conflict`: its kind has none with that id and version. */
  readonly update: (stored: StoredAgreement) => Effect.Effect<StoredAgreement, StorageError>
  /** The balances of agreements that have any, without what is held; in any order. */
  readonly totals: (
    keys: ReadonlyArray<AgreementKey>,
  ) => Effect.Effect<AgreementTotals, StorageError>
  /** What is held of items, in any order. */
  readonly heldOf: (
    subjects: ReadonlyArray<AgreementSubject>,
  ) => Effect.Effect<ReadonlyArray<HeldPart>, StorageError>
  /** What is held and can be released at a time, the earliest first. */
  readonly heldDue: (options: {
    readonly at: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<HeldPart>, StorageError>
  /** What is held of a collaborator, the earliest to be released first; of everybody without one. */
  readonly held: (collaboratorId?: string) => Effect.Effect<ReadonlyArray<HeldPart>, StorageError>
  /** What was booked of items: those of one item in the order in which they were booked. */
  readonly entriesOf: (
    subjects: ReadonlyArray<AgreementSubject>,
  ) => Effect.Effect<ReadonlyArray<AgreementEntry>, StorageError>
  /** A part of all entries, in the order in which they were booked. */
  readonly entries: (options: {
    readonly offset: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<AgreementEntry>, StorageError>
  /** A slice of what was booked that is about an agreement (`agreementsIn`), the latest first. */
  readonly entriesFor: (
    options: Slice & { readonly agreement: AgreementKey },
  ) => Effect.Effect<Sliced<AgreementEntry>, StorageError>
  /** Stores what was booked, and what changed with it. */
  readonly book: (changes: AgreementChanges) => Effect.Effect<void, StorageError>
}
