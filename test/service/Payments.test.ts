import { paymentRails, Storage } from "apportion/ports"
import { Payments, UnitOfWork } from "apportion/service"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { describe, expect, test } from "vitest"
import { claimed, inShort, paid, withRail } from "./PaymentFixture.js"
import { addCollaborator, addPayout, type LogLine, shop, start, stored } from "./PayoutFixture.js"

const activeOf = Effect.flatMap(Storage, (storage) =>
  storage.transaction(shop, ({ payouts }) =>
    payouts.active({ collaboratorId: "ada", currency: "USD" }),
  ),
)

const frozen = { status: "pending", total: 5_000, isFrozen: true }

describe("claiming a payout", () => {
  test("freezes it with its exact amount, and nothing is sent", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const payment = yield* claimed(scene)
        expect(payment).toMatchObject({ status: "claimed", amount: 5_000, payoutVersion: 1 })
        expect(yield* inShort("p1")).toMatchObject(frozen)
        expect((yield* stored("p1")).paymentId).toBe(payment.id)
        expect(scene.fake.book).toEqual([])
        expect(yield* scene.payouts.listPayable(shop, 10)).toEqual([])
      }),
    ))

  test("is refused while another payment is open, in every such state", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payments, fake } = scene
        const { id } = yield* claimed(scene)
        expect(yield* Effect.flip(claimed(scene))).toMatchObject({ _tag: "PaymentUnderWay" })
        fake.next("accept")
        yield* payments.send(shop, id)
        expect(yield* Effect.flip(claimed(scene))).toMatchObject({ _tag: "PaymentUnderWay" })
      }),
    ))

  test("is refused by name before the holding days are over, and for what the rail does not pay", () =>
    withRail(
      Effect.fnUntraced(function* ({ payments }) {
        const claim = (id: string) => Effect.flip(payments.claim(shop, id, "fake"))
        yield* addPayout({ id: "p2", total: 9_000, status: "pending", payableAt: start + 1 })
        yield* addPayout({ id: "p3", total: 99, status: "pending" })
        yield* addPayout({ id: "p4", total: 900, status: "pending", currency: "EUR" })
        yield* addPayout({ id: "p5", total: 5_000, status: "failed" })
        yield* addPayout({ id: "p6", total: -5, status: "pending" })
        expect(yield* claim("p2")).toMatchObject({ _tag: "PayoutOnHold" })
        expect(yield* claim("p3")).toMatchObject({ _tag: "BelowMinimum", total: 99, minimum: 100 })
        expect(yield* claim("p4")).toMatchObject({ _tag: "CurrencyNotPaid", currency: "EUR" })
        expect(yield* claim("p5")).toMatchObject({ _tag: "InvalidTransition", status: "failed" })
        expect(yield* claim("p6")).toMatchObject({ _tag: "BelowMinimum" })
        yield* addPayout({ id: "p8", total: 5_000, toBePaidAt: start + 60 })
        expect(yield* claim("p8")).toMatchObject({
          _tag: "InvalidTransition",
          message: expect.stringMatching(
            /^payout p8 is active and can't be claimed while it collects: it is closed at 2024-02-10T12:01:00Z/,
          ),
        })
        yield* addPayout({ id: "p9", total: 5_000, currency: "EUR", toBePaidAt: start })
        expect((yield* claim("p9")).message).toContain("it was due at 2024-02-10T12:00:00Z")
        expect(yield* claim("p7")).toMatchObject({ _tag: "NotFound", what: "payout" })
        const unknown = Effect.flip(payments.claim(shop, "p1", "bank"))
        expect(yield* unknown).toMatchObject({ _tag: "NotFound", what: "rail" })
      }),
      { rail: { terms: { currencies: [{ currency: "USD", minimum: 100, step: 1 }] } } },
    ))

  test("moves what is too little for a rail's step to the active payout, as items in both", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { amount } = yield* paid(scene)
        expect(amount).toBe(12_300)
        const payout = yield* stored("p1")
        expect(payout).toMatchObject({ status: "paid", total: 12_300 })
        const active = yield* activeOf
        expect(active?.total).toBe(45)
        const next = yield* stored(active?.id ?? "")
        const last = payout.items.at(-1)
        expect(last).toMatchObject({ amount: -45, about: { payoutId: next.id, why: "rest" } })
        expect(next.items).toMatchObject([{ amount: 45, about: { payoutId: "p1", why: "rest" } }])
        const removing = scene.payouts.removeEntry(shop, next.id, next.items[0]?.id ?? "")
        expect(yield* Effect.flip(removing)).toMatchObject({ _tag: "UnknownItem" })
      }),
      {
        total: 12_345,
        rail: { terms: { currencies: [{ currency: "USD", minimum: 1, step: 100 }] } },
      },
    ))
})

describe("sending a payment", () => {
  test("pays the payout at the rail's time, and frees it", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const payment = yield* paid(scene)
        expect(payment).toMatchObject({ status: "confirmed", endedAt: start, fee: 0 })
        const short = { status: "paid", total: 5_000, isFrozen: false, paidAt: start }
        expect(yield* inShort("p1")).toMatchObject(short)
        expect(scene.fake.book).toMatchObject([{ key: payment.id, amount: 5_000 }])
      }),
    ))

  test("that is rejected fails the payout with the reason, and the next attempt is a new one", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("reject")
        const first = yield* paid(scene)
        expect(first).toMatchObject({ status: "rejected", reason: "no such account" })
        const short = { status: "failed", failureReason: "no such account", isFrozen: false }
        expect(yield* inShort("p1")).toMatchObject(short)
        yield* scene.payouts.retry(shop, "p1")
        const second = yield* paid(scene)
        expect(second.id).not.toBe(first.id)
        const all = yield* scene.payments.ofPayout(shop, "p1")
        expect(all.map(({ status }) => status)).toEqual(["rejected", "confirmed"])
      }),
    ))

  test("is stored before the rail is asked, so that two workers ask it once", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { id } = yield* claimed(scene)
        const sending = Effect.exit(scene.payments.send(shop, id))
        const exits = yield* Effect.all([sending, sending], { concurrency: 2 })
        expect(exits.filter(Exit.isSuccess)).toHaveLength(1)
        expect(scene.fake.book).toHaveLength(1)
      }),
    ))

  test.each(["lose before", "lose after", "break"] as const)(
    "leaves it unknown when the rail does this: %s",
    (behaviour) =>
      withRail(
        Effect.fnUntraced(function* (scene) {
          scene.fake.next(behaviour)
          expect((yield* paid(scene)).status).toBe("unknown")
          expect(yield* inShort("p1")).toMatchObject(frozen)
        }),
      ),
  )

  test("leaves it unknown when nobody waits for the answer any more", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { id } = yield* claimed(scene)
        const asked = yield* Deferred.make<void>()
        const { rail } = scene.fake
        Reflect.set(rail, "send", () =>
          Effect.andThen(Deferred.succeed(asked, undefined), Effect.never),
        )
        const fiber = yield* Effect.forkChild(scene.payments.send(shop, id))
        yield* Deferred.await(asked)
        yield* Fiber.interrupt(fiber)
        const payment = yield* scene.payments.get(shop, id)
        expect(payment).toMatchObject({ status: "unknown", reason: "asking was interrupted" })
      }),
    ))

  test("can't be part of a unit of work, which could be taken back", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { id } = yield* claimed(scene)
        const units = yield* UnitOfWork
        const exit = yield* Effect.exit(units.run(shop, scene.payments.send(shop, id)))
        expect(Exit.isFailure(exit)).toBe(true)
        expect(scene.fake.book).toEqual([])
        expect((yield* scene.payments.get(shop, id)).status).toBe("claimed")
      }),
    ))
})

test("a rail is not asked within a transaction of the host, which could be taken back", () =>
  withRail(
    Effect.fnUntraced(function* (scene) {
      const { id } = yield* claimed(scene)
      const storage = yield* Storage
      const within = Layer.succeed(Storage)({ ...storage, isWithin: Effect.succeed(true) })
      const rails = paymentRails([scene.fake.rail])
      const payments = Layer.provide(Layer.fresh(Payments.layer), [
        within,
        rails,
        SecureRandom.layerWebCrypto,
      ])
      for (const ask of [
        Effect.asVoid(Effect.flatMap(Payments, ({ send }) => send(shop, id))),
        Effect.asVoid(
          Effect.flatMap(Payments, ({ run }) => run(shop, { rail: scene.fake.rail.name })),
        ),
      ]) {
        const exit = yield* Effect.exit(Effect.provide(ask, payments))
        expect(Exit.hasDies(exit)).toBe(true)
      }
      expect(scene.fake.book).toEqual([])
      expect((yield* scene.payments.get(shop, id)).status).toBe("claimed")
    }),
  ))

describe("a payment of which nobody knows what became of it", () => {
  test("is found, and noted as the rail says, however often it is asked", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("lose after")
        const { id } = yield* paid(scene)
        yield* scene.pass(5)
        for (let time = 0; time < 3; time += 1) {
          const found = yield* scene.payments.resolve(shop, id)
          expect(found).toMatchObject({ status: "confirmed", endedAt: start })
        }
        expect(yield* inShort("p1")).toMatchObject({ status: "paid", paidAt: start })
        expect(scene.fake.book).toHaveLength(1)
      }),
    ))

  test("is claimed again only when the rail can't get it any more, and sent with the same key", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("lose before")
        const { id } = yield* paid(scene)
        expect((yield* scene.payments.resolve(shop, id)).status).toBe("unknown")
        yield* scene.pass(60)
        expect((yield* scene.payments.resolve(shop, id)).status).toBe("unknown")
        yield* scene.pass(1)
        expect((yield* scene.payments.resolve(shop, id)).status).toBe("claimed")
        expect((yield* scene.payments.send(shop, id)).status).toBe("confirmed")
        expect(scene.fake.book).toMatchObject([{ key: id }])
      }),
    ))

  test("stays unknown when the rail has forgotten its keys, and is listed for a person after a day", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("lose after")
        const { id } = yield* paid(scene)
        yield* scene.pass(86_399)
        expect(yield* scene.payments.stuck(shop)).toEqual([])
        yield* scene.pass(1)
        expect((yield* scene.payments.resolve(shop, id)).status).toBe("unknown")
        expect(yield* scene.payments.stuck(shop)).toMatchObject([{ id, status: "unknown" }])
        // The person looks into the rail's own list.
        const told = { at: start, reference: "moved-1", amount: 5_000 }
        expect((yield* scene.payments.confirm(shop, id, told)).status).toBe("confirmed")
        expect(yield* scene.payments.stuck(shop)).toEqual([])
      }),
    ))

  test("stays unknown while the rail can't be asked", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("lose after")
        scene.fake.breakFind(true)
        const { id } = yield* paid(scene)
        yield* scene.pass(3_600)
        expect((yield* scene.payments.resolve(shop, id)).status).toBe("unknown")
      }),
    ))
})

describe("an answer that comes later", () => {
  test("ends what was accepted, and the same answer twice has one effect", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("accept")
        const { id, status } = yield* paid(scene)
        expect(status).toBe("sent")
        const outcome = scene.fake.settle(id)
        if (outcome === undefined) return expect.fail("nothing was accepted")
        const first = yield* scene.payments.answer(shop, outcome)
        expect(first.status).toBe("confirmed")
        expect(yield* scene.payments.answer(shop, outcome)).toEqual(first)
        expect((yield* stored("p1")).version).toBe(3)
      }),
    ))

  test("that contradicts the first one is refused, listed and settled by a person", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("reject")
        const { id } = yield* paid(scene)
        const late = yield* Effect.flip(scene.payments.confirm(shop, id, { at: start }))
        expect(late).toMatchObject({ _tag: "PaymentContradicted", status: "rejected" })
        expect(yield* inShort("p1")).toMatchObject({ status: "failed" })
        expect(yield* scene.payments.stuck(shop)).toMatchObject([
          { id, contradiction: { event: "confirm" } },
        ])
        yield* scene.payments.settle(shop, id)
        expect(yield* scene.payments.stuck(shop)).toEqual([])
      }),
    ))

  test("that the money came back makes the payout fail, and it is paid again by a new payment", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { id } = yield* paid(scene)
        const outcome = scene.fake.giveBack(id)
        if (outcome === undefined) return expect.fail("nothing was paid")
        expect((yield* scene.payments.answer(shop, outcome)).status).toBe("returned")
        const short = { status: "failed", paidAt: null, failureReason: "account closed" }
        expect(yield* inShort("p1")).toMatchObject(short)
        yield* scene.payouts.retry(shop, "p1")
        yield* paid(scene)
        expect([...scene.fake.kept.values()]).toEqual([5_000])
      }),
    ))

  test("that money came back which nobody knew to be paid notes both", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        scene.fake.next("lose after")
        const { id } = yield* paid(scene)
        const outcome = scene.fake.giveBack(id)
        if (outcome === undefined) return expect.fail("nothing was paid")
        expect((yield* scene.payments.answer(shop, outcome)).status).toBe("returned")
        expect(yield* inShort("p1")).toMatchObject({ status: "failed" })
      }),
    ))
})

describe("what a rail says after the end", () => {
  const said = { railReference: null, at: null, amount: null, currency: null, fee: null }

  test("that only part of the money came back is for a person: paid again in full would be too much", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payments } = scene
        const { id: key } = yield* paid(scene)
        const part = { ...said, key, type: "returned", amount: 4_000, reason: "reversed" } as const
        expect(yield* Effect.flip(payments.answer(shop, part))).toMatchObject({
          _tag: "PaymentContradicted",
          message: expect.stringContaining("4000 USD of 5000 USD came back: reversed"),
        })
        expect((yield* payments.stuck(shop)).map(({ id }) => id)).toEqual([key])
        expect(yield* inShort("p1")).toMatchObject({ status: "paid" })
        const other = { ...part, amount: 5_000, currency: "EUR" }
        expect(yield* Effect.flip(payments.answer(shop, other))).toMatchObject({
          _tag: "PaymentContradicted",
        })
        const charged = { ...part, currency: "USD", fee: 1_000 }
        expect(yield* payments.answer(shop, charged)).toMatchObject({ status: "returned" })
        expect(yield* inShort("p1")).toMatchObject({ status: "failed" })
      }),
    ))

  test("that part of what nobody knew to be paid came back leaves it unknown", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payments, fake } = scene
        const { id: key } = yield* claimed(scene)
        fake.next("accept")
        yield* payments.send(shop, key)
        const part = { ...said, key, type: "returned", amount: 1, reason: null } as const
        yield* Effect.exit(payments.answer(shop, part))
        expect(yield* inShort("p1")).toMatchObject({ status: "pending", isFrozen: true })
      }),
    ))

  test("that it is not sure any more is listed for a person, but not when it said so before the end", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payments } = scene
        const { id: key } = yield* paid(scene)
        const unsure = { ...said, key, type: "unknown", reason: "500 were reversed" } as const
        const before = { ...unsure, at: start - 1 }
        expect(yield* payments.answer(shop, before)).toMatchObject({ contradiction: null })
        expect(yield* payments.answer(shop, unsure)).toMatchObject({ contradiction: null })
        const after = { ...unsure, at: start + 60 }
        yield* Effect.flip(payments.answer(shop, after))
        const [stuck] = yield* payments.stuck(shop)
        expect(stuck?.contradiction?.message).toContain("500 were reversed")
        expect(stuck?.status).toBe("confirmed")
      }),
    ))

  test("that it had accepted it, in a file that is read once more, changes nothing", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payments, fake } = scene
        fake.next("reject")
        const { id: key } = yield* paid(scene)
        const accepted = { ...said, key, type: "accepted", reason: null } as const
        const old = yield* payments.answer(shop, { ...accepted, at: start - 60 })
        expect(old).toMatchObject({ status: "rejected", contradiction: null })
        const late = payments.answer(shop, { ...accepted, at: start + 60 })
        expect(yield* Effect.flip(late)).toMatchObject({ _tag: "PaymentContradicted" })
      }),
    ))
})

describe("a frozen payout", () => {
  test("lets expenses and incomes go to the active payout, once for each id", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { id } = yield* claimed(scene)
        const expense = { id: "e1", amount: 1_500, name: "Samples" }
        const viewed = yield* scene.payouts.addExpense(shop, "p1", expense)
        expect(viewed.payout.id).not.toBe("p1")
        const about = { payoutId: "p1", why: "frozen" }
        expect(viewed.payout.items).toMatchObject([{ id: "e1", amount: -1_500, about }])
        yield* scene.payouts.addIncome(shop, "p1", { id: "i1", amount: 700, name: "Bonus" })
        expect((yield* activeOf)?.total).toBe(-800)
        expect(yield* inShort("p1")).toMatchObject(frozen)
        yield* scene.payments.release(shop, id)
        // Thawed by now, and asked again: it stands where it was put.
        const again = yield* scene.payouts.addExpense(shop, "p1", expense)
        expect(again.payout.id).toBe(viewed.payout.id)
        expect(yield* inShort("p1")).toMatchObject({ total: 5_000, isFrozen: false })
      }),
    ))

  test("keeps its entries, and its status: what moves it by hand is refused while money may move", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payouts, fake } = scene
        yield* payouts.addIncome(shop, "p1", { id: "i1", amount: 1, name: "Cent" })
        const { id } = yield* claimed(scene)
        const removing = Effect.flip(payouts.removeEntry(shop, "p1", "i1"))
        expect(yield* removing).toMatchObject({ _tag: "PaymentUnderWay", paymentId: id })
        fake.next("lose after")
        yield* scene.payments.send(shop, id)
        for (const move of [
          payouts.pay(shop, "p1"),
          payouts.pay(shop, "p1", { total: 5_001 }),
          payouts.fail(shop, "p1", "timeout"),
          payouts.setPaid(shop, "p1"),
        ]) {
          expect(yield* Effect.flip(move)).toMatchObject({ _tag: "PaymentUnderWay" })
        }
        expect(yield* inShort("p1")).toMatchObject({ ...frozen, total: 5_001 })
      }),
    ))

  test.each(["setPaid", "pay"] as const)("that is only claimed is released by %s", (method) =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { id } = yield* claimed(scene)
        yield* scene.payouts[method](shop, "p1")
        expect((yield* scene.payments.get(shop, id)).status).toBe("released")
        const refused = Effect.flip(scene.payments.send(shop, id))
        expect(yield* refused).toMatchObject({ _tag: "InvalidPaymentTransition" })
        expect(scene.fake.book).toEqual([])
        const status = method === "pay" ? "paid" : "manually paid"
        expect(yield* inShort("p1")).toMatchObject({ status, isFrozen: false })
      }),
    ),
  )
})

describe("what a host pays outside", () => {
  test("is refused when the payout comes to something else by now", () =>
    withRail(
      Effect.fnUntraced(function* ({ payouts }) {
        const refused = yield* Effect.flip(payouts.pay(shop, "p1", { total: 4_999 }))
        expect(refused).toMatchObject({ _tag: "TotalChanged", total: 5_000, paid: 4_999 })
        expect(yield* inShort("p1")).toMatchObject({ status: "pending" })
      }),
    ))

  test("is noted as a payment that was made, and can come back", () =>
    withRail(
      Effect.fnUntraced(function* ({ payouts, payments }) {
        yield* payouts.pay(shop, "p1", { total: 5_000, reference: "wire 7", fee: 30 })
        const noted = { rail: "outside", status: "confirmed", reference: "wire 7", fee: 30 }
        expect(yield* payments.ofPayout(shop, "p1")).toMatchObject([{ ...noted, amount: 5_000 }])
        yield* payouts.return(shop, "p1", "account closed")
        const [payment] = yield* payments.ofPayout(shop, "p1")
        expect(payment).toMatchObject({ status: "returned", reason: "account closed" })
        expect(yield* inShort("p1")).toMatchObject({ status: "failed", paidAt: null })
      }),
    ))
})

describe("the fee of a rail", () => {
  test("is the store's, when nothing is said: it is only noted", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        expect((yield* paid(scene)).fee).toBe(25)
        expect(yield* activeOf).toBe(undefined)
      }),
      { rail: { fee: 25 } },
    ))

  test("is an expense of the collaborator's next payout by a setting", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        yield* paid(scene)
        const active = yield* stored((yield* activeOf)?.id ?? "")
        expect(active.items).toMatchObject([
          { amount: -25, name: "Fee of rail fake", about: { payoutId: "p1", why: "fee" } },
        ])
      }),
      { rail: { fee: 25 }, settings: { paymentFees: "collaborator" } },
    ))
})

describe("a run", () => {
  const addThree = Effect.gen(function* () {
    for (const id of ["b", "c", "d"]) {
      yield* addCollaborator({ id })
      yield* addPayout({ id: `p-${id}`, total: 700, status: "pending", collaboratorId: id })
    }
  })

  test("claims and sends all that is payable, and says what it could not", () =>
    withRail(
      Effect.fnUntraced(function* ({ payments, fake }) {
        yield* addThree
        yield* addPayout({ id: "p-e", total: 7, status: "pending", currency: "EUR" })
        const seen: Array<number> = []
        fake.next("pay", "reject", "lose after")
        const report = yield* payments.run(shop, {
          rail: "fake",
          concurrency: 1,
          onProgress: ({ payments: counts, refused }) =>
            seen.push(counts.confirmed + counts.rejected + counts.unknown + refused.length),
        })
        expect(report.payments).toMatchObject({ confirmed: 2, rejected: 1, unknown: 1 })
        expect(report.refused).toMatchObject([{ payoutId: "p-e" }])
        expect(seen).toEqual([1, 2, 3, 4, 5])
        expect(fake.book).toHaveLength(3)
      }),
      { rail: { terms: { currencies: [{ currency: "USD", minimum: 1, step: 1 }] } } },
    ))

  test("goes on where another one was left: nobody is paid twice, and nobody is left out", () =>
    withRail(
      Effect.fnUntraced(function* (scene) {
        const { payments, fake } = scene
        yield* addThree
        yield* claimed(scene)
        fake.next("lose after", "lose before", "late")
        yield* payments.run(shop, { rail: "fake" })
        yield* scene.pass(61)
        fake.dropLate()
        const report = yield* payments.run(shop, { rail: "fake" })
        expect(report.payments).toMatchObject({ confirmed: 3, unknown: 0 })
        expect([...fake.kept.values()].sort()).toEqual([5_000, 700, 700, 700])
        expect((yield* payments.run(shop, { rail: "fake" })).payments.confirmed).toBe(0)
      }),
    ))

  test("side by side with another one pays each once", () =>
    withRail(
      Effect.fnUntraced(function* ({ payments, fake }) {
        yield* addThree
        const run = payments.run(shop, { rail: "fake", concurrency: 3 })
        yield* Effect.all([run, run, run], { concurrency: 3 })
        expect([...fake.kept.values()].sort()).toEqual([5_000, 700, 700, 700])
        expect(fake.book).toHaveLength(4)
      }),
    ))

  test("only claims for a rail that gets files, and takes no more than its limit", () =>
    withRail(
      Effect.fnUntraced(function* ({ payments, fake }) {
        yield* addThree
        const report = yield* payments.run(shop, { rail: "fake", limit: 3 })
        expect(report.payments.claimed).toBe(3)
        expect(fake.book).toEqual([])
        const [first] = yield* payments.list(shop, { status: "claimed", limit: 1 })
        const sent = yield* payments.noteSent(shop, first?.id ?? "")
        expect(sent.status).toBe("sent")
      }),
      { rail: { terms: { mode: "batch" } } },
    ))
})

test("each change of a payment is told in the log, without amounts", async () => {
  const log: Array<LogLine> = []
  await withRail(
    Effect.fnUntraced(function* (scene) {
      const { id } = yield* paid(scene)
      const lines = log.filter(({ annotations }) => annotations["paymentId"] === id)
      const messages = ["payment claimed", "payment sent", "payment confirmed"]
      expect(lines.map(({ message }) => message)).toEqual(messages)
    }),
    { log },
  )
})
