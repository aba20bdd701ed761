// How the hand-written contenders compare text: as the rules do (docs/decisions/matching.md).

const plain = /^[\x20-\x7e]*$/

const foldLetters = (text) =>
  text
    .split("ı")
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join("ı")
    .replaceAll("ς", "σ")

/** Text without spaces around it, in composed form, without a difference of case. */
export const fold = (text) =>
  plain.test(text)
    ? text.trim().toLowerCase()
    : foldLetters(text.trim().normalize("NFC")).normalize("NFC")

export const foldCountry = (code) => code.trim().toUpperCase()

/** What an order says about each kind of condition. */
export const attributes = {
  "order.tag": (order) => order.tags ?? [],
  "customer.tag": (order) => order.customerTags ?? [],
  "discount.code": (order) => order.discountCodes ?? [],
  "country.code": (order) => (order.billingCountry == null ? [] : [order.billingCountry]),
  referer: (order) => order.referers ?? [],
}

export const foldOf = (conditionType) => (conditionType === "country.code" ? foldCountry : fold)

const linkTypes = ["products", "products.tag", "products.vendor", "products.all"]

const compareIds = (left, right) => (left < right ? -1 : left > right ? 1 : 0)

/** Most specific first (docs/decisions/precedence.md). */
export const bySpecificity = (left, right) => {
  const byLink = linkTypes.indexOf(left.link.type) - linkTypes.indexOf(right.link.type)
  if (byLink !== 0) return byLink
  const byCondition = Number(left.condition == null) - Number(right.condition == null)
  if (byCondition !== 0) return byCondition
  const byAge = (right.createdAt ?? -Infinity) - (left.createdAt ?? -Infinity)
  return byAge > 0 || byAge < 0 ? byAge : compareIds(left.id, right.id)
}

/** A group's link as the contenders need it: folded values, each once. */
export const linkOf = ({ link }) => {
  const values = link.values ?? []
  return {
    type: link.type,
    not: link.modifier === "NOT",
    values: [...new Set(link.type === "products" ? values : values.map(fold))],
  }
}

/** A group's condition, or null. */
export const conditionOf = ({ condition }) => {
  if (condition == null) return null
  const values = [...new Set(condition.values.map(foldOf(condition.type)))].sort()
  return { type: condition.type, not: condition.modifier === "NOT", values }
}
