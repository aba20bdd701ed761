import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import type { Product } from "../../orders/Product.js"
import type { Problem } from "../../Problem.js"
import { notBlank } from "./documents.js"

/** What Shopify calls the only variant of a product that has no options. */
const onlyVariant = "Default Title"

/** A variant's name as Shopify writes it on an order: `Print - A4 / Black`. */
export const variantName = (
  title: string | undefined,
  options: ReadonlyArray<string | undefined>,
): string | undefined => {
  const shown = options.filter((option) => option !== undefined && option !== onlyVariant)
  if (title === undefined || shown.length === 0) return title
  return `${title} - ${shown.join(" / ")}`
}

// The rows of the product CSV export.

type CsvRow = Readonly<Record<string, string>>

interface ProductFields {
  readonly title: string | undefined
  readonly vendor: string | undefined
  readonly tags: ReadonlyArray<string>
}

interface CsvRows {
  readonly products: ReadonlyArray<Product>
  readonly problems: ReadonlyArray<Problem>
}

const headerRows = 1

const cell = (row: CsvRow, column: string): string | undefined =>
  Object.hasOwn(row, column) ? notBlank([row[column]])[0] : undefined

const optionsOf = (row: CsvRow): ReadonlyArray<string> =>
  notBlank(["Option1 Value", "Option2 Value", "Option3 Value"].map((column) => cell(row, column)))

const sharedBy = (row: CsvRow): ProductFields => ({
  title: cell(row, "Title"),
  vendor: cell(row, "Vendor"),
  tags: notBlank((cell(row, "Tags") ?? "").split(",")),
})

/** Shopify writes an apostrophe before a SKU that a spreadsheet would take for a number. */
const skuOf = (row: CsvRow): string | undefined => cell(row, "Variant SKU")?.replace(/^'/, "")

/** Reads the rows, one by one, keeping what the first row of a handle says for those that continue it. */
export const readRows = (
  rows: ReadonlyArray<CsvRow>,
  { currency, oddAmounts }: { readonly currency: string; readonly oddAmounts?: string | undefined },
): CsvRows => {
  const problems: Array<Problem> = []
  const products: Array<Product> = []
  const shared = new Map<string, ProductFields>()
  for (const [index, row] of rows.entries()) {
    const note = (column: string, message: string) =>
      problems.push({
        path: `row ${index + headerRows + 1}, column "${column}"`,
        value: row[column],
        message,
      })
    const handle = cell(row, "Handle")
    if (handle === undefined) {
      note("Handle", "is missing: every row of a product export has a handle")
      continue
    }
    const product = shared.get(handle) ?? sharedBy(row)
    shared.set(handle, product)
    const isVariant = cell(row, "Variant Price") !== undefined || optionsOf(row).length > 0
    const isRefusing = oddAmounts !== "leave-out"
    const context = { handle, product, currency, isRefusing, note }
    if (isVariant) products.push(readVariant(row, context))
  }
  return { products, problems }
}

interface Context {
  readonly handle: string
  readonly product: ProductFields
  readonly currency: string
  readonly isRefusing: boolean
  readonly note: (column: string, message: string) => void
}

const readVariant = (row: CsvRow, context: Context): Product => {
  const { handle, product } = context
  const options = optionsOf(row)
  const sku = skuOf(row)
  return {
    id: handle,
    externalId: handle,
    externalVariantId: sku ?? [handle, ...options].join("/"),
    name: variantName(product.title, options),
    sku: sku ?? null,
    vendor: product.vendor,
    price: readAmount(row, "Variant Price", context),
    cost: readAmount(row, "Cost per item", context),
    tags: product.tags,
    inventoryQuantity: readStock(row, context),
  }
}

const readAmount = (row: CsvRow, column: string, context: Context): number | undefined => {
  const text = cell(row, column)
  if (text === undefined || !Currency.isCurrency(context.currency)) return undefined
  const amount = Currency.parseAmount(text, context.currency)
  if (Result.isSuccess(amount)) return amount.success
  if (context.isRefusing) context.note(column, amount.failure.message)
  return undefined
}

const readStock = (row: CsvRow, context: Context): number | null => {
  const text = cell(row, "Variant Inventory Qty")
  if (text === undefined) return null
  const stock = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(stock)) return stock
  context.note("Variant Inventory Qty", `must be a whole number, got "${text}"`)
  return null
}
