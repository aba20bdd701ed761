import { Cents, Collaborator, ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import * as Schemas from "apportion/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const failureOf = <E>(result: Result.Result<unknown, E>): E =>
  Result.getOrThrow(Result.flip(result))

const all = { type: "products.all" } as const
const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 900 }
const order = { id: "1001", currency: "USD", items: [item] }
const rules = RuleSet.make([
  { id: "a", collaboratorId: "a", link: all, percent: 60 },
  { id: "b", collaboratorId: "b", link: all, percent: 60 },
])

const splitErrors: ReadonlyArray<Split.SplitError> = [
  failureOf(Split.orderResult(rules, { ...order, currency: "usd" })),
  failureOf(Split.orderResult(rules, order)),
  failureOf(Cents.sum([Number.MAX_SAFE_INTEGER, 1])),
  failureOf(SplitPolicy.parse({ discuont: "deduct" })),
  failureOf(RuleSet.parse([{}])),
]

describe("an error of the core", () => {
  it.each(splitErrors.map((error) => [error._tag, error] as const))("%s is sent on", (_, error) => {
    const sent = JSON.stringify(Schema.encodeSync(Schemas.SplitError)(error))
    const received = Schema.decodeUnknownSync(Schemas.SplitError)(JSON.parse(sent))
    expect(received.constructor).toBe(error.constructor)
    expect(received._tag).toBe(error._tag)
    expect(received.message).toBe(error.message)
  })

  it("of groups and collaborators is sent on", () => {
    const group = failureOf(ProductGroup.parse({}))
    expect(Schema.encodeSync(Schemas.InvalidProductGroup)(group)).toEqual({
      _tag: "InvalidProductGroup",
      problems: group.problems,
      message: group.message,
    })
    const collaborator = failureOf(Collaborator.parse({}))
    const sent = Schema.encodeSync(Schemas.InvalidCollaborator)(collaborator)
    expect(Schema.decodeUnknownSync(Schemas.InvalidCollaborator)(sent)).toEqual(collaborator)
  })

  it("is none when a field is missing", () => {
    const [claim] = [{ groupId: "a", collaboratorId: "a" }]
    const whole = { orderId: "1", itemId: "1", exceeded: "sum", distributable: 1, message: "" }
    const read = Schema.decodeUnknownResult(Schemas.OverAllocated)
    const sent = { _tag: "OverAllocated", ...whole }
    expect(Result.isSuccess(read({ ...sent, claims: [{ ...claim, amount: 1 }] }))).toBe(true)
    expect(Result.isSuccess(read({ ...sent, claims: [claim] }))).toBe(false)
  })
})
