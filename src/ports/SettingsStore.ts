import type * as Effect from "effect/Effect"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * The settings that an account has chosen itself; for absent ones the host's settings count.
 *
 * @since 0.6.0
 * @category models
 */
export interface ChosenSettings {
  readonly policy?: Partial<SplitPolicy> | undefined
  /** IANA name. */
  readonly timeZone?: string | undefined
  readonly maturityDays?: number | undefined
}

/**
 * The settings that an account can choose, as they are in force.
 *
 * @since 0.6.0
 * @category models
 */
export interface SettingsInForce {
  readonly policy: SplitPolicy
  /** IANA name. */
  readonly timeZone: string
  readonly maturityDays: number
}

/**
 * An account's chosen settings since its last change.
 *
 * @since 0.6.0
 * @category models
 */
export interface CurrentChoice {
  /** 1 for the account's first change, one more with each. */
  readonly version: number
  /** Since when, in Unix seconds. */
  readonly since: number
  readonly chosen: ChosenSettings
}

/**
 * A change of an account's settings: the settings in force before and after it, with the host's settings of that time.
 *
 * @since 0.6.0
 * @category models
 */
export interface SettingsChange extends CurrentChoice {
  readonly actor: string
  readonly before: SettingsInForce
  readonly after: SettingsInForce
}

/**
 * The chosen settings of an account, and the history of their changes. Entries are never changed or removed.
 *
 * @since 0.6.0
 * @category stores
 */
export interface SettingsStore {
  /**
   * The account's chosen settings; `undefined`: it never changed a setting. Nearly every writing transaction reads it.
   */
  readonly current: Effect.Effect<CurrentChoice | undefined, StorageError>
  /** Adds a change. `Conflict`: its version is not one more than the current one (1 for the first). */
  readonly append: (change: SettingsChange) => Effect.Effect<void, StorageError>
  /** A part of the list of changes, the latest first. */
  readonly list: (slice: Slice) => Effect.Effect<Sliced<SettingsChange>, StorageError>
}
