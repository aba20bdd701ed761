import * as Effect from "effect/Effect"
import type { AccountEvent } from "../../events/AccountEvent.js"
import type { DeadLetter, StoredEndpoint } from "../../ports/EndpointStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, contextOf, inContext } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { earliest, latest, oddIds } from "./samples.js"

type NewEndpoint = Omit<StoredEndpoint, "version">

const endpoint = (id: string, changes: Partial<NewEndpoint> = {}): NewEndpoint => ({
  ...{ id, url: "https://example.com/hooks", types: null, isActive: true, delivered: 0 },
  ...{ keys: [{ key: "whsec_1", createdAt: 1, expiresAt: null }] },
  ...{ failingSince: null, attempts: 0, failure: null, nextAttemptAt: 0, claim: null },
  ...{ createdAt: 1, updatedAt: 1 },
  ...changes,
})

const event = (number: number): AccountEvent => ({
  ...{
    number,
    id: `event ${number}`,
    type: "collaborator.created",
    at: earliest,
    actor: "\u0000🎨",
  },
  data: { collaboratorId: "ada", currency: "EUR" },
})

const letter = (endpointId: string, number: number, isReplayed = false): DeadLetter => ({
  ...{ endpointId, event: event(number), failure: "answered 500", setAsideAt: latest, isReplayed },
})

const insert = ({ write }: ContractContext, ...endpoints: ReadonlyArray<NewEndpoint>) =>
  write((stores) =>
    Effect.forEach(endpoints, (one) => stores.endpoints.insert(one), { discard: true }),
  )

const idsOf = ({ read }: ContractContext) =>
  Effect.map(
    read(({ endpoints }) => endpoints.list()),
    (all) => all.map(({ id }) => id),
  )

/** A check that holds for nothing when a host leaves endpoints out: then not even one can be stored. */
const withEndpoints = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContext(name, (context) => {
    const other = contextOf(context.storage, "has endpoints")
    const isLeftOut = Effect.match(insert(other, endpoint("one")), {
      onFailure: (error) => error._tag === "StorageFailure",
      onSuccess: () => false,
    })
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

const isStored = Effect.fnUntraced(function* (context: ContractContext) {
  const full = endpoint("full", {
    ...{ types: ["sale.recorded"], isActive: false, delivered: Number.MAX_SAFE_INTEGER },
    keys: [
      { key: "whsec_2", createdAt: 2, expiresAt: null },
      { key: "whsec_1", createdAt: 1, expiresAt: latest },
    ],
    ...{ failingSince: earliest, attempts: 3, failure: "“no” \u0000", nextAttemptAt: latest },
    claim: { by: "someone", until: latest },
  })
  yield* insert(context, full, endpoint("a"))
  const found = yield* context.read(({ endpoints }) => endpoints.get("full"))
  yield* expectSame("the endpoint", found, { ...full, version: 1 })
  yield* expectSame(
    "another",
    yield* context.read((stores) => stores.endpoints.get("b")),
    undefined,
  )
  yield* expectSame("all, by id", yield* idsOf(context), ["a", "full"])
  const other = contextOf(context.storage, "another account")
  yield* expectSame("those of another account", yield* idsOf(other), [])
})

const isChanged = Effect.fnUntraced(function* (context: ContractContext) {
  const { write } = context
  yield* insert(context, endpoint("a"))
  yield* expectConflict("the same id again", insert(context, endpoint("a")))
  const next = { ...endpoint("a", { delivered: 5, isActive: false }), version: 1 }
  const updated = yield* write(({ endpoints }) => endpoints.update(next))
  yield* expectSame("the next version", updated, { ...next, version: 2 })
  yield* expectConflict(
    "an old version",
    write(({ endpoints }) => endpoints.update(next)),
  )
  const unknown = { ...endpoint("b"), version: 1 }
  yield* expectConflict(
    "an unknown one",
    write(({ endpoints }) => endpoints.update(unknown)),
  )
  const found = yield* context.read(({ endpoints }) => endpoints.get("a"))
  yield* expectSame("what is stored", found, { ...next, version: 2 })
  yield* write(({ endpoints }) => endpoints.remove("a"))
  yield* write(({ endpoints }) => endpoints.remove("a"))
  yield* expectSame("what is left", yield* idsOf(context), [])
})

const isTakenBack = Effect.fnUntraced(function* (context: ContractContext) {
  yield* insert(context, endpoint("a"))
  const failing = context.write(({ endpoints }) =>
    Effect.gen(function* () {
      yield* endpoints.insert(endpoint("b"))
      yield* endpoints.putDeadLetters([letter("a", 1)])
      yield* endpoints.update({ ...endpoint("a", { delivered: 9 }), version: 1 })
      return yield* Effect.fail("no")
    }),
  )
  yield* Effect.exit(failing)
  const found = yield* context.read(({ endpoints }) => endpoints.get("a"))
  yield* expectSame("the endpoint", found, { ...endpoint("a"), version: 1 })
  yield* expectSame("all", yield* idsOf(context), ["a"])
  const options = { endpointId: "a", after: 0, limit: 10 }
  const letters = yield* context.read(({ endpoints }) => endpoints.deadLetters(options))
  yield* expectSame("the dead letters", letters, [])
})

const hasLetters = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  yield* insert(context, endpoint("a"), endpoint("b"))
  const letters = [letter("a", 2), letter("a", 10, true), letter("a", 1), letter("b", 3)]
  yield* write(({ endpoints }) => endpoints.putDeadLetters(letters))
  const of = (options: { after?: number; limit?: number; isReplayed?: boolean } = {}) =>
    Effect.map(
      read(({ endpoints }) =>
        endpoints.deadLetters({ endpointId: "a", after: 0, limit: 10, ...options }),
      ),
      (found) => found.map((one) => one.event.number),
    )
  yield* expectSame("those of an endpoint, by number", yield* of(), [1, 2, 10])
  yield* expectSame("those after one", yield* of({ after: 1, limit: 1 }), [2])
  yield* expectSame("those that are sent again", yield* of({ isReplayed: true }), [10])
  yield* write(({ endpoints }) => endpoints.putDeadLetters([letter("a", 2, true)]))
  yield* expectSame("with another one", yield* of({ isReplayed: true }), [2, 10])
  const [first] = yield* read(({ endpoints }) =>
    endpoints.deadLetters({ endpointId: "a", after: 1, limit: 1 }),
  )
  yield* expectSame("a dead letter", first, letter("a", 2, true))
  yield* write(({ endpoints }) => endpoints.removeDeadLetter("a", 2))
  yield* expectSame("without one", yield* of(), [1, 10])
  yield* write(({ endpoints }) => endpoints.remove("a"))
  yield* expectSame("of an endpoint that is gone", yield* of(), [])
  yield* insert(context, endpoint("a"))
  yield* expectSame("of one that came in its place", yield* of(), [])
})

const hasOddIds = Effect.fnUntraced(function* (context: ContractContext) {
  yield* insert(context, ...oddIds.map((id) => endpoint(id, { url: `https://example.com/${id}` })))
  for (const id of oddIds) {
    const found = yield* context.read(({ endpoints }) => endpoints.get(id))
    yield* expectSame(`the endpoint ${id}`, found?.url, `https://example.com/${id}`)
  }
})

/** The contract of the store of webhook endpoints. */
export const endpointChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withEndpoints("a webhook endpoint is stored and read as it was", isStored),
  withEndpoints("a webhook endpoint is changed by its version, and removed", isChanged),
  withEndpoints("what fails leaves nothing behind at webhook endpoints", isTakenBack),
  withEndpoints("dead letters are of an endpoint, by number, and go with it", hasLetters),
  withEndpoints("webhook endpoints with ids that look alike are different ones", hasOddIds),
]
