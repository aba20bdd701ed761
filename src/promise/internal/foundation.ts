import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Formatter from "effect/Formatter"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as MemoryStorage from "../../memory/MemoryStorage.js"
import { ExchangeRates, type ExchangeRatesService } from "../../ports/ExchangeRates.js"
import {
  fromPlain,
  fromPlainExchangeRates,
  fromPlainTokens,
  type PlainStorage,
} from "../../ports/PlainStorage.js"
import { Storage, type StorageService } from "../../ports/Storage.js"
import { Tokens, type TokensService } from "../../ports/Tokens.js"
import { Actor } from "../../service/Actor.js"
import {
  type InvalidSettings,
  makeSettings,
  Settings,
  type SettingsInput,
  settingsLayer,
} from "../../service/Settings.js"
import type { ApportionOptions } from "../Apportion.js"
import type { LogEntry } from "../LogEntry.js"

// Giving the log to a host.

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

/** Gives each line of the log to a function, in the place of the console; without one, to nobody. */
export const logLayer = (log: ((entry: LogEntry) => void) | undefined): Layer.Layer<never> => {
  if (log === undefined) return Logger.layer([])
  const logger = Logger.make<unknown, void>((options) => {
    try {
      log(entryOf(options))
    } catch {
      // A log that fails must not undo what it tells of.
    }
  })
  return Logger.layer([logger])
}

// What the services stand on: what the host supplied, plain or of Effect, and the defaults for the rest.

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

/** Settings that can't be used are a bug of the host, found when the account is first worked for. */
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

/** A clock that shows another time, in whole milliseconds as clocks do, and waits as long as the one it stands for. */
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

const actorLayer = (actor: string | undefined): Layer.Layer<never> =>
  actor === undefined ? Layer.empty : Layer.succeed(Actor)(actor)

/** What the services stand on. */
export const foundationLayer = (
  options: ApportionOptions,
): Layer.Layer<Storage | ExchangeRates | Tokens, InvalidSettings> =>
  Layer.mergeAll(
    storageLayer(options.storage),
    ratesLayer(options.exchangeRates),
    tokensLayer(options.tokens),
    settingsLayerOf(options.settings),
    clockLayer(options.now),
    actorLayer(options.actor),
    logLayer(options.log),
  )
