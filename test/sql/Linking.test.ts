/** Links that are looked up in the database are those of the core, whatever the texts. */
import { ListOrder, type Product, ProductGroup, RuleSet } from "apportion"
import { productKeyOf, type StorageService } from "apportion/ports"
import { Collaborators, ProductGroups, Products } from "apportion/service"
import type { SqlStorage } from "apportion/sql"
import { Arbitraries } from "apportion/testing"
import { Effect, Logger, Option, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isWhole, runs } from "../generators/Runs.js"
import { startProcess } from "../service/Storefront.js"
import { anyText } from "./AnyText.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

/** Texts as rules compare them, and now and then any text that JavaScript can hold. */
const oddText = fc.oneof(
  { weight: 5, arbitrary: Arbitraries.text() },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(300), `${"X".repeat(299)}y`, "a\u0001b") },
)

const oddProduct: fc.Arbitrary<Product.Product> = fc
  .tuple(
    Arbitraries.product(),
    fc.record(
      {
        externalId: fc.oneof(Arbitraries.productId(), oddText),
        vendor: oddText,
        tags: fc.array(oddText, { maxLength: 4 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([product, odd]) => ({ ...product, ...odd }))

const catalogueOf = fc.uniqueArray(oddProduct, { maxLength: 14, selector: productKeyOf })

/** Links that often name what a catalogue has, in another spelling. */
const linkFor = (products: ReadonlyArray<Product.Product>): fc.Arbitrary<ProductGroup.Link> => {
  const respelt = (texts: ReadonlyArray<string>) =>
    texts.length === 0
      ? oddText
      : fc
          .constantFrom(...texts)
          .chain((text) => fc.constantFrom(text, ...Arbitraries.spellingsOf(text), ` ${text}`))
  const pools = {
    products: products.flatMap(({ id, externalId }) => [id, externalId ?? id]),
    "products.tag": products.flatMap(({ tags = [] }) => tags),
    "products.vendor": products.flatMap(({ vendor }) => vendor ?? []),
  }
  const known = fc
    .constantFrom("products" as const, "products.tag" as const, "products.vendor" as const)
    .chain((type) =>
      fc.record({
        type: fc.constant(type),
        modifier: fc.constantFrom("WITH" as const, "NOT" as const),
        values: fc.array(fc.oneof(respelt(pools[type]), oddText), { maxLength: 4 }),
      }),
    )
  return fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: Arbitraries.link() })
}

interface Case {
  readonly before: ReadonlyArray<Product.Product>
  readonly after: ReadonlyArray<Product.Product>
  readonly removed: ReadonlyArray<string>
  readonly links: ReadonlyArray<ProductGroup.Link>
  readonly limit: number
}

/** A catalogue as it was, what is put and taken out then, and links that are asked of what is there in the end. */
const linkCase: fc.Arbitrary<Case> = fc.tuple(catalogueOf, catalogueOf).chain(([before, after]) =>
  fc.record({
    before: fc.constant(before),
    after: fc.constant(after),
    removed: fc.subarray(before.map(productKeyOf)),
    links: fc.array(linkFor([...before, ...after]), { minLength: 1, maxLength: 6 }),
    limit: fc.constantFrom(1, 2, 3, 1_000),
  }),
)

const finalCatalogue = ({ before, after, removed }: Case): ReadonlyArray<Product.Product> => {
  const byKey = new Map(before.map((product) => [productKeyOf(product), product]))
  for (const key of removed) byKey.delete(key)
  for (const product of after) byKey.set(productKeyOf(product), product)
  return [...byKey.values()]
}

const groupOf = (link: ProductGroup.Link, id = "g1"): ProductGroup.ProductGroup =>
  ProductGroup.make({ id, collaboratorId: "ada", percent: 1, link })

const rightKeys = (products: ReadonlyArray<Product.Product>, link: ProductGroup.Link) => {
  const rules = { groups: [groupOf(link)] }
  return products
    .filter((product) => RuleSet.linkedGroups(rules, product).length > 0)
    .map(productKeyOf)
    .sort()
}

/** All keys that a storage says a link selects, and how many products it says it looked at. */
const selectedBy = (
  storage: StorageService,
  accountId: string,
  { link, limit }: { readonly link: ProductGroup.Link; readonly limit: number },
) =>
  storage.transaction(
    accountId,
    ({ products }) =>
      Effect.gen(function* () {
        const keys: Array<string> = []
        let scanned = 0
        for (let isLast = false; !isLast; ) {
          const after = keys.at(-1)
          const found = yield* products.selected?.({ link, after, limit }) ??
            Effect.die("no lookup")
          keys.push(...found.keys)
          scanned += found.scanned
          isLast = found.isLast
        }
        return { keys, scanned }
      }),
    { mode: "read" },
  )

let accounts = 0

/** An account in which nothing was ever stored. */
const newAccount = () => {
  accounts += 1
  return `shop ${accounts}`
}

const lookUpAndCompare = (storage: StorageService, played: Case) =>
  Effect.gen(function* () {
    const accountId = newAccount()
    yield* storage.transaction(accountId, ({ products }) => products.put(played.before))
    yield* storage.transaction(accountId, ({ products }) =>
      Effect.andThen(products.remove(played.removed), products.put(played.after)),
    )
    const catalogue = finalCatalogue(played)
    for (const link of played.links) {
      const found = yield* selectedBy(storage, accountId, { link, limit: played.limit })
      const right = { keys: rightKeys(catalogue, link), scanned: catalogue.length }
      expect(found, JSON.stringify(link)).toEqual(right)
    }
    const whole = { offset: 0, limit: 1 }
    const list = yield* storage.transaction(accountId, ({ products }) => products.list({}, whole))
    expect(list.total).toBe(catalogue.length)
  })

const isFilled = (text: string) => text.trim() !== ""

/** What is linked to each group is what its link selects of a catalogue, in order, and so many. */
const expectLinked = (
  storage: StorageService,
  accountId: string,
  right: { readonly links: ReadonlyArray<ProductGroup.Link>; readonly catalogue: Case["before"] },
) =>
  Effect.gen(function* () {
    for (const [index, link] of right.links.entries()) {
      const { entries, total } = yield* keysLinked(storage, accountId, `g${index}`)
      const keys = rightKeys(right.catalogue, link)
      expect(entries.map(productKeyOf).sort(), JSON.stringify(link)).toEqual(keys)
      expect(entries).toEqual(entries.toSorted(ListOrder.products))
      expect(total).toBe(keys.length)
    }
  })

const keysLinked = (storage: StorageService, accountId: string, groupId: string) =>
  storage.transaction(
    accountId,
    ({ links }) => links.products(groupId, { offset: 0, limit: 1_000 }),
    { mode: "read" },
  )

/** Links groups through the service, changes the catalogue, and compares what is linked each time. */
const linkAndCompare = (storage: StorageService, played: Case) =>
  Effect.gen(function* () {
    const accountId = newAccount()
    const { before, after, removed } = played
    const process = yield* startProcess(storage, { linkBatchSize: played.limit })
    yield* storage.transaction(accountId, ({ products }) => products.put(before))
    const links = played.links.map(({ values, ...link }) => ({
      ...link,
      values: ["art", ...values.filter(isFilled)],
    }))
    const linking = Effect.gen(function* () {
      yield* (yield* Collaborators).create(accountId, { id: "ada", currency: "EUR" })
      const groups = yield* ProductGroups
      const products = yield* Products
      for (const [index, link] of links.entries()) {
        const id = `g${index}`
        yield* groups.create(accountId, "ada", { id, link, percent: 1 })
        const progress = yield* Stream.runLast(groups.watch(accountId, id))
        const productsCount = rightKeys(before, link).length
        const done = { status: "done", scanned: before.length, productsCount }
        expect(Option.getOrUndefined(progress)).toMatchObject(done)
      }
      yield* expectLinked(storage, accountId, { links, catalogue: before })
      yield* products.remove(accountId, removed)
      yield* products.put(accountId, after)
      yield* expectLinked(storage, accountId, { links, catalogue: finalCatalogue(played) })
    })
    yield* process.run(linking)
    yield* process.stop
  })

const quietly = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Logger.layer([])))

const onDatabase = (
  name: string,
  layer: Parameters<typeof clientFor>[0],
  options: SqlStorage.SqlStorageOptions & { readonly usual: number },
) =>
  describe(name, () => {
    const client = clientFor(layer)
    const { usual, ...how } = options

    test("what is looked up for a link is what the rules select, after any changes", async () => {
      const storage = await Effect.runPromise(emptyStorage(client(), how))
      const property = fc.asyncProperty(linkCase, (played) =>
        quietly(lookUpAndCompare(storage, played)),
      )
      await fc.assert(property, runs(usual))
    })

    test("a group ends linked to what its link selects, and has looked at everything", async () => {
      const storage = await Effect.runPromise(emptyStorage(client(), how))
      const property = fc.asyncProperty(linkCase, (played) =>
        quietly(linkAndCompare(storage, played)),
      )
      await fc.assert(property, runs(Math.ceil(usual / 10), 5))
    })
  })

onDatabase("PostgreSQL, writers side by side", () => postgres("linking_optimistic"), {
  usual: 100,
  concurrency: "optimistic",
})
// What looks up links is the same statements everywhere.
if (isWhole) {
  onDatabase("PGlite", () => pglite, { usual: 60 })
  onDatabase("PostgreSQL, one writer at a time", () => postgres("linking_queue"), { usual: 100 })
}

test("the random links select some, all and none, by words that are spelt otherwise too", () => {
  const counts = new Map<string, number>()
  const cases = fc.sample(linkCase, { numRuns: 500, seed: 11 })
  for (const played of cases) {
    const catalogue = finalCatalogue(played)
    for (const link of played.links) {
      const { length } = rightKeys(catalogue, link)
      const much = length === 0 ? "none" : length === catalogue.length ? "all" : "some"
      const name = `${link.type} ${link.modifier} ${much}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      // With NOT, respelling must not change what is selected either.
      const texts = new Set(catalogue.flatMap(({ vendor, tags = [] }) => [vendor, ...tags]))
      const isRespelt = !link.values.some((value) => texts.has(value))
      if (link.type === "products.tag" && much === "some" && isRespelt) {
        counts.set("respelt", (counts.get("respelt") ?? 0) + 1)
      }
    }
  }
  const wanted = ["products", "products.tag", "products.vendor"].flatMap((type) =>
    ["WITH", "NOT"].flatMap((modifier) =>
      ["none", "some", "all"].map((much) => `${type} ${modifier} ${much}`),
    ),
  )
  const seldom = [...wanted, "products.all WITH all", "respelt"].filter(
    (name) => (counts.get(name) ?? 0) < 5,
  )
  expect(seldom).toEqual([])
})
