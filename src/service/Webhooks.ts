/**
 * Where the events of an account are sent to.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isEventType } from "../events/EventType.js"
import * as WebhookTarget from "../events/WebhookTarget.js"
import { show, summarize } from "../internal/problems.js"
import type { DeadLetter, StoredEndpoint } from "../ports/EndpointStore.js"
import { Storage, type Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { Problem } from "../schema/Problem.js"
import { eventsAfter, lastNumber } from "./internal/events.js"
import { emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { isKey, keysAt, newKey } from "./internal/webhooks/webhookSignature.js"
import { endpointData } from "./internal/webhooks/webhookWork.js"
import { NotFound } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

/**
 * An invalid endpoint, with all its problems.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidEndpoint extends Schema.TaggedError<InvalidEndpoint>()("InvalidEndpoint", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * A webhook endpoint as it is shown: without its keys.
 *
 * @since 0.6.0
 * @category models
 */
export interface Endpoint
  extends Omit<StoredEndpoint, "keys" | "claim" | "version" | "nextAttemptAt"> {
  /** When each of its keys was made and how long it is used, the newest first. */
  readonly keys: ReadonlyArray<{ readonly createdAt: number; readonly expiresAt: number | null }>
}

/**
 * An endpoint with its new key, which is shown this once and never again.
 *
 * @since 0.6.0
 * @category models
 */
export interface EndpointWithKey extends Endpoint {
  /** `whsec_` and the bytes of the key in base64. */
  readonly key: string
}

/**
 * A webhook endpoint to add.
 *
 * @since 0.6.0
 * @category models
 */
export interface NewEndpoint {
  readonly url: string
  /** The types of events that are sent; all when absent. */
  readonly types?: ReadonlyArray<string> | undefined
  /** The host's own key, `whsec_` and 24 to 64 bytes in base64; one is made when absent. */
  readonly key?: string | undefined
  /** The number of the last event that is not sent; when absent, sending starts with the next event. */
  readonly after?: number | undefined
}

/**
 * Changes to an endpoint; absent fields stay as they are.
 *
 * @since 0.6.0
 * @category models
 */
export interface EndpointChanges {
  readonly url?: string | undefined
  /** `null`: all. */
  readonly types?: ReadonlyArray<string> | null | undefined
  /** Whether events are sent at all. An endpoint that is activated again continues where it stopped. */
  readonly isActive?: boolean | undefined
}

type EndpointError = NotFound | InvalidEndpoint | StorageError

/**
 * Where the events of an account are sent to. Each endpoint gets the events of its types at least once, in order, each
 * time with the same id, signed as Standard Webhooks specifies; `WebhookDelivery` sends them.
 *
 * @since 0.6.0
 * @category services
 */
export interface WebhooksService {
  /** Adds an endpoint, and shows its key. An account has 50 at most. */
  readonly create: (
    accountId: string,
    endpoint: NewEndpoint,
  ) => Effect.Effect<EndpointWithKey, InvalidEndpoint | StorageError>
  readonly get: (
    accountId: string,
    endpointId: string,
  ) => Effect.Effect<Endpoint, NotFound | StorageError>
  /** All endpoints, by id. */
  readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<Endpoint>, StorageError>
  readonly update: (
    accountId: string,
    endpointId: string,
    changes: EndpointChanges,
  ) => Effect.Effect<Endpoint, EndpointError>
  readonly remove: (
    accountId: string,
    endpointId: string,
  ) => Effect.Effect<void, NotFound | StorageError>
  /**
   * Replaces the key of an endpoint, and shows the new one. Messages are signed with the old key too for so many
   * seconds (a day when absent, 0: no longer), so that the receiver has time to change. At most five keys are in use at
   * a time: `InvalidEndpoint` names the limit when there would be more.
   */
  readonly rotate: (
    accountId: string,
    endpointId: string,
    options?: { readonly overlapSeconds?: number | undefined; readonly key?: string | undefined },
  ) => Effect.Effect<EndpointWithKey, EndpointError>
  /**
   * Sends all events above a number again, in order; 0: all that are kept. `InvalidEndpoint`: the next one above it is no
   * longer kept.
   */
  readonly replay: (
    accountId: string,
    endpointId: string,
    after: number,
  ) => Effect.Effect<Endpoint, EndpointError>
  /** The events that could not be delivered for three days, by number: those above a number, 100 at most. */
  readonly deadLetters: (
    accountId: string,
    endpointId: string,
    after?: number,
  ) => Effect.Effect<ReadonlyArray<DeadLetter>, NotFound | StorageError>
  /** Lets all dead letters of an endpoint be sent again, and returns how many. A letter that arrives is removed. */
  readonly replayDeadLetters: (
    accountId: string,
    endpointId: string,
  ) => Effect.Effect<number, NotFound | StorageError>
}

const mostEndpoints = 50
const mostKeys = 5
const lettersAtATime = 100
const secondsOfDay = 86_400

// Checking the input.

const typeProblems = (types: ReadonlyArray<string> | null | undefined): ReadonlyArray<Problem> => {
  if (types === null || types === undefined) return []
  if (!Array.isArray(types) || types.length === 0) {
    return [{ path: "types", value: types, message: "must be a list of at least one type" }]
  }
  return types.flatMap((value, index) => {
    const message = `must be a type of event, as sale.recorded, got ${show(value)}`
    return isEventType(value) ? [] : [{ path: `types[${index}]`, value, message }]
  })
}

const numberProblems = (path: string, value: number | undefined): ReadonlyArray<Problem> =>
  value === undefined || (Number.isSafeInteger(value) && value >= 0)
    ? []
    : [{ path, value, message: `must be a whole number of 0 or more, got ${show(value)}` }]

/** An invalid key is still a secret, and not shown. */
const keyProblems = (key: string | undefined): ReadonlyArray<Problem> =>
  key === undefined || isKey(key)
    ? []
    : [{ path: "key", value: null, message: "must be whsec_ and 24 to 64 bytes in base64" }]

const refuse = (problems: ReadonlyArray<Problem>): Effect.Effect<void, InvalidEndpoint> =>
  problems.length === 0
    ? Effect.void
    : Effect.fail(new InvalidEndpoint({ problems, message: summarize(problems) }))

/** Every message has a signature for each key that is in use. */
const overlapProblems = (keys: number, value: number): ReadonlyArray<Problem> => {
  const message = `must be 0, which ends the earlier keys, as long as ${mostKeys} of them are in use: an endpoint has no more at a time, got ${show(value)}`
  return keys <= mostKeys ? [] : [{ path: "overlapSeconds", value, message }]
}

/** What is sent from a number on begins with the next event, which may be gone; 0 stands for all that there are. */
const positionProblems = Effect.fnUntraced(function* (
  tools: WebhookTools,
  accountId: string,
  after: number | undefined,
) {
  const wrong = numberProblems("after", after)
  if (wrong.length > 0 || after === undefined || after === 0) return wrong
  const [first] = yield* eventsAfter(tools, accountId, { after: 0, limit: 1 })
  const kept = first?.number ?? (yield* lastNumber(tools, accountId)) + 1
  if (after >= kept - 1) return []
  const message = `must be ${kept - 1} or more, or 0 for all events that there are: those before ${kept} are no longer kept, got ${after}`
  return [{ path: "after", value: after, message }]
})

interface WebhookTools {
  readonly storage: Storage["Service"]
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
  readonly newKey: Effect.Effect<string>
}

/** The URL in its usual form, and what is wrong with it. */
const urlOf = Effect.fnUntraced(function* (
  { settings }: WebhookTools,
  accountId: string,
  url: string,
) {
  const { webhookTargets } = yield* settings.of(accountId)
  const read = WebhookTarget.parse(url, webhookTargets)
  if (Result.isSuccess(read)) return { href: read.success, problems: [] }
  const problem = { path: "url", value: read.failure.url, message: read.failure.message }
  return { href: "", problems: [problem] }
})

// Endpoints as they are shown.

const shown = ({
  claim: _claim,
  version: _version,
  nextAttemptAt: _next,
  keys,
  ...endpoint
}: StoredEndpoint): Endpoint => ({
  ...endpoint,
  keys: keys.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt })),
})

const needEndpoint = Effect.fnUntraced(function* (
  { endpoints }: Stores,
  endpointId: string,
): Effect.fn.Return<StoredEndpoint, NotFound | StorageError> {
  const found = yield* endpoints.get(endpointId)
  return found ?? (yield* NotFound.of("webhook endpoint", endpointId))
})

/** What makes an endpoint try again at once. */
const afresh = {
  ...{ failingSince: null, attempts: 0, failure: null, nextAttemptAt: 0, claim: null },
} as const

/** Changes an endpoint in a transaction, with its event. */
const change = (
  { transactor }: WebhookTools,
  address: { readonly accountId: string; readonly endpointId: string },
  type: "endpoint.updated" | "endpoint.rotated",
  changed: (endpoint: StoredEndpoint, at: number) => Effect.Effect<StoredEndpoint, InvalidEndpoint>,
): Effect.Effect<Endpoint, EndpointError> =>
  transactor.write(
    address.accountId,
    Effect.fnUntraced(function* (stores) {
      const before = yield* needEndpoint(stores, address.endpointId)
      const at = yield* now
      const after = yield* changed(before, at)
      const stored = yield* stores.endpoints.update({ ...after, updatedAt: at })
      yield* emit({ type, data: endpointData(stored) })
      return shown(stored)
    }),
  )

const create = (tools: WebhookTools): WebhooksService["create"] =>
  Effect.fn("Webhooks.create")(function* (accountId: string, input: NewEndpoint) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { href, problems } = yield* urlOf(tools, accountId, input.url)
    const others = [...typeProblems(input.types), ...keyProblems(input.key)]
    const position = yield* positionProblems(tools, accountId, input.after)
    yield* refuse([...problems, ...others, ...position])
    const [id, key] = [yield* tools.newId, input.key ?? (yield* tools.newKey)]
    const delivered = input.after ?? (yield* lastNumber(tools, accountId))
    return yield* tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* ({ endpoints }) {
        if ((yield* endpoints.list()).length >= mostEndpoints) {
          const message = `an account has ${mostEndpoints} webhook endpoints at most`
          yield* refuse([{ path: "url", value: href, message }])
        }
        const at = yield* now
        const stored = yield* endpoints.insert({
          ...{ id, url: href, types: input.types ?? null, isActive: true, delivered },
          ...afresh,
          ...{ keys: [{ key, createdAt: at, expiresAt: null }], createdAt: at, updatedAt: at },
        })
        yield* emit({ type: "endpoint.created", data: endpointData(stored) })
        return { ...shown(stored), key }
      }),
    )
  })

const update = (tools: WebhookTools): WebhooksService["update"] =>
  Effect.fn("Webhooks.update")(function* (
    accountId: string,
    endpointId: string,
    { url, types, isActive }: EndpointChanges,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, endpointId })
    const checked = url === undefined ? undefined : yield* urlOf(tools, accountId, url)
    yield* refuse([...(checked?.problems ?? []), ...typeProblems(types)])
    return yield* change(tools, { accountId, endpointId }, "endpoint.updated", (endpoint) =>
      Effect.succeed({
        ...endpoint,
        ...afresh,
        url: checked?.href ?? endpoint.url,
        types: types === undefined ? endpoint.types : types,
        isActive: isActive ?? endpoint.isActive,
      }),
    )
  })

const remove = ({ transactor }: WebhookTools): WebhooksService["remove"] =>
  Effect.fn("Webhooks.remove")(function* (accountId: string, endpointId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, endpointId })
    yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const endpoint = yield* needEndpoint(stores, endpointId)
        yield* stores.endpoints.remove(endpointId)
        yield* emit({ type: "endpoint.deleted", data: endpointData(endpoint) })
      }),
    )
  })

const rotate = (tools: WebhookTools): WebhooksService["rotate"] =>
  Effect.fn("Webhooks.rotate")(function* (accountId, endpointId, options = {}) {
    yield* Effect.annotateCurrentSpan({ accountId, endpointId })
    const { overlapSeconds = secondsOfDay } = options
    const problems = numberProblems("overlapSeconds", overlapSeconds)
    yield* refuse([...keyProblems(options.key), ...problems])
    const key = options.key ?? (yield* tools.newKey)
    const address = { accountId, endpointId }
    const endpoint = yield* change(tools, address, "endpoint.rotated", (before, at) => {
      const end = at + overlapSeconds
      const earlier = keysAt(before.keys, at).map((one) => ({
        ...one,
        expiresAt: Math.min(one.expiresAt ?? end, end),
      }))
      const keys = [{ key, createdAt: at, expiresAt: null }, ...keysAt(earlier, at)]
      const refused = refuse(overlapProblems(keys.length, overlapSeconds))
      return Effect.as(refused, { ...before, keys, claim: null })
    })
    return { ...endpoint, key }
  })

const replay = (tools: WebhookTools): WebhooksService["replay"] =>
  Effect.fn("Webhooks.replay")(function* (accountId: string, endpointId: string, after: number) {
    yield* Effect.annotateCurrentSpan({ accountId, endpointId, after })
    yield* refuse(yield* positionProblems(tools, accountId, after))
    const address = { accountId, endpointId }
    return yield* change(tools, address, "endpoint.updated", (endpoint) =>
      Effect.succeed({
        ...endpoint,
        ...afresh,
        delivered: Math.min(after, endpoint.delivered),
      }),
    )
  })

const deadLetters = ({ transactor }: WebhookTools): WebhooksService["deadLetters"] =>
  Effect.fn("Webhooks.deadLetters")(function* (accountId, endpointId, after = 0) {
    yield* Effect.annotateCurrentSpan({ accountId, endpointId })
    return yield* transactor.read(accountId, (stores) =>
      Effect.andThen(
        needEndpoint(stores, endpointId),
        stores.endpoints.deadLetters({ endpointId, after, limit: lettersAtATime }),
      ),
    )
  })

const replayDeadLetters = ({ transactor }: WebhookTools): WebhooksService["replayDeadLetters"] =>
  Effect.fn("Webhooks.replayDeadLetters")(function* (accountId: string, endpointId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, endpointId })
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const endpoint = yield* needEndpoint(stores, endpointId)
        let [count, after] = [0, 0]
        while (true) {
          const options = { endpointId, after, limit: lettersAtATime }
          const letters = yield* stores.endpoints.deadLetters(options)
          const again = letters.map((letter) => ({ ...letter, isReplayed: true }))
          yield* stores.endpoints.putDeadLetters(again)
          count += letters.length
          after = letters.at(-1)?.event.number ?? after
          if (letters.length < lettersAtATime) break
        }
        yield* stores.endpoints.update({ ...endpoint, ...afresh, updatedAt: yield* now })
        yield* emit({ type: "endpoint.updated", data: endpointData(endpoint) })
        return count
      }),
    )
  })

const make = Effect.gen(function* (): Effect.fn.Return<
  WebhooksService,
  never,
  Storage | SecureRandom
> {
  const { uuidV7 } = yield* SecureRandom
  const transactor = yield* makeTransactor
  const tools: WebhookTools = {
    ...{ storage: yield* Storage, transactor, settings: yield* Settings },
    ...{ newId: uuidV7(), newKey: yield* newKey },
  }
  return {
    create: create(tools),
    get: Effect.fn("Webhooks.get")((accountId: string, endpointId: string) =>
      transactor.read(accountId, (stores) => Effect.map(needEndpoint(stores, endpointId), shown)),
    ),
    list: Effect.fn("Webhooks.list")((accountId: string) =>
      transactor.read(accountId, ({ endpoints }) =>
        Effect.map(endpoints.list(), (all) => all.map(shown)),
      ),
    ),
    update: update(tools),
    remove: remove(tools),
    rotate: rotate(tools),
    replay: replay(tools),
    deadLetters: deadLetters(tools),
    replayDeadLetters: replayDeadLetters(tools),
  }
})

/**
 * Where the events of an account are sent to, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { servicesLayer, Webhooks } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const webhooks = yield* Webhooks
 *   const types = ["payout.closed", "payout.paid"]
 *   const { key } = yield* webhooks.create("shop", { url: "https://example.com/hooks", types })
 *   const [endpoint] = yield* webhooks.list("shop")
 *   return { key: key.slice(0, 6), shown: JSON.stringify(endpoint).includes(key) }
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(program, layer)) // => { key: "whsec_", shown: false }
 * ```
 */
export class Webhooks extends Context.Service<Webhooks, WebhooksService>()(
  "apportion/service/Webhooks",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Webhooks, never, Storage | SecureRandom> = Layer.effect(
    Webhooks,
    make,
  )
}
