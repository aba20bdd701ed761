/** Looking from time to time for linking that nobody goes on with, because its process is gone. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Storage, type StorageService } from "../../ports/Storage.js"
import { defaultSettings, Settings, type SettingsValue } from "../Settings.js"

const realTime = Clock.Clock.defaultValue()

/**
 * How it is waited between two looks: by the real time, whatever clock the work goes by. A clock that is set
 * to another day would otherwise have all the looks in between caught up on.
 */
export const Pause = Context.Reference<(duration: Duration.Duration) => Effect.Effect<void>>(
  "apportion/service/LinkSweepPause",
  {
    defaultValue: () => (duration) =>
      Effect.provideService(Effect.sleep(duration), Clock.Clock, realTime),
  },
)

/** How long to wait between two looks: as long as the most impatient account says that was met so far. */
export interface Period {
  seconds: number | undefined
}

/** Notes what an account says. */
export const learn = (period: Period, { linkSweepSeconds }: SettingsValue): void => {
  period.seconds = Math.min(linkSweepSeconds, period.seconds ?? linkSweepSeconds)
}

/** Growing waits between attempts to find the accounts. */
const waits = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")])

/** The accounts that may have jobs; asked until there is an answer. */
const accountsToLink = ({
  accounts,
  accountsLinking = accounts,
}: StorageService): Effect.Effect<ReadonlyArray<string>> => {
  const logged = Effect.tapError(accountsLinking, (error) =>
    Effect.logWarning("the accounts to link could not be read, which is tried again", error),
  )
  return Effect.orDie(Effect.retry(logged, waits))
}

/**
 * Goes on with what was under way when a process ended: at once, and then again and again where several
 * processes share a storage. One that can't tell who is linking is used by one process, which needs no
 * second look, and which nothing keeps from ending.
 */
export const sweep = Effect.fnUntraced(function* (
  wake: (accountId: string) => Effect.Effect<void>,
  period: Period,
): Effect.fn.Return<void, never, Storage> {
  const storage = yield* Storage
  const settings = yield* Settings
  const pause = yield* Pause
  const learnOf = (accountId: string) =>
    Effect.map(settings.of(accountId), (known) => learn(period, known))
  while (true) {
    const accounts = yield* accountsToLink(storage)
    yield* Effect.forEach(accounts, wake, { discard: true })
    // Settings that a host can't give now must not end the looking.
    yield* Effect.ignoreCause(Effect.forEach(accounts, learnOf, { discard: true }))
    if (storage.accountsLinking === undefined) return
    yield* pause(Duration.seconds(period.seconds ?? defaultSettings.linkSweepSeconds))
  }
})
