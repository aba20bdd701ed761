/** The catalogue in a database: what is searched and listed is what the core says, and indexes find it. */
import { ListOrder, Product } from "apportion"
import { productKeyOf, type StorageService } from "apportion/ports"
import { Arbitraries } from "apportion/testing"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isWhole, runs } from "../generators/Runs.js"
import { anyText } from "./AnyText.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const oddText = fc.oneof(Arbitraries.text(), anyText, fc.constantFrom("n".repeat(400), "a\u0001"))

/** Products of which many have the same name, or one that begins alike for very long. */
const catalogue = fc.uniqueArray(
  fc
    .tuple(
      Arbitraries.product({
        id: fc.oneof(
          Arbitraries.productId(),
          oddText.filter((text) => text !== ""),
        ),
      }),
      fc.record(
        { name: oddText, sku: oddText, tags: fc.array(oddText, { maxLength: 3 }) },
        {
          requiredKeys: [],
        },
      ),
    )
    .map(([product, odd]) => ({ ...product, ...odd })),
  { maxLength: 20, selector: productKeyOf },
)

const halfOfPair = /\p{Surrogate}/u

/** Pieces of what is there, some of them respelt. */
const searchesIn = (products: ReadonlyArray<Product.Product>): fc.Arbitrary<string> => {
  const texts = products.flatMap((product) => Product.searchTexts(product))
  const piece = fc
    .tuple(fc.constantFrom("", ...texts), fc.nat(8), fc.integer({ min: 1, max: 6 }))
    .map(([text, start, length]) => text.slice(start, start + length))
  const upper = piece.map((text) => text.toUpperCase())
  // Nobody types half of a letter.
  return fc.oneof(piece, upper, oddText).filter((text) => !halfOfPair.test(text))
}

let accounts = 0

const compare = (
  storage: StorageService,
  products: ReadonlyArray<Product.Product>,
  searches: ReadonlyArray<string>,
) =>
  Effect.gen(function* () {
    accounts += 1
    const accountId = `shop ${accounts}`
    yield* storage.transaction(accountId, (stores) => stores.products.put(products))
    const list = (search: string, offset: number) =>
      storage.transaction(
        accountId,
        (stores) => stores.products.list({ search }, { offset, limit: 7 }),
        { mode: "read" },
      )
    for (const search of ["", ...searches]) {
      const right = products
        .filter((product) => Product.matchesSearch(product, search))
        .toSorted(ListOrder.products)
        .map(productKeyOf)
      for (const offset of [0, 5]) {
        const { entries, total } = yield* list(search, offset)
        const expected = { keys: right.slice(offset, offset + 7), total: right.length }
        expect({ keys: entries.map(productKeyOf), total }, JSON.stringify(search)).toEqual(expected)
      }
    }
  })

const withSearches = catalogue.chain((products) =>
  fc.tuple(fc.constant(products), fc.array(searchesIn(products), { maxLength: 5 })),
)

const many = (price: number) =>
  Array.from({ length: 5_000 }, (_, number) => ({
    id: String(number).padStart(4, "0"),
    name: `Print ${number % 10}`,
    tags: [`tag ${number % 7}`, `price ${price}`],
    price,
  }))

const totalsOf = (storage: StorageService) =>
  storage.transaction(
    "large",
    ({ products, links }) =>
      Effect.gen(function* () {
        const slice = { offset: 4_999, limit: 5 }
        const { entries, total } = yield* products.list({}, slice)
        const linked = yield* links.products("g1", slice)
        return { total, linked: linked.total, last: entries.map(({ id, price }) => [id, price]) }
      }),
    { mode: "read" },
  )

const onDatabase = (name: string, layer: Parameters<typeof clientFor>[0], usual: number) =>
  describe(name, () => {
    const client = clientFor(layer)

    test("lists and searches give what the core gives, whatever the texts", async () => {
      const storage = await Effect.runPromise(emptyStorage(client()))
      const property = fc.asyncProperty(withSearches, ([products, searches]) =>
        Effect.runPromise(compare(storage, products, searches)),
      )
      await fc.assert(property, runs(usual))
    })

    test("five thousand products are put, linked, put anew and removed at once", async () => {
      const storage = await Effect.runPromise(emptyStorage(client()))
      // What the database knows of its tables is from when there were only a few products, and of other accounts.
      await Effect.runPromise(client().unsafe("VACUUM ANALYZE"))
      const keys = many(1).map(productKeyOf)
      const work = Effect.gen(function* () {
        const put = (price: number) =>
          storage.transaction("large", ({ products }) => products.put(many(price)))
        yield* put(1)
        yield* storage.transaction("large", ({ links }) => links.add("g1", keys))
        const whole = { total: 5_000, linked: 5_000 }
        expect(yield* totalsOf(storage)).toEqual({ ...whole, last: [["4999", 1]] })
        yield* put(2)
        expect(yield* totalsOf(storage)).toEqual({ ...whole, last: [["4999", 2]] })
        const link = { type: "products.tag", modifier: "WITH", values: ["Price 1"] } as const
        const options = { link, after: undefined, limit: 1 }
        const old = yield* storage.transaction(
          "large",
          ({ products }) => products.selected?.(options) ?? Effect.succeed(undefined),
        )
        expect(old).toEqual({ keys: [], scanned: 5_000, isLast: true })
        yield* storage.transaction("large", ({ products }) => products.remove(keys.slice(1)))
        expect(yield* totalsOf(storage)).toEqual({ total: 1, linked: 1, last: [] })
      })
      await Effect.runPromise(work)
    })
  })

if (isWhole) onDatabase("in PGlite", () => pglite, 60)
onDatabase("in PostgreSQL", () => postgres("products"), 100)
