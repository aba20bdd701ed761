import { stripeLook } from "./StripeDocuments.js"

// Data in an object beside the list that is read, and objects without a list where one is needed.

const instead =
  "take the orders from the REST Admin API, or write them in apportion's own format (docs/guide/12-file-formats.md)"

type JsonFields = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/**
 * Reports further data in an object besides the list that was read, so that nothing is lost silently.
 *
 * @param object - the object, with its list emptied
 */
export const problemOf = (
  object: unknown,
  key: string,
  names: ReadonlySet<string>,
): string | undefined => {
  if (!isObject(object)) return undefined
  const same = object[key]
  if (isList(same) && same.length > 0) return `has two lists "${key}": keep one`
  const other = [...names].find((name) => {
    const list = object[name]
    return name !== key && isList(list) && list.length > 0
  })
  if (other !== undefined) return `has the lists "${key}" and "${other}": keep one`
  if (object.object === "list" && object.has_more === true) {
    return "is one page of a list of Stripe (has_more is true): put all pages into one list"
  }
  const lastPage = isObject(object.meta) ? object.meta.last_page : undefined
  return typeof lastPage === "number" && lastPage > 1
    ? `is one page of ${lastPage} of a list: put all pages into one list`
    : undefined
}

/** Reports an object that was read as a single entry but is a list under another name. */
export const misnamedList = (
  value: unknown,
  {
    wrappers: names,
    ownLists,
  }: {
    readonly wrappers: ReadonlySet<string>
    /** Lists that an entry has itself. */
    readonly ownLists?: ReadonlySet<string>
  },
): string | undefined => {
  if (!isObject(value) || value.id !== undefined) return undefined
  const fields = Object.entries(value).filter(([name]) => name !== "meta" && name !== "links")
  const [only] = fields
  if (fields.length !== 1 || only === undefined) return undefined
  const [name, inner] = only
  if (ownLists?.has(name) === true) return undefined
  const isEntries = isList(inner) ? inner.every(isObject) : names.has(name) && isObject(inner)
  if (!isEntries) return undefined
  const expected = [...names].map((each) => `"${each}"`).join(" or ")
  return `must be a list, or an object that holds one under ${expected}, got an object with ${JSON.stringify(name)}`
}

/** What an unsupported CSV file looks like by its header, and what to do about it. */
export const foreignHeader = (header: string): string | undefined => {
  const names = new Set(header.split(/[,;\t]/).map((cell) => cell.replace(/^[\s"]+|[\s"]+$/g, "")))
  if (names.has("Lineitem name") && names.has("Financial Status")) {
    return `looks like the CSV export of Shopify's orders, which can't be split exactly and is not read: it names no product ids and no gift cards, and does not say whether prices include tax, how much of the tax is on shipping, or when which lines were refunded; ${instead}`
  }
  return names.has("Handle") && (names.has("Variant Price") || names.has("Title"))
    ? "looks like the CSV export of Shopify's products: it goes with --products"
    : undefined
}

/** What a value in an unsupported format looks like, and what to do about it. */
export const foreignLook = (value: unknown): string | undefined => {
  if (!isObject(value)) return undefined
  const ofStripe = stripeLook(value)
  if (ofStripe !== undefined) return ofStripe
  const { __parentId, id, lineItems, data, order_id, refund_line_items, variants } = value
  if (refund_line_items !== undefined && order_id !== undefined) {
    return "looks like a refund of Shopify: it goes with --refunds"
  }
  if (isList(variants)) return "looks like a product of Shopify: it goes with --products"
  const isNode =
    lineItems !== undefined || (typeof id === "string" && id.startsWith("gid://shopify/"))
  const isAnswer = isObject(data) && (data.orders !== undefined || data.order !== undefined)
  if (__parentId === undefined && !isNode && !isAnswer) return undefined
  if (isAnswer) {
    return "looks like an answer of Shopify's GraphQL API: write each of its orders into a line of its own, as a bulk operation does"
  }
  const part = __parentId === undefined ? "an answer" : "a line of a bulk operation"
  return `looks like ${part} of Shopify's GraphQL API that is no order: such an order has an id as gid://shopify/Order/1, and the lines of a bulk operation stand beneath it`
}

const namedFields = 3

/** The problem of an object in an unknown format, without any field of apportion's own format. */
export const unknownLook = (value: unknown): string | undefined => {
  if (!isObject(value) || value.currency !== undefined || value.id !== undefined) return undefined
  const names = Object.keys(value)
  if (names.length === 0) return undefined
  const more = names.length > namedFields ? ", …" : ""
  const fields = `${names.slice(0, namedFields).join(", ")}${more}`
  return `has the fields ${fields}, and is no order that is read: those have "items" (docs/guide/12-file-formats.md), or are from the API of Shopify, WooCommerce or Stripe`
}
