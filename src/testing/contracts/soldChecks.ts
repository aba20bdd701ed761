import * as Effect from "effect/Effect"
import { soldOneByOne } from "../../ports/SoldSales.js"
import type { StorageService } from "../../ports/Storage.js"
import { inContext, inWords } from "./ContractContext.js"
import { type ContractCheck, expectSame } from "./check.js"
import { adjustment, refund, sale } from "./samples.js"

/** Times around the beginnings of months, in whatever time zone, of days and of hours; and within them. */
const soldTimes = [-31, 0, 1, 31, 59, 60, 366, 7_000, 19_700, 19_723].flatMap((days) => {
  const at = days * 86_400
  return [at - 50_400, at - 50_399, at - 19_800, at - 1, at, at + 450, at + 20_700, at + 43_200]
})

/** The contract of the sums of what was sold. */
export const soldChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "what was sold between times is what all sales, refunds and adjustments come to",
    Effect.fnUntraced(function* (context) {
      const last = Number.MAX_SAFE_INTEGER
      yield* context.write(({ sales }) =>
        Effect.gen(function* () {
          const given = [...soldTimes, -last, last - 1].map((recordedAt, index) =>
            sale(`o${index}`, { recordedAt, of: ["ada", "ben 🎨", "cam"][index % 3] ?? "" }),
          )
          for (const [index, stored] of (yield* sales.insertAll(given)).entries()) {
            const { orderId, part, postings } = stored
            const of = { orderId, part, postings }
            let version = 1
            if (index % 4 === 1) {
              const added = refund(`r${index}`, stored)
              version = (yield* sales.addRefund({ ...of, version, refund: added })).version
            }
            if (index % 5 > 1) continue
            yield* sales.addAdjustment({ ...of, version, adjustment: adjustment("run", stored) })
          }
        }),
      )
      const ends = [-last, last]
      const ranges = [
        ...[ends, [0, 1], [0, 0], [5], [], [-last, 0, 1, 2, last]],
        ...[soldTimes, soldTimes.map((at) => at + 1), soldTimes.map((at) => at - 1)],
        [-50_400, -19_800, 0, 20_700, 2_678_400, 5_097_600, 1_702_080_000, 1_703_000_000],
      ]
      for (const times of ranges) {
        const given = times.toSorted((one, other) => one - other)
        const sold = yield* context.read(({ sales }) => sales.sold(given))
        const expected = yield* context.read(({ sales }) => soldOneByOne(sales, given))
        yield* expectSame(
          `what was sold between ${given.slice(0, 8).join(", ")}`,
          inWords(sold),
          inWords(expected),
        )
      }
    }),
  ),
  inContext(
    "what was sold is exact, however much it is, and nothing in an account without sales",
    Effect.fnUntraced(function* (context) {
      const none = yield* context.read(({ sales }) => sales.sold([0, 9]))
      yield* expectSame("without sales", none, { first: null, last: null, sums: [] })
      const most = Number.MAX_SAFE_INTEGER
      const one = sale("1001", { recordedAt: 5, itemIds: ["1"] })
      const store = Array.from({ length: 1_100 }, () => ({ itemId: "1", amount: most }))
      const given = { ...one, split: { ...one.split, store } }
      yield* context.write(({ sales }) => sales.insert(given))
      const { sums } = yield* context.read(({ sales }) => sales.sold([0, 9]))
      const total = sums.find(({ collaboratorId }) => collaboratorId === null)?.amount
      yield* expectSame("the sum", String(total), String(1_100n * BigInt(most)))
    }),
  ),
]
