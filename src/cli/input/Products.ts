/** The known products, to complete orders that only name them. */

import * as Result from "effect/Result"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Product } from "../../orders/Product.js"
import { recognise } from "../../shopify/Document.js"
import * as ShopifyProducts from "../../shopify/Products.js"
import type { Unreadable } from "../../Unreadable.js"
import * as WireProduct from "../../wire/Product.js"
import { recognise as recogniseWoo } from "../../woocommerce/Document.js"
import * as WooProducts from "../../woocommerce/Products.js"
import * as ForeignFormats from "./ForeignFormats.js"
import * as Input from "./Input.js"
import type { Note, Record } from "./Records.js"
import * as Problems from "./Records.js"
import { readEach } from "./Rules.js"
import {
  type Brought,
  broughtOf,
  type Opened,
  openInput,
  type ProductFact,
  type SalesFlags,
  type Source,
} from "./Sources.js"

type ProductsResult = Result.Result<ReadonlyArray<Product>, Unreadable>

/** A catalogue in a currency, and the products in it whose cost is no amount of that currency. */
export interface InCurrency {
  readonly catalogue: Catalogue.Catalogue
  /** Products as `id` and `externalVariantId` name them. */
  readonly oddCosts: ReadonlySet<string>
}

/** The catalogue for orders in a currency: Shopify's product data does not name the currency of its prices. */
export interface Catalogues {
  /** The name of the input in messages. */
  readonly name: string
  /** The catalogue; fails unless every price and cost can be read. */
  readonly in: (currency: string) => Result.Result<Catalogue.Catalogue, Unreadable>
  /** The catalogue without the prices and costs that can't be read. */
  readonly completing: (currency: string) => InCurrency
}

/** The key of a product in `oddCosts`. */
export const keyOf = ({ id, externalVariantId }: Product): string => `${id} ${externalVariantId}`

const inEachCurrency = (
  name: string,
  all: ReadonlyArray<Product>,
  read: (options: ShopifyProducts.ReadOptions) => ProductsResult,
): Catalogues => {
  const made = new Map<string, InCurrency>()
  const make = (currency: string): InCurrency => {
    const products = Result.getOrElse(read({ currency, oddAmounts: "leave-out" }), () => [])
    const odd = products.filter(
      ({ cost }, index) => cost === undefined && all[index]?.cost !== undefined,
    )
    return {
      catalogue: Catalogue.make(products, { currency }),
      // An order can name a product without its variant.
      oddCosts: new Set(odd.flatMap((one) => [keyOf(one), keyOf({ id: one.id })])),
    }
  }
  return {
    name,
    in: (currency) =>
      Result.map(read({ currency }), (products) => Catalogue.make(products, { currency })),
    completing: (currency) => {
      const catalogue = made.get(currency) ?? make(currency)
      made.set(currency, catalogue)
      return catalogue
    },
  }
}

/** The currency with the most decimals: prices that can't be read in it can't be read in any. */
const finestCurrency = "CLF"

interface ProductRows {
  readonly cells: ReadonlyArray<Readonly<{ [column: string]: string }>>
  readonly lines: ReadonlyArray<number>
}

const readRows = async (input: Opened): Promise<ProductRows> => {
  const CsvRows = await import("./CsvRows.js")
  const header = input.head.toString("utf8").trimStart().split(/\r?\n/, 1)[0] ?? ""
  if (!/\bHandle\b/.test(header)) {
    const look =
      ForeignFormats.foreignHeader(header) ??
      `is neither JSON nor a Shopify product export, which has a column Handle; it begins with "${header.slice(0, 60)}"`
    throw Problems.unusable([`${input.name}:1: ${look}`])
  }
  const cells: Array<{ [column: string]: string }> = []
  const lines: Array<number> = []
  let names: ReadonlyArray<string> | undefined
  const delimiter = CsvRows.delimiterOf(header)
  for await (const row of CsvRows.read(input.chunks(), { name: input.name, delimiter })) {
    lines.push(row.line)
    if (names === undefined) names = row.cells.map((cell) => cell.trim())
    else cells.push(Object.fromEntries(names.map((name, at) => [name, row.cells[at] ?? ""])))
  }
  return { cells, lines }
}

/** The requested facts, if a platform's products have them. */
const factsOf = <const Fact extends ProductFact>(
  { idsFrom, tagsFrom }: Brought,
  platform: string,
  known: ReadonlyArray<Fact>,
) => {
  const factOf = (flag: string) => (asked: ProductFact) => {
    const fact = known.find((one) => one === asked)
    if (fact !== undefined) return fact
    throw Problems.unusable([
      `--${flag}: of ${platform}'s products ${known.join(", ")} are known, got "${asked}"`,
    ])
  }
  return { idsFrom: idsFrom.map(factOf("ids-from")), tagsFrom: tagsFrom.map(factOf("tags-from")) }
}

const shopifyFacts = (brought: Brought) =>
  factsOf(brought, "Shopify", ["variant", "sku", "type", "collection"])

const readExport = async (input: Opened, brought: Brought): Promise<Catalogues> => {
  const { cells, lines } = await readRows(input)
  const facts = shopifyFacts(brought)
  const read = (options: ShopifyProducts.ReadOptions) =>
    ShopifyProducts.fromRows(cells, { ...options, ...facts })
  const trial = read({ currency: finestCurrency })
  if (Result.isSuccess(trial)) return inEachCurrency(input.name, trial.success, read)
  throw Problems.unusable(
    trial.failure.problems.map(({ path, message }, index) => {
      const row = Number(/^row (\d+)/.exec(path)?.[1] ?? 1)
      const place = `${input.name}:${lines[row - 1] ?? row}: ${path.replace(/^row \d+, /, "")}`
      const format = index === 0 ? " (read as a Shopify product export)" : ""
      return `${place}: ${message.replace(` of ${finestCurrency}`, "")}${format}`
    }),
  )
}

const isShopify = (record: Record): boolean => {
  const kind = recognise(record.value)
  return kind === "product" || kind === "products"
}

const readShopify = (
  name: string,
  records: ReadonlyArray<Record>,
  brought: Brought,
): Catalogues => {
  const values = records.map((record) => record.value)
  const facts = shopifyFacts(brought)
  const read = (value: unknown) => ShopifyProducts.read(value, { currency: finestCurrency })
  const all = readEach(name, records, read, { saysFormat: true })
  return inEachCurrency(name, all.flat(), (options) =>
    Result.map(
      Result.all(values.map((value) => ShopifyProducts.read(value, { ...options, ...facts }))),
      (products) => products.flat(),
    ),
  )
}

/** Variations are recognised by their products, so all records are read together. */
const readWoo = (name: string, records: ReadonlyArray<Record>, brought: Brought): Catalogues => {
  const facts = factsOf(brought, "WooCommerce", ["variant", "sku", "category"])
  const read = (value: unknown) => WooProducts.read(value, { currency: finestCurrency })
  readEach(name, records, read, { saysFormat: true })
  const values = records.flatMap(({ value }) => value)
  const all = Result.getOrElse(read(values), () => [])
  return inEachCurrency(name, all, ({ currency }) =>
    WooProducts.read(values, { currency, ...facts }),
  )
}

/** Reads products in any known format; `undefined` without a file. */
export const read = async (
  source: Source | undefined,
  flags: Pick<SalesFlags, "idsFrom" | "tagsFrom">,
  note: Note,
): Promise<Catalogues | undefined> => {
  if (source === undefined) return undefined
  const brought = broughtOf(flags)
  const input = await openInput(source)
  if (input.format === "csv") return readExport(input, brought)
  const records = await Input.collect(
    source.name,
    Input.readOpened(input, { kind: Input.products, note }),
  )
  if (records.some(isShopify)) return readShopify(source.name, records, brought)
  if (records.some(({ value }) => recogniseWoo(value)?.startsWith("product") === true)) {
    return readWoo(source.name, records, brought)
  }
  const catalogue = Catalogue.make(
    readEach(source.name, records, WireProduct.read, { saysFormat: true }),
  )
  const all = { catalogue, oddCosts: new Set<string>() }
  return { name: source.name, in: () => Result.succeed(catalogue), completing: () => all }
}
