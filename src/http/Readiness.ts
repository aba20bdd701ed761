/** Whether requests can be answered now: what the host says, and whether the storage works. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { Storage, type StorageService, type Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { ofJson } from "./Answer.js"
import type { CompleteOptions } from "./HttpOptions.js"

/** How long the host and the storage may take to answer. */
const patience = Duration.seconds(2)

/** How long a finding is valid, so that frequent checks cost no more than one. */
const freshMillis = 1_000

/** Whether the server is ready, and reports that change it. */
export interface Readiness {
  readonly answer: Effect.Effect<HttpServerResponse>
  /** A change of an account could not be written. */
  readonly writeFailed: (accountId: string) => void
}

const ready = ofJson(200, { status: "ready" })
const notReady = ofJson(503, { message: "not ready" }, { "retry-after": "1" })

/** An account that does not exist: reading it costs least, and leaves no trace. */
const nobody = "apportion/ready"

const read = ({ keys }: Stores): Effect.Effect<unknown, StorageError> => keys.get(nobody)

/** Writes something and removes it again; its time is older than everything else that is kept. */
const writeAndRemove = ({ keys }: Stores): Effect.Effect<unknown, StorageError> =>
  Effect.andThen(
    keys.insert({ key: nobody, fingerprint: nobody, answer: "null", createdAt: 0 }),
    keys.removeBefore(1),
  )

/** Whether work succeeds, and in time. */
const succeeds = (work: Effect.Effect<boolean, unknown>): Effect.Effect<boolean> =>
  work.pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
    Effect.catchCause(() => Effect.succeed(false)),
  )

/**
 * Whether the storage can be read, and, after a change could not be written, whether that account can be written
 * to again: a full disk can still be read.
 */
const storageCheck = (storage: StorageService) => {
  let failedAccount: string | undefined
  const writes = Effect.suspend(() => {
    const account = failedAccount
    if (account === undefined) return Effect.void
    const options = { mode: "write", actor: "system" } as const
    return Effect.tap(storage.transaction(account, writeAndRemove, options), () =>
      Effect.sync(() => {
        failedAccount = undefined
      }),
    )
  })
  const reads = Effect.suspend(() => storage.transaction(nobody, read, { mode: "read" }))
  return {
    works: Effect.andThen(reads, writes).pipe(
      Effect.as(true),
      Effect.catchCause(() => Effect.succeed(false)),
    ),
    writeFailed: (accountId: string) => {
      failedAccount = accountId
    },
  }
}

interface Finding {
  readonly at: number
  readonly works: boolean
}

/**
 * Checks no more often than a finding is valid, one at a time. A check that takes too long goes on, and no other starts
 * before it ends: a storage that hangs would otherwise be asked more and more.
 */
const asked = (works: Effect.Effect<boolean>) => {
  let last: Finding | undefined
  let underWay: Fiber.Fiber<void> | undefined
  const note = (works: boolean): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      last = { at, works }
    })
  const begin = Effect.flatMap(works, note).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        underWay = undefined
      }),
    ),
  )
  const check = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (last !== undefined && now - last.at < freshMillis) return last.works
    underWay ??= yield* Effect.forkDetach(begin)
    const ended = yield* Fiber.await(underWay).pipe(
      Effect.as(true),
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
    )
    return ended && last?.works === true
  })
  return {
    check,
    forget: () => {
      last = undefined
    },
  }
}

/** Asks the host each time, and the storage when it is among the services. */
export const make = ({ isReady }: Pick<CompleteOptions, "isReady">): Effect.Effect<Readiness> =>
  Effect.map(Effect.serviceOption(Storage), (found) => {
    const storage = Option.isSome(found) ? storageCheck(found.value) : undefined
    const { check, forget } = asked(storage?.works ?? Effect.succeed(true))
    const hostSays = succeeds(Effect.promise(async () => isReady()))
    const isFine = Effect.flatMap(hostSays, (isFine) => (isFine ? check : Effect.succeed(false)))
    return {
      answer: Effect.map(isFine, (fine) => (fine ? ready : notReady)),
      writeFailed: (accountId) => {
        storage?.writeFailed(accountId)
        forget()
      },
    }
  })
