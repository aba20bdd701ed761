/** What was booked for agreements before it was found by agreement. */
import { type AgreementItem, Balances } from "apportion/agreements"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect, test } from "vitest"
import { agreementBookingsStep } from "../../src/sql/internal/agreementBookings.js"
import { clientFor, emptyStorage, pglite } from "./databases.js"

const client = clientFor(() => pglite)

const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provideService(effect, SqlClient.SqlClient, client()))

const nothing = { used: [], totals: Balances.empty, held: [], gone: [] }

test("the migration finds by agreement what was booked, with any ids and in all accounts", async () => {
  const storage = await run(emptyStorage(client()))
  const accounts = ["one", "two 🎨 \u0000"]
  const ids = ["a", "b \u0000/🎨"]
  const entryOf = (guaranteeId: string, place: number) => {
    const earned = [{ guaranteeId, before: 0, after: place }]
    const line: AgreementItem = {
      ...({
        kind: "share",
        event: "sale",
        orderId: "1/USD",
        groupId: "g",
        currency: "USD",
      } as const),
      ...{ collaboratorId: "ada", itemId: `${place}`, at: 0, amount: place, guarantees: earned },
    }
    return { orderId: "1/USD", itemId: `${place}`, lines: [{ line, payoutItemId: null }] }
  }
  for (const account of accounts) {
    const entries = Array.from({ length: 1_203 }, (_, place) =>
      entryOf(ids[place % 2] ?? "", place),
    )
    await run(
      storage.transaction(account, ({ agreements }) => agreements.book({ ...nothing, entries })),
    )
  }
  const found = async () =>
    Promise.all(
      accounts.flatMap((account) =>
        ids.map((id) =>
          run(
            storage.transaction(account, ({ agreements }) =>
              agreements.entriesFor({ agreement: { kind: "guarantee", id }, offset: 1, limit: 3 }),
            ),
          ),
        ),
      ),
    )
  const before = await found()
  expect(before.map(({ total }) => total)).toEqual([602, 601, 602, 601])
  expect(before[0]?.entries[0]?.itemId).toBe("1200")
  await run(client().unsafe("DELETE FROM apportion.agreement_bookings"))
  expect((await found()).map(({ total }) => total)).toEqual([0, 0, 0, 0])
  await run(agreementBookingsStep.fill)
  expect(await found()).toEqual(before)
})
