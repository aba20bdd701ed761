/** Reads the sample store as a user's program would: from its files, with the library's readers. */
import { readFileSync } from "node:fs"
import type { Order as Sale } from "apportion"
import { Collaborator, Entry, Group, Order, Policy, Product, Refund } from "apportion/wire"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The text of one of the files. */
export const textOf = (name: string): string =>
  readFileSync(new URL(`../../docs/sample-store/${name}`, import.meta.url), "utf8")

const parsed = (name: string): unknown => JSON.parse(textOf(name))

const list = Schema.decodeUnknownSync(Schema.Array(Schema.Unknown))

const readAll = <A, E>(name: string, read: (input: unknown) => Result.Result<A, E>) =>
  list(parsed(name)).map((input) => Result.getOrThrow(read(input)))

export const products = readAll("products.json", (input) => Product.read(input))
export const collaborators = readAll("collaborators.json", (input) => Collaborator.read(input))
export const groups = readAll("groups.json", (input) => Group.read(input, { requireValues: true }))
export const refunds = readAll("refunds.json", (input) => Refund.read(input))
export const entries = readAll("entries.json", (input) => Entry.read(input))
export const { policy, timeZone } = Result.getOrThrow(Policy.read(parsed("policy.json")))

/** The policy's options as they are written in the file. */
export const writtenOptions = Object.keys(
  Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.String))(parsed("policy.json")),
)

const catalogue = new Map(products.map((product) => [product.id, product]))

/** An order with what the catalogue knows of its products; what the order itself says comes first. */
const withCatalogue = (order: Sale.Order): Sale.Order => ({
  ...order,
  items: order.items.map((item) => {
    const { id, price, cost } = item.product
    const full = catalogue.get(id)
    const figures = { price: price ?? full?.price, cost: cost ?? full?.cost }
    return { ...item, product: { ...full, id, ...figures } }
  }),
})

export const orders = textOf("orders.ndjson")
  .trimEnd()
  .split("\n")
  .map((line) => withCatalogue(Result.getOrThrow(Order.read(JSON.parse(line)))))

const Rate = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  rate: Schema.String,
  from_date: Schema.String,
})

export const rates = Schema.decodeUnknownSync(Schema.Array(Rate))(parsed("rates.json"))
