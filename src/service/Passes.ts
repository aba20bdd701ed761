/**
 * Links with which collaborators read what they may see.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { show, summarize } from "../internal/problems.js"
import * as Language from "../languages/Language.js"
import type { StoredPass } from "../ports/PassStore.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { Problem } from "../schema/Problem.js"
import { Actor } from "./Actor.js"
import { needCollaborator } from "./internal/lookups.js"
import * as passToken from "./internal/passToken.js"
import { emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { NotFound } from "./ServiceError.js"

/**
 * Invalid options of a new pass, with all their problems.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidPass extends Schema.TaggedError<InvalidPass>()("InvalidPass", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * A token that opens nothing: it is no token, or its pass is unknown, has expired or was revoked, or its collaborator is
 * gone. It does not say which of these, so that nobody learns from it what there is.
 *
 * @since 0.6.0
 * @category errors
 */
export class PassRefused extends Schema.TaggedError<PassRefused>()("PassRefused", {
  message: Schema.String,
}) {}

/**
 * A pass as it is shown: without what its token is checked with.
 *
 * @since 0.6.0
 * @category models
 */
export interface Pass extends Omit<StoredPass, "mac" | "version"> {}

/**
 * A new pass with its token, which is shown this once and never again.
 *
 * @since 0.6.0
 * @category models
 */
export interface PassWithToken extends Pass {
  /** Who has it may read what the collaborator may see. It belongs into the fragment of a link, behind the `#`. */
  readonly token: string
}

/**
 * The options of a new pass.
 *
 * @since 0.6.0
 * @category models
 */
export interface NewPass {
  /** From when on it is refused, in Unix seconds: a minute to 366 days from now; 30 days when absent. */
  readonly expiresAt?: number | undefined
  /** In which language it is shown at first; English when absent. */
  readonly language?: Language.Language | undefined
}

/**
 * What a token opens: one collaborator of one account, to be read.
 *
 * @since 0.6.0
 * @category models
 */
export interface OpenedPass {
  readonly accountId: string
  readonly passId: string
  readonly collaboratorId: string
  readonly language: Language.Language
  /** Unix seconds. */
  readonly expiresAt: number
}

/**
 * Passes: each is a link with which a collaborator reads what they may see, until it expires or is revoked. What they
 * see is decided by their permissions at the time when they look, as everywhere else.
 *
 * @since 0.6.0
 * @category services
 */
export interface PassesService {
  /** Creates a pass, and shows its token. A collaborator has 20 at a time at most. */
  readonly create: (
    accountId: string,
    collaboratorId: string,
    options?: NewPass,
  ) => Effect.Effect<PassWithToken, InvalidPass | NotFound | StorageError>
  /** The passes of a collaborator, by id; of those that are over, the last 50. */
  readonly list: (
    accountId: string,
    collaboratorId: string,
  ) => Effect.Effect<ReadonlyArray<Pass>, NotFound | StorageError>
  readonly get: (
    accountId: string,
    collaboratorId: string,
    passId: string,
  ) => Effect.Effect<Pass, NotFound | StorageError>
  /** Revokes a pass: from then on its token opens nothing. One that is revoked already stays as it is. */
  readonly revoke: (
    accountId: string,
    collaboratorId: string,
    passId: string,
  ) => Effect.Effect<Pass, NotFound | StorageError>
  /** What a token opens. It reads nothing else: what the collaborator may see is for the other services to say. */
  readonly open: (token: string) => Effect.Effect<OpenedPass, PassRefused | StorageError>
}

const secondsOfDay = 86_400
const shortestSeconds = 60
const longestSeconds = 366 * secondsOfDay
const usualSeconds = 30 * secondsOfDay

const mostInForce = 20
const mostOver = 50

const shown = ({ mac: _mac, version: _version, ...pass }: StoredPass): Pass => pass

const isInForce = ({ expiresAt, revokedAt }: StoredPass, at: number): boolean =>
  revokedAt === null && expiresAt > at

// Creating.

const endProblems = (value: number, at: number): ReadonlyArray<Problem> => {
  const [first, last] = [at + shortestSeconds, at + longestSeconds]
  if (Number.isSafeInteger(value) && value >= first && value <= last) return []
  const message = `must be a time in Unix seconds from ${first} to ${last}: a minute to 366 days from now, got ${show(value)}`
  return [{ path: "expiresAt", value, message }]
}

const languageProblems = (value: unknown): ReadonlyArray<Problem> => {
  if (Language.isLanguage(value)) return []
  const message = `must be one of ${Language.all.join(", ")}, got ${show(value)}`
  return [{ path: "language", value, message }]
}

const countProblems = (passes: ReadonlyArray<StoredPass>, at: number): ReadonlyArray<Problem> => {
  const count = passes.filter((pass) => isInForce(pass, at)).length
  if (count < mostInForce) return []
  const message = `a collaborator has ${mostInForce} passes at a time at most: revoke one first`
  return [{ path: "", value: count, message }]
}

const refuse = (problems: ReadonlyArray<Problem>): Effect.Effect<void, InvalidPass> =>
  problems.length === 0
    ? Effect.void
    : Effect.fail(new InvalidPass({ problems, message: summarize(problems) }))

/** Removes the oldest passes that are over; that they were there stays in the events. */
const forgetOld = ({ passes }: Stores, all: ReadonlyArray<StoredPass>, at: number) => {
  const over = all
    .filter((pass) => !isInForce(pass, at))
    .sort((one, other) => one.createdAt - other.createdAt)
  const old = over.slice(0, Math.max(0, over.length - mostOver))
  return Effect.forEach(old, ({ id }) => passes.remove(id), { discard: true })
}

interface PassTools {
  readonly transactor: Transactor
  readonly newId: Effect.Effect<string>
  readonly newSecret: Effect.Effect<Uint8Array>
}

const create = ({ transactor, newId, newSecret }: PassTools): PassesService["create"] =>
  Effect.fn("Passes.create")(function* (accountId, collaboratorId, options = {}) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    const [id, secret] = [yield* newId, new Uint8Array(yield* newSecret)]
    const createdBy = yield* Actor
    const { language = "en" } = options
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const createdAt = yield* now
        const { expiresAt = createdAt + usualSeconds } = options
        yield* refuse([...endProblems(expiresAt, createdAt), ...languageProblems(language)])
        yield* needCollaborator(stores, collaboratorId)
        const others = yield* stores.passes.ofCollaborator(collaboratorId)
        yield* refuse(countProblems(others, createdAt))
        yield* forgetOld(stores, others, createdAt)
        const mac = yield* passToken.macOf(secret, { accountId, collaboratorId, id, expiresAt })
        const stored = yield* stores.passes.insert({
          ...{ id, collaboratorId, language, mac, createdAt, createdBy, expiresAt },
          ...{ revokedAt: null, revokedBy: null },
        })
        const data = { passId: id, collaboratorId, expiresAt, language }
        yield* emit({ type: "pass.created", data })
        return { ...shown(stored), token: passToken.write({ accountId, passId: id, secret }) }
      }),
    )
  })

// Looking at passes, and revoking them.

const needPass = Effect.fnUntraced(function* (
  stores: Stores,
  collaboratorId: string,
  passId: string,
): Effect.fn.Return<StoredPass, NotFound | StorageError> {
  const found = yield* stores.passes.get(passId)
  const isTheirs = found?.collaboratorId === collaboratorId
  return found !== undefined && isTheirs ? found : yield* NotFound.of("pass", passId)
})

const revoke = ({ transactor }: PassTools): PassesService["revoke"] =>
  Effect.fn("Passes.revoke")(function* (accountId, collaboratorId, passId) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, passId })
    const revokedBy = yield* Actor
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const pass = yield* needPass(stores, collaboratorId, passId)
        if (pass.revokedAt !== null) return shown(pass)
        const stored = yield* stores.passes.update({ ...pass, revokedAt: yield* now, revokedBy })
        yield* emit({ type: "pass.revoked", data: { passId, collaboratorId } })
        return shown(stored)
      }),
    )
  })

const list = ({ transactor }: PassTools): PassesService["list"] =>
  Effect.fn("Passes.list")(function* (accountId, collaboratorId) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* transactor.read(accountId, (stores) =>
      Effect.andThen(
        needCollaborator(stores, collaboratorId),
        Effect.map(stores.passes.ofCollaborator(collaboratorId), (all) => all.map(shown)),
      ),
    )
  })

const get = ({ transactor }: PassTools): PassesService["get"] =>
  Effect.fn("Passes.get")(function* (accountId, collaboratorId, passId) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, passId })
    return yield* transactor.read(accountId, (stores) =>
      Effect.map(needPass(stores, collaboratorId, passId), shown),
    )
  })

// Opening.

const refused = new PassRefused({ message: "the link is not valid, or not any more" })

/** What is checked in place of a pass that is not there, so that the answer takes as long. */
const nothing = { id: "", collaboratorId: "", expiresAt: 0, mac: "00".repeat(32) }

const open = ({ transactor }: PassTools): PassesService["open"] =>
  Effect.fn("Passes.open")(function* (token) {
    const read = passToken.read(token)
    if (read === undefined) return yield* refused
    const { accountId, passId, secret } = read
    const found = yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* ({ passes, collaborators }) {
        const pass = yield* passes.get(passId)
        const owner = yield* collaborators.get(pass?.collaboratorId ?? passId)
        return owner === undefined ? undefined : pass
      }),
    )
    const { mac, ...vouched } = found ?? nothing
    const isRight = yield* passToken.isOf(mac, secret, { ...vouched, accountId })
    if (found === undefined || !isRight || !isInForce(found, yield* now)) return yield* refused
    const { collaboratorId, language, expiresAt } = found
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, passId })
    return { accountId, passId, collaboratorId, language, expiresAt }
  })

/**
 * Links with which collaborators read what they may see, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, Passes, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const passes = yield* Passes
 *   const { id, token } = yield* passes.create("shop", "ada", { language: "de" })
 *   const { collaboratorId } = yield* passes.open(token)
 *   yield* passes.revoke("shop", "ada", id)
 *   const refused = yield* Effect.flip(passes.open(token))
 *   return [collaboratorId, refused.message]
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(program, layer)) // => ["ada", "the link is not valid, or not any more"]
 * ```
 */
export class Passes extends Context.Service<Passes, PassesService>()("apportion/service/Passes") {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Passes, never, Storage | SecureRandom> = Layer.effect(
    Passes,
    Effect.gen(function* () {
      const random = yield* SecureRandom
      const tools: PassTools = {
        transactor: yield* makeTransactor,
        ...{ newId: random.uuidV7(), newSecret: random.randomBytes(passToken.secretBytes) },
      }
      return {
        create: create(tools),
        list: list(tools),
        get: get(tools),
        revoke: revoke(tools),
        open: open(tools),
      }
    }),
  )
}
