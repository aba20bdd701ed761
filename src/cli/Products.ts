/** What is known of the products, to complete orders that only name them. */
import * as Result from "effect/Result"
import * as Catalogue from "../matching/Catalogue.js"
import type { Product } from "../matching/Product.js"
import { recognise } from "../shopify/Document.js"
import * as ShopifyProducts from "../shopify/Products.js"
import type { Unreadable } from "../Unreadable.js"
import * as WireProduct from "../wire/Product.js"
import * as Format from "./Format.js"
import * as Input from "./Input.js"
import * as Problems from "./Problems.js"
import type { Record } from "./Records.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

type Reading = Result.Result<ReadonlyArray<Product>, Unreadable>

/** The catalogue for orders in a currency: Shopify's product data does not say what its prices are in. */
export interface Catalogues {
  readonly in: (currency: string) => Result.Result<Catalogue.Catalogue, Unreadable>
}

const inEachCurrency = (read: (currency: string) => Reading): Catalogues => {
  const made = new Map<string, Result.Result<Catalogue.Catalogue, Unreadable>>()
  return {
    in: (currency) => {
      const catalogue =
        made.get(currency) ??
        Result.map(read(currency), (products) => Catalogue.make(products, { currency }))
      made.set(currency, catalogue)
      return catalogue
    },
  }
}

/** The currency with the most decimals: prices that can't be read in it can't be read in any. */
const finestCurrency = "CLF"

interface Rows {
  readonly cells: ReadonlyArray<Readonly<{ [column: string]: string }>>
  readonly lines: ReadonlyArray<number>
}

const readRows = async (input: Format.Opened): Promise<Rows> => {
  const CsvRows = await import("./CsvRows.js")
  const header = input.head.toString("utf8").trimStart().split(/\r?\n/, 1)[0] ?? ""
  if (!/\bHandle\b/.test(header)) {
    throw Problems.unusable([
      `${input.name}:1: is neither JSON nor a Shopify product export, which has a column Handle; it begins with "${header.slice(0, 60)}"`,
    ])
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

const readExport = async (input: Format.Opened): Promise<Catalogues> => {
  const { cells, lines } = await readRows(input)
  const read = (currency: string) => ShopifyProducts.fromRows(cells, { currency })
  const trial = read(finestCurrency)
  if (Result.isSuccess(trial)) return inEachCurrency(read)
  throw Problems.unusable(
    trial.failure.problems.map(({ path, message }) => {
      const row = Number(/^row (\d+)/.exec(path)?.[1] ?? 1)
      const place = `${input.name}:${lines[row - 1] ?? row}: ${path.replace(/^row \d+, /, "")}`
      return `${place}: ${message.replace(` of ${finestCurrency}`, "")}`
    }),
  )
}

const isShopify = (record: Record): boolean => {
  const kind = recognise(record.value)
  return kind === "product" || kind === "products"
}

const readShopify = (name: string, records: ReadonlyArray<Record>): Catalogues => {
  const read = (value: unknown) => ShopifyProducts.read(value, { currency: finestCurrency })
  readEach(name, records, read)
  const values = records.map((record) => record.value)
  return inEachCurrency((currency) =>
    Result.map(
      Result.all(values.map((value) => ShopifyProducts.read(value, { currency }))),
      (products) => products.flat(),
    ),
  )
}

/** Reads products of any shape; `undefined` without a file. */
export const read = async (
  source: Source | undefined,
  note: Input.Note,
): Promise<Catalogues | undefined> => {
  if (source === undefined) return undefined
  const input = await Format.open(source)
  if (input.format === "csv") return readExport(input)
  const records = await Input.collect(
    source.name,
    Input.readOpened(input, { kind: Input.products, note }),
  )
  if (records.some(isShopify)) return readShopify(source.name, records)
  const catalogue = Catalogue.make(readEach(source.name, records, WireProduct.read))
  return { in: () => Result.succeed(catalogue) }
}
