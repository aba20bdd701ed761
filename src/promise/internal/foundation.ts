/** The options of a host, their checks, and the dependencies of the services. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Formatter from "effect/Formatter"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import { shorten, show } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import * as MemoryStorage from "../../memory/MemoryStorage.js"
import { isCurrency } from "../../money/Currency.js"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import type { Problem } from "../../Problem.js"
import { ExchangeRates, type ExchangeRatesService } from "../../ports/ExchangeRates.js"
import { fromPlainRail, type PlainPaymentRail, paymentRails } from "../../ports/PaymentRail.js"
import {
  fromPlain,
  fromPlainExchangeRates,
  fromPlainTokens,
  type PlainExchangeRates,
  type PlainStorage,
  type PlainTokens,
} from "../../ports/PlainStorage.js"
import { Storage, type StorageService } from "../../ports/Storage.js"
import { Tokens, type TokensService } from "../../ports/Tokens.js"
import { Actor, isActor } from "../../service/Actor.js"
import {
  type InvalidSettings,
  makeSettings,
  Settings,
  type SettingsInput,
  settingsLayer,
} from "../../service/Settings.js"

import type { InvalidArgument } from "../PromiseError.js"
import { fieldProblems, invalid } from "./arguments.js"

/**
 * The options of a host; all of them can be left out.
 *
 * @since 0.2.0
 * @category models
 */
export interface ApportionOptions {
  /** The storage: plain async functions, or a storage of Effect. In memory when absent. */
  readonly storage?: PlainStorage | StorageService | undefined
  /**
   * Exchange rates: a function, fixed rates such as `{ "EUR/USD": "1.08" }`, or an Effect service. Fixed rates are
   * checked at the start. When absent, sales in a currency other than their collaborators' are refused.
   */
  readonly exchangeRates?:
    | PlainExchangeRates
    | Readonly<Record<string, string>>
    | ExchangeRatesService
    | undefined
  /**
   * The access tokens, for `authenticate`: a function, a list, or an Effect service. A list is checked at the start.
   */
  readonly tokens?:
    | PlainTokens
    | ReadonlyArray<{
        readonly token: string
        readonly accountId: string
        readonly actor?: string | undefined
      }>
    | TokensService
    | undefined
  /**
   * The rails over which payouts are paid; none when absent. Their names are unique.
   *
   * @since 0.6.0
   */
  readonly rails?: ReadonlyArray<PlainPaymentRail> | undefined
  /**
   * The settings of the services, the same for all accounts or per account. A function is called in each transaction,
   * so it should be fast.
   */
  readonly settings?:
    | SettingsInput
    | ((accountId: string) => SettingsInput | Promise<SettingsInput>)
    | undefined
  /**
   * Who makes the changes, for the history of payouts: a text of 1 to 200 characters; `"system"` when absent. Use `as`
   * to make single changes in another name.
   *
   * @since 0.3.0
   */
  readonly actor?: string | undefined
  /**
   * Closes due payouts in all accounts at the start and then at this interval in seconds, such as `3600`: a whole
   * number of 1 or more. When absent, nothing is closed until `payouts.closeDue` is called.
   *
   * @since 0.3.0
   */
  readonly closeDueEvery?: number | undefined
  /**
   * Removes what is old and needed by nobody in all accounts, as their settings say, at the start and then at this
   * interval in seconds, such as `86400`: a whole number of 1 or more. When absent, nothing is removed until
   * `retention.purge` is called.
   *
   * @since 0.6.0
   */
  readonly purgeEvery?: number | undefined
  /**
   * Sends events to the webhook endpoints of all accounts at the start and then at this interval in seconds, such as
   * `1`: a whole number of 1 or more. When absent, this process sends none.
   *
   * @since 0.6.0
   */
  readonly sendWebhooksEvery?: number | undefined
  /**
   * Resolves the addresses of a host's name before each webhook is sent, to refuse names that lead to a private
   * network; for example `lookup` of `node:dns/promises`. A name that has no addresses or can't be resolved is refused
   * too. When absent, only the name itself is checked.
   *
   * @since 0.6.0
   */
  readonly resolveHost?: ((host: string) => Promise<ReadonlyArray<string>>) | undefined
  /** Gets each line of the log; without it, nothing is logged. */
  readonly log?: ((entry: LogEntry) => void) | undefined
  /**
   * The time in whole Unix seconds, for tests; the system's when absent. It is called once at the start, so that
   * milliseconds are refused.
   */
  readonly now?: (() => number) | undefined
}

/**
 * One line of the log.
 *
 * @since 0.2.0
 * @category models
 */
export interface LogEntry {
  /** `Info` for each change, `Warn` and `Error` for failures in the background. */
  readonly level: "Fatal" | "Error" | "Warn" | "Info" | "Debug" | "Trace"
  /** What happened, such as `payout closed`. */
  readonly message: string
  /** What it concerns, such as `{ accountId, payoutId }`; never names, addresses or amounts of people. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** Unix time in milliseconds. */
  readonly timeMillis: number
  /** The failure and where it occurred, in several lines; absent when nothing failed. */
  readonly cause?: string | undefined
}

// Problems in the host's options would show only much later, so they are checked here.

type Problems = ReadonlyArray<Problem>

const isPair = (name: string): boolean => {
  const currencies = name.split("/")
  return currencies.length === 2 && currencies.every(isCurrency)
}

/** The problems of fixed rates: only names of pairs would ever be looked up. */
const rateProblems = (rates: unknown): Problems => {
  if (!Predicate.isObject(rates) || Predicate.isFunction(rates.rate)) return []
  return Object.entries(rates).flatMap(([name, value]) => {
    const path = `exchangeRates.${shorten(name)}`
    if (!isPair(name)) {
      return [{ path, value, message: "must be named by two currency codes, as EUR/USD" }]
    }
    if (ExchangeRate.isExchangeRate(value)) return []
    return [{ path, value, message: `must be ${ExchangeRate.expected}, got ${show(value)}` }]
  })
}

/** The expected form of an actor. */
const actor = "a text of 1 to 200 characters"

export const actorProblem = (path: string, value: unknown): Problem => ({
  path,
  value,
  message: `must be ${actor}, got ${show(value)}`,
})

const tokenNames = ["token", "accountId"]

/** A description of a value that may be a secret, which does not reveal it. */
const unseen = (value: unknown): string => {
  if (value === undefined) return "nothing"
  return value === "" ? "an empty text" : `something else (${typeof value})`
}

/** A problem without the value, because any field of a list of tokens may contain a token by mistake. */
const tokenProblem = (path: string, value: unknown, expected: string): Problem => ({
  path,
  value: undefined,
  message: `must be ${expected}, got ${unseen(value)}`,
})

const entryProblems = (path: string, entry: unknown): Problems => {
  if (!Predicate.isObject(entry)) {
    return [tokenProblem(path, entry, "an object with a token and an accountId")]
  }
  const unknown = fieldProblems(path, { value: entry, names: [...tokenNames, "actor"] })
  const isActing = entry.actor === undefined || isActor(entry.actor)
  const wrong = tokenNames.filter((name) => typeof entry[name] !== "string" || entry[name] === "")
  return [
    ...unknown.map((problem) => ({ ...problem, value: undefined })),
    ...wrong.map((name) =>
      tokenProblem(`${path}.${name}`, entry[name], "a text that is not empty"),
    ),
    ...(isActing ? [] : [tokenProblem(`${path}.actor`, entry.actor, actor)]),
  ]
}

/** The problems of a list of tokens: a token without an account would never work, or open any account. */
const tokenProblems = (tokens: unknown): Problems =>
  Array.isArray(tokens)
    ? Array.from(tokens).flatMap((entry: unknown, index) =>
        entryProblems(`tokens[${index}]`, entry),
      )
    : []

const isNow = (value: unknown): boolean =>
  typeof value === "number" && seconds.isSeconds(Math.floor(value))

/** The problems of a host's time, called once; fractions of seconds are dropped. */
const nowProblems = (now: unknown): Problems => {
  if (!Predicate.isFunction(now)) return []
  const path = "now"
  try {
    const value: unknown = now()
    if (isNow(value)) return []
    return [{ path, value, message: `must give ${seconds.expected}, gave ${show(value)}` }]
  } catch (error) {
    const told = error instanceof Error ? error.message : show(error)
    return [{ path, value: error, message: `must give ${seconds.expected}, threw: ${told}` }]
  }
}

// Checks the options of `makeApportion` before anything is built on them.

interface OptionKind {
  readonly isFine: (value: unknown) => boolean
  readonly expected: string
  /** Whether the value may be a secret, which must not be in messages. */
  readonly isSecret?: boolean
  /** The problems inside a value of the right kind. */
  readonly inside?: (value: unknown) => ReadonlyArray<Problem>
}

const isPort = (value: unknown): boolean => Predicate.isObject(value) || Predicate.isFunction(value)

/** An iterable, such as a `Map`, has no fields: it would be read as a table without rates. */
const isRates = (value: unknown): boolean =>
  Predicate.isFunction(value) || (Predicate.isObject(value) && !(Symbol.iterator in value))

const isTokens = (value: unknown): boolean =>
  Predicate.isFunction(value) ||
  Array.isArray(value) ||
  (Predicate.isObject(value) && Predicate.isFunction(Reflect.get(value, "find")))

const isRail = (value: unknown): value is { readonly name: unknown } =>
  Predicate.isObject(value) &&
  typeof Reflect.get(value, "name") === "string" &&
  Predicate.isObject(Reflect.get(value, "terms")) &&
  Predicate.isFunction(Reflect.get(value, "send")) &&
  Predicate.isFunction(Reflect.get(value, "find"))

const isRails = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(isRail) &&
  new Set(value.map(({ name }) => name)).size === value.length

/** An interval in seconds. */
const interval = {
  isFine: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1,
  expected: "a whole number of seconds of 1 or more",
}

const kinds: Readonly<Record<string, OptionKind>> = {
  storage: {
    isFine: (value) =>
      Predicate.isObject(value) && Predicate.isFunction(Reflect.get(value, "transaction")),
    expected: "a storage with a function `transaction`",
  },
  exchangeRates: {
    isFine: isRates,
    expected: "a function, or rates by their currencies",
    inside: rateProblems,
  },
  tokens: {
    isFine: isTokens,
    expected: "a function, or a list of tokens",
    isSecret: true,
    inside: tokenProblems,
  },
  rails: { isFine: isRails, expected: "a list of rails, each with a name of its own" },
  settings: { isFine: isPort, expected: "settings, or a function that gives them" },
  actor: { isFine: isActor, expected: actor },
  closeDueEvery: interval,
  purgeEvery: interval,
  sendWebhooksEvery: interval,
  resolveHost: { isFine: Predicate.isFunction, expected: "a function" },
  log: { isFine: Predicate.isFunction, expected: "a function" },
  now: { isFine: Predicate.isFunction, expected: "a function", inside: nowProblems },
}

const notOfKind = (path: string, { expected, isSecret }: OptionKind, value: unknown): Problem =>
  isSecret === true
    ? { path, value: undefined, message: `must be ${expected}` }
    : { path, value, message: `must be ${expected}, got ${show(value)}` }

const problemsOf = (options: unknown): ReadonlyArray<Problem> => {
  const unknown = fieldProblems("", { value: options, names: Object.keys(kinds) })
  if (!Predicate.isObject(options)) return unknown
  const wrong = Object.entries(kinds).flatMap(([path, kind]) => {
    const value: unknown = Reflect.get(options, path)
    if (value === undefined) return []
    return kind.isFine(value) ? (kind.inside?.(value) ?? []) : [notOfKind(path, kind, value)]
  })
  return [...unknown, ...wrong]
}

/** Fails when an option is misspelt, of the wrong kind or invalid: an ignored storage would lose everything. */
export const checkOptions = (options: unknown): Effect.Effect<void, InvalidArgument> =>
  Effect.suspend(() => {
    const problems = problemsOf(options)
    return problems.length === 0 ? Effect.void : Effect.fail(invalid(problems))
  })

// Passes the log to a host.

const severityOf = (level: string): LogEntry["level"] => {
  const severities = ["Fatal", "Error", "Warn", "Info", "Debug", "Trace"] as const
  return severities.find((severity) => severity === level) ?? "Info"
}

const textOf = (part: unknown): string => (typeof part === "string" ? part : Formatter.format(part))

const entryOf = ({ message, logLevel, cause, fiber, date }: Logger.Options<unknown>): LogEntry => ({
  level: severityOf(logLevel),
  message: Arr.ensure(message).map(textOf).join(" "),
  annotations: { ...fiber.getRef(References.CurrentLogAnnotations) },
  timeMillis: date.getTime(),
  ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {}),
})

/** Passes each line of the log to a function instead of the console; without one, logs nothing. */
const logLayer = (log: ((entry: LogEntry) => void) | undefined): Layer.Layer<never> => {
  if (log === undefined) return Logger.layer([])
  const logger = Logger.make<unknown, void>((options) => {
    try {
      log(entryOf(options))
    } catch {
      // A failing log must not undo the change that it reports.
    }
  })
  return Logger.layer([logger])
}

// The dependencies of the services: those of the host, plain or Effect, and defaults for the rest.

const isOfEffect = (storage: PlainStorage | StorageService): storage is StorageService =>
  Effect.isEffect(storage.accounts)

const storageLayer = (storage: ApportionOptions["storage"]): Layer.Layer<Storage> => {
  if (storage === undefined) return MemoryStorage.layer
  return Layer.succeed(Storage)(isOfEffect(storage) ? storage : fromPlain(storage))
}

const isRatesService = (
  rates: ExchangeRatesService | Readonly<Record<string, string>>,
): rates is ExchangeRatesService => Predicate.isFunction(rates.rate)

const ratesLayer = (rates: ApportionOptions["exchangeRates"]): Layer.Layer<ExchangeRates> => {
  if (rates === undefined) return ExchangeRates.none
  if (typeof rates === "function")
    return Layer.succeed(ExchangeRates)(fromPlainExchangeRates(rates))
  return isRatesService(rates) ? Layer.succeed(ExchangeRates)(rates) : ExchangeRates.fixed(rates)
}

const isTokensService = (tokens: TokensService | object): tokens is TokensService =>
  "find" in tokens && !Array.isArray(tokens)

const tokensLayer = (tokens: ApportionOptions["tokens"]): Layer.Layer<Tokens> => {
  if (tokens === undefined) return Tokens.fixed([])
  if (typeof tokens === "function") return Layer.succeed(Tokens)(fromPlainTokens(tokens))
  return isTokensService(tokens) ? Layer.succeed(Tokens)(tokens) : Tokens.fixed(tokens)
}

/** Invalid settings are a bug of the host, found when the account is first used. */
const settingsOf = (ofAccount: (accountId: string) => SettingsInput | Promise<SettingsInput>) => ({
  of: (accountId: string) =>
    Effect.orDie(
      Effect.flatMap(
        Effect.promise(async () => ofAccount(accountId)),
        (input) => Effect.fromResult(makeSettings(input)),
      ),
    ),
})

const settingsLayerOf = (
  settings: ApportionOptions["settings"],
): Layer.Layer<never, InvalidSettings> =>
  typeof settings === "function"
    ? Layer.succeed(Settings)(settingsOf(settings))
    : settingsLayer(settings ?? {})

/** A clock with another current time, in whole milliseconds, which sleeps as long as the original one. */
const clockOf = (clock: Clock.Clock, now: () => number): Clock.Clock => {
  const millis = () => Math.floor(now() * 1_000)
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
  }
}

const clockLayer = (now: (() => number) | undefined): Layer.Layer<never> =>
  now === undefined
    ? Layer.empty
    : Layer.effect(
        Clock.Clock,
        Clock.clockWith((clock) => Effect.succeed(clockOf(clock, now))),
      )

const railsLayer = (rails: ApportionOptions["rails"]): Layer.Layer<never> =>
  rails === undefined ? Layer.empty : paymentRails(rails.map(fromPlainRail))

const actorLayer = (actor: string | undefined): Layer.Layer<never> =>
  actor === undefined ? Layer.empty : Layer.succeed(Actor)(actor)

/** The dependencies of the services. */
export const foundationLayer = (
  options: ApportionOptions,
): Layer.Layer<Storage | ExchangeRates | Tokens, InvalidSettings> =>
  Layer.mergeAll(
    storageLayer(options.storage),
    ratesLayer(options.exchangeRates),
    tokensLayer(options.tokens),
    settingsLayerOf(options.settings),
    railsLayer(options.rails),
    clockLayer(options.now),
    actorLayer(options.actor),
    logLayer(options.log),
  )
