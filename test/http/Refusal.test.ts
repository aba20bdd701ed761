import { Cents, PayoutStatus } from "apportion"
import { Conflict, StorageFailure } from "apportion/ports"
import {
  AlreadyExists,
  InvalidPayoutFilter,
  KeyReused,
  NotFound,
  TooManyKeys,
} from "apportion/service"
import { describe, expect, it } from "vitest"
import { ofFilter, ofGroup, refusalOf } from "../../src/http/Answer.js"

const message = "as it is"

describe("a failure is answered", () => {
  it.each([
    [NotFound.of("payout", "p1"), 404, "there is no payout with the id p1"],
    [
      AlreadyExists.of("product group", "g1"),
      409,
      "there is a product group with the id g1 already",
    ],
    [
      TooManyKeys.of(3, 401),
      429,
      "there are 3 idempotency keys already, and no more are kept: the next one can be used in 401 s",
    ],
    [KeyReused.of("k"), 409, "the idempotency key k was used for another request"],
    [
      new PayoutStatus.InvalidTransition({ status: "paid", event: "close", message }),
      409,
      "as it is",
    ],
    [
      new PayoutStatus.PayoutOnHold({ payoutId: "p", payableAt: 5, at: 4, message }),
      409,
      "as it is",
    ],
    [Conflict.of("payout", "p1"), 503, "busy, try again"],
    [StorageFailure.of("read", "secret"), 503, "not available, try again"],
  ])("%s", (failure, status, text) => {
    const refusal = refusalOf(failure)
    expect(refusal).toMatchObject({ status, body: { message: text }, isOurs: status >= 500 })
    expect(Object.keys(refusal.body)).toEqual(["message"])
  })

  it("by field, when it is about what was sent", () => {
    const problems = [
      { path: "paid.from", value: 5, message: "must not be after" },
      { path: "paid.from", value: 5, message: "is no time" },
      { path: "status", value: 5, message: "must be a status" },
    ]
    expect(refusalOf(new InvalidPayoutFilter({ problems, message })).body).toStrictEqual({
      message:
        "paidDate[start_date]: must not be after; paidDate[start_date]: is no time; status: must be a status",
      errors: {
        "paidDate[start_date]": ["must not be after", "is no time"],
        status: ["must be a status"],
      },
    })
    const tooMuch = Cents.AmountOutOfRange.of("the total", 2n ** 60n)
    expect(Object.keys(refusalOf(tooMuch).body.errors ?? {})).toEqual(["amount"])
  })

  it("without more than fits, however much is wrong", () => {
    const problems = Array.from({ length: 500 }, (_, index) => ({
      path: `items[${index}]`,
      value: 0,
      message: "must be a text",
    }))
    const { body } = refusalOf(new InvalidPayoutFilter({ problems, message }))
    expect(Object.keys(body.errors ?? {})).toHaveLength(100)
    expect(body.message).toMatch(/^items\[0\]: must be a text; .*; and at least 495 more$/)
  })

  it("with the field's own name, whatever that is", () => {
    const problems = [{ path: "__proto__", value: 0, message: "must be a text" }]
    const { errors = {} } = refusalOf(new InvalidPayoutFilter({ problems, message })).body
    expect(Object.entries(errors)).toEqual([["__proto__", ["must be a text"]]])
  })
})

it.each([
  ["link.values[3]", "items[3]"],
  ["link.type", "itemType"],
  ["link.modifier", "type_modifier"],
  ["condition", "splitConditionType"],
  ["condition.values", "splitConditions"],
  ["minAmount", "min_amount"],
  ["percent", "percent"],
])("the field %s of a group is %s in a request", (core, wire) => {
  expect(ofGroup(core)).toBe(wire)
})

it("the ends of a filter are what they are in a query", () => {
  expect(["paid.to", "expected.from", "expected.to", "status"].map(ofFilter)).toEqual([
    "paidDate[end_date]",
    "expectedPaymentDate[start_date]",
    "expectedPaymentDate[end_date]",
    "status",
  ])
})
