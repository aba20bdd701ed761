/** The flags that commands share. */
import { Flag } from "effect/cli"

const file = (name: string, description: string) =>
  Flag.Path(name).pipe(Flag.withMetavar("<file>"), Flag.withDescription(description))

/** What every command needs. */
export const common = {
  groups: file(
    "groups",
    "Product groups: who is paid for which products (JSON, NDJSON or CSV; - is standard input)",
  ),
  orders: file(
    "orders",
    "Orders to split (JSON, NDJSON, CSV, or orders as Shopify exports them; - is standard input)",
  ),
  products: file(
    "products",
    "Products, to look up what an order does not say of them: tags, vendor, cost (JSON, or a Shopify product CSV export)",
  ).pipe(Flag.optional),
  policy: file(
    "policy",
    "The store's choices: discount, tax, shipping, rounding, over-allocation … (JSON; the defaults when absent)",
  ).pipe(Flag.optional),
}

/** Refunds of the orders. */
export const refunds = file(
  "refunds",
  "Refunds of items of the orders (JSON, NDJSON, CSV, or Shopify refunds)",
).pipe(Flag.optional)

/** Expenses and extra incomes. */
export const entries = file(
  "entries",
  "Expenses and extra incomes of collaborators (JSON, NDJSON or CSV)",
).pipe(Flag.optional)

/** Who is paid, and when. */
export const collaborators = file(
  "collaborators",
  "Collaborators: their currency, payout dates and threshold (JSON, NDJSON or CSV)",
)

/** Exchange rates. */
export const rates = file(
  "rates",
  "Exchange rates from the orders' currencies to the collaborators' (JSON, NDJSON or CSV with from, to, rate, from_date); without it, shares stay in the order's currency",
).pipe(Flag.optional)

/** A text that may be left out. */
export const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
  )

/** A text that is needed. */
export const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** The form of the output, the first one when none is named. */
export const format = <const Formats extends readonly [string, ...ReadonlyArray<string>]>(
  formats: Formats,
) =>
  Flag.Literals("format", formats).pipe(
    Flag.withMetavar(`<${formats.join("|")}>`),
    Flag.withDescription("Form of the output"),
    Flag.withDefault<Formats[number]>(formats[0]),
  )
