import { Collaborator as Core } from "apportion"
import { Collaborator, Product } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const product = {
  id: "p1",
  external_id: "x1",
  external_variant_id: "v1",
  name: "Print",
  sku: null,
  vendor: "North",
  price: 5_000,
  cost: 1_200,
  tags: ["art"],
  inventory_quantity: null,
}

describe("a product", () => {
  it("is written as it was read", () => {
    expect(Product.write(Result.getOrThrow(Product.read(product)))).toEqual(product)
  })

  it("can tell whose groups it is linked to", () => {
    const ada = Core.make({ id: "ada", currency: "EUR" })
    const view = Product.writeShared({ id: "p1" }, [ada])
    expect(view).toEqual({
      ...Product.write({ id: "p1" }),
      collaborators: [Collaborator.write(ada)],
    })
  })

  it("takes ids and sku as whole numbers, and an empty external id as none", () => {
    const read = Result.getOrThrow(Product.read({ id: 1, sku: 42, external_id: "" }))
    expect(read).toEqual({ id: "1", sku: "42" })
  })

  it("is written with null for what it does not have", () => {
    expect(Product.write({ id: "p1" })).toEqual({
      ...Object.fromEntries(Object.keys(product).map((key) => [key, null])),
      id: "p1",
      tags: [],
    })
  })

  it("tells every problem at once", () => {
    const result = Product.read({ id: 1.5, name: 5, price: "12", tags: ["a", {}], vendor: [] })
    expect(Result.isFailure(result) && result.failure.problems.map(({ path }) => path)).toEqual([
      "id",
      "name",
      "vendor",
      "price",
      "tags[1]",
    ])
  })
})
