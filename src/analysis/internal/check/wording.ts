import * as Result from "effect/Result"
import type { LinkType, ProductGroup } from "../../../groups/ProductGroup.js"
import * as Currency from "../../../money/Currency.js"

/** A text of the rules within a sentence: a line break or control character in it would forge a line. */
export const plain = (text: string): string => text.replace(/\p{Cc}/gu, " ")

export const money = (amount: number, currency: string): string =>
  `${Result.getOrThrow(Currency.formatAmount(amount, currency))} ${currency}`

export const plural = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? one : many

const mostListed = 5

/** `a`, `a and b`, `a, b and c`; of many the first ones, and how many more there are. */
export const list = (texts: ReadonlyArray<string>, most = mostListed): string => {
  const more = texts.length - most
  const shown = more > 1 ? [...texts.slice(0, most), `${more} more`] : texts
  const last = shown.at(-1) ?? ""
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`
}

export const ids = (texts: ReadonlyArray<string>): string => list(texts.map(plain))

/** Products by their keys, in which a slash of an id is written otherwise; people know the id itself. */
export const products = (keys: ReadonlyArray<string>): string =>
  ids(keys.map((key) => key.replaceAll("%2F", "/").replaceAll("%25", "%")))

/** `group a`, `groups a and b`. */
export const groups = (texts: ReadonlyArray<string>): string =>
  `${plural(texts.length, "group")} ${ids(texts)}`

export const quoted = (values: ReadonlyArray<string>): string =>
  list(values.map((value) => JSON.stringify(value)))

/** `Group a of ada`, to begin a sentence with. */
export const subject = ({
  id,
  collaboratorId,
}: Pick<ProductGroup, "id" | "collaboratorId">): string =>
  `Group ${plain(id)} of ${plain(collaboratorId)}`

/** What the values of a link are called; those of a link to all products mean nothing. */
export const linkKinds: { readonly [Type in Exclude<LinkType, "products.all">]: string } = {
  "products.tag": "tag",
  "products.vendor": "vendor",
  products: "product id",
}

/** What the values of a condition are called. */
export const conditionKinds = {
  "order.tag": "order tag",
  "customer.tag": "customer tag",
  "discount.code": "discount code",
  "country.code": "billing country",
  referer: "referer",
} as const
