import { Analysis, Catalogue, ProductGroup } from "apportion"
import { describe, expect, test } from "vitest"

const tagged = (id: string, ...values: ReadonlyArray<string>) =>
  ProductGroup.make({
    id,
    collaboratorId: "ada",
    link: { type: "products.tag", values },
    percent: 10,
  })

const [art, either] = [tagged("art", "art"), tagged("either", "print", "art")]

describe("whether one group applies wherever another does", () => {
  test("is said of any product, with an order where it does not", () => {
    expect(Analysis.implies(art, either)).toEqual({ verdict: "implied", witness: null })
    expect(Analysis.implies(either, art)).toEqual({
      verdict: "not implied",
      witness: {
        order: {
          id: "example",
          currency: "USD",
          items: [
            {
              id: "item",
              product: { id: "any-product", tags: ["print"] },
              quantity: 1,
              amount: 10_000,
            },
          ],
        },
        attributeCount: 1,
        isSmallest: true,
      },
    })
  })

  test("is said of the products of a catalogue, which need no attributes", () => {
    const products = [{ id: "p", tags: ["art"] }, { id: "q" }, { id: "r", tags: ["Print"] }]
    const known = (count: number) => ({
      catalogue: Catalogue.make(products.slice(0, count), { currency: "JPY" }),
    })
    expect(Analysis.implies(either, art, known(2))).toEqual({ verdict: "implied", witness: null })
    expect(Analysis.implies(either, art, known(0))).toEqual({ verdict: "implied", witness: null })
    expect(Analysis.implies(either, art, known(3))).toMatchObject({
      verdict: "not implied",
      witness: {
        order: { currency: "JPY", items: [{ product: products[2] }] },
        attributeCount: 0,
        isSmallest: true,
      },
    })
  })

  test("is undecided where the steps do not suffice", () => {
    expect(Analysis.implies(either, art, { budget: 1 })).toEqual({
      verdict: "undecided",
      witness: null,
    })
  })

  test("is not asked of what is no group", () => {
    for (const forged of [
      [null, art],
      [art, "either"],
    ]) {
      expect(() => Reflect.apply(Analysis.implies, undefined, forged)).toThrow(
        Analysis.InvalidOptions,
      )
    }
  })
})
