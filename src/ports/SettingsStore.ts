import type * as Effect from "effect/Effect"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * What an account has chosen instead of the host's settings; what is absent is as the host has it.
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
 * The settings of which an account can have its own, as they are in force.
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
 * What an account has chosen since its last change.
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
 * A change of an account's settings: what was in force until then, and since then, with the host's settings of that time.
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
 * What an account has chosen of its settings, and every change of that. Nothing in it is ever changed or removed.
 *
 * @since 0.6.0
 * @category stores
 */
export interface SettingsStore {
  /**
   * What the account has chosen; `undefined`: it never changed a setting. It is asked for in nearly every transaction that
   * writes.
   */
  readonly current: Effect.Effect<CurrentChoice | undefined, StorageError>
  /** Adds a change. `Conflict`: its version is not one more than the current one (1 for the first). */
  readonly append: (change: SettingsChange) => Effect.Effect<void, StorageError>
  /** A part of the list of changes, the latest first. */
  readonly list: (slice: Slice) => Effect.Effect<Sliced<SettingsChange>, StorageError>
}
