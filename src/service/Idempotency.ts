import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { formatPath, show } from "../internal/problems.js"
import type { StoredAnswer } from "../ports/KeyStore.js"
import { Storage, type Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { hashToken } from "../ports/Tokens.js"
import {
  afterwards,
  die,
  makeTransactor,
  now,
  run,
  type Transactor,
} from "./internal/transactions.js"
import { KeyReused, TooManyKeys, type UnitOfWorkBroken } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"
import type { UnitOfWorkService } from "./UnitOfWork.js"

/**
 * A request that may arrive twice.
 *
 * @since 0.2.0
 * @category models
 */
export interface KeyedRequest {
  /** The key the sender chose. */
  readonly key: string
  /** The whole request as text; the same key with a different text is refused. */
  readonly request: string
}

/**
 * Does a piece of work once, however often it is requested with the same key.
 *
 * @since 0.2.0
 * @category services
 */
export interface IdempotencyService {
  /**
   * Runs the work in the same transaction as the key is stored, as a unit of work. A repetition with the same key and
   * request returns the first answer and does nothing. Work that fails stores nothing, so it can be repeated. After the
   * setting `idempotencySeconds`, by default 24 hours, the key expires, and a request with it is new. For an account
   * with as many keys as the setting `idempotencyKeys`, by default 100,000, a new key fails with `TooManyKeys`.
   *
   * The answer must be data that JSON can hold: texts, finite numbers, booleans, `null`, arrays and plain objects of
   * these. Anything else in it, including `undefined`, is a defect.
   */
  readonly once: <A, E, R>(
    accountId: string,
    request: KeyedRequest,
    work: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | KeyReused | TooManyKeys | UnitOfWorkBroken | StorageError, R>
  /** Removes the keys stored before a time, in Unix seconds; returns how many. */
  readonly forgetBefore: (accountId: string, at: number) => Effect.Effect<number, StorageError>
}

type DataPath = ReadonlyArray<string | number>

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The first value in an answer that JSON would lose or change: its path, and what it is. */
const findForeign = (
  value: unknown,
  path: DataPath,
  around: ReadonlyArray<unknown>,
): { readonly path: DataPath; readonly what: string } | undefined => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path, what: String(value) }
  }
  if (typeof value !== "object") return { path, what: show(value) }
  if (around.includes(value)) return { path, what: "a value that holds itself" }
  const inside = [...around, value]
  if (Array.isArray(value)) {
    // Not `findMap` or `forEach`: they would pass over the holes.
    for (const [place, entry] of Array.from<unknown>(value).entries()) {
      const found = findForeign(entry, [...path, place], inside)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isPlainObject(value)) return { path, what: "an instance of a class" }
  for (const [key, entry] of Object.entries(value)) {
    const found = findForeign(entry, [...path, key], inside)
    if (found !== undefined) return found
  }
  return undefined
}

/** An answer as JSON text that gives the same answer when it is read. */
const toText = (answer: unknown): Effect.Effect<string> =>
  Effect.suspend(() => {
    const foreign = findForeign(answer, [], [])
    if (foreign === undefined) return Effect.succeed(JSON.stringify(answer))
    const where = foreign.path.length === 0 ? "" : ` at ${formatPath(foreign.path)}`
    const message = `the answer of work that is done once must be JSON, it has ${foreign.what}${where}`
    return die(message)
  })

/** Answers of this many characters or more are stored compressed. */
const packedFrom = 2_000
/** No JSON begins like that. */
const packedMark = "gzip:"

const through = (bytes: Blob, stream: CompressionStream | DecompressionStream) =>
  Effect.promise(() => new Response(bytes.stream().pipeThrough(stream)).arrayBuffer())

/** An answer as it is stored. */
const packed = (answer: string): Effect.Effect<string> =>
  answer.length < packedFrom
    ? Effect.succeed(answer)
    : Effect.map(
        through(new Blob([answer]), new CompressionStream("gzip")),
        (bytes) => packedMark + Base64.encode(new Uint8Array(bytes)),
      )

/** The answer that was stored. */
const unpacked = (stored: string): Effect.Effect<string> => {
  if (!stored.startsWith(packedMark)) return Effect.succeed(stored)
  const bytes = Result.getOrThrow(Base64.decode(stored.slice(packedMark.length)))
  const plain = through(new Blob([Uint8Array.from(bytes)]), new DecompressionStream("gzip"))
  return Effect.map(plain, (text) => new TextDecoder().decode(text))
}

const checkFingerprint = (
  { key, fingerprint }: StoredAnswer,
  asked: string,
): Effect.Effect<void, KeyReused> =>
  fingerprint === asked ? Effect.void : Effect.fail(KeyReused.of(key))

/** How often the keys of an account are counted, and expired ones removed, while keys are added. */
const lookSeconds = 60
/** Beyond this many accounts, keys are counted more often instead of being remembered. */
const mostAccounts = 10_000

interface Asked {
  readonly accountId: string
  readonly at: number
  /** How long keys are kept. */
  readonly seconds: number
  /** Whether the key is stored and has expired. */
  readonly isOver: boolean
}

/** When the keys of an account were counted, and how many there were. */
interface Look {
  readonly at: number
  readonly count: number
}

/**
 * Makes room for a new key: removes expired keys, and fails when as many are kept as the setting allows. Keys are
 * counted from time to time, and in between as they are added here. Keys of a transaction that is rolled back are not
 * counted.
 */
const makeRoomKeeper = ({ write, settings }: Pick<Tools, "write" | "settings">) => {
  const looks = new Map<string, Look>()
  const look = Effect.fnUntraced(function* ({ keys }: Stores, { accountId, at, seconds }: Asked) {
    const { idempotencyKeys: most } = yield* settings.of(accountId)
    yield* keys.removeBefore(at - seconds)
    const { count, oldestAt = at } = yield* keys.kept()
    if (count < most) return { at, count }
    return yield* TooManyKeys.of(most, Math.max(1, oldestAt + seconds + 1 - at))
  })
  return {
    make: Effect.fnUntraced(function* (asked: Asked) {
      const { accountId, at, isOver } = asked
      const { idempotencyKeys: most } = yield* settings.of(accountId)
      const last = looks.get(accountId)
      const isRecent = last !== undefined && at - last.at < lookSeconds && last.count < most
      return isRecent && !isOver ? last : yield* write(accountId, (stores) => look(stores, asked))
    }),
    /** One more key is kept than when they were counted. */
    add: (accountId: string, { at, count }: Look) =>
      Effect.sync(() => {
        if (looks.size >= mostAccounts) looks.clear()
        const last = looks.get(accountId)
        const isNewer = last === undefined || last.at < at
        looks.set(
          accountId,
          isNewer ? { at, count: count + 1 } : { ...last, count: last.count + 1 },
        )
      }),
  }
}

interface Tools extends Transactor, Pick<UnitOfWorkService, "run"> {
  readonly settings: SettingsService
}

/** `Idempotency.once` */
const once = (tools: Tools): IdempotencyService["once"] => {
  const room = makeRoomKeeper(tools)
  return Effect.fn("Idempotency.once")(function* (accountId, { key, request }, work) {
    yield* Effect.annotateCurrentSpan({ accountId })
    // The digest under which tokens are stored serves as well: it differs for any two texts.
    const fingerprint = yield* hashToken(request)
    const { idempotencySeconds: seconds } = yield* tools.settings.of(accountId)
    const text = yield* tools.run(
      accountId,
      Effect.gen(function* () {
        const at = yield* now
        const found = yield* tools.read(accountId, ({ keys }) => keys.get(key))
        const isOver = found !== undefined && found.createdAt < at - seconds
        if (found !== undefined && !isOver) {
          yield* checkFingerprint(found, fingerprint)
          return yield* unpacked(found.answer)
        }
        const look = yield* room.make({ accountId, at, seconds, isOver })
        const answer = yield* Effect.flatMap(work, toText)
        // The time that the answer is kept begins now, however long the work took.
        const stored = { key, fingerprint, answer: yield* packed(answer), createdAt: yield* now }
        yield* tools.write(accountId, ({ keys }) => keys.insert(stored))
        yield* afterwards(room.add(accountId, look))
        return answer
      }),
    )
    // Both the first and the later calls read the text, so that they can't differ.
    return JSON.parse(text)
  })
}

/** `Idempotency.forgetBefore` */
const forgetBefore = ({ write }: Transactor): IdempotencyService["forgetBefore"] =>
  Effect.fn("Idempotency.forgetBefore")(function* (accountId: string, at: number) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* write(
      accountId,
      Effect.fnUntraced(function* ({ keys }) {
        const count = yield* keys.removeBefore(at)
        const log = Effect.logInfo("idempotency keys forgotten")
        // This changes no data of the account, so there is no event.
        if (count > 0) yield* afterwards(Effect.annotateLogs(log, { accountId, count }))
        return count
      }),
    )
  })

const make = Effect.gen(function* (): Effect.fn.Return<IdempotencyService, never, Storage> {
  const storage = yield* Storage
  const settings = yield* Settings
  const transactor = yield* makeTransactor
  return {
    once: once({
      ...transactor,
      settings,
      run: (accountId, work) => run(storage, { accountId, settings }, work),
    }),
    forgetBefore: forgetBefore(transactor),
  }
})

/**
 * Does a piece of work once, as an Effect service.
 *
 * @since 0.2.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Idempotency } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * let times = 0
 * const work = Effect.sync(() => {
 *   times += 1
 *   return { done: times }
 * })
 * const twice = Effect.gen(function* () {
 *   const idempotency = yield* Idempotency
 *   const once = idempotency.once("shop", { key: "k1", request: "POST /payouts" }, work)
 *   return [yield* once, yield* once]
 * })
 * const layer = Layer.provide(Idempotency.layer, MemoryStorage.layer)
 * await Effect.runPromise(Effect.provide(twice, layer)) // => [{ done: 1 }, { done: 1 }]
 * ```
 */
export class Idempotency extends Context.Service<Idempotency, IdempotencyService>()(
  "apportion/service/Idempotency",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Idempotency, never, Storage> = Layer.effect(Idempotency, make)
}
