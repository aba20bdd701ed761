import { Payouts, type ViewedPayout } from "apportion/service"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { addCollaborator, addPayout, runWith, shop } from "./PayoutFixture.js"

const told = ({ payout, total }: ViewedPayout) => [
  payout.status,
  total,
  ...payout.items.map(({ kind, amount, about }) => [kind, amount, about?.why ?? "itself"]),
]

/** All payouts as they are, those that collect last. */
const all = Effect.gen(function* () {
  const service = yield* Payouts
  const { entries } = yield* service.list(shop, {}, { page: 1, perPage: 100 })
  const views: Array<ViewedPayout> = []
  for (const { payout } of entries) views.push(yield* service.get(shop, payout.id))
  const isActive = (view: ViewedPayout) => (view.payout.status === "active" ? 1 : 0)
  return views.toSorted((one, other) => isActive(one) - isActive(other))
})

describe("A payout that is 0 or less rolls on", () => {
  it("what takes a closed payout below zero is taken off the next one, which is opened for it", async () => {
    const [answer, payouts] = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 100, status: "pending" })
        const service = yield* Payouts
        const expense = { id: "e1", amount: 150, name: "Samples" }
        const answer = yield* service.addExpense(shop, "p1", expense)
        // Asked again, it has one effect.
        yield* service.addExpense(shop, "p1", expense)
        return [answer, yield* all] as const
      }),
    )
    const [closed, active] = payouts
    expect(answer.total).toBe(0)
    expect(payouts).toHaveLength(2)
    expect(closed && told(closed).slice(-2)).toEqual([
      ["expense", -150, "itself"],
      ["income", 50, "debt"],
    ])
    expect(active && told(active)).toEqual(["active", -50, ["expense", -50, "debt"]])
    expect(closed?.payout.items.at(-1)?.about?.payoutId).toBe(active?.payout.id)
    expect(active?.payout.items[0]?.about?.payoutId).toBe("p1")
  })

  it("an income taken out of a failed payout that needed it, too, and neither entry can be taken out by itself", async () => {
    const [payouts, refusals] = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 100, status: "failed" })
        const service = yield* Payouts
        yield* service.addIncome(shop, "p1", { id: "i1", amount: 80, name: "Bonus" })
        yield* service.addExpense(shop, "p1", { id: "e1", amount: 150, name: "Samples" })
        yield* service.removeEntry(shop, "p1", "i1")
        const payouts = yield* all
        const refusals: Array<string> = []
        for (const { payout } of payouts) {
          for (const { id, about } of payout.items) {
            if (about?.why !== "debt") continue
            const refused = yield* Effect.flip(service.removeEntry(shop, payout.id, id))
            refusals.push(refused._tag)
          }
        }
        return [payouts, refusals] as const
      }),
    )
    expect(payouts.map(({ payout, total }) => [payout.status, total])).toEqual([
      ["failed", 0],
      ["active", -50],
    ])
    expect(refusals).toEqual(["UnknownItem", "UnknownItem"])
  })

  it("one that is taken above zero again later is paid what it comes to, and the next one keeps what it took", async () => {
    const payouts = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 100, status: "pending" })
        const service = yield* Payouts
        yield* service.addExpense(shop, "p1", { id: "e1", amount: 150, name: "Samples" })
        yield* service.removeEntry(shop, "p1", "e1")
        return yield* all
      }),
    )
    expect(payouts.map(({ total }) => total)).toEqual([150, -50])
  })

  it("one that still collects keeps a total below zero", async () => {
    const payouts = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 100 })
        yield* (yield* Payouts).addExpense(shop, "p1", { amount: 150, name: "Samples" })
        return yield* all
      }),
    )
    expect(payouts.map(({ total }) => total)).toEqual([-50])
  })
})
