import * as Attribute from "../../orders/Attribute.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { Condition, Link, ProductGroup } from "../../rules/ProductGroup.js"

// Other spellings of a text that are the same to a rule, and texts that are nearly the same and are not.

const swapped = (pairs: ReadonlyArray<readonly [RegExp, string]>) =>
  pairs.map(
    ([from, to]) =>
      (value: string) =>
        value.replace(from, to),
  )

/** What may be done to a text; results are kept or dropped by how rules compare them. */
const respellings: ReadonlyArray<(value: string) => string> = [
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  (value) => ` ${value} `,
  (value) => `\t${value}\n`,
  (value) => `\u00a0${value}\u3000`,
  (value) => value.slice(0, 1).toUpperCase() + value.slice(1),
  (value) => value.normalize("NFC"),
  (value) => value.normalize("NFD"),
  (value) => value.normalize("NFD").toUpperCase(),
  // Letters that only full case folding takes for the same.
  ...swapped([
    [/ß/g, "ss"],
    [/ss/gi, "ß"],
    [/ss|ß/gi, "ẞ"],
    [/[σΣ]/g, "ς"],
    [/ς/g, "σ"],
    [/ﬁ/g, "fi"],
    [/fi/gi, "ﬁ"],
    [/s/i, "ſ"],
    [/k/i, "\u212a"],
  ]),
]

const wide = (value: string): string =>
  value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))

const otherLetter = (letter: string): string => (letter === "e" ? "a" : "e")

const changed = (value: string, place: number): string => {
  const letters = [...value]
  const letter = letters.at(place)
  return letter === undefined ? value : letters.with(place, otherLetter(letter)).join("")
}

/** What a slip of the hand, or a rule that is too kind, would take for the text. */
const slips: ReadonlyArray<(value: string) => string> = [
  (value) => [...value].slice(0, -1).join(""),
  (value) => `${value}s`,
  (value) => changed(value, -1),
  (value) => changed(value, 0),
  (value) => [...value].slice(1).join(""),
  (value) => value.slice(0, 1) + value,
  (value) => value.normalize("NFD").replace(/\p{M}/gu, ""),
  (value) => wide(value),
  (value) => value.replace(/i/i, "ı"),
  (value) => `${value.slice(0, 1)} ${value.slice(1)}`,
  (value) => value.replaceAll(" ", ""),
  () => "",
]

const idSlips: ReadonlyArray<(value: string) => string> = [
  ...[...slips.slice(0, 5), (value: string) => value.toUpperCase()],
  (value) => value.toLowerCase(),
  (value) => ` ${value}`,
  (value) => `0${value}`,
  (value) => `${value}/1`,
]

/** The text as it is, then its other spellings. */
export const spellings = (attribute: Attribute.Attribute, value: string): ReadonlyArray<string> => {
  const fold = Attribute.foldOf(attribute)
  const others = respellings.map((respell) => respell(value))
  return [...new Set([value, ...others.filter((other) => fold(other) === fold(value))])]
}

/** Texts similar to one of the values but different for a rule; `values` in their compared form. */
export const nearMisses = (
  attribute: Attribute.Attribute,
  value: string,
  values: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const fold = Attribute.foldOf(attribute)
  const all = Attribute.kindOf(attribute) === "id" ? idSlips : slips
  const found = all.map((slip) => slip(value))
  return [...new Set(found)].filter((text) => !values.has(fold(text)))
}

// What groups ask for, links and conditions alike: one of some values of an attribute.

/** What a group asks for. */
export interface Ask {
  readonly attribute: Attribute.Attribute
  readonly isWith: boolean
  /** As they are written. */
  readonly values: ReadonlyArray<string>
  /** As they are compared. */
  readonly folded: ReadonlySet<string>
}

const askOf = (
  attribute: Attribute.Attribute,
  { modifier, values }: Pick<Link | Condition, "modifier" | "values">,
): Ask => ({
  attribute,
  isWith: modifier === "WITH",
  values,
  folded: new Set(values.map(Attribute.foldOf(attribute))),
})

/** What a group asks for; where it asks for nothing there is nothing. */
interface Asks {
  readonly link: Ask | undefined
  readonly condition: Ask | undefined
}

const known = /* @__PURE__ */ new WeakMap<ProductGroup, Asks>()

/** What a group asks for, worked out when it is first asked. */
export const asksOf = (group: ProductGroup): Asks => {
  const before = known.get(group)
  if (before !== undefined) return before
  const { link, condition } = group
  const asks = {
    link: link.type === "products.all" ? undefined : askOf(link.type, link),
    condition: condition === null ? undefined : askOf(condition.type, condition),
  }
  known.set(group, asks)
  return asks
}

/** Whether a text is one of the values. */
export const isAmong = ({ attribute, folded }: Ask, text: string): boolean =>
  folded.has(Attribute.foldOf(attribute)(text))

/** Whether the present values satisfy the requirement. */
export const isMet = (ask: Ask, present: ReadonlyArray<string>): boolean =>
  present.some((text) => isAmong(ask, text)) === ask.isWith

/** Whether a group's link selects a product. */
export const isSelected = (group: ProductGroup, product: Product): boolean => {
  const ask = asksOf(group).link
  return ask === undefined
    ? group.link.modifier === "WITH"
    : Attribute.isOfProducts(ask.attribute) &&
        isMet(ask, Attribute.ofProduct[ask.attribute](product))
}

/** Whether an order is as a group asks for. */
export const isConditionMet = (group: ProductGroup, order: Order): boolean => {
  const ask = asksOf(group).condition
  return (
    ask === undefined ||
    Attribute.isOfProducts(ask.attribute) ||
    isMet(ask, Attribute.ofOrder[ask.attribute](order))
  )
}

/** What can be amiss between a group and an item of an order. */
export type Amiss = "link" | "condition" | "too early" | "too late" | "no time"

/** Whether a group is in force at a time, and if not, why. */
export const amissOfTime = (
  { startsAt, endsAt }: ProductGroup,
  at: number | null | undefined,
): Amiss | undefined => {
  if (startsAt === null && endsAt === null) return undefined
  if (at == null) return "no time"
  if (startsAt !== null && at < startsAt) return "too early"
  return endsAt !== null && at >= endsAt ? "too late" : undefined
}

/** All reasons why a group does not apply to an item; empty when it applies. */
export const amissOf = (
  group: ProductGroup,
  order: Order,
  item: OrderItem,
): ReadonlyArray<Amiss> => {
  const found: Array<Amiss> = []
  if (!isSelected(group, item.product)) found.push("link")
  if (!isConditionMet(group, order)) found.push("condition")
  const time = amissOfTime(group, order.createdAt)
  return time === undefined ? found : [...found, time]
}
