import { Products } from "apportion/shopify"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const options = { currency: "USD" }

const product = {
  id: 632,
  title: "Print",
  vendor: "North",
  tags: "art, wall",
  variants: [
    {
      id: 1,
      title: "A4",
      price: "9.50",
      sku: "PR-A4",
      inventory_quantity: 10,
    },
    { id: 2, title: "A3 / Black", price: "12.00", sku: "", cost: "4.10" },
  ],
}

const read = (input: unknown, given = options) => Result.getOrThrow(Products.read(input, given))
const problemsOf = (input: unknown, given = options) => {
  const result = Products.read(input, given)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("products of Shopify in JSON", () => {
  it("become one product for each variant", () => {
    const shared = { id: "632", externalId: "632", vendor: "North", tags: ["art", "wall"] }
    expect(read(product)).toEqual([
      {
        ...shared,
        externalVariantId: "1",
        name: "Print - A4",
        sku: "PR-A4",
        price: 950,
        inventoryQuantity: 10,
      },
      {
        ...shared,
        externalVariantId: "2",
        name: "Print - A3 / Black",
        sku: null,
        price: 1_200,
        cost: 410,
        inventoryQuantity: null,
      },
    ])
  })

  it("have the title alone when there is only the default variant, or none", () => {
    const only = { ...product, variants: [{ id: 1, title: "Default Title", price: "1" }] }
    expect(read(only)[0]?.name).toBe("Print")
    expect(read({ ...product, variants: [] })).toEqual([
      { id: "632", externalId: "632", name: "Print", vendor: "North", tags: ["art", "wall"] },
    ])
  })

  it("are found bare, wrapped, and in lists", () => {
    const count = (input: unknown) => read(input).length
    expect(count({ product })).toBe(2)
    expect(count({ products: [product, product] })).toBe(4)
    expect(count([product])).toBe(2)
    expect(count({ products: [] })).toBe(0)
  })

  it("have prices by the digits of the currency", () => {
    expect(problemsOf(product, { currency: "JPY" })).toEqual([
      ["variants[0].price", "9.50"],
      ["variants[1].cost", "4.10"],
    ])
    expect(problemsOf(product, { currency: "?" })[0]).toEqual(["currency", "?"])
  })

  it.each([
    ["without an id", { id: null }, "products[0].id", null],
    ["with variants that are no list", { variants: {} }, "products[0].variants", {}],
    [
      "with a variant without an id",
      { variants: [{ price: "1" }] },
      "products[0].variants[0].id",
      undefined,
    ],
    [
      "with a price in words",
      { variants: [{ id: 1, price: "free" }] },
      "products[0].variants[0].price",
      "free",
    ],
    [
      "with part of a piece in stock",
      { variants: [{ id: 1, inventory_quantity: 0.5 }] },
      "products[0].variants[0].inventory_quantity",
      0.5,
    ],
    ["with a title that is a number", { title: 5 }, "products[0].title", 5],
    ["with tags that are an object", { tags: {} }, "products[0].tags", {}],
  ])("%s are refused, saying where and what", (_, changes, path, value) => {
    expect(problemsOf({ products: [{ ...product, ...changes }] })).toEqual([[path, value]])
  })
})

type Row = Readonly<Record<string, string>>

const row = (cells: Row): Row => ({
  Handle: "",
  Title: "",
  Vendor: "",
  Tags: "",
  "Option1 Value": "",
  "Option2 Value": "",
  "Option3 Value": "",
  "Variant SKU": "",
  "Variant Price": "",
  "Variant Inventory Qty": "",
  "Cost per item": "",
  ...cells,
})

const rows = [
  row({
    Handle: "gemstone",
    Title: "Gemstone Necklace",
    Vendor: "Sterling Ltd",
    Tags: "Blue, Gem",
    "Option1 Value": "Blue",
    "Variant Price": "27.99",
    "Variant Inventory Qty": "1",
    "Cost per item": "11",
  }),
  row({ Handle: "gemstone", "Option1 Value": "Purple", "Variant Price": "28" }),
  row({ Handle: "gemstone" }),
  row({
    Handle: "mug",
    Title: "Mug",
    "Option1 Value": "Default Title",
    "Variant SKU": "'00123",
    "Variant Price": "9",
    "Variant Inventory Qty": "-2",
  }),
]

const fromRows = (given: ReadonlyArray<Row>) => Result.getOrThrow(Products.fromRows(given, options))
const rowProblems = (cells: Row, given = options) => {
  const result = Products.fromRows([row({ Handle: "a", ...cells })], given)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("the rows of Shopify's product export", () => {
  it("become products, what continues a handle with what its first row says", () => {
    const shared = {
      id: "gemstone",
      externalId: "gemstone",
      vendor: "Sterling Ltd",
      tags: ["Blue", "Gem"],
      sku: null,
    }
    expect(fromRows(rows)).toEqual([
      {
        ...shared,
        externalVariantId: "gemstone/Blue",
        name: "Gemstone Necklace - Blue",
        price: 2_799,
        cost: 1_100,
        inventoryQuantity: 1,
      },
      {
        ...shared,
        externalVariantId: "gemstone/Purple",
        name: "Gemstone Necklace - Purple",
        price: 2_800,
        inventoryQuantity: null,
      },
      {
        id: "mug",
        externalId: "mug",
        externalVariantId: "00123",
        name: "Mug",
        sku: "00123",
        price: 900,
        tags: [],
        inventoryQuantity: -2,
      },
    ])
  })

  it("name a variant by all its options", () => {
    const [first] = fromRows([
      row({ Handle: "tee", Title: "Tee", "Option1 Value": "S", "Option2 Value": "Red" }),
    ])
    expect(first).toMatchObject({ externalVariantId: "tee/S/Red", name: "Tee - S / Red" })
    expect(first?.price).toBeUndefined()
  })

  it("may lack columns that nothing depends on", () => {
    const [first] = fromRows([{ Handle: "a", "Variant Price": "1" }])
    expect(first).toEqual({
      id: "a",
      externalId: "a",
      externalVariantId: "a",
      sku: null,
      price: 100,
      tags: [],
      inventoryQuantity: null,
    })
  })

  it("are counted as a spreadsheet counts them when they can't be read", () => {
    expect(rowProblems({ "Variant Price": "nine" })).toEqual([
      ['row 2, column "Variant Price"', "nine"],
    ])
    expect(
      rowProblems({
        "Variant Price": "1.005",
        "Cost per item": "?",
        "Variant Inventory Qty": "1.5",
      }),
    ).toEqual([
      ['row 2, column "Variant Price"', "1.005"],
      ['row 2, column "Cost per item"', "?"],
      ['row 2, column "Variant Inventory Qty"', "1.5"],
    ])
    expect(rowProblems({ Handle: " " })).toEqual([['row 2, column "Handle"', " "]])
    expect(rowProblems({ "Variant Price": "1" }, { currency: "?" })).toEqual([["currency", "?"]])
  })

  it("are not confused by columns and handles that mean something to JavaScript", () => {
    const hostile = JSON.parse('{"__proto__":"x","Handle":"__proto__","Variant Price":"1"}')
    expect(fromRows([hostile, hostile])).toHaveLength(2)
    expect(fromRows([hostile])[0]?.id).toBe("__proto__")
  })
})

describe("what a product brings", () => {
  const typed = { ...product, product_type: "Poster", tags: "art, type:poster, Tag: old" }
  const tagsOf = (changes: object, tagsFrom?: ReadonlyArray<Products.ProductTagSource>) => {
    const collections = new Map([["632", ["Summer", "Walls"]]])
    const read = Products.read([{ ...typed, ...changes }], { ...options, tagsFrom, collections })
    return Result.getOrThrow(read).map(({ tags }) => tags)
  }

  it("is no tag unless it is asked for, and then no tag of the shop changes", () => {
    expect(tagsOf({})).toEqual(Array(2).fill(["art", "type:poster", "Tag: old"]))
    expect(tagsOf({}, [])).toEqual(tagsOf({}))
  })

  it("is a tag with a prefix, which no tag of the shop can have", () => {
    const own = ["art", "tag:type:poster", "tag:Tag: old"]
    expect(tagsOf({}, ["variant", "sku", "type", "collection"])).toEqual([
      [
        ...[...own, "type:Poster", "collection:Summer", "collection:Walls"],
        ...["variant:1", "sku:PR-A4"],
      ],
      [...own, "type:Poster", "collection:Summer", "collection:Walls", "variant:2"],
    ])
    expect(tagsOf({}, ["sku"])[0]).toEqual(["art", "type:poster", "tag:Tag: old", "sku:PR-A4"])
  })

  it("has the collections that a host adds to a product", () => {
    const given = { id: 7, collections: [{ title: "Winter" }], variants: [] }
    expect(tagsOf(given, ["collection", "type"])).toEqual([
      ["art", "tag:type:poster", "tag:Tag: old", "type:Poster", "collection:Winter"],
    ])
  })

  it("has the type of the CSV export", () => {
    const row = { Handle: "a", Type: "Poster", "Variant SKU": "X", "Variant Price": "1" }
    const read = Products.fromRows([row], { ...options, tagsFrom: ["type", "sku", "variant"] })
    expect(Result.getOrThrow(read)[0]?.tags).toEqual(["type:Poster", "variant:X", "sku:X"])
  })

  it("is an id beside its own where it is asked for, spelled as it is", () => {
    const idsFrom = ["type", "collection", "variant", "sku"] as const
    const collections = new Map([["632", ["Summer"]]])
    const read = Products.read([typed], { ...options, idsFrom, collections })
    expect(Result.getOrThrow(read).map(({ otherIds, tags }) => [otherIds, tags])).toEqual([
      [["type:Poster", "collection:Summer", "variant:1", "sku:PR-A4"], tagsOf({})[0]],
      [["type:Poster", "collection:Summer", "variant:2"], tagsOf({})[1]],
    ])
    expect(Result.getOrThrow(Products.read([typed], options))[0]).not.toHaveProperty("otherIds")
  })

  it("is refused if it is nothing that a product has", () => {
    const asked: Products.ReadOptions = JSON.parse('{"currency":"USD","tagsFrom":["sku","colour"]}')
    const read = Products.read(product, asked)
    expect(Result.isFailure(read) && read.failure.problems).toMatchObject([
      { path: "tagsFrom[1]", value: "colour" },
    ])
  })

  it("has collections of which every member needs a title", () => {
    const read = (...documents: ReadonlyArray<unknown>) => Products.collections(documents)
    const members = { collects: [{ collection_id: 1, product_id: 2 }] }
    const titled = { smart_collections: [{ id: 1, title: "Summer" }] }
    expect([...Result.getOrThrow(read(members, titled))]).toEqual([["2", ["Summer"]]])
    expect(Result.isFailure(read(members))).toBe(true)
    expect(Result.isFailure(read(titled, 5))).toBe(true)
  })
})
