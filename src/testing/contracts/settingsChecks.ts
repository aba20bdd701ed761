import * as Effect from "effect/Effect"
import type { CurrentChoice } from "../../ports/SettingsStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, contextOf, inContext } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectSlices } from "./check.js"
import { settingsChange as change } from "./samples.js"

/** A check that holds for nothing when a host leaves settings out: then no account has its own. */
const withSettings = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContext(name, (context) => {
    const other = contextOf(context.storage, "has settings")
    const isLeftOut = Effect.match(
      other.write(({ settings }) => settings.append(change(1))),
      {
        onFailure: (error) => error._tag === "StorageFailure",
        onSuccess: () => false,
      },
    )
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

/** A store may give the whole change. */
const choiceOf = (current: CurrentChoice | undefined): CurrentChoice | undefined =>
  current && { version: current.version, since: current.since, chosen: current.chosen }

const currentOf = ({ read }: ContractContext) =>
  Effect.map(
    read(({ settings }) => settings.current),
    choiceOf,
  )

const currentIn = (version: number) => {
  const { since, chosen } = change(version)
  return { version, since, chosen }
}

const isKept = Effect.fnUntraced(function* (context: ContractContext) {
  const { write } = context
  const append = (version: number) => write(({ settings }) => settings.append(change(version)))
  yield* expectSame("before any change", yield* currentOf(context), undefined)
  yield* expectConflict("a second one without a first", append(2))
  yield* append(1)
  yield* expectSame("the first", yield* currentOf(context), currentIn(1))
  yield* expectConflict("the first again", append(1))
  yield* expectConflict("one too far", append(3))
  const seen = yield* write(({ settings }) =>
    Effect.gen(function* () {
      const before = yield* settings.current
      yield* settings.append(change(2))
      return [choiceOf(before), choiceOf(yield* settings.current)]
    }),
  )
  yield* expectSame("within the transaction that changes them", seen, [currentIn(1), currentIn(2)])
  yield* expectSame("the second", yield* currentOf(context), currentIn(2))
  const other = contextOf(context.storage, "another account")
  yield* expectSame("of another account", yield* currentOf(other), undefined)
})

const isTakenBack = Effect.fnUntraced(function* (context: ContractContext) {
  yield* context.write(({ settings }) => settings.append(change(1)))
  const failing = context.write(({ settings }) =>
    Effect.andThen(settings.append(change(2)), Effect.fail("given up" as const)),
  )
  yield* Effect.ignore(failing)
  yield* expectSame("what stays", yield* currentOf(context), currentIn(1))
  const listed = yield* context.read(({ settings }) => settings.list({ offset: 0, limit: 9 }))
  yield* expectSame("the changes", listed, { entries: [change(1)], total: 1 })
})

const isListed = Effect.fnUntraced(function* (context: ContractContext) {
  const changes = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((version) =>
    version === 4 ? change(4, { chosen: {}, actor: "🎨" }) : change(version),
  )
  for (const one of changes.toReversed()) {
    yield* context.write(({ settings }) => settings.append(one))
  }
  yield* expectSlices(
    "the changes",
    (slice) => context.read(({ settings }) => settings.list(slice)),
    changes,
  )
  const other = contextOf(context.storage, "another account")
  const foreign = yield* other.read(({ settings }) => settings.list({ offset: 0, limit: 9 }))
  yield* expectSame("those of another account", foreign, { entries: [], total: 0 })
})

/** The contract of the store of an account's settings. */
export const settingsChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withSettings("a change of the settings is added by version, and is the current one", isKept),
  withSettings("a change of the settings that is rolled back leaves no trace", isTakenBack),
  withSettings("the changes of the settings are listed, the latest first", isListed),
]
