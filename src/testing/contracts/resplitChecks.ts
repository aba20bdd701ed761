import * as Effect from "effect/Effect"
import type { RecordedAdjustment, RecordedSale, SaleFilter } from "../../ports/SaleStore.js"
import type { StorageService } from "../../ports/Storage.js"
import * as RuleSet from "../../rules/RuleSet.js"
import * as Split from "../../shares/Split.js"
import { type ContractContext, contextOf, inContext } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectSlices } from "./check.js"
import {
  adjustment,
  resplitBatch as batch,
  latest,
  oddIds,
  refund,
  resplitRun as run,
  sale,
} from "./samples.js"

const ofOrder = (context: ContractContext, orderId: string) =>
  context.read(({ sales }) => sales.ofOrder(orderId))

const posted = (of: RecordedSale, runId: string) => {
  const [first] = of.postings
  return first === undefined
    ? of.postings
    : [...of.postings, { ...first, payoutItemId: `${first.payoutItemId}/${runId}`, runId }]
}

const adjust = (context: ContractContext, added: RecordedAdjustment, of: RecordedSale) =>
  context.write(({ sales }) =>
    sales.addAdjustment({
      ...{ orderId: of.orderId, part: of.part, version: of.version },
      ...{ adjustment: added, postings: posted(of, added.runId) },
    }),
  )

const isAdded = Effect.fnUntraced(function* (context: ContractContext) {
  const first = yield* context.write(({ sales }) => sales.insert(sale("1001")))
  const other = yield* context.write(({ sales }) =>
    sales.insert(sale("1001", { part: 2, itemIds: ["3"] })),
  )
  const [one, two] = [adjustment("z 🎨", first), adjustment("a", first, "15")]
  const second = yield* adjust(context, one, first)
  const expected = { ...first, adjustments: [one], postings: posted(first, "z 🎨"), version: 2 }
  yield* expectSame("the next version", second, expected)
  const third = yield* adjust(context, two, second)
  yield* expectSame("the adjustments, in their order", third.adjustments, [one, two])
  yield* expectSame("the parts", yield* ofOrder(context, "1001"), [third, other])
  const back = refund("r1", third)
  const adjusted = [{ runId: "a", shares: [], store: 0 }]
  const { orderId, part, version, postings } = third
  const fourth = yield* context.write(({ sales }) =>
    sales.addRefund({ orderId, part, version, postings, refund: { ...back, adjusted } }),
  )
  yield* expectSame("what a refund keeps", fourth.adjustments, [one, two])
  yield* expectSame("the refund", fourth.refunds, [{ ...back, adjusted }])
  yield* expectSame("with a refund", yield* ofOrder(context, "1001"), [fourth, other])
  const listed = yield* context.read(({ sales }) => sales.list({}, { offset: 0, limit: 9 }))
  yield* expectSame("the ledger", listed.entries, [fourth, other])
})

const isFound = Effect.fnUntraced(function* (context: ContractContext) {
  const first = yield* context.write(({ sales }) => sales.insert(sale("1001", { of: "ada" })))
  const found = (filter: SaleFilter) =>
    Effect.map(
      context.read(({ sales }) => sales.list(filter, { offset: 0, limit: 9 })),
      ({ entries }) => entries.map(({ version }) => version),
    )
  const bens = { collaboratorId: "ben 🎨" }
  yield* expectSame("of whom it is not", yield* found(bens), [])
  const theirs = first.groups.map((group) => ({ ...group, ...bens }))
  const split = Split.order(RuleSet.make(theirs), first.order)
  const { adjustment: whole, ...about } = adjustment("run", first)
  const given = { ...about, groups: theirs, adjustment: { ...whole, split } }
  yield* adjust(context, given, first)
  yield* expectSame("of whom it is now", yield* found(bens), [2])
  const [product] = first.order.items.map((item) => item.product.id)
  yield* expectSame("with a product", yield* found({ ...bens, productId: product }), [2])
  yield* expectSame("of whom it was", yield* found({ collaboratorId: "ada" }), [2])
})

const isOnce = Effect.fnUntraced(function* (context: ContractContext) {
  const given = sale("1001")
  const first = yield* context.write(({ sales }) => sales.insert(given))
  const another = yield* context.write(({ sales }) => sales.insert(sale("1002")))
  const second = yield* adjust(context, adjustment("run", first), first)
  yield* expectConflict("an older version", adjust(context, adjustment("late", first), first))
  yield* expectConflict("the same run", adjust(context, adjustment("run", first), second))
  const unknown = { ...second, part: 2 }
  yield* expectConflict("another part", adjust(context, adjustment("late", first), unknown))
  yield* expectSame("the parts", yield* ofOrder(context, "1001"), [second])
  const same = yield* adjust(context, adjustment("run", another), another)
  yield* expectSame("another sale of the run", yield* ofOrder(context, "1002"), [same])
})

const hasMovingPostings = Effect.fnUntraced(function* (context: ContractContext) {
  const first = yield* context.write(({ sales }) => sales.insert(sale("1001")))
  const second = yield* adjust(context, adjustment("run", first), first)
  const payoutItemId = second.postings.at(-1)?.payoutItemId ?? ""
  const items = [{ orderId: "1001", payoutItemId }]
  const moved = { fromPayoutId: "payout", toPayoutId: "next", items }
  yield* context.write(({ sales }) => sales.move(moved))
  const [found] = yield* ofOrder(context, "1001")
  const places = found?.postings.map(({ payoutId, runId }) => [payoutId, runId ?? null])
  const stay = first.postings.map(() => ["payout", null])
  yield* expectSame("the postings", places, [...stay, ["next", "run"]])
})

/** A check that holds for nothing when a host leaves re-splits out: then none can be stored. */
const withRuns = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContext(name, (context) => {
    const other = contextOf(context.storage, "has re-splits")
    const isLeftOut = Effect.match(
      other.write(({ resplits }) => resplits.insert(run("one"), [])),
      {
        onFailure: (error) => error._tag === "StorageFailure",
        onSuccess: () => false,
      },
    )
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

const isKept = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  const insert = (id: string) =>
    write(({ resplits }) => resplits.insert(run(id), [batch(1), batch(2)]))
  const get = (id: string) => read(({ resplits }) => resplits.get(id))
  const first = yield* insert("a")
  yield* expectSame("the run", first, { ...run("a"), version: 1 })
  yield* expectSame("the run that was stored", yield* get("a"), first)
  yield* expectSame("an unknown one", yield* get("A"), undefined)
  yield* expectConflict("the same id", insert("a"))
  const batchOf = (id: string, number: number) => read(({ resplits }) => resplits.batch(id, number))
  yield* expectSame("a batch", yield* batchOf("a", 2), batch(2))
  yield* expectSame("one that is not there", yield* batchOf("a", 3), undefined)
  yield* expectSame("of another run", yield* batchOf("b", 1), undefined)
  const leftOut = [{ orderId: "o2", part: 1 }]
  const next = { ...first, status: "booking", bookedBatches: 1, leftOut, bookedAt: latest } as const
  const second = yield* write(({ resplits }) => resplits.update(next))
  yield* expectSame("the next version", second, { ...next, version: 2 })
  yield* expectSame("the next version, stored", yield* get("a"), second)
  yield* expectConflict(
    "an older version",
    write(({ resplits }) => resplits.update(next)),
  )
  const unknown = write(({ resplits }) => resplits.update({ ...next, id: "c" }))
  yield* expectConflict("an unknown run", unknown)
  const other = contextOf(context.storage, "another account")
  const foreign = yield* other.read(({ resplits }) => resplits.get("a"))
  yield* expectSame("of another account", foreign, undefined)
})

const isListed = Effect.fnUntraced(function* (context: ContractContext) {
  const ids = oddIds.map((id) => run(id))
  const runs = [run("last", { proposedAt: latest }), ...ids, run("first", { proposedAt: 0 })]
  for (const one of runs.toReversed()) {
    yield* context.write(({ resplits }) => resplits.insert(one, [batch(1)]))
  }
  yield* expectSlices(
    "the runs",
    (slice) => context.read(({ resplits }) => resplits.list(slice)),
    runs.map((one) => ({ ...one, version: 1 })),
  )
})

/** The contract of the ledger for adjustments, and of the store of re-splits. */
export const resplitChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext("an adjustment is added to its part as the next version, with its postings", isAdded),
  inContext("a part has one adjustment of a run, and none that does not know its version", isOnce),
  inContext("a sale is found by those who have a share since it was adjusted, too", isFound),
  inContext("postings of adjustments move with their items as others do", hasMovingPostings),
  withRuns("a run of a re-split is stored with its batches, and changed by version", isKept),
  withRuns("runs of re-splits are listed by when they were proposed, then by id", isListed),
]
