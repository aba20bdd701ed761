/**
 * The settings that an account has chosen itself: its policy, its time zone, and how long its shares mature.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { unknownFields } from "../internal/fieldNames.js"
import { refusal, show, within } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type {
  ChosenSettings,
  CurrentChoice,
  SettingsChange,
  SettingsInForce,
} from "../ports/SettingsStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import { Actor } from "./Actor.js"
import { withChosen } from "./internal/chosenSettings.js"
import { sliceOf } from "./internal/lookups.js"
import { hasTerms } from "./internal/rules/saleRules.js"
import { emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import {
  defaultSettings,
  InvalidSettings,
  makeSettings,
  Settings,
  type SettingsService,
  type SettingsValue,
} from "./Settings.js"

/**
 * Changes to an account's settings. Absent fields stay as they are; `null` goes back to the host's value.
 *
 * @since 0.6.0
 * @category models
 */
export interface SettingsChanges {
  /** The options to change; `null`: all of them go back to the host's. */
  readonly policy?:
    | { readonly [Option in keyof SplitPolicy]?: SplitPolicy[Option] | null | undefined }
    | null
    | undefined
  /** IANA name. */
  readonly timeZone?: string | null | undefined
  /** 0 to 3650. */
  readonly maturityDays?: number | null | undefined
}

/**
 * The settings of an account as they are in force.
 *
 * @since 0.6.0
 * @category models
 */
export interface ViewedSettings {
  readonly settings: SettingsValue
  /** The settings that the account has chosen itself. */
  readonly chosen: ChosenSettings
  /** How often the account has changed them. */
  readonly version: number
  /** When it changed them last, in Unix seconds; `null`: never. */
  readonly since: number | null
}

/**
 * Views and changes the settings of an account.
 *
 * @since 0.6.0
 * @category services
 */
export interface AccountSettingsService {
  /** The settings that are in force. */
  readonly get: (accountId: string) => Effect.Effect<ViewedSettings, StorageError>
  /**
   * Changes the account's policy, time zone or maturity. From then on they apply in place of the host's: to sales
   * recorded, and to payouts opened or closed, after the change. Recorded sales keep their policy. Making the same
   * change again has no effect. Other settings belong to the host and are refused.
   */
  readonly change: (
    accountId: string,
    changes: SettingsChanges,
  ) => Effect.Effect<ViewedSettings, InvalidSettings | StorageError>
  /** A page of the changes, the latest first: which setting was in force at a time. */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<SettingsChange>, StorageError>
}

const changeable = ["policy", "timeZone", "maturityDays"]

const isHosts = (name: string): boolean =>
  Object.hasOwn(defaultSettings, name) && !changeable.includes(name)

const policyOptions = Object.keys(defaultSettings.policy)

/** Unknown options. A misspelt option is a problem even when it is set back to the host's. */
const optionProblems = (policy: object) => {
  const isNone = "is no option of a policy; they are"
  return unknownFields(policy, policyOptions, { isNone }).map((one) => within("policy", one))
}

/** Fields that no account can change. */
const fieldProblems = (changes: SettingsChanges) => {
  const hosts = Object.entries(changes).filter(([name]) => isHosts(name))
  const others = Object.fromEntries(Object.entries(changes).filter(([name]) => !isHosts(name)))
  const isNone = "is no setting of an account; they are"
  return [
    ...hosts.map(([path, value]) => {
      const message = `is the host's to choose; an account can choose ${changeable.join(", ")}`
      return { path, value, message }
    }),
    ...unknownFields(others, changeable, { isNone }),
    ...optionProblems(changes.policy ?? {}),
  ]
}

const shapeProblems = (changes: unknown) => {
  if (!Predicate.isObject(changes) || Array.isArray(changes)) {
    return [{ path: "", value: changes, message: `must be an object, got ${show(changes)}` }]
  }
  const { policy } = changes
  if (policy === undefined || policy === null) return []
  return Predicate.isObject(policy) && !Array.isArray(policy)
    ? []
    : [{ path: "policy", value: policy, message: `must be an object, got ${show(policy)}` }]
}

/** A choice after a change: an absent field stays, `null` removes the choice. */
const after = <A>(chosen: A | undefined, change: A | null | undefined): A | undefined =>
  change === undefined ? chosen : (change ?? undefined)

type Present<A> = { readonly [Name in keyof A]?: Exclude<A[Name], null | undefined> }

const present = <A extends object>(fields: A): Present<A> => {
  const found: Present<A> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) Object.assign(found, { [name]: value })
  }
  return found
}

/** The choices after a change, or the problems of the change. */
const chosenAfter = (
  host: SettingsValue,
  chosen: ChosenSettings,
  changes: SettingsChanges,
): Result.Result<ChosenSettings, InvalidSettings> => {
  const wrong = [...shapeProblems(changes)]
  if (wrong.length === 0) wrong.push(...fieldProblems(changes))
  if (wrong.length > 0) return Result.fail(refusal(InvalidSettings)(wrong))
  const merged = changes.policy === null ? {} : { ...chosen.policy, ...changes.policy }
  const left = changes.policy === undefined ? chosen.policy : present(merged)
  const policy: Partial<SplitPolicy> | undefined =
    left === undefined || Object.keys(left).length === 0 ? undefined : left
  const next = present({
    policy,
    timeZone: after(chosen.timeZone, changes.timeZone),
    maturityDays: after(chosen.maturityDays, changes.maturityDays),
  })
  return Result.map(makeSettings(withChosen(host, next)), () => next)
}

const forceOf = ({ policy, timeZone, maturityDays }: SettingsValue): SettingsInForce => ({
  policy,
  timeZone,
  maturityDays,
})

const viewOf = (host: SettingsValue, current: CurrentChoice | undefined): ViewedSettings => ({
  settings: withChosen(host, current?.chosen),
  chosen: current?.chosen ?? {},
  version: current?.version ?? 0,
  since: current?.since ?? null,
})

/** The names of the choices that changed, such as `policy.tax`. */
const changedNames = (before: ChosenSettings, next: ChosenSettings): ReadonlyArray<string> => {
  const flat = ({ policy = {}, ...others }: ChosenSettings) => {
    const options = Object.entries(policy).map(
      ([name, value]) => [`policy.${name}`, value] as const,
    )
    return new Map<string, unknown>([...options, ...Object.entries(others)])
  }
  const [old, now] = [flat(before), flat(next)]
  const names = new Set([...old.keys(), ...now.keys()])
  return [...names].filter((name) => old.get(name) !== now.get(name)).sort()
}

interface SettingsTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
}

const get = ({ transactor, settings }: SettingsTools): AccountSettingsService["get"] =>
  Effect.fn("AccountSettings.get")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const host = yield* settings.of(accountId)
    const current = yield* transactor.read(accountId, (stores) => stores.settings.current)
    return viewOf(host, current)
  })

/** Refuses to carry what the storage can't count, or where groups have terms. */
const needCarry = Effect.fnUntraced(function* (
  stores: Stores,
  before: SettingsValue,
  after: SettingsValue,
): Effect.fn.Return<void, InvalidSettings | StorageError> {
  if (after.policy.rounding !== "carry" || before.policy.rounding === "carry") return
  yield* stores.counters.put([])
  const termed = (yield* stores.groups.all).find(hasTerms)
  if (termed === undefined) return
  const message = `can't be "carry" while product groups have terms, as ${show(termed.id)} has`
  const problems = [{ path: "policy.rounding", value: "carry", message }]
  return yield* refusal(InvalidSettings)(problems)
})

const change = ({ transactor, settings }: SettingsTools): AccountSettingsService["change"] =>
  Effect.fn("AccountSettings.change")(function* (accountId: string, changes: SettingsChanges) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const host = yield* settings.of(accountId)
    const actor = yield* Actor
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const known = yield* stores.settings.current
        const { chosen: before = {}, version = 0 } = known ?? {}
        const chosen = yield* Effect.fromResult(chosenAfter(host, before, changes))
        if (sameData(chosen, before)) return viewOf(host, known)
        yield* needCarry(stores, withChosen(host, before), withChosen(host, chosen))
        // A clock that was set back must not date a change before the one it follows.
        const since = Math.max(yield* now, known?.since ?? 0)
        const current = { version: version + 1, since, chosen }
        yield* stores.settings.append({
          ...{ ...current, actor },
          before: forceOf(withChosen(host, before)),
          after: forceOf(withChosen(host, chosen)),
        })
        const data = { version: current.version, changed: changedNames(before, chosen) }
        yield* emit({ type: "settings.changed", data })
        return viewOf(host, current)
      }),
    )
  })

const list = ({ transactor }: SettingsTools): AccountSettingsService["list"] =>
  Effect.fn("AccountSettings.list")(function* (accountId: string, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* transactor.read(accountId, (stores) => stores.settings.list(sliceOf(page)))
  })

/**
 * Views and changes the settings of an account, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { AccountSettings } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const settings = yield* AccountSettings
 *   yield* settings.change("shop", { policy: { tax: "keep" }, maturityDays: 14 })
 *   const { settings: inForce, chosen } = yield* settings.get("shop")
 *   return [inForce.policy.tax, inForce.policy.discount, inForce.maturityDays, chosen]
 * })
 * const layer = Layer.provide(AccountSettings.layer, MemoryStorage.layer)
 * await Effect.runPromise(Effect.provide(program, layer))
 * // => ["keep", "deduct", 14, { policy: { tax: "keep" }, maturityDays: 14 }]
 * ```
 */
export class AccountSettings extends Context.Service<AccountSettings, AccountSettingsService>()(
  "apportion/service/AccountSettings",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<AccountSettings, never, Storage> = Layer.effect(
    AccountSettings,
    Effect.gen(function* () {
      const tools = { transactor: yield* makeTransactor, settings: yield* Settings }
      return { get: get(tools), change: change(tools), list: list(tools) }
    }),
  )
}
