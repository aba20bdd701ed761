/**
 * How the services behave: one configuration for all of them.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { unknownFields } from "../internal/fieldNames.js"
import { show, summarize } from "../internal/problems.js"
import * as Schedule from "../payouts/Schedule.js"
import { Problem } from "../schema/Problem.js"
import * as SplitPolicy from "../shares/SplitPolicy.js"
import { parsePolicy } from "./internal/rules/saleRules.js"

/**
 * The settings.
 *
 * @since 0.2.0
 * @category models
 */
export interface SettingsValue {
  /** How sales are split from now on; recorded ones keep the policy they were split with. */
  readonly policy: SplitPolicy.SplitPolicy
  /** IANA name of the zone in which payout dates are computed. */
  readonly timeZone: string
  /** How many products are matched at a time while a group is linked, 1 to 100000. */
  readonly linkBatchSize: number
  /**
   * For how many seconds after its last batch a process counts as linking an account; and how often each process looks
   * for linking that another one left unfinished. 1 to 86400.
   */
  readonly linkSweepSeconds: number
  /** How often a change is retried after conflicts before it fails, 0 to 1000. */
  readonly conflictRetries: number
  /**
   * How many seconds a call waits for others in total, by the computer's own clock: for its turn, a connection and the
   * account, and between attempts after conflicts. Then it fails, with a `StorageFailure` that says what it `waited`
   * for, or with the `Conflict`. 0 to 3600.
   *
   * @since 0.6.0
   */
  readonly waitSeconds: number
  /**
   * For how many seconds the answer under an idempotency key is kept, 60 to 31536000. A later request is carried out
   * again.
   *
   * @since 0.6.0
   */
  readonly idempotencySeconds: number
  /**
   * How many idempotency keys of an account are kept at a time, 1 to 10000000. Beyond that, work with a new key is
   * refused with `TooManyKeys` until the first ones expire: removing them sooner could do work twice.
   *
   * @since 0.6.0
   */
  readonly idempotencyKeys: number
  /**
   * How many values the link of a product group may have, and how many its condition, 1 to 1000000. Stored groups with
   * more values stay as they are until they are changed.
   *
   * @since 0.6.0
   */
  readonly groupValues: number
  /**
   * For how many days events are kept after they happened, 1 to 3650. An event that an active webhook endpoint has not
   * received yet is kept until it has.
   *
   * @since 0.6.0
   */
  readonly eventDays: number
  /**
   * For how many months what nobody needs is kept: notes of deliveries, documents of refunds, batches of re-splits; 1 to
   * 1200, or 0 for ever. `Retention` removes it.
   *
   * @since 0.6.0
   */
  readonly historyMonths: number
  /**
   * How many days after its sale a share is mature, 0 to 3650. Shares that are not mature when their payout is closed
   * move to the next one, and only mature shares count against the threshold. The value in force when a payout is
   * closed applies.
   *
   * @since 0.6.0
   */
  readonly maturityDays: number
  /**
   * Who bears the fees of rails: the `store`, and then they are only noted; or the `collaborator`, and then they are
   * expenses of the next payout.
   *
   * @since 0.6.0
   */
  readonly paymentFees: PaymentFees
  /**
   * Where webhooks may be sent to. `public`: by https to a host whose name or address is not private. `any`: also by
   * http, and to this machine and its network; for tests, and where everybody who may add endpoints may reach those.
   *
   * @since 0.6.0
   */
  readonly webhookTargets: "public" | "any"
}

/**
 * Who bears the fees of rails.
 *
 * @since 0.6.0
 * @category models
 */
export type PaymentFees = "store" | "collaborator"

/**
 * The default settings: the default policy, UTC, 500 products at a time, a check every 30 seconds for unfinished
 * linking, 20 retries within 20 seconds, 100,000 idempotency keys of an account for 24 hours, 10,000 values in a
 * group's link, the fees of rails are the store's, events for 33 days (up to 3 for delivery and 30 after it), all other history for
 * ever, webhooks to public hosts only.
 *
 * @since 0.2.0
 * @category constants
 */
export const defaultSettings: SettingsValue = {
  policy: SplitPolicy.defaults,
  timeZone: "UTC",
  linkBatchSize: 500,
  linkSweepSeconds: 30,
  conflictRetries: 20,
  waitSeconds: 20,
  idempotencySeconds: 86_400,
  idempotencyKeys: 100_000,
  groupValues: 10_000,
  eventDays: 33,
  historyMonths: 0,
  maturityDays: 0,
  paymentFees: "store",
  webhookTargets: "public",
}

/**
 * Invalid settings, with all their problems.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidSettings extends Schema.TaggedError<InvalidSettings>()("InvalidSettings", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * The settings of each account.
 *
 * @since 0.2.0
 * @category services
 */
export interface SettingsService {
  readonly of: (accountId: string) => Effect.Effect<SettingsValue>
}

/**
 * Settings as hosts write them; absent ones have their defaults.
 *
 * @since 0.2.0
 * @category models
 */
export type SettingsInput = Partial<Omit<SettingsValue, "policy">> & {
  readonly policy?: Partial<SplitPolicy.SplitPolicy> | undefined
}

const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most

const ranges = [
  ["linkBatchSize", 1, 100_000],
  ["linkSweepSeconds", 1, 86_400],
  ["conflictRetries", 0, 1_000],
  ["waitSeconds", 0, 3_600],
  ["idempotencySeconds", 60, 31_536_000],
  ["idempotencyKeys", 1, 10_000_000],
  ["groupValues", 1, 1_000_000],
  ["eventDays", 1, 3_650],
  ["historyMonths", 0, 1_200],
  ["maturityDays", 0, 3_650],
] as const

const feeBearers: ReadonlySet<unknown> = new Set<PaymentFees>(["store", "collaborator"])

const numberProblems = (input: SettingsValue): ReadonlyArray<Problem> =>
  ranges.flatMap(([path, least, most]) => {
    const value = input[path]
    if (isWithin(value, least, most)) return []
    const message = `must be a whole number from ${least} to ${most}, got ${show(value)}`
    return [{ path, value, message }]
  })

/**
 * Completes settings with the defaults and checks them; all problems are reported at once.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { makeSettings } from "apportion/service"
 * import { Result } from "effect"
 *
 * const settings = Result.getOrThrow(makeSettings({ timeZone: "Europe/Berlin" }))
 * settings.linkBatchSize // => 500
 * Result.isFailure(makeSettings({ linkBatchSize: 0 })) // => true
 * ```
 */
export const makeSettings = (
  input: SettingsInput = {},
): Result.Result<SettingsValue, InvalidSettings> => {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const completed = { ...defaultSettings, ...Object.fromEntries(given) }
  // A misspelt `timeZone` would leave every date in UTC.
  const isNone = "is no setting; the settings are"
  const found: Array<Problem> = [
    ...unknownFields(input, Object.keys(defaultSettings), { isNone }),
    ...numberProblems(completed),
  ]
  const { paymentFees } = completed
  if (!feeBearers.has(paymentFees)) {
    const message = `must be "store" or "collaborator", got ${show(paymentFees)}`
    found.push({ path: "paymentFees", value: paymentFees, message })
  }
  const { webhookTargets } = completed
  if (webhookTargets !== "public" && webhookTargets !== "any") {
    const message = `must be "public" or "any", got ${show(webhookTargets)}`
    found.push({ path: "webhookTargets", value: webhookTargets, message })
  }
  const policy = parsePolicy(input.policy ?? {})
  if (Result.isFailure(policy)) {
    const within = (problem: Problem) => ({ ...problem, path: `policy.${problem.path}` })
    found.push(...policy.failure.problems.map(within))
  }
  const zone = Schedule.checkTimeZone(completed.timeZone)
  if (Result.isFailure(zone)) {
    found.push({ path: "timeZone", value: completed.timeZone, message: zone.failure.message })
  }
  return Result.isSuccess(policy) && found.length === 0
    ? Result.succeed({ ...completed, policy: policy.success })
    : Result.fail(new InvalidSettings({ problems: found, message: summarize(found) }))
}

/**
 * The settings of each account, as an Effect reference: by default, every account has the defaults.
 *
 * @since 0.2.0
 * @category services
 */
export const Settings: Context.Reference<SettingsService> = Context.Reference<SettingsService>(
  "apportion/service/Settings",
  { defaultValue: () => ({ of: () => Effect.succeed(defaultSettings) }) },
)

/**
 * The same settings for every account, as a layer.
 *
 * @since 0.2.0
 * @category layers
 * @example
 * ```ts
 * import { Settings, settingsLayer } from "apportion/service"
 * import { Effect } from "effect"
 *
 * const timeZone = Effect.gen(function* () {
 *   const settings = yield* Settings
 *   return (yield* settings.of("store")).timeZone
 * })
 * const layer = settingsLayer({ timeZone: "Europe/Berlin" })
 * await Effect.runPromise(Effect.provide(timeZone, layer)) // => "Europe/Berlin"
 * ```
 */
export const settingsLayer = (input: SettingsInput): Layer.Layer<never, InvalidSettings> =>
  Layer.effect(
    Settings,
    Effect.map(Effect.fromResult(makeSettings(input)), (settings) => ({
      of: () => Effect.succeed(settings),
    })),
  )
