/** What a transaction writes of payouts that only get more items is what it writes of any change. */
import type { PayoutItem } from "apportion"
import type { PayoutChange, PayoutStore, StorageService, StoredPayout } from "apportion/ports"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import * as payoutStore from "../../src/sql/internal/payoutStore.js"
import { Session } from "../../src/sql/internal/Session.js"
import {
  active,
  collaborator,
  income,
  largest,
  oddIds,
  soldItem,
} from "../../src/testing/contracts/samples.js"
import { runs } from "../generators/Runs.js"
import { clientFor, emptyStorage, postgres } from "./databases.js"

const owners = ["ada", "sam", "zoe"].map((collaboratorId) => ({ collaboratorId, currency: "USD" }))

/** A step: what a payout gets, whether an item of it is one that it has, and whether it changes beside. */
const step = fc.record({
  payout: fc.nat({ max: owners.length - 1 }),
  items: fc.array(fc.constantFrom(...[0, 1, 99, -5, largest, -largest]), {
    minLength: 1,
    maxLength: 3,
  }),
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constant("more" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("again" as const, "rolled" as const, "removed" as const),
    },
  ),
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const idOf = (place: number): string => `p${place}`

const itemOf = (id: string, amount: number, isEntry: boolean): PayoutItem.PayoutItem =>
  isEntry ? income(id, amount) : { ...soldItem(id), amount }

/** The changes that steps are, from payouts of version 1 that have one item each. */
const changesOf = (steps: ReadonlyArray<Step>, total: number): ReadonlyArray<PayoutChange> => {
  const payouts = new Map<string, StoredPayout>()
  return steps.map(({ payout: place, items, kind }, index) => {
    const id = idOf(place)
    const own = payouts.get(id) ?? {
      ...active(id, owners[place]),
      total: 100,
      itemsCount: 1,
      version: 1,
    }
    const put = items.map((amount, nth) => {
      const isThere = kind === "again" && nth === 0
      const name = oddIds[(index + nth) % oddIds.length]?.slice(0, 20) ?? ""
      return itemOf(isThere ? "first" : `o${index}/${name}/${nth}`, amount, (index + nth) % 2 === 0)
    })
    const after = {
      ...own,
      total: total - index,
      itemsCount: own.itemsCount + put.length,
      toBePaidAt: own.toBePaidAt + (kind === "rolled" ? 86_400 : 0),
    }
    payouts.set(id, { ...after, version: own.version + 1 })
    return kind === "removed" ? { payout: after, remove: ["first"] } : { payout: after, put }
  })
}

/** A transaction that the test runs itself. */
interface Own {
  readonly connection: Effect.Success<SqlClient["reserve"]>
  readonly session: Session
}

const client = clientFor(() => postgres("payout_additions"))

/** Works with the payouts of an account in a transaction, and tells what it asked. */
const inSession = (
  accountId: string,
  work: (payouts: PayoutStore, own: Own) => Effect.Effect<unknown, unknown>,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const asked: Array<string> = []
      const connection = yield* client().reserve
      const session = new Session(
        {
          execute: (statement, ...given) => {
            asked.push(statement)
            return connection.execute(statement, ...given)
          },
          executeUnprepared: (statement, ...given) => {
            asked.push(statement)
            return connection.executeUnprepared(statement, ...given)
          },
        },
        { accountId, mode: "write", actor: "alice" },
      )
      yield* connection.executeUnprepared("BEGIN", [], undefined)
      const done = Effect.andThen(
        work(payoutStore.make(session), { connection, session }),
        session.answered,
      )
      yield* Effect.onError(done, () =>
        Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)),
      )
      yield* connection.executeUnprepared("COMMIT", [], undefined)
      return asked
    }),
  )

const opened = (storage: StorageService, accountId: string) =>
  storage.transaction(accountId, ({ collaborators, payouts }) =>
    Effect.forEach(owners, (owner, place) =>
      Effect.andThen(
        collaborators.insert(collaborator(owner.collaboratorId)),
        payouts.insert({
          payout: { ...active(idOf(place), owner), total: 100, itemsCount: 1 },
          put: [income("first")],
        }),
      ),
    ),
  )

const stored = (accountId: string, changes: ReadonlyArray<PayoutChange>, isSeen: boolean) =>
  inSession(accountId, (payouts) =>
    Effect.gen(function* () {
      const places = changes.flatMap(({ payout, put = [] }) =>
        put.map(({ id }) => ({ payoutId: payout.id, itemId: id })),
      )
      if (isSeen) yield* payouts.ofOwners(owners)
      if (isSeen) yield* payouts.itemsAt(places)
      yield* payouts.storeAll(changes)
    }),
  )

const rowsOf = (accountId: string) =>
  Effect.forEach(
    [
      "SELECT to_jsonb(p) - '{account_id,number}'::text[] AS row FROM apportion.payouts p WHERE account_id = $1 ORDER BY payout_id",
      ...["payout_ledger", "payout_replacements", "payout_states"].map(
        (
          table,
        ) => `SELECT p.payout_id, to_jsonb(l) - '{account_id,payout}'::text[] AS row FROM apportion.${table} l
            JOIN apportion.payouts p ON p.number = l.payout WHERE p.account_id = $1
            ORDER BY p.payout_id, l.version, l.*::text`,
      ),
      "SELECT to_jsonb(d) - 'account_id' AS row FROM apportion.payout_days d WHERE account_id = $1 ORDER BY d.*::text",
    ],
    (statement) => client().unsafe(statement, [accountId]),
  )

test("additions leave the same rows as changes, whatever else is changed beside them", async () => {
  const storage = await Effect.runPromise(emptyStorage(client()))
  const seen = { additions: 0, both: 0, changes: 0 }
  let count = 0
  const law = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(0, largest, -5_000),
    (steps, total) =>
      Effect.gen(function* () {
        count += 1
        const [plain, known] = [`plain ${count}`, `known ${count}`]
        const changes = changesOf(steps, total)
        yield* opened(storage, plain)
        yield* opened(storage, known)
        const changed = yield* stored(plain, changes, false)
        const added = yield* stored(known, changes, true)
        const isAddition = (statement: string) => statement.includes("width_bucket")
        const isChange = (statement: string) => statement.includes("json_populate_recordset")
        expect(changed.some(isAddition)).toBe(false)
        const [adds, others] = [added.some(isAddition), added.some(isChange)]
        seen[adds && others ? "both" : adds ? "additions" : "changes"] += 1
        expect(yield* rowsOf(known)).toEqual(yield* rowsOf(plain))
      }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise),
  )
  await fc.assert(law, runs(400, 60))
  expect(Math.min(seen.additions, seen.both, seen.changes)).toBeGreaterThan(0)
})

test("an addition to a payout that changed since it was read is a conflict, and so is one of another account", async () => {
  const storage = await Effect.runPromise(emptyStorage(client()))
  const [change] = changesOf([{ payout: 0, items: [5], kind: "more" }], 105)
  if (change === undefined) throw new TypeError("nothing changes")
  const places = (change.put ?? []).map(({ id }) => ({ payoutId: "p0", itemId: id }))
  const failureOf = (accountId: string, meanwhile: string) =>
    Effect.flip(
      inSession(accountId, (payouts, { connection, session }) =>
        Effect.gen(function* () {
          const [row] = yield* connection.execute(
            "SELECT number FROM apportion.payouts WHERE account_id = 'shop' AND payout_id = 'p0'",
            [],
            undefined,
          )
          session.payoutNumbers.set("p0", row.number)
          session.seenPayouts.set("p0", { ...change.payout, version: 1 })
          yield* payouts.itemsAt(places)
          yield* connection.executeUnprepared(meanwhile, [], undefined)
          yield* payouts.storeAll([change])
          yield* session.answered
        }),
      ),
    )
  const conflict = { _tag: "Conflict", what: "payout", id: "p0" }
  await Effect.runPromise(
    Effect.gen(function* () {
      yield* opened(storage, "shop")
      const before = yield* rowsOf("shop")
      const changed = "UPDATE apportion.payouts SET version = 2 WHERE payout_id = 'p0'"
      expect(yield* failureOf("shop", changed)).toMatchObject(conflict)
      expect(yield* failureOf("other", "SELECT 1")).toMatchObject(conflict)
      expect(yield* rowsOf("shop")).toEqual(before)
    }),
  )
})

test("an item that a payout was opened with is there, whatever was seen before the payout was", async () => {
  const storage = await Effect.runPromise(emptyStorage(client()))
  const owner = { collaboratorId: "ada", currency: "USD" }
  const opening = { ...active("p0", owner), total: 100, itemsCount: 1 }
  const put = [income("first")]
  const items = Effect.gen(function* () {
    yield* storage.transaction("shop", ({ collaborators }) =>
      collaborators.insert(collaborator(owner.collaboratorId)),
    )
    yield* inSession("shop", (payouts) =>
      Effect.gen(function* () {
        yield* payouts.itemsAt([{ payoutId: "p0", itemId: "first" }])
        const opened = yield* payouts.insert({ payout: opening, put })
        yield* payouts.ofOwners([owner])
        yield* payouts.update({ payout: opened, put })
      }),
    )
    return yield* storage.transaction("shop", ({ payouts }) => payouts.items("p0"))
  })
  expect(await Effect.runPromise(items)).toEqual(put)
})
