/** Agreements and balances that nobody read are read before anything is booked by them: failures that were found. */
import { type AgreementSet, Agreements, Balances } from "apportion/agreements"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const throwing = (): never => {
  throw new RangeError("not here")
}
const proxy = new Proxy(
  {},
  { get: throwing, ownKeys: throwing, getOwnPropertyDescriptor: throwing },
)

const set: AgreementSet = Result.getOrThrow(
  Agreements.read({
    advances: [{ id: "a1", collaboratorId: "ada", currency: "USD", amount: 500, grantedAt: 0 }],
    guarantees: [
      { id: "m1", collaboratorId: "ada", currency: "USD", amount: 5, from: 0, until: 9 },
    ],
  }),
)
const sale = {
  ...{ orderId: "1", currency: "USD", at: 50 },
  shares: [{ itemId: "1", groupId: "g", collaboratorId: "ada", amount: 1_000 }],
  store: [{ itemId: "1", amount: 0 }],
}

/** The path of the first problem that a call is refused for. */
const refusedAt = (call: (...asked: never) => unknown, asked: ReadonlyArray<unknown>): unknown => {
  const answer = Reflect.apply(call, undefined, asked)
  if (!Result.isResult(answer) || Result.isSuccess(answer)) return "booked"
  const { failure } = answer
  return failure instanceof Agreements.InvalidPosting ? failure.problems[0]?.path : failure
}

describe("agreements are refused by name", () => {
  const withAdvance = (fields: object) => ({
    ...set,
    advances: set.advances.map((advance) => ({ ...advance, ...fields })),
  })
  test.each([
    ["nothing", undefined, "agreements"],
    ["null", null, "agreements"],
    ["what throws", proxy, "agreements"],
    ["no list", { ...set, advances: 5 }, "agreements.advances"],
    ["no advance", { ...set, advances: [null] }, "agreements.advances[0]"],
    ["no percentage", withAdvance({ percent: "many" }), "agreements.advances[0].percent"],
    ["no amount", withAdvance({ amount: Number.NaN }), "agreements.advances[0].amount"],
    ["no groups", withAdvance({ groups: 5 }), "agreements.advances[0].groups"],
  ])("%s", (_, agreements, path) => {
    expect(refusedAt(Agreements.post, [agreements, Balances.empty, sale])).toBe(path)
  })
})

describe("balances are refused by name", () => {
  const { empty } = Balances
  const withRecouped = (recouped: unknown) => ({
    ...empty,
    advances: [{ advanceId: "a1", recouped }],
  })
  test.each([
    ["nothing", undefined, "balances"],
    ["what throws", proxy, "balances"],
    ["a text", withRecouped("5"), "balances.advances[0].recouped"],
    ["less than nothing", withRecouped(-5), "balances.advances[0].recouped"],
    ["holes", { ...empty, held: new Array(3) }, "balances.held[0]"],
  ])("%s", (_, balances, path) => {
    expect(refusedAt(Agreements.post, [set, balances, sale])).toBe(path)
    expect(refusedAt(Agreements.release, [set, balances, { at: 5 }])).toBe(path)
    expect(refusedAt(Agreements.close, [set, balances, { at: 5 }])).toBe(path)
  })
})

test.each([
  ["nothing", undefined],
  ["null", null],
  ["an object", {}],
  ["what throws", proxy],
  ["half a second", { at: 0.5 }],
  ["a text", { at: "5" }],
])("a time that is none is refused: %s", (_, options) => {
  const path = options === proxy ? "" : "at"
  expect(refusedAt(Agreements.release, [set, Balances.empty, options])).toBe(path)
  expect(refusedAt(Agreements.close, [set, Balances.empty, options])).toBe(path)
})

test("what was read or made here is not read again, and a copy counts the same", () => {
  const posted = Result.getOrThrow(Agreements.post(set, Balances.empty, sale))
  const copy = structuredClone({ set, balances: posted.balances })
  const again = Agreements.post(copy.set, copy.balances, { ...sale, orderId: "2" })
  expect(again).toEqual(Agreements.post(set, posted.balances, { ...sale, orderId: "2" }))
})
