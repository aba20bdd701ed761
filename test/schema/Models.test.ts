import { Collaborator, Permissions, ProductGroup, SplitPolicy } from "apportion"
import * as Schemas from "apportion/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const link = { type: "products.all" } as const
const group = { id: "g1", collaboratorId: "ada", link, percent: 12.5 }

const refusal = <A, I>(schema: Schema.Codec<A, I>, value: unknown): string =>
  Result.match(Schema.decodeUnknownResult(schema)(value), {
    onFailure: ({ message }) => message,
    onSuccess: () => "",
  })

describe("a schema of what parse fills in", () => {
  it("decodes to the whole thing, which is encoded as it is", () => {
    const made = Schema.decodeUnknownSync(Schemas.ProductGroup)(group)
    expect(made).toEqual(ProductGroup.make(group))
    expect(Schema.encodeSync(Schemas.ProductGroup)(made)).toBe(made)
    expect(Schema.decodeUnknownSync(Schemas.Collaborator)({ id: "ada", currency: "EUR" })).toEqual(
      Collaborator.make({ id: "ada", currency: "EUR" }),
    )
    expect(Schema.decodeUnknownSync(Schemas.SplitPolicy)({ tax: "keep" })).toEqual(
      SplitPolicy.make({ tax: "keep" }),
    )
    expect(Schema.decodeUnknownSync(Schemas.Permissions)({})).toEqual(Permissions.none)
  })

  it("tells the whole thing from what is written", () => {
    expect(Schema.is(Schemas.ProductGroup)(ProductGroup.make(group))).toBe(true)
    expect(Schema.is(Schemas.ProductGroup)(group)).toBe(false)
    expect(Schema.is(Schemas.SplitPolicy)(SplitPolicy.defaults)).toBe(true)
    expect(Schema.is(Schemas.SplitPolicy)({ tax: "keep" })).toBe(false)
  })

  it("says what parse says", () => {
    const message = refusal(Schemas.ProductGroup, { ...group, link: { type: "none", values: [5] } })
    expect(message).toContain('must be "products" or "products.tag"')
    expect(refusal(Schemas.Collaborator, { id: "ada", currency: "euro" })).toContain(
      "must be an ISO 4217 currency code in capital letters, as USD",
    )
  })
})

describe("a schema of an order", () => {
  const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 900 }
  const order = { id: "1001", currency: "USD", items: [item] }

  it("leaves out what is no field of it", () => {
    expect(Schema.decodeUnknownSync(Schemas.Order)({ ...order, channel: "web" })).toEqual(order)
  })

  it("looks at what fields say together, and tells every place", () => {
    const items = [item, item, { ...item, id: "2", discout: 5 }]
    const said = Schema.decodeUnknownResult(Schemas.Order, { errors: "all" })({ ...order, items })
    const message = Result.isFailure(said) ? said.failure.message : ""
    expect(message).toContain('["items"][2]["discout"]')
    expect(message).toContain('["items"][1]["id"]')
  })
})

it("times and amounts have schemas of numbers", () => {
  expect([0, 1.5, 1e13].map(Schema.is(Schemas.Seconds))).toEqual([true, false, false])
})
