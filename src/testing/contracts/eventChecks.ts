import * as Effect from "effect/Effect"
import type { AccountEvent, NewEvent } from "../../events/AccountEvent.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  accountId,
  allAtOnce,
  type ContractContext,
  contextOf,
  givingWay,
  inContext,
  retried,
} from "./ContractContext.js"
import { type ContractCheck, expectSame, expectTrue } from "./check.js"
import { earliest, latest, oddIds } from "./samples.js"

const event = (collaboratorId: string, at = 1_000): NewEvent => ({
  type: "collaborator.created",
  at,
  actor: "alice",
  data: { collaboratorId, currency: "EUR" },
})

const append = ({ write }: ContractContext, ...events: ReadonlyArray<NewEvent>) =>
  write((stores) => stores.events.append(events))

const mostEvents = 1_000

/** Those above a number, after all have theirs. */
const readAll = (
  { storage, read }: ContractContext,
  options: { readonly after?: number; readonly limit?: number; readonly account?: string } = {},
): Effect.Effect<ReadonlyArray<AccountEvent>, StorageError> =>
  Effect.gen(function* () {
    const { after = 0, limit = mostEvents, account = accountId } = options
    if (storage.numberEvents !== undefined) {
      yield* retried(storage.numberEvents(account, mostEvents))
    }
    return yield* read(({ events }) => events.after({ after, limit }))
  })

const nameOf = ({ data }: AccountEvent): unknown => Reflect.get(data, "collaboratorId")
const namesOf = (events: ReadonlyArray<AccountEvent>) => events.map(nameOf)
const numbersOf = (events: ReadonlyArray<AccountEvent>) => events.map(({ number }) => number)
const countTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

/** Whether nothing becomes of an event that is added: a storage of plain functions may leave them out. */
const isLeftOut = ({ storage }: ContractContext) => {
  const context = contextOf(storage, "has events")
  return Effect.gen(function* () {
    yield* append(context, event("a"))
    const events = yield* readAll(context, { account: "has events" })
    const last = yield* context.read((stores) => stores.events.last())
    return events.length === 0 && last === 0
  })
}

/** A check that holds for nothing when a host leaves events out. */
const withEvents = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContext(name, (context) =>
    Effect.flatMap(isLeftOut(context), (isWithout) => (isWithout ? Effect.void : check(context))),
  )

const isNumbered = Effect.fnUntraced(function* (context: ContractContext) {
  yield* expectSame("no events", yield* readAll(context), [])
  const odd: NewEvent = {
    ...{ type: "payout.failed", at: latest, actor: "Zoë \u0000 🎨" },
    data: {
      ...{ payoutId: "p1", collaboratorId: oddIds.join(), currency: "EUR" },
      ...{ total: -Number.MAX_SAFE_INTEGER, reason: "“no” \\ ' \n \ud800" },
    },
  }
  yield* append(context, event("a", earliest), odd)
  yield* append(context, event("b"))
  const events = yield* readAll(context)
  const told = events.map(({ id: _, ...rest }) => rest)
  yield* expectSame("the events", told, [
    { ...event("a", earliest), number: 1 },
    { ...odd, number: 2 },
    { ...event("b"), number: 3 },
  ])
  const ids = new Set(events.map(({ id }) => id))
  yield* expectTrue("ids are different", ids.size === 3 && !ids.has(""), [...ids])
  yield* expectSame("the same again", yield* readAll(context), events)
  const last = yield* context.read((stores) => stores.events.last())
  yield* expectSame("the last number", last, 3)
})

const isSliced = Effect.fnUntraced(function* (context: ContractContext) {
  yield* append(context, ...countTo(7).map((index) => event(`c${index}`)))
  const slice = (after: number, limit: number) =>
    Effect.map(readAll(context, { after, limit }), numbersOf)
  yield* expectSame("the first two", yield* slice(0, 2), [1, 2])
  yield* expectSame("those after the third", yield* slice(3, 100), [4, 5, 6, 7])
  yield* expectSame("those after the last", yield* slice(7, 100), [])
  yield* expectSame("far beyond", yield* slice(Number.MAX_SAFE_INTEGER, 1), [])
})

const leavesNoGap = Effect.fnUntraced(function* (context: ContractContext) {
  yield* append(context, event("a"))
  const failing = context.write((stores) =>
    Effect.andThen(stores.events.append([event("lost"), event("too")]), Effect.fail("no")),
  )
  yield* Effect.exit(failing)
  yield* append(context, event("b"))
  const events = yield* readAll(context)
  yield* expectSame("those that were kept", namesOf(events), ["a", "b"])
  yield* expectSame("their numbers", numbersOf(events), [1, 2])
})

const isOfAnAccount = Effect.fnUntraced(function* (context: ContractContext) {
  const other = contextOf(context.storage, "other")
  yield* append(context, event("a"))
  yield* append(other, event("b"), event("c"))
  yield* expectSame("of the one", namesOf(yield* readAll(context)), ["a"])
  const others = yield* readAll(other, { account: "other" })
  yield* expectSame("of the other", namesOf(others), ["b", "c"])
  yield* expectSame("its numbers", numbersOf(others), [1, 2])
})

const isForgotten = Effect.fnUntraced(function* (context: ContractContext) {
  yield* append(context, ...[1, 2, 9, 3, 4].map((at) => event(`at ${at}`, at)))
  yield* readAll(context)
  const remove = (options: { upTo: number; at: number; limit: number }) =>
    context.write(({ events }) => events.removeBefore(options))
  yield* expectSame("none so old", yield* remove({ upTo: 5, at: 1, limit: 10 }), 0)
  yield* expectSame("one", yield* remove({ upTo: 5, at: 5, limit: 1 }), 1)
  const kept = Effect.map(readAll(context), numbersOf)
  yield* expectSame("what stays", yield* kept, [2, 3, 4, 5])
  yield* expectSame("none behind one that stays", yield* remove({ upTo: 5, at: 5, limit: 10 }), 1)
  yield* expectSame("what stays then", yield* kept, [3, 4, 5])
  yield* expectSame("up to a number", yield* remove({ upTo: 4, at: 10, limit: 10 }), 2)
  yield* expectSame("all", yield* remove({ upTo: 5, at: 10, limit: 10 }), 1)
  const last = yield* context.read((stores) => stores.events.last())
  yield* expectSame("the last number stays", last, 5)
  yield* append(context, event("next"))
  yield* expectSame("the next number", yield* kept, [6])
})

const transactions = 12

/** Transactions that add two events each, while others read events. */
const isInOrder = Effect.fnUntraced(function* (context: ContractContext) {
  const seen: Array<ReadonlyArray<AccountEvent>> = []
  const adding = allAtOnce(transactions, (index) =>
    retried(
      context.write(({ events }) =>
        Effect.andThen(
          events.append([event(`${index} first`)]),
          Effect.andThen(givingWay, events.append([event(`${index} second`)])),
        ),
      ),
    ),
  )
  const asking = allAtOnce(5, () =>
    Effect.andThen(
      givingWay,
      Effect.map(readAll(context), (events) => {
        seen.push(events)
      }),
    ),
  )
  yield* Effect.all([adding, asking], { concurrency: "unbounded" })
  const events = yield* readAll(context)
  yield* expectSame("the numbers", numbersOf(events), countTo(2 * transactions))
  const names = namesOf(events)
  for (const index of countTo(transactions).map((number) => number - 1)) {
    const places = ["first", "second"].map((one) => names.indexOf(`${index} ${one}`))
    const isSorted = places[0] !== -1 && (places[0] ?? 0) < (places[1] ?? 0)
    yield* expectTrue(`the events of transaction ${index} are in order`, isSorted, names)
  }
  for (const before of seen) {
    const same = events.slice(0, before.length)
    yield* expectSame("what was seen before is what is seen now", before, same)
  }
})

/** The contract of the store of events. */
export const eventChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withEvents("events get numbers from 1 on and ids, and come out as they went in", isNumbered),
  withEvents("the next events are those above a number, by number", isSliced),
  withEvents("events of a transaction that fails are not there, and leave no gap", leavesNoGap),
  withEvents("each account has its own events with its own numbers", isOfAnAccount),
  withEvents(
    "old events are forgotten from the beginning on, and no number is given again",
    isForgotten,
  ),
  withEvents(
    "transactions side by side leave no gap, and nothing that was told changes",
    isInOrder,
  ),
]
