import * as Effect from "effect/Effect"
import type { StoredCounter } from "../../ports/CounterStore.js"
import type { StorageService } from "../../ports/Storage.js"
import * as CountedRules from "../../terms/CountedRules.js"
import * as CountedSplit from "../../terms/CountedSplit.js"
import * as Terms from "../../terms/Terms.js"
import { type ContractContext, contextOf, inContextWith } from "./ContractContext.js"
import { type ContractCheck, expectSame, expectSlices } from "./check.js"
import { group, largest, oddIds, sale } from "./samples.js"

/** A check that holds for nothing when a host leaves counters out: then none can be stored. */
const withCounters = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContextWith(["ada"])(name, (context) => {
    const other = contextOf(context.storage, "has counters")
    const isLeftOut = Effect.match(
      other.write(({ counters }) => counters.put([{ key: "remainder/USD/store", count: 1 }])),
      { onFailure: (error) => error._tag === "StorageFailure", onSuccess: () => false },
    )
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

const keyOf = (id: string): string => `units/USD/lifetime/group/${id}`

const put = ({ write }: ContractContext, ...all: ReadonlyArray<StoredCounter>) =>
  write(({ counters }) => counters.put(all))

const byKey = (one: StoredCounter, other: StoredCounter): number => (one.key < other.key ? -1 : 1)

const found = ({ read }: ContractContext, keys: ReadonlyArray<string>) =>
  Effect.map(
    read(({ counters }) => counters.find(keys)),
    (all) => all.toSorted(byKey),
  )

const areKept = Effect.fnUntraced(function* (context: ContractContext) {
  const odd = oddIds.map((id, count) => ({ key: keyOf(id), count }))
  const extremes = [
    { key: "share/USD/2026-03/collaborator/\u0000", count: largest },
    { key: "remainder/USD/store", count: -largest },
  ]
  const all = [...odd, ...extremes].sort(byKey)
  yield* put(context, ...odd)
  yield* put(context, ...extremes)
  const keys = all.map(({ key }) => key)
  yield* expectSame("all", yield* found(context, [...keys, ...keys]), all)
  yield* expectSame("some of them", yield* found(context, [keyOf("a"), keyOf("b")]), [
    { key: keyOf("a"), count: oddIds.indexOf("a") },
  ])
  yield* expectSame("none of them", yield* found(context, []), [])
  yield* expectSlices(
    "the list",
    (slice) => context.read(({ counters }) => counters.list(slice)),
    all,
  )
  const other = contextOf(context.storage, "another account")
  yield* expectSame("of another account", yield* found(other, keys), [])
})

const areSet = Effect.fnUntraced(function* (context: ContractContext) {
  const [a, b, c] = [keyOf("a"), keyOf("b"), keyOf("c")]
  yield* put(context, { key: a, count: 1 }, { key: b, count: 2 })
  yield* put(context)
  const seen = yield* context.write(({ counters }) =>
    Effect.gen(function* () {
      yield* counters.put([
        { key: b, count: 0 },
        { key: c, count: 3 },
      ])
      return yield* counters.find([b])
    }),
  )
  yield* expectSame("within the transaction", seen, [{ key: b, count: 0 }])
  const after = [
    { key: a, count: 1 },
    { key: b, count: 0 },
    { key: c, count: 3 },
  ]
  yield* expectSame("after it", yield* found(context, [a, b, c]), after)
  const failing = context.write(({ counters }) =>
    Effect.andThen(counters.put([{ key: a, count: 7 }]), Effect.fail("given up" as const)),
  )
  yield* Effect.ignore(failing)
  yield* expectSame("after a rollback", yield* found(context, [a, b, c]), after)
})

const terms = Terms.make({
  tiers: {
    counted: "units",
    per: "collaborator",
    period: "year",
    bands: [
      { from: 0, percent: 10 },
      { from: 1, percent: "12.5" },
    ],
  },
  cap: { amount: 1_000_000 },
})

const isRecorded = Effect.fnUntraced(function* (context: ContractContext) {
  const { group: plain, ...about } = group("g1")
  const counted = { ...plain, percent: null, terms }
  const inserted = yield* context.write(({ groups }) => groups.insert({ ...about, group: counted }))
  yield* expectSame("the group", inserted.group, counted)
  const all = yield* context.read(({ groups }) => groups.all)
  yield* expectSame("all groups", all, [counted])
  const without = { ...inserted, group: { ...plain, percent: "10.00" } }
  yield* context.write(({ groups }) => groups.update(without))
  const again = yield* context.read(({ groups }) => groups.get("g1"))
  yield* expectSame("without its terms", again?.group, without.group)
  const sold = sale("1001")
  const rules = CountedRules.make(sold.groups.map((one) => ({ ...one, percent: null, terms })))
  const { split } = CountedSplit.order(rules, { ...sold.order, createdAt: 1_700_000_000 })
  const carried = {
    ...split,
    store: split.store.map((rest) => ({ ...rest, carried: { before: -1, after: 5_000 } })),
  }
  const groups = sold.groups.map((one) => ({ ...one, percent: null, terms }))
  const stored = yield* context.write(({ sales }) =>
    sales.insert({ ...sold, groups, split: carried }),
  )
  const recorded = yield* context.read(({ sales }) => sales.ofOrder("1001"))
  yield* expectSame("the sale as it is stored", stored.split, carried)
  yield* expectSame("the sale", recorded, [stored])
})

/** The contract of the store of counters, and of groups and sales with terms. */
export const counterChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withCounters("counters come back as they were stored, and are listed by key", areKept),
  withCounters("a counter is set to what it stands at, and a rollback leaves it", areSet),
  withCounters("a group comes back with its terms, and a sale with what was counted", isRecorded),
]
