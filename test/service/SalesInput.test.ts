import { Sales } from "apportion/service"
import { Cause, Effect, Exit, Option } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { account, inShop, kept, openShop, order } from "./SalesShop.js"

/** What plain JavaScript may pass instead of what the types ask for. */
const odd = fc.constantFrom<unknown>(
  ...[null, undefined, "", "7", "x", true, {}, [], [null], [{}], () => 1, Symbol("s")],
  ...[-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 10n, new Date(0), new Map()],
  ...[Object.create(null), JSON.parse('{ "__proto__": { "id": "1" } }')],
)

/** A value in which one thing, or the value itself, is replaced by something odd. */
const broken = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value) && value.length > 0) {
    const [first, ...rest] = value
    return fc.oneof(
      odd,
      broken(first).map((other) => [other, ...rest]),
    )
  }
  if (typeof value !== "object" || value === null) return odd
  const fields = Object.entries(value)
  if (fields.length === 0) return odd
  const inField = fc
    .constantFrom(...fields)
    .chain(([name, field]) => broken(field).map((other) => ({ ...value, [name]: other })))
  const without = fc.constantFrom(...fields).map(([name]) => {
    const { [name]: _gone, ...rest }: Record<string, unknown> = { ...value }
    return rest
  })
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 8, arbitrary: inField }, without)
}

const item = {
  id: "1",
  product: {
    id: "p1",
    externalId: "e1",
    externalVariantId: "v1",
    name: "Print",
    sku: "P",
    vendor: "North",
    price: 1,
    cost: 1,
    tags: ["art"],
    inventoryQuantity: 1,
  },
  quantity: 1,
  amount: 1_000,
  discount: 1,
  taxTotal: 1,
  taxPercent: 1,
  taxName: "VAT",
  grams: 1,
}

const whole = {
  id: "1001",
  currency: "USD",
  createdAt: 1,
  tags: ["a"],
  customerTags: ["a"],
  discountCodes: ["a"],
  billingCountry: "DE",
  referers: ["a"],
  taxesIncluded: true,
  shippingAmount: 1,
  gatewayFee: 1,
  items: [item],
  details: { customerEmail: "kim@example.com", status: "paid" },
}

const wholeRefund = { id: "r1", orderId: "1", itemId: "1", amount: 5, refundedAt: 1 }

/** The tag of the error; fails when the call died of something else. */
const tagOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string => {
  if (Exit.isSuccess(exit)) return "success"
  const error = Cause.findErrorOption(exit.cause)
  return Option.isSome(error) ? error.value._tag : expect.fail(Cause.pretty(exit.cause))
}

const calls = {
  record: { from: whole, errors: ["InvalidOrder"] },
  preview: { from: whole, errors: ["InvalidOrder"] },
  refund: {
    from: wholeRefund,
    errors: ["InvalidRefund", "RefundOfUnknownItem", "RefundExceedsItem"],
  },
} as const

const call = (sales: Sales["Service"], method: keyof typeof calls, input: unknown) =>
  Effect.suspend(
    (): Effect.Effect<unknown, { readonly _tag: string }> =>
      Reflect.apply(sales[method], sales, [account, input]),
  )

test.each(Object.keys(calls) as ReadonlyArray<keyof typeof calls>)(
  "%s: whatever comes is done or refused with a typed error, and what is refused leaves nothing",
  async (method) => {
    const { from, errors } = calls[method]
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(broken(from), (input) =>
        inShop((shop) =>
          Effect.gen(function* () {
            yield* openShop(shop)
            const sales = yield* Sales
            yield* sales.record(account, order([100], { id: "1" }))
            const before = yield* kept(shop)
            const tag = tagOf(yield* Effect.exit(call(sales, method, input)))
            seen.add(tag)
            expect(["success", ...errors]).toContain(tag)
            if (tag !== "success") expect(yield* kept(shop)).toEqual(before)
          }),
        ),
      ),
      // Nothing broken is among what comes, however few are tried.
      { ...runs(300), examples: [[from]] },
    )
    expect([...seen].sort()).toEqual(expect.arrayContaining(["success", errors[0]]))
  },
)

test("all that is wrong with an order is told at once, each with its place", () =>
  inShop(() =>
    Effect.gen(function* () {
      const sales = yield* Sales
      const input = { id: 7, currency: "USD", items: [{ ...item, amount: "12", product: null }] }
      const error = yield* Effect.flip(call(sales, "record", input))
      expect(error).toMatchObject({ _tag: "InvalidOrder", orderId: 7 })
      const paths = Reflect.get(error, "problems").map(({ path }: { path: string }) => path)
      expect(paths).toEqual(["id", "items[0].product", "items[0].amount"])
    }),
  ))

test("what is no field of an order is not kept", () =>
  inShop((shop) =>
    Effect.gen(function* () {
      const sales = yield* Sales
      yield* call(sales, "record", { ...whole, note: "secret", items: [{ ...item, note: "x" }] })
      const { entries } = (yield* kept(shop)).sales
      expect(entries[0]?.order).toEqual(whole)
    }),
  ))

test("an order in a currency that nobody knows, or with an item twice, is refused", () =>
  inShop(() =>
    Effect.gen(function* () {
      const sales = yield* Sales
      const unknown = yield* Effect.flip(sales.record(account, order([1], { currency: "usd" })))
      expect(unknown.message).toMatch(/^currency: must be an ISO 4217/)
      const twice = { ...order([1]), items: [...order([1]).items, ...order([1]).items] }
      const repeated = yield* Effect.flip(sales.record(account, twice))
      expect(repeated.message).toMatch(/^items\[1\]\.id: must be unique/)
      yield* sales.record(account, order([1]))
      expect(yield* Effect.flip(sales.record(account, twice))).toEqual(repeated)
    }),
  ))

test("a refund of neither or both of amount and quantity is refused", () =>
  inShop((shop) =>
    Effect.gen(function* () {
      yield* openShop(shop)
      const sales = yield* Sales
      yield* sales.record(account, order([100], { id: "1" }))
      const ask = (request: object) =>
        call(sales, "refund", { id: "r1", orderId: "1", itemId: "1", ...request })
      for (const request of [{}, { amount: 1, quantity: 1 }, { amount: -5 }, { quantity: 0.5 }]) {
        expect((yield* Effect.flip(ask(request)))._tag).toBe("InvalidRefund")
      }
      const { message } = yield* Effect.flip(
        Effect.mapError(ask({ id: "", amount: "5" }), (error) => ({
          message: String(Reflect.get(error, "message")),
        })),
      )
      expect(message).toMatch(/^id: .*; amount: must be .*got "5"$/)
    }),
  ))

test("an id for which no storage has room is refused by its place, and harms no other order", () =>
  inShop((shop) =>
    Effect.gen(function* () {
      yield* openShop(shop)
      const sales = yield* Sales
      const [longest, long] = ["é".repeat(250), "é".repeat(251)]
      const [mostEmoji, moreEmoji] = ["🎨".repeat(41), "🎨".repeat(42)]
      const kind = order([100])
      const orders = [
        { ...kind, id: long },
        { ...kind, id: longest },
        { ...kind, id: "2", items: kind.items.map((one) => ({ ...one, id: "x".repeat(501) })) },
        { ...kind, id: "3" },
        { ...kind, id: mostEmoji },
        { ...kind, id: moreEmoji },
      ]
      const outcomes = yield* sales.recordAll(account, orders)
      expect(outcomes.map(({ type }) => type)).toEqual([
        ...["refused", "recorded", "refused", "recorded", "recorded", "refused"],
      ])
      const paths = outcomes.map((outcome) =>
        outcome.type === "refused" && outcome.error._tag === "InvalidOrder"
          ? outcome.error.problems.map(({ path }) => path)
          : [],
      )
      expect(paths).toEqual([["id"], [], ["items[0].id"], [], [], ["id"]])
      const refund = { id: long, orderId: longest, itemId: kind.items[0]?.id, quantity: 1 }
      const error = yield* Effect.flip(call(sales, "refund", refund))
      expect(error).toMatchObject({ _tag: "InvalidRefund", problems: [{ path: "id" }] })
    }),
  ))
