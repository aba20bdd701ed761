import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import * as Cents from "../../money/Cents.js"
import * as Currency from "../../money/Currency.js"

/** The texts that are not blank, trimmed. */
export const notBlank = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.flatMap((text) => {
    const trimmed = text?.trim() ?? ""
    return trimmed === "" ? [] : [trimmed]
  })

/** Tags as Shopify writes them: separated by commas; newer payloads have a list. */
export const tags = (node: reader.Node, key: string): ReadonlyArray<string> => {
  const value = reader.field(node, key)
  if (Array.isArray(value)) return notBlank(reader.texts(node, key) ?? [])
  if (value === undefined || typeof value === "string") return notBlank((value ?? "").split(","))
  reader.refuse(node, key, "a text of tags separated by commas")
  return []
}

/** A text, or `undefined` when it is blank. */
export const filled = (node: reader.Node, key: string): string | undefined =>
  notBlank([reader.text(node, key)])[0]

// The objects in a Shopify document: bare as in a webhook, or wrapped as the admin API sends them.

/** One object, and its path in the document. */
export interface FoundObject {
  readonly path: string
  readonly value: unknown
}

export interface Wrappers {
  readonly one: string
  readonly many: string
}

const join = (prefix: string, path: string): string => {
  if (prefix === "" || path === "") return prefix + path
  return path.startsWith("[") ? prefix + path : `${prefix}.${path}`
}

/** The elements of a list up to the first hole, which can't be read. */
const elements = (path: string, values: ReadonlyArray<unknown>): ReadonlyArray<FoundObject> => {
  const found: Array<FoundObject> = []
  for (let index = 0; index < values.length; index += 1) {
    found.push({ path: `${path}[${index}]`, value: values[index] })
    if (values[index] === undefined) break
  }
  return found
}

const unwrapped = (input: unknown, wrappers: Wrappers): ReadonlyArray<FoundObject> => {
  if (Array.isArray(input)) return elements("", input)
  if (!reader.isFields(input)) return [{ path: "", value: input }]
  const many = input[wrappers.many]
  if (Array.isArray(many)) return elements(wrappers.many, many)
  if (Object.hasOwn(input, wrappers.many) && !Object.hasOwn(input, "id")) {
    return [{ path: wrappers.many, value: many }]
  }
  const isWrapped = Object.hasOwn(input, wrappers.one) && !Object.hasOwn(input, "id")
  return [
    isWrapped ? { path: wrappers.one, value: input[wrappers.one] } : { path: "", value: input },
  ]
}

/** The objects found in a value. A value that throws when it is read is returned itself, and refused later. */
export const looked = <A>(look: () => A, otherwise: A): A => {
  try {
    return look()
  } catch {
    return otherwise
  }
}

/** Every object of a document, each with its path; for a list, the objects in it. */
export const find = (input: unknown, wrappers: Wrappers, prefix = ""): ReadonlyArray<FoundObject> =>
  looked(() => unwrapped(input, wrappers), [{ path: "", value: input }]).map(({ path, value }) => ({
    path: join(prefix, path),
    value,
  }))

/** Shopify's amounts: decimal texts in the shop's currency. */

/** The shop's currency; `undefined` when it is unknown. That is noted already, and amounts are not checked. */
export type ShopCurrency = string | undefined

const expected = (currency: string): string => {
  const digits = Currency.minorDigits(currency)
  const decimals = Result.isSuccess(digits) ? digits.success : 0
  return `an amount of ${currency} in decimals (at most ${decimals}), as "${decimals === 0 ? "20" : "19.9".padEnd(3 + decimals, "0")}"`
}

/** A number is read through its shortest decimal text; it never takes part in arithmetic. */
const parse = (value: unknown, currency: string): number | undefined => {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const amount = Currency.parseAmount(String(value).trim(), currency)
  return Result.isSuccess(amount) ? amount.success : undefined
}

/** An optional amount, in cents. */
export const amount = (
  node: reader.Node,
  key: string,
  currency: ShopCurrency,
): number | undefined => {
  const value = reader.field(node, key)
  if (value === undefined || currency === undefined) return undefined
  const cents = parse(value, currency)
  if (cents === undefined) reader.refuse(node, key, expected(currency))
  return cents
}

/** A required amount, in cents. */
export const neededAmount = (node: reader.Node, key: string, currency: ShopCurrency): number => {
  if (currency === undefined) return 0
  if (reader.field(node, key) === undefined) reader.refuse(node, key, expected(currency))
  return amount(node, key, currency) ?? 0
}

/** The amount in the shop's own money of a `…_set`, which also has the buyer's currency. */
export const shopAmount = (
  node: reader.Node,
  key: string,
  currency: ShopCurrency,
): number | undefined => {
  const set = reader.child(node, key)
  const shop = set && reader.child(set, "shop_money")
  return shop && amount(shop, "amount", currency)
}

/** The sum of amounts; one beyond the safe integers is noted at the field. */
export const sum = (node: reader.Node, key: string, amounts: ReadonlyArray<number>): number => {
  const total = Cents.sum(amounts, { what: "the sum" })
  if (Result.isSuccess(total)) return total.success
  reader.note(node, key, total.failure.message)
  return 0
}

/** The sum of one field over the objects of a list; `undefined` when there is no list. */
export const sumOf = (
  node: reader.Node,
  options: { readonly list: string; readonly field: string; readonly currency: ShopCurrency },
): number | undefined => {
  const parts = reader.children(node, options.list)
  if (parts === undefined) return undefined
  const amounts = parts.map((part) => amount(part, options.field, options.currency) ?? 0)
  return sum(node, options.list, amounts)
}

/** Price times quantity; a result beyond the safe integers is noted at the price. */
export const times = (
  node: reader.Node,
  factors: { readonly price: number; readonly quantity: number },
): number => {
  const product = factors.price * factors.quantity
  if (Number.isSafeInteger(product)) return product === 0 ? 0 : product
  const exact = BigInt(factors.price) * BigInt(factors.quantity)
  reader.note(node, "price", Cents.AmountOutOfRange.of("price times quantity", exact).message)
  return 0
}

/**
 * A line's discount: the sum of its `discount_allocations`, else its `total_discount`. An empty list is ignored: some
 * apps write one in addition to the discount.
 */
export const lineDiscount = (line: reader.Node, currency: ShopCurrency): number => {
  const allocated = sumOf(line, { list: "discount_allocations", field: "amount", currency }) ?? 0
  return allocated === 0 ? (amount(line, "total_discount", currency) ?? 0) : allocated
}
