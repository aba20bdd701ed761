import {
  type Order as CoreOrder,
  type Refund as CoreRefund,
  Split as CoreSplit,
  ProductGroup,
  RuleSet,
} from "apportion"
import { Arbitraries } from "apportion/testing"
import { Entry, Group, Order, Policy, Refund, Split } from "apportion/wire"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { policy, sale } from "../generators/Sales.js"

/** What a text of JSON keeps of a value. */
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const readOrder = (order: CoreOrder.Order) =>
  Result.getOrThrow(Order.read(throughText(Order.write(order))))

const id = fc.string({ minLength: 1 })
const time = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })

describe("what is written and read again", () => {
  it("is an order that splits the same", () => {
    fc.assert(
      fc.property(sale, (it) => {
        const rules = RuleSet.make(it.groups)
        const before = CoreSplit.orderResult(rules, it.order, it.policy)
        const after = CoreSplit.orderResult(rules, readOrder(it.order), it.policy)
        expect(after).toEqual(before)
      }),
      runs(300),
    )
  })

  it("is an order that is written the same", () => {
    fc.assert(
      fc.property(sale, ({ order }) => {
        expect(throughText(Order.write(readOrder(order)))).toEqual(throughText(Order.write(order)))
      }),
      runs(200),
    )
  })

  it("is the same product group", () => {
    fc.assert(
      fc.property(sale, ({ groups }) => {
        for (const input of groups) {
          const group = ProductGroup.make(input)
          const request = throughText(Group.writeRequest(group))
          const { link } = group
          const isAll = link.type === "products.all"
          expect(Result.getOrThrow(Group.read(request))).toEqual({
            ...group,
            link: isAll ? { ...link, values: [] } : link,
          })
        }
      }),
      runs(200),
    )
  })

  it("is the same policy", () => {
    fc.assert(
      fc.property(policy, Arbitraries.timeZone(), (of, timeZone) => {
        const it = { policy: of, timeZone }
        expect(Result.getOrThrow(Policy.read(throughText(Policy.write(it))))).toEqual(it)
      }),
      runs(100),
    )
  })

  it("is the same line of a split", () => {
    fc.assert(
      fc.property(sale, (it) => {
        const result = CoreSplit.orderResult(RuleSet.make(it.groups), it.order, it.policy)
        const line = Result.isSuccess(result)
          ? Split.write(result.success)
          : Split.writeError(result.failure, { orderId: it.order.id })
        const back = Result.getOrThrow(Split.read(throughText(line)))
        const again =
          "error" in back ? { order_id: back.orderId, error: back.error } : Split.write(back)
        expect(again).toEqual(throughText(line))
      }),
      runs(200),
    )
  })

  it("is the same refund, and the same entry", () => {
    const amount = fc.oneof(fc.integer({ min: 1 }), fc.integer({ max: -1 }))
    const part = fc.oneof(
      fc.record({ amount }),
      fc.record({ quantity: fc.integer({ min: 1, max: 1_000 }) }),
    )
    const refund = fc
      .record({ orderId: id, itemId: id, refundedAt: time })
      .chain((where) => part.map((much): CoreRefund.Refund => ({ ...where, ...much })))
    const entry = fc.record({
      collaboratorId: id,
      kind: fc.constantFrom("expense" as const, "income" as const),
      amount: fc.integer({ min: 1 }),
      name: fc.string({ minLength: 1, maxLength: 200 }).filter((name) => name === name.trim()),
      at: time,
    })
    fc.assert(
      fc.property(refund, entry, (it, its) => {
        expect(Result.getOrThrow(Refund.read(throughText(Refund.write(it))))).toEqual(it)
        expect(Result.getOrThrow(Entry.read(throughText(Entry.write(its))))).toEqual(its)
      }),
      runs(200),
    )
  })
})

type Place = ReadonlyArray<string | number>

/** Every place in a JSON value where no object and no list stands. */
const leaves = (value: unknown, place: Place = []): ReadonlyArray<Place> => {
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => leaves(element, [...place, index]))
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => leaves(part, [...place, key]))
  }
  return [place]
}

const replaceAt = (value: unknown, place: Place, by: unknown): unknown => {
  const [key, ...rest] = place
  if (key === undefined) return by
  if (Array.isArray(value)) {
    return value.map((part, index) => (index === key ? replaceAt(part, rest, by) : part))
  }
  return typeof value === "object" && value !== null
    ? { ...value, [key]: replaceAt(Reflect.get(value, key), rest, by) }
    : by
}

const pathOf = (place: Place): string =>
  place.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`
    return path === "" ? key : `${path}.${key}`
  }, "")

/** Texts for display, where hosts may have other things of their own. */
const isDisplay = (path: string): boolean =>
  /^(?:customer\.(?:email|name)|status|payment_gateway|shipping_address|billing_address)$/.test(
    path,
  )

describe("a single broken value", () => {
  it("is the one problem that is told of an order, wherever it stands", () => {
    fc.assert(
      fc.property(sale, fc.nat(), fc.constantFrom({ odd: true }, [[]], 0.5), (it, pick, broken) => {
        const json = throughText(Order.write(it.order))
        const places = leaves(json).filter((place) => !isDisplay(pathOf(place)))
        const place = places[pick % places.length] ?? []
        const path = pathOf(place)
        const listIsFine = path === "referer" && Array.isArray(broken)
        const numberIsFine = path.endsWith("tax_percent") && broken === 0.5
        fc.pre(!listIsFine && !numberIsFine)
        const result = Order.read(replaceAt(json, place, broken))
        const found = Result.isFailure(result) ? result.failure.problems : []
        expect(found.map(({ path, value }) => ({ path, value }))).toEqual([{ path, value: broken }])
      }),
      runs(500),
    )
  })
})
