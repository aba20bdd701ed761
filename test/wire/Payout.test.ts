import {
  Collaborator,
  Payout as CorePayout,
  PayoutItem,
  type PayoutStatus,
  Permissions,
  type SoldItem,
  Visibility,
} from "apportion"
import { Payout } from "apportion/wire"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const ada = Collaborator.make({ id: "ada", currency: "USD" })
const at = 1_700_000_000
const empty = CorePayout.open({
  id: "p1",
  collaboratorId: "ada",
  currency: "USD",
  openedAt: at,
  toBePaidAt: 1_702_598_400,
})

const order = {
  id: "1001",
  currency: "EUR",
  items: [
    {
      id: "1",
      quantity: 2,
      amount: 10_000,
      discount: 500,
      taxTotal: 90,
      grams: 20,
      product: {
        id: "p1",
        externalId: "x1",
        vendor: "North",
        price: 5_000,
        cost: 7,
        tags: ["art"],
      },
    },
  ],
  details: { customerEmail: "ann@example.com" },
}

const sale = Result.getOrThrow(
  PayoutItem.fromShare(
    { itemId: "1", groupId: "g1", amount: 1_000 },
    { order, currency: "USD", at, rate: "1.1" },
  ),
)
const payout = Result.getOrThrow(
  Result.gen(function* () {
    const sold = yield* CorePayout.addItems(empty, [sale])
    const charged = yield* CorePayout.addExpense(sold, { id: "e", amount: 300, name: "Frames", at })
    return yield* CorePayout.addIncome(charged, { id: "i", amount: 50, name: "Workshop", at })
  }),
)

describe("a payout in a list", () => {
  it("has exactly the fields of a list entry", () => {
    const entry = Payout.writeEntry(payout, ada)
    expect(Object.keys(entry)).toEqual([
      "id",
      "currency",
      "collaborator",
      "status",
      "to_be_paid_at",
      "paid_at",
    ])
    expect(entry).toMatchObject({ id: "p1", status: "active", paid_at: null })
    expect("notes" in entry.collaborator).toBe(false)
  })
})

describe("the view of a payout", () => {
  const view = Result.getOrThrow(Payout.writeView(payout, ada))

  it("adds the items and their total", () => {
    expect(view.total).toBe(1_100 - 300 + 50)
    expect(view.items).toHaveLength(3)
  })

  it("shows a sale with exactly the fields of an order item", () => {
    expect(view.items[0]).toEqual({
      amount: 1_100,
      original_amount: 1_000,
      original_currency: "EUR",
      currency_exchange_rate: "1.1",
      is_expenses: false,
      expense_name: null,
      orderItem: {
        amount: 10_000,
        discount: 500,
        quantity: 2,
        tax_percent: null,
        tax_name: null,
        tax_total: 90,
        grams: 20,
        product: {
          id: "p1",
          external_id: "x1",
          external_variant_id: "",
          name: "",
          sku: null,
          vendor: "North",
          price: 5_000,
          cost: 7,
          tags: ["art"],
          inventory_quantity: null,
        },
        external_id: "1",
        split_at: at,
        refunded_at: null,
      },
    })
  })

  it("shows an expense as negative, an income as positive, both by their name", () => {
    expect(view.items.slice(1)).toEqual([
      {
        amount: -300,
        original_amount: -300,
        original_currency: "USD",
        currency_exchange_rate: null,
        is_expenses: true,
        expense_name: "Frames",
        orderItem: null,
      },
      {
        amount: 50,
        original_amount: 50,
        original_currency: "USD",
        currency_exchange_rate: null,
        is_expenses: false,
        expense_name: "Workshop",
        orderItem: null,
      },
    ])
  })

  it("leaves out what the collaborator may not see, without putting null there", () => {
    const seen = Visibility.asSeenBy(payout, Permissions.none)
    const item = Result.getOrThrow(Payout.writeView(seen, ada)).items[0]?.orderItem
    expect(item && Object.keys(item)).toEqual([
      "grams",
      "product",
      "external_id",
      "split_at",
      "refunded_at",
    ])
    expect(item && Object.keys(item.product)).not.toContain("price")
    expect(item && Object.keys(item.product)).toContain("vendor")
  })

  it("fails when the total is no safe integer", () => {
    const huge = { ...sale, id: "x", amount: Number.MAX_SAFE_INTEGER }
    const items = [huge, { ...huge, id: "y" }]
    const result = Payout.writeView({ ...empty, items }, ada)
    expect(Result.isFailure(result) && result.failure._tag).toBe("AmountOutOfRange")
  })

  it("has the total that is given, of a payout of which only some items are", () => {
    const huge = { ...sale, id: "x", amount: Number.MAX_SAFE_INTEGER }
    const items = [huge, { ...huge, id: "y" }]
    const view = Result.getOrThrow(Payout.writeView({ ...empty, items }, ada, { total: -5 }))
    expect(view.total).toBe(-5)
    expect(view.items).toHaveLength(2)
  })
})

/** What a text of JSON keeps of a value. */
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const view = {
  id: "p1",
  currency: "USD",
  collaborator: "ada",
  status: "active",
  to_be_paid_at: 1_702_598_400,
  paid_at: null,
  items: [],
}
const sold = {
  amount: 900,
  original_amount: 900,
  original_currency: "USD",
  currency_exchange_rate: null,
  is_expenses: false,
  expense_name: null,
  orderItem: {
    amount: 10_000,
    discount: 0,
    quantity: 2,
    tax_percent: null,
    tax_name: null,
    tax_total: null,
    grams: 0,
    product: { id: "p1", external_id: "x1", name: "Mug", price: 5_000, tags: [] },
    external_id: "o-1",
    split_at: at,
    refunded_at: null,
  },
}
const cost = { amount: -300, is_expenses: true, expense_name: "Frames", orderItem: null }
const gift = { amount: 50, is_expenses: false, expense_name: "Workshop", orderItem: null }

const readItems = (...items: ReadonlyArray<object>) =>
  Result.getOrThrow(Payout.read({ ...view, items })).payout.items

/** The places and messages of what is wrong with the view after a change. */
const problemsOf = (changes: object, options: Parameters<typeof Payout.read>[1] = {}) => {
  const result = Payout.read({ ...view, ...changes }, options)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, message }) => `${path} ${message}`)
    : []
}

describe("a payout that is read", () => {
  it("has its collaborator's id, and the object where it holds one", () => {
    const { payout: alone, collaborator } = Result.getOrThrow(Payout.read(view))
    expect([alone.collaboratorId, collaborator]).toEqual(["ada", null])
    const embedded = Payout.writeEntry(empty, ada).collaborator
    const whole = Result.getOrThrow(Payout.read({ ...view, collaborator: embedded }))
    expect(whole.collaborator).toEqual(ada)
    expect(whole.payout.collaboratorId).toBe("ada")
  })

  it("has the known collaborator rather than the object, which does not say everything", () => {
    const known = Collaborator.make({ id: "ada", currency: "USD", notes: "Illustrator" })
    const collaborators = new Map([["ada", known]])
    const embedded = Payout.writeEntry(empty, ada).collaborator
    for (const collaborator of ["ada", embedded]) {
      const reading = Payout.read({ ...view, collaborator }, { collaborators })
      expect(Result.getOrThrow(reading).collaborator).toBe(known)
    }
    expect(problemsOf({ collaborator: "bob" }, { collaborators })).toEqual([
      'collaborator "bob" is not among the collaborators',
    ])
  })

  it("numbers its items, and tells expenses from incomes and sales", () => {
    const items = readItems(sold, cost, gift)
    expect(items.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      "p1/1 sale",
      "p1/2 expense",
      "p1/3 income",
    ])
    expect(items.map((item) => ("name" in item ? item.name : item.orderItem.externalId))).toEqual([
      "o-1",
      "Frames",
      "Workshop",
    ])
    expect(items[1]).toMatchObject({ originalAmount: -300, originalCurrency: "USD" })
  })

  it("takes an item of the other sign with a time of refund for what was taken back", () => {
    const kinds = (amount: number, changes: object) =>
      readItems({
        ...{ ...sold, amount, original_amount: amount },
        orderItem: { ...sold.orderItem, ...changes },
      }).map(({ kind, createdAt }) => `${kind} ${createdAt - at}`)
    expect(kinds(-900, { refunded_at: at + 60 })).toEqual(["refund 60"])
    expect(kinds(-900, {})).toEqual(["sale 0"])
    expect(kinds(900, { refunded_at: at + 60 })).toEqual(["sale 0"])
    expect(kinds(0, { refunded_at: at + 60 })).toEqual(["sale 0"])
    expect(kinds(-900, { amount: -10_000, refunded_at: at + 60 })).toEqual(["sale 0"])
    expect(kinds(900, { amount: -10_000, refunded_at: at + 60 })).toEqual(["refund 60"])
  })

  it("takes the item's own id for the order's, unless the order is named", () => {
    const [plain, named] = readItems(sold, {
      ...sold,
      orderItem: { ...sold.orderItem, order_id: "o", group_id: "g" },
    })
    expect(plain).toMatchObject({ orderItem: { orderId: "o-1", itemId: "o-1", groupId: "" } })
    expect(named).toMatchObject({ orderItem: { orderId: "o", itemId: "o-1", groupId: "g" } })
  })

  it("was opened with its earliest sale, or when it is to be paid, or when it says", () => {
    const later = { ...sold, orderItem: { ...sold.orderItem, split_at: at + 5 } }
    const openedAt = (changes: object) =>
      Result.getOrThrow(Payout.read({ ...view, ...changes })).payout.openedAt
    expect(openedAt({ items: [later, sold, cost] })).toBe(at)
    expect(openedAt({ items: [cost] })).toBe(view.to_be_paid_at)
    expect(openedAt({ items: [sold], opened_at: 7 })).toBe(7)
    expect(readItems(sold, cost)[1]?.createdAt).toBe(at)
  })

  it("was closed when it was to be paid, once it is no longer active", () => {
    const times = (status: string, paid_at: number | null) => {
      const { payout: it } = Result.getOrThrow(Payout.read({ ...view, status, paid_at }))
      return [it.closedAt, it.payableAt, it.paidAt, it.failureReason]
    }
    const due = view.to_be_paid_at
    expect(times("active", null)).toEqual([null, null, null, null])
    expect(times("pending", null)).toEqual([due, due, null, null])
    expect(times("failed", null)).toEqual([due, due, null, "unknown"])
    expect(times("paid", due + 9)).toEqual([due, due, due + 9, null])
    expect(times("manually paid", due)).toEqual([null, null, due, null])
    expect(times("manually paid", null)).toEqual([null, null, null, null])
  })

  it("keeps the reason why it failed", () => {
    const failed = { ...view, status: "failed", failure_reason: "account closed" }
    expect(Result.getOrThrow(Payout.read(failed)).payout.failureReason).toBe("account closed")
  })

  it("takes a rate that is a number", () => {
    const [item] = readItems({ ...sold, original_currency: "EUR", currency_exchange_rate: 1.0837 })
    expect(item?.currencyExchangeRate).toBe("1.0837")
  })
})

describe("a payout that can't be read", () => {
  it("has a status, a currency and times of its own", () => {
    expect(problemsOf({ status: "settled", currency: "DUC", to_be_paid_at: "soon" })).toEqual([
      'currency must be an ISO 4217 currency code, as USD, got "DUC"',
      'status must be one of active, pending, paid, failed, manually paid, got "settled"',
      expect.stringMatching(/^to_be_paid_at must be a time: Unix seconds/),
    ])
    expect(problemsOf({ status: undefined, id: null, collaborator: 0.5 })).toEqual([
      expect.stringMatching(/^collaborator must be an id/),
      expect.stringMatching(/^id must be an id/),
      expect.stringMatching(/^status is missing/),
    ])
  })

  it("has a time of payment when it is paid, and none before", () => {
    expect(problemsOf({ status: "paid" })).toEqual([
      expect.stringMatching(/^paid_at must be a time.*got null$/),
    ])
    expect(problemsOf({ paid_at: at })).toEqual([
      `paid_at must be null on a payout that is active, got ${at}`,
    ])
  })

  it("has a total that is the sum of its items", () => {
    expect(problemsOf({ items: [sold, cost], total: 600 })).toEqual([])
    expect(problemsOf({ items: [sold, cost], total: 601 })).toEqual([
      "total must be the sum of its items, 600, got 601",
    ])
    expect(problemsOf({ total: 600 })).toHaveLength(1)
    const huge = { ...gift, amount: Number.MAX_SAFE_INTEGER }
    expect(problemsOf({ items: [huge, huge] })).toEqual([
      expect.stringMatching(/^items .*9007199254740991/),
    ])
  })

  it("has expenses below 0 and incomes above 0, by name", () => {
    const wrong = [
      { ...cost, amount: 300 },
      { ...gift, amount: -50 },
      { ...gift, amount: 0 },
    ]
    expect(problemsOf({ items: wrong })).toEqual([
      "items[0].amount must be 0 or below for an expense, got 300",
      "items[1].amount must be above 0, got -50",
      "items[2].amount must be above 0, got 0",
    ])
    const nameless = [undefined, null, " ", "x".repeat(201), 5].map((expense_name) => ({
      ...cost,
      expense_name,
    }))
    const found = problemsOf({ items: nameless }).map((problem) => problem.split(" ", 1)[0])
    expect([...new Set(found)]).toEqual([0, 1, 2, 3, 4].map((at) => `items[${at}].expense_name`))
  })

  it("has no order item beside an expense, and a whole one elsewhere", () => {
    expect(problemsOf({ items: [{ ...sold, is_expenses: true }] })).toEqual([
      "items[0].is_expenses must be false beside an orderItem, got true",
    ])
    const paths = problemsOf({ items: [{ ...sold, orderItem: {} }] }).map(
      (problem) => problem.split(" ", 1)[0],
    )
    expect(paths).toEqual([
      "items[0].orderItem.external_id",
      "items[0].orderItem.product",
      "items[0].orderItem.amount",
      "items[0].orderItem.split_at",
    ])
    expect(problemsOf({ items: [{ ...sold, orderItem: 5 }] })).toEqual([
      "items[0].orderItem must be an object, got 5",
      expect.stringMatching(/^items\[0\].expense_name/),
    ])
  })

  it("tells the place in a larger input, of everything that is wrong", () => {
    const broken = { collaborator: { id: "ada" }, items: [{ ...sold, amount: 0.5 }, "x"], total: 1 }
    const found = problemsOf(broken, { path: "payouts[3]" })
    expect(found.map((problem) => problem.split(" ", 1)[0])).toEqual([
      "payouts[3].collaborator.currency",
      "payouts[3].items[1]",
      "payouts[3].items[0].amount",
    ])
  })
})

const cents = fc.maxSafeInteger()
const anId = fc.string({ minLength: 1 })
const time = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })
const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null })
const small = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })

const orderItem: fc.Arbitrary<SoldItem.SoldItem> = fc.record({
  ...{ orderId: anId, itemId: anId, groupId: fc.string() },
  ...{ amount: cents, discount: cents, quantity: fc.maxSafeNat(), grams: cents },
  taxPercent: orNull(fc.double({ noNaN: true, noDefaultInfinity: true })),
  ...{ taxName: orNull(fc.string()), taxTotal: orNull(cents) },
  product: fc.record({
    ...{ id: anId, externalId: anId, externalVariantId: fc.string(), name: fc.string() },
    ...{ sku: orNull(anId), vendor: fc.string(), price: cents, cost: cents },
    ...{ tags: fc.array(fc.string(), { maxLength: 3 }), inventoryQuantity: orNull(cents) },
  }),
  ...{ externalId: anId, splitAt: time, refundedAt: orNull(time) },
})
const rate = fc
  .tuple(fc.nat(), fc.integer({ min: 1, max: 999 }))
  .map(([units, parts]) => `${units}.${parts}`)
const money = {
  ...{ id: anId, createdAt: time, amount: small, originalAmount: cents },
  originalCurrency: fc.constantFrom("USD", "EUR", "JPY", "KWD"),
  currencyExchangeRate: orNull(rate),
}
const ofSale = fc.record({
  ...money,
  ...{ kind: fc.constantFrom("sale" as const, "refund" as const), orderItem },
})
const entryOf = (kind: "expense" | "income") =>
  fc
    .record({
      ...money,
      kind: fc.constant(kind),
      amount: fc.integer({ min: 1, max: 1_000_000_000 }),
      name: fc.string({ minLength: 1, maxLength: 200 }).filter((name) => name.trim() !== ""),
    })
    .map((entry) => (kind === "expense" ? { ...entry, amount: -entry.amount } : entry))
const paidAtOf = (status: PayoutStatus.PayoutStatus): fc.Arbitrary<number | null> => {
  if (status === "paid") return time
  return status === "manually paid" ? orNull(time) : fc.constant(null)
}
const anyPayout: fc.Arbitrary<CorePayout.Payout> = fc
  .constantFrom("active", "pending", "paid", "failed", "manually paid")
  .chain((status) =>
    fc.record({
      ...{ id: anId, collaboratorId: fc.constant("ada"), currency: fc.constantFrom("USD", "JPY") },
      ...{ status: fc.constant(status), openedAt: time, toBePaidAt: time },
      ...{ closedAt: orNull(time), payableAt: orNull(time), paidAt: paidAtOf(status) },
      failureReason: fc.constant(null),
      items: fc.array(fc.oneof(ofSale, entryOf("expense"), entryOf("income")), { maxLength: 4 }),
    }),
  )

describe("a payout that is written and read again", () => {
  it("is written the same", () => {
    fc.assert(
      fc.property(anyPayout, (it) => {
        const written = throughText(Result.getOrThrow(Payout.writeView(it, ada)))
        const { payout: back, collaborator } = Result.getOrThrow(Payout.read(written))
        const again = Payout.writeView(back, collaborator ?? ada)
        expect(throughText(Result.getOrThrow(again))).toEqual(written)
      }),
      runs(500),
    )
  })

  it("has a problem where one of its values is broken", () => {
    fc.assert(
      fc.property(
        anyPayout,
        fc.constantFrom("id", "currency", "status", "to_be_paid_at", "items", "total"),
        fc.constantFrom({ odd: true }, 0.5, -1e300, true),
        (it, key, broken) => {
          const written = Result.getOrThrow(Payout.writeView(it, ada))
          const result = Payout.read({ ...written, [key]: broken })
          const found = Result.isFailure(result) ? result.failure.problems : []
          expect(found.map(({ path }) => path)).toContain(key)
        },
      ),
      runs(200),
    )
  })
})
