import { type Collaborator, Payout } from "apportion"
import { Storage } from "apportion/ports"
import { Actor, Balances, Entries, Payouts } from "apportion/service"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import {
  addCollaborator,
  addPayout,
  type LogLine,
  runWith,
  setTime,
  shop,
  start,
  stored,
  utc,
} from "./PayoutFixture.js"

const bonus = { id: "i1", amount: 700, name: " Bonus " }
const due = utc("2024-02-29T00:00:00")

const payoutsOf = (collaboratorId = "ada") =>
  Effect.flatMap(Storage, (storage) =>
    storage.transaction(shop, ({ payouts }) =>
      payouts.list({ collaboratorId }, { offset: 0, limit: 100 }),
    ),
  )

const add = (
  kind: "addExpense" | "addIncome",
  entry: { id?: string; amount: number; name: string; currency?: string },
) => Effect.flatMap(Entries, (entries) => entries[kind](shop, "ada", entry))

const balance = (currency = "USD") =>
  Effect.flatMap(Balances, (balances) =>
    Effect.map(balances.of(shop, "ada"), (all) => all.find((one) => one.currency === currency)),
  )

describe("an entry for a collaborator", () => {
  test("goes to the active payout", async () => {
    const [booked, payout] = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000 })
        const booked = yield* add("addIncome", bonus)
        return [booked, yield* stored("p1")]
      }),
    )
    expect(booked?.payoutId).toBe("p1")
    expect(payout?.total).toBe(5_700)
    expect(payout?.items.at(-1)).toEqual(booked?.item)
    expect(booked?.item).toMatchObject({
      kind: "income",
      id: "i1",
      name: "Bonus",
      createdAt: start,
    })
  })

  test("opens a payout when there is none, in the currency that is asked for", async () => {
    const all = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator({ currency: "EUR" })
        yield* addPayout({ id: "p1", total: 5_000, currency: "EUR", status: "paid" })
        yield* add("addExpense", { amount: 100, name: "Samples" })
        yield* add("addExpense", { amount: 30, name: "Samples", currency: "JPY" })
        return (yield* payoutsOf()).entries
      }),
    )
    const told = all.map(({ status, currency, total }) => `${status} ${currency} ${total}`)
    expect(told.toSorted()).toEqual(["active EUR -100", "active JPY -30", "paid EUR 5000"])
  })

  test("closes or rolls before what was due by then", async () => {
    const all = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000 })
        yield* setTime(due + 1)
        yield* add("addExpense", bonus)
        return (yield* payoutsOf()).entries
      }),
    )
    expect(all.map(({ status, total }) => `${status} ${total}`)).toEqual([
      "active -700",
      "pending 5000",
    ])
  })

  test("asked twice with the same id has one effect, also when its payout was closed or paid in between", async () => {
    const [first, second, third, all] = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000 })
        const first = yield* add("addIncome", bonus)
        yield* setTime(due + 1)
        yield* (yield* Payouts).closeDue(shop)
        const second = yield* add("addIncome", bonus)
        yield* (yield* Payouts).pay(shop, "p1")
        const third = yield* add("addIncome", { ...bonus, name: "Bonus" })
        return [first, second, third, (yield* payoutsOf()).entries] as const
      }),
    )
    expect([second, third]).toEqual([first, first])
    expect(all.map(({ status, total }) => `${status} ${total}`)).toEqual(["paid 5700"])
  })

  test("of another kind, amount, name or currency is refused under a known id", async () => {
    const failures = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* add("addIncome", bonus)
        const others = [
          add("addExpense", bonus),
          add("addIncome", { ...bonus, amount: 701 }),
          add("addIncome", { ...bonus, name: "Boni" }),
          add("addIncome", { ...bonus, currency: "EUR" }),
        ]
        const failures = yield* Effect.forEach(others, Effect.flip)
        const { entries } = yield* payoutsOf()
        expect(entries.map(({ total }) => total)).toEqual([700])
        return failures
      }),
    )
    for (const failure of failures) {
      expect(failure._tag).toBe("InvalidEntry")
      expect(failure.message).toContain('id: must be new, or that of the same entry, got "i1"')
    }
  })

  test("of somebody else can have the same id", async () => {
    const totals = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addCollaborator({ id: "ben" })
        yield* add("addIncome", bonus)
        const entries = yield* Entries
        yield* entries.addIncome(shop, "ben", { ...bonus, amount: 900 })
        const both = yield* Effect.forEach(["ada", "ben"], payoutsOf)
        return both.map(({ entries }) => entries.map(({ total }) => total))
      }),
    )
    expect(totals).toEqual([[700], [900]])
  })

  test("is refused with everything that is wrong with it, and nothing is opened", async () => {
    const failures = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        const failures = [
          yield* Effect.flip(add("addIncome", { amount: 0, name: "", currency: "usd" })),
          yield* Effect.flip(add("addIncome", { ...bonus, id: "1001/1/ada" })),
          yield* Effect.flip((yield* Entries).addIncome(shop, "eve", bonus)),
        ]
        expect((yield* payoutsOf()).total).toBe(0)
        return failures
      }),
    )
    const [invalid, id, unknown] = failures.map(({ message }) => message)
    for (const field of ["currency: ", "amount: ", "name: "]) expect(invalid).toContain(field)
    expect(id).toContain("must not look like order/item/group")
    expect(unknown).toBe("there is no collaborator with the id eve")
  })

  test("shows in the history who booked it, and in the log what was done", async () => {
    const log: Array<LogLine> = []
    const actors = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        const { payoutId } = yield* Effect.provideService(add("addIncome", bonus), Actor, "alice")
        const history = yield* (yield* Payouts).history(shop, payoutId)
        return history.map(({ actor, put }) => `${actor} ${put.map(({ id }) => id)}`)
      }),
      { log },
    )
    expect(actors).toEqual(["alice ", "alice i1"])
    const told = log.find(({ message }) => message === "income added")
    expect(told?.annotations).toMatchObject({ itemId: "i1" })
  })
})

describe("what a collaborator owes", () => {
  const owing = Effect.gen(function* () {
    yield* addCollaborator()
    yield* addPayout({ id: "p1", total: -1_250 })
  })

  test("is written off, all of it or a part, by an entry that says so", async () => {
    const [parts, left] = await runWith(
      Effect.gen(function* () {
        yield* owing
        const entries = yield* Entries
        const some = yield* entries.writeOff(shop, "ada", {
          id: "w1",
          amount: 250,
          name: "Goodwill",
        })
        const rest = yield* entries.writeOff(shop, "ada", { id: "w2", name: "Moved away" })
        return [[...some, ...rest], yield* balance()] as const
      }),
    )
    expect(parts.map(({ item }) => [item.purpose, item.amount])).toEqual([
      ["write-off", 250],
      ["write-off", 1_000],
    ])
    expect(left?.total).toBe(0)
  })

  test("is asked back by an entry that moves nothing, and repaid by one that does", async () => {
    const [asked, before, repaid, after] = await runWith(
      Effect.gen(function* () {
        yield* owing
        const entries = yield* Entries
        const asked = yield* entries.request(shop, "ada", { id: "q1", name: "Letter" })
        const before = yield* balance()
        const repaid = yield* entries.repay(shop, "ada", { id: "b1", amount: 1_300, name: "Bank" })
        return [asked, before, repaid, yield* balance()] as const
      }),
    )
    expect(asked.item).toMatchObject({ purpose: "request", asked: 1_250, amount: 0 })
    expect(before?.total).toBe(-1_250)
    expect(repaid.map(({ item }) => [item.purpose, item.amount])).toEqual([["repayment", 1_300]])
    expect(after?.total).toBe(50)
  })

  test("can't be written off or asked back beyond what it is", async () => {
    const failures = await runWith(
      Effect.gen(function* () {
        yield* owing
        const entries = yield* Entries
        const more = { amount: 1_251, name: "Too much" }
        const failures = [
          yield* Effect.flip(entries.writeOff(shop, "ada", more)),
          yield* Effect.flip(entries.request(shop, "ada", more)),
        ]
        yield* entries.writeOff(shop, "ada", { name: "All" })
        failures.push(yield* Effect.flip(entries.writeOff(shop, "ada", { name: "All" })))
        return failures
      }),
    )
    expect(failures.map(({ _tag }) => _tag)).toEqual(["NothingOwed", "NothingOwed", "NothingOwed"])
    expect(failures.map(({ message }) => message)).toEqual([
      ...Array.from(
        { length: 2 },
        () =>
          "collaborator ada owes 1250, and not the 1251 that is meant (in the lowest unit of USD)",
      ),
      "collaborator ada owes nothing in USD",
    ])
  })

  test("is taken off the payouts in which it is, so that none is paid out because of it", async () => {
    const [booked, again, totals] = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: -50, status: "pending" })
        yield* addPayout({ id: "p2", total: -20, openedAt: start })
        const entries = yield* Entries
        const debt = { id: "w1", name: "Gone" }
        const booked = yield* entries.writeOff(shop, "ada", debt)
        const again = yield* entries.writeOff(shop, "ada", debt)
        const totals = [(yield* stored("p1")).total, (yield* stored("p2")).total]
        return [booked, again, totals] as const
      }),
    )
    expect(booked.map(({ payoutId, item }) => [payoutId, item.id, item.amount])).toEqual([
      ["p1", "w1", 50],
      ["p2", "w1 (2)", 20],
    ])
    expect(again).toEqual(booked)
    expect(totals).toEqual([0, 0])
  })

  test("is not divided into a part with the id of another entry", async () => {
    const [failure, again, totals] = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: -50, status: "pending" })
        yield* addPayout({ id: "p2", total: -20, openedAt: start })
        const entries = yield* Entries
        yield* add("addExpense", { id: "w1 (2)", amount: 5, name: "Tea" })
        const failure = yield* Effect.flip(
          entries.writeOff(shop, "ada", { id: "w1", name: "Gone" }),
        )
        const expense = { id: "w1", amount: 5, name: "Coffee" }
        const again = [yield* add("addExpense", expense), yield* add("addExpense", expense)]
        const totals = [(yield* stored("p1")).total, (yield* stored("p2")).total]
        return [failure, again, totals] as const
      }),
    )
    expect(failure.message).toContain("id: is the id of another entry")
    expect(again[0]).toEqual(again[1])
    expect(totals).toEqual([-50, -30])
  })

  test("is not owed while another payout in the same currency has it", async () => {
    const failure = await runWith(
      Effect.gen(function* () {
        yield* owing
        yield* addPayout({ id: "p2", total: 1_250, status: "failed" })
        yield* addPayout({ id: "p3", total: -9, status: "pending", currency: "EUR" })
        return yield* Effect.flip((yield* Entries).request(shop, "ada", { name: "Letter" }))
      }),
    )
    expect(failure._tag).toBe("NothingOwed")
  })
})

const moves = [
  ...(["expense", "expense", "income", "income", "writeOff", "repay"] as const),
  ...(["close", "close", "pay", "pay"] as const),
]

interface Step {
  readonly do: (typeof moves)[number]
  readonly amount: number
}

const steps = fc.array(
  fc.record({
    do: fc.constantFrom(...moves),
    amount: fc.integer({ min: 1, max: 500 }),
  }),
  { maxLength: 25 },
)

const take = (step: Step, number: number) =>
  Effect.gen(function* () {
    const [entries, payouts] = [yield* Entries, yield* Payouts]
    const entry = { id: `e${number}`, amount: step.amount, name: "Entry" }
    switch (step.do) {
      case "expense":
        return yield* entries.addExpense(shop, "ada", entry)
      case "income":
        return yield* entries.addIncome(shop, "ada", entry)
      case "writeOff":
        return yield* Effect.ignore(entries.writeOff(shop, "ada", entry))
      case "repay":
        return yield* entries.repay(shop, "ada", entry)
      case "close":
        return yield* payouts.closeDue(shop)
      case "pay":
        for (const { payout } of yield* payouts.listPayable(shop, 10))
          yield* payouts.pay(shop, payout.id)
    }
  })

test("balances and what was paid are together all items that were ever posted", async () => {
  const reached = { owing: 0, paid: 0 }
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const [known, sum] = await runWith(
        Effect.gen(function* () {
          const terms: Partial<Collaborator.CollaboratorInput> = {
            payoutMeasurement: "day",
            payoutFrequency: 1,
            shouldPayAutomatically: true,
          }
          yield* addCollaborator(terms)
          for (const [number, step] of given.entries()) {
            yield* setTime(start + number * 43_200)
            yield* take(step, number)
          }
          const { entries } = yield* payoutsOf()
          const whole = yield* Effect.forEach(entries, ({ id }) => stored(id))
          const totals = whole.map((payout) => Result.getOrThrow(Payout.total(payout)))
          return [yield* balance(), totals.reduce((all, one) => all + one, 0)] as const
        }),
      )
      const { total = 0, paid = 0 } = known ?? {}
      expect(total + paid).toBe(sum)
      if (total < 0) reached.owing += 1
      if (paid > 0) reached.paid += 1
    }),
    runs(100, 60),
  )
  expect(reached.owing).toBeGreaterThan(0)
  expect(reached.paid).toBeGreaterThan(0)
})
