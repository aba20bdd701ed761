/** Sums of what was sold of sales that were recorded before there were sums. */
import { soldOneByOne } from "apportion/ports"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect, test } from "vitest"
import { soldSumsStep } from "../../src/sql/internal/soldFill.js"
import { inWords } from "../../src/testing/contracts/ContractContext.js"
import { adjustment, refund, sale } from "../../src/testing/contracts/samples.js"
import { clientFor, emptyStorage, postgres } from "./databases.js"

const client = clientFor(() => postgres("sold_sums"))

const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provideService(effect, SqlClient.SqlClient, client()))

const times = [-1e12, 0, 1_698_796_800, 1_699_000_000, 1_701_388_800, 1e12]

test("the migration adds up what is recorded, and what is recorded later adds to it", async () => {
  const storage = await run(emptyStorage(client()))
  const accounts = ["one", "two 🎨", "three"]
  const record = (from: number) =>
    Effect.forEach(accounts.slice(0, 2), (account, place) =>
      storage.transaction(account, ({ sales }) =>
        Effect.gen(function* () {
          const given = [0, 1, 2].map((index) =>
            sale(`o${from + index}`, { recordedAt: 1_698_700_000 + (from + index) * 97_001 }),
          )
          const [first, second] = yield* sales.insertAll(given.slice(place))
          if (first === undefined || second === undefined) return
          const id = `r${from}`
          const refunded = yield* sales.addRefund({ ...first, refund: refund(id, first, 9_600) })
          yield* sales.addAdjustment({ ...refunded, adjustment: adjustment("run", refunded) })
          yield* sales.addAdjustment({ ...second, adjustment: adjustment("run", second) })
        }),
      ),
    )
  const soldIn = (account: string) =>
    storage.transaction(account, ({ sales }) =>
      Effect.all([sales.sold(times), soldOneByOne(sales, times)]),
    )
  const expectSums = async () => {
    for (const account of accounts) {
      const [sums, wanted] = await run(soldIn(account))
      expect(inWords(sums)).toEqual(inWords(wanted))
      expect(sums.sums.length > 0).toBe(account !== "three")
    }
  }
  await run(record(0))
  await expectSums()
  await run(client().unsafe("DELETE FROM apportion.sold_sums"))
  await run(soldSumsStep.fill)
  await expectSums()
  await run(record(10))
  await expectSums()
})
