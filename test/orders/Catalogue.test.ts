import { Catalogue, type Order, type Product } from "apportion"
import { describe, expect, it } from "vitest"

const red = {
  id: "mug",
  externalId: "100",
  externalVariantId: "100-red",
  name: "Mug - Red",
  sku: "MUG-R",
  vendor: "North",
  price: 900,
  cost: 300,
  tags: ["home"],
  inventoryQuantity: 4,
}
const blue = {
  ...red,
  externalVariantId: "100-blue",
  name: "Mug - Blue",
  sku: "MUG-B",
  price: 1_000,
  inventoryQuantity: 0,
}
const catalogueOfMugs = () => Catalogue.make([red, blue], { currency: "USD" })

const orderOf = (product: Product.Product, currency = "USD"): Order.Order => ({
  id: "1001",
  currency,
  items: [{ id: "1", product, quantity: 1, amount: 900 }],
})
const completed = (product: Product.Product, currency?: string) =>
  Catalogue.complete(catalogueOfMugs(), orderOf(product, currency)).items[0]?.product

describe("a catalogue", () => {
  it("fills in everything that an order leaves out of a variant", () => {
    expect(completed({ id: "mug", externalVariantId: "100-blue" })).toEqual(blue)
  })

  it("lets what the order says itself count, an empty list of tags too", () => {
    const own = {
      ...blue,
      name: "Cup",
      sku: "C",
      vendor: "South",
      price: 1,
      cost: 0,
      tags: [],
      inventoryQuantity: 9,
    }
    expect(completed(own)).toEqual(own)
  })

  it("fills in what is null", () => {
    const bare = { id: "mug", externalVariantId: "100-red", sku: null, inventoryQuantity: null }
    expect(completed(bare)).toEqual(red)
  })

  it("finds a product by its variant id before its id, and its id before its external id", () => {
    const other = { id: "cap", externalId: "200", externalVariantId: "200-1", vendor: "South" }
    const both = Catalogue.make([red, other])
    const find = (product: Product.Product) => Catalogue.find(both, product)?.vendor
    expect(find({ id: "mug", externalVariantId: "200-1" })).toBe("South")
    expect(find({ id: "mug", externalId: "200" })).toBe("North")
    expect(find({ id: "?", externalId: "200" })).toBe("South")
    expect(find({ id: "?", externalId: "?", externalVariantId: "?" })).toBeUndefined()
  })

  it("knows a variant that it has never heard of by what its product's variants agree on", () => {
    expect(Catalogue.find(catalogueOfMugs(), { id: "mug", externalVariantId: "?" })).toEqual(
      Catalogue.find(catalogueOfMugs(), { id: "mug" }),
    )
  })

  it("lists products under the ids that they have", () => {
    const catalogue = Catalogue.make([{ id: "cap" }, red])
    expect([...catalogue.byId.keys()]).toEqual(["cap", "mug"])
    expect([...catalogue.byVariantId.keys()]).toEqual(["100-red"])
    expect([...catalogue.byExternalId.keys()]).toEqual(["100"])
  })

  it("tells variants of two products apart that share a variant id", () => {
    const twins = Catalogue.make([
      { id: "a", externalVariantId: "1", vendor: "A" },
      { id: "b", externalVariantId: "1", vendor: "B" },
    ])
    expect(Catalogue.find(twins, { id: "b", externalVariantId: "1" })?.vendor).toBe("B")
    expect(Catalogue.find(twins, { id: "c", externalVariantId: "1" })?.vendor).toBe("A")
  })

  it("knows of a product named without a variant what all its variants agree on", () => {
    expect(completed({ id: "mug" })).toEqual({
      id: "mug",
      externalId: "100",
      vendor: "North",
      cost: 300,
      tags: ["home"],
    })
  })

  it("knows all of a product named without a variant when it has only one", () => {
    const [item] = Catalogue.complete(Catalogue.make([red]), orderOf({ id: "mug" })).items
    expect(item?.product).toEqual(red)
  })

  it("keeps tags that say which variant it is from lines of another variant, or of none", () => {
    const variant = (id: string, tags: ReadonlyArray<string>) => ({
      ...{ id: "mug", externalVariantId: id, tags },
    })
    const one = variant("1", ["home", "variant:1", "sku:A"])
    const two = variant("2", ["home", "variant:2", "SKU:B"])
    const tagsOf = (known: ReadonlyArray<typeof one>, externalVariantId?: string) =>
      Catalogue.find(Catalogue.make(known), { id: "mug", externalVariantId })?.tags
    expect(tagsOf([one, two], "2")).toEqual(two.tags)
    expect(tagsOf([one, two])).toEqual(["home"])
    expect(tagsOf([one], "9")).toEqual(["home"])
    expect(tagsOf([one])).toEqual(one.tags)
  })

  it("adds the ids that it knows to those of the order, without those of other variants", () => {
    const one = { ...red, externalVariantId: "1", otherIds: ["type:Mug", "variant:1", "sku:R"] }
    const two = { ...blue, externalVariantId: "2", otherIds: ["type:Mug", "variant:2", "sku:B"] }
    const idsOf = (externalVariantId: string | undefined, otherIds?: ReadonlyArray<string>) => {
      const order = orderOf({ id: "mug", externalVariantId, otherIds })
      return Catalogue.complete(Catalogue.make([one, two]), order).items[0]?.product.otherIds
    }
    expect(idsOf("2")).toEqual(two.otherIds)
    expect(idsOf("2", ["variant:2", "sku:OLD"])).toEqual([
      ...["variant:2", "sku:OLD", "type:Mug", "sku:B"],
    ])
    expect(idsOf("9", ["variant:9"])).toEqual(["variant:9", "type:Mug"])
    expect(idsOf(undefined)).toEqual(["type:Mug"])
  })

  it("keeps prices and costs out of orders in another currency", () => {
    const inEuro = completed({ id: "mug", externalVariantId: "100-red" }, "EUR")
    expect(inEuro).toEqual({ ...red, price: undefined, cost: undefined })
    const anywhere = Catalogue.make([red])
    const order = Catalogue.complete(anywhere, orderOf({ id: "mug" }, "EUR"))
    expect(order.items[0]?.product.cost).toBe(300)
  })

  it("leaves products alone that it does not know, and the order it is given", () => {
    const order = orderOf({ id: "cap" })
    const before = structuredClone(order)
    expect(Catalogue.complete(catalogueOfMugs(), order)).toEqual(before)
    expect(order).toEqual(before)
  })

  it("is not confused by ids that mean something to JavaScript", () => {
    expect(completed({ id: "__proto__", externalVariantId: "constructor" })).toEqual({
      id: "__proto__",
      externalVariantId: "constructor",
    })
  })
})
