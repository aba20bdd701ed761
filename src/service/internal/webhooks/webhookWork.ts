/**
 * Sending the events of one account to one endpoint: which process does it, what is sent, and what the answer changes.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { type AccountEvent, toJson } from "../../../events/AccountEvent.js"
import type { EventData } from "../../../events/EventType.js"
import * as WebhookTarget from "../../../events/WebhookTarget.js"
import type { DeadLetter, StoredEndpoint } from "../../../ports/EndpointStore.js"
import type { StorageService, Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { SettingsService } from "../../Settings.js"
import { eventsAfter } from "../events.js"
import { emit, now, type Transactor } from "../transactions.js"
import { headersOf, keysAt } from "./webhookSignature.js"

/** What sending needs. */
export interface DeliveryTools {
  readonly storage: StorageService
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly client: HttpClient
  /** Names this process in claims. */
  readonly processId: string
  /** How long to wait for an answer. */
  readonly timeout: Duration.Duration
  readonly resolve: ((host: string) => Effect.Effect<ReadonlyArray<string>>) | undefined
}

// Which process sends: the endpoint names it, and until when.

/** How many events are sent before progress is noted. */
const eventsAtATime = 50

/** For how long an endpoint is claimed, beside the time that the answers of one batch may take. */
const claimSeconds = 30

const isWaiting = ({ isActive, nextAttemptAt, claim }: StoredEndpoint, at: number): boolean =>
  isActive && nextAttemptAt <= at && (claim === null || claim.until <= at)

/** The endpoints of an account to which something may be sent now. */
export const waitingEndpoints = ({ transactor }: DeliveryTools, accountId: string) =>
  Effect.flatMap(now, (at) =>
    transactor.read(accountId, ({ endpoints }) =>
      Effect.map(endpoints.list(), (all) => all.filter((endpoint) => isWaiting(endpoint, at))),
    ),
  )

/** Claims an endpoint; `undefined`: it is gone, or another process was first. */
const claim = ({ transactor, processId, timeout }: DeliveryTools, accountId: string, id: string) =>
  transactor.write(
    accountId,
    Effect.fnUntraced(function* ({ endpoints }) {
      const at = yield* now
      const endpoint = yield* endpoints.get(id)
      if (endpoint === undefined || !isWaiting(endpoint, at)) return undefined
      const seconds = Math.ceil(Duration.toSeconds(timeout)) * 2 + claimSeconds
      const claim = { by: processId, until: at + seconds }
      return yield* endpoints.update({ ...endpoint, claim })
    }),
  )

/**
 * Notes the result of sending, unless the endpoint was changed meanwhile: then nothing is noted, and the same events
 * are sent again.
 */
const note = (
  { transactor, processId }: DeliveryTools,
  accountId: string,
  sent: StoredEndpoint,
  work: (stores: Stores) => Effect.Effect<StoredEndpoint, StorageError>,
) =>
  transactor.write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const current = yield* stores.endpoints.get(sent.id)
      const isOurs = current?.version === sent.version && current.claim?.by === processId
      return isOurs ? yield* stores.endpoints.update(yield* work(stores)) : undefined
    }),
  )

// One message: signed, sent, and what its answer means.

/** `undefined`: it arrived. Otherwise why not, and whether the endpoint wants no more. */
type Undelivered = { readonly reason: string; readonly isGone: boolean } | undefined

const failed = (reason: string, isGone = false): Undelivered => ({ reason, isGone })

/** A name is resolved each time, because its addresses change. */
const refusalOf = Effect.fnUntraced(function* (
  { settings, resolve, timeout }: DeliveryTools,
  accountId: string,
  url: string,
) {
  const { webhookTargets } = yield* settings.of(accountId)
  const read = WebhookTarget.parse(url, webhookTargets)
  if (Result.isFailure(read)) return failed(read.failure.message)
  if (webhookTargets === "any" || resolve === undefined) return undefined
  // An address of version 6 stands in brackets in a URL, and nowhere else.
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1")
  const looked = Effect.timeoutOrElse(resolve(host), {
    duration: timeout,
    orElse: () => Effect.succeed([]),
  })
  // Resolving a name that is gone often dies: that is a failure of this endpoint, not of all others.
  const addresses = yield* Effect.catchDefect(looked, () => Effect.succeed([]))
  const isClosed = addresses.length === 0 || addresses.some(WebhookTarget.isPrivate)
  return isClosed ? failed("the host leads to no public address") : undefined
})

const answerOf = (status: number): Undelivered => {
  if (status >= 200 && status < 300) return undefined
  return failed(`answered ${status}`, status === 410)
}

const bodyChunks = 4
const bodyTime = "1 second"

/**
 * Reads the beginning of an answer's body and gives up the rest. A body that is not read keeps its connection, and a short
 * one that is lets the next event use it again.
 */
const finish = (response: HttpClientResponse): Effect.Effect<void> =>
  Stream.runDrain(Stream.take(response.stream, bodyChunks)).pipe(
    Effect.timeoutOption(bodyTime),
    Effect.ignoreCause,
  )

/** The body of an event. */
export const bodyOf = (event: AccountEvent): string => JSON.stringify(toJson(event))

/** Sends an event. Of the answer, only its status counts. */
const send = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
  { endpoint, event }: { readonly endpoint: StoredEndpoint; readonly event: AccountEvent },
): Effect.fn.Return<Undelivered> {
  const refusal = yield* refusalOf(tools, accountId, endpoint.url)
  if (refusal !== undefined) return refusal
  const at = yield* now
  const body = bodyOf(event)
  const message = { id: event.id, timestamp: at, body }
  const headers = yield* headersOf(message, keysAt(endpoint.keys, at))
  const request = HttpClientRequest.post(endpoint.url).pipe(
    HttpClientRequest.setHeaders({ ...headers, "user-agent": "apportion" }),
    HttpClientRequest.bodyText(body, "application/json"),
  )
  return yield* tools.client.execute(request).pipe(
    Effect.tap(finish),
    Effect.map(({ status }) => answerOf(status)),
    Effect.timeoutOrElse({
      duration: tools.timeout,
      orElse: () => Effect.succeed(failed("gave no answer in time")),
    }),
    Effect.catch((error) => Effect.succeed(failed(`could not be reached: ${error.reason._tag}`))),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
  )
})

/** The data of an event about an endpoint. */
export const endpointData = ({
  id,
  url,
}: Pick<StoredEndpoint, "id" | "url">): EventData<"endpoint.updated"> => ({
  endpointId: id,
  host: new URL(url).host,
})

// What follows from a failure: growing waits, and setting aside what could not be delivered for three days.

const firstWaits = [5, 30, 120, 600, 1_800, 7_200]
const longestWait = 4 * 3_600
const threeDays = 3 * 86_400

/** How many seconds to wait after so many failures in a row. */
export const waitAfter = (attempts: number): number => firstWaits[attempts - 1] ?? longestWait

const letterOf = (
  endpoint: StoredEndpoint,
  event: AccountEvent,
  about: { readonly failure: string; readonly at: number },
): DeadLetter => ({
  endpointId: endpoint.id,
  event,
  failure: about.failure,
  setAsideAt: about.at,
  isReplayed: false,
})

const isSentTo = ({ types }: StoredEndpoint, { type }: AccountEvent): boolean =>
  types === null || types.includes(type)

/** The events at the beginning of a list that waited for three days, when the endpoint failed for as long. */
const givenUp = (
  failingSince: number,
  events: ReadonlyArray<AccountEvent>,
  at: number,
): ReadonlyArray<AccountEvent> => {
  if (failingSince > at - threeDays) return []
  const first = events.findIndex((event) => event.at > at - threeDays)
  return first === -1 ? events : events.slice(0, first)
}

/** The result of a batch. */
interface Sending {
  /** The number of the last event that arrived or was passed over. */
  readonly delivered: number
  readonly count: number
  readonly failure: Undelivered
  /** Those that did not arrive. */
  readonly left: ReadonlyArray<AccountEvent>
}

const afterFailure = Effect.fnUntraced(function* (
  { endpoints }: Stores,
  endpoint: StoredEndpoint,
  { delivered, left, failure }: Sending & { readonly failure: NonNullable<Undelivered> },
) {
  const at = yield* now
  // An event that arrived ends the earlier failures.
  const isProgress = delivered > endpoint.delivered
  const attempts = isProgress ? 1 : endpoint.attempts + 1
  const failingSince = isProgress ? at : (endpoint.failingSince ?? at)
  const gone = givenUp(failingSince, left, at)
  const about = { failure: failure.reason, at }
  const letters = gone.filter((event) => isSentTo(endpoint, event))
  yield* endpoints.putDeadLetters(letters.map((event) => letterOf(endpoint, event, about)))
  if (failure.isGone) yield* emit({ type: "endpoint.updated", data: endpointData(endpoint) })
  return {
    ...{ ...endpoint, attempts, failingSince, failure: failure.reason, claim: null },
    delivered: gone.at(-1)?.number ?? delivered,
    nextAttemptAt: at + waitAfter(attempts),
    isActive: endpoint.isActive && !failure.isGone,
  }
})

/** The last time to send an event so that its answer comes within the claim, in Unix seconds. */
const lastSending = ({ timeout }: DeliveryTools, { claim }: StoredEndpoint): number =>
  (claim?.until ?? 0) - Math.ceil(Duration.toSeconds(timeout))

/** Sends events in sequence, up to the first that does not arrive, or until the claim is about to end. */
const sendEach = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
  endpoint: StoredEndpoint,
  events: ReadonlyArray<AccountEvent>,
): Effect.fn.Return<Sending> {
  const last = lastSending(tools, endpoint)
  let [delivered, count] = [endpoint.delivered, 0]
  for (const [index, event] of events.entries()) {
    const left = events.slice(index)
    if ((yield* now) >= last) return { delivered, count, failure: undefined, left }
    if (isSentTo(endpoint, event)) {
      const failure = yield* send(tools, accountId, { endpoint, event })
      if (failure !== undefined) return { delivered, count, failure, left }
      count += 1
    }
    delivered = event.number
  }
  return { delivered, count, failure: undefined, left: [] }
})

/**
 * Sends the dead letters that are to be sent again, up to the first that fails, which stays, or until the claim is
 * about to end.
 */
const sendLetters = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
  endpoint: StoredEndpoint,
): Effect.fn.Return<Sending, StorageError> {
  const sent = { delivered: endpoint.delivered, left: [] }
  const options = { endpointId: endpoint.id, after: 0, limit: eventsAtATime, isReplayed: true }
  const letters = yield* tools.transactor.read(accountId, ({ endpoints }) =>
    endpoints.deadLetters(options),
  )
  const last = lastSending(tools, endpoint)
  let count = 0
  for (const letter of letters) {
    if ((yield* now) >= last) break
    const failure = yield* send(tools, accountId, { endpoint, event: letter.event })
    if (failure === undefined) count += 1
    const { number } = letter.event
    yield* tools.transactor.write(accountId, ({ endpoints }) =>
      failure === undefined
        ? endpoints.removeDeadLetter(endpoint.id, number)
        : endpoints.putDeadLetters([{ ...letter, isReplayed: false, failure: failure.reason }]),
    )
    if (failure !== undefined) return { ...sent, count, failure }
  }
  return { ...sent, count, failure: undefined }
})

/** How many events arrived at an endpoint, and why the next one did not. */
export interface Delivery {
  readonly delivered: number
  readonly failure: Undelivered
}

/** For how long one endpoint is sent to at a time: then others get their turn. */
const turnSeconds = 30

/** The next events of an endpoint, when there is something to be sent to it. */
const nextFor = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
  { id, delivered }: StoredEndpoint,
) {
  const events = yield* eventsAfter(tools, accountId, { after: delivered, limit: eventsAtATime })
  const letters = { endpointId: id, after: 0, limit: 1, isReplayed: true }
  const again = yield* tools.transactor.read(accountId, ({ endpoints }) =>
    endpoints.deadLetters(letters),
  )
  const hasLetters = again.length > 0
  return hasLetters || events.length > 0 ? { events, hasLetters } : undefined
})

/** Sends the dead letters that are to be sent again, then events. */
const sendNext = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
  endpoint: StoredEndpoint,
  { events, hasLetters }: { events: ReadonlyArray<AccountEvent>; hasLetters: boolean },
): Effect.fn.Return<Sending, StorageError> {
  if (!hasLetters) return yield* sendEach(tools, accountId, endpoint, events)
  const letters = yield* sendLetters(tools, accountId, endpoint)
  if (letters.failure !== undefined) return letters
  const sending = yield* sendEach(tools, accountId, endpoint, events)
  return { ...sending, count: sending.count + letters.count }
})

/**
 * Sends to an endpoint what waits for it, until there is nothing more, something does not arrive, or others should get
 * their turn.
 */
export const deliverTo = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
  endpointId: string,
): Effect.fn.Return<Delivery, StorageError> {
  const end = (yield* now) + turnSeconds
  let total = 0
  while ((yield* now) < end) {
    const waiting = yield* tools.transactor.read(accountId, ({ endpoints }) =>
      endpoints.get(endpointId),
    )
    const next = waiting === undefined ? undefined : yield* nextFor(tools, accountId, waiting)
    // Nothing is written for an endpoint that has no events to get.
    if (next === undefined) break
    const endpoint = yield* claim(tools, accountId, endpointId)
    if (endpoint === undefined) break
    const isSame = endpoint.delivered === waiting?.delivered
    const work = { ...next, events: isSame ? next.events : [] }
    const free = note(tools, accountId, endpoint, () =>
      Effect.succeed({ ...endpoint, claim: null }),
    )
    const sending = yield* Effect.onInterrupt(
      sendNext(tools, accountId, endpoint, work),
      // When interrupted, it gives up the claim, so that the next process need not wait for its end.
      () => Effect.ignore(free),
    )
    const { delivered, failure } = sending
    total += sending.count
    yield* note(tools, accountId, endpoint, (stores) =>
      failure === undefined
        ? Effect.succeed({
            ...endpoint,
            ...{ delivered, failingSince: null, attempts: 0, failure: null, claim: null },
          })
        : afterFailure(stores, endpoint, { ...sending, failure }),
    )
    if (failure !== undefined) return { delivered: total, failure }
  }
  return { delivered: total, failure: undefined }
})
