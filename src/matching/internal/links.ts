/** What links ask for, and what products have of it. */
import type { LinkType, ProductGroup } from "../../groups/ProductGroup.js"
import type { Product } from "../Product.js"
import * as text from "./text.js"

/** The kinds of link that ask for something; a group for all products asks for nothing. */
export type AskingLink = Exclude<LinkType, "products.all">

/** In the order of specificity. */
export const askingLinks: ReadonlyArray<AskingLink> = [
  "products",
  "products.tag",
  "products.vendor",
]

/** How values of a kind of link are made to be compared; ids are compared as they are. */
export const foldOf = (type: AskingLink): ((value: string) => string) | undefined =>
  type === "products" ? undefined : text.fold

const noTexts: ReadonlyArray<string> = []

/** What a product has of what a kind of link asks for, as it is written there. */
export const attributeOf = (product: Product, type: AskingLink): ReadonlyArray<string> => {
  const { id, externalId, tags, vendor } = product
  switch (type) {
    case "products":
      return externalId === undefined || externalId === id ? [id] : [id, externalId]
    case "products.tag":
      return tags ?? noTexts
    case "products.vendor":
      return vendor === undefined ? noTexts : [vendor]
  }
}

/** What a group's link asks for, as products are asked for it, each once. */
export const valuesOf = ({ link }: ProductGroup): ReadonlyArray<string> => {
  const { type, values } = link
  const fold = type === "products.all" ? undefined : foldOf(type)
  const folded = fold === undefined ? values : values.map(fold)
  return folded.length < 2 ? folded : [...new Set(folded)]
}

/** Whether the group's link selects the product. */
export const selects = (product: Product, group: ProductGroup): boolean => {
  const { type, modifier } = group.link
  const isWith = modifier === "WITH"
  if (type === "products.all") return isWith
  const values = new Set(valuesOf(group))
  const fold = foldOf(type) ?? ((value: string) => value)
  return attributeOf(product, type).some((value) => values.has(fold(value))) === isWith
}
