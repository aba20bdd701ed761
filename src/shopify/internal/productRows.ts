/** The rows of the product CSV export. */
import * as Result from "effect/Result"
import type { Product } from "../../matching/Product.js"
import * as Currency from "../../money/Currency.js"
import type { Problem } from "../../Problem.js"
import { notBlank } from "./texts.js"
import { variantName } from "./variantName.js"

type Row = Readonly<Record<string, string>>

interface Shared {
  readonly title: string | undefined
  readonly vendor: string | undefined
  readonly tags: ReadonlyArray<string>
}

interface Rows {
  readonly products: ReadonlyArray<Product>
  readonly problems: ReadonlyArray<Problem>
}

const headerRows = 1

const cell = (row: Row, column: string): string | undefined =>
  Object.hasOwn(row, column) ? notBlank([row[column]])[0] : undefined

const optionsOf = (row: Row): ReadonlyArray<string> =>
  notBlank(["Option1 Value", "Option2 Value", "Option3 Value"].map((column) => cell(row, column)))

const sharedBy = (row: Row): Shared => ({
  title: cell(row, "Title"),
  vendor: cell(row, "Vendor"),
  tags: notBlank((cell(row, "Tags") ?? "").split(",")),
})

/** Shopify writes an apostrophe before a SKU that a spreadsheet would take for a number. */
const skuOf = (row: Row): string | undefined => cell(row, "Variant SKU")?.replace(/^'/, "")

/** Reads the rows, one by one, keeping what the first row of a handle says for those that continue it. */
export const readRows = (
  rows: ReadonlyArray<Row>,
  { currency, oddAmounts }: { readonly currency: string; readonly oddAmounts?: string | undefined },
): Rows => {
  const problems: Array<Problem> = []
  const products: Array<Product> = []
  const shared = new Map<string, Shared>()
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
  readonly product: Shared
  readonly currency: string
  readonly isRefusing: boolean
  readonly note: (column: string, message: string) => void
}

const readVariant = (row: Row, context: Context): Product => {
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

const readAmount = (row: Row, column: string, context: Context): number | undefined => {
  const text = cell(row, column)
  if (text === undefined || !Currency.isCurrency(context.currency)) return undefined
  const amount = Currency.parseAmount(text, context.currency)
  if (Result.isSuccess(amount)) return amount.success
  if (context.isRefusing) context.note(column, amount.failure.message)
  return undefined
}

const readStock = (row: Row, context: Context): number | null => {
  const text = cell(row, "Variant Inventory Qty")
  if (text === undefined) return null
  const stock = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(stock)) return stock
  context.note("Variant Inventory Qty", `must be a whole number, got "${text}"`)
  return null
}
