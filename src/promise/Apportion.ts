/**
 * The services for hosts that don't use Effect.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { StorageFailure } from "../ports/StorageError.js"
import { findToken, Tokens } from "../ports/Tokens.js"
import { AccountCounters } from "../service/AccountCounters.js"
import { AccountSettings } from "../service/AccountSettings.js"
import { Actor, isActor } from "../service/Actor.js"
import { Agreements } from "../service/Agreements.js"
import { Audit } from "../service/Audit.js"
import { Balances } from "../service/Balances.js"
import { Collaborators } from "../service/Collaborators.js"
import { Deliveries } from "../service/Deliveries.js"
import { DuePayouts } from "../service/DuePayouts.js"
import { Entries } from "../service/Entries.js"
import { Events } from "../service/Events.js"
import { Idempotency, type KeyedRequest } from "../service/Idempotency.js"
import { Passes } from "../service/Passes.js"
import { PastSales } from "../service/PastSales.js"
import { Payments } from "../service/Payments.js"
import { Payouts } from "../service/Payouts.js"
import { ProductGroups } from "../service/ProductGroups.js"
import { Products } from "../service/Products.js"
import { Resplits } from "../service/Resplits.js"
import { Retention } from "../service/Retention.js"
import { Sales } from "../service/Sales.js"
import { type Services as InnerServices, servicesLayer } from "../service/Services.js"
import type { InvalidSettings } from "../service/Settings.js"
import { Statements } from "../service/Statements.js"
import { UnitOfWork } from "../service/UnitOfWork.js"
import { WebhookDelivery } from "../service/WebhookDelivery.js"
import { Webhooks } from "../service/Webhooks.js"
import { callback, check, invalid, text, time } from "./internal/arguments.js"
import {
  asData,
  facesOf,
  hostWork,
  type Inner,
  makeRunning,
  type Running,
  rejectionOf,
  runningWith,
  unwrap,
} from "./internal/calls.js"
import {
  type ApportionOptions,
  actorProblem,
  checkOptions,
  foundationLayer,
} from "./internal/foundation.js"
import { Closed } from "./PromiseError.js"
import type {
  Events as EventsFace,
  ProductGroups as GroupsFace,
  Services,
  UnitServices,
} from "./Services.js"

export type { ApportionOptions, LogEntry } from "./internal/foundation.js"

/**
 * The services in one actor's name.
 *
 * @since 0.3.0
 * @category services
 */
export interface Acting extends Services {
  /**
   * Combines several changes of one account: when the work's promise is fulfilled, all of them are committed; when it
   * rejects, none is, and this rejects with the same reason. Only calls of the `services` passed to the work are part
   * of it; a call of other services for the same account would wait for the unit to end, and the unit for it. Calls for
   * another account are committed separately; a storage with a single connection, such as PGlite, refuses them with a
   * `StorageFailure`.
   *
   * When a concurrent change conflicts with it, the whole work runs again, a bounded number of times: everything else
   * it does must be safe to repeat. When a call in it fails halfway and the work continues anyway, it rejects with
   * `UnitOfWorkBroken`.
   */
  readonly unitOfWork: <A>(
    accountId: string,
    work: (services: UnitServices) => Promise<A>,
  ) => Promise<A>
  /**
   * A unit of work that is done once for each key, however often it is requested; each request returns the first
   * answer, as JSON holds it. The same key with a different request text rejects with `KeyReused`. Work that rejects
   * stores nothing, so it can be repeated.
   */
  readonly once: <A>(
    accountId: string,
    request: KeyedRequest,
    work: (services: UnitServices) => Promise<A>,
  ) => Promise<A>
}

/**
 * The services as plain async functions. They reject with the tagged errors named in the descriptions of the services,
 * such as `NotFound`, each an `Error` with a `_tag` and a `message`; with `Defect` after an unexpected failure; and
 * with `Closed` after `close`. `RejectionOf` names them for each call.
 *
 * @since 0.2.0
 * @category services
 */
export interface Apportion extends Acting {
  /**
   * The same services in another actor's name: the history of payouts shows it for changes made through them, including
   * units of work. Throws `InvalidArgument` for anything but a text of 1 to 200 characters.
   *
   * @since 0.3.0
   */
  readonly as: (actor: string) => Acting
  /** Removes the idempotency keys stored before a time, in Unix seconds; returns how many. */
  readonly forgetKeysBefore: (accountId: string, at: number) => Promise<number>
  /** The account that an access token belongs to; `undefined`: the token is not valid. */
  readonly authenticate: (token: string) => Promise<string | undefined>
  /**
   * The services themselves, for code built on them: `toWebHandler` of `apportion/http` makes the HTTP API from it. It
   * can be used until `close`.
   */
  readonly context: Context.Context<InnerServices | Tokens>
  /**
   * Closes it: no more calls are accepted, loops over `watch` end, and it resolves when the calls under way and the
   * background linking have ended. Linking continues when the storage is opened again.
   */
  readonly close: () => Promise<void>
}

type Whole = InnerServices | Tokens

const innerOf = (context: Context.Context<InnerServices>): Inner => ({
  collaborators: Context.get(context, Collaborators),
  groups: Context.get(context, ProductGroups),
  products: Context.get(context, Products),
  sales: Context.get(context, Sales),
  pastSales: Context.get(context, PastSales),
  resplits: Context.get(context, Resplits),
  settings: Context.get(context, AccountSettings),
  counters: Context.get(context, AccountCounters),
  payouts: Context.get(context, Payouts),
  payments: Context.get(context, Payments),
  audit: Context.get(context, Audit),
  entries: Context.get(context, Entries),
  agreements: Context.get(context, Agreements),
  balances: Context.get(context, Balances),
  statements: Context.get(context, Statements),
  events: Context.get(context, Events),
  webhooks: Context.get(context, Webhooks),
  passes: Context.get(context, Passes),
  deliveries: Context.get(context, Deliveries),
  retention: Context.get(context, Retention),
  idempotency: Context.get(context, Idempotency),
  unitOfWork: Context.get(context, UnitOfWork),
})

/** The methods that return an async iterable. */
type Loops = Pick<GroupsFace, "watch"> & Pick<EventsFace, "follow">

/** The async iterables, which end when they are done or `close` is called. */
const loopsOf = (
  { groups, events }: Inner,
  context: Context.Context<never>,
  running: Running,
  closing: Deferred.Deferred<void>,
): Loops => {
  const iterable = <A, E>(
    checked: Effect.Effect<void, unknown>,
    stream: () => Stream.Stream<A, E>,
  ): AsyncIterable<A> => {
    const started = Stream.unwrap(
      Effect.gen(function* () {
        const refusal = running.refusal()
        if (refusal !== undefined) return yield* Effect.fail(refusal)
        yield* checked
        return stream()
      }),
    )
    const plain = Stream.catchCause(started, (cause) => Stream.fail(rejectionOf(cause)))
    const ending = Stream.interruptWhen(plain, Deferred.await(closing))
    return Stream.toAsyncIterableWith(ending, context)
  }
  return {
    watch: (accountId, groupId) =>
      iterable(check({ accountId: text, groupId: text }, [accountId, groupId]), () =>
        groups.watch(accountId, groupId),
      ),
    follow: (accountId, options) =>
      iterable(check({ accountId: text }, [accountId]), () => events.follow(accountId, options)),
  }
}

const unitFaces = (inner: Inner, { call }: Running): Pick<Acting, "unitOfWork" | "once"> => ({
  unitOfWork: (accountId, work) =>
    call(() =>
      Effect.andThen(
        check({ accountId: text, work: callback }, [accountId, work]),
        Effect.suspend(() => inner.unitOfWork.run(accountId, hostWork(inner, accountId, work))),
      ),
    ),
  once: async (accountId, request, work) => {
    const kinds = { accountId: text, key: text, request: text, work: callback }
    const given = [accountId, request?.key, request?.request, work]
    const { answer } = await call(() =>
      Effect.andThen(
        check(kinds, given),
        Effect.suspend(() => {
          const done = Effect.map(hostWork(inner, accountId, work), asData)
          return inner.idempotency.once(accountId, request, done)
        }),
      ),
    )
    return answer
  },
})

/** The services in one actor's name. */
const actingFace = (inner: Inner, running: Running, { watch, follow }: Loops): Acting => {
  const services = facesOf(inner, running)
  return {
    ...services,
    ...unitFaces(inner, running),
    groups: { ...services.groups, watch },
    events: { ...services.events, follow },
  }
}

/** Runs calls in an actor's name. */
const runningAs = (running: Running, actor: string): Running => {
  if (!isActor(actor)) throw invalid([actorProblem("actor", actor)])
  return runningWith(running, (effect) => Effect.provideService(effect, Actor, actor))
}

/** The account of a token; `undefined` for an invalid one. */
const authenticate = (token: unknown): Effect.Effect<string | undefined, StorageFailure, Tokens> =>
  Effect.gen(function* () {
    if (typeof token !== "string") return undefined
    const found = yield* findToken(yield* Tokens, token)
    return found?.accountId
  })

const faceOf = (context: Context.Context<Whole>, scope: Scope.Closeable): Apportion => {
  const inner = innerOf(context)
  const running = makeRunning(context, () => Closed.of())
  const closing = Deferred.makeUnsafe<void>()
  const loops = loopsOf(inner, context, running, closing)
  let closed: Promise<void> | undefined
  const close = async () => {
    running.end()
    Deferred.doneUnsafe(closing, Exit.void)
    await running.idle()
    unwrap(await Effect.runPromiseExitWith(context)(Scope.close(scope, Exit.void)))
  }
  return {
    ...actingFace(inner, running, loops),
    as: (actor) => actingFace(inner, runningAs(running, actor), loops),
    forgetKeysBefore: (accountId, at) =>
      running.call(() =>
        Effect.andThen(
          check({ accountId: text, at: time }, [accountId, at]),
          Effect.suspend(() => inner.idempotency.forgetBefore(accountId, at)),
        ),
      ),
    authenticate: (token) =>
      running.call(() => Effect.provideContext(authenticate(token), context)),
    context,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

const layerOf = (options: ApportionOptions): Layer.Layer<Whole, InvalidSettings> => {
  const layer = Layer.provideMerge(servicesLayer, foundationLayer(options))
  const { closeDueEvery, purgeEvery, sendWebhooksEvery, resolveHost } = options
  const closing =
    closeDueEvery === undefined ? Layer.empty : DuePayouts.layer({ every: closeDueEvery * 1_000 })
  const purging =
    purgeEvery === undefined ? Layer.empty : Retention.sweeps({ every: purgeEvery * 1_000 })
  const sweeping = Layer.provideMerge(Layer.merge(closing, purging), layer)
  if (sendWebhooksEvery === undefined) return sweeping
  const sending = WebhookDelivery.layer({
    every: sendWebhooksEvery * 1_000,
    resolve: resolveHost && ((host) => Effect.promise(() => resolveHost(host))),
  })
  return Layer.provideMerge(Layer.provide(sending, FetchHttpClient.layer), sweeping)
}

/**
 * Makes the services from the host's options, and continues unfinished linking of products. Rejects with
 * `InvalidArgument` when an option is invalid, and with `InvalidSettings`.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { makeApportion } from "apportion/promise"
 *
 * const apportion = await makeApportion()
 * await apportion.collaborators.create("my-store", { id: "ada", currency: "EUR" })
 * await apportion.groups.create("my-store", "ada", {
 *   link: { type: "products.all" },
 *   percent: "12.50",
 * })
 * const { parts } = await apportion.sales.record("my-store", {
 *   id: "o1",
 *   currency: "EUR",
 *   items: [{ id: "i1", amount: 1000, quantity: 1, product: { id: "p1" } }],
 * })
 * parts[0]?.split.shares.map((share) => share.amount) // => [125]
 * await apportion.close()
 * ```
 */
export const makeApportion = async (options: ApportionOptions = {}): Promise<Apportion> => {
  unwrap(await Effect.runPromiseExit(checkOptions(options)))
  const scope = Scope.makeUnsafe()
  const layer = layerOf(options)
  const built = await Effect.runPromiseExit(Layer.buildWithScope(layer, scope))
  if (Exit.isFailure(built)) await Effect.runPromise(Scope.close(scope, built))
  return faceOf(unwrap(built), scope)
}
