import * as Effect from "effect/Effect"
import { productAttributes } from "../../orders/Attribute.js"
import type { Product } from "../../orders/Product.js"
import { productKeyOf, type SelectedProducts } from "../../ports/ProductStore.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { Link } from "../../rules/ProductGroup.js"
import * as ProductGroup from "../../rules/ProductGroup.js"
import { linkedGroups } from "../../rules/RuleSet.js"
import { type ContractContext, inContext } from "./ContractContext.js"
import { type ContractCheck, expectSame, expectTrue } from "./check.js"
import { job, oddIds } from "./samples.js"

const catalogue: ReadonlyArray<Product> = [
  { id: "a", vendor: "North", tags: ["Art", "Café"] },
  { id: "a", externalVariantId: "red", vendor: " NORTH ", tags: ["art "] },
  { id: "b", externalId: "a", vendor: "straße", tags: [] },
  { id: "c", externalId: "7", vendor: "STRASSE", tags: ["", "cafe\u0301"] },
  { id: "7", externalVariantId: "a", vendor: "", tags: ["cafe"] },
  { id: "d", externalId: "" },
  { id: "e", externalVariantId: "red", otherIds: ["variant:red", "sku:E-1", "type:Poster", "7"] },
  { id: "e", externalVariantId: "blue", otherIds: ["variant:blue", "type:Poster"] },
  { id: "A", tags: ["ART", "art", "wall\u0000art", "x".repeat(5_000)] },
  ...oddIds.map((id) => ({ id: `${id}!`, vendor: id, tags: [id, "odd"] })),
]

const longTag = `${"x".repeat(4_999)}y`

const values: ReadonlyArray<ReadonlyArray<string>> = [
  ...[[], ["art"], [" ART\n", "CAFÉ"], ["north", "Strasse"], [""], ["cafe"]],
  ...[["type:Poster"], ["sku:E-1", "variant:blue"], ["type:poster"]],
  ...[["a"], ["A", "7"], ["b!", "a", "a"], ["a/red"], ["x".repeat(5_000)], [longTag]],
  ...[["wall\u0000art"], ["wall"], ["%", "' OR 1=1; --", "a_b"], ["🎨", "ｚ"], ["odd"]],
]

const links: ReadonlyArray<Link> = (["WITH", "NOT"] as const).flatMap((modifier) => [
  { type: "products.all", modifier, values: [] },
  { type: "products.all", modifier, values: ["ignored"] },
  ...productAttributes.flatMap((type) => values.map((each) => ({ type, modifier, values: each }))),
])

const keysOf = (products: ReadonlyArray<Product>): ReadonlyArray<string> =>
  products.map(productKeyOf).toSorted((one, other) => (one < other ? -1 : 1))

const rightKeys = (link: Link): ReadonlyArray<string> => {
  const group = ProductGroup.make({ id: "g1", collaboratorId: "ada", percent: 1, link })
  const rules = { groups: [group] }
  return keysOf(catalogue.filter((product) => linkedGroups(rules, product).length > 0))
}

type Select = (
  after: string | undefined,
  limit: number,
) => Effect.Effect<SelectedProducts | undefined, StorageError>

/** Requests the products of a link; a store without this method returns `undefined`. */
const selecting =
  (context: ContractContext, link: Link): Select =>
  (after, limit) =>
    context.read(({ products }) =>
      products.selected === undefined
        ? Effect.succeed(undefined)
        : products.selected({ link, after, limit }),
    )

/** All selected products, batch by batch; each batch reports its progress correctly. */
const gather = Effect.fnUntraced(function* (select: Select, what: string, limit: number) {
  const all = keysOf(catalogue)
  const keys: Array<string> = []
  let scanned = 0
  for (let isLast = false; !isLast; ) {
    const after = keys.at(-1)
    const found = yield* select(after, limit)
    if (found === undefined) return undefined
    isLast = found.isLast
    yield* expectTrue(`${what}: at most ${limit}`, found.keys.length <= limit, found)
    yield* expectTrue(`${what}: some, or the end`, isLast || found.keys.length > 0, found)
    keys.push(...found.keys)
    const last = keys.at(-1)
    const behind = isLast ? all : all.filter((key) => last !== undefined && key <= last)
    scanned += found.scanned
    yield* expectSame(`${what}: how far it is`, scanned, behind.length)
  }
  return keys
})

const put = (context: ContractContext) => context.write(({ products }) => products.put(catalogue))

const selection: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a store that looks up what a link selects finds what the rules select, in order, batch by batch",
    Effect.fnUntraced(function* (context) {
      yield* put(context)
      for (const link of links) {
        for (const limit of [3, 1_000]) {
          const what = `${JSON.stringify(link).slice(0, 200)}, ${limit} at a time`
          const found = yield* gather(selecting(context, link), what, limit)
          if (found === undefined) return
          yield* expectSame(what, found, rightKeys(link))
        }
      }
    }),
  ),
  inContext(
    "a store that looks up what a link selects begins behind any key, and ends when there is no more",
    Effect.fnUntraced(function* (context) {
      yield* put(context)
      const link: Link = { type: "products.all", modifier: "WITH", values: [] }
      const select = selecting(context, link)
      const all = keysOf(catalogue)
      const rest = (after: string) => all.filter((key) => key > after)
      const exact = yield* select("a", rest("a").length)
      if (exact === undefined) return
      const scanned = rest("a").length
      yield* expectSame("behind a key", exact, { keys: rest("a"), scanned, isLast: true })
      const between = yield* select("a0", 1)
      const first = rest("a0").slice(0, 1)
      yield* expectSame("behind no key", between, { keys: first, scanned: 1, isLast: false })
      const none = yield* select(all.at(-1), 5)
      yield* expectSame("behind the last", none, { keys: [], scanned: 0, isLast: true })
    }),
  ),
]

const following: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a store that looks up what a link selects knows of every change of a product",
    Effect.fnUntraced(function* (context) {
      yield* put(context)
      const link: Link = { type: "products.tag", modifier: "WITH", values: ["new", "art"] }
      yield* context.write(({ products }) =>
        Effect.gen(function* () {
          yield* products.put([
            { id: "a", tags: ["Café"] },
            { id: "b", tags: ["NEW"] },
          ])
          yield* products.remove(["A"])
        }),
      )
      const found = yield* selecting(context, link)(undefined, 10)
      if (found === undefined) return
      yield* expectSame("the keys", found.keys, ["a/red", "b"])
      const vendor: Link = { type: "products.vendor", modifier: "WITH", values: ["north"] }
      const left = yield* selecting(context, vendor)(undefined, 10)
      yield* expectSame("those of the vendor", left?.keys, ["a/red"])
    }),
  ),
]

const working: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a link job is stored with the process that goes on with it",
    Effect.fnUntraced(function* (context) {
      const claimed = job("g1", { claim: { by: "p/1 🎨", until: 1_700_000_030 } })
      yield* context.write(({ links }) => links.saveJob(claimed))
      yield* expectSame("the job", yield* context.read(({ links }) => links.job("g1")), claimed)
      const running = context.read(({ links }) => links.runningJobs(5))
      yield* expectSame("the jobs that run", yield* running, [claimed])
      yield* context.write(({ links }) => links.saveJob({ ...claimed, claim: undefined }))
      yield* expectSame("the job of nobody", yield* running, [job("g1")])
    }),
  ),
  inContext(
    "a storage that knows which accounts are linking tells those in which a job runs, by id",
    Effect.fnUntraced(function* ({ storage }) {
      const { accountsLinking } = storage
      if (accountsLinking === undefined) return
      yield* expectSame("at first", yield* accountsLinking, [])
      for (const [accountId, status] of [
        ["b", "running"],
        ["a", "done"],
        ["B", "running"],
      ] as const) {
        yield* storage.transaction(accountId, ({ links }) =>
          Effect.andThen(
            links.saveJob(job("g1", { status })),
            links.saveJob(job("g2", { status })),
          ),
        )
      }
      yield* expectSame("with jobs", yield* accountsLinking, ["B", "b"])
      const done = storage.transaction("b", ({ links }) =>
        Effect.andThen(links.removeJob("g1"), links.saveJob(job("g2", { status: "done" }))),
      )
      yield* done
      yield* expectSame("later", yield* accountsLinking, ["B"])
    }),
  ),
]

/** The checks of stores for linking; optional methods are checked only in stores that have them. */
export const selectedChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...selection,
  ...following,
  ...working,
]
