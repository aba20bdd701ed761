/** What an audit finds where payments and payouts contradict each other. */
import { Storage, type StoredPayment, type StoredPayout, type Stores } from "apportion/ports"
import { Audit } from "apportion/service"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { income, payment as sample } from "../../src/testing/contracts/samples.js"
import { claimed, type PaymentScene, paid, withRail } from "./PaymentFixture.js"
import { addPayout, shop } from "./PayoutFixture.js"

const tamper = (work: (stores: Stores) => Effect.Effect<unknown, unknown>) =>
  Effect.flatMap(Storage, (storage) => storage.transaction(shop, work))

const changePayout = (id: string, changes: Partial<StoredPayout>) =>
  tamper(({ payouts }) =>
    Effect.flatMap(payouts.get(id), (known) =>
      known === undefined ? Effect.die(id) : payouts.update({ payout: { ...known, ...changes } }),
    ),
  )

const changePayment = (id: string, changes: Partial<StoredPayment>) =>
  tamper(({ payments }) =>
    Effect.flatMap(payments.get(id), (known) =>
      known === undefined ? Effect.die(id) : payments.update({ ...known, ...changes }),
    ),
  )

/** What is found after something was done that no service does; then it is put right again. */
const found = (
  begin: (scene: PaymentScene) => Effect.Effect<StoredPayment, unknown>,
  wrong: (payment: StoredPayment) => Effect.Effect<unknown, unknown, Storage>,
) =>
  withRail(
    Effect.fnUntraced(function* (scene) {
      const payment = yield* begin(scene)
      const audit = yield* Audit
      expect((yield* audit.payouts(shop)).differences).toEqual([])
      yield* wrong(payment)
      const { differences } = yield* audit.payouts(shop)
      return differences.map(({ kind, field }) => `${kind}: ${field}`)
    }),
    { isAudited: false },
  )

describe("an audit finds", () => {
  test("a payout that is not frozen although it is being paid", async () => {
    const all = await found(claimed, () => changePayout("p1", { paymentId: null }))
    expect(all).toEqual(["payment: paymentId"])
  })

  test("a payout that is frozen although nobody is paying it", async () => {
    const all = await found(claimed, ({ id }) =>
      changePayment(id, { status: "released", endedAt: 5 }),
    )
    expect(all).toEqual(["payment: paymentId"])
  })

  test("an item that was added while a payout was frozen, and the total that was not claimed", async () => {
    const all = await found(claimed, () =>
      tamper(({ payouts }) =>
        Effect.flatMap(payouts.get("p1"), (known) =>
          known === undefined
            ? Effect.die("p1")
            : payouts.update({
                payout: { ...known, total: known.total + 100, itemsCount: 2 },
                put: [income("i1", 100)],
              }),
        ),
      ),
    )
    expect(all.sort()).toEqual(["payment: total", "wrong entry: put"])
  })

  test("a payment that was made of a payout that is not paid", async () => {
    const all = await found(claimed, ({ id }) =>
      Effect.andThen(
        changePayment(id, { status: "confirmed", sentAt: 5, endedAt: 6 }),
        changePayout("p1", { paymentId: null }),
      ),
    )
    expect(all).toEqual(["payment: status"])
  })

  test("more than one payment that was made, and one of another amount than the payout", async () => {
    const all = await found(paid, () =>
      tamper(({ payments }) =>
        payments.insert(
          sample("a0", { payoutId: "p1", status: "confirmed", amount: 4_999, claimedAt: 1 }),
        ),
      ),
    )
    expect(all).toEqual(["payment: payments", "payment: total"])
  })

  test("a payment to somebody else", async () => {
    const all = await found(claimed, () =>
      tamper(({ payments }) =>
        payments.insert(
          sample("a0", { payoutId: "p1", status: "rejected", collaboratorId: "ben" }),
        ),
      ),
    )
    expect(all).toEqual(["payment: payments[a0].collaboratorId"])
  })

  test("nothing about a payout that was noted as paid by hand, without any payment", async () => {
    const all = await found(claimed, () => addPayout({ id: "p2", total: 7, status: "paid" }))
    expect(all).toEqual([])
  })
})
