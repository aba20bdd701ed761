import { PayoutStatus } from "apportion"
import { MemoryStorage } from "apportion/memory"
import type {
  PayoutFilter,
  PayoutStore,
  Slice,
  StorageService,
  StoredPayout,
  TimeRange,
} from "apportion/ports"
import { Arbitraries } from "apportion/testing"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isWhole, runs } from "../generators/Runs.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const furthest = Number.MAX_SAFE_INTEGER

/** Few days with few seconds, so that many are alike; days before 1970, and the ends of time. */
const second = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.integer({ min: -1, max: 1 }), fc.constantFrom(0, 1, 43_200, 86_399))
      .map(([day, rest]) => day * 86_400 + rest),
  },
  { weight: 1, arbitrary: fc.constantFrom(-furthest, furthest) },
)

const range: fc.Arbitrary<TimeRange> = fc.record({ from: second, to: second }, { requiredKeys: [] })

const filterOf = (paths: {
  readonly collaboratorId?: fc.Arbitrary<string>
  readonly paid?: fc.Arbitrary<TimeRange>
}): fc.Arbitrary<PayoutFilter> =>
  fc.record(
    { ...paths, status: fc.constantFrom(...PayoutStatus.statuses), expected: range },
    { requiredKeys: [] },
  )

/** Each way of looking for payouts as often as the others. */
const filter = fc.oneof(
  filterOf({}),
  filterOf({ paid: range }),
  filterOf({ collaboratorId: fc.constantFrom("ada", "ben"), paid: range }),
)

/** What is done to one of the payouts: it is made, or changed when it is there. */
const step = fc.record({
  index: fc.nat({ max: 24 }),
  collaboratorId: fc.constantFrom("ada", "ben"),
  status: fc.constantFrom(...PayoutStatus.statuses),
  toBePaidAt: second,
  paidAt: second,
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Ids that sort in another order than they are made. */
const idOf = (index: number) =>
  `${(index * 7) % 10}-${String.fromCodePoint(0xd7f0 + index)}${index}`

const payoutOf = ({ index, status, paidAt, ...rest }: Step): Omit<StoredPayout, "version"> => ({
  ...rest,
  status,
  id: idOf(index),
  // One of its own, so that any number can be active.
  currency: `C${index}`,
  openedAt: 0,
  closedAt: status === "active" ? null : 1,
  payableAt: status === "active" ? null : 2,
  paidAt: PayoutStatus.isSettled(status) ? paidAt : null,
  failureReason: status === "failed" ? "no such account" : null,
  total: index,
  paymentId: null,
  itemsCount: 0,
})

const take = (payouts: PayoutStore, done: Step) =>
  Effect.gen(function* () {
    const payout = payoutOf(done)
    const known = yield* payouts.get(payout.id)
    return known === undefined
      ? yield* payouts.insert({ payout })
      : yield* payouts.update({ payout: { ...payout, version: known.version } })
  })

const collaborators = fc.sample(
  Arbitraries.storedCollaborator({ id: fc.constantFrom("ada", "ben") }),
  { numRuns: 100, seed: 1 },
)

/** What a storage has after the steps. */
const play = (storage: StorageService, accountId: string, steps: ReadonlyArray<Step>) =>
  storage.transaction(accountId, (stores) =>
    Effect.gen(function* () {
      for (const id of ["ada", "ben"]) {
        const found = collaborators.find(({ collaborator }) => collaborator.id === id)
        if (found !== undefined) yield* stores.collaborators.insert(found)
      }
      yield* Effect.forEach(steps, (one) => take(stores.payouts, one), { discard: true })
    }),
  )

interface Question {
  readonly filter: PayoutFilter
  readonly slice: Slice
}

const ask = (storage: StorageService, accountId: string, questions: ReadonlyArray<Question>) =>
  storage.transaction(
    accountId,
    ({ payouts }) => Effect.forEach(questions, (one) => payouts.list(one.filter, one.slice)),
    { mode: "read" },
  )

const slice: fc.Arbitrary<Slice> = fc.record({
  offset: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 26 }) },
    { weight: 1, arbitrary: fc.constantFrom(100, furthest, furthest * 100) },
  ),
  limit: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 10 }) },
    { weight: 1, arbitrary: fc.constantFrom(100, furthest) },
  ),
})

const sql = clientFor(() => postgres("payout_lists"))

const databases = [
  ["PostgreSQL", sql, 80],
  ...(isWhole ? [["PGlite", clientFor(() => pglite), 30] as const] : []),
] as const

test.each(databases)(
  "every page of every list is the one that memory gives: %s",
  async (_, client, whole) => {
    const storage = await Effect.runPromise(emptyStorage(client()))
    let number = 0
    const played = fc.array(step, { maxLength: 60, size: "max" })
    const asked = fc.array(fc.record({ filter, slice }), {
      minLength: isWhole ? 60 : 20,
      maxLength: isWhole ? 60 : 20,
    })
    await fc.assert(
      fc.asyncProperty(played, asked, async (steps, questions) => {
        number += 1
        const accountId = `shop ${number}`
        const memory = await Effect.runPromise(MemoryStorage.make)
        const answers = await Promise.all(
          [memory, storage].map((one) =>
            Effect.runPromise(
              Effect.andThen(play(one, accountId, steps), ask(one, accountId, questions)),
            ),
          ),
        )
        expect(answers[1]).toEqual(answers[0])
      }),
      runs(whole),
    )
  },
  120_000,
)

test("as many payouts are counted on each day as are due on it, whatever becomes of them", async () => {
  const client = sql()
  const storage = await Effect.runPromise(emptyStorage(client))
  const steps = fc.sample(step, { numRuns: isWhole ? 400 : 200, seed: 2 })
  await Effect.runPromise(play(storage, "shop", steps))
  const failing = storage.transaction("shop", ({ payouts }) =>
    Effect.andThen(
      Effect.forEach(steps.slice(0, 30), (one) => take(payouts, { ...one, toBePaidAt: 0 })),
      Effect.fail("on purpose"),
    ),
  )
  await Effect.runPromise(Effect.flip(failing))
  const counted = await Effect.runPromise(
    client.unsafe(
      "SELECT status, day, payouts FROM apportion.payout_days WHERE payouts > 0 ORDER BY status, day",
    ),
  )
  const there = await Effect.runPromise(
    client.unsafe(
      `SELECT status, floor(to_be_paid_at / 86400.0)::bigint AS day, count(*) AS payouts
        FROM apportion.payouts GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  )
  expect(there.length).toBeGreaterThan(10)
  expect(counted).toEqual(there)
  const paid = await Effect.runPromise(
    client.unsafe(
      "SELECT status, day, paid_day, payouts FROM apportion.payment_days WHERE payouts > 0 ORDER BY 1, 2, 3",
    ),
  )
  const werePaid = await Effect.runPromise(
    client.unsafe(
      `SELECT status, floor(to_be_paid_at / 86400.0)::bigint AS day,
          floor(paid_at / 86400.0)::bigint AS paid_day, count(*) AS payouts
        FROM apportion.payouts WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ),
  )
  expect(werePaid.length).toBeGreaterThan(5)
  expect(paid).toEqual(werePaid)
})
